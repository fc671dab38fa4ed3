//! What a store in memory holds, and what each fact does to it. Knows nothing of waiting or failing.

use askrelay_core::id::{GatewayId, InviteId, PersonId, RecordId, RecordKey, TokenId};
use askrelay_core::ledger;
use askrelay_core::pairing::{self, Pairing};
use askrelay_core::person::Person;
use askrelay_core::record::Record;
use askrelay_core::relay::facts::{Fact as RelayFact, FactKind};
use askrelay_core::time::Time;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use crate::fact::{AuditEntry, Fact, InviteFact, InviteRow, PersonFact, TokenFact, TokenRow};
use crate::page::{AuditPage, AuditQuery, Direction, RecordPage, RecordQuery, page_limit};
use crate::port::{Loaded, Outcome};

/// A Record's place in a page.
type Position = (Time, RecordId, GatewayId);

#[derive(Debug, Default)]
pub(crate) struct Kept {
    records: BTreeMap<RecordKey, Arc<Record>>,
    order: BTreeSet<Position>,
    /// In the order of their last put.
    people: Vec<Person>,
    tokens: BTreeMap<TokenId, TokenRow>,
    pairings: BTreeMap<pairing::Code, Pairing>,
    invites: BTreeMap<InviteId, InviteRow>,
    relay: BTreeMap<(&'static str, String), (FactKind, String)>,
    audit: Vec<AuditEntry>,
}

impl Kept {
    pub(crate) fn apply(&mut self, facts: Vec<Fact>) -> Vec<Outcome> {
        facts.into_iter().map(|fact| self.apply_one(fact)).collect()
    }

    fn apply_one(&mut self, fact: Fact) -> Outcome {
        match fact {
            Fact::Record(fact) => return self.apply_record(fact),
            Fact::Relay(RelayFact { kind, key, body: Some(body) }) => {
                self.relay.insert((kind.name(), key), (kind, body));
            }
            Fact::Relay(RelayFact { kind, key, body: None }) => {
                self.relay.remove(&(kind.name(), key));
            }
            Fact::Person(PersonFact::Put(person)) => {
                self.remove_person(&person.id);
                self.people.push(person);
            }
            Fact::Person(PersonFact::Remove(id)) => self.remove_person(&id),
            Fact::Token(TokenFact::Put(token)) => {
                self.tokens.insert(token.id.clone(), token);
            }
            Fact::Token(TokenFact::Remove(id)) => {
                self.tokens.remove(&id);
            }
            Fact::Pairing(pairing::Fact::Put(pairing)) => {
                self.pairings.insert(pairing.code.clone(), pairing);
            }
            Fact::Pairing(pairing::Fact::Removed(code)) => {
                self.pairings.remove(&code);
            }
            Fact::Invite(InviteFact::Put(row)) => {
                self.invites.insert(row.invite.id.clone(), row);
            }
            Fact::Invite(InviteFact::Remove(id)) => {
                self.invites.remove(&id);
            }
            Fact::Audit(entry) => self.audit.push(entry),
        }
        Outcome::Applied
    }

    fn apply_record(&mut self, fact: ledger::Fact) -> Outcome {
        match fact {
            ledger::Fact::Opened(record) => {
                let key = &record.key;
                let pending = self.with_id(&key.gateway, &key.id).any(|record| record.state.is_pending());
                if pending || self.records.contains_key(key) {
                    return Outcome::Exists;
                }
                self.order.insert(position(key));
                self.records.insert(key.clone(), record);
            }
            ledger::Fact::Closed { key, state } => match self.records.get_mut(&key) {
                Some(record) if record.state.is_pending() => Arc::make_mut(record).state = state,
                _ => return Outcome::NotPending,
            },
            ledger::Fact::Late { key, answered } => match self.records.get_mut(&key) {
                Some(record) if !record.state.is_pending() => Arc::make_mut(record).late.push(answered),
                _ => return Outcome::NotEnded,
            },
            ledger::Fact::Collected { key, at } => match self.records.get_mut(&key) {
                Some(record) if !record.state.is_pending() && record.collected.is_none() => {
                    Arc::make_mut(record).collected = Some(at);
                }
                _ => return Outcome::NotEnded,
            },
            ledger::Fact::Forgotten { before } => {
                let order = &mut self.order;
                self.records.retain(|key, record| {
                    let keep = record.state.ended_at().is_none_or(|ended_at| ended_at >= before);
                    if !keep {
                        order.remove(&position(key));
                    }
                    keep
                });
            }
        }
        Outcome::Applied
    }

