//! From the ledger's facts to what is saved and told: every fact goes to the store, and what it means for the callers is
//! held until it is there.

use std::sync::Arc;

use askrelay_core::answer::{Actor, Way};
use askrelay_core::id::RecordId;
use askrelay_core::ledger::Fact;
use askrelay_core::record::{Record, State, WhyCancelled};
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
                // Of interest to whoever asks again only: nobody is told.
                Fact::Collected { key, .. } => {
                    let id = key.id.clone();
                    self.commits.add(fact.into(), Some(&id), 0);
                    continue;
                }
                Fact::Forgotten { .. } => {
                    self.commits.add(fact.into(), None, 0);
                    continue;
                }
            };
            let id = key.id.clone();
            let Some(change) = change else { continue };
            let weight = record_weight(change.record());
            match &change {
                Change::Opened(_) => {}
                Change::Ended(record) => {
                    self.pending_weight = self.pending_weight.saturating_sub(ask_weight(&record.ask));
                    self.ended.add(id.clone(), weight);
                }
                Change::Late(_) => self.ended.weigh(&id, weight),
            }
            let audit = audit(&fact, change.record());
            self.commits.add(fact.into(), Some(&id), weight);
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
            Effect::TellRing(event) => self.tell_ring(&event),
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
    pub(super) fn release_ended(&mut self) {
        let bounds = self.config.bounds;
        while let Some(id) = self.ended.excess(bounds.ended_records, bounds.ended_bytes)
            && !self.commits.is_unsaved(id)
        {
            self.ledger.release(id);
            self.ended.remove_oldest();
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
    pub(super) fn failed(&mut self, batch: Batch, why: Option<CommitError>) {
        self.tell_unsaved(why.as_ref());
        self.begin_recovery();
        for effect in batch.effects {
            if let Effect::Respond(to, _) = effect {
                self.respond(to, Err(super::failure::not_saved()));
            }
        }
    }
}

/// What the trail keeps of a fact: who asked, and who ended it with what.
fn audit(fact: &Fact, record: &Record) -> Option<AuditEntry> {
    let entry = |at, what, actor: Option<&Actor>, detail: Option<String>| AuditEntry {
        actor: actor.cloned(),
        record: Some(record.key.clone()),
        detail,
        ..AuditEntry::new(at, what)
    };
    Some(match fact {
        Fact::Opened(record) => {
            let creator = &record.ask.creator;
            let actor = creator.person.clone().map(|person| Actor::new(Some(person), Way::Call));
            let token = creator.token.clone();
            AuditEntry { token, ..entry(record.key.created_at, "ask.opened", actor.as_ref(), None) }
        }
        Fact::Closed { state: State::Answered(answered), .. } => AuditEntry::answered(record, answered),
        Fact::Closed { state: State::Cancelled(cancelled), .. } => {
            let why = match &cancelled.why {
                WhyCancelled::NotDelivered { detail } => format!("not delivered: {detail}"),
                WhyCancelled::Declined => "declined".to_owned(),
                WhyCancelled::Withdrawn => "withdrawn".to_owned(),
                WhyCancelled::Unavailable => "unavailable".to_owned(),
            };
            entry(cancelled.at, "ask.cancelled", cancelled.by.as_ref(), Some(why))
        }
        Fact::Closed { state: State::Expired { at }, .. } => entry(*at, "ask.expired", None, None),
        // Nobody accepted it, so the trail keeps none of it; the Record does.
        Fact::Late { answered, .. } => entry(answered.at, "ask.answered_late", Some(&answered.by), None),
        Fact::Closed { state: State::Pending, .. } | Fact::Collected { .. } | Fact::Forgotten { .. } => {
            return None;
        }
    })
}
