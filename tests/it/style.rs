//! The rules of the house that a machine can check: headers, sizes, names, purity, tests that cannot lie. What the parts may
//! depend on is checked in `layout.rs`; formatting and the usual lints are cargo's.

mod functions;
mod source;

use std::path::Path;

use source::{Code, Source, files, has_sequence, sources, uses_std};

/// Most lines of a file.
const FILE_LINES_MAX: usize = 500;

/// Most lines of a function, not counting blank ones and comments. `.clippy.toml` has the same number.
const FUNCTION_LINES_MAX: usize = 70;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 7] = ["util", "utils", "helper", "helpers", "common", "manager", "misc"];

/// Parts of the standard library that touch the world.
const WORLD: [&str; 6] = ["env", "fs", "net", "os", "process", "thread"];

/// Words that have no place in the pure core.
const IMPURE: [&str; 9] =
    ["async", "await", "tokio", "tracing", "getrandom", "SystemTime", "Instant", "println", "eprintln"];

/// Platforms, whose names only adapters and the composition root know.
const PLATFORMS: [&str; 9] =
    ["telegram", "discord", "slack", "mattermost", "matrix", "irc", "xmpp", "openclaw", "whatsapp"];

/// Where tasks and threads may be started, besides the `lib.rs` of an adapter. Each has an owner that ends it.
const STARTERS: [(&str, &str); 6] = [
    ("src/compose.rs", "owns every task of the ring"),
    ("src/compose/mcp.rs", "hands every token's connection to the route's set, and a page to the browser"),
    ("src/compose/gateways.rs", "hands every other gateway's task to the ring's set"),
    ("src/compose/seat.rs", "owns every task of an asking terminal"),
    ("src/compose/surfaces.rs", "hands every chat account's task to the ring's set"),
    ("adapters/store/src/sqlite.rs", "owns its reader and writer threads"),
];

/// Queues without a bound of their own.
const UNBOUNDED: [(&str, &str); 1] =
    [("adapters/gateway/src/outbox.rs", "bounded by the weight of what it holds")];

/// Finds what breaks one rule in one file, each as `:LINE: what`.
type Rule = fn(&Source) -> Vec<String>;

/// Fails with every line, so that one run shows everything there is to mend.
fn check(rule: &str, broken: Vec<String>) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}

fn check_each<'s>(rule: &str, sources: impl Iterator<Item = &'s Source>, find: Rule) {
    let in_file = |source: &'s Source| {
        find(source).into_iter().map(move |what| format!("{}{what}", source.path)).collect::<Vec<_>>()
    };
    check(rule, sources.flat_map(in_file).collect());
}

/// Without what is only there for tests.
fn program() -> impl Iterator<Item = &'static Source> {
    sources().iter().filter(|source| !source.is_test())
}

fn core() -> impl Iterator<Item = &'static Source> {
    program().filter(|source| source.path.starts_with("core/src/"))
}

/// The lines on which any of these words stands in code.
fn words(code: &Code<'_>, words: &[&str]) -> Vec<String> {
    let hits = code.tokens.iter().filter(|token| words.contains(&token.text.as_str()));
    hits.map(|token| format!(":{}: {}", token.line, token.text)).collect()
}

/// The lines on which any of these sequences begins.
fn sequences(code: &Code<'_>, sequences: &[&[&str]], what: &str) -> Vec<String> {
    let hits = sequences.iter().flat_map(|sequence| has_sequence(code, sequence));
    hits.map(|line| format!(":{line}: {what}")).collect()
}

fn headless(source: &Source) -> Vec<String> {
    let header: Vec<&str> = source.text.lines().map_while(|line| line.strip_prefix("//! ")).collect();
    let is_sentence = header.join(" ").contains('.');
    if is_sentence { Vec::new() } else { vec![": opens with no sentence in `//!`".to_owned()] }
}

fn long(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    let file = (lines > FILE_LINES_MAX).then(|| format!(": {lines} lines"));
    let long = functions::lengths(source).into_iter().filter(|function| function.lines > FUNCTION_LINES_MAX);
    let long =
        long.map(|function| format!(":{}: fn {} has {} lines", function.line, function.name, function.lines));
    file.into_iter().chain(long).collect()
}

fn undone(source: &Source) -> Vec<String> {
    words(&source.whole(), &["todo", "unimplemented", "dbg"])
}

fn ignored(source: &Source) -> Vec<String> {
    sequences(&source.whole(), &[&["#", "[", "ignore"]], "ignored")
}

