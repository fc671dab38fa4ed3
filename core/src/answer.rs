//! What came back: the declared choices or the person's exact words, checked against the Questions. Nothing here reads
//! typed replies ([`crate::reply`]) or decides who may answer ([`crate::permit`]).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::id::{Identity, PersonId, Place, QuestionId, ResolutionId};
use crate::person::{People, Scopes};
use crate::time::Time;

mod canonical;
pub(crate) use canonical::same_label;
pub use canonical::{AnswerFault, canonical, check_text};

/// Values by question. Canonical ones hold, for every question, the declared labels in option order without duplicates,
/// then the person's own words, if any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Answers(pub BTreeMap<QuestionId, Vec<String>>);

/// Remarks that stood beside a choice, by question; never part of the answer itself.
pub type Notes = BTreeMap<QuestionId, String>;

/// How a Person answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Way {
    /// A press, a form, or text typed into an input that the person's own press opened.
    Control,
    /// A text typed into a conversation.
    Text,
    /// The terminal that asked; nobody verified who sits there.
    AskingTerminal,
    /// A call with a Person's own token, or a panel.
    Call,
    /// A form shown by the asking client itself (MCP elicitation); nobody verified who filled it.
    Elicitation,
}

/// Who acts, as far as it is established.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// The Person, if one is known; somebody whom only roles let in goes by [`Identity::person`].
    pub person: Option<PersonId>,
    /// On which identity.
    pub identity: Option<Identity>,
    /// Where.
    pub place: Option<Place>,
    /// How.
    pub way: Way,
    /// The rights that roles on the platform gave at that moment, besides the Person's own.
    #[serde(default, skip_serializing_if = "Scopes::is_empty")]
    pub granted: Scopes,
    /// The name that the platform showed for somebody whom only roles let in; never trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// An accepted answer and everything known about its giving.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The canonical values.
    pub answers: Answers,
    /// Remarks beside choices.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub notes: Notes,
    /// The exact words a typed reply consisted of, when it was typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Who decided.
    pub by: Actor,
    /// Name shown for the decider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_name: Option<String>,
    /// When.
    pub at: Time,
    /// The attempt that won.
    pub resolution: ResolutionId,
}

impl Actor {
    /// Somebody acting away from any surface.
    #[must_use]
    pub const fn new(person: Option<PersonId>, way: Way) -> Self {
        Self { person, identity: None, place: None, way, granted: Scopes::new(), name: None }
    }

    /// The name to show: the Person's, or what the platform showed for somebody whom only roles let in.
    #[must_use]
    pub fn display_name(&self, people: &People) -> Option<String> {
        let id = self.person.as_ref();
        let person = id.and_then(|id| people.get(id)).map(|person| person.display_name.clone());
        // A name that anybody can take on their platform stands beside what nobody else has.
        person.or_else(|| Some(format!("{} ({})", self.name.as_ref()?, id?)))
    }

    /// Whether nobody verified that it was this Person (asking terminals and elicitation).
    #[must_use]
    pub const fn unverified(&self) -> bool {
        matches!(self.way, Way::AskingTerminal | Way::Elicitation)
    }
}

impl Answers {
    /// The values of one question; empty when it has none.
    #[must_use]
    pub fn of(&self, question: &QuestionId) -> &[String] {
        self.0.get(question).map_or(&[], Vec::as_slice)
    }
}
