//! Tables of configurations: what is resolved from where, and what is said about mistakes.

use askrelay_core::relay::Door;
use secrecy::ExposeSecret;

use super::*;

mod gateway;

const FULL: &str = r#"
listen = "127.0.0.1:8787"
allowed_hosts = ["Ask.example.org", "[::1]:8787"]
allowed_origins = ["https://ask.example.org"]
default_wait = "1h30m"
retention_days = 90
reminder_percent = 0

[log]
format = "json"
level = "askrelay=debug,info"

[limits]
open_asks = 1_000
request_bytes = 0x10_0000
connections = 64

[places]
ops = "telegram/main/-1001234"
me = "terminal/here/tty"

[[telegram]]
token_file = "telegram.token"

[[telegram]]
name = "ops"
token_file = "/run/secrets/ops"
door = "allowlist"
api_url = "https://bots.example.org:8081/"
webhook_url = "https://ask.example.org/hook"
pace_percent = 50

[[route]]
when = { agent = "ci-*", label = "release" }
to = ["ops", "slack/main/C0123/1700.5"]

[[route]]
to = ["me"]
"#;

fn environment(variables: &[(&str, &str)]) -> Environment {
    variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn resolved(text: &str, variables: &[(&str, &str)], arguments: &[Argument]) -> Result<Config, Mistakes> {
    resolve::resolve(text, Path::new("config.toml"), &environment(variables), arguments)
}

fn listing(config: &Config) -> String {
    config.shown().iter().map(|setting| format!("{setting}\n")).collect()
}

#[test]
fn a_full_file_is_resolved_with_its_lines() {
    insta::assert_snapshot!(listing(&resolved(FULL, &[], &[]).unwrap()));
}

#[test]
fn an_empty_file_is_the_defaults() {
    let config = resolved("", &[], &[]).unwrap();
    insta::assert_snapshot!(listing(&config));
    assert!(config.routes.is_empty() && config.places.is_empty() && config.notes.is_empty());
}

#[test]
fn arguments_win_over_variables_and_those_over_the_file() {
    let file = "retention_days = 1\nreminder_percent = 50\nlisten = \"127.0.0.1:1\"";
    let variables =
        [("ASKRELAY_RETENTION_DAYS", "2"), ("ASKRELAY_LISTEN", "127.0.0.1:2"), ("ASKRELAY_OPEN_ASKS", "")];
    let listen = Argument { key: "listen", flag: "--listen", value: "127.0.0.1:3".to_owned() };
    let config = resolved(file, &variables, &[listen]).unwrap();
    assert_eq!(config.reminder_percent, Setting { value: 50, source: Source::File { line: 2 } });
    let variable = Source::Variable("ASKRELAY_RETENTION_DAYS");
    assert_eq!(config.retention_days, Setting { value: 2, source: variable });
    let address = Some("127.0.0.1:3".parse().unwrap());
    assert_eq!(config.listen, Setting { value: address, source: Source::Argument("--listen") });
    assert_eq!(config.open_asks_max.source, Source::Default, "an empty variable is not set");
}

#[test]
fn lists_come_from_variables_between_commas() {
    let config = resolved("", &[("ASKRELAY_ALLOWED_HOSTS", "a.example, b.example:8443,")], &[]).unwrap();
    assert_eq!(config.allowed_hosts.value, ["a.example", "b.example:8443"]);
}

#[test]
fn every_mistake_is_said_at_once_with_its_line() {
    let file = r#"
listen = 8787
default_wait = "15"
retention_days = 0
reminder_percent = 80.5
retenton_days = 30
allowed_hosts = ["https://ask.example.org"]
allowed_origins = "https://ask.example.org"

[log]
format = "pretty"
level = "loud=very=much"
colour = true

[limits]
open_asks = "many"

[places]
ops = "telegram"
"a/b" = "telegram/main/1"

[[telegram]]
token = "123:SECRET"
name = "a/b"
door = "open"
pace_percent = 0
api_url = "bots.example.org"
token_file = ""

[[telegram]]
name = "a/b"

[[route]]
when = { agnt = "ci", label = 7 }
to = ["opps"]

[[route]]
when = "always"
into = ["ops"]
"#;
    let listen = Argument { key: "listen", flag: "--listen", value: "localhost".to_owned() };
    let variables =
        [("ASKRELAY_RETENTION_DAYS", "a month"), ("ASKRELAY_ALLOWED_ORIGINS", "ask.example.org/path")];
    let mistakes = resolved(file, &variables, &[listen]).unwrap_err().to_string();
    assert!(!mistakes.contains("SECRET"));
    insta::assert_snapshot!(mistakes);
}

#[test]
fn broken_text_is_told_by_line_and_never_repeated() {
    let mistakes =
        resolved("token = \"SECRET\nlisten = = 2\nretention_days = 7\nretention_days = 8", &[], &[])
            .unwrap_err();
    let text = mistakes.to_string();
    assert!(!text.contains("SECRET"), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn a_file_that_cannot_be_used_is_named() {
    let scratch = tempfile::tempdir().unwrap();
    let large = scratch.path().join("large.toml");
    std::fs::write(&large, vec![b'#'; 1024 * 1024 + 1]).unwrap();
    let binary = scratch.path().join("binary.toml");
    std::fs::write(&binary, b"\xff\xfe").unwrap();
    let missing = scratch.path().join("missing.toml");
    for (path, what) in [(large, "larger"), (binary, "UTF-8"), (missing, "cannot be read")] {
        let sources = Sources { file: Some(path.clone()), ..Sources::default() };
        let mistakes = Config::load(&sources).unwrap_err().to_string();
        assert!(mistakes.contains(what) && mistakes.contains(path.to_str().unwrap()), "{mistakes}");
    }
}

#[test]
fn the_file_is_found() {
    let scratch = tempfile::tempdir().unwrap();
    let usual = scratch.path().join("config.toml");
    let find = |named: Option<&str>, variables: &[(&str, &str)]| {
        Sources::find(named.map(PathBuf::from), scratch.path(), environment(variables)).file
    };
    assert_eq!(find(None, &[]), None, "nothing there");
    std::fs::write(&usual, "").unwrap();
    assert_eq!(find(None, &[]), Some(usual), "the usual place");
    assert_eq!(
        find(None, &[("ASKRELAY_CONFIG", "other.toml")]),
        Some("other.toml".into()),
        "named by the variable"
    );
    assert_eq!(
        find(Some("mine.toml"), &[("ASKRELAY_CONFIG", "other.toml")]),
        Some("mine.toml".into()),
        "argument"
    );
}

#[test]
fn secrets_and_foreign_variables() {
    let variables =
        [("ASKRELAY_TOKEN", "SECRET"), ("ASKRELAY_LISTN", "x"), ("ASKRELAY_PORT", "tcp://10.0.0.1")];
    let config = resolved("", &variables, &[]).unwrap();
    assert_eq!(config.token.as_ref().map(ExposeSecret::expose_secret), Some("SECRET"));
    assert!(!format!("{config:?} {:?} {}", environment(&variables), listing(&config)).contains("SECRET"));
    let notes = ["ASKRELAY_LISTN is not used; did you mean ASKRELAY_LISTEN?", "ASKRELAY_PORT is not used"];
    assert_eq!(config.notes, notes);
}

#[test]
fn the_example_has_no_mistakes() {
    let example = include_str!("../../deploy/config.example.toml");
    let config = resolved(example, &[], &[]).unwrap();
    assert_eq!((config.accounts.len(), config.routes.len(), config.places.len()), (1, 2, 2));
}

#[test]
fn a_bot_needs_no_table() {
    let token = [("ASKRELAY_TELEGRAM_TOKEN", "123:SECRET")];
    let rows = [
        ("", "main", "(set)", Door::Pairing),
        ("[[telegram]]\ntoken_file = \"t\"\ndoor = \"off\"", "main", "(set)", Door::Off),
        ("[[telegram]]\nname = \"ops\"\ntoken_file = \"t\"", "ops", "t", Door::Pairing),
        ("[[telegram]]\nname = \"ops\"", "ops", "missing", Door::Pairing),
    ];
    for (file, name, expected, door) in rows {
        let config = resolved(file, &token, &[]).unwrap();
        let account = config.accounts.first().unwrap();
        let token = match account.secrets.get("token_file") {
            Some(SecretSource::File(path)) => path.display().to_string(),
            Some(SecretSource::Given(token)) if token.expose_secret() == "123:SECRET" => "(set)".to_owned(),
            Some(SecretSource::Given(_)) => "another".to_owned(),
            None => "missing".to_owned(),
        };
        assert_eq!((account.name.as_str(), token.as_str(), account.door), (name, expected, door), "{file}");
        assert!(!format!("{config:?} {}", listing(&config)).contains("SECRET"));
        let without = resolved(file, &[], &[]).unwrap();
        assert_eq!(config.fingerprint(), without.fingerprint(), "whoever joins needs no token: {file}");
    }
}

#[test]
fn every_surface_has_its_own_keys() {
    let rows = [
        ("[[discord]]\ntoken_file = \"t\"\nroles = { 7 = [\"questions.answer\"] }", "discord main, 1 roles"),
        ("[[discord]]\ngateway_url = \"ws://127.0.0.1:9\"", "discord main, 0 roles"),
        (
            "[[slack]]\nname = \"hq\"\napp_token_file = \"a\"\nsigning_secret_file = \"s\"",
            "slack hq, 0 roles",
        ),
        ("[[discord]]\napp_token_file = \"a\"", "discord[0].app_token_file"),
        ("[[discord]]\nroles = { 7 = [\"questions.win\"] }", "questions.answer"),
        ("[[discord]]\ngateway_url = \"https://gateway.example.org\"", "wss://"),
        ("[[slack]]\nroles = {}", "slack[0].roles"),
        ("slack = 1", "[[slack]]"),
    ];
    for (file, expected) in rows {
        let found = match resolved(file, &[], &[]) {
            Ok(config) => {
                let one = |account: &ChatAccount| {
                    format!("{} {}, {} roles", account.table.surface, account.name, account.roles.len())
                };
                config.accounts.iter().map(one).collect()
            }
            Err(mistakes) => mistakes.to_string(),
        };
        assert!(found.contains(expected), "{file}: {found}");
    }
}

#[test]
fn only_what_concerns_the_ring_is_in_the_fingerprint() {
    let fingerprint = |text: &str| resolved(text, &[], &[]).unwrap().fingerprint();
    let plain = fingerprint("");
    assert_eq!(plain.len(), 64);
    for same in [
        "[log]\nlevel = \"debug\"",
        "default_wait = \"2h\"",
        "listen = \"127.0.0.1:1\"",
        "retention_days = 30",
    ] {
        assert_eq!(fingerprint(same), plain, "{same}");
    }
    for other in ["retention_days = 31", "[places]\nops = \"a/b/c\"", "[[route]]\nto = [\"a/b/c\"]"] {
        assert_ne!(fingerprint(other), plain, "{other}");
    }
}

#[test]
fn a_log_level_is_one_that_there_is() {
    let rows = [
        ("info", true),
        ("WARN", true),
        ("off", true),
        ("askrelay=debug, info", true),
        ("askrelay::ring=trace", true),
        ("loud", false),
        ("info,loud", false),
        ("askrelay=loud", false),
        ("=debug", false),
        ("", false),
        ("info,", false),
    ];
    for (level, right) in rows {
        // An empty variable is not set, so the file says it.
        let resolved = resolved(&format!("[log]\nlevel = \"{level}\""), &[], &[]);
        assert_eq!(resolved.is_ok(), right, "{level:?}");
    }
}
