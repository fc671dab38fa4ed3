//! Answers back as typed values: a table of properties, what a person gave, and what the asker gets.

use askrelay_core::answer::{Answers, canonical};
use askrelay_core::schema::{Form, LEAVE_OUT, NotTyped};
use serde_json::{Value, json};

use crate::questions::one;

fn typed(form: &Form, values: &[&str]) -> Result<Value, NotTyped> {
    let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
    let given = Answers([("x".into(), values)].into());
    let canonical = canonical(&form.questions, &given).unwrap_or_else(|fault| panic!("{given:?}: {fault}"));
    form.typed(&canonical)
}

#[test]
fn answers_come_back_as_the_schema_types_them() {
    let list =
        |most: usize| json!({ "type": "array", "items": { "enum": ["b", "a", "c"] }, "maxItems": most });
    let numbered: Vec<String> = (0..300).map(|n| format!("value {n}")).collect();
    for (name, property, required, values, want) in [
        ("text", json!({ "type": "string" }), true, vec![" 5 "], json!({ "x": "5" })),
        ("integer", json!({ "type": "integer" }), true, vec!["-5"], json!({ "x": -5 })),
        ("number", json!({ "type": "number" }), true, vec!["2.50"], json!({ "x": 2.5 })),
        ("whole number", json!({ "type": "number" }), true, vec!["2"], json!({ "x": 2 })),
        ("yes", json!({ "type": "boolean" }), true, vec!["Yes"], json!({ "x": true })),
        ("no", json!({ "type": "boolean" }), true, vec!["No"], json!({ "x": false })),
        (
            "title",
            json!({ "oneOf": [{ "const": "eu", "title": "Europe" }] }),
            true,
            vec!["Europe"],
            json!({ "x": "eu" }),
        ),
        (
            "name",
            json!({ "enum": ["eu"], "enumNames": ["Europe"] }),
            true,
            vec!["Europe"],
            json!({ "x": "eu" }),
        ),
        ("case", json!({ "enum": ["prod", "PROD"] }), true, vec!["PROD"], json!({ "x": "PROD" })),
        ("spaces", json!({ "enum": ["a", " a"] }), true, vec!["a (\" a\")"], json!({ "x": " a" })),
        ("list", list(2), true, vec!["c", "b"], json!({ "x": ["b", "c"] })),
        ("long enum", json!({ "enum": numbered }), true, vec!["value 299"], json!({ "x": "value 299" })),
        ("empty list", list(3), true, vec![LEAVE_OUT], json!({ "x": [] })),
        ("no list", list(3), false, vec![LEAVE_OUT], json!({})),
        ("values beside leaving out", list(3), false, vec!["a", LEAVE_OUT], json!({ "x": ["a"] })),
        ("no text", json!({ "type": "string", "minLength": 20 }), false, vec!["leave OUT"], json!({})),
        ("no integer", json!({ "type": "integer", "minimum": 1 }), false, vec![LEAVE_OUT], json!({})),
        (
            "an integer after all",
            json!({ "type": "integer", "minimum": 1 }),
            false,
            vec!["1"],
            json!({ "x": 1 }),
        ),
        ("no boolean", json!({ "type": "boolean" }), false, vec![LEAVE_OUT], json!({})),
        ("no choice", json!({ "enum": ["a"] }), false, vec![LEAVE_OUT], json!({})),
        (
            "the words are a value",
            json!({ "enum": [LEAVE_OUT] }),
            false,
            vec![LEAVE_OUT],
            json!({ "x": LEAVE_OUT }),
        ),
        ("and can be left out", json!({ "enum": [LEAVE_OUT] }), false, vec!["Leave out!"], json!({})),
        ("of a long enum", json!({ "enum": numbered }), false, vec!["leave out"], json!({})),
    ] {
        let form = one(&property, required);
        assert_eq!(typed(&form, &values).as_ref(), Ok(&want), "{name}");
        let back = form.answers(want.as_object().unwrap()).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        let back = canonical(&form.questions, &back).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(form.typed(&back), Ok(want), "{name}, there and back");
    }
}

#[test]
fn an_object_of_another_schema_is_no_answer() {
    let list = json!({ "type": "array", "items": { "enum": ["a"] } });
    for (name, property, object, want) in [
        ("unknown", json!({ "type": "string" }), json!({ "y": "" }), "no property 'y'"),
        ("wrong kind", json!({ "type": "integer" }), json!({ "x": "2" }), "'x' cannot be '\"2\"'"),
        ("no value of it", json!({ "enum": ["a"] }), json!({ "x": "b" }), "'x' cannot be '\"b\"'"),
        ("no list", list.clone(), json!({ "x": "a" }), "'x' cannot be '\"a\"'"),
        ("wrong item", list, json!({ "x": ["b"] }), "'x' cannot be '\"b\"'"),
    ] {
        let wrong = one(&property, true).answers(object.as_object().unwrap()).unwrap_err().to_string();
        assert!(wrong.contains(want), "{name}: {wrong}");
    }
}

#[test]
fn the_offered_default_is_the_schemas_or_to_leave_it_out() {
    for (name, property, required, want) in [
        ("text", json!({ "type": "string", "default": "main" }), true, vec!["main"]),
        ("optional text", json!({ "type": "string" }), false, vec![LEAVE_OUT]),
        ("optional text with one", json!({ "type": "string", "default": "main" }), false, vec!["main"]),
        ("whole numbers are written plainly", json!({ "type": "integer", "default": 3.0 }), true, vec!["3"]),
        ("a boolean", json!({ "type": "boolean", "default": false }), true, vec!["No"]),
        (
            "an enum's title",
            json!({ "enum": ["eu"], "enumNames": ["Europe"], "default": "eu" }),
            true,
            vec!["Europe"],
        ),
        (
            "a list",
            json!({ "type": "array", "items": { "enum": ["a", "b"] }, "default": ["b"] }),
            true,
            vec!["b"],
        ),
        (
            "an empty list offers nothing",
            json!({ "type": "array", "items": { "enum": ["a"] }, "default": [] }),
            true,
            vec![],
        ),
        ("an empty text offers nothing", json!({ "type": "string", "default": "" }), true, vec![]),
        ("choices offer nothing by themselves", json!({ "enum": ["a"] }), false, vec![]),
    ] {
        assert_eq!(one(&property, required).questions[0].default, want, "{name}");
    }
}

#[test]
fn answers_to_another_question_are_no_values() {
    let form = one(&json!({ "enum": ["a"] }), true);
    let given = |values: Vec<String>| Answers([("x".into(), values)].into());
    assert_eq!(form.typed(&Answers::default()), Err(NotTyped::Missing("x".to_owned())));
    let wrong = NotTyped::WrongValue { property: "x".to_owned(), text: "b".to_owned() };
    assert_eq!(form.typed(&given(vec!["b".to_owned()])), Err(wrong));
}
