//! What entries come to, for every kind of Question.

use askrelay_core::ask::{Choice, Constraint, Format};
use proptest::prelude::*;

use super::*;

fn question(labels: &[&str]) -> Question {
    let choices = labels.iter().map(|label| Choice::new(*label)).collect();
    Question { id: "a".into(), text: "Where?".to_owned(), choices, ..Question::default() }
}

fn one() -> Question {
    question(&["Staging", "Production"])
}

fn one_or_other() -> Question {
    Question { other: true, ..one() }
}

fn several() -> Question {
    let asked = question(&["Logs", "Metrics", "Traces"]);
    Question { multi_select: true, min: Some(2), max: Some(3), ..asked }
}

fn several_or_other() -> Question {
    Question { other: true, ..several() }
}

fn text(constraint: Option<Constraint>) -> Question {
    Question { constraint, ..question(&[]) }
}

/// `Staging, Production | note`, or the sentence at the field.
fn shown(question: Question, body: &str) -> String {
    let questions = [question];
    let (act, entries) = parse(body.as_bytes(), &questions);
    assert_eq!(act, None, "only the fields");
    match read(&questions, &entries) {
        Ok((answers, notes)) => {
            let values = answers.of(&"a".into()).join(", ");
            notes.get("a").map_or(values.clone(), |note| format!("{values} | {note}"))
        }
        Err(wrong) => format!("! {}", wrong[0].what),
    }
}

#[test]
fn entries_become_answers_or_a_sentence() {
    let integer = || text(Some(Constraint::Integer { minimum: Some(1), maximum: Some(5) }));
    let number = || text(Some(Constraint::Number { minimum: Some(-1.0), maximum: None }));
    let date =
        || text(Some(Constraint::Text { min_length: None, max_length: None, format: Some(Format::Date) }));
    let listed = || text(Some(Constraint::OneOf { values: vec!["ant".to_owned(), "bee".to_owned()] }));
    let optional = || text(Some(Constraint::Or { word: "none".to_owned(), constraint: None }));
    let rows: [(Question, &str, &str); 37] = [
        (one(), "q0=1", "Production"),
        (one(), "", "! Choose one."),
        (one(), "q0=0&q0=1", "! Choose one."),
        (one(), "q0=0&q0=0", "Staging"),
        (one(), "q0=2", "! That button does not work any more."),
        (one(), "q0=-1", "! That button does not work any more."),
        (one(), "q0=Staging", "! That button does not work any more."),
        (one(), "q0=other&q0-text=Mars", "! That button does not work any more."),
        (one(), "q0=0&q0-text=Mars", "Staging"),
        (one(), "q0-text=Mars", "! Choose one."),
        (one(), "q1=0&q0=1&x=y&q=1&q99999999999999999999=1", "Production"),
        (one_or_other(), "q0=other&q0-text=Mars", "Mars"),
        (one_or_other(), "q0-text=+Mars+", "Mars"),
        (one_or_other(), "q0=0&q0-text=but+slowly", "Staging | but slowly"),
        (one_or_other(), "q0=0&q0-text=++", "Staging"),
        (one_or_other(), "q0=other&q0-text=+", "! Write your own words here, or choose another."),
        (one_or_other(), "q0=other&q0-text=%E2%80%8B", "! Choose one."),
        (one_or_other(), "q0=other&q0-text=Staging", "Staging"),
        (several(), "q0=2&q0=0", "Logs, Traces"),
        (several(), "q0=2", "! Choose at least 2."),
        (several(), "", "! Choose at least 2."),
        (several_or_other(), "q0=2&q0=0&q0=other&q0-text=Heat", "Logs, Traces, Heat"),
        (several_or_other(), "q0=2&q0=0&q0-text=if+cheap", "Logs, Traces | if cheap"),
        (several_or_other(), "q0=0&q0=1&q0=2&q0=other&q0-text=Heat", "! Choose 2 to 3."),
        (text(None), "q0-text=two%0D%0Alines", "two\nlines"),
        (text(None), "q0-text=", "! An answer is needed here."),
        (text(None), "q0=0&q0-text=kept", "! That button does not work any more."),
        (integer(), "q0-text=5", "5"),
        (integer(), "q0-text=6", "! Expected a number from 1 to 5."),
        (integer(), "q0-text=five", "! Expected a whole number."),
        (number(), "q0-text=-0.5", "-0.5"),
        (number(), "q0-text=1e999", "! Expected a number."),
        (date(), "q0-text=2026-12-01", "2026-12-01"),
        (date(), "q0-text=2026-13-01", "! Expected a date, like 2026-11-30."),
        (listed(), "q0-text=bee", "bee"),
        (listed(), "q0-text=wasp", "! Expected one of the listed values, spelled exactly."),
        (optional(), "q0-text=NONE", "NONE"),
    ];
    for (question, body, expected) in rows {
        assert_eq!(shown(question, body), expected, "{body}");
    }
}

#[test]
fn the_button_decides_what_a_form_is() {
    let rows = [
        ("act=send", Some(Act::Send)),
        ("act=decline&q0=0", Some(Act::Decline)),
        ("act=send&act=decline", Some(Act::Decline)),
        ("act=", None),
        ("q0=0", None),
    ];
    for (body, act) in rows {
        assert_eq!(parse(body.as_bytes(), &[one()]).0, act, "{body}");
    }
}

#[test]
fn a_default_is_entered_for_whoever_sends_it() {
    let default = |question: Question, values: &[&str]| {
        let default = values.iter().map(|value| (*value).to_owned()).collect();
        offered_one(&Question { default, ..question })
    };
    let entry = |taken: &[usize], other, words: &str| Entry {
        taken: taken.to_vec(),
        other,
        words: words.to_owned(),
        stray: false,
    };
    assert_eq!(default(one(), &["Production"]), entry(&[1], false, ""));
    assert_eq!(default(several_or_other(), &["Logs", "Heat"]), entry(&[0], true, "Heat"));
    assert_eq!(default(text(None), &["heron"]), entry(&[], false, "heron"));
    assert_eq!(default(one(), &[]), entry(&[], false, ""));
}

proptest! {
    /// Whatever bytes come, what is read is an answer of the core's or a sentence.
    #[test]
    fn any_body_is_read(body in proptest::collection::vec(any::<u8>(), 0..200), fields in "(q[0-3](-text)?=[a-z0-9%]{0,8}&){0,9}") {
        let questions = [one(), one_or_other(), several_or_other(), text(None)];
        let questions: Vec<Question> =
            questions.into_iter().zip(["a", "b", "c", "d"]).map(|(q, id)| Question { id: id.into(), ..q }).collect();
        for body in [body.as_slice(), fields.as_bytes()] {
            let (_, entries) = parse(body, &questions);
            match read(&questions, &entries) {
                Ok((answers, _)) => prop_assert_eq!(canonical(&questions, &answers), Ok(answers)),
                Err(wrong) => prop_assert!(wrong.iter().all(|wrong| !wrong.what.is_empty())),
            }
        }
    }
}
