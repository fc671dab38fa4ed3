//! What happens while a gateway is away, askrelay is, or both.

use std::time::Instant;

use askrelay_kit::openclaw::StandIn;
use serde_json::json;

use super::{TOKEN, busy, joined, phone, question};
use crate::phone::{retired, shown};
use crate::program::PATIENCE;

/// The refusal of a gateway that starts.
fn starting() -> serde_json::Value {
    json!({ "code": "UNAVAILABLE", "message": "gateway starting", "retryable": true, "retryAfterMs": 1,
        "details": { "reason": "startup-sidecars" } })
}

#[test]
fn a_gateway_that_starts_or_waits_for_approval_is_joined_at_last() {
    let pairing = json!({ "code": "NOT_PAIRED", "message": "pairing required", "retryAfterMs": 1,
        "details": { "code": "PAIRING_REQUIRED", "reason": "not-paired", "requestId": "p-1" } });
    for (name, error) in [("starting", starting()), ("not approved", pairing), ("busy", busy(Some(1)))] {
        let gateway = StandIn::start(TOKEN);
        gateway.refuse("connect", 3, error);
        let phone = phone(&[("openclaw", &gateway, "")]);
        let _server = phone.serve();
        gateway.wait_joined();
        let connects = gateway.calls("connect");
        assert_eq!(connects.len(), 4, "{name}");
        for connect in connects {
            assert_eq!(connect["scopes"], json!(["operator.questions"]), "{name}");
            assert_eq!(connect["device"]["publicKey"].as_str().map(str::len), Some(43), "{name}");
        }
    }
}

#[test]
fn a_gateway_that_waits_for_approval_is_told_with_the_command_that_approves() {
    let gateway = StandIn::start(TOKEN);
    let pairing = json!({ "code": "NOT_PAIRED", "message": "pairing required", "retryAfterMs": 250,
        "details": { "code": "PAIRING_REQUIRED", "reason": "not-paired", "requestId": "p-1" } });
    gateway.refuse("connect", 12, pairing);
    let phone = phone(&[("openclaw", &gateway, "")]);
    let _server = phone.serve();
    let wait = |expected: &str| {
        let until = Instant::now() + PATIENCE;
        loop {
            let status = phone.succeeds(&["status"]);
            if status.contains(expected) {
                return status;
            }
            assert!(Instant::now() < until, "{expected}: {status}");
        }
    };
    let away = wait(&format!("\n  gateway openclaw ({}) is away since 20", gateway.url()));
    let advice = "\n    approve askrelay where the gateway runs: openclaw devices approve p-1\n";
    assert!(away.contains(advice), "{away}");
    wait(&format!("\n  gateway openclaw ({}) is joined since 20", gateway.url()));
    let json: serde_json::Value = serde_json::from_str(&phone.succeeds(&["status", "--json"])).unwrap();
    assert_eq!(json["gateways"][0]["state"], "joined", "{json}");
}

#[test]
fn what_was_asked_before_askrelay_came_is_shown_when_it_comes() {
    let gateway = StandIn::start(TOKEN);
    let several = json!([
        { "questionId": "target", "header": "", "question": "Where to?", "options": [] },
        { "questionId": "when", "header": "", "question": "When?", "multiSelect": true,
          "options": [{ "label": "Now" }, { "label": "Later" }] },
    ]);
    let early = gateway.ask(json!({ "questions": question(false) }));
    let ended = gateway.ask(json!({ "questions": question(true) }));
    gateway.answer(&ended, &json!({ "target": ["Staging"] }), "Kim");
    let attached =
        gateway.ask(json!({ "questions": several, "runId": null, "agentId": null, "sessionKey": null }));
    let phone = phone(&[("openclaw", &gateway, "")]);
    let server = phone.serve();
    let open = |what: &str, count: usize| {
        phone.chat.wait(what, |seen| {
            let open: Vec<i64> =
                seen.iter().filter(|one| !one.buttons.is_empty()).map(|one| one.id).collect();
            (open.len() == count).then_some(open)
        })
    };
    let before = open("what was asked before", 2);
    // What is asked while askrelay is away, too; and what it had noted to be shown is not shown again.
    phone.everything_was_read();
    server.kill();
    let _while = gateway.ask(json!({ "questions": question(false) }));
    let _server = phone.serve();
    let after = open("what was asked meanwhile", 3);
    assert_eq!(after[..2], before);
    phone.tap(before[0], "Production");
    assert_eq!(gateway.wait_end(&early).answers["target"], json!(["Production"]));
    gateway.answer(&attached, &json!({ "target": ["here"], "when": ["Now"] }), "Kim");
    retired(&phone.chat, before[1], "By Kim");
}

