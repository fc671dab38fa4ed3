//! The relay's timers. Deadlines of Records follow the wall clock; waits between tries follow steady time, which a jump of
//! the clock cannot stretch. Reads no clock: every step brings the time.

use std::collections::BTreeSet;

use super::state::{Pair, Seat};
use crate::id::{Place, RecordKey};
use crate::time::{Span, Time};

/// What is due. A timer whose reason has gone is looked at and does nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Timer {
    /// Most of the wait is over.
    Remind(RecordKey),
    /// Try the pair's order again.
    Retry(Pair),
    /// Ask the person for own words again.
    Ask(Seat),
    /// Texts were held long enough.
    Held(Place),
    /// Nobody comes late any more.
    Forget(RecordKey),
}

/// All timers and the time of the last step.
#[derive(Debug, Default)]
pub(super) struct Clock {
    last: Option<Time>,
    /// Milliseconds that passed since the start, never backwards.
    steady: u64,
    wall: BTreeSet<(Time, Timer)>,
    waits: BTreeSet<(u64, Timer)>,
}

impl Clock {
    /// Takes the time of a step; true the first time.
    pub(super) fn advance(&mut self, now: Time) -> bool {
        let first = self.last.is_none();
        self.steady = self.steady.saturating_add(now.since(self.last.unwrap_or(now)).0);
        self.last = Some(now);
        first
    }

    pub(super) const fn started(&self) -> bool {
        self.last.is_some()
    }

    /// Milliseconds since the start, never backwards.
    pub(super) const fn steady(&self) -> u64 {
        self.steady
    }

    pub(super) fn at(&mut self, time: Time, timer: Timer) {
        self.wall.insert((time, timer));
    }

    pub(super) fn after(&mut self, span: Span, timer: Timer) {
        self.waits.insert((self.steady.saturating_add(span.0), timer));
    }

    /// The next timer that is due, each once.
    pub(super) fn due(&mut self) -> Option<Timer> {
        let now = self.last?;
        if self.wall.first().is_some_and(|(at, _)| *at <= now) {
            return self.wall.pop_first().map(|(_, timer)| timer);
        }
        if self.waits.first().is_some_and(|(at, _)| *at <= self.steady) {
            return self.waits.pop_first().map(|(_, timer)| timer);
        }
        None
    }

    /// When the next one is due, by the wall clock as it is now.
    pub(super) fn wake(&self) -> Option<Time> {
        let wall = self.wall.first().map(|(at, _)| *at);
        let wait = self.waits.first().zip(self.last);
        let wait = wait.map(|((at, _), last)| last.after(Span(at.saturating_sub(self.steady))));
        match (wall, wait) {
            (Some(wall), Some(wait)) => Some(wall.min(wait)),
            (one, other) => one.or(other),
        }
    }
}
