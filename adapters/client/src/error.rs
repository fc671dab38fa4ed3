//! What can go wrong with a connection and with a call. A Record that ended without an answer is no error.

use std::sync::Arc;
use std::time::Duration;

use askrelay_core::ask::Fault;
use askrelay_protocol::error::WireError;

/// The longest that a gateway may keep a client waiting: OpenClaw locks an address out for this long.
pub(crate) const RETRY_AFTER_MAX: Duration = Duration::from_secs(300);

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Nothing answers there.
    #[error("cannot reach the gateway at {link}")]
    Unreachable {
        /// Where.
        link: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The connector found no way.
    #[error("no way to the gateway")]
    Route {
        /// Another try may find one.
        again: bool,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Something answers there, but not as a gateway.
    #[error("no WebSocket at {link}{}", .status.map(|status| format!(": HTTP status {status}")).unwrap_or_default())]
    Upgrade {
        /// Where.
        link: String,
        /// The HTTP status, if one came.
        status: Option<u16>,
        /// Why.
        #[source]
        source: Box<tokio_tungstenite::tungstenite::Error>,
    },
    /// The address cannot be used.
    #[error("'{link}' is no address of a gateway: expected ws://HOST:PORT or wss://HOST:PORT")]
    Address {
        /// The address.
        link: String,
    },
    /// The gateway took too long.
    #[error("the gateway did not finish the handshake in {0:?}")]
    Slow(Duration),
    /// The gateway refused the connection.
    #[error("the gateway refused the connection")]
    Refused(#[source] WireError),
    /// The secret for the gateway cannot be read.
    #[error("the secret for the gateway cannot be read")]
    Secret(#[source] std::io::Error),
    /// TLS cannot be spoken.
    #[error("no TLS to the gateway")]
    Tls(#[source] Box<rustls::Error>),
    /// The gateway let this client in, but not to do what it is for.
    #[error("the gateway did not grant the scope {missing}")]
    Scope {
        /// The scope that was asked for.
        missing: String,
    },
    /// The gateway speaks another version.
    #[error("the gateway speaks version {theirs} of the protocol, this client version {ours}")]
    Version {
        /// This client's.
        ours: u64,
        /// The gateway's.
        theirs: u64,
    },
    /// The gateway said something else than the handshake asks for.
    #[error("the gateway's handshake cannot be understood: {0}")]
    Handshake(String),
    /// The connection was closed.
    #[error("the gateway closed the connection{}", .reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default())]
    Closed {
        /// The reason of the close frame, if one came.
        reason: Option<String>,
    },
    /// Nothing came for two tick intervals.
    #[error("the connection is dead: nothing came for {0:?}")]
    Silent(Duration),
    /// Every handle was dropped.
    #[error("the client was closed")]
    Dropped,
}

impl ConnectError {
    /// Whether connecting again in the same way cannot help.
    #[must_use]
    pub fn is_final(&self) -> bool {
        match self {
            Self::Refused(error) => !error.retryable && !error.details.wait_then_retry,
            Self::Upgrade { status, .. } => matches!(status, Some(401 | 403 | 404)),
            Self::Route { again, .. } => !again,
            Self::Version { .. } | Self::Address { .. } | Self::Scope { .. } | Self::Dropped => true,
            Self::Unreachable { .. }
            | Self::Secret(_)
            | Self::Tls(_)
            | Self::Slow(_)
            | Self::Handshake(_)
            | Self::Closed { .. }
            | Self::Silent(_) => false,
        }
    }

    /// Whether no change outside this process can help.
    pub(crate) const fn is_hopeless(&self) -> bool {
        matches!(self, Self::Address { .. } | Self::Dropped)
    }

    /// How long the gateway wants to be left alone.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused(error) => {
                error.retry_after_ms.map(|ms| Duration::from_millis(ms).min(RETRY_AFTER_MAX))
            }
            _ => None,
        }
    }
}

/// Why a call has no result.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The gateway refused it.
    #[error("the gateway refused")]
    Refused(#[source] Box<WireError>),
    /// The connection went away before the answer came: it may or may not have taken effect.
    #[error("the connection went away before the gateway answered")]
    Lost,
    /// The gateway answered something that cannot be read.
    #[error("the gateway's answer cannot be read: {0}")]
    Unreadable(String),
    /// The gateway would close the connection over a frame of this size.
    #[error("the gateway takes {most} bytes in one frame; this one has {bytes}")]
    TooLarge {
        /// The frame's.
        bytes: u64,
        /// The most.
        most: u64,
    },
    /// This gateway's plain protocol cannot carry the Ask.
    #[error("this gateway cannot carry the ask: {}", .0.iter().map(Fault::to_string).collect::<Vec<_>>().join("; "))]
    NotExpressible(Vec<Fault>),
    /// The operating system gave no random bytes for an id.
    #[error("no random bytes for an id: {0}")]
    NoRandomness(String),
    /// There is no connection and there will be none.
    #[error("there is no connection to the gateway")]
    Ended(#[source] Arc<ConnectError>),
}

impl From<WireError> for CallError {
    fn from(error: WireError) -> Self {
        Self::Refused(Box::new(error))
    }
}
