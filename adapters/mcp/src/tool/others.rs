//! The tools beside asking: `notify`, `list_asks`, `get_answer` and `cancel_ask`.

use askrelay_core::ask::Fault;
use askrelay_core::id::RecordId;
use askrelay_core::record::{NoAnswer, Record};
use askrelay_core::time::Span;
use serde_json::{Map, Value, json};

use super::arguments::{Arguments, Unknown};
use super::{Collecting, Hints, Listing, Meant, Told, Tool, ask_user, ended, listed_faults, schemas};
use crate::wanted::Finished;

/// What looking does to the world.
pub(super) const LOOKS: Hints =
    Hints { read_only: true, destructive: false, idempotent: true, open_world: false };
/// Longest wait of `get_answer`, in seconds.
const WAIT_MAX: i64 = 3600;

fn id_schema() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": 256, "description": "The ask_id of an earlier result." })
}

/// Most characters of a notification: with its asker's name one message of every chat, the shortest of which (Discord) takes 2000.
const NEWS: usize = 1800;

pub(super) fn notify() -> Tool {
    Tool {
        name: "notify",
        title: "Tell the person something",
        description: "Tells your person something wherever they can be reached, and waits for nothing. For news that they asked for, such as the end of a long run; what needs an answer is asked instead.".to_owned(),
        input: schemas::closed(
            json!({ "message": { "type": "string", "minLength": 1, "maxLength": NEWS, "description": "The news, in a sentence or a few." } }),
            &["message"],
        ),
        output: schemas::closed(
            json!({
                "status": { "type": "string", "enum": ["sent", "nowhere", "error"], "description": "nowhere: no place is configured for it, or none could be reached." },
                "places": { "type": "integer", "minimum": 0, "description": "In how many places it is shown." },
                "faults": schemas::faults(),
            }),
            &["status", "places"],
        ),
        hints: Hints { read_only: false, destructive: false, idempotent: false, open_world: true },
    }
}

pub(super) fn list_asks() -> Tool {
    let ask = json!({
        "type": "object",
        "properties": {
            "ask_id": { "type": "string" },
            "status": { "type": "string", "enum": ["pending", "answered", "cancelled", "expired"] },
            "question": { "type": "string" },
            "created_at_ms": { "type": "integer" },
            "expires_at_ms": { "type": "integer" },
        },
        "required": ["ask_id", "status", "question", "created_at_ms", "expires_at_ms"], "additionalProperties": false,
    });
    Tool {
        name: "list_asks",
        title: "List the asks",
        description:
            "Lists the questions that are open, oldest first; with ended also those of the last day."
                .to_owned(),
        input: schemas::closed(
            json!({ "ended": { "type": "boolean", "default": false, "description": "Also those that ended in the last day." } }),
            &[],
        ),
        output: schemas::closed(
            json!({ "asks": { "type": "array", "items": ask }, "faults": schemas::faults() }),
            &["asks"],
        ),
        hints: LOOKS,
    }
}

pub(super) fn get_answer() -> Tool {
    Tool {
        name: "get_answer",
        title: "Get the answer of an earlier ask",
        description: "Gets the answer of a question that was asked before, also one that came late. Waits for it when told to.".to_owned(),
        input: schemas::closed(
            json!({
                "ask_id": id_schema(),
                "waitSeconds": { "type": "integer", "minimum": 0, "maximum": WAIT_MAX, "default": 0, "description": "How long to wait for the answer when there is none yet." },
            }),
            &["ask_id"],
        ),
        output: ask_user::output(),
        hints: LOOKS,
    }
}

pub(super) fn cancel_ask() -> Tool {
    Tool {
        name: "cancel_ask",
        title: "Take an ask back",
        description:
            "Takes a question back that is open and no longer needed. Its person sees that it is withdrawn."
                .to_owned(),
        input: schemas::closed(json!({ "ask_id": id_schema() }), &["ask_id"]),
        output: schemas::closed(
            json!({
                "ask_id": { "type": ["string", "null"] },
                "faults": schemas::faults(),
                "status": { "type": "string", "enum": ["cancelled", "answered", "expired", "not_found", "error"], "description": "How the ask stands now; answered: the person was faster, call get_answer." },
            }),
            &["ask_id", "status"],
        ),
        hints: Hints { read_only: false, destructive: true, idempotent: true, open_world: true },
    }
}

fn id(read: &mut Arguments<'_>) -> Option<RecordId> {
    read.required("ask_id", 256).map(RecordId::from)
}

