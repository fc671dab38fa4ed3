//! Asking and taking back. The ask in a body is read by the protocol, so that every front door takes the same asks.

use std::sync::Arc;

use askrelay_core::ask::{Fault, Question};
use askrelay_core::id::RecordId;
use askrelay_core::record::{Record, WhyCancelled};
use askrelay_core::schema::Form;
use askrelay_protocol::call::{AskParams, ResolveAct, ResolveParams};
use askrelay_protocol::encode::RecordView;
use askrelay_protocol::frame::{Call, Caps};
use askrelay_protocol::reply::{Ending, Reply};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};

use super::body::{JsonBody, at_root};
use super::caller::Known;
use super::document::{AskBody, AskRecord, Called, OfOne, WithBody};
use super::failure::{ErrorBody, Failure};
use super::query::{Named, Nothing, Parameters};
use super::{Front, unexpected};
use crate::desk::Credential;

/// Ask a question.
///
/// Returns once the ask is saved. Wait for its end at `/v1/asks/{id}/answer`.
#[utoipa::path(
    post, path = "/v1/asks", tag = "asks", operation_id = "ask",
    security(("bearer" = [])),
    request_body = AskBody,
    responses(
        (status = 201, description = "The ask is saved.", body = AskRecord,
            headers(("Location" = String, description = "Where the ask is."))),
        (status = 200, description = "The same ask was made before; this is how it stands.", body = AskRecord),
        (status = 409, description = "The id names another ask.", body = ErrorBody),
        (status = 429, description = "Too many asks are open.", body = ErrorBody),
        Called,
        WithBody,
    )
)]
pub(super) async fn ask(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Parameters(Nothing {}): Parameters<Nothing>,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    let params = read(body)?;
    // Two equal requests at the same moment may both be told that theirs made the ask; there is one all the same.
    let known = match &params.id {
        Some(id) => front.record(&credential, id).await.is_ok(),
        None => false,
    };
    let Reply::Requested { id, .. } = front.call(&credential, Call::Request(Box::new(params))).await? else {
        return Err(unexpected());
    };
    let record = front.record(&credential, &id).await?;
    let body = Json(RecordView { record: &record, caps: Caps::WIDE }).into_response();
    if known {
        return Ok(body);
    }
    let place = HeaderValue::try_from(format!("/v1/asks/{}", encoded(id.as_str()))).ok();
    let mut response = (StatusCode::CREATED, body).into_response();
    response.headers_mut().extend(place.map(|place| (header::LOCATION, place)));
    Ok(response)
}

/// Take an ask back.
///
/// Whoever waits for it learns that it was withdrawn. Withdrawing again changes nothing.
#[utoipa::path(
    delete, path = "/v1/asks/{id}", tag = "asks", operation_id = "withdraw",
    security(("bearer" = [])),
    params(("id" = String, Path, min_length = 1, description = "The ask.")),
    responses(
        (status = 200, description = "The ask is withdrawn.", body = AskRecord),
        (status = 409, description = "The ask has ended otherwise; `record` says how.", body = ErrorBody),
        Called,
        OfOne,
    )
)]
pub(super) async fn withdraw(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Named(id): Named,
    Parameters(Nothing {}): Parameters<Nothing>,
) -> Result<Response, Failure> {
    let params = resolving(id, ResolveAct::Cancel { why: Some(WhyCancelled::Withdrawn) });
    match front.call(&credential, Call::Resolve(Box::new(params))).await? {
        Reply::Resolved(Ending::Record(record)) => {
            Ok(Json(RecordView { record: &record, caps: Caps::WIDE }).into_response())
        }
        _ => Err(unexpected()),
    }
}

/// What ends a Record in the caller's own name.
pub(super) const fn resolving(id: RecordId, act: ResolveAct) -> ResolveParams {
    ResolveParams {
        id,
        created_at: None,
        act,
        resolved_by: None,
        resolution: None,
        actor: None,
        terminal_secret: None,
    }
}

impl Front {
    /// The Record of that id, if the caller may see it.
    pub(super) async fn record(
        &self,
        credential: &Credential,
        id: &RecordId,
    ) -> Result<Arc<Record>, Failure> {
        match self.call(credential, Call::Get { id: id.clone() }).await? {
            Reply::Question(record) => Ok(record),
            _ => Err(unexpected()),
        }
    }
}

/// The ask in a body. `timeout` and `schema` are the two members that the protocol does not have.
fn read(mut body: Value) -> Result<AskParams, Failure> {
    let Some(members) = body.as_object_mut() else { return Err(at_root("an object is expected")) };
    let mut faults = Vec::new();
    if members.remove("terminalProof").is_some() {
        faults.push(fault("", "unexpected property 'terminalProof'"));
    }
    let in_seconds = timeout(members, &mut faults);
    let questions = members.remove("schema").map(|schema| form(&schema, members, &mut faults));
    match AskParams::parse(&body.to_string(), Caps::WIDE) {
        Ok(params) => {
            let params = match questions {
                Some(questions) => AskParams { questions, ..params },
                None => params,
            };
            // A schema that makes no questions has a fault that says why.
            if !params.questions.is_empty() || faults.is_empty() {
                faults.extend(params.clone().faults(Caps::WIDE));
            }
            if faults.is_empty() {
                return Ok(params);
            }
        }
        Err(error) => faults.extend(error.details.faults.into_iter().filter(|fault| {
            // What stands in for the questions of a schema is empty, and nobody wrote it.
            questions.is_none() || fault.path != "/questions"
        })),
    }
    Err(invalid(faults, in_seconds))
}

