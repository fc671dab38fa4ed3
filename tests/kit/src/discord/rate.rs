//! The rates that the stand-in allows, by its own clock. None at first: a test that wants them sets them.

use std::collections::{BTreeMap, VecDeque};

use super::refusal::Refusal;
use super::route::Route;

/// What a 429 is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// This bot in this bucket.
    User,
    /// This bot everywhere.
    Global,
    /// This place, whoever calls.
    Shared,
}

/// How much may be called: so many in so many milliseconds. `None` is without end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// In each bucket: a route in a channel.
    pub bucket: Option<(usize, i64)>,
    /// By each bot. Callbacks and webhooks of interactions are outside it.
    pub global: Option<(usize, i64)>,
}

/// What was called when.
#[derive(Debug, Default)]
pub(super) struct Pace {
    pub(super) rates: Rates,
    buckets: BTreeMap<(Option<u64>, Route, String), VecDeque<i64>>,
    bots: BTreeMap<u64, VecDeque<i64>>,
}

/// How full a bucket is after a call, for the headers of its answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bucket {
    pub(super) name: String,
    pub(super) limit: usize,
    pub(super) remaining: usize,
    /// When it is empty again, in seconds since 1970, and how long until then.
    pub(super) reset: f64,
    pub(super) reset_after: f64,
}

impl Scope {
    /// The word of the header.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Global => "global",
            Self::Shared => "shared",
        }
    }
}

impl Bucket {
    /// One that takes nothing for so many seconds.
    pub(super) fn full(route: Route, reset_after: f64, now_ms: i64) -> Self {
        let reset = seconds(now_ms) + reset_after;
        Self { name: route.bucket(), limit: 5, remaining: 0, reset, reset_after }
    }
}

impl Pace {
    /// Counts one call, or refuses it. A refused one is not counted.
    pub(super) fn admit(
        &mut self,
        bot: Option<u64>,
        route: Route,
        place: &str,
        now_ms: i64,
    ) -> (Bucket, Result<(), Refusal>) {
        let times = self.buckets.entry((bot, route, place.to_owned())).or_default();
        let global = self.rates.global.filter(|_| !route.is_open());
        let all = bot.map(|bot| self.bots.entry(bot).or_default());
        let waits_all = all.as_ref().and_then(|all| wait(all, global, now_ms));
        let waits = wait(times, self.rates.bucket, now_ms);
        let result = match (waits_all, waits) {
            (Some(ms), _) => Err(Refusal::flood(Scope::Global, seconds(ms))),
            (None, Some(ms)) => Err(Refusal::flood(Scope::User, seconds(ms))),
            (None, None) => Ok(()),
        };
        if result.is_ok() {
            count(times, self.rates.bucket, now_ms);
            if let Some(all) = all {
                count(all, global, now_ms);
            }
        }
        // Without rates the headers are there as always, and tell of plenty.
        let (limit, window_ms) = self.rates.bucket.unwrap_or((1000, 1000));
        let used = times.iter().filter(|at| **at + window_ms > now_ms).count();
        let reset_ms = times.front().map_or(now_ms, |oldest| oldest + window_ms).max(now_ms);
        let bucket = Bucket {
            name: route.bucket(),
            limit,
            remaining: limit.saturating_sub(used),
            reset: seconds(reset_ms),
            reset_after: seconds(reset_ms - now_ms),
        };
        (bucket, result)
    }
}

fn count(times: &mut VecDeque<i64>, rate: Option<(usize, i64)>, now_ms: i64) {
    times.push_back(now_ms);
    while times.len() > rate.map_or(0, |(count, _)| count) {
        times.pop_front();
    }
}

/// Milliseconds until another fits; `None` when it does now.
fn wait(times: &VecDeque<i64>, rate: Option<(usize, i64)>, now_ms: i64) -> Option<i64> {
    let (count, window_ms) = rate?;
    let oldest = times.len().checked_sub(count).and_then(|at| times.get(at))?;
    let free_at = oldest + window_ms;
    (free_at > now_ms).then_some(free_at - now_ms)
}

/// The platform's manner of telling times: seconds with a fraction.
fn seconds(ms: i64) -> f64 {
    f64::from(i32::try_from(ms % 1000).unwrap_or(0)) / 1000.0 + whole(ms / 1000)
}

fn whole(seconds: i64) -> f64 {
    u32::try_from(seconds).map_or(0.0, f64::from)
}
