//! A gateway behind TLS whose certificate nobody vouches for: its fingerprint is all that is needed, and another one keeps out.

use serde_json::json;

use crate::gateway::Gateway;
use crate::phone::shown;
use crate::ring::Ring;

#[test]
fn a_certificate_is_known_by_its_fingerprint() {
    let gateway = Gateway::start_secure();
    let pinned =
        |fingerprint: &str| Ring::of(&gateway.url(), &format!("tls_fingerprint = \"{fingerprint}\"\n"));
    let wrong = pinned(&"ab".repeat(32));
    let serving = wrong.serve();
    serving.advises("compare the gateway's certificate with tls_fingerprint");
    assert!(!serving.is_joined());
    let ring = pinned(&gateway.fingerprint().unwrap());
    let _serving = ring.serve_joined();
    let mut asker = gateway.asker();
    let id = asker.asks(&json!([{ "questionId": "target", "header": "", "question": "Where to?",
        "options": [{ "label": "Staging" }, { "label": "Production" }] }]));
    ring.phone.tap(shown(&ring.phone.chat, "Where to?").id, "Staging");
    assert_eq!(asker.waits(&id)["answers"]["answers"]["target"], json!(["Staging"]));
}
