//! The tables of other gateways: what is resolved, and every mistake at once.

use secrecy::ExposeSecret;

use super::{listing, resolved};
use crate::config::SecretSource;

const TWO: &str = r#"
[places]
ops = "telegram/main/-1001234"

[gateway.openclaw]
url = "ws://127.0.0.1:18789"
token_file = "openclaw.token"

[[gateway.openclaw.run]]
agent = "main"
session = "agent:main:*"
person = "owner"

[[gateway.openclaw.run]]
session = "agent:ops:*"
person = "kim"

[gateway.far]
url = "wss://gate.example.org/claw"
tls_fingerprint = "AB:ab:AB:ab:AB:ab:AB:ab:AB:ab:AB:ab:AB:ab:AB:ab:AB:ab:AB:ab:AB:ab:AB:ab:AB:ab:AB:ab:AB:ab:AB:ab"
panel = "https://panel.example.org"

[[gateway.far.route]]
when = { agent = "ci-*" }
to = ["ops"]
"#;

#[test]
fn several_gateways_are_resolved_each_with_its_own() {
    let config = resolved(TWO, &[], &[]).unwrap();
    insta::assert_snapshot!(listing(&config));
    let names: Vec<&str> = config.gateways.iter().map(|gateway| gateway.name.as_str()).collect();
    assert_eq!(names, ["far", "openclaw"]);
    assert_eq!(config.every_place().len(), 1);
}

#[test]
fn the_usual_gateways_token_may_be_in_the_environment_and_never_shows() {
    let config = resolved(TWO, &[("ASKRELAY_OPENCLAW_TOKEN", "SECRET")], &[]).unwrap();
    for gateway in &config.gateways {
        let given =
            matches!(&gateway.token, Some(SecretSource::Given(token)) if token.expose_secret() == "SECRET");
        assert_eq!(given, gateway.name == "openclaw");
    }
    assert!(!listing(&config).contains("SECRET") && !format!("{config:?}").contains("SECRET"));
    assert!(config.notes.is_empty(), "{:?}", config.notes);
}

#[test]
fn every_mistake_in_a_gateway_is_said_at_once() {
    let file = r#"
[gateway.local]
url = "ws://127.0.0.1:1"

[gateway."a/b"]
url = "https://gate.example.org"
token = "SECRET"

[gateway.again]
url = "ws://Gate.example.org:1"

[gateway.twice]
url = "ws://gate.example.org:1/"

[gateway.none]
tokenfile = "x"
tls_fingerprint = "abc"

[gateway.open]
url = "ws://127.0.0.1:2"
tls_fingerprint = "0000000000000000000000000000000000000000000000000000000000000000"
panel = "panel"
run = "main"
route = "ops"

[gateway.runs]
url = "ws://127.0.0.1:3"

[[gateway.runs.run]]
person = "owner"

[[gateway.runs.run]]
agent = "main"
sesion = "x"

[[gateway.runs.route]]
to = ["nowhere"]
"#;
    let mistakes = resolved(file, &[], &[]).unwrap_err().to_string();
    assert!(!mistakes.contains("SECRET"));
    insta::assert_snapshot!(mistakes);
}