fn sleeping(source: &Source) -> Vec<String> {
    sequences(&source.tests(), &[&["sleep", "("]], "sleeps")
}

fn impure(source: &Source) -> Vec<String> {
    let code = source.code();
    let world = uses_std(&code, &WORLD).into_iter().map(|(line, part)| format!(":{line}: std::{part}"));
    world.chain(words(&code, &IMPURE)).collect()
}

fn naming_platforms(source: &Source) -> Vec<String> {
    let names = |text: &str| PLATFORMS.iter().any(|platform| text.to_lowercase().contains(platform));
    let code = source.code();
    let hits = code.tokens.iter().filter(|token| names(&token.text));
    hits.map(|token| format!(":{}: {}", token.line, token.text)).collect()
}

fn panicking(source: &Source) -> Vec<String> {
    let code = source.code();
    let mut broken = sequences(&code, &[&[".", "unwrap", "("], &[".", "expect", "("]], "may panic");
    broken.extend(words(&code, &["panic", "unreachable"]));
    broken
}

fn without_reason(source: &Source) -> Vec<String> {
    let exceptions = source.whole().exceptions();
    exceptions.into_iter().map(|line| format!(":{line}: no `reason = ...`")).collect()
}

fn starting(source: &Source) -> Vec<String> {
    sequences(&source.code(), &[&["spawn", "("], &["spawn_local", "("]], "starts something")
}

fn unbounded(source: &Source) -> Vec<String> {
    words(&source.code(), &["unbounded_channel", "unbounded", "UnboundedSender"])
}

#[test]
fn every_file_opens_with_what_it_is_for() {
    check_each("a file opens with what it is for and what it does not do", sources().iter(), headless);
}

#[test]
fn files_and_functions_are_short() {
    let rule = format!("at most {FILE_LINES_MAX} lines a file and {FUNCTION_LINES_MAX} a function");
    check_each(&rule, sources().iter(), long);
}

#[test]
fn names_say_what_is_inside() {
    let is_empty = |name: &str| name.split(['_', '-', '.']).any(|part| EMPTY_NAMES.contains(&part));
    let broken = files().into_iter().filter(|path| path.split('/').any(is_empty)).collect();
    check("a name says what is inside", broken);
}

#[test]
fn nothing_is_left_undone() {
    check_each("nothing is left undone", sources().iter(), undone);
}

#[test]
fn every_test_runs() {
    check_each("a test runs or does not exist", sources().iter(), ignored);
}

#[test]
fn tests_wait_for_states_not_for_time() {
    check_each("a test waits for what happens", sources().iter(), sleeping);
}

#[test]
fn the_core_is_pure() {
    check_each(
        "no clock, files, sockets, environment, threads, randomness, async or logging",
        core(),
        impure,
    );
}

#[test]
fn the_core_names_no_platform() {
    check_each("the core names no platform", core(), naming_platforms);
}

#[test]
fn the_core_cannot_panic_on_purpose() {
    check_each("the core returns what is wrong", core(), panicking);
}

#[test]
fn every_exception_from_a_lint_has_its_reason() {
    check_each("an exception says why", sources().iter(), without_reason);
}

#[test]
fn tasks_and_threads_are_started_where_they_are_owned() {
    let may_start = |path: &str| {
        let adapter = path.strip_prefix("adapters/").and_then(|path| path.split_once('/'));
        STARTERS.iter().any(|(starter, _)| path == *starter)
            || adapter.is_some_and(|(_, file)| file == "src/lib.rs")
    };
    check_each("tasks have owners and ends", program().filter(|source| !may_start(&source.path)), starting);
}

#[test]
fn queues_have_bounds() {
    let is_listed = |path: &str| UNBOUNDED.iter().any(|(listed, _)| path == *listed);
    check_each("a queue has a bound", program().filter(|source| !is_listed(&source.path)), unbounded);
}

