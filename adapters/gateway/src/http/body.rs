//! Reads a request's body: JSON that is said to be JSON, of bounded size, within bounded time, few at a time. What it says
//! is for others.

use std::sync::Arc;

use askrelay_core::ask::Fault;
use axum::RequestExt;
use axum::body::{Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use serde_json::Value;
use tokio::time::timeout;

use super::Front;
use super::failure::{ErrorCode, Failure};
use super::guard::busy;

/// A body that is JSON, whatever it says.
#[derive(Debug)]
pub(super) struct JsonBody(pub(super) Value);

impl FromRequest<Arc<Front>> for JsonBody {
    type Rejection = Failure;

    async fn from_request(request: Request, front: &Arc<Front>) -> Result<Self, Failure> {
        if !is_json(request.headers()) {
            let words = "the body must be JSON, and Content-Type must say so: application/json";
            return Err(Failure::new(ErrorCode::UnsupportedMediaType, words));
        }
        let limit = front.shared.config.bounds.body_bytes;
        if request.body().size_hint().lower() > limit as u64 {
            return Err(too_large(limit));
        }
        let reading = async {
            let _place = front.bodies.acquire().await.map_err(|_| busy())?;
            let mut request = request;
            DefaultBodyLimit::max(limit).apply(&mut request);
            read(request, limit).await
        };
        let in_time = timeout(front.shared.config.delays.request_head, reading).await;
        let bytes =
            in_time.map_err(|_| Failure::new(ErrorCode::TooSlow, "the body did not arrive in time"))??;
        serde_json::from_slice(&bytes)
            .map(Self)
            .map_err(|error| Failure::new(ErrorCode::BadRequest, format!("the body is not JSON: {error}")))
    }
}

async fn read(request: Request, limit: usize) -> Result<Bytes, Failure> {
    let body: Result<Bytes, _> = request.extract().await;
    body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(limit),
        _ => Failure::new(ErrorCode::BadRequest, "the body ended before its end"),
    })
}

fn too_large(limit: usize) -> Failure {
    Failure::new(ErrorCode::TooLarge, format!("the body is larger than {limit} bytes"))
}

/// Whether the body is said to be JSON: `application/json`, or a type that ends in `+json`.
fn is_json(headers: &HeaderMap) -> bool {
    let named = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = named.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

/// One fault of the body as a whole.
pub(super) fn at_root(what: impl Into<String>) -> Failure {
    Failure::invalid(vec![Fault { path: String::new(), what: what.into() }])
}
