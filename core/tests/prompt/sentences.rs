//! Every sentence the relay says, in one golden, and the rules they keep: one line, short, nothing secret.

use std::fmt::Write as _;

use askrelay_core::answer::Answers;
use askrelay_core::ask::{Constraint, Format, Origin, Question};
use askrelay_core::permit::Refused;
use askrelay_core::prompt::wording::{self, Reader};
use askrelay_core::record::{Cancelled, State, WhyCancelled};
use askrelay_core::reply::{Reason, Unclear};
use askrelay_core::time::Span;

use crate::asks::{NOW, answered, question, record, values};
use crate::surfaces;

const REASONS: [Reason; 8] = [
    Reason::Empty,
    Reason::Conflict,
    Reason::OutOfRange,
    Reason::TooMany,
    Reason::MissingQuestion,
    Reason::Ambiguous,
    Reason::UnknownOption,
    Reason::Constraint,
];

fn unclear(reason: Reason, open: &[&str], suggestion: Option<(&str, usize)>) -> Unclear {
    Unclear {
        reason,
        kept: Answers::default(),
        notes: Default::default(),
        open: open.iter().map(|id| (*id).into()).collect(),
        suggestion: suggestion.map(|(id, choice)| (id.into(), choice)),
    }
}

fn target(other: bool) -> Question {
    Question {
        other,
        ..question("target", "Target", "Where should it go?", &["Staging", "Production", "Canary"])
    }
}

fn signals() -> Question {
    Question {
        multi_select: true,
        max: Some(2),
        ..question("signals", "Signals", "Which?", &["Logs", "Metrics", "3 traces"])
    }
}

fn count() -> Question {
    let constraint = Some(Constraint::Integer { minimum: Some(1), maximum: Some(10) });
    Question { constraint, ..question("count", "", "How many replicas?", &[]) }
}

#[test]
fn every_way_to_ask_again() {
    let (limits, group) = (surfaces::sms(), surfaces::matrix());
    let reader = |limits| Reader { limits, now: NOW, zone_minutes: 0 };
    let mut out = String::new();
    let mut say = |name: &str, questions: &[Question], unclear: &Unclear, limits| {
        let text = wording::reask(questions, unclear, &reader(limits));
        assert!(!text.contains('\n'), "{text}");
        let _ = writeln!(out, "{name}: {text}");
    };
    for reason in REASONS {
        say(&format!("one {reason:?}"), &[target(false)], &unclear(reason, &["target"], None), &limits);
    }
    say("with own words", &[target(true)], &unclear(Reason::OutOfRange, &["target"], None), &limits);
    say("in a group", &[target(true)], &unclear(Reason::Ambiguous, &["target"], None), &group);
    say(
        "a suggestion",
        &[target(false)],
        &unclear(Reason::UnknownOption, &["target"], Some(("target", 1))),
        &limits,
    );
    say("several choices", &[signals()], &unclear(Reason::TooMany, &["signals"], None), &limits);
    say("marked numbers", &[signals()], &unclear(Reason::OutOfRange, &["signals"], None), &limits);
    say("a number", &[count()], &unclear(Reason::Constraint, &["count"], None), &limits);
    let three = [target(true), signals(), count()];
    say("several questions", &three, &unclear(Reason::MissingQuestion, &["signals", "count"], None), &group);
    say("one part wrong", &three, &unclear(Reason::OutOfRange, &["signals"], Some(("signals", 0))), &group);
    insta::assert_snapshot!("ask-again", out);
}

#[test]
fn every_other_sentence() {
    let limits = surfaces::irc();
    let reader = Reader { limits: &limits, now: NOW, zone_minutes: 60 };
    let one = [target(true)];
    let two = [target(true), signals()];
    let single = Answers(values(&[("target", &["Production"])]));
    let own = Answers(values(&[("target", &["the other cluster"])]));
    let both = Answers(values(&[("target", &["Staging"]), ("signals", &["Logs", "Metrics"])]));
    let note = [("target".into(), "tests are red".to_owned())].into();
    let none = Default::default();
    let secret = Question { secret: true, ..question("key", "Key", "Which key?", &[]) };
    let hidden = Answers(values(&[("key", &["hunter2"])]));
    let mut out = String::new();
    let mut say = |name: &str, text: String| {
        assert!(!text.contains('\n') && !text.contains("hunter2"), "{text}");
        let _ = writeln!(out, "{name}: {text}");
    };
    say("understood", wording::understood(&one, &single, &none, &reader));
    say("recorded", wording::recorded(&one, &single, &none, &reader));
    say("recorded own words", wording::recorded(&one, &own, &none, &reader));
    say("recorded with a remark", wording::recorded(&one, &single, &note, &reader));
    say("recorded several", wording::recorded(&two, &both, &none, &reader));
    say("recorded secret", wording::recorded(std::slice::from_ref(&secret), &hidden, &none, &reader));
    say("recorded skip", wording::recorded_skip());
    say("received", wording::received());
    say("kept until online", wording::kept_until_online());
    for why in [
        Refused::Unknown,
        Refused::NoRight,
        Refused::NotAnAnswerer,
        Refused::NeedsControls,
        Refused::FewerRights,
    ] {
        say(&format!("refused {why:?}"), wording::refused(why));
    }
    let mut late = |name: &str, questions: &[Question], state| {
        let mut record = record(questions.to_vec());
        record.state = state;
        say(name, wording::late(&record, &reader));
        say(&format!("{name}, kept"), wording::kept_late(&record, &reader));
    };
    let cancelled =
        |why| State::Cancelled(Cancelled { at: NOW, why, by: None, by_name: Some("Jo".to_owned()) });
    late(
        "late, answered",
        &two,
        State::Answered(Box::new(answered(&[("target", &["Staging"]), ("signals", &["Logs"])]))),
    );
    late("late, secret", &[secret], State::Answered(Box::new(answered(&[("key", &["hunter2"])]))));
    late("late, expired", &one, State::Expired { at: NOW.after(Span::seconds(60)) });
    late("late, skipped", &one, cancelled(WhyCancelled::Declined));
    late("late, withdrawn", &one, cancelled(WhyCancelled::Withdrawn));
    late("late, not delivered", &one, cancelled(WhyCancelled::NotDelivered { detail: "blocked".to_owned() }));
    say("reminder", wording::reminder(&record(vec![target(true)]), &reader));
    say("reminder of several", wording::reminder(&record(two.to_vec()), &reader));
    say("not delivered", wording::not_delivered("Forbidden: bot was\nblocked by the user"));
    say("no text", wording::no_text());
    say("which", wording::which());
    say("dead control", wording::dead_control());
    say("stale", wording::stale());
    say("incomplete", wording::incomplete(&[signals()], &Answers::default()));
    say("incomplete several", wording::incomplete(&two, &single));
    say("input title", wording::input_title(&target(true)));
    say("input request", wording::input_request(&count()));
    say("invalid", wording::invalid("question 'q' requires an answer"));
    insta::assert_snapshot!("sentences", out);
}

