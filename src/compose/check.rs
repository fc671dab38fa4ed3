//! What can be told of chat accounts and other gateways before any of them runs: places, users and roles that cannot be, webhooks that
//! clash, secrets that are not there or that others can read. Only [`lacks`] connects, to ask platforms; nothing here changes anything.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use askrelay_core::id::{Identity, Place};
use askrelay_core::prompt::one_line;
use tokio::time::timeout;

use super::surfaces::{AccountError, KINDS, Kind, account, configured, kind, places};
use super::webhook;
use crate::config::{ChatAccount, Config, OtherGateway, SecretSource, TABLES};

/// How an id looks on one platform.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Whether this text can be one.
    pub fits: fn(&str) -> bool,
    /// One that can.
    pub example: &'static str,
}

/// Something that is wrong in the configuration, as far as can be told without the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The key.
    pub key: String,
    /// What is wrong, and the way out.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.what)
    }
}

/// Everything for which an account could not run, a gateway could not be joined, or a question could not be shown or answered.
#[must_use]
pub fn faults(config: &Config) -> Vec<Fault> {
    let uncallable = webhook::mistakes(config.accounts.iter());
    let mut faults = place_faults(config);
    for of in &config.accounts {
        faults.extend(role_faults(of));
        // An account that cannot be called is not made ready: the router would not take its path.
        let called = uncallable.iter().find(|(whose, _)| whose.key == of.key).map(|(_, error)| told(error));
        let what = called.or_else(|| ready(config, of).err().map(|error| told(&error)));
        faults.extend(what.map(|what| Fault { key: of.key.clone(), what }));
    }
    faults.extend(config.gateways.iter().filter_map(gateway_fault));
    faults
}

fn gateway_fault(of: &OtherGateway) -> Option<Fault> {
    let key = format!("gateway.{}.token_file", of.name);
    let path = match &of.token {
        Some(SecretSource::Given(_)) => return None,
        Some(SecretSource::File(path)) => path,
        None => {
            let what = "is not set; name the file that holds the gateway's shared token (gateway.auth.token \
                        of its configuration)";
            return Some(Fault { key, what: what.to_owned() });
        }
    };
    let what = match fs::read_to_string(path) {
        Ok(token) if token.trim().is_empty() => format!("{} is empty", path.display()),
        Ok(_) => return None,
        Err(error) => format!("cannot read {}: {error}", path.display()),
    };
    Some(Fault { key, what: format!("{what}; put the gateway's shared token into it") })
}

fn ready(config: &Config, of: &ChatAccount) -> Result<(), AccountError> {
    let account = account(of);
    let kind = kind(of).ok_or_else(|| AccountError::NotBuilt { account: account.clone() })?;
    (kind.ready)(of, &account, places(config, &account)).map(drop)
}

/// An error with its causes, on one line.
fn told(error: &AccountError) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    std::iter::once(error.to_string()).chain(causes.map(ToString::to_string)).collect::<Vec<_>>().join(": ")
}

/// Places where nothing can be shown: no such conversation, or no such account.
#[must_use]
pub fn place_faults(config: &Config) -> Vec<Fault> {
    let wrong = |(key, place): (String, Place)| Some(Fault { key, what: wrong_place(config, &place)? });
    config.places_by_key().into_iter().filter_map(wrong).collect()
}

fn wrong_place(config: &Config, place: &Place) -> Option<String> {
    let surface = place.account.surface.as_str();
    let Some(kind) = named(surface) else { return Some(no_surface(surface)) };
    if !(kind.conversation.fits)(place.conversation.as_str()) {
        let (conversation, example) = (one_line(place.conversation.as_str()), kind.conversation.example);
        return Some(format!(
            "{surface} has no conversation '{conversation}'; write its id, such as {example}"
        ));
    }
    if configured(config).contains(&place.account) {
        return None;
    }
    let name = place.account.name.as_str();
    let secrets = TABLES.iter().find(|table| table.surface == surface).map(|table| table.secrets);
    let variable = secrets.and_then(|secrets| secrets.first()).map(|secret| secret.variable);
    let or = variable.filter(|_| name == "main").map(|variable| format!(", or set {variable}"));
    Some(format!(
        "the account {} is not configured; add a table [[{surface}]] with name = \"{}\"{}",
        place.account,
        one_line(name),
        or.unwrap_or_default()
    ))
}

fn role_faults(of: &ChatAccount) -> Vec<Fault> {
    let Some(shape) = kind(of).and_then(|kind| kind.role) else { return Vec::new() };
    let wrong = of.roles.keys().filter(|role| !(shape.fits)(role));
    let told = |role: &String| Fault {
        key: format!("{}.roles", of.key),
        what: format!("'{}' is no role's id; write the id, such as {}", one_line(role), shape.example),
    };
    wrong.map(told).collect()
}

