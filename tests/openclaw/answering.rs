//! Questions that the real gateway holds, answered by tap and by typed text: the real wait returns exactly that.

use serde_json::{Value, json};

use crate::gateway::{Asker, Gateway};
use crate::phone::{Phone, retired, shown};
use crate::ring::Ring;

/// What a person does with the question in message so many.
type Answer = fn(&Phone, i64);

fn single() -> Value {
    json!([{ "questionId": "target", "header": "Target", "question": "Where to?", "isOther": true,
        "options": [{ "label": "Staging" }, { "label": "Production", "description": "live" }] }])
}

fn several_choices() -> Value {
    json!([{ "questionId": "signals", "header": "Signals", "question": "Which signals?", "multiSelect": true,
        "options": [{ "label": "Logs" }, { "label": "Metrics" }, { "label": "Traces" }] }])
}

fn several_questions() -> Value {
    json!([
        { "questionId": "target", "header": "Target", "question": "Where to?",
          "options": [{ "label": "Staging" }, { "label": "Production" }] },
        { "questionId": "signals", "header": "Signals", "question": "Which signals?", "multiSelect": true,
          "options": [{ "label": "Logs" }, { "label": "Metrics" }, { "label": "Traces" }] },
        { "questionId": "name", "header": "Name", "question": "What is it called?", "options": [] },
    ])
}

