//! `kill -9` at the moments that hurt: between a press and its answer, between a send and its receipt, in a flood wait. The
//! stand-in holds the call at that moment, so that chance plays no part.

use askrelay_kit::telegram::Fault;

use super::{Phone, retired};

const WHERE: [&str; 5] = ["Where to?", "-o", "Staging", "-o", "Production"];

/// The answer that the waiting command prints once a new server runs.
fn answered(phone: &Phone, asking: super::Asking, message: i64, label: &str) {
    let (code, stdout, stderr) = asking.ends();
    assert_eq!((code, stdout), (Some(0), format!("{label}\n")), "{stderr}");
    retired(&phone.chat, message, label);
}

#[test]
fn between_a_press_and_its_answer() {
    let phone = Phone::new();
    let server = phone.serve();
    let asking = phone.ask(&WHERE);
    let message = phone.question("Where to?").id;
    // The press was taken from the platform, its effect may or may not be saved; nobody was told yet.
    let hold = phone.platform.hold_requests("answerCallbackQuery", 1);
    let edits = phone.platform.hold_requests("editMessageText", 1);
    phone.owner.tap(&phone.chat, message, "Staging");
    phone.platform.wait_called("answerCallbackQuery", 1);
    server.kill();
    drop((hold, edits));
    let _server = phone.serve();
    answered(&phone, asking, message, "Staging");
}

#[test]
fn buttons_work_after_a_restart() {
    let phone = Phone::new();
    let server = phone.serve();
    let asking = phone.ask(&WHERE);
    let message = phone.question("Where to?").id;
    server.kill();
    phone.owner.tap(&phone.chat, message, "Production");
    let _server = phone.serve();
    answered(&phone, asking, message, "Production");
}

#[test]
fn between_a_send_and_its_receipt() {
    let phone = Phone::new();
    let server = phone.serve();
    let hold = phone.platform.hold_answers("sendMessage", 1);
    let asking = phone.ask(&WHERE);
    let first = phone.question("Where to?").id;
    server.kill();
    drop(hold);
    let _server = phone.serve();
    // The receipt is lost, so one more copy may come; it works, and so does the first.
    let second = phone.chat.wait("a copy", |messages| {
        messages.iter().find(|seen| seen.id > first && seen.text.contains("Where to?")).map(|seen| seen.id)
    });
    phone.tap(first, "Production");
    let (code, stdout, stderr) = asking.ends();
    assert_eq!((code, stdout.as_str()), (Some(0), "Production\n"), "{stderr}");
    for message in [first, second] {
        retired(&phone.chat, message, "Production");
    }
    let copies = phone.chat.from_bots().into_iter().filter(|seen| seen.text.contains("Where to?")).count();
    assert_eq!(copies, 2, "one extra copy at most");
}

#[test]
fn during_a_flood_wait() {
    let phone = Phone::new();
    let server = phone.serve();
    phone.platform.fail("sendMessage", 1, Fault::Flood(600));
    let asking = phone.ask(&WHERE);
    phone.platform.wait_called("sendMessage", 1);
    server.kill();
    let _server = phone.serve();
    let message = phone.question("Where to?").id;
    phone.tap(message, "Staging");
    answered(&phone, asking, message, "Staging");
}
