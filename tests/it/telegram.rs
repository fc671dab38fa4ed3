//! Questions answered from Telegram: the real binary with the real SDK over real sockets, and the stand-in's people on the other
//! side. What one platform situation does to the adapter alone is tested in the adapter.

mod crash;
mod rows;
mod together;

use std::time::Instant;

pub(crate) use crate::phone::{Asking, Phone, file, retired, shown, tap};
use crate::program::PATIENCE;

#[test]
fn the_token_never_shows() {
    let phone = Phone::new();
    let secret = phone.bot.token().split_once(':').unwrap().1.to_owned();
    let shown = phone.succeeds(&["config", "check"]);
    assert!(!shown.contains(&secret), "{shown}");
    // A platform out of reach is when addresses are put into messages.
    phone.platform.cut();
    let server = phone.serve();
    let asking = phone.ask(&["Where to?", "-o", "Staging", "--timeout", "30s", "--id", "ask_1"]);
    let waited = phone.program.run(&["wait", "ask_1", "--timeout", "1s"]);
    assert!(!waited.status.success(), "nobody answers where nobody is reached");
    asking.interrupt();
    let (_, stdout, stderr) = asking.ends();
    assert!(!stdout.contains(&secret) && !stderr.contains(&secret), "{stdout}{stderr}");
    drop(server);
}

#[test]
fn a_stranger_is_let_in_by_a_code_and_answers_then() {
    let phone = Phone::new();
    let _server = phone.serve();
    let guest = phone.platform.person("Kim");
    let chat = guest.start(&phone.bot);
    let said = chat.wait_seen("Give this code").text;
    let code = said.split_once("bot: ").and_then(|(_, rest)| rest.split_once('.')).unwrap().0.to_owned();
    let listed = phone.succeeds(&["pair", "list"]);
    assert!(listed.contains(&code) && listed.contains("Kim"), "{listed}");
    phone.succeeds(&["pair", "approve", &code, "--as", "kim", "--grant", "questions.answer"]);
    chat.wait_seen("Hello");
    let to = format!("telegram/main/{}", chat.id());
    let asking = phone.ask(&["Where to?", "-o", "Staging", "-o", "Production", "--to", &to]);
    let message = shown(&chat, "Where to?").id;
    tap(&guest, &chat, message, "Staging");
    let (code, stdout, stderr) = asking.ends();
    assert_eq!((code, stdout.as_str()), (Some(0), "Staging\n"), "{stderr}");
    retired(&chat, message, "Staging");
    // The chat shows the end a moment before the trail does.
    let begin = Instant::now();
    for line in ["prompt.shown", "ask.answered", "prompt.retired"] {
        let written = || phone.succeeds(&["audit"]).contains(line);
        while !written() {
            assert!(begin.elapsed() < PATIENCE, "no {line}:\n{}", phone.succeeds(&["audit"]));
        }
    }
}

#[test]
fn a_right_that_was_revoked_counts_at_once() {
    let phone = Phone::new();
    let _server = phone.serve();
    let guest = phone.platform.person("Kim");
    let chat = guest.open(&phone.bot);
    phone.succeeds(&["people", "add", "kim", "--grant", "questions.answer"]);
    phone.link("kim", &guest);
    let to = format!("telegram/main/{}", chat.id());
    let mut asking = phone.ask(&["Where to?", "-o", "Staging", "--to", &to, "--timeout", "60s"]);
    let message = shown(&chat, "Where to?");
    phone.succeeds(&["people", "revoke", "kim", "questions.answer"]);
    let tap = guest.tap(&chat, message.id, "Staging");
    let told = tap.wait_answered();
    let told = told.text.unwrap();
    assert!(told.contains("may not") && !told.contains("Where") && !told.contains("Staging"), "{told}");
    assert!(asking.is_running());
    asking.interrupt();
    assert_eq!(asking.ends().0, Some(3));
}
