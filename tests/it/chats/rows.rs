//! Every kind of question and every kind of end, from the command line over a chat and back, on every platform.

use super::discord::Discord;
use super::slack::Slack;
use super::telegram::Telegram;
use super::{Desk, Open, THREE};

/// What the person does.
enum Deed {
    /// Presses a button.
    Press(&'static str),
    /// Takes several choices and submits.
    Take(&'static [&'static str]),
    /// Presses a button that asks for own words, and gives them.
    Words(&'static str, &'static str),
    Write(&'static str),
    /// The asking program is told to stop.
    Interrupt,
    Nothing,
}

use Deed::{Interrupt, Nothing, Press, Take, Words, Write};

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

const fn row(
    name: &'static str,
    ask: &'static [&'static str],
    deeds: &'static [Deed],
    (code, stdout, outcome): (i32, &'static str, &'static str),
) -> Row {
    Row { name, ask, deeds, code, stdout, outcome }
}

const ROWS: [Row; 16] = [
    row("one choice, pressed", &WHERE, &[Press("Production")], (0, "Production\n", "Production")),
    row(
        "a choice that destroys something",
        &["The backups?", "-o", "Keep", "-o", "Delete all", "--destructive", "Delete all"],
        &[Press("Delete all")],
        (0, "Delete all\n", "Delete all"),
    ),
    row("one choice, by number", &WHERE, &[Write("1")], (0, "Staging\n", "Staging")),
    row("one choice, by name", &WHERE, &[Write("production please")], (0, "Production\n", "Production")),
    row(
        "unclear, then clear",
        &["Where to?", "-o", "Staging", "-o", "Production", "--no-other"],
        &[Write("7"), Write("2")],
        (0, "Production\n", "Production"),
    ),
    row(
        "several choices",
        &["Which?", "-o", "Logs", "-o", "Metrics", "-o", "Traces", "--multi", "--no-other"],
        &[Take(&["Logs", "Traces"])],
        (0, "Logs\nTraces\n", "Logs, Traces"),
    ),
    row(
        "several choices, typed",
        &["Which?", "-o", "Logs", "-o", "Metrics", "--multi", "--no-other"],
        &[Write("2, 1")],
        (0, "Logs\nMetrics\n", "Logs, Metrics"),
    ),
    row("own words", &WHERE, &[Words("Other…", "the DR site")], (0, "the DR site\n", "the DR site")),
    row("confirm", &["Ship it?", "--confirm"], &[Press("Yes")], (0, "Yes\n", "Yes")),
    row("free text", &["What name?", "--text"], &[Write("kestrel")], (0, "kestrel\n", "kestrel")),
    row(
        "free text, by its button",
        &["What name?", "--text"],
        &[Words("Answer…", "merlin")],
        (0, "merlin\n", "merlin"),
    ),
    row("skipped", &WHERE, &[Press("Skip")], (3, "", "Skipped")),
    row("expired", &["Where to?", "-o", "Staging", "--timeout", "1s"], &[Nothing], (3, "", "Expired")),
    row("withdrawn", &WHERE, &[Interrupt], (3, "", "Withdrawn")),
    row(
        "a question in four alphabets",
        &["🦀 Wohin? Куда? どこへ?", "-o", "Ждать", "-o", "進む"],
        &[Press("進む")],
        (0, "進む\n", "進む"),
    ),
    row(
        "what looks like markup",
        &["Is *this* <b>bold</b>, @everyone: really?", "-o", "_no_ <!here>", "-o", "yes"],
        &[Press("_no_ <!here>")],
        (0, "_no_ <!here>\n", "no"),
    ),
];

fn check(desk: &Desk, row: &Row) {
    let Row { name, ask, deeds, code, stdout, outcome } = row;
    let chat = desk.chat();
    let asking = desk.ask(ask);
    let words = ask[0].split_whitespace().last().unwrap();
    let message = chat.question(words);
    for deed in *deeds {
        match deed {
            Press(label) => chat.press(&message, label),
            Take(labels) => chat.take(&message, labels),
            Words(button, text) => chat.words(&message, button, text),
            Write(text) => chat.write(text),
            Interrupt => asking.interrupt(),
            Nothing => {}
        }
    }
    let (got, out, err) = asking.ends();
    assert_eq!((got, out.as_str()), (Some(*code), *stdout), "{name}: {err}");
    let seen = chat.retired(&message, outcome);
    assert!(seen.contains(words), "{name} keeps the question: {seen}");
    if *code == 0 {
        assert!(seen.contains("owner"), "{name} says who decided: {seen}");
    }
}

fn every_row(chat: Open) {
    let desk = Desk::new(vec![chat()]);
    let _server = desk.serve();
    for row in &ROWS {
        check(&desk, row);
    }
    a_number(&desk);
    several_questions(&desk);
    a_secret(&desk);
}

fn several_questions(desk: &Desk) {
    let chat = desk.chat();
    let asking = desk.ask(&["--file", &desk.file("ask.json", THREE), "--json"]);
    let message = chat.question("Where should it go?");
    chat.three(&message);
    let (code, stdout, stderr) = asking.ends();
    assert_eq!(code, Some(0), "{stderr}");
    let record: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let answers = &record["answers"]["answers"];
    for (id, expected) in
        [("target", vec!["Production"]), ("signals", vec!["Logs", "Traces"]), ("name", vec!["kestrel"])]
    {
        assert_eq!(answers[id], serde_json::json!(expected), "{id} in {record}");
    }
    chat.retired(&message, "kestrel");
}

fn a_number(desk: &Desk) {
    let chat = desk.chat();
    let ask = r#"{"questions": [{"questionId": "count", "header": "", "question": "How many?", "options": [],
        "constraint": {"type": "integer", "minimum": 1, "maximum": 9}}]}"#;
    let asking = desk.ask(&["--file", &desk.file("number.json", ask)]);
    let message = chat.question("How many?");
    chat.write("99");
    chat.words(&message, "Answer…", "7");
    let (code, stdout, stderr) = asking.ends();
    assert_eq!((code, stdout.as_str()), (Some(0), "7\n"), "{stderr}");
    chat.retired(&message, "7");
}

/// A secret never passes through a chat: it is refused with the way out, before anybody is asked.
fn a_secret(desk: &Desk) {
    let ask = r#"{"questions": [{"questionId": "key", "header": "", "question": "What is the key?", "options": [],
        "isSecret": true}]}"#;
    let (code, stdout, stderr) = desk.ask(&["--file", &desk.file("secret.json", ask)]).ends();
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    assert!(stderr.contains("isSecret") && stderr.contains("confirm"), "says what to do instead: {stderr}");
}

#[test]
fn every_kind_of_question_is_answered_on_telegram() {
    every_row(Telegram::open);
}

#[test]
fn every_kind_of_question_is_answered_on_discord() {
    every_row(Discord::open);
}

#[test]
fn every_kind_of_question_is_answered_on_slack() {
    every_row(Slack::open);
}

#[test]
fn an_ask_alone_runs_the_bot_it_is_routed_to() {
    for chat in [Telegram::open as Open, Discord::open, Slack::open] {
        check(&Desk::new(vec![chat()]), &ROWS[0]);
    }
}
