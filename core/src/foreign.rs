//! What the relay takes over from a gateway that is not ours: a Record's questions, and the creator that the configuration says
//! it has. Whatever else such a Record claims about people and Places is left out. Judges nobody: that is [`crate::permit`]'s.

use std::sync::Arc;

use crate::ask::{Binding, Creator, Origin};
use crate::id::{PersonId, RecordId};
use crate::person::{People, Scopes};
use crate::record::Record;
use crate::route::{Rule, matches};

/// What the configuration says about one gateway that is not ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreign {
    /// Whose its runs are; the first that fits decides.
    pub runs: Vec<RunOf>,
    /// Where its Asks are shown; without any, the rules of our own Asks decide.
    pub rules: Vec<Rule>,
    /// Address of its own panel, where people answer what no chat may carry.
    pub panel: Option<String>,
}

/// Whose run it is. Every pattern that is set must match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOf {
    /// Pattern of the agent.
    pub agent: Option<String>,
    /// Pattern of the session.
    pub session: Option<String>,
    /// The Person who runs it.
    pub person: PersonId,
}

impl Foreign {
    /// Who created an Ask of this origin now. The gateway's word for a session is all there is: only a run that the
    /// configuration gives to a known Person is theirs.
    #[must_use]
    pub fn creator(&self, origin: &Origin, people: &People) -> Creator {
        let fits = |run: &&RunOf| {
            matches(run.agent.as_deref(), origin.agent_id.as_deref())
                && matches(run.session.as_deref(), origin.session_key.as_deref())
        };
        let run = origin.run_id.as_ref().and_then(|_| self.runs.iter().find(fits));
        match run.and_then(|run| people.get(&run.person)) {
            Some(person) => Creator {
                person: Some(person.id.clone()),
                token: None,
                binding: Binding::Run,
                scopes: person.scopes.clone(),
            },
            None => Creator { person: None, token: None, binding: Binding::Attached, scopes: Scopes::new() },
        }
    }

    /// The Record as it is taken over: made by `creator`, and with no say about our Places.
    #[must_use]
    pub fn adopted(record: &Record, creator: Creator) -> Arc<Record> {
        let mut record = record.clone();
        record.ask.creator = creator;
        record.ask.places.clear();
        record.ask.needs_surface = false;
        record.ask.terminal_proof = None;
        Arc::new(record)
    }

    /// Where the Record can be answered in the gateway's own panel. An id that could lead elsewhere leads to the panel itself.
    #[must_use]
    pub fn panel_of(&self, id: &RecordId) -> Option<String> {
        let panel = self.panel.as_ref()?;
        let id = id.as_str();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        Some(match !id.is_empty() && id.len() <= 64 && id.bytes().all(is_plain) {
            true => format!("{panel}/ask/{id}"),
            false => panel.clone(),
        })
    }
}
