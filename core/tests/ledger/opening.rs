//! Opening, finding, recovering and letting go.

use askrelay_core::id::RecordId;
use askrelay_core::ledger::{Fact, Ledger, OpenVerdict};
use askrelay_core::record::State;
use askrelay_core::time::{Span, Time};

use crate::world::{OPEN_MAX, START, answering, ask, asserted, caller, ledger, open, people};
use askrelay_core::answer::Way;

fn name(verdict: &OpenVerdict) -> &'static str {
    match verdict {
        OpenVerdict::Opened(_) => "opened",
        OpenVerdict::Same(_) => "same",
        OpenVerdict::InUse => "in use",
        OpenVerdict::TooMany(_) => "too many",
    }
}

#[test]
fn an_id_is_one_ask_of_one_creator() {
    let rows = [
        ("the same again", "ann", "ann", "?", "same"),
        ("another question", "ann", "ann", "Really?", "in use"),
        ("another person", "ann", "bob", "?", "in use"),
        ("a service instead", "ann", "service", "?", "in use"),
        ("a local process twice", "local", "local", "?", "same"),
    ];
    for (row, first, second, text, expected) in rows {
        for ended in [false, true] {
            let mut ledger = ledger();
            open(&mut ledger, START, "x", ask(&caller(first)));
            if ended {
                ledger.expire(Time(20_000), usize::MAX);
            }
            ledger.take_facts();
            let mut again = ask(&caller(second));
            if text != "?" {
                again.questions[0].text = text.to_owned();
            }
            let verdict = open(&mut ledger, Time(30_000), "x", again);
            assert_eq!(name(&verdict), expected, "{row}, ended: {ended}");
            assert_eq!(ledger.take_facts(), [], "{row}: nothing to save");
        }
    }
}

#[test]
fn open_asks_are_counted_by_creator_until_they_end() {
    let mut ledger = ledger();
    for index in 0..OPEN_MAX {
        assert_eq!(name(&open(&mut ledger, START, &format!("a{index}"), ask(&caller("ann")))), "opened");
    }
    assert_eq!(open(&mut ledger, START, "more", ask(&caller("ann"))), OpenVerdict::TooMany(OPEN_MAX));
    assert_eq!(name(&open(&mut ledger, START, "more", ask(&caller("bob")))), "opened", "others may");
    let won = answering("a0", "r", "A", asserted("ann", Way::Control));
    ledger.resolve(START, &people(), &caller("ring"), won);
    assert_eq!(name(&open(&mut ledger, START, "again", ask(&caller("ann")))), "opened");
}

#[test]
fn pending_ones_are_listed_oldest_first_and_page_by_page() {
    let mut ledger = ledger();
    for (id, at) in [("c", 3), ("b", 1), ("a", 3), ("d", 2)] {
        ledger.open(Time(at), RecordId::from(id), ask(&caller("service")), usize::MAX);
    }
    let ids = |ledger: &Ledger, after: Option<(Time, RecordId)>| -> Vec<String> {
        ledger.pending(after.as_ref()).map(|record| record.key.id.to_string()).collect()
    };
    assert_eq!(ids(&ledger, None), ["b", "d", "a", "c"]);
    assert_eq!(ids(&ledger, Some((Time(2), RecordId::from("d")))), ["a", "c"]);
    ledger.expire(Time(10_002), usize::MAX);
    assert_eq!(ids(&ledger, None), ["a", "c"]);
}

#[test]
fn a_start_expires_what_was_due_and_keeps_the_rest() {
    let mut before = ledger();
    open(&mut before, Time(0), "due", ask(&caller("ann")));
    let mut long = ask(&caller("ann"));
    long.wait = Span::seconds(1_000);
    open(&mut before, Time(0), "waits", long);
    let mut after = ledger();
    before.pending(None).cloned().for_each(|record| after.hold(record));
    after.expire(Time(500_000), usize::MAX);
    let facts = after.take_facts();
    let [Fact::Closed { key, state: State::Expired { at } }] = facts.as_slice() else {
        panic!("one end, got {facts:?}");
    };
    assert_eq!((key.id.as_str(), *at), ("due", Time(500_000)));
    assert_eq!(after.pending_count(), 1);
    assert_eq!(after.next_expiry(), Some(Time(1_000_000)));
    assert_eq!(after.open_of(&ask(&caller("ann")).creator), 1);
}

#[test]
fn only_ended_records_are_let_go() {
    let mut ledger = ledger();
    let id = RecordId::from("x");
    open(&mut ledger, START, "x", ask(&caller("ann")));
    ledger.release(&id);
    assert_eq!(ledger.held_count(), 1);
    ledger.expire(Time(20_000), usize::MAX);
    let ended = ledger.get(&id).cloned().expect("held");
    ledger.release(&id);
    assert_eq!(ledger.held_count(), 0);
    ledger.hold(ended);
    assert_eq!((ledger.held_count(), ledger.pending_count()), (1, 0));
}

#[test]
fn many_deadlines_are_taken_in_portions_earliest_first() {
    let mut ledger = ledger();
    for (id, at) in [("c", 3), ("a", 1), ("d", 4), ("b", 2)] {
        ledger.open(Time(at), RecordId::from(id), ask(&caller("service")), usize::MAX);
    }
    ledger.take_facts();
    let mut portions = Vec::new();
    while ledger.next_expiry().is_some_and(|due| due <= Time(10_003)) {
        ledger.expire(Time(10_003), 2);
        let ended = ledger.take_facts().into_iter().filter_map(|fact| match fact {
            Fact::Closed { key, .. } => Some(key.id.to_string()),
            _ => None,
        });
        portions.push(ended.collect::<Vec<_>>());
    }
    assert_eq!(portions, [vec!["a", "b"], vec!["c"]]);
}
