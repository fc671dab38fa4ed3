//! The audit trail: appended, numbered, filtered, paged.

use askrelay_core::id::PersonId;
use askrelay_core::time::Time;

use super::{Case, Harness, sample};
use crate::fact::{AuditEntry, Fact};
use crate::page::{AuditQuery, Direction};

pub(super) const CASES: &[Case] = &[
    Case { name: "the trail comes back in the order it was written", run: order },
    Case { name: "the trail is filtered and paged", run: pages },
];

/// Entries by two people and by nobody, about three Records and about none; times go back on purpose.
fn entry(number: i64) -> AuditEntry {
    AuditEntry {
        at: Time(1000 - number),
        what: format!("ask.{number}"),
        actor: match number % 3 {
            0 => None,
            1 => Some(sample::actor("owner")),
            _ => Some(sample::actor("ops")),
        },
        token: (number % 2 == 0).then(|| "token".into()),
        record: (number % 4 != 0).then(|| sample::key(&format!("r{}", number % 4), number)),
        place: None,
        answers: None,
        words: None,
        detail: (number % 5 == 0).then(|| "für\0 später".to_owned()),
    }
}

fn order(harness: &mut dyn Harness) {
    let entries: Vec<_> = (0..40).map(entry).collect();
    for pair in entries.chunks(2) {
        let facts = pair.iter().cloned().map(Fact::Audit).collect();
        harness.store().commit(facts).wait().unwrap();
    }
    harness.reopen();
    let query = AuditQuery { direction: Direction::OldestFirst, ..AuditQuery::default() };
    let page = harness.store().audit(query).wait().unwrap();
    assert!(page.entries.windows(2).all(|pair| pair[0].0 < pair[1].0), "numbers grow");
    let found: Vec<_> = page.entries.into_iter().map(|(_, entry)| entry).collect();
    assert_eq!((found, page.next), (entries, None));
}

fn pages(harness: &mut dyn Harness) {
    let entries: Vec<_> = (0..40).map(entry).collect();
    let store = harness.store();
    store.commit(entries.iter().cloned().map(Fact::Audit).collect()).wait().unwrap();
    let by = |entry: &AuditEntry| entry.actor.as_ref().and_then(|actor| actor.person.clone());
    let record = sample::key("r1", 0);
    for person in [None, Some(PersonId::from("owner")), Some("nobody".into())] {
        for about in [None, Some((record.gateway.clone(), record.id.clone()))] {
            for direction in [Direction::OldestFirst, Direction::NewestFirst] {
                let mut expected: Vec<_> = entries
                    .iter()
                    .filter(|entry| person.is_none() || by(entry) == person)
                    .filter(|entry| {
                        let id = entry.record.as_ref().map(|key| &key.id);
                        about.as_ref().is_none_or(|(_, about)| Some(about) == id)
                    })
                    .cloned()
                    .collect();
                if direction == Direction::NewestFirst {
                    expected.reverse();
                }
                let mut found = Vec::new();
                let mut after = None;
                loop {
                    let (person, record) = (person.clone(), about.clone());
                    let query = AuditQuery { person, record, direction, after, limit: 3 };
                    let page = store.audit(query).wait().unwrap();
                    found.extend(page.entries.into_iter().map(|(_, entry)| entry));
                    after = page.next;
                    if after.is_none() {
                        break;
                    }
                }
                assert_eq!(found, expected, "{person:?} {about:?} {direction:?}");
            }
        }
    }
}
