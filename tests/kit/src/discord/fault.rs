//! Faults on demand: what goes wrong with the next calls of a route. Nothing goes wrong by chance.

use super::rate::Scope;
use super::route::Route;
use super::state::World;
use crate::faults::{Faulty, Holding};

/// What goes wrong with a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// It takes no effect and is answered with this status, code and message. A status of 502 or more is answered in HTML, as by
    /// what stands before the platform; 500 in the platform's own JSON.
    Refuse(u16, u32, String),
    /// It takes no effect: 429 with this many seconds to wait.
    Flood(Scope, f64),
    /// The connection is dropped before it took effect.
    DropBefore,
    /// It takes effect, and the connection is dropped instead of an answer.
    DropAfter,
    /// It takes effect, and the answer is 500 all the same.
    FailAfter,
    /// It takes effect, and the answer cannot be read.
    Garbage,
    /// It waits until it is released, and takes effect only then.
    HoldRequest(u64),
    /// It takes effect at once; the answer waits until it is released.
    HoldAnswer(u64),
}

/// The faults that are still to come.
pub(super) type Faults = crate::faults::Faults<Route, Fault>;

impl Holding for Fault {
    fn hold(&self) -> Option<u64> {
        match self {
            Self::HoldRequest(hold) | Self::HoldAnswer(hold) => Some(*hold),
            _ => None,
        }
    }
}

impl Faulty for World {
    type Name = Route;
    type Fault = Fault;

    fn faults(&mut self) -> &mut Faults {
        &mut self.faults
    }

    fn lets_go(&self, hold: u64) -> bool {
        self.faults.is_released(hold) || self.cut
    }
}
