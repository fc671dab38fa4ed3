//! Reads what stands in a request's target besides the route: the id of a thing and the query. Strictly, as everything
//! that comes in: an unknown or repeated parameter is an error, not a guess.

use askrelay_core::id::RecordId;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::failure::{ErrorCode, Failure};

/// What the path names.
#[derive(Debug)]
pub(super) struct Named<T = RecordId>(pub(super) T);

/// The parameters of the query.
#[derive(Debug)]
pub(super) struct Parameters<T>(pub(super) T);

impl<S: Send + Sync, T: From<String>> FromRequestParts<S> for Named<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let id: Result<Path<String>, PathRejection> = Path::from_request_parts(parts, state).await;
        match id {
            Ok(Path(id)) => Ok(Self(id.into())),
            Err(_) => Err(Failure::new(ErrorCode::BadRequest, "the id in the path is not UTF-8 text")),
        }
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Parameters<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Failure> {
        let read = Query::try_from_uri(&parts.uri);
        read.map(|Query(parameters)| Self(parameters)).map_err(|rejection| {
            let why = std::error::Error::source(&rejection)
                .map_or_else(|| rejection.to_string(), ToString::to_string);
            Failure::new(ErrorCode::BadRequest, format!("the query cannot be read: {why}"))
        })
    }
}

/// A route without parameters.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}
