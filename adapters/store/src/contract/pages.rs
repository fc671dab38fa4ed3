//! Pages of Records: every Record once, in order, in either direction, whatever is filtered.

use askrelay_core::id::RecordKey;
use askrelay_core::ledger;
use askrelay_core::record::{Record, State};
use askrelay_core::time::Time;
use std::sync::Arc;

use super::{Case, Harness, sample};
use crate::fact::Fact;
use crate::page::{Direction, Family, PAGE_MAX, RecordQuery, StateFilter};
use crate::port::Store;

pub(super) const CASES: &[Case] = &[
    Case { name: "pages hold every matching Record once, in order", run: walk },
    Case { name: "Records of one family are found by how their ids begin", run: family },
    Case { name: "a page is never larger than allowed, and never empty for a limit of none", run: limits },
    Case { name: "a page goes on behind a Record that is gone", run: gone },
];

/// Records in every state, several created at one time, at two gateways.
fn fill(store: &dyn Store) -> Vec<Arc<Record>> {
    let mut records = Vec::new();
    let mut facts: Vec<Fact> = Vec::new();
    for number in 0..60_i64 {
        let mut record = Arc::unwrap_or_clone(sample::record(&format!("r{}", number % 20), number / 7));
        record.key.gateway = if number < 20 { "other" } else { "local" }.into();
        record.key.id = format!("r{}", (number * 37) % 60).as_str().into();
        facts.push(ledger::Fact::Opened(Arc::new(record.clone())).into());
        record.state = match number % 4 {
            0 => State::Pending,
            1 => sample::ended(100 - number),
            2 => sample::withdrawn(100 + number),
            _ => State::Expired { at: Time(100) },
        };
        if !record.state.is_pending() {
            let (key, state) = (record.key.clone(), record.state.clone());
            facts.push(ledger::Fact::Closed { key, state }.into());
        }
        records.push(Arc::new(record));
    }
    store.commit(facts).wait().unwrap();
    records.sort_by_key(|record| (record.key.created_at, record.key.id.clone(), record.key.gateway.clone()));
    records
}

fn keys<'a>(records: impl Iterator<Item = &'a Arc<Record>>) -> Vec<RecordKey> {
    records.map(|record| record.key.clone()).collect()
}

fn walk(harness: &mut dyn Harness) {
    let store = harness.store();
    let all = fill(&*store);
    use StateFilter::{Answered, Any, Cancelled, Ended, Expired, Pending, WaitingOrEndedSince};
    let mut ends: Vec<_> = all.iter().filter_map(|record| record.state.ended_at()).collect();
    ends.sort_unstable();
    let since = WaitingOrEndedSince(ends[ends.len() / 2]);
    for filter in [Any, Pending, Ended, Answered, Cancelled, Expired, since] {
        for direction in [Direction::OldestFirst, Direction::NewestFirst] {
            for limit in [1, 7, 15, 60, 100] {
                let mut expected: Vec<_> =
                    all.iter().filter(|record| filter.matches(&record.state)).cloned().collect();
                if direction == Direction::NewestFirst {
                    expected.reverse();
                }
                let mut found = Vec::new();
                let mut after = None;
                loop {
                    let query = RecordQuery { filter, direction, after, limit, family: None };
                    let page = store.records(query).wait().unwrap();
                    assert!(page.records.len() <= limit);
                    found.extend(page.records);
                    after = page.next;
                    if after.is_none() {
                        break;
                    }
                }
                let name = format!("{filter:?} {direction:?} by {limit}");
                assert_eq!(keys(found.iter()), keys(expected.iter()), "{name}");
                assert!(found == expected, "{name}: the keys are right, the Records are not");
            }
        }
    }
}

fn family(harness: &mut dyn Harness) {
    let store = harness.store();
    let ids =
        ["ask-1-0", "ask-1-1", "ask-1-2", "ask-10-0", "ask-1", "Ask-1-0", "ask-1-%", "ask-1-\u{10ffff}"];
    let mut facts: Vec<Fact> = Vec::new();
    for (number, id) in ids.iter().enumerate() {
        facts.push(ledger::Fact::Opened(sample::record(id, 100 - number as i64)).into());
    }
    store.commit(facts).wait().unwrap();
    let rows: [(&str, &str, &[&str]); 5] = [
        (
            "a family, oldest first",
            "ask-1-",
            &["ask-1-\u{10ffff}", "ask-1-%", "ask-1-2", "ask-1-1", "ask-1-0"],
        ),
        ("no joker", "ask-1-%", &["ask-1-%"]),
        ("in its own spelling", "Ask", &["Ask-1-0"]),
        ("one", "ask-10-", &["ask-10-0"]),
        ("none", "ask-2", &[]),
    ];
    for (name, prefix, expected) in rows {
        let of = |gateway: &str| Some(Family { gateway: gateway.into(), prefix: prefix.to_owned() });
        let query = RecordQuery {
            direction: Direction::OldestFirst,
            family: of("local"),
            limit: 2,
            ..RecordQuery::default()
        };
        let mut found = Vec::new();
        let mut next = None;
        loop {
            let page = store.records(RecordQuery { after: next, ..query.clone() }).wait().unwrap();
            found.extend(page.records.iter().map(|record| record.key.id.as_str().to_owned()));
            next = page.next;
            if next.is_none() {
                break;
            }
        }
        assert_eq!(found, expected, "{name}");
        let elsewhere = RecordQuery { family: of("elsewhere"), ..query };
        assert!(store.records(elsewhere).wait().unwrap().records.is_empty(), "{name}, of another gateway");
    }
}

fn limits(harness: &mut dyn Harness) {
    let store = harness.store();
    let count = PAGE_MAX + 5;
    for number in 0..count {
        let record = sample::record(&format!("{number}"), number as i64);
        let ticket = store.commit(vec![ledger::Fact::Opened(record).into()]);
        if number + 1 == count {
            ticket.wait().unwrap();
        }
    }
    for (limit, expected) in [(0, 1), (1, 1), (PAGE_MAX, PAGE_MAX), (usize::MAX, PAGE_MAX)] {
        let page = store.records(RecordQuery { limit, ..RecordQuery::default() }).wait().unwrap();
        assert_eq!(page.records.len(), expected, "limit {limit}");
    }
}

fn gone(harness: &mut dyn Harness) {
    let store = harness.store();
    let facts = (0..6).flat_map(|number| {
        let record = sample::record(&format!("{number}"), number);
        let key = record.key.clone();
        let state = sample::ended(if number == 2 { 5 } else { 50 });
        [ledger::Fact::Opened(record).into(), ledger::Fact::Closed { key, state }.into()]
    });
    store.commit(facts.collect()).wait().unwrap();
    let query = RecordQuery { direction: Direction::OldestFirst, limit: 3, ..RecordQuery::default() };
    let first = store.records(query.clone()).wait().unwrap();
    assert_eq!(first.next, Some(sample::key("2", 2)));
    store.commit(vec![ledger::Fact::Forgotten { before: Time(10) }.into()]).wait().unwrap();
    let second = store.records(RecordQuery { after: first.next, ..query }).wait().unwrap();
    assert_eq!(keys(second.records.iter()), [sample::key("3", 3), sample::key("4", 4), sample::key("5", 5)]);
}
