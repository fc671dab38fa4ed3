//! What the relay must remember across restarts, as keyed texts. How and where they are kept is the store's, which never
//! looks into a body; which of them change in a step is decided where the state changes.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// One thing to remember, to replace or to forget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is about.
    pub kind: FactKind,
    /// Its key among its kind.
    pub key: String,
    /// What to remember, as JSON; `None` forgets the key.
    pub body: Option<String>,
}

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FactKind {
    /// A Record that is or was shown somewhere, kept until its Prompts are retired and people stopped coming late.
    Record,
    /// A Prompt in a Place: its nonce, its Receipts, how it stands.
    Prompt,
    /// What people put together on a Prompt so far.
    Draft,
    /// A Command on its way to a gateway.
    Command,
    /// A person's running input for own words.
    Input,
    /// An update whose effects are saved, or a message that became an answer.
    Seen,
    /// The new id of a conversation.
    Moved,
}

impl FactKind {
    /// Every kind.
    pub const ALL: [Self; 7] =
        [Self::Record, Self::Prompt, Self::Draft, Self::Command, Self::Input, Self::Seen, Self::Moved];

    /// The kind's name, as it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Prompt => "prompt",
            Self::Draft => "draft",
            Self::Command => "command",
            Self::Input => "input",
            Self::Seen => "seen",
            Self::Moved => "moved",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A fact the relay could not take up again. It is left out, and the rest goes on without it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the saved {} '{key}' was left out: {why}", kind.name())]
pub struct Problem {
    /// What it is about.
    pub kind: FactKind,
    /// Its key.
    pub key: String,
    /// What is wrong with it.
    pub why: String,
}

impl Fact {
    /// A fact of something that can be written as JSON. What cannot is not remembered, which no type of the core is.
    pub(super) fn of<K: Serialize, B: Serialize>(kind: FactKind, key: &K, body: Option<&B>) -> Option<Self> {
        let key = serde_json::to_string(key).ok()?;
        let body = body.map(serde_json::to_string).transpose().ok()?;
        Some(Self { kind, key, body })
    }

    /// Key and body as the relay wrote them.
    pub(super) fn read<K: DeserializeOwned, B: DeserializeOwned>(&self) -> Result<(K, B), Problem> {
        let problem = |why: String| Problem { kind: self.kind, key: self.key.clone(), why };
        let key = serde_json::from_str(&self.key).map_err(|error| problem(error.to_string()))?;
        let body = self.body.as_deref().ok_or_else(|| problem("it has no body".to_owned()))?;
        let body = serde_json::from_str(body).map_err(|error| problem(error.to_string()))?;
        Ok((key, body))
    }
}
