//! Every kind of question and every kind of end, from the command line over the chat and back.

use super::{Phone, file, retired};

/// What the person does.
enum Deed {
    Tap(&'static str),
    Write(&'static str),
    /// Into the input that the bot asks for.
    Type(&'static str),
    /// The asking program is told to stop.
    Interrupt,
    Nothing,
}

use Deed::{Interrupt, Nothing, Tap, Type, Write};

struct Row {
    name: &'static str,
    ask: &'static [&'static str],
    deeds: &'static [Deed],
    code: i32,
    stdout: &'static str,
    /// What the message says in the end.
    outcome: &'static str,
}

const WHERE: [&str; 5] = ["Where to?", "-o", "Staging", "-o", "Production"];

const ROWS: [Row; 15] = [
    Row {
        name: "one choice, tapped",
        ask: &WHERE,
        deeds: &[Tap("Production")],
        code: 0,
        stdout: "Production\n",
        outcome: "Production",
    },
    Row {
        name: "one choice, by number",
        ask: &WHERE,
        deeds: &[Write("1")],
        code: 0,
        stdout: "Staging\n",
        outcome: "Staging",
    },
    Row {
        name: "one choice, by name",
        ask: &WHERE,
        deeds: &[Write("production please")],
        code: 0,
        stdout: "Production\n",
        outcome: "Production",
    },
    Row {
        name: "unclear, then clear",
        ask: &["Where to?", "-o", "Staging", "-o", "Production", "--no-other"],
        deeds: &[Write("7"), Write("2")],
        code: 0,
        stdout: "Production\n",
        outcome: "Production",
    },
    Row {
        name: "several choices",
        ask: &["Which?", "-o", "Logs", "-o", "Metrics", "-o", "Traces", "--multi", "--no-other"],
        deeds: &[Tap("☐ Logs"), Tap("☐ Traces"), Tap("Submit (2)")],
        code: 0,
        stdout: "Logs\nTraces\n",
        outcome: "Logs, Traces",
    },
    Row {
        name: "several choices, typed",
        ask: &["Which?", "-o", "Logs", "-o", "Metrics", "--multi", "--no-other"],
        deeds: &[Write("2, 1")],
        code: 0,
        stdout: "Logs\nMetrics\n",
        outcome: "Logs, Metrics",
    },
    Row {
        name: "own words",
        ask: &WHERE,
        deeds: &[Tap("Other…"), Type("the DR site")],
        code: 0,
        stdout: "the DR site\n",
        outcome: "the DR site",
    },
    Row {
        name: "confirm",
        ask: &["Ship it?", "--confirm"],
        deeds: &[Tap("Yes")],
        code: 0,
        stdout: "Yes\n",
        outcome: "Yes",
    },
    Row {
        name: "free text",
        ask: &["What name?", "--text"],
        deeds: &[Write("kestrel")],
        code: 0,
        stdout: "kestrel\n",
        outcome: "kestrel",
    },
    Row {
        name: "free text, by its button",
        ask: &["What name?", "--text"],
        deeds: &[Tap("Answer…"), Type("merlin")],
        code: 0,
        stdout: "merlin\n",
        outcome: "merlin",
    },
    Row { name: "skipped", ask: &WHERE, deeds: &[Tap("Skip")], code: 3, stdout: "", outcome: "Skipped" },
    Row {
        name: "skipped by typing",
        ask: &WHERE,
        deeds: &[Write("/skip")],
        code: 3,
        stdout: "",
        outcome: "Skipped",
    },
    Row {
        name: "expired",
        ask: &["Where to?", "-o", "Staging", "--timeout", "1s"],
        deeds: &[Nothing],
        code: 3,
        stdout: "",
        outcome: "Expired",
    },
    Row { name: "withdrawn", ask: &WHERE, deeds: &[Interrupt], code: 3, stdout: "", outcome: "Withdrawn" },
    Row {
        name: "a question in four alphabets",
        ask: &["🦀 Wohin? Куда? どこへ?", "-o", "Ждать", "-o", "進む"],
        deeds: &[Tap("進む")],
        code: 0,
        stdout: "進む\n",
        outcome: "進む",
    },
];

fn check(phone: &Phone, row: &Row) {
    let Row { name, ask, deeds, code, stdout, outcome } = row;
    let asking = phone.ask(ask);
    let message = phone.question(ask[0]).id;
    for deed in *deeds {
        match deed {
            Tap(label) => phone.tap(message, label),
            Write(text) => drop(phone.owner.write(&phone.chat, text)),
            Type(text) => {
                phone.chat.wait("an input", |messages| {
                    messages.iter().any(|seen| seen.force_reply.is_some()).then_some(())
                });
                phone.owner.write(&phone.chat, text);
            }
            Interrupt => asking.interrupt(),
            Nothing => {}
        }
    }
    let (got, out, err) = asking.ends();
    assert_eq!((got, out.as_str()), (Some(*code), *stdout), "{name}: {err}");
    let seen = retired(&phone.chat, message, outcome);
    assert!(seen.text.contains(ask[0]), "{name} keeps the question: {seen:?}");
    if *code == 0 {
        assert!(seen.text.contains("owner"), "{name} says who decided: {seen:?}");
    }
}

#[test]
fn every_kind_of_question_is_answered_from_the_phone() {
    for row in &ROWS {
        let phone = Phone::new();
        let _server = phone.serve();
        check(&phone, row);
    }
}

#[test]
fn an_ask_alone_runs_the_bot_it_is_routed_to() {
    let phone = Phone::new();
    check(&phone, &ROWS[0]);
}

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
    let answers = &record["answers"];
    for (id, expected) in
        [("target", vec!["Production"]), ("signals", vec!["Logs", "Traces"]), ("name", vec!["kestrel"])]
    {
        assert_eq!(answers[id], serde_json::json!(expected), "{id} in {record}");
    }
    retired(&phone.chat, message, "kestrel");
}
