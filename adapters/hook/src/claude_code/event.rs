//! The members of an event that matter here. Decides nothing about it.

use askrelay_core::id::RecordId;
use serde_json::{Map, Value};

use super::{EVENT_BYTES_MAX, IDS};
use crate::Left;

/// Most characters of a name that is shown or kept.
const NAME_MAX: usize = 200;

/// An event before or instead of a tool's use.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) name: String,
    pub(super) tool: String,
    pub(super) input: Map<String, Value>,
    /// The subagent that asks, if one does.
    pub(super) subagent: Option<String>,
    pub(super) session: Option<String>,
    /// The last folder of where the agent works; the whole path is nobody's business in a chat.
    pub(super) project: Option<String>,
    use_id: Option<String>,
}

impl Event {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Left> {
        if bytes.len() > EVENT_BYTES_MAX {
            return Err(Left::Unreadable(format!("it has more than {EVENT_BYTES_MAX} bytes")));
        }
        let event: Value =
            serde_json::from_slice(bytes).map_err(|error| Left::Unreadable(error.to_string()))?;
        let text =
            |name: &str| event.get(name).and_then(Value::as_str).map(short).filter(|of| !of.is_empty());
        let required = |name: &str| {
            text(name).ok_or_else(|| Left::Malformed { path: format!("/{name}"), expected: "text" })
        };
        let input = match event.get("tool_input") {
            Some(Value::Object(input)) => input.clone(),
            None => Map::new(),
            Some(_) => return Err(Left::Malformed { path: "/tool_input".to_owned(), expected: "object" }),
        };
        let project = text("cwd")
            .and_then(|cwd| cwd.rsplit(['/', '\\']).find(|part| !part.is_empty()).map(str::to_owned));
        Ok(Self {
            name: required("hook_event_name")?,
            tool: text("tool_name").unwrap_or_default(),
            input,
            // The name alone also stands for a session that was started as an agent.
            subagent: event
                .get("agent_id")
                .filter(|id| !id.is_null())
                .map(|id| short(id.as_str().unwrap_or("?"))),
            session: text("session_id"),
            project,
            use_id: text("tool_use_id"),
        })
    }

    /// `PreToolUse of Bash`.
    pub(super) fn title(&self) -> String {
        if self.tool.is_empty() { self.name.clone() } else { format!("{} of {}", self.name, self.tool) }
    }

    /// The same use of the tool is the same Ask: a hook that was cut off and is called again does not ask twice.
    pub(super) fn ask_id(&self) -> Option<RecordId> {
        let is_plain = |id: &&String| id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        self.use_id.as_ref().filter(is_plain).map(|id| format!("{IDS}{id}").into())
    }
}

fn short(text: &str) -> String {
    text.trim().chars().take(NAME_MAX).collect()
}
