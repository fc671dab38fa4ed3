//! Discord as a stand-in: a real HTTP and WebSocket server on 127.0.0.1 with people, guilds, channels and bots, that behaves as the
//! platform does and refuses what the platform refuses, with its codes. Time is its own and passes only when it is told to; nothing
//! happens by chance. It reads no markdown but mentions, takes no files, and knows only what a bot that asks people needs.

mod bot;
mod callback;
mod channel;
mod component;
mod draft;
mod event;
mod fault;
mod form;
mod gateway;
mod guild;
mod http;
mod judge;
mod message;
mod object;
pub mod permission;
mod person;
mod post;
mod press;
mod rate;
mod refusal;
mod rest;
mod route;
mod server;
mod session;
mod state;

use std::sync::Arc;

use serde_json::Value;

pub use crate::faults::Hold;
pub use bot::Bot;
pub use channel::{Button, Channel, Choice, Component, From, Seen, Select};
pub use fault::Fault;
pub use form::{Field, Form};
pub use guild::{Guild, Role};
pub use http::Answer;
pub use judge::refuses;
pub use person::Person;
pub use post::Post;
pub use press::{Answered, Press};
pub use rate::{Rates, Scope};
pub use route::Route;
use session::STARTS;
pub use state::Call;

use crate::faults;
use crate::serving::{Port, Serving};
use state::{BotState, PersonState, Shared, World};

/// When the stand-in's clock begins, in seconds since 1970.
pub const BEGINNING: i64 = 1_764_500_000;
/// How often a bot must tell the gateway that it lives, in milliseconds, unless a test wants it otherwise.
const HEARTBEAT_MS: u64 = 41_250;

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
        let port = Port::free();
        let shared = Shared::new(World {
            now_ms: now * 1000,
            address: port.address().to_string(),
            heartbeat_ms: HEARTBEAT_MS,
            ..World::default()
        });
        let served = Arc::clone(&shared);
        let serving = port.serve(|listener, stopped| server::serve(listener, served, stopped));
        Self { shared, serving }
    }

    /// What a bot takes for the base of the REST routes, with the version.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/api/v10", self.serving.address())
    }

    /// What a bot takes for the gateway, without version and encoding.
    #[must_use]
    pub fn gateway_url(&self) -> String {
        format!("ws://{}/gateway", self.serving.address())
    }

    /// A new bot of this name, without privileged intents.
    pub fn bot(&self, name: &str) -> Bot {
        let id = self.shared.change(|world| {
            let id = world.new_id();
            let bot = BotState {
                token: format!("stand-in.{id}.token"),
                name: name.to_owned(),
                privileged: 0,
                is_deaf: false,
                lost: 0,
                identified: 0,
                resumed: 0,
                starts: (STARTS, 0),
            };
            world.bots.insert(id, bot);
            id
        });
        Bot { shared: Arc::clone(&self.shared), id }
    }

    /// A new person of this name.
    pub fn person(&self, name: &str) -> Person {
        let id = self.shared.change(|world| {
            let id = world.new_id();
            let state = PersonState { name: name.to_owned(), is_closed: false, opened: Default::default() };
            world.people.insert(id, state);
            id
        });
        Person { shared: Arc::clone(&self.shared), id }
    }

    /// A new guild, empty, in which everybody may write.
    pub fn guild(&self, name: &str) -> Guild {
        Guild::create(&self.shared, name)
    }

    /// Lets this many seconds pass.
    pub fn pass(&self, seconds: i64) {
        self.pass_ms(seconds * 1000);
    }

    /// Lets this many milliseconds pass.
    pub fn pass_ms(&self, ms: i64) {
        self.shared.change(|world| world.now_ms += ms);
    }

    /// What time it is, in seconds since 1970.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.shared.read(|world| world.now_ms.div_euclid(1000))
    }

    /// Sets how much may be called.
    pub fn set_rates(&self, rates: Rates) {
        self.shared.change(|world| world.pace.rates = rates);
    }

    /// How often gateways opened from now on want a heartbeat, in milliseconds of the bot's clock.
    pub fn set_heartbeat(&self, ms: u64) {
        self.shared.change(|world| world.heartbeat_ms = ms);
    }

    /// Lets the next so many calls of a route fail; `None` is any. Faults of one route happen in the order in which they were
    /// planned.
    pub fn fail(&self, route: impl Into<Option<Route>>, times: usize, fault: Fault) {
        let route = route.into();
        self.shared.change(|world| world.faults.plan(route, times, fault));
    }

    /// Holds the next so many calls of a route before they take effect.
    pub fn hold_requests(&self, route: impl Into<Option<Route>>, times: usize) -> Hold {
        faults::hold(&self.shared, route.into(), times, Fault::HoldRequest)
    }

    /// Holds the answers of the next so many calls of a route, which take effect at once.
    pub fn hold_answers(&self, route: impl Into<Option<Route>>, times: usize) -> Hold {
        faults::hold(&self.shared, route.into(), times, Fault::HoldAnswer)
    }

    /// Nothing is answered any more and gateways end without a word, until it is mended.
    pub fn cut(&self) {
        self.shared.change(|world| world.cut = true);
    }

    /// Gateways end without a word and none is reached, until it is mended. REST goes on.
    pub fn cut_gateways(&self) {
        self.shared.change(|world| world.gateway_cut = true);
    }

    /// Everything is answered again.
    pub fn mend(&self) {
        self.shared.change(|world| (world.cut, world.gateway_cut) = (false, false));
    }

    /// Everything that was called, the oldest first.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.shared.read(|world| world.calls.clone())
    }

    /// Every call of one route.
    #[must_use]
    pub fn calls_of(&self, route: Route) -> Vec<Call> {
        self.calls().into_iter().filter(|call| call.route == route).collect()
    }

    /// Calls as a bot's program would, with a method such as `POST`, a path below the version such as `/channels/1/messages`, and a
    /// JSON body unless it is null: the answer, or how the connection failed.
    pub async fn call(&self, token: &str, method: &str, path: &str, body: &Value) -> Result<Answer, String> {
        let authorization = format!("Bot {token}");
        let headers = [
            ("user-agent", "DiscordBot (https://askrelay.example, 1)"),
            ("authorization", authorization.as_str()),
            ("content-type", "application/json"),
        ];
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        self.call_raw(method, path, &headers, body).await
    }

    /// The same with any headers and body.
    pub async fn call_raw(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Result<Answer, String> {
        http::call(&self.serving.address().to_string(), method, &format!("/api/v10{path}"), headers, body)
            .await
    }

    /// Waits until a route was called so many times; the calls.
    pub async fn until_called(&self, route: Route, times: usize) -> Vec<Call> {
        self.shared.until(&format!("{route:?}"), |world| called(world, route, times)).await
    }

    /// The same for a test without a runtime.
    pub fn wait_called(&self, route: Route, times: usize) -> Vec<Call> {
        self.shared.wait(&format!("{route:?}"), |world| called(world, route, times))
    }
}

fn called(world: &World, route: Route, times: usize) -> Option<Vec<Call>> {
    let calls: Vec<Call> = world.calls.iter().filter(|call| call.route == route).cloned().collect();
    (calls.len() >= times).then_some(calls)
}
