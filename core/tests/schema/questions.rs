//! The Questions that schemas make: one golden of every kind, and tables of what is decided about them.

use askrelay_core::ask::{Constraint, Question};
use askrelay_core::schema::Form;
use serde_json::{Value, json};

/// A form of one property `x`.
pub(crate) fn one(property: &Value, required: bool) -> Form {
    let required: &[&str] = if required { &["x"] } else { &[] };
    let schema = json!({ "type": "object", "properties": { "x": property }, "required": required });
    Form::of(&schema).unwrap_or_else(|faults| panic!("{property}: {faults:?}"))
}

fn question(property: &Value, required: bool) -> Question {
    one(property, required).questions.remove(0)
}

#[test]
fn every_kind_of_property_becomes_a_question() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "title": "Release",
        "additionalProperties": false,
        "properties": {
            "name": { "type": "string", "title": "Name", "description": "Whose release is it?", "minLength": 2, "maxLength": 40 },
            "mail": { "type": "string", "format": "email", "default": "team@example.org" },
            "replicas": { "type": "integer", "description": "How many replicas?", "minimum": 1, "maximum": 10, "default": 3 },
            "budget": { "type": "number", "minimum": 0.5 },
            "urgent": { "type": "boolean", "description": "Is it urgent?", "default": false },
            "target": { "type": "string", "enum": ["prod", "Prod"], "enumNames": ["Production", "Production"] },
            "region": { "oneOf": [{ "const": "eu", "title": "Europe", "description": "Frankfurt" }, { "const": "us", "title": "US" }] },
            "signals": { "type": "array", "minItems": 1, "maxItems": 2, "items": { "type": "string", "enum": ["Logs", "Metrics", "Traces"] }, "default": ["Metrics"] },
            "Tags!": { "type": "array", "items": { "anyOf": [{ "const": "a", "title": "A" }, { "const": "b", "title": "B" }] } }
        },
        "required": ["replicas", "name", "urgent", "target", "signals", "Tags!"]
    });
    let form = Form::of(&schema).expect("a form");
    insta::assert_snapshot!("questions", serde_json::to_string_pretty(&form.questions).expect("JSON"));
}

#[test]
fn words_come_from_description_title_and_name() {
    for (name, property, header, text) in [
        ("all", json!({ "type": "string", "title": "Title", "description": "Which?" }), "Title", "Which?"),
        ("no title", json!({ "type": "string", "description": "Which?" }), "x", "Which?"),
        ("no description", json!({ "type": "string", "title": "Title" }), "", "Title"),
        ("nothing", json!({ "type": "string" }), "", "x"),
        ("blank", json!({ "type": "string", "title": " ", "description": "" }), "", "x"),
    ] {
        let question = question(&property, true);
        assert_eq!((question.header.as_str(), question.text.as_str()), (header, text), "{name}");
    }
}

#[test]
fn ids_are_names_where_the_wire_takes_them_and_unique_always() {
    let names = ["b", "a_1", "A", "field_1", "1st", "snake_case", "ünï", "with space", ""];
    let properties: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))).collect();
    let form =
        Form::of(&json!({ "type": "object", "properties": properties, "required": names })).expect("a form");
    let ids: Vec<&str> = form.questions.iter().map(|question| question.id.as_str()).collect();
    assert_eq!(
        ids,
        ["b", "a_1", "field_2", "field_1", "field_3", "snake_case", "field_4", "field_5", "field_6"]
    );
}

#[test]
fn an_enum_has_choices_while_they_are_few_and_is_a_list_of_words_beyond() {
    let values = |count: usize| (0..count).map(|n| format!("v{n}")).collect::<Vec<_>>();
    for (name, count, required, choices) in [
        ("one", 1, true, 1),
        ("many", 99, true, 99),
        ("many and a way out", 99, false, 100),
        ("too many", 100, true, 0),
        ("far too many", 5000, false, 0),
    ] {
        let question = question(&json!({ "type": "string", "enum": values(count) }), required);
        assert_eq!(question.choices.len(), choices, "{name}");
        assert!(!question.other, "{name}");
        let listed = match &question.constraint {
            Some(Constraint::OneOf { values }) => values.len(),
            Some(Constraint::Or { constraint: Some(inner), .. }) => match &**inner {
                Constraint::OneOf { values } => values.len(),
                other => panic!("{name}: {other:?}"),
            },
            None => 0,
            Some(other) => panic!("{name}: {other:?}"),
        };
        assert_eq!(listed, if choices == 0 { count } else { 0 }, "{name}");
    }
}

#[test]
fn labels_are_unique_and_visible() {
    for (name, property, labels) in [
        ("case differs", json!({ "enum": ["prod", "Prod", "PROD"] }), vec!["prod", "Prod", "PROD"]),
        (
            "titles repeat",
            json!({ "enum": ["a", "b"], "enumNames": ["Same", "Same"] }),
            vec!["Same (\"a\")", "Same (\"b\")"],
        ),
        ("spaces differ", json!({ "enum": ["a", " a"] }), vec!["a (\"a\")", "a (\" a\")"]),
        ("blank", json!({ "enum": ["", "b"] }), vec!["(\"\")", "b"]),
        ("a made label is taken", json!({ "enum": ["", "(\"\")"] }), vec!["(\"\")", "(\"\")'"]),
        (
            "not a string title",
            json!({ "oneOf": [{ "const": "a" }, { "const": "b", "title": "B" }] }),
            vec!["a", "B"],
        ),
    ] {
        let question = question(&property, true);
        let got: Vec<&str> = question.choices.iter().map(|choice| choice.label.as_str()).collect();
        assert_eq!(got, labels, "{name}");
    }
}
