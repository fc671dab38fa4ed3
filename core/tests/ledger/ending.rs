//! Answering and cancelling: who may, what wins, what the others are told.

use askrelay_core::answer::Way;
use askrelay_core::id::{PersonId, RecordId};
use askrelay_core::ledger::{CancelVerdict, Fact, LATE_MAX, Ledger, ResolveVerdict, Standing};
use askrelay_core::record::{State, WhyCancelled};
use askrelay_core::time::Time;

use crate::world::{START, answering, ask, asserted, caller, cancelling, ledger, open, people};

fn resolved(verdict: &ResolveVerdict) -> String {
    match verdict {
        ResolveVerdict::Recorded(_) => "recorded".to_owned(),
        ResolveVerdict::Repeated(_) => "repeated".to_owned(),
        ResolveVerdict::Ended { record, kept } => {
            format!("{}{}", record.state.name(), if *kept { ", kept" } else { "" })
        }
        ResolveVerdict::Invalid(fault) => fault.to_string(),
        ResolveVerdict::Refused(refused) => format!("{refused:?}"),
        ResolveVerdict::Unknown => "unknown".to_owned(),
    }
}

fn cancelled(verdict: &CancelVerdict) -> String {
    match verdict {
        CancelVerdict::Cancelled(_) => "cancelled".to_owned(),
        CancelVerdict::Repeated(_) => "repeated".to_owned(),
        CancelVerdict::Ended(record) => record.state.name().to_owned(),
        CancelVerdict::Refused(refused) => format!("{refused:?}"),
        CancelVerdict::Unknown => "unknown".to_owned(),
    }
}

fn standing(name: &str) -> Standing {
    match name {
        "own" => Standing::Own,
        "terminal" => Standing::Terminal,
        text if text.ends_with(" typed") => asserted(text.trim_end_matches(" typed"), Way::Text),
        person => asserted(person, Way::Control),
    }
}

#[test]
fn who_may_answer() {
    let rows = [
        // asked by, caller, in whose name, value, outcome
        ("local", "ring", "ann", "A", "recorded"),
        ("local", "ring", "nobody", "A", "Unknown"),
        ("local", "ring", "bob", "A", "NoRight"),
        ("local", "ring", "own", "A", "Unknown"),
        ("local", "ring", "owner typed", "A", "recorded"),
        ("local", "ring", "ann typed", "A", "FewerRights"),
        ("service", "ring", "owner typed", "A", "NeedsControls"),
        ("local", "local", "own", "A", "Unknown"),
        ("local", "local", "owner", "A", "Unknown"),
        ("local", "local", "terminal", "A", "recorded"),
        ("local", "ann", "own", " A ", "recorded"),
        ("local", "ann", "own", "C", "question 'q' contains an unknown option"),
        ("local", "ann", "owner", "A", "Unknown"),
        ("bob", "bob", "own", "A", "recorded"),
        ("local", "bob", "own", "A", "unknown"),
        ("local", "service", "own", "A", "unknown"),
        ("service", "service", "own", "A", "Unknown"),
    ];
    for (asker, by, name, value, expected) in rows {
        let mut ledger = ledger();
        open(&mut ledger, START, "x", ask(&caller(asker)));
        ledger.take_facts();
        let verdict =
            ledger.resolve(START, &people(), &caller(by), answering("x", "r", value, standing(name)));
        let row = format!("asked by {asker}, {by} as {name}");
        assert_eq!(resolved(&verdict), expected, "{row}");
        assert_eq!(ledger.take_facts().len(), usize::from(expected == "recorded"), "{row}");
    }
}

#[test]
fn an_answer_says_who_when_and_in_canonical_form() {
    let mut ledger = ledger();
    open(&mut ledger, START, "x", ask(&caller("local")));
    let ResolveVerdict::Recorded(record) =
        ledger.resolve(Time(2_000), &people(), &caller("ann"), answering("x", "r", " B ", Standing::Own))
    else {
        panic!("recorded");
    };
    let State::Answered(answered) = &record.state else { panic!("answered") };
    assert_eq!(answered.answers.of(&"q".into()), ["B"]);
    assert_eq!(answered.by.person, Some(PersonId::from("ann")));
    assert_eq!(answered.by_name.as_deref(), Some("ANN"));
    assert_eq!(answered.at, Time(2_000));
}

#[test]
fn the_first_answer_wins_and_the_others_are_kept() {
    // The same Record meets these attempts in turn.
    let rows = [
        ("first", "r1", "A", "ann", "recorded"),
        ("the same attempt again", "r1", "A", "ann", "repeated"),
        ("the same attempt with other values", "r1", "B", "ann", "repeated"),
        ("another attempt", "r2", "B", "owner", "answered, kept"),
        ("that one again", "r2", "B", "owner", "answered, kept"),
        ("nonsense, too late", "r3", "C", "owner", "answered"),
        ("not allowed, too late", "r4", "B", "bob", "answered"),
    ];
    let mut ledger = ledger();
    open(&mut ledger, START, "x", ask(&caller("local")));
    for (row, resolution, value, person, expected) in rows {
        let attempt = answering("x", resolution, value, standing(person));
        let verdict = ledger.resolve(START, &people(), &caller("ring"), attempt);
        assert_eq!(resolved(&verdict), expected, "{row}");
    }
    assert_eq!(late_of(&ledger), ["r2"]);
    for index in 0..2 * LATE_MAX {
        let attempt = answering("x", &format!("more{index}"), "A", standing("ann"));
        ledger.resolve(START, &people(), &caller("ring"), attempt);
    }
    assert_eq!(late_of(&ledger).len(), LATE_MAX, "bounded");
}

