//! The Bot API of Telegram as a stand-in: a real HTTP server on 127.0.0.1 with people, chats and bots, that behaves as the
//! platform does and refuses what the platform refuses, in its words. Time is its own and passes only when it is told to; nothing
//! happens by chance. It reads no markup in texts, takes no files, and knows only what a bot that asks people needs.

mod access;
mod bot;
mod chat;
mod check;
mod fault;
mod group;
mod http;
mod link;
mod method;
mod params;
mod person;
mod poll;
mod post;
mod rate;
mod refusal;
mod server;
mod state;
mod update;
mod webhook;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde_json::{Value, json};

pub use crate::faults::Hold;
pub use bot::Bot;
pub use chat::{Button, Chat, From, Seen};
pub use fault::Fault;
pub use person::{Person, Tap};
pub use post::Post;
pub use rate::Rates;
pub use state::{Call, Toast};

use crate::faults;
use crate::serving::{Port, Serving};
use fault::meant;
use state::{BotState, Kind, PersonState, Shared, World};

/// When the stand-in's clock begins, in seconds since 1970.
pub const BEGINNING: i64 = 1_764_500_000;

/// A running stand-in. It ends with this value.
#[derive(Debug)]
pub struct StandIn {
    shared: Arc<Shared>,
    serving: Serving,
}

impl StandIn {
    /// Starts one on a free port.
    #[must_use]
    pub fn start() -> Self {
        Self::start_at(BEGINNING)
    }

    /// Starts one whose clock begins then, in seconds since 1970.
    #[must_use]
    pub fn start_at(now: i64) -> Self {
        let shared = Shared::new(World {
            now,
            cut: false,
            bots: BTreeMap::new(),
            people: BTreeMap::new(),
            chats: BTreeMap::new(),
            taps: BTreeMap::new(),
            calls: Vec::new(),
            faults: Default::default(),
            pace: Default::default(),
            count: 0,
        });
        let port = Port::free();
        let served = Arc::clone(&shared);
        let serving = port.serve(|listener, stopped| server::serve(listener, served, stopped));
        Self { shared, serving }
    }

    /// What a bot takes for the platform's address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.serving.address())
    }

    /// A new bot of this name, with privacy mode on.
    pub fn bot(&self, username: &str) -> Bot {
        let id = self.shared.change(|world| {
            let id = 7_000_000_000 + world.next();
            let bot = BotState {
                token: format!("{id}:stand-in-{:0>26}", world.next()),
                username: username.to_owned(),
                private: true,
                commands: json!([]),
                updates: VecDeque::new(),
                newest_update: 500_000_000,
                delivered: None,
                again: VecDeque::new(),
                allowed: Vec::new(),
                polls: 0,
                hook: None,
            };
            world.bots.insert(id, bot);
            id
        });
        Bot { shared: Arc::clone(&self.shared), id }
    }

    /// A new person of this name.
    pub fn person(&self, name: &str) -> Person {
        let id = self.shared.change(|world| {
            let id = 5_000_000_000 + world.next();
            let name = name.to_owned();
            let (blocked, toasts) = Default::default();
            world.people.insert(id, PersonState { name, deactivated: false, blocked, toasts });
            id
        });
        Person { shared: Arc::clone(&self.shared), id }
    }

    /// A new basic group, empty.
    pub fn group(&self, title: &str) -> Chat {
        Chat::create(&self.shared, Kind::Group, title)
    }

    /// A new supergroup, empty.
    pub fn supergroup(&self, title: &str) -> Chat {
        Chat::create(&self.shared, Kind::Supergroup, title)
    }

    /// A new supergroup with topics, empty but for General.
    pub fn forum(&self, title: &str) -> Chat {
        Chat::create(&self.shared, Kind::Forum, title)
    }

    /// A new channel, empty.
    pub fn channel(&self, title: &str) -> Chat {
        Chat::create(&self.shared, Kind::Channel, title)
    }

    /// Lets this many seconds pass.
    pub fn pass(&self, seconds: i64) {
        self.shared.change(|world| world.now += seconds);
    }

    /// What time it is, in seconds since 1970.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.shared.read(|world| world.now)
    }

    /// Sets how much may be sent.
    pub fn set_rates(&self, rates: Rates) {
        self.shared.change(|world| world.pace.rates = rates);
    }

    /// Lets the next so many calls of a method fail; `*` is any. Faults of one method happen in the order in which they were
    /// planned.
    pub fn fail(&self, method: &str, times: usize, fault: Fault) {
        self.shared.change(|world| world.faults.plan(meant(method), times, fault));
    }

    /// Holds the next so many calls of a method before they take effect.
    pub fn hold_requests(&self, method: &str, times: usize) -> Hold {
        faults::hold(&self.shared, meant(method), times, Fault::HoldRequest)
    }

    /// Holds the answers of the next so many calls of a method, which take effect at once.
    pub fn hold_answers(&self, method: &str, times: usize) -> Hold {
        faults::hold(&self.shared, meant(method), times, Fault::HoldAnswer)
    }

    /// Nothing is answered any more, and polls that wait end without an answer, until it is mended.
    pub fn cut(&self) {
        self.shared.change(|world| world.cut = true);
    }

    /// Everything is answered again.
    pub fn mend(&self) {
        self.shared.change(|world| world.cut = false);
    }

    /// Everything that was called, polls too, the oldest first.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.shared.read(|world| world.calls.clone())
    }

    /// Every call of one method.
    #[must_use]
    pub fn calls_of(&self, method: &str) -> Vec<Call> {
        self.calls().into_iter().filter(|call| call.method.eq_ignore_ascii_case(method)).collect()
    }

    /// Calls a method as a bot's program would, over HTTP with a JSON body: the status and the body of the answer, or how the
    /// connection failed.
    pub async fn call(&self, token: &str, method: &str, params: &Value) -> Result<(u16, Value), String> {
        self.call_raw(token, method, "application/json", params.to_string().into_bytes()).await
    }

    /// The same with a body of any content type.
    pub async fn call_raw(
        &self,
        token: &str,
        method: &str,
        kind: &str,
        body: Vec<u8>,
    ) -> Result<(u16, Value), String> {
        let url = format!("{}/bot{token}/{method}", self.url());
        let answer = http::post(&url, kind, None, body).await?;
        let body = serde_json::from_slice(&answer.body).map_err(|error| error.to_string())?;
        Ok((answer.status.as_u16(), body))
    }

    /// Waits until a method was called so many times; the calls.
    pub async fn until_called(&self, method: &str, times: usize) -> Vec<Call> {
        self.shared.until(method, |world| called(world, method, times)).await
    }

    /// The same for a test without a runtime.
    pub fn wait_called(&self, method: &str, times: usize) -> Vec<Call> {
        self.shared.wait(method, |world| called(world, method, times))
    }
}

fn called(world: &World, method: &str, times: usize) -> Option<Vec<Call>> {
    let calls = world.calls.iter().filter(|call| call.method.eq_ignore_ascii_case(method));
    let calls: Vec<Call> = calls.cloned().collect();
    (calls.len() >= times).then_some(calls)
}