/// What works and yet should not stay: secrets that others can read, webhooks to which nobody listens, and gateways that are told
/// the shared token where others can hear it.
pub fn warnings<'a>(config: &Config, accounts: impl Iterator<Item = &'a ChatAccount>) -> Vec<Fault> {
    let mut warnings = Vec::new();
    for of in accounts {
        let open = |(name, source)| readable_by_others(format!("{}.{name}", of.key), source);
        warnings.extend(of.secrets.iter().filter_map(open));
        if of.urls.contains_key("webhook_url") && config.listen.value.is_none() {
            let what =
                "nothing listens for the platform's calls; set listen, such as listen = \"127.0.0.1:8787\"";
            warnings.push(Fault { key: format!("{}.webhook_url", of.key), what: what.to_owned() });
        }
    }
    for of in &config.gateways {
        let key = format!("gateway.{}.token_file", of.name);
        warnings.extend(of.token.as_ref().and_then(|source| readable_by_others(key, source)));
        if !of.is_private() {
            let what = "everybody on the way hears the token and the answers; use wss://, or a tunnel to this machine";
            warnings.push(Fault { key: format!("gateway.{}.url", of.name), what: what.to_owned() });
        }
    }
    warnings
}

fn readable_by_others(key: String, source: &SecretSource) -> Option<Fault> {
    let SecretSource::File(path) = source else { return None };
    // One that is not there is told as what it is.
    let mode = fs::metadata(path).ok()?.permissions().mode() & 0o777;
    let path = path.display();
    let what = || format!("other users can read {path} (mode {mode:o}); close it with: chmod 600 {path}");
    (mode & 0o044 != 0).then(|| Fault { key, what: what() })
}

/// How long a platform may take to tell what an account lacks.
const LOOK: Duration = Duration::from_secs(5);

/// What these accounts lack on their platforms, as those tell now. Nothing of a platform that does not tell in time.
pub async fn lacks(config: &Config, of_accounts: &BTreeSet<String>) -> BTreeMap<String, Vec<String>> {
    let mut looks = Vec::new();
    for of in &config.accounts {
        let account = account(of);
        let name = account.to_string();
        let look = kind(of).and_then(|kind| kind.look).filter(|_| of_accounts.contains(&name));
        // A secret that only the process of the ring has is no fault of the account.
        if let Some(Ok(look)) = look.map(|look| look(of, &account, places(config, &account))) {
            looks.push(async move { (name, timeout(LOOK, look).await.unwrap_or_default()) });
        }
    }
    let mut lacks = BTreeMap::new();
    for look in looks {
        lacks.extend([look.await]);
    }
    lacks
}

/// Whether somebody can have this identity on its surface.
///
/// # Errors
/// Why nobody can, and what would be right.
pub fn identity(identity: &Identity) -> Result<(), String> {
    let (surface, user) = (identity.surface.as_str(), identity.user.as_str());
    let kind = named(surface).ok_or_else(|| no_surface(surface))?;
    if (kind.user.fits)(user) {
        return Ok(());
    }
    Err(format!(
        "nobody on {surface} has the id '{}'; write it as {surface}/{}, as !whoami or `askrelay pair list` tells it",
        one_line(user),
        kind.user.example
    ))
}

fn named(surface: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == surface)
}

