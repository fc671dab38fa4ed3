//! How much may be called when, as the platform tells it: by all calls together, and by kinds of calls in one conversation, some of
//! which are counted together. Pure over the time that is handed in.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::encode::What;
use crate::place::Spot;
use askrelay_core::pace::Pace;
use askrelay_core::pace::Window;

/// Calls that are counted together, as far as we know without being told.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Route {
    kind: Kind,
    /// Each conversation is counted for itself.
    spot: Spot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Open,
    Post,
    Edit,
    Reopen,
    Follow,
}

impl Route {
    pub(crate) const fn of(what: &What, spot: Spot) -> Self {
        let kind = match what {
            What::Open => Kind::Open,
            What::Post => Kind::Post,
            What::Edit(_) => Kind::Edit,
            What::Reopen => Kind::Reopen,
            What::Follow(_) => Kind::Follow,
        };
        Self { kind, spot }
    }

    /// Answers to interactions do not count among all calls.
    const fn is_counted_overall(&self) -> bool {
        !matches!(self.kind, Kind::Follow)
    }
}

/// What the platform told beside an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Told {
    /// The name of what is counted together.
    pub(crate) bucket: Option<String>,
    /// How many more calls are free.
    pub(crate) left: Option<u64>,
    /// When that begins anew.
    pub(crate) resets_after: Option<Duration>,
}

/// What is counted together, in one conversation.
type Bucket = (String, Spot);

#[derive(Debug)]
struct Count {
    left: u64,
    resets: Instant,
}

/// Everything that is counted.
#[derive(Debug)]
pub(crate) struct Buckets {
    overall: Window<Instant>,
    /// The platform wants to be left alone until then.
    all_until: Option<Instant>,
    routes_until: BTreeMap<Route, Instant>,
    names: BTreeMap<Route, String>,
    counts: BTreeMap<Bucket, Count>,
}

/// Conversations that are remembered before those at rest are forgotten.
const COUNTS: usize = 1024;

impl Buckets {
    pub(crate) const fn new(overall: Pace) -> Self {
        Self {
            overall: Window::new(overall),
            all_until: None,
            routes_until: BTreeMap::new(),
            names: BTreeMap::new(),
            counts: BTreeMap::new(),
        }
    }

    /// When such a call may be made, at the earliest.
    pub(crate) fn due(&mut self, route: &Route, now: Instant) -> Instant {
        let told = self.routes_until.get(route).copied();
        let count = self.bucket(route).and_then(|bucket| self.counts.get(&bucket));
        let resets = count.filter(|count| count.left == 0).map(|count| count.resets);
        let (all, overall) = match route.is_counted_overall() {
            true => (self.all_until, Some(self.overall.due(now))),
            false => (None, None),
        };
        [told, resets, all, overall].into_iter().flatten().fold(now, Instant::max)
    }

    /// One is made now.
    pub(crate) fn spend(&mut self, route: &Route, now: Instant) {
        if route.is_counted_overall() {
            self.overall.spend(now);
        }
        let bucket = self.bucket(route);
        if let Some(count) = bucket.and_then(|bucket| self.counts.get_mut(&bucket)) {
            if count.resets <= now {
                // The platform tells how many there are now with its answer.
                count.left = u64::MAX;
            }
            count.left = count.left.saturating_sub(1);
        }
    }

    /// The platform told how much is left.
    pub(crate) fn told(&mut self, route: &Route, told: &Told, now: Instant) {
        let (Some(name), Some(left), Some(resets_after)) = (&told.bucket, told.left, told.resets_after)
        else {
            return;
        };
        self.forget(now);
        self.names.insert(route.clone(), name.clone());
        let count = Count { left, resets: now + resets_after };
        self.counts.insert((name.clone(), route.spot), count);
    }

    /// The platform wants to be left alone, by all calls or by this kind in this conversation.
    pub(crate) fn limited(&mut self, route: &Route, until: Instant, global: bool) {
        if global {
            self.all_until = self.all_until.max(Some(until));
        } else {
            let known = self.routes_until.entry(route.clone()).or_insert(until);
            *known = until.max(*known);
        }
    }

