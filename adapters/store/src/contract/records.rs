//! Records: opened, ended once, answered late, found again, forgotten. Not paged; see [`super::pages`].

use askrelay_core::answer::Answered;
use askrelay_core::id::RecordKey;
use askrelay_core::ledger;
use askrelay_core::record::{Cancelled, Record, State, WhyCancelled};
use askrelay_core::time::Time;
use std::sync::Arc;

use super::{Case, Harness, sample};
use crate::fact::Fact;
use crate::port::{Outcome, Store};

pub(super) const CASES: &[Case] = &[
    Case { name: "an opened Record comes back exactly", run: opened_comes_back },
    Case { name: "every end comes back exactly", run: ends_come_back },
    Case { name: "a fact about a Record applies only where it fits", run: conditions },
    Case { name: "an id may be used again after the end, and the newest is found", run: reuse },
    Case { name: "late answers are kept in order beside the end", run: late_answers },
    Case { name: "an end is collected once, and only when there is one", run: collected },
    Case { name: "only what ended before the time is forgotten", run: retention },
    Case { name: "ids are told apart byte for byte", run: any_id },
    Case { name: "a huge question comes back exactly", run: huge },
];

fn opened(record: &Arc<Record>) -> Fact {
    ledger::Fact::Opened(Arc::clone(record)).into()
}

fn closed(key: &RecordKey, state: State) -> Fact {
    ledger::Fact::Closed { key: key.clone(), state }.into()
}

fn late(key: &RecordKey, answered: Answered) -> Fact {
    ledger::Fact::Late { key: key.clone(), answered }.into()
}

fn forgotten(before: i64) -> Fact {
    ledger::Fact::Forgotten { before: Time(before) }.into()
}

fn commit(store: &dyn Store, facts: Vec<Fact>) -> Vec<Outcome> {
    store.commit(facts).wait().unwrap()
}

fn find(store: &dyn Store, key: &RecordKey) -> Option<Arc<Record>> {
    store.record(&key.gateway, &key.id).wait().unwrap()
}

fn opened_comes_back(harness: &mut dyn Harness) {
    let records = [sample::record("a", 1), sample::rich_record("b", 2), sample::record("c", -3)];
    commit(&*harness.store(), records.iter().map(opened).collect());
    for again in ["at once", "after a restart"] {
        let store = harness.store();
        for record in &records {
            assert_eq!(find(&*store, &record.key).as_ref(), Some(record), "{again}");
        }
        let [a, b, c] = records.clone();
        assert_eq!(store.load().unwrap().pending, [c, a, b], "{again}, oldest first");
        drop(store);
        harness.reopen();
    }
}

fn ends_come_back(harness: &mut dyn Harness) {
    let cancelled =
        |why, by| State::Cancelled(Cancelled { at: Time(9), why, by, by_name: Some("Who".to_owned()) });
    let ends = [
        sample::ended(9),
        State::Expired { at: Time(9) },
        sample::withdrawn(9),
        cancelled(WhyCancelled::Declined, Some(sample::actor("owner"))),
        cancelled(WhyCancelled::Declined, Some(sample::act_by_roles())),
        cancelled(WhyCancelled::Unavailable, None),
        cancelled(WhyCancelled::NotDelivered { detail: "chat not found".to_owned() }, None),
    ];
    let mut records = Vec::new();
    for (number, state) in ends.into_iter().enumerate() {
        let record = sample::rich_record(&format!("r{number}"), 1);
        let facts = vec![opened(&record), closed(&record.key, state.clone())];
        assert_eq!(commit(&*harness.store(), facts), [Outcome::Applied, Outcome::Applied]);
        records.push(Arc::new(Record { state, ..Arc::unwrap_or_clone(record) }));
    }
    let imported = Arc::new(Record {
        state: sample::ended(5),
        late: vec![sample::answered("Production", 6)],
        ..Arc::unwrap_or_clone(sample::record("imported", 1))
    });
    commit(&*harness.store(), vec![opened(&imported)]);
    records.push(imported);
    harness.reopen();
    let store = harness.store();
    for record in &records {
        assert_eq!(find(&*store, &record.key).as_ref(), Some(record));
    }
    assert_eq!(store.load().unwrap().pending, []);
}