    fn remove_person(&mut self, id: &PersonId) {
        self.people.retain(|person| person.id != *id);
    }

    /// Records with this id, oldest first.
    fn with_id(&self, gateway: &GatewayId, id: &RecordId) -> impl DoubleEndedIterator<Item = &Arc<Record>> {
        let at = |time| RecordKey { gateway: gateway.clone(), id: id.clone(), created_at: Time(time) };
        self.records.range(at(i64::MIN)..=at(i64::MAX)).map(|(_, record)| record)
    }

    pub(crate) fn load(&self) -> Loaded {
        let by_position = self.order.iter().filter_map(|position| self.at(position));
        Loaded {
            pending: by_position.filter(|record| record.state.is_pending()).cloned().collect(),
            people: self.people.iter().cloned().collect(),
            tokens: self.tokens.values().cloned().collect(),
            pairings: self.pairings.values().cloned().collect(),
            invites: self.invites.values().cloned().collect(),
        }
    }

    pub(crate) fn load_relay(&self) -> Vec<RelayFact> {
        let facts = self.relay.iter();
        facts
            .map(|((_, key), (kind, body))| RelayFact {
                kind: *kind,
                key: key.clone(),
                body: Some(body.clone()),
            })
            .collect()
    }

    pub(crate) fn newest(&self, gateway: &GatewayId, id: &RecordId) -> Option<Arc<Record>> {
        self.with_id(gateway, id).next_back().cloned()
    }

    pub(crate) fn records(&self, query: &RecordQuery) -> RecordPage {
        let limit = page_limit(query.limit);
        let after = query.after.as_ref().map(position);
        let matching = |position: &Position| {
            let record = self.at(position).filter(|record| query.filter.matches(&record.state));
            record
                .filter(|record| query.family.as_ref().is_none_or(|family| family.has(&record.key)))
                .cloned()
        };
        let records: Vec<_> = match (query.direction, after) {
            (Direction::OldestFirst, None) => self.order.iter().filter_map(matching).take(limit).collect(),
            (Direction::OldestFirst, Some(after)) => {
                let range = (Bound::Excluded(after), Bound::Unbounded);
                self.order.range(range).filter_map(matching).take(limit).collect()
            }
            (Direction::NewestFirst, None) => {
                self.order.iter().rev().filter_map(matching).take(limit).collect()
            }
            (Direction::NewestFirst, Some(after)) => {
                self.order.range(..after).rev().filter_map(matching).take(limit).collect()
            }
        };
        let full = records.len() == limit;
        RecordPage { next: records.last().filter(|_| full).map(|record| record.key.clone()), records }
    }

    pub(crate) fn audit(&self, query: &AuditQuery) -> AuditPage {
        let limit = page_limit(query.limit);
        let matching = |(number, entry): (i64, &AuditEntry)| {
            let behind = query.after.is_none_or(|after| match query.direction {
                Direction::OldestFirst => number > after,
                Direction::NewestFirst => number < after,
            });
            let person = entry.actor.as_ref().and_then(|actor| actor.person.as_ref());
            let by = query.person.is_none() || query.person.as_ref() == person;
            let about = query.record.as_ref().is_none_or(|(gateway, id)| {
                entry.record.as_ref().is_some_and(|key| key.gateway == *gateway && key.id == *id)
            });
            (behind && by && about).then(|| (number, entry.clone()))
        };
        let numbered = (1..).zip(&self.audit);
        let entries: Vec<_> = match query.direction {
            Direction::OldestFirst => numbered.filter_map(matching).take(limit).collect(),
            Direction::NewestFirst => {
                let last = self.audit.len() as i64;
                (1..=last).rev().zip(self.audit.iter().rev()).filter_map(matching).take(limit).collect()
            }
        };
        let full = entries.len() == limit;
        AuditPage { next: entries.last().filter(|_| full).map(|(number, _)| *number), entries }
    }

    fn at(&self, (created_at, id, gateway): &Position) -> Option<&Arc<Record>> {
        self.records.get(&RecordKey { gateway: gateway.clone(), id: id.clone(), created_at: *created_at })
    }
}

fn position(key: &RecordKey) -> Position {
    (key.created_at, key.id.clone(), key.gateway.clone())
}
