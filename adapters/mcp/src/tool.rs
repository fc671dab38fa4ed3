//! The tools as a client sees them, what a call of one means, and how its result is written. Pure: it asks nobody, and knows no
//! connection.

use std::sync::Arc;

use askrelay_core::ask::{Binding, Fault};
use askrelay_core::id::RecordId;
use askrelay_core::record::Record;
use askrelay_core::schema::Form;
use askrelay_core::time::Span;
use serde_json::{Map, Value, json};

use crate::human::Human;
use crate::wanted::{Finished, How, Wanted};

mod arguments;
mod ask;
mod ask_user;
mod choice;
mod confirm;
mod ended;
mod handed;
mod others;
mod schemas;
mod text;
mod uniform;

pub(crate) use choice::{NONE, may_take_nothing, offered};
pub(crate) use confirm::{NO, YES};
pub(crate) use ended::words;
pub use others::{Standing, cancelled, gone, listed, notified, status};

/// A tool as `tools/list` shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What a model must know to use it well.
    pub description: String,
    /// Schema of its arguments.
    pub input: Map<String, Value>,
    /// Schema of its structured result.
    pub output: Map<String, Value>,
    /// What it does to the world.
    pub hints: Hints,
}

/// What a tool does to the world, as clients decide by it whether to ask before a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// It may destroy something.
    pub destructive: bool,
    /// Calling it twice does what calling it once does.
    pub idempotent: bool,
    /// It reaches somebody beyond this machine.
    pub open_world: bool,
}

/// What the tools follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The asker is a helper of another agent: it is not offered what asks a person.
    pub subagent: bool,
    /// The settings of the question tools' environment.
    pub human: Human,
}

/// What a call means.
#[derive(Clone, Debug, PartialEq)]
pub enum Meant {
    /// Ask a person.
    Ask(Box<Asked>),
    /// Tell somebody something.
    Notify(Told),
    /// List the asks.
    List(Listing),
    /// Take an ask back.
    Cancel(RecordId),
    /// The answer of an earlier ask.
    Answer(Collecting),
    /// How a person can be reached.
    Status,
}

/// A call that asks a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// What it asks.
    pub wanted: Wanted,
    /// How its result is written.
    pub shape: Shape,
}

/// Something to be told, with no answer wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The words.
    pub message: String,
}

/// Which asks are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Also those that ended in the last day.
    pub ended: bool,
}

/// Whose answer is collected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collecting {
    /// The ask.
    pub id: RecordId,
    /// How long to wait for its end; none: not at all.
    pub wait: Option<Span>,
}

/// How the result of an ask is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// OpenClaw's: by question.
    User,
    /// JustAskMe's: one result for every tool of its kind.
    Uniform(Uniform),
    /// One object of the caller's own schema.
    Typed(Box<Typed>),
}

/// What a uniform result needs of its call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniform {
    /// The tool.
    pub tool: &'static str,
}

/// What a typed result needs of its call.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    /// The way back from answers to values.
    pub form: Form,
    /// What stands in for an answer; none: the call fails without one.
    pub default: Option<Value>,
}

/// How an ask stands when its call returns.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// It ended.
    Ended(Arc<Record>),
    /// It is open still.
    Pending(Arc<Record>),
    /// Nobody can be asked from here, for this reason; the model is to ask in its own conversation.
    HandedBack(String),
    /// Nobody can be asked from here, and the setting says that this is an error.
    Unsupported,
    /// The client's form was turned down.
    Declined,
    /// The client's form, or the call, was taken away without an answer.
    Dismissed,
    /// The client's form or the page came back with something that is no answer.
    Unreadable(String),
    /// Something broke.
    Failed(String),
}

