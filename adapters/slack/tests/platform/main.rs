//! What only Slack does, each situation as a row of its own against the stand-in. What every surface must do is in
//! `contract.rs`.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a broken stand-in ends the test")]

mod faults;
mod forms;
mod guests;
mod manifest;
mod modals;
mod places;
mod presses;
mod refusals;
#[path = "../room/mod.rs"]
mod room;
mod silence;
mod sockets;
mod tokens;
mod webhooks;

use askrelay_core::id::{AckId, MessageId, Place};
use askrelay_core::port::{Acknowledgement, Act, Failure, Order, Report};
use askrelay_core::prompt::{Body, Control, Entry, Look, Piece, Prompt, Style};
use askrelay_kit::surface::Stage;
use room::Room;

/// What is done to the stand-in.
type Spoil = fn(&Room);

fn body(text: &str) -> Body {
    Body(vec![Piece { text: text.to_owned(), style: Style::Plain }])
}

fn button(label: &str) -> Control {
    Control::button(label, format!("t.{label}"), Look::Plain)
}

/// A menu whose token is `t.LABEL`.
fn menu(label: Option<&str>, token: &str, labels: &[&str], max: usize) -> Control {
    let entry = |(index, label): (usize, &&str)| Entry {
        label: (*label).to_owned(),
        description: None,
        value: index.to_string(),
        taken: false,
    };
    Control::Menu {
        label: label.map(str::to_owned),
        placeholder: "Choose".to_owned(),
        token: token.to_owned(),
        entries: labels.iter().enumerate().map(entry).collect(),
        min: 0,
        max,
    }
}

fn input(label: &str, token: &str) -> Control {
    Control::Input {
        label: label.to_owned(),
        token: token.to_owned(),
        placeholder: None,
        value: None,
        required: false,
    }
}

/// A Prompt with a text and these controls, one a row.
fn prompt_of(text: &str, controls: Vec<Control>) -> Box<Prompt> {
    let controls = controls.into_iter().map(|control| vec![control]).collect();
    Box::new(Prompt { messages: vec![body(text)], controls })
}

/// A Prompt with a text and these buttons, one a row; each sends `t.LABEL`.
fn prompt(text: &str, buttons: &[&str]) -> Box<Prompt> {
    prompt_of(text, buttons.iter().map(|label| button(label)).collect())
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

fn pressed(token: &str, values: &[&str]) -> Act {
    Act::Press {
        token: token.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        fields: Vec::new(),
    }
}

/// The `ts` of an only message.
fn ts(messages: &[MessageId]) -> String {
    messages.last().unwrap().as_str().to_owned()
}

/// Shows a Prompt in the direct conversation; its message's `ts` there.
async fn shown(stage: &mut Stage<Room>, send: &str, prompt: Box<Prompt>) -> String {
    let place = room::place(&format!("@{}", stage.platform.person.id()));
    stage.order(Order::Show { send: send.into(), place, prompt }).await;
    let (receipt, _) = stage.shown(send).await;
    ts(&receipt.messages)
}

/// The next Report, which tells that this Order failed.
async fn failed(stage: &mut Stage<Room>, expected: &str) -> Failure {
    match stage.report().await {
        Report::Failed { send, failure } if send.as_str() == expected => failure,
        other => panic!("expected '{expected}' to fail, got {other:?}"),
    }
}

/// A channel in which the person and the bot are.
fn channel(room: &Room) -> askrelay_kit::slack::Channel {
    let channel = room.team.channel("team");
    channel.add(&room.person);
    channel.add_app(&room.app);
    channel
}