/// A rule that catches nothing protects nothing.
#[test]
fn every_rule_catches_what_it_is_for() {
    let long_function = format!("//! A.\nfn long() {{\n{}}}\n", "    step();\n".repeat(FUNCTION_LINES_MAX));
    let rows: [(Rule, &str, &str); 19] = [
        (headless, "fn a() {}", "sentence"),
        (headless, "//! No full stop\nfn a() {}", "sentence"),
        (long, &long_function, ":2: fn long has 72 lines"),
        (long, &"// line\n".repeat(FILE_LINES_MAX + 1), "501 lines"),
        (undone, "fn a() { todo!() }", ":1: todo"),
        (ignored, "#[test]\n#[ignore = \"slow\"]\nfn a() {}", ":2: ignored"),
        (sleeping, "#[cfg(test)]\nmod tests { fn a() { std::thread::sleep(b); } }", ":2: sleeps"),
        (impure, "use std::{fmt, fs};", ":1: std::fs"),
        (impure, "fn a() { std::env::var(b); }", ":1: std::env"),
        (impure, "async fn a() {}", ":1: async"),
        (naming_platforms, "fn a() -> &'static str { \"a Slack channel\" }", "Slack"),
        (panicking, "fn a() { b.unwrap(); }", ":1: may panic"),
        (panicking, "fn a() { panic!() }", ":1: panic"),
        (without_reason, "#[allow(dead_code)]\nfn a() {}", ":1: no"),
        (without_reason, "#![expect(dead_code)]", ":1: no"),
        (starting, "fn a() { tokio::spawn(b); }", ":1: starts"),
        (starting, "fn a() { set.spawn(b); }", ":1: starts"),
        (unbounded, "fn a() { mpsc::unbounded_channel(); }", ":1: unbounded_channel"),
        (sleeping, "#[tokio::test]\nasync fn a() { sleep(b).await; }", ":2: sleeps"),
    ];
    for (rule, text, expected) in rows {
        let broken = rule(&Source::of("src/sample.rs", text)).join("\n");
        assert!(broken.contains(expected), "{text}\ngave {broken:?}, not {expected:?}");
    }
}

#[test]
fn no_rule_is_broken_by_words_that_are_no_code() {
    let harmless = "//! Sleeps never, unlike `sleep(`.\n/// Not Slack, todo, panic or async.\nfn a() {\n    // .unwrap()\n            b(\"{ .unwrap() panic!() std::fs\");\n}\n#[allow(dead_code, reason = \"why\")]\nconst C: fn() = a;\n        #[cfg(test)]\nmod tests {\n    use std::fs;\n    #[test]\n    fn t() { b.unwrap(); }\n}\nfn after() {}\n";
    let source = Source::of("src/sample.rs", harmless);
    let rules: [Rule; 10] = [
        headless,
        long,
        undone,
        ignored,
        sleeping,
        impure,
        naming_platforms,
        panicking,
        without_reason,
        starting,
    ];
    for (index, rule) in rules.into_iter().enumerate() {
        assert_eq!(rule(&source), Vec::<String>::new(), "rule {index}");
    }
}

#[test]
fn the_exceptions_still_exist() {
    let listed = STARTERS.iter().chain(&UNBOUNDED).map(|(path, _)| *path);
    let gone = listed.filter(|path| !source::root().join(path).exists()).map(str::to_owned).collect();
    check("a list of exceptions has no dead rows", gone);
}

#[test]
fn no_file_names_a_machine() {
    // In halves, so that this file does not name one either.
    let roots = [("/wo", "rk/"), ("/ro", "ot/"), ("/ho", "me/"), ("/Us", "ers/"), ("/fa", "rm/")];
    let roots = roots.map(|(first, second)| format!("{first}{second}"));
    let names_machine = |line: &str| {
        roots.iter().any(|root| {
            let found = line.match_indices(root.as_str());
            let inside =
                |at: usize| line[..at].ends_with(|c: char| c.is_alphanumeric() || ".-_~}".contains(c));
            found.into_iter().any(|(at, _)| !inside(at))
        })
    };
    let mut broken = Vec::new();
    for path in files().into_iter().filter(|path| !path.ends_with(".lock")) {
        let Ok(text) = std::fs::read_to_string(source::root().join(&path)) else { continue };
        let lines = text.lines().enumerate().filter(|(_, line)| names_machine(line));
        broken.extend(lines.map(|(number, line)| format!("{path}:{}: {line}", number + 1)));
    }
    check("no file names a machine", broken);
}

#[test]
fn the_pages_are_there() {
    let pages =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
    let missing: Vec<String> =
        pages.into_iter().filter(|page| !source::root().join(page).exists()).map(str::to_owned).collect();
    check("the project has its pages", missing);
    let adapters = source::root().join("adapters").read_dir().unwrap();
    let without = adapters.map(|entry| entry.unwrap().path()).filter(|folder| is_filled(folder));
    let without = without.filter(|folder| !folder.join("README.md").exists());
    check("every adapter has its README.md", without.map(|folder| folder.display().to_string()).collect());
}

/// An adapter of more than its skeleton.
fn is_filled(folder: &Path) -> bool {
    folder.join("src").read_dir().is_ok_and(|files| files.count() > 1)
}
