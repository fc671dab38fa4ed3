//! Lost connections and a lost gateway: what was answered meanwhile is delivered or told to be lost, and nothing is told wrong.

use serde_json::json;

use crate::gateway::Gateway;
use crate::line::Line;
use crate::phone::{retired, shown};
use crate::ring::Ring;

#[test]
fn an_answer_outlives_the_line_and_not_the_gateway() {
    let mut gateway = Gateway::start(false);
    let line = Line::to(gateway.port());
    let ring = Ring::at(line.port());
    let phone = &ring.phone;
    let serving = ring.serve_joined();
    let mut asker = gateway.asker();
    let question = json!([{ "questionId": "target", "header": "", "question": "Where to?",
        "options": [{ "label": "Staging" }, { "label": "Production" }] }]);

    // The line is cut while a question waits, and one comes meanwhile.
    let first = asker.asks(&question);
    let message = shown(&phone.chat, "Where to?").id;
    line.cut();
    assert_eq!(serving.joins(2), "device-token");
    phone.tap(message, "Staging");
    assert_eq!(asker.waits(&first)["answers"]["answers"]["target"], json!(["Staging"]));
    retired(&phone.chat, message, "By owner");

    // The line is down: the answer is kept, and delivered when it is up again.
    let second = asker.asks(&question);
    let message = shown(&phone.chat, "Where to?").id;
    line.down();
    phone.chat.wait("a kept answer", |_| {
        // Until askrelay has noticed, an answer is on its way and not kept.
        (!serving.is_joined()).then_some(())
    });
    phone.tap(message, "Production");
    phone.chat.wait_seen("Kept.");
    assert_eq!(asker.gets(&second)["status"], "pending");
    line.up();
    assert_eq!(asker.waits(&second)["answers"]["answers"]["target"], json!(["Production"]));
    retired(&phone.chat, message, "By owner");

    // It took effect and the word of it is lost: nobody is told that somebody else was faster.
    let third = asker.asks(&question);
    let message = shown(&phone.chat, "Where to?").id;
    line.loses("\"status\":\"answered\"");
    phone.tap(message, "Staging");
    assert_eq!(asker.waits(&third)["answers"]["answers"]["target"], json!(["Staging"]));
    let told = retired(&phone.chat, message, "Answered: Staging").text;
    assert!(told.contains("By owner") && !line.is_losing(), "{told}");
    let wrong = |text: &str| text.contains("Already answered") || text.contains("does not work");
    assert!(!phone.chat.messages().iter().any(|seen| wrong(&seen.text)), "{:?}", phone.chat.messages());

    // The gateway is told to stop, and waits for what is asked there: the line that stands still carries the answer.
    let fourth = asker.asks(&question);
    let message = shown(&phone.chat, "Where to?").id;
    let last = asker.waits_for(&fourth);
    gateway.stops();
    phone.tap(message, "Production");
    // Only what the gateway accepted is shown so. The answer ends its stop, and it may be gone before it tells who waits there.
    retired(&phone.chat, message, "By owner");
    let told = last.reply();
    let answers = &told["payload"]["answers"]["answers"]["target"];
    let gone = told["ok"] == false || told["payload"]["status"] == "pending";
    assert!(gone || *answers == json!(["Production"]), "{told}");
    gateway.ends();
    gateway.start_again();
    let joined = serving.joins_again();
    assert_eq!(joined, "device-token");
    let mut asker = gateway.asker();

    // The gateway dies and forgets: what waited is retired, and what was kept is told to be lost.
    asker.asks(&question);
    let message = shown(&phone.chat, "Where to?").id;
    gateway.kill();
    phone.chat.wait("a lost gateway", |_| (!serving.is_joined()).then_some(()));
    phone.tap(message, "Production");
    gateway.start_again();
    retired(&phone.chat, message, "Lost by the gateway");
    phone.chat.wait_seen("Your answer was not delivered");

    // The agent asks anew, and is answered as ever.
    let mut asker = gateway.asker();
    let again = asker.asks(&question);
    let message = shown(&phone.chat, "Where to?").id;
    phone.tap(message, "Production");
    assert_eq!(asker.waits(&again)["answers"]["answers"]["target"], json!(["Production"]));
}
