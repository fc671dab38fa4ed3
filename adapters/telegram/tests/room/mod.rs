//! The surface and the stand-in that it believes to be Telegram: one bot, one person, their private chat. Judges nothing.
#![allow(clippy::unwrap_used, reason = "a broken stand-in ends the test")]

use std::time::Duration;

use askrelay_core::id::{Account, Identity, Place};
use askrelay_core::port::{Order, Report};
use askrelay_core::time::Time;
use askrelay_kit::surface::Platform;
use askrelay_kit::telegram::{Bot, Chat, From, Person, Seen, StandIn};
use askrelay_telegram::{Config, Pace, Policy, SURFACE};
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::JoinHandle;

/// What the tests are about.
pub(crate) struct Room {
    pub(crate) stand_in: StandIn,
    pub(crate) bot: Bot,
    pub(crate) person: Person,
    pub(crate) chat: Chat,
}

/// No pace and short waits: what they do is tested where time is virtual.
pub(crate) fn quick() -> Policy {
    let pace = Pace { most: 10_000, within: Duration::from_secs(1) };
    Policy {
        private: pace,
        group: pace,
        overall: pace,
        edits: pace,
        offline_after: Duration::ZERO,
        retry_first: Duration::from_millis(10),
        retry_slowly: Duration::from_millis(50),
        save_wait: Duration::from_millis(10),
        ..Policy::default()
    }
}

/// The configuration of a bot at its stand-in.
pub(crate) fn config(stand_in: &StandIn, bot: &Bot) -> Config {
    let token = bot.token().into();
    let mut config = Config::new("main".into(), token, || Time(1_764_500_000_000)).unwrap();
    config.api_url = stand_in.url().parse().unwrap();
    config.policy = quick();
    config
}

/// A conversation of the account.
pub(crate) fn place(conversation: impl ToString) -> Place {
    let account = Account { surface: SURFACE.into(), name: "main".into() };
    Place { account, conversation: conversation.to_string().into() }
}

/// A person on the surface.
pub(crate) fn identity(id: i64) -> Identity {
    Identity { surface: SURFACE.into(), user: id.to_string().into() }
}

impl Platform for Room {
    async fn start(orders: Receiver<Order>, reports: Sender<Report>) -> (Self, JoinHandle<()>) {
        let stand_in = StandIn::start();
        let (bot, person) = (stand_in.bot("askbot"), stand_in.person("Sam"));
        let chat = person.open(&bot);
        let task = tokio::spawn(askrelay_telegram::run(config(&stand_in, &bot), orders, reports));
        (Self { stand_in, bot, person, chat }, task)
    }

    fn place(&self) -> Place {
        place(self.chat.id())
    }

    fn person(&self) -> Identity {
        identity(self.person.id())
    }

    async fn seen(&mut self) -> String {
        self.chat.messages().iter().map(shown).collect()
    }

    async fn write(&mut self, text: &str) {
        self.person.write(&self.chat, text);
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

    fn hostile(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("<b>bold</b> <a href=\"tg://user?id=5\">you</a>", "‹"),
            ("*bold* __both__ `code` ||spoiler|| [a](https://evil.example)", "‹"),
            ("call @samreed now", "@samreed"),
            ("(@everyone)", "@everyone"),
        ]
    }
}

/// A message as one reads it, with a sign for everything that is more than its text.
fn shown(message: &Seen) -> String {
    let looks: String = match message.from {
        From::Bot(_) => message.entities.iter().map(|entity| format!("‹{}›", entity["type"])).collect(),
        From::Person(_) | From::Chat => String::new(),
    };
    format!("{}{looks}\n", message.text)
}
