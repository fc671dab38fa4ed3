//! How many Orders one Account has under way. A surface that comes back with thousands of Prompts to mend gets them a few at
//! a time, so that its bounded queue never fills; new questions and endings go before changes of looks.

use std::collections::{BTreeMap, BTreeSet};

use super::state::Pair;
use crate::id::Account;

/// Most Orders under way per Account. Enough to keep any platform's rate limit busy (Telegram takes 30 messages a second),
/// and well below the queue of a surface.
const UNDER_WAY_MAX: usize = 32;

/// Which of two waiting Orders goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Urgency {
    /// A question to show, an end to tell.
    Matter,
    /// A draft to redraw.
    Looks,
}

/// The Accounts' Orders.
#[derive(Debug, Default)]
pub(super) struct Lanes(BTreeMap<Account, Lane>);

#[derive(Debug, Default)]
struct Lane {
    under_way: BTreeSet<Pair>,
    waiting: BTreeSet<(Urgency, Pair)>,
}

impl Lanes {
    /// Whether the pair may order now; otherwise it is remembered and comes up as soon as there is room.
    pub(super) fn enter(&mut self, pair: &Pair, urgency: Urgency) -> bool {
        let lane = self.0.entry(pair.1.account.clone()).or_default();
        if lane.under_way.len() >= UNDER_WAY_MAX {
            lane.waiting.insert((urgency, pair.clone()));
            return false;
        }
        lane.waiting.remove(&(Urgency::Matter, pair.clone()));
        lane.waiting.remove(&(Urgency::Looks, pair.clone()));
        lane.under_way.insert(pair.clone());
        true
    }

    /// The pair's Order is over.
    pub(super) fn leave(&mut self, pair: &Pair) {
        if let Some(lane) = self.0.get_mut(&pair.1.account) {
            lane.under_way.remove(pair);
        }
    }

    /// The pair has another name; what it has under way goes on.
    pub(super) fn rename(&mut self, before: &Pair, after: &Pair) {
        if let Some(lane) = self.0.get_mut(&before.1.account)
            && lane.under_way.remove(before)
        {
            lane.under_way.insert(after.clone());
        }
    }

    /// A pair that waited, if there is room for it now.
    pub(super) fn next(&mut self, account: &Account) -> Option<Pair> {
        let lane = self.0.get_mut(account)?;
        if lane.under_way.len() >= UNDER_WAY_MAX {
            return None;
        }
        lane.waiting.pop_first().map(|(_, pair)| pair)
    }

    /// Whether any Account has an Order under way.
    pub(super) fn any_under_way(&self) -> bool {
        self.0.values().any(|lane| !lane.under_way.is_empty())
    }

    /// The Account is not connected: nothing is under way or waits.
    pub(super) fn clear(&mut self, account: &Account) {
        self.0.remove(account);
    }
}
