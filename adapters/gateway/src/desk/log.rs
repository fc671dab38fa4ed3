//! The newest changes, numbered, for event streams that come back and say how far they had got. Bounded by number and by weight:
//! whoever was away for longer is told that there is a gap.

use std::collections::VecDeque;

use super::effect::Change;
use crate::weight::record_weight;

/// The newest changes.
#[derive(Debug)]
pub(super) struct Log {
    boot: String,
    /// The number of the newest change; 0 before the first.
    newest: u64,
    /// With the weight of its Record each.
    entries: VecDeque<(Change, usize)>,
    entries_max: usize,
    weight: usize,
    weight_max: usize,
}

impl Log {
    pub(super) const fn new(boot: String, entries_max: usize, weight_max: usize) -> Self {
        Self { boot, newest: 0, entries: VecDeque::new(), entries_max, weight: 0, weight_max }
    }

    /// Names this run of the gateway: numbers of another run say nothing here.
    pub(super) fn boot(&self) -> &str {
        &self.boot
    }

    /// The number of the newest change.
    pub(super) const fn newest(&self) -> u64 {
        self.newest
    }

    /// Adds a change and gives its number.
    pub(super) fn add(&mut self, change: Change) -> u64 {
        self.newest += 1;
        let weight = record_weight(change.record());
        self.weight += weight;
        self.entries.push_back((change, weight));
        while self.entries.len() > self.entries_max || self.weight > self.weight_max {
            let Some((_, weight)) = self.entries.pop_front() else { break };
            self.weight = self.weight.saturating_sub(weight);
        }
        self.newest
    }

    /// The changes after the place that `id` names, with their numbers; none when it names no place here or one that is
    /// no longer kept.
    pub(super) fn after(&self, id: &str) -> Option<impl Iterator<Item = (u64, &Change)>> {
        let number: u64 = id.strip_prefix(&self.boot)?.strip_prefix('-')?.parse().ok()?;
        let oldest = self.newest - self.entries.len() as u64;
        (oldest..=self.newest).contains(&number).then(|| {
            let skip = usize::try_from(number - oldest).unwrap_or(usize::MAX);
            (number + 1..).zip(self.entries.iter().skip(skip).map(|(change, _)| change))
        })
    }
}
