//! Reading asks: one, or a page of those that the caller may see.

use std::sync::Arc;

use askrelay_core::record::Record;
use askrelay_protocol::call::{Cursor, PAGE_MAX};
use askrelay_protocol::encode::RecordView;
use askrelay_protocol::frame::Caps;
use askrelay_protocol::reply::Reply;
use askrelay_store::{Direction, StateFilter};
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::{IntoParams, ToSchema};

use super::caller::Known;
use super::document::{AskRecord, Called, OfOne};
use super::failure::{ErrorCode, Failure};
use super::query::{Named, Nothing, Parameters};
use super::{Front, unexpected};
use crate::desk::{Page, Work};

/// Asks on one page when the caller does not say.
const LIMIT_DEFAULT: usize = 100;

/// Which asks.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// In which state.
    #[serde(default)]
    #[param(required = false, inline)]
    state: StateQuery,
    /// From which end, by creation time.
    #[serde(default)]
    #[param(required = false, inline)]
    order: OrderQuery,
    /// Behind the page that gave this as `next`.
    #[serde(default)]
    #[param(required = false, value_type = String, nullable = false, pattern = "^[0-9]{1,15}:.+$")]
    after: Option<String>,
    /// At most so many.
    #[serde(default = "limit_default")]
    #[param(required = false, minimum = 1, maximum = 1000, default = 100)]
    limit: usize,
}

/// In which state.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum StateQuery {
    /// Those that wait.
    #[default]
    Pending,
    /// Those that do not wait any more.
    Ended,
    /// Those that a person answered.
    Answered,
    /// Those that ended early.
    Cancelled,
    /// Those whose deadline passed.
    Expired,
    /// All.
    Any,
}

/// From which end.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum OrderQuery {
    /// The oldest first.
    #[default]
    Oldest,
    /// The newest first.
    Newest,
}

/// A page of asks.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AsksPage {
    /// May be fewer than asked for, even none, while there is a `next`.
    #[serde(serialize_with = "records")]
    #[schema(value_type = Vec<AskRecord>)]
    asks: Vec<Arc<Record>>,
    /// What to give as `after` for the next page; absent after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next: Option<String>,
}

const fn limit_default() -> usize {
    LIMIT_DEFAULT
}

fn records<S: Serializer>(records: &[Arc<Record>], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(records.iter().map(|record| RecordView { record, caps: Caps::WIDE }))
}

/// List asks.
///
/// Those that the caller made or may answer. Pending ones when `state` does not say otherwise.
#[utoipa::path(
    get, path = "/v1/asks", tag = "asks", operation_id = "list",
    security(("bearer" = [])),
    params(Which),
    responses(
        (status = 200, description = "A page.", body = AsksPage),
        Called,
    )
)]
pub(super) async fn list(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Parameters(which): Parameters<Which>,
) -> Result<Json<AsksPage>, Failure> {
    let page = which.page()?;
    match front.work(&credential, Work::Page(page)).await? {
        Reply::Questions { records, next } => {
            Ok(Json(AsksPage { asks: records, next: next.map(|next| next.to_string()) }))
        }
        _ => Err(unexpected()),
    }
}

/// One ask, as it stands now.
#[utoipa::path(
    get, path = "/v1/asks/{id}", tag = "asks", operation_id = "get",
    security(("bearer" = [])),
    params(("id" = String, Path, min_length = 1, description = "The ask.")),
    responses(
        (status = 200, description = "The ask.", body = AskRecord),
        Called,
        OfOne,
    )
)]
pub(super) async fn get(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Named(id): Named,
    Parameters(Nothing {}): Parameters<Nothing>,
) -> Result<Response, Failure> {
    let record = front.record(&credential, &id).await?;
    Ok(Json(RecordView { record: &record, caps: Caps::WIDE }).into_response())
}

impl Which {
    fn page(self) -> Result<Page, Failure> {
        let Self { state, order, after, limit } = self;
        let wrong = |what: &str| {
            Err(Failure::new(ErrorCode::BadRequest, format!("the query cannot be read: {what}")))
        };
        if !(1..=PAGE_MAX).contains(&limit) {
            return wrong("limit must be 1 to 1000");
        }
        let after = after.map(|text| Cursor::parse(&text).ok_or(text));
        let after = match after.transpose() {
            Ok(after) => after,
            Err(_) => return wrong("after must be the `next` of an earlier page"),
        };
        let filter = match state {
            StateQuery::Pending => StateFilter::Pending,
            StateQuery::Ended => StateFilter::Ended,
            StateQuery::Answered => StateFilter::Answered,
            StateQuery::Cancelled => StateFilter::Cancelled,
            StateQuery::Expired => StateFilter::Expired,
            StateQuery::Any => StateFilter::Any,
        };
        let direction = match order {
            OrderQuery::Oldest => Direction::OldestFirst,
            OrderQuery::Newest => Direction::NewestFirst,
        };
        Ok(Page { filter, id_prefix: None, direction, after, limit })
    }
}
