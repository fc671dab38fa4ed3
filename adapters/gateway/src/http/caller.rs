//! Who calls: the bearer of a token, or whoever the listener established. The credential is only read here; the desk
//! judges it, each time it is used.

use std::sync::Arc;

use askrelay_core::permit::Caller;
use askrelay_protocol::secret::Secret;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::Front;
use super::failure::{ErrorCode, Failure};
use crate::desk::{Credential, Work};
use crate::peer::Peer;

/// A caller whom the desk knows; extracting it refuses everybody else before anything more is read.
#[derive(Debug)]
pub(super) struct Known(pub(super) Credential);

impl FromRequestParts<Arc<Front>> for Known {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, front: &Arc<Front>) -> Result<Self, Failure> {
        let base = parts.extensions.get::<Peer>().and_then(|peer| peer.base.clone());
        let credential = match bearer(&parts.headers)? {
            Some(token) => Credential::Token(token),
            None => base.map_or(Credential::Nobody, Credential::Caller),
        };
        front.work(&credential, Work::Known).await?;
        Ok(Self(credential))
    }
}

impl Known {
    /// Whether it is a local process without a token: those ask, but never answer.
    pub(super) const fn is_local(&self) -> bool {
        matches!(self.0, Credential::Caller(Caller::Local { .. }))
    }
}

/// The token in the `Authorization` header, if there is one.
fn bearer(headers: &HeaderMap) -> Result<Option<Secret>, Failure> {
    let mut shown = headers.get_all(header::AUTHORIZATION).iter();
    let Some(first) = shown.next() else { return Ok(None) };
    let token =
        first.to_str().ok().and_then(|value| value.split_once(' ')).filter(|_| shown.next().is_none());
    match token {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
            Ok(Some(Secret::from(token.trim())))
        }
        _ => {
            let words = "one Authorization header is expected, reading: Bearer TOKEN";
            Err(Failure::new(ErrorCode::Unauthorized, words))
        }
    }
}
