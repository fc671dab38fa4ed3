//! Steps, understood and refused, and what they result in.

use serde_json::json;

use super::*;

fn context() -> Map<String, Value> {
    match json!({ "E0": { "candidates": [{ "name": "askrelay" }, { "name": "graph" }], "names": ["askrelay", "graph"] } })
    {
        Value::Object(context) => context,
        _ => Map::new(),
    }
}

fn input() -> Value {
    json!({
        "prompt": "Which of {{#E0.candidates}}{{name}}{{^@last}}, {{/@last}}{{/E0.candidates}}?",
        "outputSchema": { "properties": { "repo": { "enum": "{{E0.names}}", "description": "The repository" } }, "required": ["repo"] },
        "whenUnanswered": "default",
        "default": { "repo": "{{E0.names.0}}" },
    })
}

fn check(given: &Value, faults: &[&str]) {
    match step(given, context()) {
        Ok(step) => {
            assert_eq!(Vec::<&str>::new(), faults, "{given}");
            assert_eq!(step.id, "E1");
            let question = &step.asked.wanted.params.questions[0];
            assert_eq!(question.text, "Which of askrelay, graph?\nThe repository");
        }
        Err(StepError(found)) => {
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            assert_eq!(found, faults, "{given}");
        }
    }
}

#[test]
fn steps_are_read_as_graph_reads_them() {
    check(&json!({ "id": "E1", "tool_name": "ask", "input": input() }), &[]);
    check(&json!({ "id": "E1", "toolName": "ask", "input": input(), "reasoning": "why" }), &[]);
    let mut snake = input();
    let when = snake.as_object_mut().and_then(|input| input.remove("whenUnanswered")).unwrap_or_default();
    snake["when_unanswered"] = when;
    check(&json!({ "id": "E1", "tool_name": "ask", "input": snake }), &[]);
}

#[test]
fn everything_wrong_with_a_step_is_named_with_its_place() {
    let mut wrong = input();
    wrong["prompt"] = json!("{{E9.x}}");
    wrong["default"] = json!({ "repo": "other" });
    wrong["context"] = json!({});
    check(&json!("ask"), &[": must be an object with id, tool_name and input"]);
    check(
        &json!({ "id": " ", "tool_name": "exit", "input": wrong, "if": 1 }),
        &[
            "/if: is not known; known are id, tool_name, input and reasoning",
            "/id: must be text",
            "/tool_name: must be ask: no other step asks a person",
            "/input/context: is not for steps",
            "/input/prompt: {{E9.x}}: the context has no 'E9'; it has E0",
            "/input/default: does not keep the schema: property 'repo' cannot be '\"other\"'",
        ],
    );
    check(&json!({ "id": "E1", "tool_name": "ask" }), &["/input: must be an object"]);
}
