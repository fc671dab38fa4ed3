//! Who waits to be let in, and invites, for admins. Bodies are read by the protocol.

use std::sync::Arc;

use askrelay_core::id::InviteId;
use askrelay_core::pairing::Code;
use askrelay_protocol::call::{InviteCall, PairingCall};
use askrelay_protocol::encode::{InviteView, PairingView};
use askrelay_protocol::frame::{Call, Method};
use askrelay_protocol::reply::Reply;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::body::JsonBody;
use super::caller::Known;
use super::document::administration::{
    AdmissionBody, Contended, Gone, InviteBody, InvitesList, NewInviteRecord, PairingsList, PersonRecord,
};
use super::document::{Called, OfOne, WithBody};
use super::failure::Failure;
use super::people::{call, person, with};
use super::query::{Named, Nothing, Parameters};
use super::{Front, unexpected};

/// Who waits to be let in.
#[utoipa::path(
    get, path = "/v1/pairings", tag = "people", operation_id = "pairings",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "Everybody who waits.", body = PairingsList),
        Called,
    )
)]
pub(super) async fn pairings(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Parameters(Nothing {}): Parameters<Nothing>,
) -> Result<Response, Failure> {
    match front.call(&credential, Call::Pairings(PairingCall::List)).await? {
        Reply::Pairings(pairings) => {
            let views: Vec<_> = pairings.iter().map(PairingView).collect();
            Ok(Json(json!({ "pairings": views })).into_response())
        }
        _ => Err(unexpected()),
    }
}

/// Let somebody in.
///
/// They are told so where they wrote.
#[utoipa::path(
    post, path = "/v1/pairings/{code}", tag = "people", operation_id = "approve",
    security(("bearer" = [])),
    params(("code" = String, Path, min_length = 1, description = "Their code.")),
    request_body = AdmissionBody,
    responses(
        (status = 200, description = "The person they are.", body = PersonRecord),
        Called,
        OfOne,
        Contended,
        WithBody,
    )
)]
pub(super) async fn approve(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Named(code): Named<String>,
    Parameters(Nothing {}): Parameters<Nothing>,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    let call = call(Method::PairingsApprove, with(body, "code", &code)?)?;
    person(front.call(&credential, call).await?)
}

/// Turn somebody away; they get no other code for an hour.
#[utoipa::path(
    delete, path = "/v1/pairings/{code}", tag = "people", operation_id = "reject",
    security(("bearer" = [])),
    params(("code" = String, Path, min_length = 1, description = "Their code.")),
    responses(
        Gone,
        Called,
        OfOne,
    )
)]
pub(super) async fn reject(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Named(code): Named<String>,
    Parameters(Nothing {}): Parameters<Nothing>,
) -> Result<StatusCode, Failure> {
    let code = Code::typed(&code);
    front.call(&credential, Call::Pairings(PairingCall::Reject(code))).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The open invites, without their codes.
#[utoipa::path(
    get, path = "/v1/invites", tag = "people", operation_id = "invites",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The open invites.", body = InvitesList),
        Called,
    )
)]
pub(super) async fn invites(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Parameters(Nothing {}): Parameters<Nothing>,
) -> Result<Response, Failure> {
    match front.call(&credential, Call::Invites(InviteCall::List)).await? {
        Reply::Invites(invites) => {
            let views: Vec<_> = invites.iter().map(InviteView).collect();
            Ok(Json(json!({ "invites": views })).into_response())
        }
        _ => Err(unexpected()),
    }
}

/// Make an invite.
///
/// Good once, for whoever brings it. The code is shown this once.
#[utoipa::path(
    post, path = "/v1/invites", tag = "people", operation_id = "invite",
    security(("bearer" = [])),
    request_body = InviteBody,
    responses(
        (status = 201, description = "The invite.", body = NewInviteRecord),
        Called,
        Contended,
        WithBody,
    )
)]
pub(super) async fn invite(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Parameters(Nothing {}): Parameters<Nothing>,
    JsonBody(body): JsonBody,
) -> Result<Response, Failure> {
    match front.call(&credential, call(Method::InvitesCreate, body)?).await? {
        Reply::InviteCreated { invite, code } => {
            let made = json!({ "invite": InviteView(&invite), "code": code });
            Ok((StatusCode::CREATED, Json(made)).into_response())
        }
        _ => Err(unexpected()),
    }
}

/// Withdraw an invite.
#[utoipa::path(
    delete, path = "/v1/invites/{id}", tag = "people", operation_id = "revokeInvite",
    security(("bearer" = [])),
    params(("id" = String, Path, min_length = 1, description = "The invite.")),
    responses(
        Gone,
        Called,
        OfOne,
    )
)]
pub(super) async fn revoke(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Named(id): Named<InviteId>,
    Parameters(Nothing {}): Parameters<Nothing>,
) -> Result<StatusCode, Failure> {
    front.call(&credential, Call::Invites(InviteCall::Revoke(id))).await?;
    Ok(StatusCode::NO_CONTENT)
}
