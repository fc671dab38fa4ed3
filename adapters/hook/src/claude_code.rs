//! Claude Code's hooks: which events are asked about, and what becomes of the answer. The two kinds of question are in
//! [`question`] and [`permission`].

use askrelay_core::answer::Answered;
use askrelay_core::ask::Origin;
use askrelay_core::record::{Record, State, WhyCancelled};
use askrelay_core::time::{Span, Time};
use askrelay_protocol::call::AskParams;
use askrelay_protocol::frame::Caps;
use serde_json::{Map, Value, json};

use crate::Left;

mod event;
mod permission;
mod question;

use event::Event;

/// Most bytes of an event: a tool may write a whole file.
pub const EVENT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// What the ids of a hook's Asks begin with.
pub const IDS: &str = "hook-";

/// How long an answer waits for its question to be asked again.
const UNCOLLECTED: Span = Span::seconds(24 * 60 * 60);

/// How much longer the agent waits for the hook than the hook for a person.
const MARGIN_SECONDS: u64 = 30;

/// What is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How long a person has.
    pub wait: Span,
    /// Permission requests too.
    pub permissions: bool,
    /// What subagents ask too.
    pub subagents: bool,
}

/// An event that a person decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// What to ask.
    pub params: AskParams,
    kind: Kind,
    tool: String,
    input: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Question,
    Permission,
}

/// What the event asks a person.
///
/// # Errors
/// Why it is left to the terminal.
pub fn read(bytes: &[u8], settings: &Settings) -> Result<Asked, Left> {
    let event = Event::parse(bytes)?;
    let kind = match (event.name.as_str(), event.tool.as_str()) {
        ("PreToolUse", "AskUserQuestion") => Kind::Question,
        // The dialog of a question that was left to the terminal is no permission.
        ("PermissionRequest", "AskUserQuestion") => return Err(Left::OtherEvent(event.title())),
        ("PermissionRequest", _) => Kind::Permission,
        _ => return Err(Left::OtherEvent(event.title())),
    };
    if event.subagent.is_some() && !settings.subagents {
        return Err(Left::Subagent);
    }
    if kind == Kind::Permission && !settings.permissions {
        return Err(Left::Permissions);
    }
    let questions = match kind {
        Kind::Question => question::questions(&event.input)?,
        Kind::Permission => vec![permission::question(&event)?],
    };
    let params = AskParams {
        id: event.ask_id(),
        questions,
        origin: Origin {
            agent_id: Some("claude-code".to_owned()),
            session_key: event.session,
            run_id: event.subagent,
            label: event.project,
        },
        wait: Some(settings.wait),
        needs_surface: true,
        ..AskParams::default()
    };
    let faults = params.clone().faults(Caps { wide: true });
    if !faults.is_empty() {
        return Err(Left::NotAskable(faults.iter().map(ToString::to_string).collect()));
    }
    Ok(Asked { params, kind, tool: event.tool, input: event.input })
}

impl Asked {
    /// Whether this Record is the same question of the same agent, and has or can still have an answer that no hook brought: the one
    /// that asked it was killed, or had given up. A permission is for the one use that it was asked for, and never found again.
    #[must_use]
    pub fn was_asked_in(&self, record: &Record, now: Time) -> bool {
        let asked = &record.ask;
        let same = self.kind == Kind::Question
            && asked.origin.session_key.is_some()
            && asked.origin == self.params.origin
            && asked.questions == self.params.questions;
        let has_answer = match &record.state {
            State::Pending | State::Answered(_) => true,
            State::Expired { .. } => !record.late.is_empty(),
            State::Cancelled(_) => false,
        };
        let is_fresh = record.state.ended_at().is_none_or(|at| now.since(at) <= UNCOLLECTED);
        same && has_answer && is_fresh && record.collected.is_none()
    }

    /// What the hook prints for this end.
    ///
    /// # Errors
    /// Why it is left to the terminal.
    pub fn decision(&self, record: &Record) -> Result<Value, Left> {
        match (&record.state, self.kind) {
            (State::Answered(answered), Kind::Question) => {
                Ok(question::decision(&self.params.questions, &self.input, answered))
            }
            (State::Answered(answered), Kind::Permission) => {
                Ok(permission::decision(&self.tool, &self.input, answered))
            }
            (State::Pending, _) => Err(Left::Pending),
            // It came when the terminal asked already; whoever asks again gets it.
            (State::Expired { .. }, Kind::Question) => match record.late.last() {
                Some(late) => Ok(question::decision(&self.params.questions, &self.input, late)),
                None => Err(Left::Expired),
            },
            (State::Expired { .. }, Kind::Permission) => Err(Left::Expired),
            (State::Cancelled(cancelled), kind) => match (&cancelled.why, kind) {
                (WhyCancelled::Declined, Kind::Question) => {
                    Ok(question::declined(&named(cancelled.by_name.as_deref())))
                }
                // A skipped permission is neither given nor refused.
                (WhyCancelled::Declined, Kind::Permission) => Err(Left::Skipped),
                (WhyCancelled::Withdrawn, _) => Err(Left::Withdrawn),
                (WhyCancelled::Unavailable, _) => Err(Left::NotDelivered("no chat is reachable".to_owned())),
                (WhyCancelled::NotDelivered { detail }, _) => Err(Left::NotDelivered(detail.clone())),
            },
        }
    }
}

/// The settings that make Claude Code call `command` for what is asked about, and wait long enough.
#[must_use]
pub fn config(command: &str, settings: &Settings) -> Value {
    let timeout = settings.wait.0.div_ceil(1000) + MARGIN_SECONDS;
    let entry = |matcher: &str| json!([{ "matcher": matcher, "hooks": [{ "type": "command", "command": command, "timeout": timeout }] }]);
    let mut hooks = Map::new();
    if settings.permissions {
        hooks.insert("PermissionRequest".to_owned(), entry("*"));
    }
    hooks.insert("PreToolUse".to_owned(), entry("AskUserQuestion"));
    json!({ "hooks": hooks })
}

/// `Sam, through askrelay`.
fn who(answered: &Answered) -> String {
    named(answered.by_name.as_deref())
}

fn named(name: Option<&str>) -> String {
    format!("{}, through askrelay", name.unwrap_or("a person"))
}

#[cfg(test)]
mod tests;
