//! Waiting for an answer, and giving one.

use std::sync::Arc;

use askrelay_core::answer::{Answers, Notes};
use askrelay_core::ask::Fault;
use askrelay_core::id::RecordId;
use askrelay_core::record::{Record, WhyCancelled};
use askrelay_core::reply::{self, Bot, Reading};
use askrelay_core::schema::Form;
use askrelay_core::time::Span;
use askrelay_protocol::call::{ResolveAct, ResolveParams, WaitParams};
use askrelay_protocol::frame::Call;
use askrelay_protocol::reply::{Ending, Reply, Waited};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Deserializer};
use utoipa::IntoParams;

use super::ask::resolving;
use super::body::{JsonBody, at_root};
use super::caller::Known;
use super::document::{AnswerBody, Called, OfOne, WithBody};
use super::failure::{ErrorBody, ErrorCode, Failure};
use super::outcome::{Outcome, Waiting};
use super::query::{Named, Nothing, Parameters};
use super::{Front, text, unexpected};

/// Longest wait of one call, in seconds: what stands between client and server often cuts silent connections soon after.
const WAIT_MAX_SECONDS: u64 = 60;

/// How long to wait.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Patience {
    /// Seconds to wait for the end; 0 looks once.
    #[serde(default)]
    #[param(required = false, minimum = 0, maximum = 60, default = 0)]
    wait: u64,
    /// The JSON Schema that the ask was made with: the outcome then has the answers as a value of it, in `content`.
    #[serde(default)]
    #[param(required = false, value_type = String, nullable = false)]
    schema: Option<String>,
}

/// The members of an answer, as far as JSON tells.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Members {
    #[serde(default, deserialize_with = "present")]
    answers: Option<Answers>,
    #[serde(default, deserialize_with = "present")]
    notes: Option<Notes>,
    #[serde(default, deserialize_with = "present")]
    text: Option<String>,
    #[serde(default, deserialize_with = "present")]
    skip: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    resolution_id: Option<String>,
}

/// What a body wants done.
enum Wanted {
    Answers(Answers, Notes),
    Text(String),
    Skip,
}

/// A member that may be absent, but not null.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Wait for the end of an ask.
///
/// Call again while the response is 202.
#[utoipa::path(
    get, path = "/v1/asks/{id}/answer", tag = "asks", operation_id = "wait",
    security(("bearer" = [])),
    params(("id" = String, Path, min_length = 1, description = "The ask."), Patience),
    responses(
        (status = 200, description = "The ask has ended.", body = Outcome),
        (status = 202, description = "The ask still waits.", body = Waiting),
        (status = 422, description = "The schema is none, or not the one that the ask was made with.", body = ErrorBody),
        Called,
        OfOne,
    )
)]
pub(super) async fn wait(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Named(id): Named,
    Parameters(Patience { wait, schema }): Parameters<Patience>,
) -> Result<Response, Failure> {
    let form = schema.as_deref().map(form).transpose()?;
    if wait > WAIT_MAX_SECONDS {
        let words = format!("the query cannot be read: wait must be 0 to {WAIT_MAX_SECONDS}");
        return Err(Failure::new(ErrorCode::BadRequest, words));
    }
    if wait > 0 {
        let params =
            WaitParams { id: id.clone(), wait: Some(Span::seconds(wait)), include_resolution: false };
        match front.call(&credential, Call::WaitAnswer(params)).await? {
            Reply::Waited(Waited::Pending | Waited::Ended { .. }) => {}
            _ => return Err(unexpected()),
        }
    }
    // Looked at again: whoever may not see it any more learns nothing, however long it waited.
    let record = front.record(&credential, &id).await?;
    match Outcome::of(&record) {
        Ok(outcome) => Ok(Json(outcome.with_content(form.as_ref())?).into_response()),
        Err(waiting) => Ok((StatusCode::ACCEPTED, Json(waiting)).into_response()),
    }
}

/// The form of a schema in the query.
fn form(text: &str) -> Result<Form, Failure> {
    let schema =
        serde_json::from_str(text).map_err(|error| at_root(format!("the schema is not JSON: {error}")))?;
    Form::of(&schema).map_err(Failure::invalid)
}