    fn bucket(&self, route: &Route) -> Option<Bucket> {
        self.names.get(route).map(|name| (name.clone(), route.spot))
    }

    fn forget(&mut self, now: Instant) {
        self.routes_until.retain(|_, until| *until > now);
        if self.counts.len() >= COUNTS {
            self.counts.retain(|_, count| count.resets > now);
            let Self { counts, names, .. } = self;
            names.retain(|route, name| counts.contains_key(&(name.clone(), route.spot)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Snowflake;

    const HERE: Spot = Spot::Channel(Snowflake(1));
    const THERE: Spot = Spot::Channel(Snowflake(2));
    const FAST: Pace = Pace { most: 1000, within: Duration::from_secs(1) };

    fn post(spot: Spot) -> Route {
        Route::of(&What::Post, spot)
    }

    fn told(name: &str, left: u64, seconds: u64) -> Told {
        let resets_after = Some(Duration::from_secs(seconds));
        Told { bucket: Some(name.to_owned()), left: Some(left), resets_after }
    }

    fn after(buckets: &mut Buckets, route: &Route, now: Instant) -> u64 {
        buckets.due(route, now).duration_since(now).as_secs()
    }

    #[test]
    fn a_used_up_bucket_waits_for_its_reset() {
        let (mut buckets, now) = (Buckets::new(FAST), Instant::now());
        assert_eq!(after(&mut buckets, &post(HERE), now), 0, "nothing is known");
        buckets.told(&post(HERE), &told("a", 1, 5), now);
        assert_eq!(after(&mut buckets, &post(HERE), now), 0, "one is left");
        buckets.spend(&post(HERE), now);
        assert_eq!(after(&mut buckets, &post(HERE), now), 5, "none is left");
        assert_eq!(after(&mut buckets, &post(THERE), now), 0, "another channel");
        let later = now + Duration::from_secs(5);
        assert_eq!(after(&mut buckets, &post(HERE), later), 0, "it began anew");
        buckets.spend(&post(HERE), later);
        assert_eq!(after(&mut buckets, &post(HERE), later), 0, "what is left is not known");
    }

    #[test]
    fn kinds_of_calls_may_share_a_bucket() {
        let (mut buckets, now) = (Buckets::new(FAST), Instant::now());
        let edit = Route::of(&What::Edit(Snowflake(7)), HERE);
        buckets.told(&post(HERE), &told("a", 5, 5), now);
        assert_eq!(after(&mut buckets, &edit, now), 0);
        buckets.told(&edit, &told("a", 0, 3), now);
        assert_eq!(after(&mut buckets, &post(HERE), now), 3);
        buckets.told(&edit, &told("b", 0, 9), now);
        assert_eq!(after(&mut buckets, &post(HERE), now), 3, "not the same one any more");
    }

    #[test]
    fn a_429_stops_what_it_is_about() {
        let (mut buckets, now) = (Buckets::new(FAST), Instant::now());
        let follow = Route::of(&What::Follow(crate::token::InteractionToken::new("t".to_owned())), HERE);
        buckets.limited(&post(HERE), now + Duration::from_secs(4), false);
        buckets.limited(&post(HERE), now + Duration::from_secs(2), false);
        assert_eq!(after(&mut buckets, &post(HERE), now), 4, "the longer one counts");
        assert_eq!(after(&mut buckets, &post(THERE), now), 0);
        buckets.limited(&post(HERE), now + Duration::from_secs(7), true);
        assert_eq!(after(&mut buckets, &post(THERE), now), 7, "all calls");
        assert_eq!(after(&mut buckets, &follow, now), 0, "but what follows an interaction");
    }

    #[test]
    fn all_calls_together_keep_the_pace() {
        let now = Instant::now();
        let mut buckets = Buckets::new(Pace { most: 2, within: Duration::from_secs(1) });
        for spot in [HERE, THERE] {
            assert_eq!(after(&mut buckets, &post(spot), now), 0);
            buckets.spend(&post(spot), now);
        }
        assert_eq!(after(&mut buckets, &post(HERE), now), 1);
    }
}
