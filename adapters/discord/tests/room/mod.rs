//! The surface and the stand-in that it believes to be Discord: one bot, one person, their direct messages. Judges nothing.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a broken stand-in ends the test")]

mod reading;

use std::time::Duration;

use askrelay_core::id::{Account, Identity, Place};
use askrelay_core::port::{Order, Report};
use askrelay_core::time::Time;
use askrelay_discord::{Config, Pace, Policy, SURFACE};
use askrelay_kit::discord::{Answered, Bot, Channel, Person, Press, Route, Seen, StandIn};
use askrelay_kit::surface::Platform;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::JoinHandle;

pub(crate) use reading::read;

/// What the tests are about.
pub(crate) struct Room {
    pub(crate) stand_in: StandIn,
    pub(crate) bot: Bot,
    pub(crate) person: Person,
    pub(crate) channel: Channel,
    presses: Vec<Press>,
}

/// No pace and short waits: what they do is tested where time is virtual.
pub(crate) fn quick() -> Policy {
    Policy {
        overall: Pace { most: 10_000, within: Duration::from_secs(1) },
        looks: Pace { most: 10_000, within: Duration::from_secs(1) },
        send_again: Duration::from_millis(10),
        offline_after: Duration::ZERO,
        retry_first: Duration::from_millis(10),
        retry_slowly: Duration::from_millis(50),
        identify_wait: Duration::from_millis(10),
        ..Policy::default()
    }
}

/// The configuration of a bot at its stand-in.
pub(crate) fn config(stand_in: &StandIn, bot: &Bot) -> Config {
    let token = bot.token().into();
    let mut config = Config::new("main".into(), token, || Time(1_764_500_000_000)).unwrap();
    config.api_url = stand_in.url().parse().unwrap();
    config.gateway_url = Some(stand_in.gateway_url().parse().unwrap());
    config.policy = quick();
    config
}

/// A conversation of the account.
pub(crate) fn place(conversation: impl ToString) -> Place {
    let account = Account { surface: SURFACE.into(), name: "main".into() };
    Place { account, conversation: conversation.to_string().into() }
}

/// The conversation with one person.
pub(crate) fn private(person: &Person) -> Place {
    place(format!("@{}", person.id()))
}

/// A person on the surface.
pub(crate) fn identity(person: &Person) -> Identity {
    Identity { surface: SURFACE.into(), user: person.id().to_string().into() }
}

impl Platform for Room {
    async fn start(orders: Receiver<Order>, reports: Sender<Report>) -> (Self, JoinHandle<()>) {
        let stand_in = StandIn::start();
        let (bot, person) = (stand_in.bot("askbot"), stand_in.person("Sam"));
        let channel = person.open(&bot);
        let task = tokio::spawn(askrelay_discord::run(config(&stand_in, &bot), orders, reports));
        // Nobody is told what happened before their first session.
        bot.until_told().await;
        (Self { stand_in, bot, person, channel, presses: Vec::new() }, task)
    }

    fn place(&self) -> Place {
        private(&self.person)
    }

    fn person(&self) -> Identity {
        identity(&self.person)
    }

    async fn seen(&mut self) -> String {
        let mut all = self.channel.messages();
        all.extend(self.person.notes());
        all.sort_by_key(|message| message.id);
        all.iter().map(shown).collect()
    }

    async fn write(&mut self, text: &str) {
        self.person.write(&self.channel, text);
    }

    async fn repeat(&mut self) -> bool {
        self.bot.deliver_again()
    }

    async fn cut(&mut self) {
        self.stand_in.cut();
    }

    async fn mend(&mut self) -> bool {
        self.stand_in.mend();
        true
    }

    async fn controls(&mut self) -> Option<Vec<String>> {
        let messages = self.channel.messages();
        Some(messages.iter().flat_map(Seen::labels).map(str::to_owned).collect())
    }

    async fn press(&mut self, token: &str) -> bool {
        let newest = self.channel.from_bots().pop().unwrap();
        self.presses.push(self.person.press(&self.channel, newest.id, token));
        true
    }

    async fn acknowledged(&mut self, press: usize) -> Vec<Option<String>> {
        let press = &self.presses[press];
        let words = match press.answered().await {
            Answered::Note { text, ephemeral: true } => Some(read(&text)),
            Answered::Silent | Answered::Form(_) => None,
            other => panic!("no answer of ours: {other:?}"),
        };
        let calls = self.stand_in.calls_of(Route::CreateCallback);
        let ours = calls.iter().filter(|call| call.path.contains(&format!("/{}/", press.id())));
        ours.map(|_| words.clone()).collect()
    }

    async fn submit(&mut self, text: &str) -> bool {
        let form = self.presses.last().unwrap().form().await;
        let label = form.fields[0].label.clone();
        self.person.submit(&form.fill(&label, text));
        true
    }

    fn hostile(&self) -> Vec<(&'static str, &'static str)> {
        reading::hostile()
    }
}

/// A message as one reads it, with a sign for everything that is more than its text.
fn shown(message: &Seen) -> String {
    let is_ours = matches!(message.from, askrelay_kit::discord::From::Bot(_));
    let text = if is_ours { read(&message.text) } else { message.text.clone() };
    let calls = is_ours && (message.called_everyone || !message.called.is_empty());
    format!("{text}{}\n", if calls { "‹calls›" } else { "" })
}
