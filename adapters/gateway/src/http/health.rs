//! For whoever runs the gateway: whether it lives, whether it would take an ask, its numbers and its document. None of it
//! tells anything about an ask.

use std::sync::Arc;

use askrelay_protocol::reply::Reply;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::caller::Known;
use super::document::{Called, Guarded};
use super::failure::Failure;
use super::{Front, unexpected};
use crate::desk::{Credential, Work};
use crate::metrics::Queue;

/// It is well.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Well {
    status: WellName,
}

/// How it is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum WellName {
    Ok,
}

const WELL: Json<Well> = Json(Well { status: WellName::Ok });

/// The process lives.
#[utoipa::path(
    get, path = "/healthz", tag = "operation", operation_id = "alive",
    responses(
        (status = 200, description = "It lives.", body = Well),
        Guarded,
    )
)]
pub(super) async fn alive() -> Json<Well> {
    WELL
}

/// The gateway would take an ask now.
#[utoipa::path(
    get, path = "/readyz", tag = "operation", operation_id = "ready",
    responses(
        (status = 200, description = "It would.", body = Well),
        Guarded,
    )
)]
pub(super) async fn ready(State(front): State<Arc<Front>>) -> Result<Json<Well>, Failure> {
    match front.work(&Credential::Nobody, Work::Ready).await? {
        Reply::Done => Ok(WELL),
        _ => Err(unexpected()),
    }
}

/// Numbers for Prometheus.
///
/// Any known token may read them, whatever its scopes: they count, and tell nothing about any one ask.
#[utoipa::path(
    get, path = "/metrics", tag = "operation", operation_id = "metrics",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "In the text format of Prometheus.", body = String, content_type = "text/plain"),
        Called,
    )
)]
pub(super) async fn metrics(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
) -> Result<impl IntoResponse, Failure> {
    let metrics = &front.shared.config.metrics;
    let inbox = &front.shared.inbox;
    metrics.queued(Queue::Requests, inbox.max_capacity() - inbox.capacity());
    front.work(&credential, Work::Measure).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics.render()))
}

/// This document.
#[utoipa::path(
    get, path = "/openapi.json", tag = "operation", operation_id = "document",
    responses(
        (status = 200, description = "OpenAPI 3.1.", body = Object, content_type = "application/json"),
        Guarded,
    )
)]
pub(super) async fn document(State(front): State<Arc<Front>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], front.document.clone())
}