/// The tools that are offered.
#[must_use]
pub fn tools(settings: &Settings) -> Vec<Tool> {
    let asking = [
        ask_user::tool(),
        choice::tool_one(),
        choice::tool_several(),
        confirm::tool(),
        text::tool(),
        ask::tool(),
    ];
    let beside = [
        others::notify(),
        others::list_asks(),
        others::get_answer(),
        others::cancel_ask(),
        others::status_tool(),
    ];
    let asking = asking.into_iter().filter(|_| !settings.subagent);
    asking.chain(beside).collect()
}

/// What a call of the tool `name` means.
///
/// # Errors
/// The tool's result that names every fault with its place; it is a tool's error and not the protocol's, so that the model reads it.
pub fn read(name: &str, arguments: &Map<String, Value>, settings: &Settings) -> Result<Meant, Finished> {
    let human = &settings.human;
    let asks = ["ask_user", "ask_choice", "ask_multi_select", "ask_confirm", "ask_text", "ask"];
    if settings.subagent && asks.contains(&name) {
        return Err(refused(&[Fault {
            path: String::new(),
            what: format!("{name} is for the main agent: hand the question to it instead"),
        }]));
    }
    let mut faults = Vec::new();
    let meant = match name {
        "ask_user" => ask_user::read(arguments, &mut faults),
        "ask_choice" => choice::read_one(arguments, human, &mut faults),
        "ask_multi_select" => choice::read_several(arguments, human, &mut faults),
        "ask_confirm" => confirm::read(arguments, human, &mut faults),
        "ask_text" => text::read(arguments, human, &mut faults),
        "ask" => ask::read(arguments, &mut faults),
        "notify" => others::read_notify(arguments, &mut faults),
        "list_asks" => others::read_list(arguments, &mut faults),
        "cancel_ask" => others::read_cancel(arguments, &mut faults),
        "get_answer" => others::read_answer(arguments, &mut faults),
        "human_input_status" => others::read_status(arguments, &mut faults),
        _ => {
            faults.push(Fault { path: String::new(), what: format!("there is no tool '{name}'") });
            None
        }
    };
    match meant {
        Some(meant) if faults.is_empty() => Ok(meant),
        _ if uniform::NAMES.contains(&name) => Err(uniform::misused(name, arguments, &faults, human)),
        _ => Err(refused(&faults)),
    }
}

impl Shape {
    /// The result of an ask.
    #[must_use]
    pub fn finish(&self, wanted: &Wanted, end: &End, how: &How) -> Finished {
        match self {
            Self::User => ask_user::finish(wanted, end, how),
            Self::Uniform(uniform) => uniform::finish(uniform, wanted, end, how),
            Self::Typed(typed) => ask::finish(typed, wanted, end, how),
        }
    }
}

/// What every result tells of its ask, beside what its own contract has.
fn told(end: &End, how: &How) -> Map<String, Value> {
    let (End::Ended(record) | End::Pending(record)) = end else {
        return members(json!({
            "ask_id": null, "reason": null, "answered_by": null, "verified": null,
            "late": null, "binding": null, "joined": how.joined,
        }));
    };
    let by = ended::who(record);
    members(json!({
        "ask_id": record.key.id.as_str(),
        "reason": ended::reason(record),
        "answered_by": by.as_ref().map(|by| &by.name),
        "verified": by.as_ref().map(|by| by.verified),
        "late": ended::late(record),
        "binding": ended::binding(&record.ask.creator.binding),
        "joined": how.joined,
    }))
}

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// The result of a call that cannot be understood.
fn refused(faults: &[Fault]) -> Finished {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let text = format!("Nobody was asked. Mend these and call again:\n{}", lines.join("\n"));
    let faults: Vec<Value> =
        faults.iter().map(|Fault { path, what }| json!({ "path": path, "what": what })).collect();
    Finished { structured: json!({ "faults": faults }), text, is_error: true }
}

/// One sentence for the model where typed replies do not count.
fn binding_note(record: &Record) -> Option<&'static str> {
    matches!(record.ask.creator.binding, Binding::Attached).then_some(
        "This ask belongs to no person here, so that buttons and panels answer it, and text typed into a chat does not.",
    )
}

#[cfg(test)]
mod tests;
