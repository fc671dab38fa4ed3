//! Several questions on Telegram: one message that is stepped through. What is answered on every platform alike is in `chats`.

use super::{Phone, file, retired};

#[test]
fn several_questions_are_stepped_through_and_reviewed() {
    let phone = Phone::new();
    let _server = phone.serve();
    let ask = r#"{"questions": [
        {"questionId": "target", "header": "Deploy", "question": "Where should it go?",
         "options": [{"label": "Staging"}, {"label": "Production"}]},
        {"questionId": "signals", "header": "Signals", "question": "Which signals?", "multiSelect": true,
         "options": [{"label": "Logs"}, {"label": "Metrics"}, {"label": "Traces"}]},
        {"questionId": "name", "header": "Name", "question": "What is it called?", "isOther": true}
    ]}"#;
    let asking = phone.ask(&["--file", &file(&phone, "ask.json", ask), "--json"]);
    let message = phone.question("Where should it go?").id;
    phone.tap(message, "Staging");
    phone.tap(message, "☐ Logs");
    phone.tap(message, "Back");
    phone.tap(message, "Production");
    // What is answered is passed over; Back leads there again.
    phone.tap(message, "Back");
    phone.tap(message, "☐ Traces");
    phone.tap(message, "Next");
    phone.tap(message, "Answer…");
    phone
        .chat
        .wait("an input", |messages| messages.iter().any(|seen| seen.force_reply.is_some()).then_some(()));
    phone.owner.write(&phone.chat, "kestrel");
    phone.tap(message, "Submit");
    let (code, stdout, stderr) = asking.ends();
    assert_eq!(code, Some(0), "{stderr}");
    let record: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let answers = &record["answers"]["answers"];
    for (id, expected) in
        [("target", vec!["Production"]), ("signals", vec!["Logs", "Traces"]), ("name", vec!["kestrel"])]
    {
        assert_eq!(answers[id], serde_json::json!(expected), "{id} in {record}");
    }
    retired(&phone.chat, message, "kestrel");
}
