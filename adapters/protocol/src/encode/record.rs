//! Records, their ends and the people in them as JSON. The wide shape is the plain one and more members, so that one
//! reader reads both.

use serde::ser::{Serialize, SerializeMap, Serializer};

use askrelay_core::answer::{Actor, Answered, Answers};
use askrelay_core::ask::{Choice, Constraint, Creator, Question, WhenUnanswered};
use askrelay_core::id::{Identity, Place};
use askrelay_core::record::{Cancelled, Record, State, WhyCancelled};

use super::{ListView, Members, object};
use crate::frame::Caps;
use crate::reply::{Ending, PlainEnd};

/// A Record as JSON, for frames and for the HTTP front door. Leaves out the terminal proof.
pub struct RecordView<'a> {
    /// The Record.
    pub record: &'a Record,
    /// Whose shape.
    pub caps: Caps,
}

impl Serialize for RecordView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (record, caps) = (self.record, self.caps);
        object(to, |out| {
            out.put("id", &record.key.id)?;
            out.put("questions", &QuestionsView(&record.ask.questions, caps))?;
            out.put_some("agentId", &record.ask.origin.agent_id)?;
            out.put_some("sessionKey", &record.ask.origin.session_key)?;
            out.put_some("runId", &record.ask.origin.run_id)?;
            out.put("createdAtMs", &record.key.created_at)?;
            out.put("expiresAtMs", &record.expires_at)?;
            out.put("status", record.state.name())?;
            put_answers(out, &record.state)?;
            if caps.wide {
                put_extension(out, record)
            } else {
                out.put_some("resolvedBy", &resolved_by(&record.state))
            }
        })
    }
}

fn put_answers<M: SerializeMap>(out: &mut Members<M>, state: &State) -> Result<(), M::Error> {
    match state {
        State::Answered(answered) => out.put("answers", &Envelope(&answered.answers)),
        State::Pending | State::Cancelled(_) | State::Expired { .. } => Ok(()),
    }
}

fn put_extension<M: SerializeMap>(out: &mut Members<M>, record: &Record) -> Result<(), M::Error> {
    let ask = &record.ask;
    out.put_some("label", &ask.origin.label)?;
    out.put_list("answerers", &ask.answerers)?;
    out.put_list("places", &ask.places)?;
    out.put_true("needsSurface", ask.needs_surface)?;
    put_when_unanswered(out, &ask.when_unanswered)?;
    out.put("creator", &CreatorView(&ask.creator))?;
    out.put_some("endedAtMs", &record.state.ended_at())?;
    match &record.state {
        State::Pending => {}
        State::Expired { .. } => {}
        State::Answered(answered) => put_answered(out, answered)?,
        State::Cancelled(cancelled) => put_cancelled(out, cancelled)?,
    }
    if !record.late.is_empty() {
        out.put("late", &ListView(|| record.late.iter().map(LateView)))?;
    }
    out.put_some("collectedAtMs", &record.collected)
}

pub(super) fn put_when_unanswered<M: SerializeMap>(
    out: &mut Members<M>,
    when: &WhenUnanswered,
) -> Result<(), M::Error> {
    match when {
        WhenUnanswered::Fail => Ok(()),
        WhenUnanswered::Default(_) => out.put("whenUnanswered", when),
    }
}

fn put_answered<M: SerializeMap>(out: &mut Members<M>, answered: &Answered) -> Result<(), M::Error> {
    if !answered.notes.is_empty() {
        out.put("notes", &answered.notes)?;
    }
    out.put_some("words", &answered.words)?;
    out.put("actor", &ActorView(&answered.by))?;
    out.put_some("actorName", &answered.by_name)?;
    out.put("resolutionId", &answered.resolution)
}

fn put_cancelled<M: SerializeMap>(out: &mut Members<M>, cancelled: &Cancelled) -> Result<(), M::Error> {
    put_why(out, &cancelled.why)?;
    out.put_some("actor", &cancelled.by.as_ref().map(ActorView))?;
    out.put_some("actorName", &cancelled.by_name)
}

pub(super) fn put_why<M: SerializeMap>(out: &mut Members<M>, why: &WhyCancelled) -> Result<(), M::Error> {
    let (reason, detail) = match why {
        WhyCancelled::Declined => ("declined", None),
        WhyCancelled::Withdrawn => ("withdrawn", None),
        WhyCancelled::Unavailable => ("unavailable", None),
        WhyCancelled::NotDelivered { detail } => ("not_delivered", Some(detail)),
    };
    out.put("reason", reason)?;
    out.put_some("detail", &detail)
}

/// Who resolved, in the plain shape's one free text.
fn resolved_by(state: &State) -> Option<&str> {
    let (name, by) = match state {
        State::Pending | State::Expired { .. } => return None,
        State::Answered(answered) => (&answered.by_name, Some(&answered.by)),
        State::Cancelled(cancelled) => (&cancelled.by_name, cancelled.by.as_ref()),
    };
    name.as_deref().or_else(|| by?.person.as_ref().map(|person| person.as_str()))
}

