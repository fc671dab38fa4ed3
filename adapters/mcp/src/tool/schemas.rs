//! The parts that the schemas of several tools share. Schemas are JSON Schema 2020-12; every object says whether it is
//! closed: what a contract refuses is refused here too.

use serde_json::{Map, Value, json};

use super::arguments::Unknown;
use super::members;

/// The schema of a call's arguments: the tool's own members, and those that every asking tool has.
pub(super) fn asking(own: Value, required: &[&str], unknown: Unknown) -> Map<String, Value> {
    let mut properties = members(own);
    properties.insert(
        "idempotency_key".into(),
        json!({
            "type": "string", "minLength": 1, "maxLength": 200,
            "description": "Your own name for this ask. A call with the same key and the same question joins the ask that runs, or gets its answer, and never asks twice.",
        }),
    );
    properties.insert(
        "on_cancel".into(),
        json!({
            "type": "string", "enum": ["keep", "withdraw"], "default": "keep",
            "description": "What becomes of the question when this call is cancelled: it stays open and can be joined (keep), or it is taken back (withdraw).",
        }),
    );
    object(Value::Object(properties), required, unknown == Unknown::Ignored)
}

/// A closed object.
pub(super) fn closed(properties: Value, required: &[&str]) -> Map<String, Value> {
    object(properties, required, false)
}

/// An object, closed or open.
pub(super) fn object(properties: Value, required: &[&str], open: bool) -> Map<String, Value> {
    members(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object", "properties": properties, "required": required, "additionalProperties": open,
    }))
}

/// What was wrong with a call's arguments; only where something was.
pub(super) fn faults() -> Value {
    json!({
        "type": "array",
        "description": "What is wrong with the arguments, each with its place as a JSON pointer; only when something is.",
        "items": {
            "type": "object",
            "properties": { "path": { "type": "string" }, "what": { "type": "string" } },
            "required": ["path", "what"], "additionalProperties": false,
        },
    })
}

/// What every result tells of its ask.
pub(super) fn told() -> Map<String, Value> {
    members(json!({
        "ask_id": {
            "type": ["string", "null"],
            "description": "The ask's stable id, for get_answer and cancel_ask; null when nobody was asked.",
        },
        "reason": {
            "type": ["string", "null"],
            "enum": ["pending", "declined", "expired", "withdrawn", "unavailable", "not_delivered", "handed_back", "misused", "not_found", null],
            "description": "Why there is no answer; null with one. pending: the question is open still. handed_back: ask the person yourself. misused: the arguments are wrong.",
        },
        "answered_by": { "type": ["string", "null"], "description": "Who answered." },
        "verified": {
            "type": ["boolean", "null"],
            "description": "Whether it is established who answered; forms and terminals on the asking machine establish nothing.",
        },
        "late": {
            "type": ["object", "null"],
            "properties": {
                "answers": answers(),
                "answered_by": { "type": ["string", "null"] },
            },
            "required": ["answers", "answered_by"], "additionalProperties": false,
            "description": "An answer that came after the question had ended.",
        },
        "binding": {
            "type": ["string", "null"], "enum": ["run", "attached", "none", null],
            "description": "run: the ask is its person's, typed replies count. attached: only buttons and panels answer it. none: only an administrator does.",
        },
        "joined": { "type": "boolean", "description": "The call joined an ask that was there already." },
    }))
}

/// Values by question.
pub(super) fn answers() -> Value {
    json!({ "type": "object", "additionalProperties": { "type": "array", "items": { "type": "string" } } })
}

/// The schema of a result: its own members and those that all have; every one is always there, but for the `optional`.
pub(super) fn result(own: Value, optional: &[&str]) -> Map<String, Value> {
    let mut properties = told();
    properties.append(&mut members(own));
    let names: Vec<String> =
        properties.keys().filter(|name| !optional.contains(&name.as_str())).cloned().collect();
    properties.insert("faults".into(), faults());
    let required: Vec<&str> = names.iter().map(String::as_str).collect();
    closed(Value::Object(properties), &required)
}

/// What to do now.
pub(super) fn next_step() -> Value {
    json!({ "type": "string", "description": "What to do now. Follow it." })
}

/// The option lists of one or several choices.
pub(super) fn options(least: usize, most: usize, label: usize, description: &str, unknown: Unknown) -> Value {
    json!({
        "type": "array", "minItems": least, "maxItems": most, "description": description,
        "items": {
            "type": "object",
            "properties": {
                "label": {
                    "type": "string", "minLength": 1, "maxLength": label,
                    "description": "What the person picks, and what comes back. A few words; end the one you recommend with (Recommended) and put it first.",
                },
                "description": {
                    "type": "string", "maxLength": 1000,
                    "description": "One line on what it means or costs.",
                },
            },
            "required": ["label"], "additionalProperties": unknown == Unknown::Ignored,
        },
    })
}

/// The time that a question may stay open, in milliseconds.
pub(super) fn timeout_ms() -> Value {
    json!({
        "type": "integer", "minimum": 1000, "maximum": 3_600_000,
        "description": "How long to wait for the person, in milliseconds. The server's setting (HIM_TIMEOUT_MS, 300000) when left out.",
    })
}