/// Answer an ask, or skip it.
///
/// Needs the token of a person who may answer it. The first answer wins; everybody later is told what was recorded.
#[utoipa::path(
    post, path = "/v1/asks/{id}/answer", tag = "asks", operation_id = "answer",
    security(("bearer" = [])),
    params(("id" = String, Path, min_length = 1, description = "The ask.")),
    request_body = AnswerBody,
    responses(
        (status = 200, description = "It is recorded.", body = Outcome),
        (status = 409, description = "The ask has ended; `record` says how.", body = ErrorBody),
        Called,
        OfOne,
        WithBody,
    )
)]
pub(super) async fn answer(
    State(front): State<Arc<Front>>,
    known: Known,
    Named(id): Named,
    Parameters(Nothing {}): Parameters<Nothing>,
    JsonBody(body): JsonBody,
) -> Result<Json<Outcome>, Failure> {
    let body: Members = serde_json::from_value(body).map_err(|error| at_root(error.to_string()))?;
    let resolution = body.resolution()?;
    let mut params = match body.wanted()? {
        Wanted::Answers(answers, notes) => resolving(id, ResolveAct::Answer { answers, notes, words: None }),
        Wanted::Skip => skipping(id),
        Wanted::Text(words) => match front.record(&known.0, &id).await {
            Ok(record) => {
                ResolveParams { created_at: Some(record.key.created_at), ..said(id, &record, words)? }
            }
            // Whatever the words say: the desk refuses the attempt, and writes down that there was one.
            Err(failure) if failure.code == ErrorCode::NotFound => {
                let (answers, notes) = (Answers::default(), Notes::new());
                resolving(id, ResolveAct::Answer { answers, notes, words: None })
            }
            Err(failure) => return Err(failure),
        },
    };
    params.resolution = resolution.map(Into::into);
    let resolved = front.call(&known.0, Call::Resolve(Box::new(params))).await;
    match resolved.map_err(|failure| with_way_out(failure, &known))? {
        Reply::Resolved(Ending::Record(record)) => Outcome::of(&record).map(Json).map_err(|_| unexpected()),
        _ => Err(unexpected()),
    }
}

impl Members {
    fn resolution(&self) -> Result<Option<String>, Failure> {
        let id = self.resolution_id.clone();
        if id.as_ref().is_some_and(|id| !(1..=128).contains(&id.chars().count())) {
            let what = "must be 1 to 128 characters".to_owned();
            return Err(Failure::invalid(vec![Fault { path: "/resolutionId".to_owned(), what }]));
        }
        Ok(id)
    }

    fn wanted(self) -> Result<Wanted, Failure> {
        match self {
            Self { answers: Some(answers), notes, text: None, skip: None, .. } => {
                Ok(Wanted::Answers(answers, notes.unwrap_or_default()))
            }
            Self { answers: None, notes: None, text: Some(text), skip: None, .. } => Ok(Wanted::Text(text)),
            Self { answers: None, notes: None, text: None, skip: Some(true), .. } => Ok(Wanted::Skip),
            _ => Err(at_root("give one of answers (perhaps with notes), text, or skip: true")),
        }
    }
}

const fn skipping(id: RecordId) -> ResolveParams {
    resolving(id, ResolveAct::Cancel { why: Some(WhyCancelled::Declined) })
}

/// What the words say to this Record.
fn said(id: RecordId, record: &Record, words: String) -> Result<ResolveParams, Failure> {
    match reply::read(&record.ask.questions, &words, &Bot::default()) {
        Reading::Answer { answers, notes } => {
            Ok(resolving(id, ResolveAct::Answer { answers, notes, words: Some(words) }))
        }
        Reading::Skip => Ok(skipping(id)),
        Reading::NotAnAnswer => {
            Err(Failure::new(ErrorCode::Unclear, "the text is not an answer; nothing was recorded"))
        }
        Reading::Clarify(unclear) => {
            let why = text::why(unclear.reason);
            let open = unclear
                .open
                .iter()
                .map(|question| Fault { path: String::new(), what: format!("'{question}' is open") });
            let message = format!("{why}; nothing was recorded");
            Err(Failure { faults: open.collect(), ..Failure::new(ErrorCode::Unclear, message) })
        }
    }
}

/// A local process learns how a person answers instead.
fn with_way_out(failure: Failure, known: &Known) -> Failure {
    if failure.code == ErrorCode::NotPermitted && known.is_local() {
        let words = "a local process asks but never answers; send a person's own token as a bearer token (askrelay login)";
        return Failure { message: words.to_owned(), ..failure };
    }
    failure
}