/// How a Record ended: the whole Record for a peer with the cap, the plain end for others.
pub(super) struct EndingView<'a> {
    pub(super) ending: &'a Ending,
    pub(super) caps: Caps,
    pub(super) with_id: bool,
    pub(super) with_resolution: bool,
}

impl Serialize for EndingView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.ending {
            Ending::Record(record) if self.caps.wide => RecordView { record, caps: self.caps }.serialize(to),
            Ending::Record(record) => object(to, |out| {
                if self.with_id {
                    out.put("id", &record.key.id)?;
                }
                out.put("status", record.state.name())?;
                put_answers(out, &record.state)?;
                match &record.state {
                    State::Answered(answered) if self.with_resolution => {
                        out.put("resolutionId", &answered.resolution)
                    }
                    _ => Ok(()),
                }
            }),
            Ending::Plain { id, end } => object(to, |out| {
                out.put_some("id", id)?;
                match end {
                    PlainEnd::Cancelled => out.put("status", "cancelled"),
                    PlainEnd::Expired => out.put("status", "expired"),
                    PlainEnd::Answered { answers, resolution } => {
                        out.put("status", "answered")?;
                        out.put("answers", &Envelope(answers))?;
                        out.put_some("resolutionId", resolution)
                    }
                }
            }),
        }
    }
}

/// The wire's `{"answers": …}` around the values.
pub(super) struct Envelope<'a>(pub(super) &'a Answers);

impl Serialize for Envelope<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |out| out.put("answers", self.0))
    }
}

pub(super) struct QuestionsView<'a>(pub(super) &'a [Question], pub(super) Caps);

impl Serialize for QuestionsView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|question| QuestionView(question, self.1)))
    }
}

struct QuestionView<'a>(&'a Question, Caps);

impl Serialize for QuestionView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let question = self.0;
        object(to, |out| {
            out.put("questionId", &question.id)?;
            out.put("header", &question.header)?;
            out.put("question", &question.text)?;
            out.put_some("url", &question.url)?;
            out.put("options", &ChoicesView(&question.choices, self.1))?;
            out.put_true("multiSelect", question.multi_select)?;
            out.put_true("isOther", question.other)?;
            out.put_true("isSecret", question.secret)?;
            if !self.1.wide {
                return Ok(());
            }
            out.put_some("min", &question.min)?;
            out.put_some("max", &question.max)?;
            out.put_some::<Constraint>("constraint", &question.constraint)?;
            out.put_some("placeholder", &question.placeholder)?;
            out.put_list("default", &question.default)
        })
    }
}

struct ChoicesView<'a>(&'a [Choice], Caps);

impl Serialize for ChoicesView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|choice| ChoiceView(choice, self.1)))
    }
}

struct ChoiceView<'a>(&'a Choice, Caps);

impl Serialize for ChoiceView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |out| {
            out.put("label", &self.0.label)?;
            out.put_some("description", &self.0.description)?;
            out.put_true("destructive", self.0.destructive && self.1.wide)
        })
    }
}

pub(super) struct ActorView<'a>(pub(super) &'a Actor);

impl Serialize for ActorView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let actor = self.0;
        object(to, |out| {
            out.put_some("person", &actor.person)?;
            out.put_some("identity", &actor.identity.as_ref().map(IdentityView))?;
            out.put_some("place", &actor.place.as_ref().map(PlaceView))?;
            out.put("way", &actor.way)?;
            if !actor.granted.is_empty() {
                out.put("granted", &actor.granted)?;
            }
            out.put_some("name", &actor.name)
        })
    }
}

pub(super) struct IdentityView<'a>(pub(super) &'a Identity);

impl Serialize for IdentityView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |out| {
            out.put("surface", &self.0.surface)?;
            out.put("user", &self.0.user)
        })
    }
}

pub(super) struct PlaceView<'a>(pub(super) &'a Place);

impl Serialize for PlaceView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |out| {
            out.put("surface", &self.0.account.surface)?;
            out.put("account", &self.0.account.name)?;
            out.put("conversation", &self.0.conversation)
        })
    }
}

struct CreatorView<'a>(&'a Creator);

impl Serialize for CreatorView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |out| {
            out.put_some("person", &self.0.person)?;
            out.put_some("token", &self.0.token)?;
            out.put("binding", &self.0.binding)?;
            out.put("scopes", &self.0.scopes)
        })
    }
}

struct LateView<'a>(&'a Answered);

impl Serialize for LateView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |out| {
            out.put("answers", &Envelope(&self.0.answers))?;
            put_answered(out, self.0)?;
            out.put("endedAtMs", &self.0.at)
        })
    }
}
