//! askrelay beside OpenClaw gateways that do what a test says: several at once, secrets, older ones, busy ones, lost answers, and
//! what is kept while one is away. The real gateway is run by `tests/slow/39-openclaw`.

mod away;
mod odd;

use askrelay_kit::openclaw::StandIn;
use serde_json::{Value, json};

use crate::phone::{Phone, retired, shown, tap};

/// The gateway's shared token.
const TOKEN: &str = "shared-by-all-clients";

/// The error of a gateway that has too much to do.
fn busy(retry_after_ms: Option<u64>) -> Value {
    let mut error = json!({ "code": "UNAVAILABLE", "message": "server is busy", "retryable": true });
    if let Some(wait) = retry_after_ms {
        error["retryAfterMs"] = wait.into();
        error["details"] =
            json!({ "method": "question.resolve", "reason": "gateway-restarting", "phase": "drain" });
    }
    error
}

/// A question of two choices, and own words where `other`.
fn question(other: bool) -> Value {
    json!([{ "questionId": "target", "header": "Target", "question": "Where to?", "isOther": other,
        "options": [{ "label": "Staging" }, { "label": "Production" }] }])
}

/// A person's phone, and askrelay told of these gateways by name; what is to follow the table of each is the third.
fn phone(gateways: &[(&str, &StandIn, &str)]) -> Phone {
    let phone = Phone::new();
    let data = phone.program.home().join("data");
    std::fs::write(data.join("openclaw.token"), TOKEN).unwrap();
    let file = data.join("config.toml");
    let mut config = std::fs::read_to_string(&file).unwrap();
    for (name, gateway, more) in gateways {
        config.push_str(&format!(
            "\n[gateway.{name}]\nurl = \"{}\"\ntoken_file = \"openclaw.token\"\n\n\
             [[gateway.{name}.run]]\nagent = \"main\"\nperson = \"owner\"\n{more}",
            gateway.url()
        ));
    }
    std::fs::write(file, config).unwrap();
    phone
}

/// The same with one gateway, and askrelay joined to it.
fn joined() -> (StandIn, Phone, crate::program::Server) {
    let gateway = StandIn::start(TOKEN);
    let phone = phone(&[("openclaw", &gateway, "")]);
    let server = phone.serve();
    gateway.wait_joined();
    (gateway, phone, server)
}

#[test]
fn every_gateway_has_its_own_questions_and_its_own_routes() {
    let (one, two) = (StandIn::start(TOKEN), StandIn::start(TOKEN));
    let phone = phone(&[("one", &one, ""), ("two", &two, "")]);
    let guest = phone.platform.person("Kim");
    let chat = guest.open(&phone.bot);
    let file = phone.program.home().join("data/config.toml");
    let config = std::fs::read_to_string(&file).unwrap();
    let route = format!("\n[[gateway.two.route]]\nto = [\"telegram/main/{}\"]\n", chat.id());
    std::fs::write(file, config + &route).unwrap();
    phone.succeeds(&["people", "add", "kim", "--grant", "questions.answer"]);
    phone.link("kim", &guest);
    let _server = phone.serve();
    one.wait_joined();
    two.wait_joined();
    // Both name their question alike, and our own gateway has one too.
    let first = one.ask(json!({ "questions": question(false), "id": "q-1" }));
    let second = two.ask(json!({ "questions": question(false), "id": "q-1" }));
    let (here, there) = (shown(&phone.chat, "Where to?").id, shown(&chat, "Where to?").id);
    let ours = phone.ask(&["Which way?", "-o", "Left", "-o", "Right"]);
    let own = shown(&phone.chat, "Which way?").id;
    tap(&guest, &chat, there, "Staging");
    phone.tap(here, "Production");
    phone.tap(own, "Left");
    let end = two.wait_end(&second);
    assert_eq!((&end.answers["target"], end.resolved_by.as_deref()), (&json!(["Staging"]), Some("kim")));
    let end = one.wait_end(&first);
    assert_eq!((&end.answers["target"], end.resolved_by.as_deref()), (&json!(["Production"]), Some("owner")));
    assert_eq!(ours.ends().1, "Left\n");
    retired(&phone.chat, here, "Production");
    retired(&chat, there, "Staging");
}

#[test]
fn a_secret_is_answered_at_the_gateway_alone() {
    let (gateway, phone, _server) = joined();
    let store = json!({ "name": "API_KEY", "kind": "secret" });
    let questions = json!([{ "questionId": "key", "header": "Key", "question": "The key?", "options": [],
        "isSecret": true, "secretStore": store, "secretStoreExisting": { "updatedAtMs": 1 } }]);
    let id = gateway.ask(json!({ "questions": questions }));
    let seen = shown(&phone.chat, "The key?");
    let there = format!("{}/ask/{id}", gateway.url().replace("ws://", "http://"));
    assert!(seen.text.contains(&there) && seen.labels() == ["Skip"], "{seen:?}");
    phone.owner.write(&phone.chat, "hunter2");
    phone.chat.wait_seen("cannot be answered in a chat");
    phone.everything_was_read();
    assert_eq!(gateway.calls("question.resolve"), Vec::<Value>::new());
    gateway.answer(&id, &json!({ "key": ["stored"] }), "Kim");
    let told = retired(&phone.chat, seen.id, "By Kim").text;
    assert!(!told.contains("stored"), "{told}");
}