#[test]
fn what_free_text_must_look_like() {
    let text = |min_length, max_length, format| Constraint::Text { min_length, max_length, format };
    for (constraint, want) in [
        (text(None, None, None), ""),
        (text(Some(1), None, None), ""),
        (text(None, Some(20), None), "Expected: at most 20 characters."),
        (text(Some(2), Some(9), None), "Expected: 2 to 9 characters."),
        (
            text(Some(3), None, Some(Format::Email)),
            "Expected: an e-mail address, like name@example.org; at least 3 characters.",
        ),
        (
            Constraint::Integer { minimum: Some(-1), maximum: Some(5) },
            "Expected: a whole number from -1 to 5.",
        ),
        (Constraint::Number { minimum: Some(0.5), maximum: None }, "Expected: a number of at least 0.5."),
        (
            Constraint::Or {
                word: "leave out".to_owned(),
                constraint: Some(Box::new(Constraint::Integer { minimum: None, maximum: Some(5) })),
            },
            "Expected: a whole number of at most 5; or “leave out” for no value.",
        ),
        (
            Constraint::Or { word: "leave out".to_owned(), constraint: None },
            "Expected: your answer; or “leave out” for no value.",
        ),
        (Constraint::OneOf { values: Vec::new() }, "Expected: one of the listed values, spelled exactly."),
    ] {
        assert_eq!(wording::expected(&constraint), want);
    }
}

#[test]
fn no_sentence_is_longer_than_a_line_of_its_surface() {
    let limits = surfaces::irc();
    let reader = Reader { limits: &limits, now: NOW, zone_minutes: 0 };
    let long = "x".repeat(5000);
    let labels: Vec<String> = (0..100).map(|n| format!("{n} {long}")).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let question = Question { multi_select: true, ..question("q", &long, &long, &labels) };
    let all = Answers(values(&[("q", &labels)]));
    let mut answered = record(vec![question.clone()]);
    answered.state = State::Answered(Box::new(crate::asks::answered(&[("q", &labels)])));
    let one = std::slice::from_ref(&question);
    for text in [
        wording::recorded(one, &all, &[("q".into(), long.clone())].into(), &reader),
        wording::reask(one, &unclear(Reason::Ambiguous, &["q"], Some(("q", 1))), &reader),
        wording::late(&answered, &reader),
        wording::reminder(&answered, &reader),
        wording::not_delivered(&long),
        wording::input_request(&question),
        wording::invalid(&long),
    ] {
        assert!(limits.unit.measure(&text) <= 400, "{text}");
    }
}

#[test]
fn what_asks_nothing_says_who_tells_it() {
    let ci = Origin { label: Some("ci\u{202e}".to_owned()), ..Origin::default() };
    let (wide, sms) = (surfaces::telegram(), surfaces::sms());
    for (row, origin, message, limits, expected) in [
        (
            "a label, controls",
            &ci,
            "It\u{7} is <b>green</b>.\nAll of it.",
            &wide,
            "ci: It\u{2407} is <b>green</b>.\nAll of it.",
        ),
        ("nobody", &Origin::default(), "Done.", &wide, "Done."),
        ("too long", &ci, &*"x".repeat(5000), &sms, ""),
    ] {
        let told = wording::notification(origin, message, &Reader { limits, now: NOW, zone_minutes: 0 });
        let most = limits.line.unwrap_or(limits.message).min(limits.message);
        assert!(limits.unit.measure(&told) <= most, "{row}: {told}");
        assert!(expected.is_empty() || told == expected, "{row}: {told}");
    }
}
