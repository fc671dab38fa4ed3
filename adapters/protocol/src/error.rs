//! The error of a response: codes, reasons and details as typed words, and the ones this protocol itself makes. Says
//! nothing about what a caller may not see.

use std::fmt;
use std::sync::Arc;

use askrelay_core::ask::Fault;
use askrelay_core::permit::Refused;
use askrelay_core::record::Record;

macro_rules! words {
    ($(#[$doc:meta])* $type:ident { $($(#[$item:meta])* $name:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[$item])* $name,)+
            /// A word this protocol does not know; only ever read.
            Other(String),
        }

        impl $type {
            /// The word on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$name => $text,)+
                    Self::Other(text) => text,
                }
            }
        }

        impl From<&str> for $type {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$name,)+
                    _ => Self::Other(text.to_owned()),
                }
            }
        }
    };
}

words! {
    /// What kind of error.
    Code {
        /// The request is wrong and will stay wrong.
        InvalidRequest = "INVALID_REQUEST",
        /// The connection lacks a right.
        Forbidden = "FORBIDDEN",
        /// Not now; worth another try.
        Unavailable = "UNAVAILABLE",
        /// The device waits for its owner's approval.
        NotPaired = "NOT_PAIRED",
        /// No acceptable proof of who connects.
        Unauthorized = "UNAUTHORIZED",
        /// The gateway took too long for its own reasons.
        AgentTimeout = "AGENT_TIMEOUT",
    }
}

words! {
    /// Why a question rule refused, in `details.reason`.
    Reason {
        /// No such Record, or none that the caller may see.
        NotFound = "QUESTION_NOT_FOUND",
        /// The Record ended already.
        AlreadyTerminal = "QUESTION_ALREADY_TERMINAL",
        /// The id names another Record.
        IdInUse = "QUESTION_ID_IN_USE",
        /// The values are no answer.
        InvalidAnswer = "QUESTION_INVALID_ANSWER",
        /// The run that asked is over.
        RequesterInactive = "QUESTION_REQUESTER_INACTIVE",
        /// The actor may not; ours.
        NotPermitted = "QUESTION_NOT_PERMITTED",
        /// No such person, pairing or invite; ours.
        NoSuchThing = "NOT_FOUND",
        /// The change does not go with what is there; ours.
        Conflict = "CONFLICT",
        /// More open Asks than one asker may have; ours.
        TooManyOpen = "QUESTION_TOO_MANY_OPEN",
        /// The gateway stops or restarts.
        GatewayRestarting = "gateway-restarting",
        /// The gateway is not up yet.
        StartupSidecars = "startup-sidecars",
        /// The device is unknown.
        DeviceNotPaired = "not-paired",
    }
}

words! {
    /// The finer code in `details.code`.
    DetailCode {
        /// The connection lacks a scope.
        MissingScope = "MISSING_SCOPE",
        /// The device waits for approval.
        PairingRequired = "PAIRING_REQUIRED",
        /// Connecting needs a device identity.
        DeviceIdentityRequired = "DEVICE_IDENTITY_REQUIRED",
        /// The token is unknown or wrong.
        AuthTokenMismatch = "AUTH_TOKEN_MISMATCH",
        /// The token has ended.
        AuthTokenExpired = "AUTH_TOKEN_EXPIRED",
        /// The device token is not this device's.
        AuthDeviceTokenMismatch = "AUTH_DEVICE_TOKEN_MISMATCH",
        /// The device token was not given these scopes.
        AuthScopeMismatch = "AUTH_SCOPE_MISMATCH",
        /// The nonce is not the challenge's.
        DeviceAuthNonceMismatch = "DEVICE_AUTH_NONCE_MISMATCH",
        /// The nonce is missing.
        DeviceAuthNonceRequired = "DEVICE_AUTH_NONCE_REQUIRED",
        /// Signed too long ago or in the future.
        DeviceAuthSignatureExpired = "DEVICE_AUTH_SIGNATURE_EXPIRED",
        /// The signature is not over this line by this key.
        DeviceAuthSignatureInvalid = "DEVICE_AUTH_SIGNATURE_INVALID",
        /// The id is not the key's.
        DeviceAuthDeviceIdMismatch = "DEVICE_AUTH_DEVICE_ID_MISMATCH",
        /// The key is no Ed25519 key.
        DeviceAuthPublicKeyInvalid = "DEVICE_AUTH_PUBLIC_KEY_INVALID",
    }
}

