//! Every tool's schemas as goldens, every fault with its place, every status of every result.

use serde_json::{Value, json};

use super::*;
use crate::wanted::Finished;

mod results;

fn meant(name: &str, arguments: &Value) -> Result<Meant, Finished> {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    read(name, arguments, &Settings::default())
}

#[test]
fn schemas_are_as_recorded() {
    let mut text = String::new();
    for tool in tools(&Settings::default()) {
        text.push_str(&format!(
            "## {} ({})\n{}\n{:?}\n",
            tool.name, tool.title, tool.description, tool.hints
        ));
        text.push_str(&format!(
            "input {:#}\noutput {:#}\n\n",
            Value::Object(tool.input),
            Value::Object(tool.output)
        ));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn helpers_of_agents_are_not_offered_what_asks() {
    let settings = Settings { subagent: true, ..Settings::default() };
    let names: Vec<&str> = tools(&settings).iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["notify", "list_asks", "get_answer", "cancel_ask", "human_input_status"]);
    let Value::Object(arguments) = json!({ "question": "Go?" }) else { panic!("is an object") };
    let refused = read("ask_confirm", &arguments, &settings).expect_err("is refused");
    assert!(refused.is_error && refused.text.contains("main agent"), "{}", refused.text);
}

/// Checks which faults a call has; none means that it is understood.
fn check(name: &str, arguments: &Value, faults: &[&str]) {
    let found: Vec<String> = match meant(name, arguments) {
        Ok(_) => Vec::new(),
        Err(finished) => {
            assert!(finished.is_error, "{name} {arguments}");
            let text = finished.structured["message"].as_str().unwrap_or(&finished.text).to_owned();
            text.lines().skip(1).map(str::to_owned).collect()
        }
    };
    assert_eq!(found, faults, "{name} {arguments}");
}

/// A call of `ask_user` with one question, one member of it changed.
fn user(name: &str, value: Value) -> Value {
    let mut question = json!({
        "id": "q", "header": "H", "question": "Q?", "options": [{"label": "A"}, {"label": "B"}],
    });
    question[name] = value;
    json!({ "questions": [question] })
}

#[test]
fn faults_of_ask_user_are_named_with_their_places() {
    let two = json!([{"label": "A"}, {"label": "B"}]);
    let question = json!({"id": "q", "header": "H", "question": "Q?", "options": two});
    for (name, arguments, faults) in [
        ("ask_user", user("id", json!("q")), vec![]),
        ("ask_user", json!({}), vec!["/questions: is missing"]),
        ("ask_user", json!({ "questions": [] }), vec!["/questions: must have 1 to 3 entries, has 0"]),
        ("ask_user", json!({ "questions": ["Q?"] }), vec!["/questions/0: must be an object, is text"]),
        (
            "ask_user",
            json!({ "questions": [question, question] }),
            vec!["/questions/1/id: 'q' is used twice"],
        ),
        (
            "ask_user",
            user("id", json!("Q")),
            vec!["/questions/0/id: must begin with a-z and go on with a-z, 0-9 and _"],
        ),
        ("ask_user", user("header", json!(" ")), vec!["/questions/0/header: must not be blank"]),
        ("ask_user", user("question", json!(7)), vec!["/questions/0/question: must be text, is a number"]),
        (
            "ask_user",
            user("multiSelect", json!("yes")),
            vec!["/questions/0/multiSelect: must be true or false, is text"],
        ),
        (
            "ask_user",
            user("options", json!([{"label": "A"}])),
            vec!["/questions/0/options: must have 2 to 4 entries, has 1"],
        ),
        (
            "ask_user",
            user("options", json!([{"label": "Go"}, {"label": " go "}])),
            vec!["/questions/0/options/1/label: 'go' is there already"],
        ),
        (
            "ask_user",
            user("options", json!([{"label": "Go"}, {"label": "Other…"}])),
            vec![
                "/questions/0/options/1/label: leave it out: the person can always answer in their own words",
            ],
        ),
        (
            "ask_user",
            user("options", json!([{"label": "Go"}, {"label": "x".repeat(65)}])),
            vec!["/questions/0/options/1/label: must have at most 64 characters, has 65"],
        ),
        (
            "ask_user",
            user("isSecret", json!(true)),
            vec!["/questions/0/isSecret: is not known; known are id, header, question, options, multiSelect"],
        ),
        (
            "ask_user",
            json!({ "questions": [question], "timeoutSeconds": "long" }),
            vec!["/timeoutSeconds: must be a whole number, is text"],
        ),
        (
            "ask_user",
            json!({ "questions": [question], "on_cancel": "drop" }),
            vec!["/on_cancel: must be one of keep, withdraw"],
        ),
    ] {
        check(name, &arguments, &faults);
    }
}

#[test]
fn faults_of_the_other_tools_are_named_with_their_places() {
    let two = json!([{"label": "A"}, {"label": "B"}]);
    for (name, arguments, faults) in [
        ("ask_choice", json!({ "question": "Q?", "options": two }), vec![]),
        (
            "ask_choice",
            json!({ "options": two, "default": "C" }),
            vec!["/question: is missing", "/default: must be one of the labels, exactly"],
        ),
        (
            "ask_choice",
            json!({ "question": "Q?", "options": two, "timeout_ms": 5 }),
            vec!["/timeout_ms: must be 1000 to 3600000, is 5"],
        ),
        ("ask_multi_select", json!({ "question": "Q?", "options": two, "min": 0 }), vec![]),
        (
            "ask_multi_select",
            json!({ "question": "Q?", "options": two, "min": 3 }),
            vec!["/min: must not be more than there are options"],
        ),
        (
            "ask_multi_select",
            json!({ "question": "Q?", "options": two, "min": 2, "max": 1 }),
            vec!["/max: must not be less than min"],
        ),
        ("ask_confirm", json!({ "question": "Q?", "default": true }), vec![]),
        (
            "ask_confirm",
            json!({ "question": "Q?", "default": "yes" }),
            vec!["/default: must be true or false, is text"],
        ),
        ("ask_text", json!({ "question": "Q?", "placeholder": "", "default": "d" }), vec![]),
        (
            "ask_text",
            json!({ "question": "x".repeat(2001) }),
            vec!["/question: must have at most 2000 characters, has 2001"],
        ),
        ("notify", json!({ "message": " " }), vec!["/message: must not be blank"]),
        (
            "get_answer",
            json!({ "waitSeconds": 4000 }),
            vec!["/waitSeconds: must be 0 to 3600, is 4000", "/ask_id: is missing"],
        ),
        ("cancel_ask", json!({}), vec!["/ask_id: is missing"]),
        ("list_asks", json!({ "ended": 1 }), vec!["/ended: must be true or false, is a number"]),
        ("sing", json!({}), vec![": there is no tool 'sing'"]),
    ] {
        check(name, &arguments, &faults);
    }
}

#[test]
fn faults_of_typed_asks_are_named_with_their_places() {
    let schema = json!({ "type": "object", "properties": { "env": { "type": "string", "enum": ["a", "b"] } }, "required": ["env"] });
    for (arguments, faults) in [
        (json!({ "prompt": "Where?", "outputSchema": schema }), vec![]),
        (json!({ "prompt": "Where?", "output_schema": schema }), vec![]),
        (json!({ "prompt": "Where?" }), vec!["/outputSchema: is missing"]),
        (
            json!({ "prompt": "Where?", "outputSchema": schema, "output_schema": schema }),
            vec!["/output_schema: is given twice: outputSchema is the same"],
        ),
        (
            json!({ "prompt": "Where?", "outputSchema": schema, "whenUnanswered": "default" }),
            vec!["/default: is missing: whenUnanswered is default"],
        ),
        (
            json!({ "prompt": "Where?", "outputSchema": schema, "default": { "env": "a" } }),
            vec!["/default: is never used: whenUnanswered is fail"],
        ),
        (
            json!({ "prompt": "Where?", "outputSchema": schema, "whenUnanswered": "default", "default": { "env": "c" } }),
            vec!["/default: does not keep the schema: property 'env' cannot be '\"c\"'"],
        ),
        (
            json!({ "prompt": "In {{E0.place}}?", "outputSchema": schema, "context": { "E0": {} } }),
            vec!["/prompt: {{E0.place}}: there is no 'place'"],
        ),
        (
            json!({ "prompt": "Q?", "outputSchema": { "type": "object", "properties": { "l": { "type": "array", "items": { "enum": ["a"] } } } } }),
            vec!["/outputSchema/properties/l/type: must not be array: a list cannot be asked for here"],
        ),
    ] {
        check("ask", &arguments, &faults);
    }
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
