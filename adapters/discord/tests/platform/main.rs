//! What only Discord does, each situation as a row of its own against the stand-in. What every surface must do is in
//! `contract.rs`.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a broken stand-in ends the test")]

mod answers;
mod checks;
mod edits;
mod ends;
mod links;
mod places;
mod refusals;
#[path = "../room/mod.rs"]
mod room;
mod waits;
mod words;

use askrelay_core::id::{AckId, Place};
use askrelay_core::port::{Acknowledgement, Failure, Order, Receipt, Report};
use askrelay_core::prompt::{Body, Control, Look, Piece, Prompt, Style};
use askrelay_kit::discord::{Channel, Guild};
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

fn edit(send: &str, receipt: &Receipt, text: &str, buttons: &[&str]) -> Order {
    Order::Edit { send: send.into(), receipt: receipt.clone(), prompt: prompt(text, buttons) }
}

fn retire(send: &str, receipt: &Receipt, text: &str) -> Order {
    Order::Retire { send: send.into(), receipt: receipt.clone(), prompt: prompt(text, &[]) }
}

/// Shows a Prompt there; its Receipt and its message's id.
async fn shown_in(stage: &mut Stage<Room>, place: Place, send: &str, buttons: &[&str]) -> (Receipt, u64) {
    stage.order(show(send, place, "Which colour?", buttons)).await;
    let (receipt, _) = stage.shown(send).await;
    let message = receipt.messages[0].as_str().parse().unwrap();
    (receipt, message)
}

/// The same in the direct messages.
async fn shown(stage: &mut Stage<Room>, send: &str, buttons: &[&str]) -> (Receipt, u64) {
    let place = room::private(&stage.platform.person);
    shown_in(stage, place, send, buttons).await
}

/// The next Report, which tells that this Order failed.
async fn failed(stage: &mut Stage<Room>, expected: &str) -> Failure {
    match stage.report().await {
        Report::Failed { send, failure } if send.as_str() == expected => failure,
        other => panic!("expected '{expected}' to fail, got {other:?}"),
    }
}

/// A server with the bot and the person in it, and a channel of it.
fn server(room: &Room) -> (Guild, Channel) {
    let guild = room.stand_in.guild("Team");
    guild.add_bot(&room.bot);
    guild.add(&room.person);
    let channel = guild.text_channel("deploys");
    (guild, channel)
}
