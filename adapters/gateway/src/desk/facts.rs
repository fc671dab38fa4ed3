//! From the ledger's facts to what is saved and told: every fact goes to the store, and what it means for the callers is
//! held until it is there.

use std::sync::Arc;

use askrelay_core::answer::Actor;
use askrelay_core::id::{RecordId, RecordKey};
use askrelay_core::ledger::Fact;
use askrelay_core::record::{Record, State};
use askrelay_core::time::Time;
use askrelay_store::{AuditEntry, CommitError, Outcome as Saved};

use super::commits::{Batch, Ended};
use super::effect::{Change, Effect};
use super::{Desk, Outcome, ReplyTo};
use crate::weight::{ask_weight, record_weight};

impl Desk {
    /// Takes over what the ledger did in this step.
    pub(super) fn gather(&mut self) {
        for fact in self.ledger.take_facts() {
            let (key, change) = match &fact {
                Fact::Opened(record) => {
                    self.pending_weight += ask_weight(&record.ask);
                    (&record.key, self.held(&record.key.id).map(Change::Opened))
                }
                Fact::Closed { key, .. } => (key, self.held(&key.id).map(Change::Ended)),
                Fact::Late { key, .. } => (key, self.held(&key.id).map(Change::Late)),
                Fact::Forgotten { .. } => {
                    self.commits.add(fact.into(), None, 0);
                    continue;
                }
            };
            let id = key.id.clone();
            let Some(change) = change else { continue };
            if let Change::Ended(record) = &change {
                self.pending_weight = self.pending_weight.saturating_sub(ask_weight(&record.ask));
                self.ended.push_back(id.clone());
            }
            let audit = audit(&fact);
            self.commits.add(fact.into(), Some(&id), record_weight(change.record()));
            if let Some(entry) = audit {
                self.commits.add(entry.into(), None, 0);
            }
            self.commits.hold(Effect::Publish(change));
        }
    }

    /// A commit has ended: its effects go out, or everything that rests on it is undone.
    pub(super) fn saved(&mut self, (batch, result): Ended) {
        match result {
            Ok(outcomes) if outcomes.iter().all(|outcome| *outcome == Saved::Applied) => {
                batch.effects.into_iter().for_each(|effect| self.perform(effect));
                self.release_ended();
            }
            Ok(_) => self.failed(batch, None),
            Err(error) => self.failed(batch, Some(error)),
        }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Respond(to, outcome) => self.respond(to, outcome),
            Effect::Publish(change) => self.publish(change),
        }
    }

    /// Answers a call now.
    pub(super) fn respond(&mut self, to: ReplyTo, outcome: Outcome) {
        match to {
            // The caller may have gone away; then nobody wants to know.
            ReplyTo::Call(reply) => drop(reply.send(outcome)),
            ReplyTo::Frame { connection, id } => {
                if self.connections.respond(connection, id, outcome).is_err() {
                    self.leave(connection);
                }
            }
        }
    }

    /// Answers a call as soon as everything known about the Record is saved.
    pub(super) fn respond_about(&mut self, record: &RecordId, to: ReplyTo, outcome: Outcome) {
        if let Some(effect) = self.commits.hold_for(record, Effect::Respond(to, outcome)) {
            self.perform(effect);
        }
    }

    /// Answers a call as soon as everything known by now is saved.
    pub(super) fn respond_about_all(&mut self, to: ReplyTo, outcome: Outcome) {
        if let Some(effect) = self.commits.hold_for_all(Effect::Respond(to, outcome)) {
            self.perform(effect);
        }
    }

    /// Lets go of the oldest ended Records beyond the bound, as far as their ends are saved.
    fn release_ended(&mut self) {
        while self.ended.len() > self.config.bounds.ended_records
            && let Some(id) = self.ended.front()
            && !self.commits.is_unsaved(id)
        {
            self.ledger.release(id);
            self.ended.pop_front();
        }
    }

    /// Forgets what ended too long ago, here and in the store.
    pub(super) fn forget_old(&mut self) {
        if !self.is_writable() {
            return;
        }
        let kept = i64::try_from(self.config.keep_ended.0).unwrap_or(i64::MAX);
        let before = Time(self.clock.now().0.saturating_sub(kept));
        self.commits.add(Fact::Forgotten { before }.into(), None, 0);
        let ledger = &mut self.ledger;
        self.ended.retain(|id| {
            let old =
                ledger.get(id).and_then(|record| record.state.ended_at()).is_none_or(|end| end < before);
            if old {
                ledger.release(id);
            }
            !old
        });
    }

    fn held(&self, id: &RecordId) -> Option<Arc<Record>> {
        self.ledger.get(id).cloned()
    }

    /// A commit failed. Whoever waited for it is told to come back; what was in memory may rest on it and is read again from
    /// the store once nothing is under way any more.
    pub(super) fn failed(&mut self, batch: Batch, _why: Option<CommitError>) {
        self.begin_recovery();
        for effect in batch.effects {
            if let Effect::Respond(to, _) = effect {
                self.respond(to, Err(super::failure::not_saved()));
            }
        }
    }
}

/// What the trail keeps of a fact: who ended what. Opening is not in it, since the Record itself says who asked.
fn audit(fact: &Fact) -> Option<AuditEntry> {
    let (key, at, what, actor) = match fact {
        Fact::Closed { key, state: State::Answered(answered) } => {
            (key, answered.at, "ask.answered", Some(&answered.by))
        }
        Fact::Closed { key, state: State::Cancelled(cancelled) } => {
            (key, cancelled.at, "ask.cancelled", cancelled.by.as_ref())
        }
        Fact::Late { key, answered } => (key, answered.at, "ask.answered_late", Some(&answered.by)),
        Fact::Opened(_) | Fact::Closed { .. } | Fact::Forgotten { .. } => return None,
    };
    Some(entry(at, what, actor, Some(key)))
}

/// One entry of the trail.
pub(super) fn entry(at: Time, what: &str, actor: Option<&Actor>, record: Option<&RecordKey>) -> AuditEntry {
    AuditEntry { actor: actor.cloned(), record: record.cloned(), ..AuditEntry::new(at, what) }
}
