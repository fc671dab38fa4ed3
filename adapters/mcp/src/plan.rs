//! A step of a plan that asks a person: `{id, tool_name: ask, input}`, with the results of earlier steps as its context, and what the step
//! results in. Reads no file and asks nobody.

use std::sync::Arc;

use askrelay_core::ask::Fault;
use askrelay_core::record::Record;
use serde_json::{Map, Value};

use crate::pointer::at;
use crate::tool::{Asked, End, Meant, Settings, read};
use crate::wanted::{Finished, How};

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

/// The members that a step may have. The reasoning is its author's, and asks nothing.
const KNOWN: [&str; 5] = ["id", "tool_name", "toolName", "input", "reasoning"];
/// What a call of the tool may have and a step may not: how calls are told apart, and results that a plan has by itself.
const OF_CALLS: [&str; 3] = ["context", "idempotency_key", "on_cancel"];

/// Reads a step. `context` holds the results of earlier steps by their ids.
///
/// # Errors
/// Everything that is wrong with it, each with its place.
pub fn step(step: &Value, context: Map<String, Value>) -> Result<Step, StepError> {
    let mut faults = Vec::new();
    let mut fault = |path: String, what: &str| faults.push(Fault { path, what: what.to_owned() });
    let Some(members) = step.as_object() else {
        fault(String::new(), "must be an object with id, tool_name and input");
        return Err(StepError(faults));
    };
    for name in members.keys().filter(|name| !KNOWN.contains(&name.as_str())) {
        fault(at("", name), "is not known; known are id, tool_name, input and reasoning");
    }
    let id = members.get("id").and_then(Value::as_str).filter(|id| !id.trim().is_empty());
    if id.is_none() {
        fault("/id".to_owned(), "must be text");
    }
    let tool = members.get("tool_name").or_else(|| members.get("toolName"));
    if tool.and_then(Value::as_str) != Some("ask") {
        fault("/tool_name".to_owned(), "must be ask: no other step asks a person");
    }
    let input = members.get("input").and_then(Value::as_object);
    if input.is_none() {
        fault("/input".to_owned(), "must be an object");
    }
    let mut input = input.cloned().unwrap_or_default();
    for name in OF_CALLS.into_iter().filter(|name| input.contains_key(*name)) {
        fault(at("/input", name), "is not for steps");
    }
    input.retain(|name, _| !OF_CALLS.contains(&name.as_str()));
    input.insert("context".into(), Value::Object(context));
    match read("ask", &input, &Settings::default()) {
        Ok(Meant::Ask(asked)) if faults.is_empty() => {
            Ok(Step { id: id.unwrap_or_default().to_owned(), asked: *asked })
        }
        Err(refused) if members.get("input").is_some_and(Value::is_object) => {
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

impl Step {
    /// What the step results in, of a Record that ended: its answer, whether a person gave it, and why not.
    ///
    /// # Errors
    /// Nobody answered and the step has no default: what would have to change.
    pub fn result(&self, record: Record) -> Result<Value, &'static str> {
        let end = End::Ended(Arc::new(record));
        let finished = self.asked.shape.finish(&self.asked.wanted, &end, &How::default());
        if finished.is_error {
            return Err(NOT_FAIL);
        }
        let of = |name: &str| Some((name.to_owned(), finished.structured.get(name)?.clone()));
        Ok(["answer", "answered", "reason"].into_iter().filter_map(of).collect::<Map<_, _>>().into())
    }
}

/// How a step that failed for want of an answer is made not to fail.
const NOT_FAIL: &str = "the step fails without an answer; to go on without one, give its input \"whenUnanswered\": \"default\" and a \"default\" that keeps the schema";

#[cfg(test)]
mod tests;
