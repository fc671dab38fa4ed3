//! An OpenClaw gateway as a question connector sees it, frame by frame as the real one (2026.9.6, protocol 4) was seen to send them:
//! for what the real one cannot be made to do on demand. Knows questions and the handshake; agents, chats and files it has none.

mod call;
mod server;
mod state;

use std::sync::Arc;

use serde_json::Value;

use crate::faults::{Hold, hold};
use crate::serving::{Port, Serving};
use crate::world::Shared;
use state::{Fault, World};

/// One gateway.
#[derive(Debug)]
pub struct StandIn {
    shared: Arc<Shared<World>>,
    /// Serves until it is dropped.
    serving: Serving,
}

/// The end of a question, as the gateway has it.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// `answered`, `cancelled` or `expired`.
    pub status: String,
    /// The answers, by question.
    pub answers: Value,
    /// Whatever the resolver said of who it was.
    pub resolved_by: Option<String>,
    /// The resolution that was its end, where the resolver named one.
    pub resolution: Option<String>,
}

impl StandIn {
    /// One that takes this shared token.
    #[must_use]
    pub fn start(token: &str) -> Self {
        let port = Port::free();
        let shared = Shared::new(World::new(token));
        let served = Arc::clone(&shared);
        let serving = port.serve(move |listener, stop| server::serve(listener, served, stop));
        Self { shared, serving }
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("ws://{}", self.serving.address())
    }

    /// It is an older one: members that came later are unknown to its closed objects.
    pub fn is_older(&self) {
        self.shared.change(|world| world.older = true);
    }

    /// Puts a question up: the members of a record, beside the usual ones, of which null takes one away; its id.
    #[must_use]
    pub fn ask(&self, record: Value) -> String {
        self.shared.change(|world| world.ask(record))
    }

    /// Ends a question as the gateway's own prompt does.
    pub fn answer(&self, id: &str, answers: &Value, resolved_by: &str) {
        self.shared.change(|world| world.answered(id, answers.clone(), Some(resolved_by), None));
    }

    /// Waits for the end of a question.
    #[must_use]
    pub fn wait_end(&self, id: &str) -> End {
        self.shared.wait("the end of a question", |world| world.end(id))
    }

    /// Waits until a client is joined.
    pub fn wait_joined(&self) {
        self.shared.wait("a client", |world| world.is_joined().then_some(()));
    }

    /// Refuses the next calls of this method, `connect` too, with this error.
    pub fn refuse(&self, method: &str, times: usize, error: Value) {
        self.shared.change(|world| world.faults.plan(Some(method.to_owned()), times, Fault::Refuse(error)));
    }

    /// Does what the next calls of this method ask for, and loses the connection instead of answering.
    pub fn lose_answers(&self, method: &str, times: usize) {
        self.shared.change(|world| world.faults.plan(Some(method.to_owned()), times, Fault::LoseAnswer));
    }

    /// Keeps the answers to the next calls of this method to itself.
    #[must_use]
    pub fn hold(&self, method: &str, times: usize) -> Hold {
        hold(&self.shared, Some(method.to_owned()), times, Fault::Hold)
    }

    /// The calls so far of this method: what each was given.
    #[must_use]
    pub fn calls(&self, method: &str) -> Vec<Value> {
        let of = |(name, params): &(String, Value)| (name == method).then(|| params.clone());
        self.shared.read(|world| world.calls.iter().filter_map(of).collect())
    }

    /// Waits for so many calls of this method.
    pub fn wait_calls(&self, method: &str, times: usize) {
        self.shared.wait("calls", |world| {
            (world.calls.iter().filter(|(name, _)| name == method).count() >= times).then_some(())
        });
    }

    /// The most calls that waited for their answers at once.
    #[must_use]
    pub fn most_waiting(&self) -> usize {
        self.shared.read(|world| world.most_waiting)
    }

    /// Ends every connection with this code.
    pub fn close(&self, code: u16, reason: &str) {
        self.shared.change(|world| world.close(code, reason));
    }

    /// Starts anew: it knows no question any more, and every connection has ended.
    pub fn restart(&self) {
        self.shared.change(World::restart);
    }
}
