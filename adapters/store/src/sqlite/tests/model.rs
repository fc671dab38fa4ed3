//! Whatever facts come in whatever order, a file and the fake in memory say the same, before and after a restart.

use askrelay_core::ledger;
use askrelay_core::pairing;
use askrelay_core::relay::facts::{Fact as RelayFact, FactKind};
use askrelay_core::time::Time;
use proptest::prelude::*;
use std::sync::Arc;

use super::harness::InFile;
use crate::contract::{Harness, sample};
use crate::fact::{AuditEntry, Fact, InviteFact, PersonFact, TokenFact, TokenHash, TokenRow};
use crate::memory::MemoryStore;
use crate::page::{AuditQuery, RecordQuery, StateFilter};
use crate::port::Store;

/// Few ids and times, so that facts meet.
fn fact() -> impl Strategy<Value = Fact> {
    let id = prop::sample::select(vec!["a", "b", "A", "\u{0}", "é"]);
    (0..14_u8, id, 0..4_i64, 0..6_i64).prop_map(|(kind, id, created_at, at)| {
        let key = sample::key(id, created_at);
        match kind {
            0..3 => ledger::Fact::Opened(sample::record(id, created_at)).into(),
            3 => ledger::Fact::Closed { key, state: sample::ended(at) }.into(),
            4 => ledger::Fact::Closed { key, state: sample::withdrawn(at) }.into(),
            5 => ledger::Fact::Late { key, answered: sample::answered("Production", at) }.into(),
            6 => ledger::Fact::Forgotten { before: Time(at) }.into(),
            13 => ledger::Fact::Collected { key, at: Time(at) }.into(),
            7 => Fact::Relay(RelayFact {
                kind: FactKind::ALL[at as usize % FactKind::ALL.len()],
                key: id.to_owned(),
                body: (created_at > 0).then(|| at.to_string()),
            }),
            8 if created_at == 0 => PersonFact::Remove(id.into()).into(),
            8 => PersonFact::Put(sample::person(id, &[["1", "2", "3"][at as usize % 3]])).into(),
            9 if created_at == 0 => TokenFact::Remove(id.into()).into(),
            9 => TokenFact::Put(token(id, at)).into(),
            10 if created_at == 0 => InviteFact::Remove(id.into()).into(),
            10 => InviteFact::Put(sample::invite(id, at as u8)).into(),
            11 if created_at == 0 => pairing::Fact::Removed(sample::pairing(id, "1").code).into(),
            11 => pairing::Fact::Put(sample::pairing(id, &at.to_string())).into(),
            _ => Fact::Audit(AuditEntry {
                at: Time(at),
                what: "ask.opened".to_owned(),
                actor: (at > 2).then(|| sample::actor(id)),
                token: None,
                record: (at % 2 == 0).then_some(key),
                place: None,
                answers: None,
                words: None,
                detail: None,
            }),
        }
    })
}

fn token(id: &str, at: i64) -> TokenRow {
    TokenRow {
        id: id.into(),
        hash: TokenHash([at as u8; 32]),
        person: None,
        scopes: [].into(),
        label: at.to_string(),
        created_at: Time(at),
        expires_at: None,
    }
}

/// Everything that can be read, as text.
fn everything(store: &dyn Store) -> String {
    let loaded = store.load().unwrap();
    let tokens: Vec<_> = loaded.tokens.iter().map(|token| (token, token.hash.0)).collect();
    let invites: Vec<_> = loaded.invites.iter().map(|row| (&row.invite, row.hash.0)).collect();
    let by_id: Vec<_> = ["a", "b", "A", "\u{0}", "é", "c"]
        .map(|id| store.record(&"local".into(), &id.into()).wait().unwrap())
        .into();
    let mut pages = Vec::new();
    for filter in [StateFilter::Any, StateFilter::Pending, StateFilter::Cancelled] {
        let query = RecordQuery { filter, limit: 2, ..RecordQuery::default() };
        pages.push(store.records(query).wait().unwrap());
    }
    let audit = store.audit(AuditQuery { person: Some("a".into()), ..AuditQuery::default() }).wait().unwrap();
    let (pending, people, relay) = (loaded.pending, loaded.people, store.load_relay().unwrap());
    let doors = format!("{:#?} {invites:#?}", loaded.pairings);
    format!("{pending:#?} {people:#?} {tokens:#?} {doors} {relay:#?} {by_id:#?} {pages:#?} {audit:#?}")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_file_is_no_different_from_memory(groups in prop::collection::vec(prop::collection::vec(fact(), 1..5), 1..30)) {
        let memory = Arc::new(MemoryStore::default());
        let mut file = InFile::new();
        for group in groups {
            let expected = memory.commit(group.clone()).wait().unwrap();
            prop_assert_eq!(file.store().commit(group).wait().unwrap(), expected);
        }
        let expected = everything(&*memory);
        prop_assert_eq!(everything(&*file.store()), expected.clone());
        file.reopen();
        prop_assert_eq!(everything(&*file.store()), expected);
    }
}