/// Turns `timeout` into `timeoutMs`; whether it was there.
fn timeout(members: &mut Map<String, Value>, faults: &mut Vec<Fault>) -> bool {
    let Some(seconds) = members.remove("timeout") else { return false };
    match seconds.as_u64().filter(|seconds| *seconds > 0) {
        _ if members.contains_key("timeoutMs") => {
            faults.push(fault("/timeout", "give either timeout or timeoutMs"));
        }
        Some(seconds) => {
            members.insert("timeoutMs".to_owned(), seconds.saturating_mul(1000).into());
        }
        None => faults.push(fault("/timeout", "must be a whole number of seconds, at least 1")),
    }
    true
}

/// The Questions of a schema, which stands in the place of questions.
fn form(schema: &Value, members: &mut Map<String, Value>, faults: &mut Vec<Fault>) -> Vec<Question> {
    if members.insert("questions".to_owned(), Value::Array(Vec::new())).is_some() {
        faults.push(fault("/schema", "give either questions or schema"));
    }
    match Form::of(schema) {
        Ok(form) => form.questions,
        Err(wrong) => {
            faults.extend(
                wrong.into_iter().map(|fault| Fault { path: format!("/schema{}", fault.path), ..fault }),
            );
            Vec::new()
        }
    }
}

fn fault(path: &str, what: &str) -> Fault {
    Fault { path: path.to_owned(), what: what.to_owned() }
}

/// A wait that was given in seconds is at fault under that name.
fn invalid(mut faults: Vec<Fault>, in_seconds: bool) -> Failure {
    for fault in faults.iter_mut().filter(|fault| in_seconds && fault.path == "/timeoutMs") {
        fault.path = "/timeout".to_owned();
    }
    Failure::invalid(faults)
}

/// The text as one segment of a path.
fn encoded(text: &str) -> String {
    let mut path = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            path.push(char::from(byte));
        } else {
            path.push_str(&format!("%{byte:02X}"));
        }
    }
    path
}

#[cfg(test)]
mod tests {
    //! Bodies that are no asks, with every fault; and how long asks wait.

    use super::*;
    use serde_json::json;

    fn question() -> Value {
        json!([{"questionId": "q", "question": "Go?"}])
    }

    #[test]
    fn a_wait_is_given_in_seconds_or_milliseconds() {
        let cases = [
            ("neither", json!({}), None),
            ("seconds", json!({"timeout": 2}), Some(2000)),
            ("milliseconds", json!({"timeoutMs": 1500}), Some(1500)),
        ];
        for (name, extra, expected) in cases {
            let mut body = json!({"questions": question()});
            body.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
            let params = read(body).expect(name);
            assert_eq!(params.wait.map(|wait| wait.0), expected, "{name}");
        }
    }

    #[test]
    fn every_fault_is_told_at_once_with_its_place() {
        let cases = [
            ("no object", json!([1]), vec![""]),
            (
                "both timeouts",
                json!({"questions": question(), "timeout": 1, "timeoutMs": 1}),
                vec!["/timeout"],
            ),
            ("no wait", json!({"questions": question(), "timeout": 0}), vec!["/timeout"]),
            ("half a second", json!({"questions": question(), "timeout": 0.5}), vec!["/timeout"]),
            ("proof", json!({"questions": question(), "terminalProof": "x"}), vec![""]),
            (
                "no form",
                json!({"schema": {"type": "object", "properties": {"a": {"type": "null"}}}}),
                vec!["/schema/properties/a/type"],
            ),
            (
                "a form and questions",
                json!({"questions": question(), "schema": {"type": "object",
                "properties": {"a": {"type": "string"}}}}),
                vec!["/schema"],
            ),
            (
                "a form and more",
                json!({"schema": {}, "z": 1, "timeout": 9_999_999}),
                vec!["/schema/type", "/schema/properties", "", "/timeout"],
            ),
            (
                "several",
                json!({"questions": [{"questionId": "Q", "question": " "}], "timeout": "x", "z": 1}),
                vec!["/timeout", "", "/questions/0/question", "/questions/0/questionId"],
            ),
        ];
        for (name, body, expected) in cases {
            let faults = read(body).expect_err(name).faults;
            let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
            assert_eq!(paths, expected, "{name}: {faults:?}");
        }
    }

    #[test]
    fn an_id_is_one_segment_of_a_path() {
        for (id, path) in [("ask_1", "ask_1"), ("a/b c", "a%2Fb%20c"), ("ü?", "%C3%BC%3F")] {
            assert_eq!(encoded(id), path);
        }
    }
}
