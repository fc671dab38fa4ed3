//! Reading the audit trail, for admins, page by page from the newest back.

use std::sync::Arc;

use askrelay_protocol::call::{AuditParams, PAGE_MAX};
use askrelay_protocol::encode::EntryView;
use askrelay_protocol::frame::Call;
use askrelay_protocol::reply::Reply;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use utoipa::IntoParams;

use super::caller::Known;
use super::document::Called;
use super::document::administration::TrailPage;
use super::failure::{ErrorCode, Failure};
use super::query::Parameters;
use super::{Front, unexpected};

/// Entries on one page when the caller does not say.
const LIMIT_DEFAULT: usize = 100;

/// Which entries.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// Only what is about this ask.
    #[serde(default)]
    #[param(required = false, value_type = String, nullable = false)]
    ask: Option<String>,
    /// Only what this person did.
    #[serde(default)]
    #[param(required = false, value_type = String, nullable = false)]
    person: Option<String>,
    /// Behind the page that gave this as `next`.
    #[serde(default)]
    #[param(required = false, value_type = i64, nullable = false)]
    after: Option<i64>,
    /// At most so many.
    #[serde(default = "limit_default")]
    #[param(required = false, minimum = 1, maximum = 1000, default = 100)]
    limit: usize,
}

const fn limit_default() -> usize {
    LIMIT_DEFAULT
}

/// Who did what.
///
/// Newest first.
#[utoipa::path(
    get, path = "/v1/audit", tag = "people", operation_id = "audit",
    security(("bearer" = [])),
    params(Which),
    responses(
        (status = 200, description = "A page.", body = TrailPage),
        Called,
    )
)]
pub(super) async fn trail(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Parameters(which): Parameters<Which>,
) -> Result<Response, Failure> {
    let Which { ask, person, after, limit } = which;
    if !(1..=PAGE_MAX).contains(&limit) {
        let words = "the query cannot be read: limit must be 1 to 1000";
        return Err(Failure::new(ErrorCode::BadRequest, words));
    }
    let params =
        AuditParams { ask: ask.map(Into::into), person: person.map(Into::into), after, limit: Some(limit) };
    match front.call(&credential, Call::Audit(params)).await? {
        Reply::Trail { entries, next } => {
            let view = |(number, entry): &(i64, _)| json!(EntryView { number: *number, entry });
            let mut page = json!({ "entries": entries.iter().map(view).collect::<Vec<_>>() });
            if let Some(next) = next {
                page["next"] = next.into();
            }
            Ok(Json(page).into_response())
        }
        _ => Err(unexpected()),
    }
}
