//! `kill -9` at the moments that hurt, on Discord and Slack: between a press and its answer, between a send and its receipt, in a
//! flood wait. The stand-ins hold the call at that moment, so that chance plays no part.
//! Telegram's own are in `telegram/crash.rs`.

use askrelay_kit::{discord, slack};

use super::discord::Discord;
use super::slack::Slack;
use super::{Chat, Desk};
use crate::telegram::Asking;

const WHERE: [&str; 5] = ["Where to?", "-o", "Staging", "-o", "Production"];

/// The answer that the waiting command prints once a new server runs.
fn answered(chat: &dyn Chat, asking: Asking, message: &str, label: &str) {
    let (code, stdout, stderr) = asking.ends();
    assert_eq!((code, stdout), (Some(0), format!("{label}\n")), "{stderr}");
    chat.retired(message, label);
}

fn on_discord() -> (Desk, Discord) {
    let chat = Discord::new();
    (Desk::new(vec![Box::new(chat.clone())]), chat)
}

fn on_slack() -> (Desk, Slack) {
    let chat = Slack::new();
    (Desk::new(vec![Box::new(chat.clone())]), chat)
}

#[test]
fn between_a_press_and_its_answer_on_discord() {
    let (desk, chat) = on_discord();
    let server = desk.serve();
    let asking = desk.ask(&WHERE);
    let message = chat.question("Where to?");
    // The platform brought the press; its effect may or may not be saved, and nobody was told yet.
    let hold = chat.stand_in.hold_requests(discord::Route::CreateCallback, 1);
    let edits = chat.stand_in.hold_requests(discord::Route::EditMessage, 1);
    chat.press(&message, "Staging");
    chat.stand_in.wait_called(discord::Route::CreateCallback, 1);
    let sessions = chat.bot.identified();
    server.kill();
    drop((hold, edits));
    let _server = desk.serve();
    chat.bot.wait_identified(sessions + 1);
    // A press that was not saved is pressed again, by whoever sees the buttons still there.
    let open = chat.channel.message(message.parse().unwrap());
    if let Some(custom_id) = open.buttons().next().and_then(|button| button.custom_id.clone()) {
        chat.person.press(&chat.channel, open.id, &custom_id);
    }
    answered(&chat, asking, &message, "Staging");
}

#[test]
fn between_a_press_and_its_answer_on_slack() {
    let (desk, chat) = on_slack();
    let server = desk.serve();
    let asking = desk.ask(&WHERE);
    let message = chat.question("Where to?");
    let edits = chat.stand_in.hold_requests("chat.update", 1);
    let seen = chat.channel.message(&message);
    let _acknowledged = chat.person.tap(&chat.channel, &message, "Staging").wait_answered();
    server.kill();
    drop(edits);
    let _server = desk.serve();
    chat.app.wait_connected(1);
    // As above: whoever sees the button may press it again.
    chat.person.tap_on(&chat.channel, &seen, "Staging");
    answered(&chat, asking, &message, "Staging");
}

#[test]
fn between_a_send_and_its_receipt_on_discord() {
    let (desk, chat) = on_discord();
    let server = desk.serve();
    let hold = chat.stand_in.hold_answers(discord::Route::CreateMessage, 1);
    let asking = desk.ask(&WHERE);
    let message = chat.question("Where to?");
    server.kill();
    drop(hold);
    let _server = desk.serve();
    chat.stand_in.wait_called(discord::Route::CreateMessage, 2);
    chat.press(&message, "Production");
    answered(&chat, asking, &message, "Production");
    let copies = chat.channel.from_bots().into_iter().filter(|seen| seen.text.contains("Where to?")).count();
    assert_eq!(copies, 1, "the nonce keeps it from being there twice");
}

#[test]
fn between_a_send_and_its_receipt_on_slack() {
    let (desk, chat) = on_slack();
    let server = desk.serve();
    let hold = chat.stand_in.hold_answers("chat.postMessage", 1);
    let asking = desk.ask(&WHERE);
    let first = chat.question("Where to?");
    server.kill();
    drop(hold);
    let _server = desk.serve();
    // The receipt is lost, so one more copy may come; it works, and so does the first.
    let second = chat.channel.wait("a copy", |messages| {
        messages.iter().find(|seen| seen.ts > first && seen.contains("Where to?")).map(|seen| seen.ts.clone())
    });
    chat.press(&first, "Production");
    let (code, stdout, stderr) = asking.ends();
    assert_eq!((code, stdout.as_str()), (Some(0), "Production\n"), "{stderr}");
    for message in [first, second] {
        chat.retired(&message, "Production");
    }
    let copies = chat.channel.from_apps().into_iter().filter(|seen| seen.contains("Where to?")).count();
    assert_eq!(copies, 2, "one extra copy at most");
}

#[test]
fn during_a_flood_wait_on_discord() {
    let (desk, chat) = on_discord();
    let server = desk.serve();
    chat.stand_in.fail(discord::Route::CreateMessage, 1, discord::Fault::Flood(discord::Scope::User, 600.0));
    let asking = desk.ask(&WHERE);
    chat.stand_in.wait_called(discord::Route::CreateMessage, 1);
    server.kill();
    let _server = desk.serve();
    let message = chat.question("Where to?");
    chat.press(&message, "Staging");
    answered(&chat, asking, &message, "Staging");
}

#[test]
fn during_a_flood_wait_on_slack() {
    let (desk, chat) = on_slack();
    let server = desk.serve();
    chat.stand_in.fail("chat.postMessage", 1, slack::Fault::Flood(600));
    let asking = desk.ask(&WHERE);
    chat.stand_in.wait_called("chat.postMessage", 1);
    server.kill();
    let _server = desk.serve();
    let message = chat.question("Where to?");
    chat.press(&message, "Staging");
    answered(&chat, asking, &message, "Staging");
}