fn no_surface(surface: &str) -> String {
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    format!("this build of askrelay has no surface '{}'; there are: {}", one_line(surface), names.join(", "))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const TOKEN: &str = "7:abcdefghijklmnopqrstuvwxyzABCDEFGHI";

    #[test]
    fn what_is_wrong_is_found_before_anything_runs() {
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join("t"), TOKEN).unwrap();
        fs::write(scratch.path().join("d"), "MTIz.Gx.abcdefghijklmnopqrstuvwxyz").unwrap();
        let telegram = "[[telegram]]\ntoken_file = \"t\"\n";
        let discord = "[[discord]]\ntoken_file = \"d\"\n";
        let rows = [
            (telegram.to_owned(), &[][..]),
            (format!("{telegram}[places]\nme = \"telegram/main/-100/4\""), &[]),
            (
                format!("{telegram}[places]\nme = \"telegram/main/sam\""),
                &["places.me: telegram has no conversation 'sam'; write its id"],
            ),
            (
                format!("{telegram}[places]\nme = \"telegram/two/7\""),
                &[
                    "places.me: the account telegram/two is not configured; add a table [[telegram]] with name = \"two\"",
                ],
            ),
            (
                format!("{telegram}[[route]]\nto = [\"pigeon/main/7\"]"),
                &["route[0].to: this build of askrelay has no surface 'pigeon'"],
            ),
            (
                "[[route]]\nto = [\"slack/main/C1\"]".to_owned(),
                &[
                    "route[0].to: the account slack/main is not configured; add a table [[slack]] with name = \"main\", or set ASKRELAY_SLACK_TOKEN",
                ],
            ),
            (
                "[[telegram]]\ntoken_file = \"gone\"".to_owned(),
                &["telegram[0]: cannot read the token_file of telegram/main"],
            ),
            (
                "[[telegram]]\nname = \"two\"".to_owned(),
                &[
                    "telegram[0]: telegram/two has no token_file; name the file with token_file in [[telegram]]",
                ],
            ),
            ("[[slack]]\ntoken_file = \"t\"".to_owned(), &["slack[0]: slack/main has no app_token_file"]),
            (
                "[[slack]]\ntoken_file = \"t\"\nwebhook_url = \"https://a.example\"".to_owned(),
                &["slack[0]: slack/main has no signing_secret_file"],
            ),
            (format!("{discord}roles = {{ 41771983423143936 = [\"questions.answer\"] }}"), &[]),
            (
                format!("{discord}roles = {{ admins = [\"questions.answer\"] }}"),
                &["discord[0].roles: 'admins' is no role's id; write the id, such as"],
            ),
            (
                format!(
                    "{telegram}webhook_url = \"https://a.example/x\"\n[[telegram]]\nname = \"two\"\ntoken_file = \"t\"\nwebhook_url = \"https://a.example/x\"\n"
                ),
                &[
                    "telegram[1]: telegram/two cannot be called: telegram[1].webhook_url has the path /x, which telegram/main has too",
                ],
            ),
        ];
        for (text, expected) in rows {
            let config = Config::parse(&text, &scratch.path().join("config.toml")).unwrap();
            let found: Vec<String> = faults(&config).iter().map(ToString::to_string).collect();
            let is_told = |(found, expected): (&String, &&str)| found.starts_with(expected);
            assert!(
                found.len() == expected.len() && found.iter().zip(expected).all(is_told),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn a_gateway_without_its_token_is_found_before_it_is_tried() {
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join("t"), TOKEN).unwrap();
        fs::write(scratch.path().join("empty"), "\n").unwrap();
        for (token, expected) in [
            ("token_file = \"t\"", ""),
            ("", "gateway.claw.token_file: is not set; name the file that holds the gateway's shared token"),
            ("token_file = \"gone\"", "gateway.claw.token_file: cannot read "),
            ("token_file = \"empty\"", "gateway.claw.token_file: "),
        ] {
            let text = format!("[gateway.claw]\nurl = \"ws://127.0.0.1:1\"\n{token}");
            let config = Config::parse(&text, &scratch.path().join("config.toml")).unwrap();
            let found: Vec<String> = faults(&config).iter().map(ToString::to_string).collect();
            assert_eq!(found.len(), usize::from(!expected.is_empty()), "{text}: {found:?}");
            let told = |found: &String| found.starts_with(expected) && found.contains("shared token");
            assert!(found.iter().all(told), "{text}: {found:?}");
        }
    }

    #[test]
    fn secrets_that_others_can_read_are_told() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("t");
        fs::write(&file, TOKEN).unwrap();
        for (mode, told) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true), (0o644, true)] {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            for of in ["[[telegram]]", "[gateway.claw]\nurl = \"ws://127.0.0.1:1\""] {
                let text = format!("{of}\ntoken_file = \"t\"");
                let config = Config::parse(&text, &scratch.path().join("c")).unwrap();
                let found = warnings(&config, config.accounts.iter());
                assert_eq!(
                    found.iter().any(|fault| fault.what.contains("chmod 600")),
                    told,
                    "{of} {mode:o}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn a_gateway_that_is_told_the_token_for_all_to_hear_is_told() {
        for (url, told) in [
            ("ws://127.0.0.1:18789", false),
            ("ws://localhost:18789/x", false),
            ("ws://[::1]:18789", false),
            ("wss://gate.example.org", false),
            ("ws://gate.example.org:18789", true),
            ("ws://192.168.1.7:18789", true),
            ("ws://127.0.0.1.example.org", true),
        ] {
            let text = format!("[gateway.claw]\nurl = \"{url}\"");
            let config = Config::parse(&text, Path::new("config.toml")).unwrap();
            let found = warnings(&config, config.accounts.iter());
            assert_eq!(found.iter().any(|fault| fault.what.contains("wss://")), told, "{url}: {found:?}");
        }
    }

    #[test]
    fn a_webhook_without_a_listener_is_told() {
        let webhook = "[[telegram]]\nwebhook_url = \"https://a.example\"";
        for (text, told) in
            [(webhook.to_owned(), true), (format!("listen = \"127.0.0.1:1\"\n{webhook}"), false)]
        {
            let config = Config::parse(&text, Path::new("config.toml")).unwrap();
            assert_eq!(!warnings(&config, config.accounts.iter()).is_empty(), told, "{text}");
        }
    }

    #[test]
    fn identities_that_cannot_be_are_refused() {
        for (text, fine) in [
            ("telegram/700100", true),
            ("telegram/@name", false),
            ("discord/80351110224678912", true),
            ("discord/abc", false),
            ("slack/T024BE7LD/U024BE7LH", true),
            ("slack/U024BE7LH", false),
            ("slack/T024BE7LD/", false),
            ("pigeon/7", false),
        ] {
            let judged = identity(&Identity::parse(text).unwrap());
            assert_eq!(judged.is_ok(), fine, "{text}: {judged:?}");
            if let Err(why) = judged {
                assert!(why.contains("write it as") || why.contains("there are: telegram"), "{why}");
            }
        }
    }
}
