//! What an agent wants to know: Questions, Choices, who asked, who may answer, how long it may take. Checks an Ask
//! against a contract and reports every fault at once; it decides nothing about who may answer or how it is shown.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::id::{PersonId, QuestionId, TokenId};
use crate::person::Scopes;
use crate::time::Span;

mod check;
pub use check::{Contract, Fault};

/// One Ask: one to fifty Questions and everything that governs them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// The Questions, in the order they are shown.
    pub questions: Vec<Question>,
    /// How long the asker waits, from creation.
    pub wait: Span,
    /// Which agent, session and run asks; shown and matched by routes, never trusted as a right.
    #[serde(default)]
    pub origin: Origin,
    /// Who created it and with which rights.
    pub creator: Creator,
    /// The only Persons who may answer; empty means whoever the rules of [`crate::permit`] allow.
    #[serde(default)]
    pub answerers: Vec<PersonId>,
    /// Where to show it, by the names that [`crate::route`] knows; empty leaves it to the configured routes.
    #[serde(default)]
    pub places: Vec<String>,
    /// The asker wants a person reached on a surface; with none reached the Ask ends as not delivered.
    #[serde(default)]
    pub needs_surface: bool,
    /// What the asker gets when nobody answered in time.
    #[serde(default)]
    pub when_unanswered: WhenUnanswered,
    /// Proof of the asking terminal, as the gateway stores it: whoever shows the matching secret answers as that terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal_proof: Option<String>,
}

/// One sentence with Choices, or without (free text).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Its key in the answers.
    #[serde(rename = "questionId")]
    pub id: QuestionId,
    /// A short heading; may be empty.
    #[serde(default)]
    pub header: String,
    /// The sentence itself.
    #[serde(rename = "question")]
    pub text: String,
    /// A link the agent gave, http or https.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The Choices; none makes it a free-text Question.
    #[serde(rename = "options", default)]
    pub choices: Vec<Choice>,
    /// Several Choices may be taken.
    #[serde(rename = "multiSelect", default)]
    pub multi_select: bool,
    /// Fewest values of a multi-select; at least one always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<usize>,
    /// Most values of a multi-select.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<usize>,
    /// The person's own words are allowed beside the Choices. A Question without Choices always takes them.
    #[serde(rename = "isOther", default)]
    pub other: bool,
    /// The answer is a secret and never passes through chat.
    #[serde(rename = "isSecret", default)]
    pub secret: bool,
    /// What free text must look like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<Constraint>,
    /// A hint inside an empty input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// Offered to the person; counts only once a person accepts it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub default: Vec<String>,
}

/// One declared answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The answer's own spelling; delivered byte for byte.
    pub label: String,
    /// What it means, shown beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Taking it destroys something. A hint for how it is shown: it changes neither who may take it nor what an answer is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub destructive: bool,
}

impl Choice {
    /// One of which nothing more is known.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }
}

/// What free text must look like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Constraint {
    /// Text of a length, counted in code points, and perhaps of a known format.
    Text {
        /// Fewest code points.
        #[serde(rename = "minLength", default, skip_serializing_if = "Option::is_none")]
        min_length: Option<usize>,
        /// Most code points.
        #[serde(rename = "maxLength", default, skip_serializing_if = "Option::is_none")]
        max_length: Option<usize>,
        /// A named format.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        format: Option<Format>,
    },
    /// A whole number.
    Integer {
        /// Smallest allowed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minimum: Option<i64>,
        /// Largest allowed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maximum: Option<i64>,
    },
    /// A decimal number.
    Number {
        /// Smallest allowed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minimum: Option<f64>,
        /// Largest allowed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maximum: Option<f64>,
    },
    /// One of many words, for lists too long to be Choices.
    OneOf {
        /// The words, byte for byte.
        values: Vec<String>,
    },
    /// A word that stands for no value at all, or what the inner constraint asks for: how an optional field is left out.
    Or {
        /// The word, in any case.
        word: String,
        /// What any other text must look like.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        constraint: Option<Box<Constraint>>,
    },
}

/// A named text format, as JSON Schema spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// An e-mail address.
    Email,
    /// An absolute URI.
    Uri,
    /// A calendar date, `2026-11-30`.
    Date,
    /// A point in time, RFC 3339.
    DateTime,
}

/// Which agent, session and run asks. Free texts of the asker: shown and matched by routes, never a right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Origin {
    /// The agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Its session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_key: Option<String>,
    /// The run within the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// A short name for people and routes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// Who created an Ask, as the gateway established it from the connection, never from the request's own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creator {
    /// The Person it was created for, if its token or connection belongs to one.
    pub person: Option<PersonId>,
    /// The token used, if any; `None` is a local connection.
    pub token: Option<TokenId>,
    /// How strongly the Ask is tied to its creator.
    pub binding: Binding,
    /// The rights the creator had when asking: whoever answers by text must hold them all.
    pub scopes: Scopes,
}

/// How an Ask is tied to who created it (DESIGN section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Binding {
    /// Created by a Person's run: typed replies may answer it.
    Run,
    /// Created by a service, or by a run nobody mapped to a Person: controls and panels only.
    Attached,
    /// Sessionless: only an admin may answer.
    None,
}

/// What the asker gets when nobody answered in time; always marked as not answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhenUnanswered {
    /// Nothing but the reason.
    #[default]
    Fail,
    /// These values, with `answered: false`.
    Default(BTreeMap<QuestionId, Vec<String>>),
}

impl Default for QuestionId {
    fn default() -> Self {
        Self::from("")
    }
}

impl Question {
    /// Whether the person's own words may answer it.
    #[must_use]
    pub fn takes_text(&self) -> bool {
        self.other || self.choices.is_empty()
    }
}
