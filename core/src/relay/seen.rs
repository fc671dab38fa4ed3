//! Which updates were handled already. Platforms deliver twice, also across a restart; what had an effect is saved with that
//! effect, everything else is remembered only until the process ends. Forgets after a bounded time and number.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

use crate::id::{Account, MessageId, Place, UpdateId};
use crate::time::{Span, Time};

/// How long an update is recognised. Platforms repeat for a day at most (Telegram keeps updates 24 h).
const KEPT: Span = Span::seconds(48 * 60 * 60);

/// Most that are recognised; the oldest go first. At 100 updates a second this is still several minutes of repeats.
const KEPT_MAX: usize = 50_000;

/// What is recognised.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Key {
    /// A delivered update.
    Update(Account, UpdateId),
    /// A message that became an answer: editing it later changes nothing.
    Message(Place, MessageId),
}

/// Everything recognised.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// When it was seen, and whether that is saved.
    known: BTreeMap<Key, (Time, bool)>,
    order: VecDeque<Key>,
}

impl Seen {
    pub(super) fn contains(&self, key: &Key) -> bool {
        self.known.contains_key(key)
    }

    /// When a saved one was seen.
    pub(super) fn saved(&self, key: &Key) -> Option<Time> {
        self.known.get(key).filter(|(_, saved)| *saved).map(|(at, _)| *at)
    }

    pub(super) fn insert(&mut self, key: Key, at: Time) {
        if self.known.insert(key.clone(), (at, false)).is_none() {
            self.order.push_back(key);
        }
    }

    /// From now on it is saved.
    pub(super) fn save(&mut self, key: &Key) {
        if let Some((_, saved)) = self.known.get_mut(key) {
            *saved = true;
        }
    }

    /// One that is too old or too many, if there is one; to be called until there is none. True when it was saved.
    pub(super) fn expire(&mut self, now: Time) -> Option<(Key, bool)> {
        let key = self.order.front()?;
        let at = self.known.get(key).map_or(now, |(at, _)| *at);
        if self.order.len() <= KEPT_MAX && now.since(at) < KEPT {
            return None;
        }
        let key = self.order.pop_front()?;
        let saved = self.known.remove(&key).is_some_and(|(_, saved)| saved);
        Some((key, saved))
    }

    /// Takes up what an earlier process saved, in any order.
    pub(super) fn recover(&mut self, mut all: Vec<(Time, Key)>) {
        all.sort();
        for (at, key) in all {
            self.insert(key.clone(), at);
            self.save(&key);
        }
    }
}
