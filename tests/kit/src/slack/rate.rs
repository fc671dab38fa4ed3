//! The rates that the stand-in allows, by its own clock. None at first: a test that wants them sets them.

use std::collections::{BTreeMap, VecDeque};

use super::refusal::Refusal;

/// How much may be called: so many in so many seconds. `None` is without end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// `chat.postMessage` in each conversation; the platform allows about one a second.
    pub channel: Option<(usize, i64)>,
    /// Every other method, each for itself; the platform's third tier allows 50 a minute.
    pub method: Option<(usize, i64)>,
}

/// What was called when.
#[derive(Debug, Default)]
pub(super) struct Pace {
    pub(super) rates: Rates,
    times: BTreeMap<String, VecDeque<i64>>,
}

impl Pace {
    /// Counts one call of this kind, or refuses it. A refused one is not counted.
    pub(super) fn admit(
        &mut self,
        what: String,
        rate: Option<(usize, i64)>,
        now: i64,
    ) -> Result<(), Refusal> {
        let Some((count, seconds)) = rate else { return Ok(()) };
        let times = self.times.entry(what).or_default();
        let oldest = times.len().checked_sub(count).and_then(|at| times.get(at));
        if let Some(free_at) = oldest.map(|oldest| oldest + seconds).filter(|free_at| *free_at > now) {
            return Err(Refusal::flood(free_at - now));
        }
        times.push_back(now);
        while times.len() > count {
            times.pop_front();
        }
        Ok(())
    }
}
