//! The ended Records in memory, in the order they came to be there, bounded by their number and by their weight. Only keeps the
//! list: the ledger has the Records.

use std::collections::VecDeque;

use askrelay_core::id::RecordId;

/// Ended Records in memory.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// With its weight each.
    order: VecDeque<(RecordId, usize)>,
    weight: usize,
}

impl Ended {
    /// A Record has ended, or an ended one was read from the store.
    pub(super) fn add(&mut self, id: RecordId, weight: usize) {
        self.weight += weight;
        self.order.push_back((id, weight));
    }

    /// The Record weighs this much now, with a late answer on it.
    pub(super) fn weigh(&mut self, id: &RecordId, weight: usize) {
        if let Some((_, before)) = self.order.iter_mut().rev().find(|(ended, _)| ended == id) {
            self.weight = self.weight.saturating_sub(*before) + weight;
            *before = weight;
        }
    }

    /// The oldest one, if there are more of them or they weigh more than allowed.
    pub(super) fn excess(&self, count_max: usize, weight_max: usize) -> Option<&RecordId> {
        let is_too_much = self.order.len() > count_max || self.weight > weight_max;
        self.order.front().filter(|_| is_too_much).map(|(id, _)| id)
    }

    /// The oldest one is let go of.
    pub(super) fn remove_oldest(&mut self) {
        if let Some((_, weight)) = self.order.pop_front() {
            self.weight = self.weight.saturating_sub(weight);
        }
    }

    /// Keeps those that `is_kept` says.
    pub(super) fn retain(&mut self, mut is_kept: impl FnMut(&RecordId) -> bool) {
        let weight = &mut self.weight;
        self.order.retain(|(id, its)| {
            let kept = is_kept(id);
            if !kept {
                *weight = weight.saturating_sub(*its);
            }
            kept
        });
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds Records of these weights, then lets go of what exceeds two Records or 100 bytes, and compares what is left.
    fn check(name: &str, weights: &[usize], grown: Option<(&str, usize)>, left: &[&str]) {
        let mut ended = Ended::default();
        for (number, weight) in weights.iter().enumerate() {
            ended.add(number.to_string().as_str().into(), *weight);
        }
        if let Some((id, weight)) = grown {
            ended.weigh(&id.into(), weight);
        }
        while ended.excess(2, 100).is_some() {
            ended.remove_oldest();
        }
        let found: Vec<&str> = ended.order.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(found, left, "{name}");
        ended.retain(|_| false);
        assert_eq!(ended.weight, 0, "{name}");
    }

    #[test]
    fn the_oldest_go_first() {
        check("few and light", &[1, 1], None, &["0", "1"]);
        check("many", &[1, 1, 1], None, &["1", "2"]);
        check("heavy", &[60, 60], None, &["1"]);
        check("one alone too heavy", &[1, 101], None, &[]);
        check("heavy by a late answer", &[40, 40], Some(("1", 70)), &["1"]);
        check("late answer on one that is gone", &[40, 40], Some(("7", 70)), &["0", "1"]);
    }
}
