//! The schemas as goldens, and that each of them is strict.

use serde_json::{Map, Value};

use super::super::*;

#[test]
fn schemas_are_as_recorded() {
    for tool in tools(&Settings::default()) {
        let Tool { name, title, description, input, output, hints } = tool;
        let (input, output) = (Value::Object(input), Value::Object(output));
        let text =
            format!("{name}: {title}\n{description}\n{hints:?}\n\ninput {input:#}\n\noutput {output:#}");
        insta::assert_snapshot!(name, text);
    }
}

/// What is loose within a schema: an object that does not say whether it is closed, or requires what it does not have.
fn loose(schema: &Value, path: &str, found: &mut Vec<String>) {
    let Value::Object(members) = schema else {
        if let Value::Array(list) = schema {
            for (at, each) in list.iter().enumerate() {
                loose(each, &format!("{path}/{at}"), found);
            }
        }
        return;
    };
    let kinds = match members.get("type") {
        Some(Value::String(kind)) => vec![kind.as_str()],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if kinds.contains(&"object") || members.contains_key("properties") && path.ends_with("items") {
        if !members.contains_key("additionalProperties") {
            found.push(format!("{path} does not say whether it is closed"));
        }
        let properties = members.get("properties").and_then(Value::as_object);
        let required = members.get("required").and_then(Value::as_array);
        if properties.is_some() && required.is_none() {
            found.push(format!("{path} does not say what is required"));
        }
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !properties.is_some_and(|properties| properties.contains_key(name)) {
                found.push(format!("{path} requires {name}, which it does not have"));
            }
        }
    }
    if kinds.contains(&"array") && !members.contains_key("items") {
        found.push(format!("{path} does not say what it lists"));
    }
    for (name, each) in members {
        loose(each, &format!("{path}/{name}"), found);
    }
}

#[test]
fn every_schema_is_strict() {
    for tool in tools(&Settings::default()) {
        for (which, schema) in [("input", &tool.input), ("output", &tool.output)] {
            let name = format!("{} {which}", tool.name);
            let value = Value::Object(schema.clone());
            assert!(jsonschema::draft202012::meta::is_valid(&value), "{name} is no schema");
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
            assert_eq!(schema["type"], "object", "{name}");
            let mut found = Vec::new();
            loose(&value, "", &mut found);
            assert!(found.is_empty(), "{name}: {found:?}");
            for (property, each) in schema["properties"].as_object().into_iter().flatten() {
                let is_told = which == "output" || each.get("description").is_some();
                assert!(is_told, "{name}: {property} is not described");
                assert!(each.get("type").is_some(), "{name}: {property} has no type");
            }
        }
    }
}

#[test]
fn looseness_is_found() {
    for (schema, fault) in [
        (serde_json::json!({ "type": "object" }), " does not say whether it is closed"),
        (
            serde_json::json!({ "type": "object", "properties": {}, "additionalProperties": false }),
            " does not say what is required",
        ),
        (serde_json::json!({ "type": "array" }), " does not say what it lists"),
    ] {
        let mut found = Vec::new();
        loose(&schema, "", &mut found);
        assert_eq!(found, [fault]);
    }
}

#[test]
fn a_helper_is_not_offered_what_asks_and_is_told_so() {
    let settings = Settings { subagent: true, ..Settings::default() };
    let names: Vec<&str> = tools(&settings).iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["list_asks", "get_answer", "human_input_status"]);
    for (name, _) in [("ask_confirm", ()), ("ask", ()), ("ask_user", ()), ("notify", ()), ("cancel_ask", ())]
    {
        let refused = read(name, &Map::new(), &settings).expect_err("is refused");
        assert!(refused.is_error && refused.text.contains("main agent"), "{}", refused.text);
        super::keeps(name, &refused);
    }
}
