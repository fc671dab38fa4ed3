//! Forms for clients, and what comes back from them.

use super::*;
use askrelay_core::ask::Choice;

fn choices(labels: &[&str]) -> Vec<Choice> {
    labels.iter().map(|label| Choice::new(*label)).collect()
}

fn question(id: &str, labels: &[&str]) -> Question {
    Question { id: id.into(), text: format!("{id}?"), choices: choices(labels), ..Question::default() }
}

fn every_kind() -> Vec<Question> {
    let described = Choice { description: Some("safe".to_owned()), ..Choice::new("Staging") };
    let number = Constraint::Integer { minimum: Some(1), maximum: Some(9) };
    let mail = Constraint::Text { min_length: Some(3), max_length: None, format: Some(Format::Email) };
    vec![
        Question {
            choices: vec![described, Choice::new("Production")],
            other: true,
            default: vec!["Staging".into()],
            ..question("env", &[])
        },
        Question {
            multi_select: true,
            min: Some(1),
            max: Some(2),
            ..question("checks", &["Lint", "Unit, all", "Docs"])
        },
        Question { default: vec!["No".into()], ..question("confirm", &["Yes", "No"]) },
        Question { constraint: Some(number), ..question("count", &[]) },
        Question {
            constraint: Some(mail),
            placeholder: Some("me@example.org".into()),
            ..question("mail", &[])
        },
    ]
}

/// One question of one choice, with own words: what `ask_choice` asks.
fn one_choice() -> Vec<Question> {
    let mut question = every_kind().swap_remove(0);
    question.id = "choice".into();
    vec![question]
}

/// What may be left empty: `ask_multi_select` with `min` 0.
fn none_or_more() -> Vec<Question> {
    vec![Question { multi_select: true, ..question("choices", &["A", "B", "None of these"]) }]
}

#[test]
fn forms_are_as_recorded() {
    let mut text = String::new();
    let mut draw = |name: &str, questions: &[Question], mode| {
        let form = form(questions, mode).expect("can be put there");
        text.push_str(&format!("## {name}\n{}\n\n{:#}\n\n", form.message, Value::Object(form.schema)));
    };
    draw("every kind", &every_kind(), MultiSelect::Array);
    draw("one choice", &one_choice(), MultiSelect::Array);
    draw("none or more", &none_or_more(), MultiSelect::Array);
    draw("none or more as text", &none_or_more(), MultiSelect::Text);
    let own = read(&one_choice(), content(&json!({ "choice": "Custom reply" })));
    let Ok(Content::OwnWords(second)) = own else { panic!("no second form: {own:?}") };
    text.push_str(&format!("## own words\n{}\n\n{:#}\n", second.message, Value::Object(second.schema)));
    insta::assert_snapshot!(text);
}

#[test]
fn secrets_are_never_put_there() {
    assert_eq!(form(&[Question { secret: true, ..question("key", &[]) }], MultiSelect::Array), None);
}

#[test]
fn the_entry_for_own_words_is_no_label() {
    let questions = [Question { other: true, ..question("q", &["custom reply", "Custom Reply (2)"]) }];
    let form = form(&questions, MultiSelect::Array).expect("can be put there");
    assert_eq!(
        form.schema["properties"]["q"]["enum"],
        json!(["custom reply", "Custom Reply (2)", "Custom reply (3)"])
    );
}

fn content(value: &Value) -> &Map<String, Value> {
    value.as_object().expect("is an object")
}

fn check(questions: &[Question], given: &Value, expected: Result<&Value, &str>) {
    match (read(questions, content(given)), expected) {
        (Ok(Content::Answered(answers, notes)), Ok(expected)) => {
            let mut found = serde_json::to_value(&answers).expect("is JSON");
            if !notes.is_empty() {
                found["notes"] = serde_json::to_value(&notes).expect("is JSON");
            }
            for (name, value) in expected.as_object().into_iter().flatten() {
                assert_eq!(found[name], *value, "{given}");
            }
        }
        (Err(error), Err(expected)) => assert_eq!(error.to_string(), expected, "{given}"),
        (found, expected) => panic!("{given}: {found:?}, expected {expected:?}"),
    }
}