#[test]
fn an_answer_that_is_kept_outlives_askrelay_itself() {
    let (gateway, phone, server) = joined();
    let id = gateway.ask(json!({ "questions": question(false) }));
    let message = shown(&phone.chat, "Where to?").id;
    let mut error = starting();
    error["retryAfterMs"] = 60_000.into();
    gateway.refuse("connect", 1, error);
    gateway.close(1012, "service restart");
    gateway.wait_calls("connect", 2);
    phone.tap(message, "Production");
    phone.chat.wait_seen("Kept.");
    server.kill();
    assert_eq!(gateway.calls("question.resolve").len(), 0);
    let _server = phone.serve();
    let end = gateway.wait_end(&id);
    assert_eq!((&end.answers["target"], end.resolved_by.as_deref()), (&json!(["Production"]), Some("owner")));
    retired(&phone.chat, message, "By owner");
    // The second time it came with the token that it was given the first time.
    assert!(gateway.calls("connect").last().unwrap()["auth"]["deviceToken"].is_string());
}

#[test]
fn a_command_that_runs_the_ring_joins_no_gateway_and_keeps_what_is_answered() {
    let (gateway, phone, server) = joined();
    let id = gateway.ask(json!({ "questions": question(false) }));
    let message = shown(&phone.chat, "Where to?").id;
    server.kill();
    let own = phone.ask(&["Which way?", "-o", "Left", "-o", "Right"]);
    shown(&phone.chat, "Which way?");
    let status = phone.succeeds(&["status"]);
    assert!(status.contains("gateway openclaw") && status.contains("join it: askrelay serve"), "{status}");
    phone.tap(message, "Production");
    phone.chat.wait_seen("Kept.");
    assert_eq!((gateway.calls("connect").len(), gateway.calls("question.resolve").len()), (1, 0));
    // It takes the ring over from the command, which goes on waiting.
    let _server = phone.serve();
    assert_eq!(gateway.wait_end(&id).answers["target"], json!(["Production"]));
    retired(&phone.chat, message, "By owner");
    phone.tap(shown(&phone.chat, "Which way?").id, "Left");
    assert_eq!(own.ends().1, "Left\n");
}

#[test]
fn a_kept_answer_counts_only_while_its_author_may() {
    let (gateway, phone, server) = joined();
    phone.succeeds(&["people", "add", "kim", "--grant", "questions.answer"]);
    let guest = phone.platform.person("Kim");
    phone.link("kim", &guest);
    let chat = guest.open(&phone.bot);
    drop(server);
    phone.configure(&[format!("telegram/main/{}", chat.id())]);
    let file = phone.program.home().join("data/config.toml");
    let config = std::fs::read_to_string(&file).unwrap();
    let more = format!(
        "{config}\n[gateway.openclaw]\nurl = \"{}\"\ntoken_file = \"openclaw.token\"\n",
        gateway.url()
    );
    std::fs::write(file, more).unwrap();
    let _server = phone.serve();
    gateway.wait_joined();
    let id = gateway.ask(json!({ "questions": question(false) }));
    let message = shown(&chat, "Where to?").id;
    // It takes connections, and lets nobody in.
    let hold = gateway.hold("connect", usize::MAX);
    let before = gateway.calls("connect").len();
    gateway.close(1012, "service restart");
    gateway.wait_calls("connect", before + 1);
    guest.tap(&chat, message, "Staging");
    chat.wait_seen("Kept.");
    phone.succeeds(&["people", "revoke", "kim", "questions.answer"]);
    hold.release();
    gateway.wait_calls("question.list", 3);
    chat.wait_seen("You may not answer this");
    assert_eq!(gateway.calls("question.resolve").len(), 0);
    gateway.answer(&id, &json!({ "target": ["Staging"] }), "Lee");
    retired(&chat, message, "By Lee");
}

#[test]
fn a_gateway_that_starts_anew_has_lost_its_questions() {
    let (gateway, phone, _server) = joined();
    let _lost = gateway.ask(json!({ "questions": question(false) }));
    let message = shown(&phone.chat, "Where to?").id;
    gateway.restart();
    retired(&phone.chat, message, "Lost by the gateway");
    let id = gateway.ask(json!({ "questions": question(false) }));
    phone.tap(shown(&phone.chat, "Where to?").id, "Staging");
    assert_eq!(gateway.wait_end(&id).answers["target"], json!(["Staging"]));
}
