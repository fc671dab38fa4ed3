//! The audit trail: what the desk writes into it, how often at most, and reading it. A line is saved with the facts that it is
//! about; nothing is ever changed or taken out here.

use std::collections::{BTreeMap, VecDeque};

use askrelay_core::answer::{Actor, Way};
use askrelay_core::id::{RecordKey, TokenId};
use askrelay_core::ledger::Standing;
use askrelay_core::permit::{Caller, Refused};
use askrelay_core::time::{Span, Time};
use askrelay_protocol::call::{AuditParams, PAGE_DEFAULT, PAGE_MAX};
use askrelay_protocol::reply::Reply;
use askrelay_store::{AuditEntry, AuditPage, AuditQuery, Direction, ReadError};

use super::failure::too_many_waiting;
use super::lookup::Read;
use super::{Desk, ReplyTo, Seat};

/// Within this time so many refusals of one caller count; more would only fill the disk, or find a code by trying.
const WITHIN: Span = Span::seconds(600);
const REFUSALS_MAX: usize = 20;

/// Most callers that are told apart; beyond it all others count as one.
const CALLERS_MAX: usize = 4096;

/// When each caller was refused last.
#[derive(Debug, Default)]
pub(super) struct Refusals(BTreeMap<String, VecDeque<Time>>);

impl Refusals {
    /// Whether one more counts; it is counted then.
    pub(super) fn count(&mut self, who: &str, now: Time) -> bool {
        let has_room = !self.are_many(who, now);
        if has_room {
            self.0.entry(self.name(who)).or_default().push_back(now);
        }
        has_room
    }

    /// Whether as many as count were counted already.
    pub(super) fn are_many(&self, who: &str, now: Time) -> bool {
        let counted = self.0.get(&self.name(who)).into_iter().flatten();
        counted.filter(|at| now.since(**at) < WITHIN).count() >= REFUSALS_MAX
    }

    /// Lets go of those that are over.
    pub(super) fn forget_old(&mut self, now: Time) {
        self.0.retain(|_, counted| {
            counted.retain(|at| now.since(*at) < WITHIN);
            !counted.is_empty()
        });
    }

    fn name(&self, who: &str) -> String {
        let is_told_apart = self.0.len() < CALLERS_MAX || self.0.contains_key(who);
        if is_told_apart { who.to_owned() } else { String::new() }
    }
}

impl Desk {
    /// Writes a line down, with this step's facts.
    pub(super) fn note(&mut self, entry: AuditEntry) {
        self.commits.add(entry.into(), None, 0);
    }

    /// Writes down what the caller did.
    pub(super) fn audit(&mut self, seat: &Seat, what: &str, detail: Option<&str>, token: Option<&TokenId>) {
        self.note(AuditEntry {
            actor: own_actor(&seat.caller),
            token: token.cloned(),
            detail: detail.map(str::to_owned),
            ..AuditEntry::new(self.clock.now(), what)
        });
    }

    /// Writes down that somebody may not answer, unless much of that was written down already.
    pub(super) fn note_refusal(
        &mut self,
        caller: &Caller,
        standing: &Standing,
        record: &RecordKey,
        why: Refused,
    ) {
        let now = self.clock.now();
        let actor = match standing {
            Standing::Asserted(actor) if *caller == Caller::Ring => Some(actor.clone()),
            _ => own_actor(caller),
        };
        let token = match caller {
            Caller::Token { id, .. } => Some(id.clone()),
            Caller::Ring | Caller::Local { .. } => None,
        };
        let person = actor.as_ref().and_then(|actor| actor.person.as_ref());
        let who = match (&token, person) {
            (Some(token), _) => format!("token {token}"),
            (None, Some(person)) => format!("person {person}"),
            (None, None) => String::new(),
        };
        if self.is_writable() && self.noted.count(&who, now) {
            self.note(AuditEntry {
                actor,
                token,
                record: Some(record.clone()),
                detail: Some(why.name().to_owned()),
                ..AuditEntry::new(now, "answer.refused")
            });
        }
    }

    /// One page of the trail, read from the store: what is shown is what is saved.
    pub(super) fn trail(&mut self, params: AuditParams, to: ReplyTo) {
        if self.reads.len() + self.waiting.len() >= self.config.bounds.waiting {
            return self.respond(to, Err(too_many_waiting()));
        }
        let AuditParams { ask, person, after, limit } = params;
        let query = AuditQuery {
            person,
            record: ask.map(|id| (self.config.gateway.clone(), id)),
            direction: Direction::NewestFirst,
            after,
            limit: limit.unwrap_or(PAGE_DEFAULT).clamp(1, PAGE_MAX),
        };
        let ticket = self.store.audit(query);
        self.reads.push(Box::pin(async move { Read::Trail(to, ticket.await) }));
    }

    /// A page of the trail has come.
    pub(super) fn trail_read(&mut self, to: ReplyTo, read: Result<AuditPage, ReadError>) {
        let page = self.found(read);
        self.respond(to, page.map(|AuditPage { entries, next }| Reply::Trail { entries, next }));
    }
}

/// The caller's Person, acting by this call.
fn own_actor(caller: &Caller) -> Option<Actor> {
    let person = caller.person().cloned()?;
    Some(Actor::new(Some(person), Way::Call))
}
