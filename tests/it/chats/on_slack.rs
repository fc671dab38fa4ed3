//! What Slack alone does, from end to end and by both ways in: it brings things again, and keeps modals open after the end.

use std::net::TcpListener;

use askrelay_kit::slack::{Form, Seen};

use super::slack::Slack;
use super::{Chat, Desk};
use crate::program::Server;
use crate::telegram::Asking;

const WHERE: [&str; 5] = ["Where to?", "-o", "Staging", "-o", "Production"];

/// A running askrelay to which Slack's events come over a socket, and one that Slack calls.
fn both_ways() -> [(&'static str, Desk, Slack, Server); 2] {
    let slack = Slack::new();
    let desk = Desk::new(vec![Box::new(slack.clone())]);
    let server = desk.serve();
    slack.app.wait_connected(1);
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let calling = Slack::calling(&address);
    let called = Desk::new(vec![Box::new(calling.clone())]);
    let listens = called.program.serve_at(&address);
    [("a socket", desk, slack, server), ("calls", called, calling, listens)]
}

fn prints(name: &str, asking: Asking, expected: &str) {
    let (code, stdout, stderr) = asking.ends();
    assert_eq!((code, stdout.as_str()), (Some(0), expected), "{name}: {stderr}");
}

/// How often this was said.
fn count(slack: &Slack, words: &str) -> usize {
    slack.channel.messages().iter().filter(|seen| seen.contains(words)).count()
}

/// Whatever came before was dealt with: a command whose answer is there by now, behind all others.
fn everything_was_read(slack: &Slack) {
    const HELP: &str = "I bring you questions";
    let before = count(slack, HELP);
    slack.write("!help");
    let more = |messages: &[Seen]| {
        (messages.iter().filter(|seen| seen.contains(HELP)).count() > before).then_some(())
    };
    slack.channel.wait("what can be done", more);
}

/// The newest event or press comes once more, as one that nobody took.
fn brought_again(slack: &Slack) {
    let tries =
        |all: &[askrelay_kit::slack::Delivery]| all.iter().map(|each| each.answers.len()).sum::<usize>();
    let before = slack
        .app
        .wait_deliveries("what was brought", |all| all.iter().all(|each| each.taken).then(|| tries(all)));
    assert!(slack.app.deliver_again());
    slack.app.wait_deliveries("one more acknowledgement", |all| (tries(all) > before).then_some(()));
}

#[test]
fn what_comes_again_has_no_second_effect() {
    for (name, desk, slack, _server) in both_ways() {
        // A command that is read once.
        slack.write("!whoami");
        slack.channel.wait_seen("Your id here");
        brought_again(&slack);
        everything_was_read(&slack);
        assert_eq!(count(&slack, "Your id here"), 1, "{name}: a command that comes again");

        // A text that answered, and a press that did, while the next question with the same choices waits.
        let first = desk.ask(&WHERE);
        let message = slack.question("Where to?");
        slack.write("2");
        prints(name, first, "Production\n");
        slack.retired(&message, "Production");
        let mut second = desk.ask(&WHERE);
        let message = slack.question("Where to?");
        brought_again(&slack);
        everything_was_read(&slack);
        assert!(second.is_running(), "{name}: a text that comes again");
        slack.press(&message, "Staging");
        prints(name, second, "Staging\n");
        slack.retired(&message, "Staging");
        slack.person.wait_told(&slack.channel, "Staging");
        let notes = || slack.person.ephemerals(&slack.channel).len();
        let told = notes();
        let mut third = desk.ask(&WHERE);
        let message = slack.question("Where to?");
        brought_again(&slack);
        everything_was_read(&slack);
        assert!(third.is_running(), "{name}: a press that comes again");
        assert_eq!(notes(), told, "{name}: told once");
        slack.press(&message, "Production");
        prints(name, third, "Production\n");
    }
}

#[test]
fn a_form_that_is_sent_after_the_end_says_so() {
    for (name, desk, slack, _server) in both_ways() {
        let asking = desk.ask(&WHERE);
        let message = slack.question("Where to?");
        slack.press(&message, "Other…");
        let form = slack.person.wait_modal("an input", |form| !form.controls.is_empty());
        slack.write("1");
        prints(name, asking, "Staging\n");
        slack.retired(&message, "Staging");
        slack.person.fill(&form.controls[0].label, "Nowhere");
        slack.person.submit();
        let words = |form: &Form| form.controls.is_empty() && form.lines.concat().contains("Staging");
        let told = slack.person.wait_modal("that it is over", words);
        assert_eq!((told.submit, told.close.as_str()), (None, "Close"), "{name}");
    }
}

#[test]
fn what_is_wrong_with_a_number_stands_at_its_field() {
    let ask = r#"{"questions": [{"questionId": "count", "header": "", "question": "How many?", "options": [],
        "constraint": {"type": "integer", "minimum": 1, "maximum": 9}}]}"#;
    for (name, desk, slack, _server) in both_ways() {
        let asking = desk.ask(&["--file", &desk.file("number.json", ask)]);
        let message = slack.question("How many?");
        slack.press(&message, "Answer…");
        let form = slack.person.wait_modal("an input", |form| !form.controls.is_empty());
        let label = form.controls[0].label.clone();
        for (wrong, words) in [("99", "1 to 9"), ("many", "a whole number")] {
            slack.person.fill(&label, wrong);
            slack.person.submit();
            let said = |form: &Form| form.error(&label).is_some_and(|said| said.contains(words));
            slack.person.wait_modal(words, said);
        }
        slack.person.fill(&label, "7");
        slack.person.submit();
        prints(name, asking, "7\n");
        slack.retired(&message, "7");
    }
}

/// Twenty fields and Submit are more than a message holds here, and no more than a modal.
#[test]
fn questions_that_fit_no_message_are_one_modal() {
    let numbers: Vec<u32> = (1..=20).collect();
    let question = |number: &u32| serde_json::json!({ "questionId": format!("q{number}"), "header": "", "question": format!("Part {number} is?"), "options": [] });
    let ask = serde_json::json!({ "questions": numbers.iter().map(question).collect::<Vec<_>>() });
    let slack = Slack::new();
    let desk = Desk::new(vec![Box::new(slack.clone())]);
    let _server = desk.serve();
    let asking = desk.ask(&["--file", &desk.file("parts.json", &ask.to_string()), "--json"]);
    let message = slack.question("Part 1 is?");
    assert_eq!(slack.controls(&message), ["Answer…", "Skip all"]);
    slack.press(&message, "Answer…");
    let form = slack.person.wait_modal("all of it", |form| form.controls.len() == 20);
    for (control, number) in form.controls.iter().zip(&numbers) {
        slack.person.fill(&control.label, &format!("piece {number}"));
    }
    slack.person.submit();
    let (code, stdout, stderr) = asking.ends();
    assert_eq!(code, Some(0), "{stderr}");
    let record: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    for number in numbers {
        let answer = &record["answers"]["answers"][format!("q{number}")];
        assert_eq!(*answer, serde_json::json!([format!("piece {number}")]), "{record}");
    }
    slack.retired(&message, "piece 20");
}
