//! Faults on demand: what goes wrong with the next calls of a method. Nothing goes wrong by chance.

use super::state::World;
use crate::faults::{Faulty, Holding};

/// What goes wrong with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It takes no effect and is answered with this status and description, such as 500 or 502.
    Refuse(u16, String),
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
pub(super) type Faults = crate::faults::Faults<String, Fault>;

impl Holding for Fault {
    fn hold(&self) -> Option<u64> {
        match self {
            Self::HoldRequest(hold) | Self::HoldAnswer(hold) => Some(*hold),
            _ => None,
        }
    }
}

impl Faulty for World {
    type Name = String;
    type Fault = Fault;

    fn faults(&mut self) -> &mut Faults {
        &mut self.faults
    }

    fn lets_go(&self, hold: u64) -> bool {
        self.faults.is_released(hold) || self.cut
    }
}

/// The method of this name; none where every method is meant, by `*`.
pub(super) fn meant(method: &str) -> Option<String> {
    (method != "*").then(|| method.to_ascii_lowercase())
}
