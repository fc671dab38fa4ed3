//! What only Telegram does, each situation as a row of its own against the stand-in. What every surface must do is in
//! `contract.rs`.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a broken stand-in ends the test")]

mod edits;
mod links;
mod places;
mod presses;
mod refusals;
#[path = "../room/mod.rs"]
mod room;
mod waits;
mod webhooks;
mod words;

use askrelay_core::id::{AckId, Place};
use askrelay_core::port::{Acknowledgement, Failure, Order, Report};
use askrelay_core::prompt::{Body, Control, Look, Piece, Prompt, Style};
use askrelay_kit::surface::Stage;
use room::Room;

/// A Prompt with a text and these buttons, one a row; each sends `t.LABEL`.
fn prompt(text: &str, buttons: &[&str]) -> Box<Prompt> {
    let body = Body(vec![Piece { text: text.to_owned(), style: Style::Plain }]);
    let button = |label: &&str| {
        let (label, token) = ((*label).to_owned(), format!("t.{label}"));
        vec![Control::button(label, token, Look::Plain)]
    };
    Box::new(Prompt { messages: vec![body], controls: buttons.iter().map(button).collect() })
}

fn show(send: &str, place: Place, text: &str, buttons: &[&str]) -> Order {
    Order::Show { send: send.into(), place, prompt: prompt(text, buttons) }
}

fn say(place: Place, text: &str) -> Order {
    Order::Say { place, to: None, reply_to: None, text: text.to_owned() }
}

fn acknowledge(ack: Option<AckId>, with: Acknowledgement) -> Order {
    Order::Acknowledge { ack: ack.unwrap(), with }
}

/// Shows a Prompt in the private chat; its message's id there.
async fn shown(stage: &mut Stage<Room>, send: &str, text: &str, buttons: &[&str]) -> i64 {
    let place = room::place(stage.platform.chat.id());
    stage.order(show(send, place, text, buttons)).await;
    let (receipt, _) = stage.shown(send).await;
    receipt.messages[0].as_str().parse().unwrap()
}

/// The next Report, which tells that this Order failed.
async fn failed(stage: &mut Stage<Room>, expected: &str) -> Failure {
    match stage.report().await {
        Report::Failed { send, failure } if send.as_str() == expected => failure,
        other => panic!("expected '{expected}' to fail, got {other:?}"),
    }
}