#[test]
fn what_is_nobodys_run_is_answered_by_controls_alone() {
    for (name, record) in [
        ("another agent's", json!({ "questions": question(true), "agentId": "other" })),
        ("of an attached client", json!({ "questions": question(true), "runId": null })),
    ] {
        let (gateway, phone, _server) = joined();
        let id = gateway.ask(record);
        let message = shown(&phone.chat, "Where to?").id;
        phone.owner.write(&phone.chat, "Production");
        phone.everything_was_read();
        assert_eq!(gateway.calls("question.resolve"), Vec::<Value>::new(), "{name}");
        phone.tap(message, "Production");
        assert_eq!(gateway.wait_end(&id).answers["target"], json!(["Production"]), "{name}");
    }
}

#[test]
fn an_older_gateway_is_told_without_what_it_does_not_know() {
    let (gateway, phone, _server) = joined();
    gateway.is_older();
    let id = gateway.ask(json!({ "questions": question(false), "later": { "member": 1 } }));
    let message = shown(&phone.chat, "Where to?").id;
    phone.tap(message, "Production");
    let end = gateway.wait_end(&id);
    assert_eq!((&end.answers["target"], end.resolution), (&json!(["Production"]), None));
    let told: Vec<bool> =
        gateway.calls("question.resolve").iter().map(|call| call["resolutionId"].is_string()).collect();
    assert_eq!(told, [true, false]);
    retired(&phone.chat, message, "By owner");
}

#[test]
fn a_gateway_that_is_busy_or_stopping_is_told_again() {
    for (name, error) in [("busy", busy(None)), ("stopping", busy(Some(1)))] {
        let (gateway, phone, _server) = joined();
        let id = gateway.ask(json!({ "questions": question(false) }));
        let message = shown(&phone.chat, "Where to?").id;
        gateway.refuse("question.resolve", 3, error);
        phone.tap(message, "Staging");
        assert_eq!(gateway.wait_end(&id).answers["target"], json!(["Staging"]), "{name}");
        let calls = gateway.calls("question.resolve");
        assert_eq!((calls.len(), &calls[0]), (4, &calls[3]), "{name}: under the same resolution");
        assert_eq!(gateway.calls("connect").len(), 1, "{name}: on the same connection");
        retired(&phone.chat, message, "By owner");
    }
}

#[test]
fn an_answer_whose_reply_is_lost_is_known_by_its_resolution() {
    let (gateway, phone, _server) = joined();
    let id = gateway.ask(json!({ "questions": question(false) }));
    let message = shown(&phone.chat, "Where to?").id;
    gateway.lose_answers("question.resolve", 1);
    phone.tap(message, "Staging");
    assert_eq!(gateway.wait_end(&id).answers["target"], json!(["Staging"]));
    retired(&phone.chat, message, "By owner");
    let wrong = |text: &str| text.contains("Already answered") || text.contains("does not work");
    let seen = phone.chat.messages();
    assert!(!seen.iter().any(|seen| wrong(&seen.text)), "{seen:?}");
    assert!(gateway.calls("question.waitAnswer").iter().all(|call| call["includeResolutionId"] == true));
}

#[test]
fn what_the_gateway_refuses_is_told_and_the_question_stays() {
    let (gateway, phone, _server) = joined();
    let id = gateway.ask(json!({ "questions": question(false) }));
    let message = shown(&phone.chat, "Where to?").id;
    let error = json!({ "code": "INVALID_REQUEST", "message": "question 'target' contains an unknown option",
        "details": { "reason": "QUESTION_INVALID_ANSWER" } });
    gateway.refuse("question.resolve", 1, error);
    let told = phone.owner.tap(&phone.chat, message, "Staging").wait_answered().text;
    assert!(told.as_deref().is_some_and(|text| text.contains("unknown option")), "{told:?}");
    phone.tap(message, "Production");
    assert_eq!(gateway.wait_end(&id).answers["target"], json!(["Production"]));
}

#[test]
fn no_more_than_64_calls_wait_at_once() {
    let (gateway, phone, _server) = joined();
    let ids: Vec<String> = (0..90).map(|_| gateway.ask(json!({ "questions": question(false) }))).collect();
    phone.chat.wait("all of them", |seen| {
        (seen.iter().filter(|seen| !seen.buttons.is_empty()).count() == ids.len()).then_some(())
    });
    let hold = gateway.hold("question.get", usize::MAX);
    ids.iter().for_each(|id| gateway.answer(id, &json!({ "target": ["Staging"] }), "Kim"));
    gateway.wait_calls("question.get", 64);
    hold.release();
    phone.chat.wait("the end of all of them", |seen| {
        (seen.iter().filter(|seen| seen.text.contains("By Kim")).count() == ids.len()).then_some(())
    });
    assert_eq!(gateway.most_waiting(), 64);
}
