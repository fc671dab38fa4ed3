//! One ask on every platform at once: answered on any, retired on all, each naming who decided and where.

use super::Desk;
use super::discord::Discord;
use super::slack::Slack;
use super::telegram::Telegram;

const WHERE: [&str; 5] = ["Where to?", "-o", "Staging", "-o", "Production"];

/// Answered on the chat of this number, or at the terminal where there is none.
fn check(answered_on: Option<usize>, by: &str) {
    let desk = Desk::new(vec![Telegram::open(), Discord::open(), Slack::open()]);
    let _server = desk.serve();
    let mut asking = desk.program.at_terminal(&[&["ask"], &WHERE[..]].concat());
    asking.shows("Where to?");
    let messages: Vec<String> = desk.chats.iter().map(|chat| chat.question("Where to?")).collect();
    match answered_on {
        Some(at) => desk.chats[at].press(&messages[at], "Production"),
        None => asking.types("2"),
    }
    let (code, stdout, screen) = asking.ends();
    assert_eq!((code, stdout.trim()), (0, "Production"), "{screen}");
    for (chat, message) in desk.chats.iter().zip(&messages) {
        let seen = chat.retired(message, "Answered: Production");
        assert!(seen.contains(by), "names who and where: {seen}");
    }
}

#[test]
fn one_answer_on_telegram_retires_all() {
    check(Some(0), "By owner on Telegram");
}

#[test]
fn one_answer_on_discord_retires_all() {
    check(Some(1), "By owner on Discord");
}

#[test]
fn one_answer_on_slack_retires_all() {
    check(Some(2), "By owner on Slack");
}

#[test]
fn one_answer_at_the_terminal_retires_all() {
    check(None, "By whoever sat at the asking terminal (not verified)");
}
