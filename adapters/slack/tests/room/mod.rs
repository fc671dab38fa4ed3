//! The surface and the stand-in that it believes to be Slack: one app, one person, their direct conversation. Judges nothing.
#![allow(clippy::unwrap_used, reason = "a broken stand-in ends the test")]

use std::collections::BTreeSet;
use std::time::Duration;

use askrelay_core::id::{Account, Identity, Place};
use askrelay_core::port::{Acknowledgement, Order, Report};
use askrelay_core::time::Time;
use askrelay_kit::slack::{App, BEGINNING, Channel, Person, Seen, StandIn, Tap, Team};
use askrelay_kit::surface::Platform;
use askrelay_slack::{Config, Mode, Pace, Policy, SURFACE};
use serde_json::json;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// What the tests are about.
pub(crate) struct Room {
    pub(crate) stand_in: StandIn,
    pub(crate) team: Team,
    pub(crate) app: App,
    pub(crate) person: Person,
    pub(crate) channel: Channel,
    taps: Vec<Press>,
    /// How the presses were acknowledged by Orders so far, in the order in which they came.
    ordered: watch::Receiver<Vec<Acknowledgement>>,
    /// Words for the person alone that were told as the answer to a press.
    told: BTreeSet<String>,
}

struct Press {
    tap: Tap,
    /// What it was acknowledged with, once somebody asked.
    words: Option<Option<String>>,
}

/// No pace and short waits: what they do is tested where time is virtual.
pub(crate) fn quick() -> Policy {
    let pace = Pace { most: 10_000, within: Duration::from_secs(1) };
    Policy {
        messages: pace,
        edits: pace,
        offline_after: Duration::ZERO,
        retry_first: Duration::from_millis(10),
        retry_slowly: Duration::from_millis(50),
        ..Policy::default()
    }
}

/// The configuration of an app at its stand-in.
pub(crate) fn config(stand_in: &StandIn, app: &App) -> Config {
    config_with(stand_in, app, Mode::Socket(app.app_token().into()))
}

/// The same with events that come in this way.
pub(crate) fn config_with(stand_in: &StandIn, app: &App, mode: Mode) -> Config {
    let mut config = Config::new("main".into(), app.bot_token().into(), mode, now).unwrap();
    config.api_url = stand_in.url().parse().unwrap();
    config.policy = quick();
    config
}

/// The stand-in's clock where nobody moves it.
pub(crate) fn now() -> Time {
    Time(BEGINNING * 1000)
}

/// A conversation of the account.
pub(crate) fn place(conversation: &str) -> Place {
    let account = Account { surface: SURFACE.into(), name: "main".into() };
    Place { account, conversation: conversation.into() }
}

/// A person on the surface.
pub(crate) fn identity(team: &str, user: &str) -> Identity {
    Identity { surface: SURFACE.into(), user: format!("{team}/{user}").as_str().into() }
}

impl Room {
    /// What the person alone sees and was not told as the answer to a press.
    fn notes(&self) -> Vec<Seen> {
        let notes = self.person.ephemerals(&self.channel);
        notes.into_iter().filter(|note| !self.told.contains(&note.ts)).collect()
    }
}

impl Platform for Room {
    async fn start(mut orders: Receiver<Order>, reports: Sender<Report>) -> (Self, JoinHandle<()>) {
        let stand_in = StandIn::start();
        let team = stand_in.team("Acme");
        let (app, person) = (team.app("askbot"), team.person("Sam"));
        let dm = person.open(&app);
        // What is ordered passes by, so that it is known which words to wait for.
        let (passed, ordered) = watch::channel(Vec::new());
        let (pass, passing) = channel(1);
        let surface = askrelay_slack::run(config(&stand_in, &app), passing, reports);
        let task = tokio::spawn(async move {
            let relay = async move {
                let mut known = BTreeSet::new();
                while let Some(order) = orders.recv().await {
                    if let Order::Acknowledge { ack, with } = &order
                        && known.insert(*ack)
                    {
                        passed.send_modify(|ordered| ordered.push(with.clone()));
                    }
                    if pass.send(order).await.is_err() {
                        return;
                    }
                }
            };
            tokio::join!(relay, surface);
        });
        let room = Self {
            stand_in,
            team,
            app,
            person,
            channel: dm,
            taps: Vec::new(),
            ordered,
            told: BTreeSet::new(),
        };
        (room, task)
    }

    fn place(&self) -> Place {
        place(&format!("@{}", self.person.id()))
    }

    fn person(&self) -> Identity {
        identity(self.team.id(), self.person.id())
    }

    async fn seen(&mut self) -> String {
        let mut all = self.channel.messages();
        all.extend(self.notes());
        all.iter().map(shown).collect()
    }

    async fn write(&mut self, text: &str) {
        self.person.write(&self.channel, text);
    }

    async fn repeat(&mut self) -> bool {
        self.app.deliver_again()
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
        Some(messages.iter().flat_map(|seen| &seen.controls).map(|control| control.label.clone()).collect())
    }

    async fn press(&mut self, token: &str) -> bool {
        let newest = self.channel.from_apps().pop().unwrap();
        let action = json!({ "type": "button", "block_id": "b", "action_id": token, "value": token });
        let tap = self.person.press(&self.channel, &newest.ts, action);
        self.taps.push(Press { tap, words: None });
        true
    }

    /// The acknowledgement itself says nothing; words follow it.
    async fn acknowledged(&mut self, press: usize) -> Vec<Option<String>> {
        self.taps[press].tap.answered().await;
        if self.taps[press].words.is_none() {
            let with = self.ordered.wait_for(|ordered| ordered.len() > press).await.unwrap()[press].clone();
            let words = match with {
                Acknowledgement::Toast(text) => {
                    let note = self.person.until_told(&self.channel, &text).await;
                    self.told.insert(note.ts);
                    Some(text)
                }
                _ => None,
            };
            self.taps[press].words = Some(words);
        }
        self.taps[press].words.clone().into_iter().collect()
    }

    async fn submit(&mut self, text: &str) -> bool {
        let modal = self.person.until_modal("the input", |_| true).await;
        self.person.fill(&modal.controls[0].label, text);
        self.person.submit();
        true
    }

    fn hostile(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("<!channel> <!here> <@U00000001> @everyone", "‹"),
            ("<https://evil.example|your bank> https://evil.example", "‹"),
            ("*bold* _slanted_ ~gone~ `code` \n> quote\n```\nblock\n```", "‹"),
            ("&lt;!channel&gt; &amp;lt;!here&amp;gt;", "‹"),
        ]
    }
}

/// A message as one reads it, with a sign for everything that is more than its text.
fn shown(seen: &Seen) -> String {
    let mut marks: Vec<String> = seen.pings.iter().map(|ping| format!("‹{ping}›")).collect();
    marks.extend(seen.blocks.iter().filter(|block| is_more(block)).map(|block| format!("‹{block}›")));
    if seen.unfurls {
        marks.push("‹large links›".to_owned());
    }
    format!("{}{}\n", seen.body(), marks.concat())
}

/// Something in it is parsed, or more than plain words.
fn is_more(block: &serde_json::Value) -> bool {
    let text = block.to_string();
    let more = [
        r#""mrkdwn""#,
        r#""markdown""#,
        r#""type":"link""#,
        r#""type":"user""#,
        r#""style":{"#,
        r#""broadcast""#,
    ];
    more.iter().any(|more| text.contains(more))
}
