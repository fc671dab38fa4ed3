//! What calls mean, and what every part of these tests needs.

use serde_json::{Value, json};

use super::*;
use crate::wanted::Finished;

mod ends;
mod faults;
mod hostile;
mod results;
mod schemas;
mod world;

fn meant(name: &str, arguments: &Value) -> Result<Meant, Finished> {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    read(name, arguments, &Settings::default())
}

fn tool(name: &str) -> Tool {
    tools(&Settings::default()).into_iter().find(|tool| tool.name == name).expect("there is the tool")
}

/// What is wrong with a value, as a schema sees it.
fn schema_faults(schema: &Map<String, Value>, value: &Value) -> Vec<String> {
    let validator = jsonschema::draft202012::new(&Value::Object(schema.clone())).expect("the schema is one");
    validator.iter_errors(value).map(|error| error.to_string()).collect()
}

/// Checks that a result keeps its tool's output schema.
fn keeps(name: &str, finished: &Finished) {
    let faults = schema_faults(&tool(name).output, &finished.structured);
    assert!(faults.is_empty(), "{name}: {faults:?} in {:#}", finished.structured);
    assert!(!finished.text.trim().is_empty(), "{name} says nothing");
}

/// The one question that a call asks.
fn question(name: &str, arguments: &Value) -> askrelay_core::ask::Question {
    match meant(name, arguments) {
        Ok(Meant::Ask(asked)) => asked.wanted.params.questions[0].clone(),
        other => panic!("asks nothing: {other:?}"),
    }
}

#[test]
fn headers_are_cut_to_twelve_units_and_waits_are_moved_in() {
    let call = |header: &str, seconds: i64| {
        json!({ "questions": [{"id": "q", "header": header, "question": "Q?", "options": [{"label": "A"}, {"label": "B"}]}],
                "timeoutSeconds": seconds })
    };
    for (header, cut) in [
        ("Deployment target", "Deployment t"),
        ("Exactly twel", "Exactly twel"),
        ("12345678901😀", "12345678901"),
    ] {
        assert_eq!(question("ask_user", &call(header, 900)).header, cut);
    }
    for (seconds, wait) in [(1, 30), (900, 900), (100_000, 3600)] {
        let Ok(Meant::Ask(asked)) = meant("ask_user", &call("H", seconds)) else { panic!("asks nothing") };
        assert_eq!(asked.wanted.params.wait, Some(Span::seconds(wait)));
    }
}

#[test]
fn templates_reach_schema_and_default_with_their_types() {
    let arguments = json!({
        "prompt": "Which of {{E0.n}}?",
        "outputSchema": { "type": "object", "properties": { "one": { "type": "string", "enum": "{{E0.names}}" } }, "required": ["one"] },
        "whenUnanswered": "default", "default": { "one": "{{E0.names.1}}" },
        "context": { "E0": { "n": 2, "names": ["red", "blue"] } },
    });
    let asked = question("ask", &arguments);
    assert!(asked.text.starts_with("Which of 2?"), "{}", asked.text);
    let labels: Vec<&str> = asked.choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(labels, ["red", "blue"]);
}