fn conditions(harness: &mut dyn Harness) {
    let record = sample::record("a", 10);
    let key = &record.key;
    let other = sample::key("a", 11);
    let elsewhere = RecordKey { gateway: "other".into(), ..key.clone() };
    let answer = sample::answered("Production", 30);
    let steps: Vec<(&str, Fact, Outcome)> = vec![
        ("an end before the opening", closed(key, sample::ended(20)), Outcome::NotPending),
        ("a late answer before the opening", late(key, answer.clone()), Outcome::NotEnded),
        ("the opening", opened(&record), Outcome::Applied),
        ("the same opening again", opened(&record), Outcome::Exists),
        ("its id while it is pending", opened(&sample::record("a", 12)), Outcome::Exists),
        ("a late answer while it is pending", late(key, answer.clone()), Outcome::NotEnded),
        ("an end of another time", closed(&other, sample::ended(20)), Outcome::NotPending),
        ("an end at another gateway", closed(&elsewhere, sample::ended(20)), Outcome::NotPending),
        ("the end", closed(key, sample::ended(20)), Outcome::Applied),
        ("another end", closed(key, sample::withdrawn(21)), Outcome::NotPending),
        ("the same end", closed(key, sample::ended(20)), Outcome::NotPending),
        ("the same opening after the end", opened(&record), Outcome::Exists),
        ("a late answer of another time", late(&other, answer.clone()), Outcome::NotEnded),
        ("a late answer", late(key, answer.clone()), Outcome::Applied),
    ];
    let (names, steps): (Vec<_>, Vec<_>) =
        steps.into_iter().map(|(name, fact, outcome)| (name, (fact, outcome))).unzip();
    let (facts, expected): (Vec<_>, Vec<_>) = steps.into_iter().unzip();
    let outcomes = commit(&*harness.store(), facts);
    for ((name, outcome), expected) in names.iter().zip(&outcomes).zip(&expected) {
        assert_eq!(outcome, expected, "{name}");
    }
    harness.reopen();
    let found = find(&*harness.store(), key).unwrap();
    assert_eq!((&found.state, &found.late), (&sample::ended(20), &vec![answer]));
}

fn reuse(harness: &mut dyn Harness) {
    let (first, second) = (sample::record("again", 10), sample::rich_record("again", 20));
    let store = harness.store();
    let facts = vec![opened(&first), closed(&first.key, sample::withdrawn(15)), opened(&second)];
    assert_eq!(commit(&*store, facts), [Outcome::Applied; 3]);
    assert_eq!(find(&*store, &first.key), Some(second.clone()));
    assert_eq!(store.load().unwrap().pending.as_slice(), std::slice::from_ref(&second));
    // A clock that went back must not hide the Record that waits.
    let facts = vec![closed(&second.key, sample::withdrawn(25)), forgotten(20)];
    commit(&*store, facts);
    assert_eq!(find(&*store, &first.key).map(|record| record.key.clone()), Some(second.key.clone()));
    commit(&*store, vec![forgotten(26)]);
    assert_eq!(find(&*store, &first.key), None);
    assert_eq!(commit(&*store, vec![opened(&first)]), [Outcome::Applied]);
}

fn late_answers(harness: &mut dyn Harness) {
    let (record, bystander) = (sample::record("a", 1), sample::record("b", 1));
    let answers: Vec<_> = (0..20).map(|number| sample::answered("Staging", 100 - number)).collect();
    let expired = State::Expired { at: Time(50) };
    let mut facts = vec![
        opened(&record),
        opened(&bystander),
        closed(&record.key, expired.clone()),
        closed(&bystander.key, expired.clone()),
    ];
    facts.extend(answers.iter().map(|answered| late(&record.key, answered.clone())));
    commit(&*harness.store(), facts);
    harness.reopen();
    let store = harness.store();
    let found = find(&*store, &record.key).unwrap();
    assert_eq!((&found.state, &found.late), (&expired, &answers));
    assert_eq!(find(&*store, &bystander.key).unwrap().late, []);
}

