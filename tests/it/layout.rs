//! The shape of the house: who may depend on whom, which files a surface has, what must and must not be in the dependency tree.
//! The tables are in `layout/table.rs`; this file reads `cargo metadata` and compares.

mod licence;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use table::{
    CARD, Crate, ONE_VERSION, REFUSED_PACKAGES, SURFACE_FILES, SURFACES, TABLE, TEST_PACKAGES, TESTED_WITH,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn metadata() -> Metadata {
    let mut command = MetadataCommand::new();
    command.manifest_path(root().join("Cargo.toml")).other_options(vec!["--locked".to_owned()]);
    command.exec().expect("cargo describes the workspace")
}

fn check(rule: &str, broken: Vec<String>) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}

fn dependencies(package: &Package, kinds: &[DependencyKind]) -> BTreeSet<String> {
    package.dependencies.iter().filter(|of| kinds.contains(&of.kind)).map(|of| of.name.clone()).collect()
}

const BUILT_IN: [DependencyKind; 2] = [DependencyKind::Normal, DependencyKind::Build];

#[test]
fn every_crate_depends_only_on_what_the_table_allows() {
    let mut broken = Vec::new();
    for package in metadata().workspace_packages() {
        let name = package.name.as_str();
        if TEST_PACKAGES.contains(&name) {
            continue;
        }
        let Some(row) = TABLE.iter().find(|row| row.name == name) else {
            broken.push(format!("{name} has no row"));
            continue;
        };
        for used in dependencies(package, &BUILT_IN) {
            let Crate { ours, others, .. } = row;
            let allowed = match used.strip_prefix("askrelay-") {
                Some(used) => ours.contains(&used),
                None => others.contains(&used.as_str()),
            };
            if !allowed {
                broken.push(format!("{name} must not depend on {used}"));
            }
        }
    }
    check("the dependency table", broken);
}

#[test]
fn tests_reach_only_the_kit_and_test_tools() {
    let mut broken = Vec::new();
    for package in metadata().workspace_packages() {
        let built_in = dependencies(package, &BUILT_IN);
        for used in dependencies(package, &[DependencyKind::Development]) {
            if !built_in.contains(&used) && !TESTED_WITH.contains(&used.as_str()) {
                broken.push(format!("{} is tested with {used}", package.name));
            }
        }
    }
    check("what only tests use", broken);
}

#[test]
fn folders_and_packages_have_the_same_names() {
    let mut broken = Vec::new();
    for package in metadata().workspace_packages() {
        let folder = package.manifest_path.parent().expect("a manifest is in a folder").as_std_path();
        let expected =
            match folder.strip_prefix(root()).ok().and_then(Path::file_name).and_then(|name| name.to_str()) {
                Some(name) => format!("askrelay-{name}"),
                None => "askrelay".to_owned(),
            };
        if package.name.as_str() != expected {
            broken.push(format!("{} holds {}, not {expected}", folder.display(), package.name));
        }
    }
    check("a folder's package has its name", broken);
}

#[test]
fn every_package_takes_what_the_workspace_says() {
    let mut broken = Vec::new();
    for package in metadata().workspace_packages() {
        let manifest = std::fs::read_to_string(&package.manifest_path).unwrap();
        let inherited = ["version", "edition", "rust-version", "license", "repository", "publish"];
        let missing = inherited.iter().filter(|key| !manifest.contains(&format!("{key}.workspace = true")));
        broken.extend(missing.map(|key| format!("{}: {key}", package.name)));
        if !manifest.contains("[lints]\nworkspace = true") {
            broken.push(format!("{}: lints", package.name));
        }
    }
    check("said once, in the workspace", broken);
}

#[test]
fn every_outside_dependency_says_why_it_is_here() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, list) = manifest.split_once("[workspace.dependencies]").expect("the workspace has dependencies");
    let lines = list.lines().skip(1).take_while(|line| !line.starts_with('['));
    let outside = lines.filter(|line| line.contains('=') && !line.starts_with("askrelay"));
    let silent = outside.filter(|line| line.split_once("# ").is_none_or(|(_, why)| why.trim().is_empty()));
    check("a dependency says why it is here", silent.map(str::to_owned).collect());
}