#[test]
fn content_of_several_questions_is_checked_again() {
    for (changed, expected) in [
        (
            json!({}),
            Ok(
                json!({ "env": ["Staging"], "checks": ["Lint"], "confirm": ["Yes"], "count": ["3"], "mail": ["a@b.org"] }),
            ),
        ),
        (json!({ "env_other": " Mars, please " }), Ok(json!({ "env": ["Mars, please"] }))),
        (json!({ "env": "", "env_other": "Mars" }), Ok(json!({ "env": ["Mars"] }))),
        (json!({ "env": null, "env_other": "Mars" }), Ok(json!({ "env": ["Mars"] }))),
        (json!({ "env": "STAGING " }), Ok(json!({ "env": ["Staging"] }))),
        (json!({ "checks": ["Docs", "Lint", "Docs"] }), Ok(json!({ "checks": ["Lint", "Docs"] }))),
        (json!({ "checks": "lint; DOCS" }), Ok(json!({ "checks": ["Lint", "Docs"] }))),
        (json!({ "checks": "Unit, all , Docs," }), Ok(json!({ "checks": ["Unit, all", "Docs"] }))),
        (json!({ "confirm": false }), Ok(json!({ "confirm": ["No"] }))),
        (json!({ "confirm": "true" }), Ok(json!({ "confirm": ["Yes"] }))),
        (json!({ "env": "" }), Err("question 'env' requires an answer")),
        (json!({ "env": "Mars" }), Err("question 'env' contains an unknown option")),
        (json!({ "env": ["Staging"] }), Err("field 'env' has a value of another kind")),
        (json!({ "env_other": 7 }), Err("field 'env_other' has a value of another kind")),
        (json!({ "checks": [] }), Err("question 'checks' requires an answer")),
        (
            json!({ "checks": ["Lint", "Unit, all", "Docs"] }),
            Err("question 'checks' takes 1 to 2 values, got 3"),
        ),
        (json!({ "checks": ["Other"] }), Err("question 'checks' contains an unknown option")),
        (json!({ "checks": "Lint, Other" }), Err("question 'checks' contains an unknown option")),
        (json!({ "checks": [1] }), Err("field 'checks' has a value of another kind")),
        (json!({ "confirm": "perhaps" }), Err("question 'confirm' contains an unknown option")),
        (json!({ "count": 12 }), Err("question 'count': a number from 1 to 9")),
        (json!({ "mail": "  " }), Err("question 'mail' contains an empty answer")),
        (json!({ "colour": "red" }), Err("there is no field 'colour'")),
        (json!({ "checks_other": "x" }), Err("there is no field 'checks_other'")),
        (json!({ "free_text": "x" }), Err("there is no field 'free_text'")),
    ] {
        let mut all =
            json!({ "env": "Staging", "checks": ["Lint"], "confirm": true, "count": 3, "mail": "a@b.org" });
        for (name, value) in changed.as_object().into_iter().flatten() {
            all[name] = value.clone();
        }
        check(&every_kind(), &all, expected.as_ref().map_err(|text| *text));
    }
}

#[test]
fn content_of_one_question_is_read_as_just_ask_me_reads_it() {
    let choice = one_choice();
    let none = none_or_more();
    for (questions, given, expected) in [
        (&choice, json!({ "choice": "production" }), Ok(json!({ "choice": ["Production"], "notes": null }))),
        (
            &choice,
            json!({ "free_text": " Explain first " }),
            Ok(json!({ "choice": ["Explain first"], "notes": null })),
        ),
        (&choice, json!({ "choice": "", "free_text": "Wait" }), Ok(json!({ "choice": ["Wait"] }))),
        (
            &choice,
            json!({ "choice": "Staging", "free_text": "after lunch" }),
            Ok(json!({ "choice": ["Staging"], "notes": { "choice": "after lunch" } })),
        ),
        (
            &choice,
            json!({ "choice": "Custom reply", "free_text": "Mars" }),
            Ok(json!({ "choice": ["Mars"] })),
        ),
        (&choice, json!({ "choice": "Mars" }), Err("question 'choice' contains an unknown option")),
        (&choice, json!({ "free_text": " " }), Err("question 'choice' requires an answer")),
        (&choice, json!({}), Err("it is empty")),
        (&none, json!({ "choices": [] }), Ok(json!({ "choices": ["None of these"] }))),
        (&none, json!({ "choices": ["B"] }), Ok(json!({ "choices": ["B"] }))),
        (&none, json!({ "choices_text": "b, a" }), Ok(json!({ "choices": ["A", "B"] }))),
        (&none, json!({ "choices_text": "c" }), Err("question 'choices' contains an unknown option")),
    ] {
        check(questions, &given, expected.as_ref().map_err(|text| *text));
    }
}
