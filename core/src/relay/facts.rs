//! What the relay must remember across restarts, as keyed texts. How and where they are kept is the store's, which never
//! looks into a body.

use serde::{Deserialize, Serialize};

/// One thing to remember, to replace or to forget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is about.
    pub kind: FactKind,
    /// Its key among its kind.
    pub key: String,
    /// What to remember; `None` forgets the key.
    pub body: Option<String>,
}

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FactKind {
    /// A Prompt in a Place.
    Prompt,
    /// A draft of several values.
    Draft,
    /// A Command on its way to a gateway.
    Command,
    /// An update whose effects are saved.
    Seen,
}

impl FactKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Prompt, Self::Draft, Self::Command, Self::Seen];

    /// The kind's name, as it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Draft => "draft",
            Self::Command => "command",
            Self::Seen => "seen",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