/// The error of a response. Branch on the code, then on the details; messages may change.
#[derive(Clone, Debug, PartialEq)]
pub struct WireError {
    /// What kind.
    pub code: Code,
    /// For people.
    pub message: String,
    /// The same for programs.
    pub details: Box<Details>,
    /// The same request may work later.
    pub retryable: bool,
    /// Not before this many milliseconds.
    pub retry_after_ms: Option<u64>,
}

/// What else is known about an error; whatever does not apply is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Details {
    /// The finer code.
    pub code: Option<DetailCode>,
    /// The rule that refused.
    pub reason: Option<Reason>,
    /// The scope that lacks.
    pub missing_scope: Option<String>,
    /// Scopes any of which would do.
    pub required_scopes: Vec<String>,
    /// The method that is not served now.
    pub method: Option<String>,
    /// Which part of a restart.
    pub phase: Option<String>,
    /// The pairing request to approve.
    pub request_id: Option<String>,
    /// Keep trying: the other side can still change its mind.
    pub wait_then_retry: bool,
    /// Under the cap: every fault of the request.
    pub faults: Vec<Fault>,
    /// Under the cap: the Record as it stands, with [`Reason::AlreadyTerminal`].
    pub record: Option<Arc<Record>>,
    /// Under the cap: why the actor may not, with [`Reason::NotPermitted`].
    pub refused: Option<Refused>,
}

impl WireError {
    /// An error with a code and words for people.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: Box::default(),
            retryable: false,
            retry_after_ms: None,
        }
    }

    /// A question rule refused: `INVALID_REQUEST` with the reason.
    #[must_use]
    pub fn question(reason: Reason, message: impl Into<String>) -> Self {
        let mut error = Self::new(Code::InvalidRequest, message);
        error.details.reason = Some(reason);
        error
    }

    /// No such Record, or none that the caller may see.
    #[must_use]
    pub fn not_found(id: &str) -> Self {
        Self::question(Reason::NotFound, format!("question '{id}' was not found"))
    }

    /// The Record ended already; peers with the cap are told how.
    #[must_use]
    pub fn already_terminal(record: Arc<Record>) -> Self {
        let message = format!("question '{}' is already {}", record.key.id, record.state.name());
        let mut error = Self::question(Reason::AlreadyTerminal, message);
        error.details.record = Some(record);
        error
    }

    /// The actor may not answer; says nothing about the question.
    #[must_use]
    pub fn not_permitted(refused: Refused) -> Self {
        let mut error = Self::new(Code::Forbidden, "not permitted to answer this question");
        error.details.reason = Some(Reason::NotPermitted);
        error.details.refused = Some(refused);
        error
    }

    /// The connection lacks a scope.
    #[must_use]
    pub fn missing_scope(scope: &str) -> Self {
        let mut error = Self::new(Code::Forbidden, format!("missing scope: {scope}"));
        error.details.code = Some(DetailCode::MissingScope);
        error.details.missing_scope = Some(scope.to_owned());
        error.details.required_scopes = vec![scope.to_owned()];
        error
    }

    /// Params that break their shape or the contract, each fault with its path.
    #[must_use]
    pub fn invalid_params(method: &str, faults: Vec<Fault>) -> Self {
        let list: Vec<String> = faults
            .iter()
            .map(|fault| match fault.path.as_str() {
                "" => format!("at root: {}", fault.what),
                path => format!("at {path}: {}", fault.what),
            })
            .collect();
        let message = format!("invalid {method} params: {}", list.join("; "));
        let mut error = Self::new(Code::InvalidRequest, message);
        error.details.faults = faults;
        error
    }

    /// Not now, but perhaps later.
    #[must_use]
    pub fn unavailable(message: impl Into<String>, retry_after_ms: Option<u64>) -> Self {
        Self { retryable: true, retry_after_ms, ..Self::new(Code::Unavailable, message) }
    }

    /// The gateway is stopping: `retryAfterMs` 1000, and keep the connection while it lives.
    #[must_use]
    pub fn restarting(method: &str) -> Self {
        let mut error = Self::unavailable("gateway is restarting", Some(1000));
        error.details.method = Some(method.to_owned());
        error.details.reason = Some(Reason::GatewayRestarting);
        error.details.phase = Some("draining".to_owned());
        error
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for WireError {}
