//! Where platforms call accounts: the path of each on the one listener that they can reach. Answers no call.

use std::collections::BTreeMap;

use askrelay_core::id::Account;
use url::Url;

use super::surfaces::{AccountError, account};
use crate::config::{ChatAccount, Config};

/// First parts of the paths on which the ring itself answers.
const OURS: [&str; 7] = ["v1", "mcp", "metrics", "healthz", "readyz", "openapi.json", "ring"];

/// Where the platform calls an account, at a path of its own if the configuration names none; nothing where it does not call.
pub(super) fn webhook_url(of: &ChatAccount) -> Option<Url> {
    of.urls.get("webhook_url").and_then(|given| address(of, given))
}

fn address(of: &ChatAccount, given: &str) -> Option<Url> {
    let mut url = Url::parse(given).ok()?;
    if url.path() == "/" {
        url.set_path(&format!("/{}/{}", of.table.surface, of.name));
    }
    Some(url)
}

/// The names under which platforms call this ring.
pub(super) fn hosts(config: &Config) -> Vec<String> {
    config.accounts.iter().filter_map(|of| Some(webhook_url(of)?.host_str()?.to_owned())).collect()
}

/// Every account of these that could not be called, and why.
pub(super) fn mistakes<'a>(
    accounts: impl Iterator<Item = &'a ChatAccount>,
) -> Vec<(&'a ChatAccount, AccountError)> {
    let mut taken: BTreeMap<String, Account> = BTreeMap::new();
    let mut mistakes = Vec::new();
    for of in accounts {
        let Some(given) = of.urls.get("webhook_url") else { continue };
        let what = match path(of, given) {
            Err(what) => what,
            Ok(path) => match taken.get(&path) {
                None => {
                    taken.insert(path, account(of));
                    continue;
                }
                Some(other) => {
                    format!(
                        "has the path {path}, which {other} has too, whatever the host; give one of them another path"
                    )
                }
            },
        };
        mistakes.push((of, AccountError::Webhook { account: account(of), key: of.key.clone(), what }));
    }
    mistakes
}

/// The path of an address that a platform can call, or what is wrong with it.
fn path(of: &ChatAccount, given: &str) -> Result<String, String> {
    let example = format!("such as https://ask.example.org/{}/{}", of.table.surface, of.name);
    let Some(url) = address(of, given) else { return Err(format!("is no address; write one {example}")) };
    if url.query().is_some() || url.fragment().is_some() {
        return Err(format!("has more than a host and a path; leave out what follows ? or #, {example}"));
    }
    let parts: Vec<&str> = url.path().split('/').skip(1).collect();
    // The router would take such parts for patterns.
    let is_plain =
        |part: &&str| !part.is_empty() && !part.starts_with([':', '*']) && !part.contains(['{', '}']);
    if !parts.iter().all(is_plain) {
        return Err(format!("has a path that cannot be served, {}; write one {example}", url.path()));
    }
    if parts.first().is_some_and(|first| OURS.contains(first)) {
        return Err(format!(
            "has a path on which askrelay itself answers, {}; choose another, {example}",
            url.path()
        ));
    }
    Ok(url.path().to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn found(paths: &[(&str, &str, &str)]) -> Vec<String> {
        let table = |(surface, name, address): &(&str, &str, &str)| {
            format!("[[{surface}]]\nname = \"{name}\"\nwebhook_url = \"{address}\"\n")
        };
        let text: String = paths.iter().map(table).collect();
        let config = Config::parse(&text, Path::new("config.toml")).unwrap();
        mistakes(config.accounts.iter()).into_iter().map(|(_, error)| error.to_string()).collect()
    }

    #[test]
    fn a_path_is_one_accounts_alone_and_can_be_served() {
        let fine: [&[(&str, &str, &str)]; 4] = [
            &[],
            &[("telegram", "main", "https://a.example"), ("slack", "main", "https://a.example")],
            &[("telegram", "main", "https://a.example/x"), ("telegram", "two", "https://a.example/x/y")],
            &[("telegram", "main", "https://a.example/v11"), ("slack", "main", "https://a.example/mcp2/v1")],
        ];
        for row in fine {
            assert_eq!(found(row), Vec::<String>::new(), "{row:?}");
        }
        let same = "has the path /x, which telegram/main has too";
        for (second, expected) in [
            (("telegram", "two", "https://a.example/x"), same),
            (("slack", "main", "https://b.example/x/"), same),
            (("slack", "main", "https://a.example/v1"), "itself answers, /v1"),
            (("slack", "main", "https://a.example/v1/asks"), "itself answers"),
            (("slack", "main", "https://a.example/mcp"), "itself answers"),
            (("slack", "main", "https://a.example/metrics"), "itself answers"),
            (("slack", "main", "https://a.example/healthz"), "itself answers"),
            (("slack", "main", "https://a.example/readyz"), "itself answers"),
            (("slack", "main", "https://a.example/openapi.json"), "itself answers"),
            (("slack", "main", "https://a.example/ring/hand-over"), "itself answers"),
            (("slack", "main", "https://a.example/b/../v1"), "itself answers, /v1"),
            (("slack", "main", "https://a.example/:x"), "cannot be served, /:x"),
            (("slack", "main", "https://a.example/b/*rest"), "cannot be served"),
            (("slack", "main", "https://a.example/b//c"), "cannot be served"),
            (("slack", "main", "https://a.example/b?c=d"), "? or #"),
            (("slack", "main", "https://a.example/b#c"), "? or #"),
            (("slack", "main", "https://1.2.3.4.5/b"), "is no address"),
        ] {
            let found = found(&[("telegram", "main", "https://a.example/x"), second]);
            let [text] = found.as_slice() else { panic!("{second:?}: {found:?}") };
            assert!(text.contains(expected) && text.contains("].webhook_url "), "{second:?}: {text}");
            let way_out = ["give one", "write one", "choose another", "leave out"];
            assert!(way_out.iter().any(|way| text.contains(way)), "{second:?}: {text}");
        }
    }
}