/// A call of a tool that asks nothing, so that it takes no key.
fn plain<'a>(arguments: &'a Map<String, Value>, known: &[&str], faults: &'a mut Vec<Fault>) -> Arguments<'a> {
    Arguments::within(arguments, String::new(), known, Unknown::Refused, faults)
}

pub(super) fn read_notify(arguments: &Map<String, Value>, faults: &mut Vec<Fault>) -> Option<Meant> {
    let mut read = plain(arguments, &["message"], faults);
    let message = read.required("message", NEWS)?.to_owned();
    Some(Meant::Notify(Told { message }))
}

pub(super) fn read_list(arguments: &Map<String, Value>, faults: &mut Vec<Fault>) -> Option<Meant> {
    let mut read = plain(arguments, &["ended"], faults);
    Some(Meant::List(Listing { ended: read.boolean("ended").unwrap_or(false) }))
}

pub(super) fn read_cancel(arguments: &Map<String, Value>, faults: &mut Vec<Fault>) -> Option<Meant> {
    Some(Meant::Cancel(id(&mut plain(arguments, &["ask_id"], faults))?))
}

pub(super) fn read_answer(arguments: &Map<String, Value>, faults: &mut Vec<Fault>) -> Option<Meant> {
    let mut read = plain(arguments, &["ask_id", "waitSeconds"], faults);
    let wait = read.within_bounds("waitSeconds", 0, WAIT_MAX).filter(|seconds| *seconds > 0);
    Some(Meant::Answer(Collecting {
        id: id(&mut read)?,
        wait: wait.map(|wait| Span::seconds(wait.unsigned_abs())),
    }))
}

/// What a call of one of these tools with wrong arguments comes back with; none for a tool that is none of them.
pub(super) fn misused(name: &str, arguments: &Map<String, Value>, faults: &[Fault]) -> Value {
    let faults = listed_faults(faults);
    match name {
        "notify" => json!({ "status": "error", "places": 0, "faults": faults }),
        "list_asks" => json!({ "asks": [], "faults": faults }),
        "cancel_ask" => {
            let id = arguments.get("ask_id").and_then(Value::as_str);
            json!({ "ask_id": id, "status": "error", "faults": faults })
        }
        _ => Value::Null,
    }
}

/// The result of `list_asks`.
pub fn listed<'a>(records: impl Iterator<Item = &'a Record>) -> Finished {
    let mut lines = Vec::new();
    let mut asks = Vec::new();
    for record in records {
        let question = record.ask.questions.first().map_or("", |question| question.text.as_str());
        lines.push(format!("{}: {} – {question}", record.key.id, record.state.name()));
        asks.push(json!({
            "ask_id": record.key.id.as_str(),
            "status": record.state.name(),
            "question": question,
            "created_at_ms": record.key.created_at.0,
            "expires_at_ms": record.expires_at.0,
        }));
    }
    let text = if lines.is_empty() { "No asks.".to_owned() } else { lines.join("\n") };
    Finished { structured: json!({ "asks": asks }), text, is_error: false }
}

/// The result of `cancel_ask`: how the ask stands now.
#[must_use]
pub fn cancelled(record: &Record) -> Finished {
    let status = record.state.name();
    let text = match record.state.no_answer() {
        Some(NoAnswer::Withdrawn) => "The question is taken back.".to_owned(),
        Some(_) => format!("It had ended before. {}", ended::words(record)),
        None => "The person was faster: it is answered. Call get_answer.".to_owned(),
    };
    let structured = json!({ "ask_id": record.key.id.as_str(), "status": status });
    Finished { structured, text, is_error: false }
}

/// The result of a call about an ask that this asker does not have.
#[must_use]
pub fn gone(tool: &str, id: &RecordId) -> Finished {
    let text = format!("There is no ask {id} of yours. list_asks tells which there are.");
    let structured = match tool {
        "cancel_ask" => json!({ "ask_id": id.as_str(), "status": "not_found" }),
        _ => {
            let mut structured = ask_user::misused(&[]);
            structured.insert("ask_id".into(), json!(id.as_str()));
            structured.insert("reason".into(), json!("not_found"));
            structured.insert("next_step".into(), json!("Call list_asks, which tells what you asked."));
            Value::Object(structured)
        }
    };
    Finished { structured, text, is_error: true }
}

/// The result of `notify`.
#[must_use]
pub fn notified(places: usize) -> Finished {
    let (status, text) = match places {
        0 => (
            "nowhere",
            "Nobody was told: no place is configured for it, or none could be reached.".to_owned(),
        ),
        1 => ("sent", "Told in one place.".to_owned()),
        more => ("sent", format!("Told in {more} places.")),
    };
    Finished { structured: json!({ "status": status, "places": places }), text, is_error: false }
}
