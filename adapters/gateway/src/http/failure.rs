//! The one shape of every HTTP error, and which status and code each error of the desk becomes.

use std::sync::Arc;

use askrelay_core::ask::Fault;
use askrelay_core::record::Record;
use askrelay_protocol::encode::RecordView;
use askrelay_protocol::error::{Code, DetailCode, Reason, WireError};
use askrelay_protocol::frame::Caps;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::document::AskRecord;

/// A request that failed.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) code: ErrorCode,
    pub(super) message: String,
    pub(super) faults: Vec<Fault>,
    pub(super) retry_after_ms: Option<u64>,
    pub(super) record: Option<Arc<Record>>,
    /// The scope that lacks, for the challenge.
    pub(super) missing_scope: Option<String>,
}

/// What kind of error; programs branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ErrorCode {
    /// The path, the query or the body cannot be read.
    BadRequest,
    /// No token, or none that is known and in its time.
    Unauthorized,
    /// The token lacks a scope.
    MissingScope,
    /// The caller may not do this to this ask.
    NotPermitted,
    /// This gateway is not served under that host name.
    HostNotAllowed,
    /// No page of that origin may call.
    OriginNotAllowed,
    /// No such thing, or none that the caller may see.
    NotFound,
    /// The route has no such method.
    MethodNotAllowed,
    /// The body did not arrive in time.
    TooSlow,
    /// The id names another ask.
    IdInUse,
    /// The ask has ended; `record` says how.
    AlreadyEnded,
    /// It does not go with what is there: a name or an identity that is taken, or the last admin.
    Conflict,
    /// The body is too large.
    TooLarge,
    /// The body is not said to be JSON.
    UnsupportedMediaType,
    /// The body breaks its shape or the contract; `faults` says where.
    Invalid,
    /// The values do not answer the questions.
    InvalidAnswer,
    /// The text does not decide; nothing was recorded.
    Unclear,
    /// The caller has too many asks open.
    TooManyOpen,
    /// Not now; the same request may work later.
    Unavailable,
}

/// What every error looks like.
#[derive(Serialize, ToSchema)]
pub(super) struct ErrorBody<'a> {
    error: ErrorInfo<'a>,
}

/// What went wrong.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ErrorInfo<'a> {
    code: ErrorCode,
    /// For people; may change.
    message: &'a str,
    /// Everything wrong with the request, each fault with its place.
    #[serde(skip_serializing_if = "<[FaultInfo<'_>]>::is_empty")]
    faults: Vec<FaultInfo<'a>>,
    /// Not before this many milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0)]
    retry_after_ms: Option<u64>,
    /// The ask as it was recorded, where somebody else was first.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "record")]
    #[schema(nullable = false, value_type = AskRecord)]
    record: Option<&'a Record>,
}

/// One thing wrong with a request.
#[derive(Serialize, ToSchema)]
struct FaultInfo<'a> {
    /// A JSON pointer into the body; empty for the whole of it.
    path: &'a str,
    /// What is wrong, and what would be right.
    what: &'a str,
}

fn record<S: Serializer>(record: &Option<&Record>, to: S) -> Result<S::Ok, S::Error> {
    record.map(|record| RecordView { record, caps: Caps::WIDE }).serialize(to)
}

impl Failure {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            faults: Vec::new(),
            retry_after_ms: None,
            record: None,
            missing_scope: None,
        }
    }

    /// A body that breaks its shape or the contract.
    pub(super) fn invalid(faults: Vec<Fault>) -> Self {
        let count = faults.len();
        let message = match faults.as_slice() {
            [only] if only.path.is_empty() => only.what.clone(),
            [only] => format!("{}: {}", only.path, only.what),
            _ => format!("the body has {count} faults"),
        };
        Self { faults, ..Self::new(ErrorCode::Invalid, message) }
    }

    pub(super) fn status(&self) -> StatusCode {
        self.code.status()
    }
}

impl ErrorCode {
    const fn status(self) -> StatusCode {
        match self {
            Self::BadRequest => StatusCode::BAD_REQUEST,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::MissingScope | Self::NotPermitted | Self::HostNotAllowed | Self::OriginNotAllowed => {
                StatusCode::FORBIDDEN
            }
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::IdInUse | Self::AlreadyEnded | Self::Conflict => StatusCode::CONFLICT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Invalid | Self::InvalidAnswer | Self::Unclear => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooManyOpen => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// What an error of the desk is in HTTP.
    fn of(error: &WireError) -> Self {
        match &error.details.code {
            Some(DetailCode::MissingScope) => return Self::MissingScope,
            Some(
                DetailCode::AuthTokenMismatch
                | DetailCode::AuthTokenExpired
                | DetailCode::DeviceIdentityRequired,
            ) => return Self::Unauthorized,
            _ => {}
        }
        match &error.details.reason {
            Some(Reason::NotFound | Reason::NoSuchThing) => return Self::NotFound,
            Some(Reason::Conflict) => return Self::Conflict,
            Some(Reason::AlreadyTerminal) => return Self::AlreadyEnded,
            Some(Reason::IdInUse) => return Self::IdInUse,
            Some(Reason::InvalidAnswer) => return Self::InvalidAnswer,
            Some(Reason::TooManyOpen) => return Self::TooManyOpen,
            _ => {}
        }
        match &error.code {
            Code::Forbidden => Self::NotPermitted,
            Code::NotPaired | Code::Unauthorized => Self::Unauthorized,
            Code::Unavailable | Code::AgentTimeout => Self::Unavailable,
            Code::InvalidRequest | Code::Other(_) => Self::Invalid,
        }
    }
}

impl From<WireError> for Failure {
    fn from(error: WireError) -> Self {
        let code = ErrorCode::of(&error);
        let details = *error.details;
        if !details.faults.is_empty() {
            return Self::invalid(details.faults);
        }
        Self {
            retry_after_ms: error.retry_after_ms,
            record: details.record,
            missing_scope: details.missing_scope,
            ..Self::new(code, error.message)
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let faults = self.faults.iter().map(|fault| FaultInfo { path: &fault.path, what: &fault.what });
        let body = ErrorBody {
            error: ErrorInfo {
                code: self.code,
                message: &self.message,
                faults: faults.collect(),
                retry_after_ms: self.retry_after_ms,
                record: self.record.as_deref(),
            },
        };
        let mut response = (self.status(), Json(body)).into_response();
        let challenge = match (self.code, &self.missing_scope) {
            (ErrorCode::Unauthorized, _) => Some("Bearer realm=\"askrelay\"".to_owned()),
            (ErrorCode::MissingScope, Some(scope)) => {
                Some(format!("Bearer realm=\"askrelay\", error=\"insufficient_scope\", scope=\"{scope}\""))
            }
            _ => None,
        };
        let challenge = challenge.and_then(|challenge| HeaderValue::try_from(challenge).ok());
        let headers = response.headers_mut();
        headers.extend(challenge.map(|challenge| (header::WWW_AUTHENTICATE, challenge)));
        let retry_after = self.retry_after_ms.map(|wait_ms| HeaderValue::from(wait_ms.div_ceil(1000)));
        headers.extend(retry_after.map(|seconds| (header::RETRY_AFTER, seconds)));
        response
    }
}
