//! A person on the stand-in Telegram who answers every question with its first button, or with Submit where there is one, for checks by
//! programs nobody here wrote. Prints the configuration that askrelay needs to reach them, then each message that the chat holds, as it was
//! first seen, and each question that was answered; ends when standard input does.
#![allow(clippy::expect_used, reason = "a broken stand-in ends the check")]

use std::collections::HashSet;
use std::io::{self, Read as _, Write as _};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use askrelay_kit::telegram::StandIn;

/// Between two looks at the chat.
const GLANCE: Duration = Duration::from_millis(50);

/// How long they think about a question that says so.
const THOUGHT: Duration = Duration::from_secs(4);

fn main() {
    let platform = StandIn::start();
    let bot = platform.bot("askrelay_bot");
    let person = platform.person("Sam");
    let chat = person.open(&bot);
    let mut out = io::stdout();
    let told = writeln!(out, "{} {} {} {}", platform.url(), bot.token(), chat.id(), person.id());
    told.and_then(|()| out.flush()).expect("standard output is open");
    let (gone, ends) = channel::<()>();
    std::thread::spawn(move || {
        // Whatever comes, only the end counts.
        let _ = io::stdin().read_to_end(&mut Vec::new());
        drop(gone);
    });
    let mut seen: Vec<(i64, Instant)> = Vec::new();
    let mut answered = HashSet::new();
    let mut say = |what: &str, text: &str| {
        let line = text.lines().collect::<Vec<_>>().join(" / ");
        writeln!(out, "{what}: {line}").and_then(|()| out.flush()).expect("standard output is open");
    };
    let mut shown = HashSet::new();
    while ends.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
        let messages = chat.messages();
        for message in messages.iter().filter(|message| shown.insert(message.id)) {
            say("shown", &message.text);
        }
        for message in messages.iter().filter(|message| !message.buttons.is_empty()) {
            // Several questions come one after the other in the same message.
            if answered.contains(&(message.id, message.text.clone())) {
                continue;
            }
            if !seen.iter().any(|(id, _)| *id == message.id) {
                seen.push((message.id, Instant::now()));
            }
            let since =
                seen.iter().find(|(id, _)| *id == message.id).map_or(Duration::ZERO, |(_, at)| at.elapsed());
            if message.text.contains("slowly") && since < THOUGHT {
                continue;
            }
            let labels = message.labels();
            if let Some(label) = labels.iter().find(|label| label.contains("Submit")).or(labels.first()) {
                person.tap(&chat, message.id, label);
                answered.insert((message.id, message.text.clone()));
                say("answered", &message.text);
            }
        }
    }
}
