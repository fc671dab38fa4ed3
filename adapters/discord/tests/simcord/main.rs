//! Discord's surface against simcord, a Discord that nobody here wrote: the contract of every Surface, and every kind of control.
//! Needs what `tests/peers/install` installs, so only `tests/slow/36-discord` builds it.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a broken bridge ends the test")]

mod bridge;
mod controls;
#[path = "../room/reading.rs"]
mod reading;

use std::time::Duration;

use askrelay_core::id::{Account, Identity, Place};
use askrelay_core::port::{Order, Report};
use askrelay_core::time::Time;
use askrelay_discord::{Config, Pace, Policy, SURFACE};
use askrelay_kit::surface::Platform;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::JoinHandle;

use bridge::Bridge;

/// The surface at a simcord of its own: one bot, one person, their direct messages and a channel of a server.
struct Simcord {
    bridge: Bridge,
    presses: Vec<u64>,
}

/// simcord counts no calls, and nobody waits for long here.
fn policy() -> Policy {
    Policy {
        overall: Pace { most: 10_000, within: Duration::from_secs(1) },
        offline_after: Duration::ZERO,
        retry_first: Duration::from_millis(10),
        retry_slowly: Duration::from_millis(50),
        identify_wait: Duration::from_millis(10),
        ..Policy::default()
    }
}

/// A conversation of the account.
fn place(conversation: &str) -> Place {
    let account = Account { surface: SURFACE.into(), name: "main".into() };
    Place { account, conversation: conversation.into() }
}

impl Simcord {
    /// What stands in a channel, the newest last.
    async fn messages(&self, channel: &str) -> Vec<Value> {
        let seen = self.bridge.act("seen", json!({ "channel": channel })).await;
        seen.as_array().unwrap().clone()
    }

    /// How the bot answered a press, once it did.
    async fn answered(&self, press: u64) -> Value {
        self.bridge.act("answered", json!({ "press": press })).await
    }

    /// The person submits the modal that a press opened, its controls filled in their order.
    async fn submitted(&mut self, press: u64, values: Value) -> u64 {
        self.bridge.act("submit", json!({ "press": press, "values": values })).await.as_u64().unwrap()
    }
}

impl Platform for Simcord {
    async fn start(orders: Receiver<Order>, reports: Sender<Report>) -> (Self, JoinHandle<()>) {
        let bridge = Bridge::start();
        let token = bridge.token.as_str().into();
        let mut config = Config::new("main".into(), token, || Time(1_764_500_000_000)).unwrap();
        config.api_url = format!("http://{}/api/v10", bridge.address).parse().unwrap();
        config.gateway_url = Some(format!("ws://{}", bridge.address).parse().unwrap());
        config.policy = policy();
        let task = tokio::spawn(askrelay_discord::run(config, orders, reports));
        bridge.act("ready", json!({})).await;
        (Self { bridge, presses: Vec::new() }, task)
    }

    fn place(&self) -> Place {
        place(&format!("@{}", self.bridge.person))
    }

    fn person(&self) -> Identity {
        Identity { surface: SURFACE.into(), user: self.bridge.person.as_str().into() }
    }

    async fn seen(&mut self) -> String {
        let messages = self.messages(&self.bridge.direct).await;
        messages.iter().map(shown).collect()
    }

    async fn write(&mut self, text: &str) {
        self.bridge.act("write", json!({ "channel": self.bridge.direct, "text": text })).await;
    }

    async fn repeat(&mut self) -> bool {
        self.bridge.act("repeat", json!({})).await;
        true
    }

    async fn cut(&mut self) {
        self.bridge.act("cut", json!({})).await;
    }

    async fn mend(&mut self) -> bool {
        self.bridge.act("mend", json!({})).await;
        true
    }

    async fn controls(&mut self) -> Option<Vec<String>> {
        let messages = self.messages(&self.bridge.direct).await;
        Some(messages.iter().flat_map(labels).collect())
    }

    async fn press(&mut self, token: &str) -> bool {
        let messages = self.messages(&self.bridge.direct).await;
        let ours = messages.iter().rfind(|message| message["author"]["bot"] == true).unwrap();
        let on = json!({ "channel": self.bridge.direct, "message": ours["id"], "token": token });
        self.presses.push(self.bridge.act("press", on).await.as_u64().unwrap());
        true
    }

    async fn acknowledged(&mut self, press: usize) -> Vec<Option<String>> {
        let answer = self.answered(self.presses[press]).await;
        let words = answer["words"].as_str().map(reading::read);
        assert!(words.is_none() || answer["ephemeral"] == true, "for everybody: {answer}");
        (0..answer["times"].as_u64().unwrap()).map(|_| words.clone()).collect()
    }

    async fn submit(&mut self, text: &str) -> bool {
        let press = *self.presses.last().unwrap();
        self.answered(press).await;
        self.submitted(press, json!([text])).await;
        true
    }

    fn hostile(&self) -> Vec<(&'static str, &'static str)> {
        reading::hostile()
    }
}

/// A message as one reads it, with a sign for everything that is more than its text.
fn shown(message: &Value) -> String {
    let text = message["content"].as_str().unwrap();
    if message["author"]["bot"] != true {
        return format!("{text}\n");
    }
    let calls = message["mention_everyone"] == true || message["mentions"] != json!([]);
    format!("{}{}\n", reading::read(text), if calls { "‹calls›" } else { "" })
}

/// The labels of a message's controls.
fn labels(message: &Value) -> Vec<String> {
    let rows = message["components"].as_array().into_iter().flatten();
    let controls = rows.flat_map(|row| row["components"].as_array().unwrap());
    controls.map(|control| control["label"].as_str().unwrap_or("menu").to_owned()).collect()
}

askrelay_kit::surface_contract!(Simcord);
