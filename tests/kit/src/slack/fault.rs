//! Faults on demand: what goes wrong with the next calls of a method. Nothing goes wrong by chance.

use std::sync::Arc;

use super::state::Shared;

/// What goes wrong with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It takes no effect and is answered with this status and error, such as 200 and `is_archived`, or 500 and
    /// `internal_error`; 502 and 503 come from a server in front, which answers in its own way.
    Refuse(u16, String),
    /// It takes effect, and is answered with this status and error nevertheless, such as 500 and `fatal_error`.
    RefuseAfter(u16, String),
    /// It takes no effect: 429 with this many seconds to wait.
    Flood(i64),
    /// The connection is dropped before it took effect.
    DropBefore,
    /// It takes effect, and the connection is dropped instead of an answer.
    DropAfter,
    /// It takes effect, and the answer cannot be read.
    Garbage,
    /// It waits until it is released, and takes effect only then.
    HoldRequest(u64),
    /// It takes effect at once; the answer waits until it is released.
    HoldAnswer(u64),
}

/// The faults that are still to come.
#[derive(Debug, Default)]
pub(super) struct Faults {
    planned: Vec<Planned>,
    released: Vec<u64>,
    newest_hold: u64,
}

#[derive(Debug)]
struct Planned {
    method: String,
    times: usize,
    fault: Fault,
}

impl Faults {
    /// Every method is meant by `*`.
    pub(super) fn plan(&mut self, method: &str, times: usize, fault: Fault) {
        self.planned.push(Planned { method: method.to_owned(), times, fault });
    }

    pub(super) fn new_hold(&mut self) -> u64 {
        self.newest_hold += 1;
        self.newest_hold
    }

    /// The fault of this call, in the order in which they were planned.
    pub(super) fn next(&mut self, method: &str) -> Option<Fault> {
        let at = self.planned.iter().position(|planned| planned.method == method || planned.method == "*")?;
        let planned = self.planned.get_mut(at)?;
        let fault = planned.fault.clone();
        planned.times = planned.times.saturating_sub(1);
        if planned.times == 0 {
            self.planned.remove(at);
        }
        Some(fault)
    }

    pub(super) fn is_released(&self, hold: u64) -> bool {
        self.released.contains(&hold)
    }

    fn release(&mut self, hold: u64) {
        self.released.push(hold);
        let is_held =
            |fault: &Fault| matches!(fault, Fault::HoldRequest(id) | Fault::HoldAnswer(id) if *id == hold);
        self.planned.retain(|planned| !is_held(&planned.fault));
    }
}

/// Calls that wait. They go on when this is released or dropped.
#[derive(Debug)]
pub struct Hold {
    pub(super) shared: Arc<Shared>,
    pub(super) id: u64,
}

impl Hold {
    /// Lets them go on, and those that would have been held yet.
    pub fn release(self) {}
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.shared.change(|world| world.faults.release(self.id));
    }
}
