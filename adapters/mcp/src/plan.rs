//! A step of a plan that asks a person: `{id, tool_name: ask, input}`, with the results of earlier steps as its context, and what the step
//! results in. Reads no file and asks nobody.

use askrelay_core::ask::Fault;
use serde_json::{Map, Value, json};

use crate::tool::{Asked, Meant, Settings, read};
use crate::wanted::Finished;

/// A step as it was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its id within the plan.
    pub id: String,
    /// What it asks.
    pub asked: Asked,
}

/// Why a step cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the step cannot be asked:\n{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct StepError(pub Vec<Fault>);

/// Reads a step. `context` holds the results of earlier steps by their ids.
///
/// # Errors
/// Everything that is wrong with it, each with its place.
pub fn step(step: &Value, context: Map<String, Value>) -> Result<Step, StepError> {
    let mut faults = Vec::new();
    let mut fault =
        |path: &str, what: &str| faults.push(Fault { path: path.to_owned(), what: what.to_owned() });
    let id = step.get("id").and_then(Value::as_str).filter(|id| !id.trim().is_empty());
    if id.is_none() {
        fault("/id", "must be text");
    }
    match step.get("tool_name").and_then(Value::as_str) {
        Some("ask") => {}
        Some(other) => fault("/tool_name", &format!("must be ask, is {other}")),
        None => fault("/tool_name", "must be ask"),
    }
    let Some(input) = step.get("input").and_then(Value::as_object) else {
        fault("/input", "must be an object");
        return Err(StepError(faults));
    };
    let mut input = input.clone();
    if input.contains_key("context") {
        fault("/input/context", "is not for steps: earlier results are the context");
    }
    input.insert("context".into(), Value::Object(context));
    match (read("ask", &input, &Settings::default()), id) {
        (Ok(Meant::Ask(asked)), Some(id)) if faults.is_empty() => {
            Ok(Step { id: id.to_owned(), asked: *asked })
        }
        (Err(refused), _) => {
            faults.extend(within(&refused));
            Err(StepError(faults))
        }
        _ => Err(StepError(faults)),
    }
}

/// The faults of the input, with their places in the step.
fn within(refused: &Finished) -> Vec<Fault> {
    let listed = refused.structured.get("faults").and_then(Value::as_array);
    let text =
        |fault: &Value, name: &str| fault.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let each = listed.into_iter().flatten();
    each.map(|fault| Fault { path: format!("/input{}", text(fault, "path")), what: text(fault, "what") })
        .collect()
}

/// What a step results in: its answer, whether a person gave it, and why not.
#[must_use]
pub fn result(finished: &Finished) -> Value {
    let member = |name: &str| finished.structured.get(name).cloned().unwrap_or(Value::Null);
    let mut result = json!({ "answer": member("answer"), "answered": member("answered") });
    if let (Value::Object(members), reason @ Value::String(_)) = (&mut result, member("reason")) {
        members.insert("reason".into(), reason);
    }
    result
}
