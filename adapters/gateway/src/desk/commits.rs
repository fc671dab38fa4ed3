//! The facts of this step and the commits under way, each with the effects that wait for it. Commits end in the order they
//! were made; the store promises so.

use std::collections::{HashMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use askrelay_core::id::RecordId;
use askrelay_store::{CommitError, CommitTicket, Fact, Outcome as Saved, Store};

use super::effect::Effect;

/// Most bytes of Records that one commit carries, roughly, before the next request is looked at.
const BATCH_WEIGHT: usize = 2 << 20;

/// Most bytes under way, roughly. Past it the desk takes no requests until the store has caught up, and the pressure is
/// felt where the requests come from. Sixfold, as escaped text can be, it still fits into the store's queue.
const UNDER_WAY_WEIGHT: usize = 4 << 20;

/// Most facts that wait in the store, whoever put them there; a quarter of what it takes, so that ours always fit.
const QUEUED_FACTS: usize = 4096;

/// Numbers commits from the start of the gateway on.
pub(super) type CommitNumber = u64;

/// A commit's facts while they are gathered, and those under way.
#[derive(Debug, Default)]
pub(super) struct Commits {
    /// The number that the facts gathered now will have.
    number: CommitNumber,
    facts: Vec<Fact>,
    batch: Batch,
    under_way: VecDeque<(CommitTicket, Batch)>,
    under_way_weight: usize,
    /// The newest commit about each Record, while it is not saved.
    unsaved: HashMap<RecordId, CommitNumber>,
}

/// What belongs to one commit besides its facts.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) number: CommitNumber,
    pub(super) effects: Vec<Effect>,
    records: Vec<RecordId>,
    weight: usize,
}

/// How a commit ended.
pub(super) type Ended = (Batch, Result<Vec<Saved>, CommitError>);

impl Commits {
    /// Adds a fact of this step; `record` is what it is about.
    pub(super) fn add(&mut self, fact: Fact, record: Option<&RecordId>, weight: usize) {
        self.facts.push(fact);
        self.batch.weight += weight;
        if let Some(record) = record {
            self.unsaved.insert(record.clone(), self.number);
            self.batch.records.push(record.clone());
        }
    }

    /// Holds the effect until this step's facts are saved.
    pub(super) fn hold(&mut self, effect: Effect) {
        self.batch.effects.push(effect);
    }

    /// Holds the effect until everything known about the Record is saved; gives it back when that is the case.
    pub(super) fn hold_for(&mut self, record: &RecordId, effect: Effect) -> Option<Effect> {
        match self.unsaved.get(record) {
            Some(number) => self.hold_until(*number, effect),
            None => Some(effect),
        }
    }

    /// Holds the effect until everything known so far is saved; gives it back when that is the case.
    pub(super) fn hold_for_all(&mut self, effect: Effect) -> Option<Effect> {
        let newest = if self.facts.is_empty() {
            self.under_way.back().map(|(_, batch)| batch.number)
        } else {
            Some(self.number)
        };
        match newest {
            Some(number) => self.hold_until(number, effect),
            None => Some(effect),
        }
    }

    fn hold_until(&mut self, number: CommitNumber, effect: Effect) -> Option<Effect> {
        if number == self.number {
            self.batch.effects.push(effect);
            return None;
        }
        match self.under_way.iter_mut().rev().find(|(_, batch)| batch.number == number) {
            Some((_, batch)) => batch.effects.push(effect),
            None => return Some(effect),
        }
        None
    }

    /// Whether this step's facts are to be handed over before the next request is looked at.
    pub(super) const fn is_full(&self) -> bool {
        self.batch.weight >= BATCH_WEIGHT
    }

    /// Whether more may be put under way.
    pub(super) fn has_room(&self, store: &dyn Store) -> bool {
        self.under_way_weight < UNDER_WAY_WEIGHT && store.queued_facts() < QUEUED_FACTS
    }

    /// Whether the Record is known better than the store has it.
    pub(super) fn is_unsaved(&self, record: &RecordId) -> bool {
        self.unsaved.contains_key(record)
    }

    /// Whether nothing is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Hands the facts of this step to the store, if there are any.
    pub(super) fn hand_over(&mut self, store: &dyn Store) {
        if self.facts.is_empty() {
            return;
        }
        let ticket = store.commit(std::mem::take(&mut self.facts));
        let mut batch = std::mem::take(&mut self.batch);
        batch.number = self.number;
        self.number += 1;
        self.under_way_weight += batch.weight;
        self.under_way.push_back((ticket, batch));
    }

    /// Waits for the oldest commit under way; forever when there is none.
    pub(super) async fn next(&mut self) -> Ended {
        let result = poll_fn(|context| match self.under_way.front_mut() {
            Some((ticket, _)) => Pin::new(ticket).poll(context),
            None => Poll::Pending,
        })
        .await;
        let batch = self.under_way.pop_front().map(|(_, batch)| batch).unwrap_or_default();
        self.under_way_weight -= batch.weight;
        for record in &batch.records {
            if self.unsaved.get(record) == Some(&batch.number) {
                self.unsaved.remove(record);
            }
        }
        (batch, result)
    }
}
