//! Reads what a gateway sends, ours or another: unknown members and events are ignored, unknown words are kept. How a
//! response reads depends on its request, so the caller says which method an id belongs to.

use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

use askrelay_core::answer::Answers;
use askrelay_core::ask::Fault;
use askrelay_core::id::{GatewayId, ResolutionId};
use askrelay_core::permit::Refused;
use askrelay_core::time::Time;

use super::administration;
use super::connect::{ChallengeWire, HelloWire};
use super::notify;
use super::record::{StatusWire, record};
use crate::call::Cursor;
use crate::error::{Details, WireError};
use crate::frame::{Event, Method, ServerFrame};
use crate::reply::{Ending, PlainEnd, Reply, Waited};

/// What reading a gateway's frames needs to know.
pub struct Reading<'a> {
    /// The gateway, for the keys of its Records.
    pub gateway: &'a GatewayId,
    /// The moment of reading; the end of a Record whose gateway does not say when it ended.
    pub now: Time,
    /// The method of a request that waits for its response; nothing when no request of that id does.
    pub method_of: &'a dyn Fn(&str) -> Option<Method>,
}

/// Text that is no frame of a gateway. The connection can stay open: what it meant is unknown, but nothing is lost that
/// listing again would not tell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAFrame {
    /// No JSON, or JSON of another form.
    #[error("not a frame: {0}")]
    Form(String),
    /// A response to nothing that was asked.
    #[error("a response to '{0}', which was not asked or is answered already")]
    UnknownId(String),
    /// A frame whose payload cannot be read.
    #[error("{what} cannot be read: {why}")]
    Payload {
        /// The event or the request's method.
        what: String,
        /// The request's id, when it is a response.
        id: Option<String>,
        /// The first fault, with its path where it has one.
        why: String,
    },
}

#[derive(Deserialize)]
struct FrameWire<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(default)]
    ok: Option<bool>,
    #[serde(borrow, default)]
    payload: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    event: Option<Cow<'a, str>>,
    #[serde(default)]
    seq: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ErrorWire<'a> {
    code: String,
    #[serde(default)]
    message: String,
    #[serde(borrow, default)]
    details: Option<&'a RawValue>,
    #[serde(default)]
    retryable: Option<bool>,
    #[serde(default)]
    retry_after_ms: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct DetailsWire<'a> {
    code: Option<String>,
    reason: Option<String>,
    missing_scope: Option<String>,
    required_scopes: Vec<String>,
    method: Option<String>,
    phase: Option<String>,
    request_id: Option<String>,
    recommended_next_step: Option<String>,
    faults: Vec<FaultWire>,
    #[serde(borrow)]
    record: Option<&'a RawValue>,
    refused: Option<Refused>,
}

