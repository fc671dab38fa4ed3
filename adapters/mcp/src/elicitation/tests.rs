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

#[test]
fn forms_are_as_recorded() {
    let questions = every_kind();
    let form = |mode| Value::Object(schema(&questions, mode).expect("can be put there"));
    insta::assert_snapshot!(format!(
        "{}\n\narray {:#}\n\ntext {:#}",
        message(&questions),
        form(MultiSelect::Array),
        form(MultiSelect::Text)["properties"]["checks"]
    ));
}

#[test]
fn secrets_are_never_put_there() {
    assert_eq!(schema(&[Question { secret: true, ..question("key", &[]) }], MultiSelect::Array), None);
}

fn check(content: &Value, multi_select: MultiSelect, expected: Result<&Value, &str>) {
    let mut all =
        json!({ "env": "Staging", "checks": ["Lint"], "confirm": true, "count": 3, "mail": "a@b.org" });
    for (name, value) in content.as_object().into_iter().flatten() {
        all[name] = value.clone();
    }
    let found = answers(&every_kind(), all.as_object().expect("is an object"), multi_select);
    match (found, expected) {
        (Ok(answers), Ok(expected)) => {
            let found = serde_json::to_value(&answers).expect("is JSON");
            for (name, value) in expected.as_object().into_iter().flatten() {
                assert_eq!(found[name], *value, "{content}");
            }
        }
        (Err(error), Err(expected)) => assert_eq!(error.to_string(), expected, "{content}"),
        (found, expected) => panic!("{content}: {found:?}, expected {expected:?}"),
    }
}

#[test]
fn content_is_checked_again() {
    use MultiSelect::{Array, Text};
    for (content, mode, expected) in [
        (
            json!({}),
            Array,
            Ok(
                json!({ "env": ["Staging"], "checks": ["Lint"], "confirm": ["Yes"], "count": ["3"], "mail": ["a@b.org"] }),
            ),
        ),
        (json!({ "env_other": " Mars, please " }), Array, Ok(json!({ "env": ["Mars, please"] }))),
        (json!({ "env": "", "env_other": "Mars" }), Array, Ok(json!({ "env": ["Mars"] }))),
        (json!({ "checks": ["Docs", "Lint"] }), Array, Ok(json!({ "checks": ["Lint", "Docs"] }))),
        (json!({ "checks": "lint; DOCS" }), Text, Ok(json!({ "checks": ["Lint", "Docs"] }))),
        (json!({ "confirm": false }), Array, Ok(json!({ "confirm": ["No"] }))),
        (json!({ "env": "" }), Array, Err("question 'env' requires an answer")),
        (json!({ "checks": [] }), Array, Err("question 'checks' requires an answer")),
        (
            json!({ "checks": ["Lint", "Unit, all", "Docs"] }),
            Array,
            Err("question 'checks' takes 1 to 2 values, got 3"),
        ),
        (json!({ "checks": ["Other"] }), Array, Err("question 'checks' contains an unknown option")),
        (json!({ "checks": [1] }), Array, Err("field 'checks' has a value of another kind")),
        (json!({ "confirm": "perhaps" }), Array, Err("question 'confirm' contains an unknown option")),
        (json!({ "count": 12 }), Array, Err("question 'count': a number from 1 to 9")),
        (json!({ "mail": "  " }), Array, Err("question 'mail' contains an empty answer")),
        (json!({ "colour": "red" }), Array, Err("there is no field 'colour'")),
        (json!({ "checks_other": "x" }), Array, Err("there is no field 'checks_other'")),
    ] {
        check(&content, mode, expected.as_ref().map_err(|text| *text));
    }
}