fn rows() -> [(&'static str, Value, Answer, Value); 8] {
    let own_words = |phone: &Phone, message: i64| {
        let before = phone.chat.messages().len();
        phone.tap(message, "Other…");
        phone.chat.wait("an input", |seen| {
            seen.iter().skip(before).any(|one| one.force_reply.is_some()).then_some(())
        });
        phone.owner.write(&phone.chat, "  the old rack ");
    };
    let three = |phone: &Phone, message: i64| {
        phone.tap(message, "Production");
        phone.tap(message, "☐ Traces");
        phone.tap(message, "☐ Logs");
        phone.tap(message, "Next");
        let before = phone.chat.messages().len();
        phone.tap(message, "Answer…");
        phone.chat.wait("an input", |seen| {
            seen.iter().skip(before).any(|one| one.force_reply.is_some()).then_some(())
        });
        phone.owner.write(&phone.chat, "kestrel");
        phone.tap(message, "Submit");
    };
    let several = |phone: &Phone, message: i64| {
        phone.tap(message, "☐ Traces");
        phone.tap(message, "☐ Logs");
        phone.tap(message, "Submit (2)");
    };
    [
        (
            "a tap",
            single(),
            |phone, message| phone.tap(message, "Production"),
            json!({ "target": ["Production"] }),
        ),
        ("a number", single(), |phone, _| write(phone, "2."), json!({ "target": ["Production"] })),
        (
            "a label, typed",
            single(),
            |phone, _| write(phone, "production!"),
            json!({ "target": ["Production"] }),
        ),
        ("own words", single(), own_words, json!({ "target": ["the old rack"] })),
        ("several choices, tapped", several_choices(), several, json!({ "signals": ["Logs", "Traces"] })),
        (
            "several choices, typed",
            several_choices(),
            |phone, _| write(phone, "3 and 1"),
            json!({ "signals": ["Logs", "Traces"] }),
        ),
        (
            "several questions, tapped",
            several_questions(),
            three,
            json!({ "target": ["Production"], "signals": ["Logs", "Traces"], "name": ["kestrel"] }),
        ),
        (
            "several questions, typed",
            several_questions(),
            |phone, _| write(phone, "1. staging\n2. metrics\n3. kestrel"),
            json!({ "target": ["Staging"], "signals": ["Metrics"], "name": ["kestrel"] }),
        ),
    ]
}

fn write(phone: &Phone, text: &str) {
    phone.owner.write(&phone.chat, text);
}

/// The message that shows the newest question that is open.
fn open(phone: &Phone, questions: &Value) -> i64 {
    shown(&phone.chat, questions[0]["question"].as_str().unwrap()).id
}

#[test]
fn what_is_answered_on_the_phone_is_what_the_gateway_says() {
    let gateway = Gateway::start(false);
    let ring = Ring::at(gateway.port());
    let _serving = ring.serve_joined();
    let mut asker = gateway.asker();
    for (name, questions, answer, expected) in rows() {
        let id = asker.asks(&questions);
        let message = open(&ring.phone, &questions);
        answer(&ring.phone, message);
        let end = asker.waits(&id);
        assert_eq!((&end["status"], &end["answers"]["answers"]), (&json!("answered"), &expected), "{name}");
        assert_eq!(asker.gets(&id)["resolvedBy"], "owner", "{name}");
        retired(&ring.phone.chat, message, "By owner");
    }
    skipped(&ring, &mut asker);
    answered_elsewhere(&ring, &mut asker);
    two_at_one_gateway(&gateway, &ring, &mut asker);
    a_crowd(&gateway, &ring, &mut asker);
    a_slow_gateway(&gateway, &ring, &mut asker);
}

/// Skip ends it there as it does with us.
fn skipped(ring: &Ring, asker: &mut Asker) {
    let id = asker.asks(&single());
    let message = open(&ring.phone, &single());
    ring.phone.tap(message, "Skip");
    assert_eq!(asker.waits(&id)["status"], "cancelled");
    retired(&ring.phone.chat, message, "Skipped");
}

/// Somebody is faster at the gateway's own prompt: ours is retired, and says who.
fn answered_elsewhere(ring: &Ring, asker: &mut Asker) {
    let id = asker.asks(&single());
    let message = open(&ring.phone, &single());
    let answer =
        json!({ "id": id, "answers": { "answers": { "target": ["Staging"] } }, "resolvedBy": "Kim" });
    assert_eq!(asker.sends("question.resolve", answer).reply()["payload"]["status"], "answered");
    let told = retired(&ring.phone.chat, message, "Answered: Staging").text;
    assert!(told.contains("By Kim"), "{told}");
}

/// Two askrelays show one question: the first answer wins, and the other's copy is retired.
fn two_at_one_gateway(gateway: &Gateway, ring: &Ring, asker: &mut Asker) {
    let other = Ring::at(gateway.port());
    let _serving = other.serve_joined();
    let id = asker.asks(&single());
    let (here, there) = (open(&ring.phone, &single()), open(&other.phone, &single()));
    other.phone.tap(there, "Staging");
    assert_eq!(asker.waits(&id)["answers"]["answers"]["target"], json!(["Staging"]));
    retired(&other.phone.chat, there, "Answered: Staging");
    let told = retired(&ring.phone.chat, here, "Answered: Staging").text;
    assert!(told.contains("By owner"), "{told}");
}

/// More calls than the gateway takes: what it refuses for now is sent again.
fn a_crowd(gateway: &Gateway, ring: &Ring, asker: &mut Asker) {
    let id = asker.asks(&single());
    let message = open(&ring.phone, &single());
    let mut crowd = gateway.asker();
    let calls: Vec<_> = (0..2000).map(|_| crowd.sends("question.list", json!({}))).collect();
    ring.phone.tap(message, "Production");
    assert_eq!(asker.waits(&id)["answers"]["answers"]["target"], json!(["Production"]));
    let refused = calls.into_iter().map(|call| call.reply());
    assert!(refused.filter(|reply| reply.get("error").is_some()).count() > 0, "the gateway was not busy");
    retired(&ring.phone.chat, message, "By owner");
}

/// It takes its time: nothing is told before it has spoken, and then what it said. A connection that is only slow is kept.
fn a_slow_gateway(gateway: &Gateway, ring: &Ring, asker: &mut Asker) {
    let id = asker.asks(&single());
    let message = open(&ring.phone, &single());
    gateway.pauses();
    ring.phone.tap(message, "Production");
    ring.phone.everything_was_read();
    let ended = |text: &str| text.contains("By owner") || text.contains("Kept.");
    assert!(!ring.phone.chat.messages().iter().any(|seen| seen.id >= message && ended(&seen.text)));
    gateway.goes_on();
    assert_eq!(asker.waits(&id)["answers"]["answers"]["target"], json!(["Production"]));
    retired(&ring.phone.chat, message, "By owner");
}
