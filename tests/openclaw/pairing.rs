//! The device: approved by the command that the log names, asked for again after a refusal, and its token replaced when the
//! gateway's owner rotates or revokes it.

use serde_json::json;

use crate::gateway::Gateway;
use crate::phone::shown;
use crate::ring::Ring;

#[test]
fn the_owner_of_the_gateway_decides_about_the_device() {
    let gateway = Gateway::start(true);
    let ring = Ring::at(gateway.port());
    let serving = ring.serve();

    // Rejected once, it asks again; approved, it is in.
    let rejected = serving.asks_for_approval(&[]);
    gateway.owner(&["devices", "reject", &rejected]);
    let approved = serving.asks_for_approval(&[&rejected]);
    gateway.owner(&["devices", "approve", &approved]);
    assert_eq!(serving.joins(1), "token");

    // Its token is good for the next start.
    drop(serving);
    let serving = ring.serve();
    assert_eq!(serving.joins(1), "device-token");

    // Rotated, it is gone; the shared token brings the new one.
    let device = device(&gateway);
    gateway.owner(&["devices", "rotate", "--device", &device, "--role", "operator"]);
    assert_eq!(serving.joins(2), "token");

    // Revoked, the owner is asked again.
    gateway.owner(&["devices", "revoke", "--device", &device, "--role", "operator"]);
    let again = serving.asks_for_approval(&[&rejected, &approved]);
    gateway.owner(&["devices", "approve", &again]);
    serving.joins(3);

    let question = json!([{ "questionId": "target", "header": "", "question": "Where to?",
        "options": [{ "label": "Staging" }, { "label": "Production" }] }]);
    let mut asker = gateway.asker();
    let id = asker.asks(&question);
    ring.phone.tap(shown(&ring.phone.chat, "Where to?").id, "Staging");
    assert_eq!(asker.waits(&id)["answers"]["answers"]["target"], json!(["Staging"]));
}

/// The id of the one device that is called askrelay.
fn device(gateway: &Gateway) -> String {
    let listed: serde_json::Value =
        serde_json::from_str(&gateway.owner(&["devices", "list", "--json"])).unwrap();
    let paired = listed["paired"].as_array().unwrap();
    let ours =
        paired.iter().find(|device| device["displayName"].as_str().unwrap_or_default().contains("askrelay"));
    ours.unwrap()["deviceId"].as_str().unwrap().to_owned()
}