#[derive(Deserialize)]
struct FaultWire {
    path: String,
    message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EndingWire<'a> {
    #[serde(default)]
    id: Option<String>,
    status: StatusWire,
    #[serde(default)]
    answers: Option<AnswersWire>,
    #[serde(default)]
    resolution_id: Option<ResolutionId>,
    /// Only a whole Record has them.
    #[serde(borrow, default)]
    questions: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct AnswersWire {
    answers: Answers,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RequestedWire {
    id: String,
    expires_at_ms: i64,
    #[serde(default)]
    was_there: bool,
}

#[derive(Deserialize)]
struct QuestionWire<'a> {
    #[serde(borrow)]
    question: &'a RawValue,
}

#[derive(Deserialize)]
struct QuestionsWire<'a> {
    #[serde(borrow)]
    questions: Vec<&'a RawValue>,
    #[serde(default)]
    next: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ShutdownWire {
    reason: String,
    restart_expected_ms: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TickWire {
    ts: i64,
}

impl ServerFrame {
    /// Reads one frame of a gateway.
    ///
    /// # Errors
    /// What it is instead.
    pub fn parse(text: &str, reading: &Reading<'_>) -> Result<Self, NotAFrame> {
        let frame: FrameWire<'_> =
            serde_json::from_str(text).map_err(|error| NotAFrame::Form(error.to_string()))?;
        let payload = frame.payload.map_or("{}", RawValue::get);
        match (frame.kind.as_ref(), frame.event, frame.id) {
            ("event", Some(event), _) => match read_event(&event, payload, reading) {
                Ok(read) => Ok(Self::Event { seq: frame.seq, event: read }),
                Err(why) => Err(NotAFrame::Payload { what: event.into_owned(), id: None, why }),
            },
            ("res", _, Some(id)) => {
                let method =
                    (reading.method_of)(&id).ok_or_else(|| NotAFrame::UnknownId(id.clone().into_owned()))?;
                let result = if frame.ok == Some(true) {
                    read_reply(method, payload, reading).map(Ok)
                } else {
                    read_error(frame.error.map_or("{}", RawValue::get), reading).map(Err)
                };
                let id = id.into_owned();
                match result {
                    Ok(result) => Ok(Self::Response { id, result }),
                    Err(why) => Err(NotAFrame::Payload { what: method.name().to_owned(), id: Some(id), why }),
                }
            }
            _ => Err(NotAFrame::Form("neither an event nor a response".to_owned())),
        }
    }
}

pub(super) fn typed<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn read_event(name: &str, payload: &str, reading: &Reading<'_>) -> Result<Event, String> {
    Ok(match name {
        "connect.challenge" => Event::Challenge(typed::<ChallengeWire>(payload)?.into()),
        "question.requested" => Event::QuestionRequested(record(payload, reading)?),
        "question.resolved" => {
            Event::QuestionResolved(read_ending(payload, reading)?.ok_or("a pending question did not end")?)
        }
        "people.changed" => Event::People(administration::people(payload)?),
        "people.knocked" => administration::knocked(payload)?,
        "notify.requested" => notify::notification(payload)?,
        "tick" => Event::Tick { ts: Time(typed::<TickWire>(payload)?.ts) },
        "shutdown" => {
            let wire: ShutdownWire = typed(payload)?;
            let restart_expected_ms = wire.restart_expected_ms.map(|ms| ms.max(0.0) as u64);
            Event::Shutdown { reason: wire.reason, restart_expected_ms }
        }
        _ => Event::Unknown { name: name.to_owned() },
    })
}

fn read_reply(method: Method, payload: &str, reading: &Reading<'_>) -> Result<Reply, String> {
    Ok(match method {
        Method::Connect => Reply::HelloOk(Box::new(typed::<HelloWire>(payload)?.into())),
        Method::Request => {
            let wire: RequestedWire = typed(payload)?;
            Reply::Requested {
                id: wire.id.into(),
                expires_at: Time(wire.expires_at_ms),
                was_there: wire.was_there,
            }
        }
        Method::WaitAnswer => Reply::Waited(match read_ending(payload, reading)? {
            None => Waited::Pending,
            Some(ending) => Waited::Ended { ending, include_resolution: true },
        }),
        Method::Resolve => {
            Reply::Resolved(read_ending(payload, reading)?.ok_or("a pending question did not end")?)
        }
        Method::Get => Reply::Question(record(typed::<QuestionWire<'_>>(payload)?.question.get(), reading)?),
        Method::List => read_questions(payload, reading)?,
        Method::PeopleList => Reply::People(administration::people(payload)?),
        Method::PeopleAdd | Method::PeopleChange | Method::PairingsApprove => {
            administration::person(payload)?
        }
        Method::TokensCreate => administration::token_created(payload)?,
        Method::TokensList => administration::tokens(payload)?,
        Method::PairingsKnock => administration::welcome(payload)?,
        Method::PairingsList => administration::pairings(payload)?,
        Method::InvitesCreate => administration::invite_created(payload)?,
        Method::InvitesList => administration::invites(payload)?,
        Method::AuditList => administration::trail(payload)?,
        Method::NotifySend => notify::notified(payload)?,
        Method::Collect
        | Method::NotifySent
        | Method::PeoplePut
        | Method::PeopleRemove
        | Method::TokensRevoke
        | Method::PairingsReject
        | Method::InvitesRevoke => Reply::Done,
    })
}

fn read_questions(payload: &str, reading: &Reading<'_>) -> Result<Reply, String> {
    let wire: QuestionsWire<'_> = typed(payload)?;
    // One Record that cannot be read, of a newer version perhaps, must not hide the others.
    let records =
        wire.questions.into_iter().filter_map(|question| record(question.get(), reading).ok()).collect();
    let next = match wire.next {
        None => None,
        Some(text) => Some(Cursor::parse(&text).ok_or("/next: not a cursor")?),
    };
    Ok(Reply::Questions { records, next })
}

/// How a Record ended; nothing while it is pending.
fn read_ending(payload: &str, reading: &Reading<'_>) -> Result<Option<Ending>, String> {
    let wire: EndingWire<'_> = typed(payload)?;
    if wire.questions.is_some() {
        let record = record(payload, reading)?;
        return Ok((!record.state.is_pending()).then_some(Ending::Record(record)));
    }
    let end = match wire.status {
        StatusWire::Pending => return Ok(None),
        StatusWire::Cancelled => PlainEnd::Cancelled,
        StatusWire::Expired => PlainEnd::Expired,
        StatusWire::Answered => {
            let answers = wire.answers.ok_or("/answers: missing from an answered question")?;
            PlainEnd::Answered { answers: answers.answers, resolution: wire.resolution_id }
        }
    };
    Ok(Some(Ending::Plain { id: wire.id.map(Into::into), end }))
}

fn read_error(text: &str, reading: &Reading<'_>) -> Result<WireError, String> {
    let wire: ErrorWire<'_> = typed(text)?;
    let details = match wire.details {
        None => Details::default(),
        // Another gateway's details may be anything; what does not read as ours is no detail.
        Some(text) => serde_json::from_str::<DetailsWire<'_>>(text.get())
            .map(|details| details.into_details(reading))
            .unwrap_or_default(),
    };
    Ok(WireError {
        code: wire.code.as_str().into(),
        message: wire.message,
        details: Box::new(details),
        retryable: wire.retryable.unwrap_or_default(),
        retry_after_ms: wire.retry_after_ms.map(|ms| ms.max(0.0) as u64),
    })
}

impl DetailsWire<'_> {
    fn into_details(self, reading: &Reading<'_>) -> Details {
        let fault = |wire: FaultWire| Fault { path: wire.path, what: wire.message };
        Details {
            code: self.code.as_deref().map(Into::into),
            reason: self.reason.as_deref().map(Into::into),
            missing_scope: self.missing_scope,
            required_scopes: self.required_scopes,
            method: self.method,
            phase: self.phase,
            request_id: self.request_id,
            wait_then_retry: self.recommended_next_step.as_deref() == Some("wait_then_retry"),
            faults: self.faults.into_iter().map(fault).collect(),
            record: self.record.and_then(|text| record(text.get(), reading).ok()),
            refused: self.refused,
        }
    }
}