fn collected(harness: &mut dyn Harness) {
    let (ended, waits) = (sample::record("ended", 1), sample::record("waits", 1));
    let collect = |key: &RecordKey, at| ledger::Fact::Collected { key: key.clone(), at: Time(at) }.into();
    let facts = vec![opened(&ended), opened(&waits), closed(&ended.key, sample::ended(20))];
    commit(&*harness.store(), facts);
    let rows = [
        ("while it waits", &waits, Outcome::NotEnded),
        ("after the end", &ended, Outcome::Applied),
        ("once more", &ended, Outcome::NotEnded),
    ];
    for (number, (name, record, outcome)) in rows.into_iter().enumerate() {
        let at = 30 + number as i64;
        assert_eq!(commit(&*harness.store(), vec![collect(&record.key, at)]), [outcome], "{name}");
    }
    harness.reopen();
    let found = |record: &Arc<Record>| find(&*harness.store(), &record.key).unwrap().collected;
    assert_eq!((found(&ended), found(&waits)), (Some(Time(31)), None));
}

fn retention(harness: &mut dyn Harness) {
    let store = harness.store();
    let mut facts = vec![opened(&sample::record("pending", 1))];
    for (id, ended_at) in [("before", 99), ("exactly", 100), ("after", 101)] {
        let record = sample::record(id, 2);
        facts.push(opened(&record));
        facts.push(closed(&record.key, sample::ended(ended_at)));
        facts.push(late(&record.key, sample::answered("Production", 500)));
    }
    facts.push(forgotten(100));
    commit(&*store, facts);
    for (id, kept) in [("pending", true), ("before", false), ("exactly", true), ("after", true)] {
        assert_eq!(find(&*store, &sample::key(id, 0)).is_some(), kept, "{id}");
    }
    // Late answers went along: an id used again starts anew.
    let again = sample::record("before", 2);
    commit(&*store, vec![forgotten(1000), opened(&again), closed(&again.key, sample::withdrawn(200))]);
    assert_eq!(find(&*store, &again.key).unwrap().late, []);
}

fn any_id(harness: &mut dyn Harness) {
    let ids = [
        "",
        " ",
        "a",
        "A",
        "a ",
        "a\0",
        "a\0b",
        "é",
        "e\u{301}",
        "ß",
        "ss",
        "💬",
        "\u{202e}",
        "a'b",
        "a\"b",
        "a%",
        "_",
        "1",
        "01",
        "\u{feff}",
        "\u{10ffff}",
        "null",
        "?1",
    ];
    let store = harness.store();
    commit(&*store, ids.iter().map(|id| opened(&sample::record(id, 1))).collect());
    for id in ids.iter().step_by(2) {
        commit(&*store, vec![closed(&sample::key(id, 1), sample::ended(2))]);
    }
    drop(store);
    harness.reopen();
    for (number, id) in ids.iter().enumerate() {
        let found = find(&*harness.store(), &sample::key(id, 1)).unwrap();
        assert_eq!((found.key.id.as_str(), found.state.is_pending()), (*id, number % 2 == 1), "{id:?}");
    }
}

fn huge(harness: &mut dyn Harness) {
    let mut record = Arc::unwrap_or_clone(sample::record("huge", 1));
    record.ask.questions[0].text = "Größe\u{0}\"\\ ".repeat(400_000);
    let record = Arc::new(record);
    commit(&*harness.store(), vec![opened(&record)]);
    harness.reopen();
    assert!(find(&*harness.store(), &record.key) == Some(record), "the huge Record came back otherwise");
}
