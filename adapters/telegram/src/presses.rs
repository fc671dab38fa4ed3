//! Presses that wait for their acknowledgement: between the update that brought one and the Order that ends it. Sends nothing.

use std::collections::{BTreeMap, VecDeque};

use askrelay_core::id::AckId;

use crate::limits::PRESSES;

/// Presses whose end is owed, and those that came lately.
#[derive(Debug, Default)]
pub(crate) struct Presses {
    owed: BTreeMap<AckId, String>,
    /// By the platform's id, the oldest first.
    lately: VecDeque<String>,
    count: u64,
}

impl Presses {
    /// A press came. One that is delivered again owes nothing new.
    pub(crate) fn came(&mut self, press: &str) -> Option<AckId> {
        if self.lately.iter().rev().any(|known| known == press) {
            return None;
        }
        if self.lately.len() >= PRESSES {
            self.lately.pop_front();
        }
        if self.owed.len() >= PRESSES {
            self.owed.pop_first();
        }
        self.lately.push_back(press.to_owned());
        self.count += 1;
        self.owed.insert(AckId(self.count), press.to_owned());
        Some(AckId(self.count))
    }

    /// The platform's id of a press that is ended now; nothing where none is owed.
    pub(crate) fn end(&mut self, ack: AckId) -> Option<String> {
        self.owed.remove(&ack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_is_owed_and_ended_once() {
        let mut presses = Presses::default();
        let (first, second) = (presses.came("77").unwrap(), presses.came("78").unwrap());
        assert_ne!(first, second);
        assert_eq!(presses.came("77"), None, "delivered again");
        assert_eq!(presses.end(first).as_deref(), Some("77"));
        assert_eq!(presses.end(first), None);
        assert_eq!(presses.came("77"), None, "delivered again after its end");
        assert_eq!(presses.end(AckId(99)), None);
    }

    #[test]
    fn what_nobody_ends_is_forgotten() {
        let mut presses = Presses::default();
        let first = presses.came("first").unwrap();
        for number in 0..PRESSES {
            presses.came(&number.to_string());
        }
        assert_eq!(presses.end(first), None);
        assert!(presses.lately.len() <= PRESSES && presses.owed.len() <= PRESSES);
    }
}