#[test]
fn every_surface_has_the_same_files() {
    let mut broken = Vec::new();
    for folder in surfaces() {
        let missing = SURFACE_FILES.iter().filter(|file| !folder.join(file).exists());
        broken.extend(missing.map(|file| format!("{} is missing", folder.join(file).display())));
        let library = std::fs::read_to_string(folder.join("src/lib.rs")).unwrap_or_default();
        for part in [
            "include_str!(\"../README.md\")",
            "pub async fn run(",
            "orders: Receiver<Order>",
            "reports: Sender<Report>",
        ] {
            if !library.contains(part) {
                broken.push(format!("{}/src/lib.rs has no `{part}`", folder.display()));
            }
        }
        broken.extend(undated_limits(&folder.join("src/limits.rs")));
    }
    check("a surface is shaped like every other", broken);
}

/// Numbers of `limits.rs` without the year in which they were looked up.
fn undated_limits(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut comment = String::new();
    let mut undated = Vec::new();
    for (number, line) in text.lines().map(str::trim).enumerate() {
        if line.starts_with("//") {
            comment.push_str(line);
        } else {
            let has_number = line.chars().any(|c| c.is_ascii_digit()) && line.contains([':', '=']);
            // One and none are words, not numbers somebody looked up.
            let is_word = ["messages: 1,", "min: 1,"].contains(&line);
            if has_number && !is_word && !comment.contains("20") {
                undated.push(format!("{}:{}: no source and date", path.display(), number + 1));
            }
            comment.clear();
        }
    }
    undated
}

fn surfaces() -> Vec<PathBuf> {
    let folders = SURFACES.iter().map(|name| root().join("adapters").join(name));
    folders.filter(|folder| folder.exists()).collect()
}

#[test]
fn the_packages_of_the_card_are_used_directly() {
    let metadata = metadata();
    let mut used = BTreeSet::new();
    for package in metadata.workspace_packages() {
        used.extend(dependencies(package, &BUILT_IN));
    }
    let wanted = CARD
        .iter()
        .filter(|(_, adapter)| adapter.is_none_or(|adapter| root().join("adapters").join(adapter).exists()));
    let missing = wanted.filter(|(package, _)| !used.contains(*package));
    check("direct dependencies", missing.map(|(package, _)| (*package).to_owned()).collect());
}

#[test]
fn nothing_refused_is_in_the_tree() {
    let metadata = metadata();
    let refused = metadata.packages.iter().filter_map(|package| {
        let (_, why) = REFUSED_PACKAGES.iter().find(|(name, _)| package.name.as_str() == *name)?;
        Some(format!("{} {}: {why}", package.name, package.version))
    });
    check("packages that must not come in", refused.collect());
}

#[test]
fn key_packages_have_one_version() {
    let mut versions: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let metadata = metadata();
    for package in metadata.packages.iter().filter(|package| ONE_VERSION.contains(&package.name.as_str())) {
        versions.entry(package.name.as_str()).or_default().push(package.version.to_string());
    }
    let several = versions.into_iter().filter(|(_, versions)| versions.len() > 1);
    check("one version", several.map(|(name, versions)| format!("{name} {}", versions.join(", "))).collect());
}

#[test]
fn every_licence_is_one_that_we_can_pass_on() {
    let metadata = metadata();
    let refused = metadata.packages.iter().filter_map(|package| {
        let licence = package.license.as_deref().unwrap_or("none");
        let known = licence::EXCEPTIONS.contains(&(package.name.as_str(), licence));
        (!licence::is_allowed(licence) && !known)
            .then(|| format!("{} {}: {licence}", package.name, package.version))
    });
    check("licences", refused.collect());
}
