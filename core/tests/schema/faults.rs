//! Everything wrong with a schema, all at once, each with its place.

use askrelay_core::schema::Form;
use serde_json::{Value, json};

fn faults(schema: &Value) -> Vec<String> {
    Form::of(schema).expect_err("faults").into_iter().map(|fault| fault.to_string()).collect()
}

#[test]
fn every_fault_is_reported_with_its_pointer() {
    let schema = json!({
        "type": "array",
        "minProperties": 1,
        "properties": {
            "a/b~c": { "type": "object" },
            "bad": "string",
            "bounds": { "type": "integer", "minimum": 5, "maximum": 4, "default": 7 },
            "default": { "type": "string", "enum": ["a"], "default": "z" },
            "enum": { "type": "string", "enum": ["a", 2, "a"], "enumNames": ["A"] },
            "lengths": { "type": "string", "minLength": -1, "maxLength": "long", "title": 3 },
            "list": { "type": "array", "items": { "type": "string" }, "minItems": 2 },
            "many": { "type": "array", "items": { "enum": ["a", "b"] }, "minItems": 3, "maxItems": 0 },
            "nothing": { "type": "string", "enum": [] },
            "null": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
            "number": { "type": "number", "enum": [1, 2] },
            "pattern": { "type": "string", "pattern": "^a" },
            "untyped": {},
            "two": { "type": ["string", "null"] }
        },
        "required": ["bounds", "unknown", 3]
    });
    insta::assert_snapshot!("faults", faults(&schema).join("\n"));
}

#[test]
fn what_is_no_form_at_all_says_so() {
    let many: serde_json::Map<String, Value> =
        (0..51).map(|n| (format!("p{n}"), json!({ "type": "boolean" }))).collect();
    for (name, schema, want) in [
        ("not an object", json!(3), vec![": must be an object"]),
        (
            "no properties",
            json!({ "type": "object" }),
            vec!["/properties: must be an object with at least one property"],
        ),
        (
            "none",
            json!({ "type": "object", "properties": {} }),
            vec!["/properties: must have 1 to 50 properties, has 0"],
        ),
        (
            "too many",
            json!({ "type": "object", "properties": many }),
            vec!["/properties: must have 1 to 50 properties, has 51"],
        ),
        (
            "required is no list",
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": "a" }),
            vec!["/required: must be a list of property names"],
        ),
    ] {
        assert_eq!(faults(&schema), want, "{name}");
    }
}
