//! How an ask ended, as its asker wants to know it: answered or not, with what, by whom, when. The whole record is told
//! elsewhere.

use std::collections::BTreeMap;

use askrelay_core::answer::{Actor, Answers, Notes, Way};
use askrelay_core::ask::WhenUnanswered;
use askrelay_core::record::{NoAnswer, Record, State, WhyCancelled};
use askrelay_core::schema::Form;
use askrelay_core::time::Time;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::body::at_root;
use super::failure::Failure;

/// How an ask ended.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome {
    id: String,
    status: EndName,
    /// Whether a person answered in time. False with `answers` means: nobody did, and these are the values that the ask
    /// named for that case.
    answered: bool,
    /// Declared labels in option order, then the person's own words, by question.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = BTreeMap<String, Vec<String>>)]
    answers: Option<Answers>,
    /// The same as a value of the schema in the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Object)]
    content: Option<Value>,
    /// Remarks beside a choice, by question.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, String>)]
    notes: Notes,
    /// The exact words of a typed reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    words: Option<String>,
    /// Who ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    by: Option<ActorInfo>,
    /// Milliseconds since 1970, UTC.
    ended_at_ms: i64,
    /// Why nobody answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    no_answer: Option<NoAnswerName>,
    /// The platforms' reasons, where it was not delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    detail: Option<String>,
    /// Answers that came after the end; none of them counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    late: Vec<LateInfo>,
}

/// How an ask can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum EndName {
    Answered,
    Cancelled,
    Expired,
}

/// Why nobody answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum NoAnswerName {
    /// A person skipped it.
    Declined,
    /// Nobody could be asked.
    Unavailable,
    /// It reached none of the places it was for.
    NotDelivered,
    /// The deadline passed.
    Expired,
    /// The asker took it back.
    Withdrawn,
}

/// Who acted, as far as it is established.
#[derive(Clone, Debug, Default, Serialize, serde::Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ActorInfo {
    /// The person.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    person: Option<String>,
    /// The name shown for them; absent inside a record, which has `actorName`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    name: Option<String>,
    /// On which identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    identity: Option<IdentityInfo>,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    place: Option<PlaceInfo>,
    /// How; absent where nobody acted but only a name is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = WayName)]
    way: Option<Way>,
}

/// How a person acted.
#[derive(Clone, Copy, Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "shown in the document in place of the core's type")]
enum WayName {
    Control,
    Text,
    AskingTerminal,
    Call,
    Elicitation,
}

/// A person on one surface.
#[derive(Clone, Debug, Serialize, serde::Deserialize, ToSchema)]
pub(super) struct IdentityInfo {
    surface: String,
    user: String,
}

/// A conversation.
#[derive(Clone, Debug, Serialize, serde::Deserialize, ToSchema)]
pub(super) struct PlaceInfo {
    surface: String,
    account: String,
    conversation: String,
}

/// An answer that came after the end.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LateInfo {
    #[schema(value_type = BTreeMap<String, Vec<String>>)]
    answers: Answers,
    by: ActorInfo,
    ended_at_ms: i64,
}

/// An ask that still waits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Waiting {
    id: String,
    status: PendingName,
    /// When waiting ends, milliseconds since 1970, UTC.
    expires_at_ms: i64,
}

/// The ask still waits.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum PendingName {
    Pending,
}

impl Outcome {
    /// How the Record ended; what it is waiting for if it did not.
    pub(super) fn of(record: &Record) -> Result<Self, Waiting> {
        let (status, at) = match &record.state {
            State::Pending => return Err(Waiting::of(record)),
            State::Answered(answered) => (EndName::Answered, answered.at),
            State::Cancelled(cancelled) => (EndName::Cancelled, cancelled.at),
            State::Expired { at } => (EndName::Expired, *at),
        };
        let mut outcome = Self::bare(record, status, at);
        match &record.state {
            State::Answered(answered) => {
                outcome.answered = true;
                outcome.answers = Some(answered.answers.clone());
                outcome.notes = answered.notes.clone();
                outcome.words = answered.words.clone();
                outcome.by = Some(ActorInfo::of(Some(&answered.by), answered.by_name.as_deref()));
                return Ok(outcome);
            }
            State::Cancelled(cancelled) => {
                let who = (cancelled.by.as_ref(), cancelled.by_name.as_deref());
                outcome.by = (who != (None, None)).then(|| ActorInfo::of(who.0, who.1));
                if let WhyCancelled::NotDelivered { detail } = &cancelled.why {
                    outcome.detail = Some(detail.clone());
                }
            }
            State::Pending | State::Expired { .. } => {}
        }
        if let WhenUnanswered::Default(values) = &record.ask.when_unanswered {
            outcome.answers = Some(Answers(values.clone()));
        }
        Ok(outcome)
    }

    /// The same with its answers as a value of the form's schema, where there is one.
    pub(super) fn with_content(mut self, form: Option<&Form>) -> Result<Self, Failure> {
        if let (Some(form), Some(answers)) = (form, &self.answers) {
            let other = |why| at_root(format!("the schema is not the one that the ask was made with: {why}"));
            self.content = Some(form.typed(answers).map_err(other)?);
        }
        Ok(self)
    }

    fn bare(record: &Record, status: EndName, at: Time) -> Self {
        let late = record.late.iter().map(|late| LateInfo {
            answers: late.answers.clone(),
            by: ActorInfo::of(Some(&late.by), late.by_name.as_deref()),
            ended_at_ms: late.at.0,
        });
        Self {
            id: record.key.id.to_string(),
            status,
            answered: false,
            answers: None,
            content: None,
            notes: Notes::new(),
            words: None,
            by: None,
            ended_at_ms: at.0,
            no_answer: record.state.no_answer().map(Into::into),
            detail: None,
            late: late.collect(),
        }
    }
}

impl Waiting {
    fn of(record: &Record) -> Self {
        Self {
            id: record.key.id.to_string(),
            status: PendingName::Pending,
            expires_at_ms: record.expires_at.0,
        }
    }
}

impl ActorInfo {
    fn of(actor: Option<&Actor>, name: Option<&str>) -> Self {
        let identity = actor.and_then(|actor| actor.identity.as_ref());
        let place = actor.and_then(|actor| actor.place.as_ref());
        Self {
            person: actor.and_then(|actor| actor.person.as_ref()).map(ToString::to_string),
            name: name.map(str::to_owned),
            identity: identity.map(|identity| IdentityInfo {
                surface: identity.surface.to_string(),
                user: identity.user.to_string(),
            }),
            place: place.map(|place| PlaceInfo {
                surface: place.account.surface.to_string(),
                account: place.account.name.to_string(),
                conversation: place.conversation.to_string(),
            }),
            way: actor.map(|actor| actor.way),
        }
    }
}

impl From<NoAnswer> for NoAnswerName {
    fn from(why: NoAnswer) -> Self {
        match why {
            NoAnswer::Declined => Self::Declined,
            NoAnswer::Unavailable => Self::Unavailable,
            NoAnswer::NotDelivered => Self::NotDelivered,
            NoAnswer::Expired => Self::Expired,
            NoAnswer::Withdrawn => Self::Withdrawn,
        }
    }
}
