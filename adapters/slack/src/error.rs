//! What can go wrong with Slack, and what that means for an Order, in plain words. Decides neither when something is tried
//! again nor by whom.

mod refusals;

use std::time::Duration;

use askrelay_core::id::{ConversationId, MessageId};
use askrelay_core::port::{Failure, FailureKind};
use askrelay_core::time::Span;

use crate::place::Spot;

/// Why the app cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
pub enum SlackError {
    /// The bot token has the wrong shape.
    #[error("this is no bot token; the app's page OAuth & Permissions has one that begins with xoxb-")]
    Token,
    /// The app-level token has the wrong shape.
    #[error(
        "this is no app-level token; the app's page Basic Information makes one that begins with xapp-, with the scope connections:write"
    )]
    AppToken,
    /// The address of the Web API is none.
    #[error("the address of the Slack Web API is not an http or https address")]
    ApiUrl,
    /// There is no signing secret.
    #[error("the signing secret is empty; the app's page Basic Information shows it")]
    SigningSecret,
    /// The client could not be made.
    #[error("the connection to Slack cannot be set up")]
    Client(#[source] reqwest::Error),
}

/// Why an Order cannot be told to Slack.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EncodeError {
    /// The conversation's id is none of Slack's.
    #[error(
        "'{0}' is no Slack conversation; name a channel as C024BE91L, a thread in it as C024BE91L/1764500000.000100, a person as @U024BE7LH"
    )]
    Conversation(ConversationId),
    /// The message's id is none of Slack's.
    #[error("'{0}' is no Slack message")]
    Message(MessageId),
    /// A link's address is none.
    #[error("'{0}' is no address")]
    Address(String),
    /// There is nothing to show.
    #[error("there is no text to show")]
    Empty,
}

impl EncodeError {
    pub(crate) fn failure(&self) -> Failure {
        let kind = match self {
            Self::Conversation(_) => FailureKind::Unreachable,
            Self::Message(_) => FailureKind::MessageGone,
            Self::Address(_) | Self::Empty => FailureKind::Refused,
        };
        Failure { kind, why: self.to_string() }
    }
}

/// Why a call has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// The platform refused it; nothing happened.
    #[error("Slack refuses: {error}{}", told(details))]
    Refused {
        /// The platform's word for it.
        error: String,
        /// The scope that is missing.
        needed: Option<String>,
        /// What the platform says beside it.
        details: Vec<String>,
    },
    /// The platform counts our calls; nothing happened.
    #[error("Slack wants to be left alone for a while")]
    Flood {
        /// For how long.
        retry_after: Option<Duration>,
    },
    /// It never left us; nothing happened.
    #[error("Slack cannot be reached")]
    NotSent(#[source] reqwest::Error),
    /// It may have happened.
    #[error("Slack did not answer")]
    Lost(#[source] reqwest::Error),
    /// The answer makes no sense; it may have happened.
    #[error("Slack answered with status {status} and no usable result")]
    Garbled {
        /// The HTTP status.
        status: u16,
    },
    /// A socket could not be opened, or ended.
    #[error("the connection to Slack ended: {why}")]
    Socket {
        /// Why.
        why: String,
    },
    /// The platform closed the way in.
    #[error("Slack closed the connection: {reason}")]
    Closed {
        /// The platform's word for it.
        reason: String,
    },
}

/// What an error means for what was ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// To be repeated after this long: the platform counts our calls.
    Wait(Duration),
    /// It did not take effect.
    Failed(Failure),
}

/// Where a 429 does not say how long. Own choice, 2026-11.
const WAIT_UNSAID: Duration = Duration::from_secs(5);
/// What passes by itself is tried again after this long. Own choice, 2026-11.
const LATER: Span = Span::seconds(2);
/// What a person has to mend is tried again after this long. Own choice, 2026-11.
const MUCH_LATER: Span = Span::seconds(30);

impl CallError {
    /// What it means for a call about this conversation.
    pub(crate) fn meaning(&self, spot: &Spot, handle: Option<&str>) -> Meaning {
        match self {
            Self::Flood { retry_after } => Meaning::Wait(retry_after.unwrap_or(WAIT_UNSAID)),
            Self::Refused { error, needed, details } => {
                Meaning::Failed(refusals::refused(error, needed.as_deref(), details, spot, handle))
            }
            Self::NotSent(_) => failed(FailureKind::Later(LATER), self.to_string()),
            Self::Lost(_) | Self::Garbled { .. } | Self::Socket { .. } | Self::Closed { .. } => {
                failed(FailureKind::Unknown, self.to_string())
            }
        }
    }

    /// Why the Account is offline, for people.
    pub(crate) fn why_offline(&self) -> String {
        match self {
            Self::Refused { error, needed, .. } => refusals::why_offline(error, needed.as_deref()),
            Self::Closed { reason } if reason == "link_disabled" => {
                "Socket Mode is turned off for the app: turn it on, on the app's page Socket Mode".to_owned()
            }
            Self::Closed { reason } if reason == "too_many_websockets" => {
                "too many programs are connected as this app: stop one, or give each an app of its own"
                    .to_owned()
            }
            other => other.to_string(),
        }
    }

    /// The word by which the token itself is refused, and with it every other call.
    pub(crate) fn token_refused(&self) -> Option<&str> {
        match self {
            Self::Refused { error, .. } => {
                Some(error.as_str()).filter(|error| refusals::is_of_the_token(error))
            }
            _ => None,
        }
    }

    /// Only a person can mend it.
    pub(crate) fn is_lasting(&self) -> bool {
        match self {
            Self::Refused { error, .. } => refusals::is_lasting(error),
            Self::Closed { reason } => matches!(reason.as_str(), "link_disabled" | "too_many_websockets"),
            _ => false,
        }
    }
}

fn failed(kind: FailureKind, why: String) -> Meaning {
    Meaning::Failed(Failure { kind, why })
}

/// The platform's own explanations behind its word.
fn told(details: &[String]) -> String {
    if details.is_empty() { String::new() } else { format!(" ({})", details.join("; ")) }
}

#[cfg(test)]
mod tests;
