//! Reads a Record as a gateway sends it, in either shape. What the plain shape does not tell is filled with what is known
//! for sure: nobody, no rights, the moment of reading.

use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

use askrelay_core::answer::{Actor, Answered, Answers, Notes, Way};
use askrelay_core::ask::{Ask, Binding, Creator, Origin};
use askrelay_core::id::RecordKey;
use askrelay_core::person::{Scope, Scopes};
use askrelay_core::record::{Cancelled, Record, State, WhyCancelled};
use askrelay_core::time::Time;

use super::ask::{QuestionWire, WhenUnansweredWire, questions};
use super::call::{ActorWire, EnvelopeWire, WhyWire};
use super::response::Reading;
use super::scalar::{Filled, Object, present};
use super::shape::mend_open;
use super::shapes;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RecordWire {
    id: Filled,
    questions: Vec<Object<QuestionWire>>,
    #[serde(default, deserialize_with = "present")]
    agent_id: Option<String>,
    #[serde(default, deserialize_with = "present")]
    session_key: Option<String>,
    #[serde(default, deserialize_with = "present")]
    run_id: Option<String>,
    created_at_ms: i64,
    expires_at_ms: i64,
    status: StatusWire,
    #[serde(default, deserialize_with = "present")]
    answers: Option<Object<EnvelopeWire>>,
    #[serde(default, deserialize_with = "present")]
    resolved_by: Option<String>,
    #[serde(default, deserialize_with = "present")]
    label: Option<String>,
    #[serde(default, deserialize_with = "present")]
    answerers: Option<Vec<Filled>>,
    #[serde(default, deserialize_with = "present")]
    places: Option<Vec<Filled>>,
    #[serde(default, deserialize_with = "present")]
    needs_surface: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    when_unanswered: Option<WhenUnansweredWire>,
    #[serde(default, deserialize_with = "present")]
    creator: Option<Object<CreatorWire>>,
    #[serde(default, deserialize_with = "present")]
    ended_at_ms: Option<i64>,
    #[serde(default, deserialize_with = "present")]
    notes: Option<Notes>,
    #[serde(default, deserialize_with = "present")]
    words: Option<String>,
    #[serde(default, deserialize_with = "present")]
    actor: Option<Object<ActorWire>>,
    #[serde(default, deserialize_with = "present")]
    actor_name: Option<String>,
    #[serde(default, deserialize_with = "present")]
    resolution_id: Option<String>,
    #[serde(default, deserialize_with = "present")]
    reason: Option<WhyWire>,
    #[serde(default, deserialize_with = "present")]
    detail: Option<String>,
    #[serde(default, deserialize_with = "present")]
    late: Option<Vec<Object<LateWire>>>,
    #[serde(default, deserialize_with = "present")]
    collected_at_ms: Option<i64>,
}

/// A Record's state, as the wire spells it.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StatusWire {
    Pending,
    Answered,
    Cancelled,
    Expired,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CreatorWire {
    #[serde(default, deserialize_with = "present")]
    person: Option<Filled>,
    #[serde(default, deserialize_with = "present")]
    token: Option<Filled>,
    binding: Binding,
    scopes: Vec<Scope>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LateWire {
    answers: Object<EnvelopeWire>,
    #[serde(default, deserialize_with = "present")]
    notes: Option<Notes>,
    #[serde(default, deserialize_with = "present")]
    words: Option<String>,
    actor: Object<ActorWire>,
    #[serde(default, deserialize_with = "present")]
    actor_name: Option<String>,
    ended_at_ms: i64,
    resolution_id: String,
}

/// The Record in `text`, or what is wrong with it.
pub(super) fn record(text: &str, reading: &Reading<'_>) -> Result<Arc<Record>, String> {
    let wire = match serde_json::from_str::<RecordWire>(text) {
        Ok(wire) => wire,
        Err(_) => slowly(text)?,
    };
    wire.into_record(reading).map(Arc::new)
}

/// Leaves out what this protocol does not know, then reads again.
fn slowly(text: &str) -> Result<RecordWire, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mended = mend_open(&value, &shapes::RECORD);
    match mended.faults.first() {
        Some(fault) => Err(fault.to_string()),
        None => serde_json::from_value(mended.value).map_err(|error| error.to_string()),
    }
}

impl RecordWire {
    fn into_record(mut self, reading: &Reading<'_>) -> Result<Record, String> {
        let (created_at, expires_at) = (Time(self.created_at_ms), Time(self.expires_at_ms));
        let late = self.late.take().unwrap_or_default().into_iter().map(|late| late.0.into()).collect();
        let state = self.state(reading.now)?;
        let names = |list: Option<Vec<Filled>>| list.unwrap_or_default().into_iter().map(|text| text.0);
        Ok(Record {
            key: RecordKey { gateway: reading.gateway.clone(), id: self.id.0.into(), created_at },
            ask: Ask {
                questions: questions(self.questions),
                wait: expires_at.since(created_at),
                origin: Origin {
                    agent_id: self.agent_id,
                    session_key: self.session_key,
                    run_id: self.run_id,
                    label: self.label,
                },
                creator: self.creator.map_or_else(nobody, |creator| creator.0.into()),
                answerers: names(self.answerers).map(Into::into).collect(),
                places: names(self.places).collect(),
                needs_surface: self.needs_surface.unwrap_or_default(),
                when_unanswered: self.when_unanswered.map(Into::into).unwrap_or_default(),
                terminal_proof: None,
            },
            expires_at,
            state,
            late,
            collected: self.collected_at_ms.map(Time),
        })
    }

    fn state(&mut self, now: Time) -> Result<State, String> {
        let at = self.ended_at_ms.map_or(now, Time);
        let by = self.actor.take().map(|actor| Actor::from(actor.0));
        let by_name = self.actor_name.take().or_else(|| self.resolved_by.take());
        Ok(match self.status {
            StatusWire::Pending => State::Pending,
            StatusWire::Expired => {
                State::Expired { at: self.ended_at_ms.map_or(Time(self.expires_at_ms), Time) }
            }
            StatusWire::Cancelled => State::Cancelled(Cancelled {
                at,
                why: self.reason.map_or(WhyCancelled::Withdrawn, |reason| reason.why(self.detail.take())),
                by,
                by_name,
            }),
            StatusWire::Answered => State::Answered(Box::new(Answered {
                answers: Answers(
                    self.answers.take().ok_or("/answers: missing from an answered question")?.0.answers,
                ),
                notes: self.notes.take().unwrap_or_default(),
                words: self.words.take(),
                by: by.unwrap_or(UNKNOWN),
                by_name,
                at,
                resolution: self.resolution_id.take().unwrap_or_default().into(),
            })),
        })
    }
}

/// Somebody another gateway let answer.
const UNKNOWN: Actor = Actor::new(None, Way::Call);

fn nobody() -> Creator {
    Creator { person: None, token: None, binding: Binding::Attached, scopes: Scopes::new() }
}

impl From<CreatorWire> for Creator {
    fn from(wire: CreatorWire) -> Self {
        Self {
            person: wire.person.map(|person| person.0.into()),
            token: wire.token.map(|token| token.0.into()),
            binding: wire.binding,
            scopes: wire.scopes.into_iter().collect(),
        }
    }
}

impl From<LateWire> for Answered {
    fn from(wire: LateWire) -> Self {
        Self {
            answers: Answers(wire.answers.0.answers),
            notes: wire.notes.unwrap_or_default(),
            words: wire.words,
            by: wire.actor.0.into(),
            by_name: wire.actor_name,
            at: Time(wire.ended_at_ms),
            resolution: wire.resolution_id.into(),
        }
    }
}
