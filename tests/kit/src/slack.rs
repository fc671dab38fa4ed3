//! The Web API, Socket Mode and signed deliveries of Slack as a stand-in: a real server on 127.0.0.1 with teams, people, apps and
//! conversations, that behaves as the platform does and refuses what the platform refuses, by its names. Time is its own and
//! passes only when it is told to; nothing happens by chance. It takes no files, keeps no history for reading, and knows only
//! what a bot that asks people needs.

mod access;
mod app;
mod block;
mod channel;
mod courier;
mod deliver;
mod event;
mod fault;
mod form;
mod http;
mod method;
mod params;
mod person;
mod post;
mod press;
mod rate;
mod refusal;
mod reply;
mod seen;
mod send;
mod server;
mod sign;
mod socket;
mod state;
mod team;
mod text;

use std::sync::Arc;

use serde_json::Value;

pub use crate::faults::Hold;
pub use app::App;
pub use channel::Channel;
pub use deliver::{Delivery, Signing};
pub use fault::Fault;
pub use form::Form;
pub use person::Person;
pub use post::Post;
pub use press::Tap;
pub use rate::Rates;
pub use seen::{Choice, Confirm, Control, From, Seen};
pub use socket::Disconnect;
pub use state::Call;
pub use team::{Enterprise, Team};

use crate::faults;
use crate::serving::{Port, Serving};
use fault::meant;
use state::{Shared, World};

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
        let port = Port::free();
        let shared = Shared::new(World { now, address: port.address().to_string(), ..World::default() });
        let served = Arc::clone(&shared);
        let serving = port.serve(|listener, stopped| server::serve(listener, served, stopped));
        Self { shared, serving }
    }

    /// What an app takes for the base of the Web API; a method is at `/` and its name after it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/api", self.serving.address())
    }

    /// A new team of its own.
    pub fn team(&self, name: &str) -> Team {
        Team::create(&self.shared, name, None)
    }

    /// A new organisation.
    pub fn enterprise(&self, name: &str) -> Enterprise {
        Enterprise::create(&self.shared, name)
    }

    /// Lets this many seconds pass.
    pub fn pass(&self, seconds: i64) {
        self.shared.change(|world| {
            world.now += seconds;
            world.settle();
        });
    }

    /// What time it is, in seconds since 1970.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.shared.read(|world| world.now)
    }

    /// Sets how much may be called.
    pub fn set_rates(&self, rates: Rates) {
        self.shared.change(|world| world.pace.rates = rates);
    }

    /// Lets the next so many calls of a method fail; `*` is any, `response_url` is what is posted to one. Faults of one method
    /// happen in the order in which they were planned.
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

    /// Nothing is answered or brought any more, and every socket ends, until it is mended.
    pub fn cut(&self) {
        self.shared.change(|world| world.cut = true);
    }

    /// Everything is answered again.
    pub fn mend(&self) {
        self.shared.change(|world| world.cut = false);
    }

    /// Everything that was called, the oldest first.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.shared.read(|world| world.calls.clone())
    }

    /// Every call of one method.
    #[must_use]
    pub fn calls_of(&self, method: &str) -> Vec<Call> {
        self.calls().into_iter().filter(|call| call.method == method).collect()
    }

    /// Calls a method as an app's program would, over HTTP with a JSON body: the status and the body of the answer, or how the
    /// connection failed.
    pub async fn call(&self, token: &str, method: &str, params: &Value) -> Result<(u16, Value), String> {
        let (bearer, body) = (format!("Bearer {token}"), params.to_string().into_bytes());
        let headers =
            [("Authorization", bearer.as_str()), ("Content-Type", "application/json; charset=utf-8")];
        self.call_raw(method, &headers, body).await
    }

    /// The same with any headers and body.
    pub async fn call_raw(
        &self,
        method: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Result<(u16, Value), String> {
        Self::post(&format!("{}/{method}", self.url()), headers, body).await
    }

    /// Posts a JSON body to any address of the stand-in, such as a `response_url`.
    pub async fn post_json(url: &str, body: &Value) -> Result<(u16, Value), String> {
        Self::post(url, &[("Content-Type", "application/json")], body.to_string().into_bytes()).await
    }

    async fn post(url: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Result<(u16, Value), String> {
        let answer = http::post(url, headers, body).await?;
        let body = serde_json::from_slice(&answer.body).map_err(|error| error.to_string())?;
        Ok((answer.status.as_u16(), body))
    }

    /// Asks an address whether it is the app's, as the platform does when its owner enters it. Why it is not, in words.
    pub async fn verify_url(&self, app: &App, url: &str) -> Result<(), String> {
        let challenge = "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P";
        let letter = self.shared.change(|world| world.challenge(app.id(), challenge));
        let answer = letter.send(url).await?;
        let said = String::from_utf8_lossy(&answer.body).into_owned();
        if answer.status.is_success() && said.contains(challenge) {
            return Ok(());
        }
        Err(format!("{} {said}", answer.status))
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
    let calls: Vec<Call> = world.calls.iter().filter(|call| call.method == method).cloned().collect();
    (calls.len() >= times).then_some(calls)
}
