//! Who is known: reading and changing it, for admins. Bodies are read by the protocol, so that a change means the same here as
//! on the wire.

use std::sync::Arc;

use askrelay_core::id::PersonId;
use askrelay_core::person::People;
use askrelay_protocol::call::PeopleCall;
use askrelay_protocol::encode::PersonView;
use askrelay_protocol::frame::{Call, Caps, ClientFrame, Method};
use askrelay_protocol::reply::Reply;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::body::{JsonBody, at_root};
use super::caller::Known;
use super::document::administration::{ChangeBody, Contended, Gone, PeopleList, PersonBody, PersonRecord};
use super::document::{Called, OfOne, WithBody};
use super::failure::{ErrorCode, Failure};
use super::query::{Named, Nothing, Parameters};
use super::{Front, unexpected};
use crate::desk::Credential;

/// Everybody.
#[utoipa::path(
    get, path = "/v1/people", tag = "people", operation_id = "people",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "Everybody, by name.", body = PeopleList),
        Called,
    )
)]
pub(super) async fn list(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Parameters(Nothing {}): Parameters<Nothing>,
) -> Result<Response, Failure> {
    let people = front.people(&credential).await?;
    let views: Vec<_> = people.iter().map(PersonView).collect();
    Ok(Json(json!({ "people": views })).into_response())
}

/// One person.
#[utoipa::path(
    get, path = "/v1/people/{id}", tag = "people", operation_id = "person",
    security(("bearer" = [])),
    params(("id" = String, Path, min_length = 1, description = "The person.")),
    responses(
        (status = 200, description = "The person.", body = PersonRecord),
        Called,
        OfOne,
    )
)]
pub(super) async fn get(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Named(id): Named<PersonId>,
    Parameters(Nothing {}): Parameters<Nothing>,
) -> Result<Response, Failure> {
    let people = front.people(&credential).await?;
    let nobody = || Failure::new(ErrorCode::NotFound, format!("nobody is called '{id}'"));
    let person = people.get(&id).ok_or_else(nobody)?;
    Ok(Json(PersonView(person)).into_response())
}

/// Add a person.
#[utoipa::path(
    post, path = "/v1/people", tag = "people", operation_id = "addPerson",
    security(("bearer" = [])),
    request_body = PersonBody,
    responses(
        (status = 201, description = "The person is known.", body = PersonRecord),
        Called,
        Contended,
        WithBody,
    )
)]
pub(super) async fn add(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Parameters(Nothing {}): Parameters<Nothing>,
    JsonBody(mut body): JsonBody,
) -> Result<Response, Failure> {
    if let Some(members) = body.as_object_mut() {
        let id = members.get("id").cloned().unwrap_or_default();
        members.entry("displayName").or_insert(id);
        members.entry("scopes").or_insert_with(|| json!([]));
        members.entry("identities").or_insert_with(|| json!([]));
    }
    let call =
        call(Method::PeopleAdd, json!({ "person": body })).map_err(|failure| within(failure, "/person"))?;
    let person = person(front.call(&credential, call).await?)?;
    Ok((StatusCode::CREATED, person).into_response())
}

/// Change a person.
///
/// Rights that are revoked end at once, for questions that are shown already too.
#[utoipa::path(
    patch, path = "/v1/people/{id}", tag = "people", operation_id = "changePerson",
    security(("bearer" = [])),
    params(("id" = String, Path, min_length = 1, description = "The person.")),
    request_body = ChangeBody,
    responses(
        (status = 200, description = "The person as they are now.", body = PersonRecord),
        Called,
        OfOne,
        Contended,
        WithBody,
    )
)]
pub(super) async fn change(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Named(id): Named<PersonId>,
    Parameters(Nothing {}): Parameters<Nothing>,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    let call = call(Method::PeopleChange, with(body, "id", id.as_str())?)?;
    Ok(person(front.call(&credential, call).await?)?.into_response())
}

/// Forget a person, with their tokens and the invites for them.
#[utoipa::path(
    delete, path = "/v1/people/{id}", tag = "people", operation_id = "removePerson",
    security(("bearer" = [])),
    params(("id" = String, Path, min_length = 1, description = "The person.")),
    responses(
        Gone,
        Called,
        OfOne,
        Contended,
    )
)]
pub(super) async fn remove(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Named(id): Named<PersonId>,
    Parameters(Nothing {}): Parameters<Nothing>,
) -> Result<StatusCode, Failure> {
    front.call(&credential, Call::People(PeopleCall::Remove(id))).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl Front {
    async fn people(&self, credential: &Credential) -> Result<Arc<People>, Failure> {
        match self.call(credential, Call::People(PeopleCall::List)).await? {
            Reply::People(people) => Ok(people),
            _ => Err(unexpected()),
        }
    }
}

/// The Person in a reply.
pub(super) fn person(reply: Reply) -> Result<Response, Failure> {
    match reply {
        Reply::Person(person) => Ok(Json(PersonView(&person)).into_response()),
        _ => Err(unexpected()),
    }
}

/// The body with what the path names in it; a body that names it too says nothing new, or something else.
pub(super) fn with(mut body: Value, name: &str, value: &str) -> Result<Value, Failure> {
    let Some(members) = body.as_object_mut() else { return Err(at_root("an object is expected")) };
    match members.insert(name.to_owned(), value.into()) {
        None => Ok(body),
        Some(_) => Err(at_root(format!("unexpected property '{name}'"))),
    }
}

/// The call with these params, read as the wire reads them.
pub(super) fn call(method: Method, params: Value) -> Result<Call, Failure> {
    let frame = json!({ "type": "req", "id": "http", "method": method.name(), "params": params });
    match ClientFrame::parse(&frame.to_string(), Caps::WIDE) {
        Ok(ClientFrame::Request { call, .. }) => Ok(call),
        Ok(ClientFrame::Invalid { error, .. }) => Err(error.into()),
        Err(_) => Err(at_root("the body cannot be read")),
    }
}

/// The faults of a body that the wire has one level deeper.
fn within(mut failure: Failure, outer: &str) -> Failure {
    for fault in &mut failure.faults {
        if let Some(inner) = fault.path.strip_prefix(outer) {
            fault.path = inner.to_owned();
        }
    }
    if failure.faults.is_empty() { failure } else { Failure::invalid(failure.faults) }
}
