//! One line of the audit trail: who did what, on which identity, where and when. Decides nothing, and holds no answer to a
//! secret question.

use serde::{Deserialize, Serialize};

use crate::answer::{Actor, Answered, Answers};
use crate::id::{Place, RecordKey, TokenId};
use crate::record::Record;
use crate::time::Time;

mod words;

pub use words::{WORDS_MAX, masked, words};

/// One entry of the trail. Appended, never changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When.
    pub at: Time,
    /// What was done, as a dotted word: `ask.answered`, `prompt.shown`, `token.created`.
    pub what: String,
    /// Who, on which identity, where and how, as far as it is established.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Actor>,
    /// The token that was used or concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<TokenId>,
    /// The Record concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordKey>,
    /// The Place concerned, where no actor stands in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What was read from an accepted answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Answers>,
    /// The words of an accepted typed answer, cut and masked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// More, in plain words; never an answer and never a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Entry {
    /// An entry that says what was done, and nothing else yet.
    #[must_use]
    pub fn new(at: Time, what: &str) -> Self {
        Self {
            at,
            what: what.to_owned(),
            actor: None,
            token: None,
            record: None,
            place: None,
            answers: None,
            words: None,
            detail: None,
        }
    }

    /// An accepted answer to the Record: what was read and from which words, as far as no question of it is secret.
    #[must_use]
    pub fn answered(record: &Record, answered: &Answered) -> Self {
        let secrets = || record.ask.questions.iter().filter(|question| question.secret);
        let mut answers = answered.answers.clone();
        answers.0.retain(|id, _| secrets().all(|question| question.id != *id));
        for values in answers.0.values_mut() {
            values.iter_mut().for_each(|value| *value = words(value));
        }
        Self {
            actor: Some(answered.by.clone()),
            record: Some(record.key.clone()),
            answers: Some(answers),
            words: answered.words.as_deref().filter(|_| secrets().next().is_none()).map(words),
            ..Self::new(answered.at, "ask.answered")
        }
    }
}
