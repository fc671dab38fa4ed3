//! When facts count: in order, after the save, and not when it fails.

use askrelay_core::ledger;
use askrelay_core::relay::facts::{Fact as RelayFact, FactKind};

use super::{Case, Harness, sample};
use crate::error::CommitError;
use crate::fact::Fact;
use crate::port::{Outcome, Store};

pub(super) const CASES: &[Case] = &[
    Case { name: "facts count in the order of the calls and within a call", run: order },
    Case { name: "a ticket ends after the save", run: after_the_save },
    Case { name: "a dropped ticket cancels nothing", run: dropped },
    Case { name: "no facts are saved as well", run: nothing },
    Case {
        name: "a failed commit fails everything queued behind it and loses nothing before it",
        run: failure,
    },
    Case { name: "a failing store refuses, reads on, and recovers by itself", run: recovery },
    Case { name: "many callers at once are all served", run: many_callers },
];

fn note(key: &str, body: Option<&str>) -> Fact {
    let (key, body) = (key.to_owned(), body.map(ToOwned::to_owned));
    Fact::Relay(RelayFact { kind: FactKind::ALL[0], key, body })
}

/// Keys and bodies of what the relay remembers.
fn notes(store: &dyn Store) -> Vec<(String, String)> {
    store.load_relay().unwrap().into_iter().map(|fact| (fact.key, fact.body.unwrap_or_default())).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(key, body)| ((*key).to_owned(), (*body).to_owned())).collect()
}

fn order(harness: &mut dyn Harness) {
    let store = harness.store();
    let mut last = None;
    for number in 0..500 {
        let text = number.to_string();
        let facts = vec![note("a", Some("other")), note("a", None), note("a", Some(&text))];
        last = Some(store.commit(facts));
    }
    assert_eq!(last.unwrap().wait().unwrap(), [Outcome::Applied; 3]);
    assert_eq!(notes(&*store), pairs(&[("a", "499")]));
}

fn after_the_save(harness: &mut dyn Harness) {
    let store = harness.store();
    store.commit(vec![note("before", Some("1"))]).wait().unwrap();
    harness.hold();
    let first = store.commit(vec![note("first", Some("1")), note("before", None)]);
    let second = store.commit(vec![note("second", Some("1"))]);
    let first = first.try_wait().expect_err("the first ticket ended before the save");
    let second = second.try_wait().expect_err("the second ticket ended before the save");
    assert_eq!(store.queued_facts(), 3);
    assert_eq!(notes(&*store), pairs(&[("before", "1")]));
    harness.release();
    assert_eq!(second.wait().unwrap(), [Outcome::Applied]);
    let first = first.try_wait().expect("the second ticket ended before the first");
    assert_eq!(first.unwrap(), [Outcome::Applied; 2]);
    assert_eq!(store.queued_facts(), 0);
    assert_eq!(notes(&*store), pairs(&[("first", "1"), ("second", "1")]));
}

fn dropped(harness: &mut dyn Harness) {
    for number in 0..50 {
        drop(harness.store().commit(vec![note(&format!("{number:02}"), Some("1"))]));
    }
    harness.reopen();
    assert_eq!(notes(&*harness.store()).len(), 50);
}

fn nothing(harness: &mut dyn Harness) {
    assert_eq!(harness.store().commit(Vec::new()).wait().unwrap(), []);
}

fn failure(harness: &mut dyn Harness) {
    let record = sample::record("a", 1);
    let store = harness.store();
    store.commit(vec![ledger::Fact::Opened(record.clone()).into()]).wait().unwrap();
    harness.hold();
    let state = sample::ended(2);
    let closed = store.commit(vec![
        ledger::Fact::Closed { key: record.key.clone(), state: state.clone() }.into(),
        note("told", Some("1")),
    ]);
    let behind = store.commit(vec![note("behind", Some("1"))]);
    harness.fail();
    harness.release();
    for (name, ticket) in [("closed", closed), ("behind", behind)] {
        let result = ticket.wait();
        assert!(matches!(result, Err(CommitError::Failed(_))), "{name}: {result:?}");
    }
    assert!(store.health().trouble().is_some());
    assert_eq!(
        store.load().unwrap().pending.as_slice(),
        std::slice::from_ref(&record),
        "the Record still waits"
    );
    assert_eq!(notes(&*store), []);
    harness.heal();
    let closed = store.commit(vec![ledger::Fact::Closed { key: record.key.clone(), state }.into()]);
    assert_eq!(closed.wait().unwrap(), [Outcome::Applied]);
    drop(store);
    harness.reopen();
    let found = harness.store().record(&record.key.gateway, &record.key.id).wait().unwrap().unwrap();
    assert_eq!(found.state, sample::ended(2));
}

fn recovery(harness: &mut dyn Harness) {
    let store = harness.store();
    assert!(store.health().is_writable());
    for round in ["first", "second"] {
        store.commit(vec![note(round, Some("before"))]).wait().unwrap();
        harness.fail();
        let failed = store.commit(vec![note(round, Some("lost"))]).wait();
        assert!(
            matches!(failed, Err(CommitError::Failed(_) | CommitError::Failing(_))),
            "{round}: {failed:?}"
        );
        let refused = store.commit(vec![note(round, Some("lost"))]).wait();
        assert!(matches!(refused, Err(CommitError::Failing(_))), "{round}: {refused:?}");
        assert!(!store.health().is_writable(), "{round}");
        assert!(notes(&*store).contains(&(round.to_owned(), "before".to_owned())), "{round}");
        harness.heal();
        assert!(store.health().is_writable(), "{round}");
        store.commit(vec![note(round, Some("after"))]).wait().unwrap();
    }
    drop(store);
    harness.reopen();
    assert_eq!(notes(&*harness.store()), pairs(&[("first", "after"), ("second", "after")]));
}

fn many_callers(harness: &mut dyn Harness) {
    let store = harness.store();
    std::thread::scope(|scope| {
        for caller in 0..16 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..50 {
                    let record = sample::record(&format!("{caller}-{number}"), number);
                    let key = record.key.clone();
                    let opened = store.commit(vec![ledger::Fact::Opened(record).into()]);
                    assert_eq!(opened.wait().unwrap(), [Outcome::Applied]);
                    let found = store.record(&key.gateway, &key.id).wait().unwrap();
                    assert!(found.is_some(), "what is saved is there for every reader");
                    let state = sample::ended(number);
                    let closed = store.commit(vec![ledger::Fact::Closed { key, state }.into()]);
                    assert_eq!(closed.wait().unwrap(), [Outcome::Applied]);
                }
            });
        }
    });
    assert_eq!(store.load().unwrap().pending, []);
}
