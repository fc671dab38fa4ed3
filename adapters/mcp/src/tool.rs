//! The tools as a client sees them, what a call of one means, and how its result is written. Pure: it asks nobody, and knows no
//! connection.

use std::sync::Arc;

use askrelay_core::ask::Fault;
use askrelay_core::id::RecordId;
use askrelay_core::record::{NoAnswer, Record};
use askrelay_core::schema::Form;
use askrelay_core::time::Span;
use askrelay_protocol::frame::Caps;
use serde_json::{Map, Value, json};

use crate::human::Human;
use crate::instructions;
use crate::wanted::{Finished, How, Wanted};

mod arguments;
mod ask;
mod ask_user;
mod choice;
mod confirm;
mod ended;
mod handed;
mod options;
mod others;
mod schemas;
mod status;
mod text;
mod uniform;

pub(crate) use choice::{NONE, may_take_nothing, offered};
pub(crate) use confirm::{NO, YES};
pub(crate) use ended::words;
pub use others::{cancelled, gone, listed, notified};
pub use status::{Standing, status};

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
    Status {
        /// Also what the client can do, and every setting.
        verbose: bool,
    },
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
    let all = [
        ask_user::tool(),
        choice::tool_one(),
        choice::tool_several(),
        confirm::tool(),
        text::tool(),
        ask::tool(),
        others::notify(),
        others::list_asks(),
        others::get_answer(),
        others::cancel_ask(),
        status::tool(),
    ];
    all.into_iter().filter(|tool| !settings.subagent || FOR_HELPERS.contains(&tool.name)).collect()
}

/// What a call of the tool `name` means.
///
/// # Errors
/// The tool's result that names every fault with its place; it is a tool's error and not the protocol's, so that the model reads it.
pub fn read(name: &str, arguments: &Map<String, Value>, settings: &Settings) -> Result<Meant, Finished> {
    let human = &settings.human;
    let mut faults = Vec::new();
    let meant = match name {
        _ if settings.subagent && !FOR_HELPERS.contains(&name) => {
            let what = format!("{name} is for the main agent: hand what you have to it instead");
            faults.push(Fault { path: String::new(), what });
            None
        }
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
        "human_input_status" => status::read(arguments, &mut faults),
        _ => {
            faults.push(Fault { path: String::new(), what: format!("there is no tool '{name}'") });
            None
        }
    };
    if let (Some(Meant::Ask(asked)), true) = (&meant, faults.is_empty()) {
        // The gateway's own contract is wider than any tool's, but for what only it looks at, such as how accents are coded.
        faults = asked.wanted.params.clone().faults(Caps::WIDE);
    }
    match meant {
        Some(meant) if faults.is_empty() => Ok(meant),
        _ if uniform::NAMES.contains(&name) => Err(uniform::misused(name, arguments, &faults, human)),
        _ => Err(refused(name, arguments, &faults)),
    }
}

/// The tools that helpers of an agent have: they look, and reach nobody.
const FOR_HELPERS: [&str; 3] = ["list_asks", "get_answer", "human_input_status"];

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

/// The result of `get_answer`: how an earlier ask stands.
#[must_use]
pub fn collected(record: Arc<Record>, how: &How) -> Finished {
    let end = if record.state.is_pending() { End::Pending(record) } else { End::Ended(record) };
    ask_user::finish(&Wanted::default(), &end, how)
}

/// What every result tells of its ask, beside what its own contract has.
fn told(end: &End, how: &How) -> Map<String, Value> {
    let record = match end {
        End::Ended(record) | End::Pending(record) => Some(record),
        _ => None,
    };
    let by = record.and_then(|record| ended::who(record));
    members(json!({
        "ask_id": record.map(|record| record.key.id.as_str()),
        "reason": reason(end),
        "answered_by": by.as_ref().map(|by| &by.name),
        "verified": by.as_ref().map(|by| by.verified),
        "late": record.and_then(|record| ended::late(record)),
        "binding": record.map(|record| ended::binding(record.ask.creator.binding)),
        "joined": how.joined,
    }))
}

/// Why there is no answer; nothing with one.
fn reason(end: &End) -> Option<&'static str> {
    match end {
        End::Ended(record) => record.state.no_answer().map(NoAnswer::name),
        End::Pending(_) => Some("pending"),
        End::HandedBack(_) => Some("handed_back"),
        End::Declined | End::Dismissed => Some("declined"),
        End::Unsupported | End::Unreadable(_) | End::Failed(_) => Some("unavailable"),
    }
}

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// The result of a call that cannot be understood. Its structured part keeps the tool's schema; a tool whose schema has no room
/// for faults has none.
fn refused(name: &str, arguments: &Map<String, Value>, faults: &[Fault]) -> Finished {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let text = format!("Nothing was done. {}\n{}", instructions::MEND, lines.join("\n"));
    let structured = match name {
        "ask_user" | "get_answer" => Value::Object(ask_user::misused(faults)),
        "ask" => Value::Object(ask::misused(faults)),
        _ => others::misused(name, arguments, faults),
    };
    Finished { structured, text, is_error: true }
}

/// The faults, for programs.
fn listed_faults(faults: &[Fault]) -> Value {
    faults.iter().map(|Fault { path, what }| json!({ "path": path, "what": what })).collect()
}

#[cfg(test)]
mod tests;