#[test]
fn an_end_is_collected_once_and_only_when_there_is_one() {
    let mut ledger = ledger();
    let id = RecordId::from("x");
    let collected = |ledger: &Ledger| ledger.get(&id).and_then(|record| record.collected);
    open(&mut ledger, START, "x", ask(&caller("local")));
    let rows = [("while it waits", 1_500, false, None), ("after the end", 2_000, true, Some(Time(2_000)))];
    for (row, now, answered, expected) in rows {
        if answered {
            let attempt = answering("x", "r1", "A", standing("ann"));
            ledger.resolve(START, &people(), &caller("ring"), attempt);
        }
        ledger.collect(Time(now), &id);
        assert_eq!(collected(&ledger), expected, "{row}");
    }
    ledger.take_facts();
    ledger.collect(Time(3_000), &id);
    ledger.collect(Time(3_000), &RecordId::from("nowhere"));
    assert_eq!(
        (collected(&ledger), ledger.take_facts()),
        (Some(Time(2_000)), Vec::new()),
        "the first time counts"
    );
}

fn late_of(ledger: &Ledger) -> Vec<String> {
    let record = ledger.get(&RecordId::from("x"));
    record.into_iter().flat_map(|record| &record.late).map(|late| late.resolution.to_string()).collect()
}

#[test]
fn the_deadline_counts_even_when_nobody_looked_at_the_clock() {
    let rows = [(10_999, "recorded"), (11_000, "expired, kept"), (99_000, "expired, kept")];
    for (now, expected) in rows {
        let mut ledger = ledger();
        open(&mut ledger, START, "x", ask(&caller("local")));
        let attempt = answering("x", "r", "A", standing("ann"));
        let verdict = ledger.resolve(Time(now), &people(), &caller("ring"), attempt);
        assert_eq!(resolved(&verdict), expected, "at {now}");
    }
}

#[test]
fn who_may_cancel_and_why() {
    use WhyCancelled::{Declined, Unavailable, Withdrawn};
    let missed = || WhyCancelled::NotDelivered { detail: "kicked".to_owned() };
    let rows = [
        // asked by, caller, in whose name, why, outcome, name shown
        ("local", "local", "own", Withdrawn, "cancelled", Some("OWNER")),
        ("local", "local", "own", Declined, "Unknown", None),
        ("local", "local", "terminal", Declined, "cancelled", Some("OWNER")),
        ("local", "local", "own", Unavailable, "cancelled", Some("OWNER")),
        ("service", "service", "own", Unavailable, "cancelled", None),
        ("local", "ann", "own", Unavailable, "NoRight", None),
        ("service", "local", "own", Unavailable, "unknown", None),
        ("local", "local", "own", missed(), "NoRight", None),
        ("service", "service", "own", Withdrawn, "cancelled", None),
        ("service", "local", "own", Withdrawn, "unknown", None),
        ("local", "ann", "own", Withdrawn, "NoRight", None),
        ("local", "ann", "own", Declined, "cancelled", Some("ANN")),
        ("bob", "owner", "own", Withdrawn, "cancelled", Some("OWNER")),
        ("local", "ring", "ann", Declined, "cancelled", Some("ANN")),
        ("local", "ring", "bob", Declined, "NoRight", None),
        ("local", "ring", "own", missed(), "cancelled", None),
        ("local", "ring", "own", Unavailable, "cancelled", None),
    ];
    for (asker, by, name, why, expected, shown) in rows {
        let row = format!("asked by {asker}, {by} as {name}, {why:?}");
        let mut ledger = ledger();
        open(&mut ledger, START, "x", ask(&caller(asker)));
        let mut cancel =
            || ledger.cancel(START, &people(), &caller(by), cancelling("x", why.clone(), standing(name)));
        let verdict = cancel();
        assert_eq!(cancelled(&verdict), expected, "{row}");
        if let CancelVerdict::Cancelled(record) = verdict {
            let State::Cancelled(end) = &record.state else { panic!("{row}: {:?}", record.state) };
            assert_eq!(end.by_name.as_deref(), shown, "{row}");
            assert_eq!(cancelled(&cancel()), "repeated", "{row}");
        }
    }
}

#[test]
fn an_asker_says_what_took_it_back() {
    let mut ledger = ledger();
    open(&mut ledger, START, "x", ask(&caller("local")));
    let mut cancel = cancelling("x", WhyCancelled::Withdrawn, Standing::Own);
    cancel.said_by = Some("run-abort".to_owned());
    ledger.cancel(START, &people(), &caller("local"), cancel);
    let facts = ledger.take_facts();
    let Some(Fact::Closed { state: State::Cancelled(end), .. }) = facts.last() else { panic!("{facts:?}") };
    assert_eq!(end.by_name.as_deref(), Some("run-abort"));
}

#[test]
fn what_has_ended_is_not_cancelled() {
    let mut ledger = ledger();
    open(&mut ledger, START, "x", ask(&caller("local")));
    ledger.resolve(START, &people(), &caller("ring"), answering("x", "r", "A", standing("ann")));
    ledger.take_facts();
    for (by, name, why) in [
        ("local", "own", WhyCancelled::Withdrawn),
        ("ann", "own", WhyCancelled::Withdrawn),
        ("ring", "ann", WhyCancelled::Declined),
    ] {
        let verdict = ledger.cancel(START, &people(), &caller(by), cancelling("x", why, standing(name)));
        assert_eq!(cancelled(&verdict), "answered", "{by}");
    }
    assert_eq!(ledger.take_facts(), []);
}
