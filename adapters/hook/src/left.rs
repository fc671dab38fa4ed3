//! Why a decision is left to the agent's own terminal. A value, not a failure: the agent goes on as if there were no hook.

use std::fmt;

/// Why there is no decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// The event is no JSON object, or too large to be one.
    Unreadable(String),
    /// A member of it is missing or of another kind.
    Malformed {
        /// Where, as a JSON pointer.
        path: String,
        /// What was expected there.
        expected: &'static str,
    },
    /// Nothing that a person is asked about here.
    OtherEvent(String),
    /// A subagent asks.
    Subagent,
    /// Permissions are not asked here.
    Permissions,
    /// The tool's input has answers already.
    AnsweredBefore,
    /// The questions cannot be asked or their answers not told apart; every fault.
    NotAskable(Vec<String>),
    /// More than a person could judge on a phone.
    TooLong,
    /// Nobody answered in time.
    Expired,
    /// Somebody skipped it.
    Skipped,
    /// It was taken back.
    Withdrawn,
    /// Nobody could be asked.
    NotDelivered(String),
    /// It still waits.
    Pending,
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(what) => write!(f, "the event is not readable: {what}"),
            Self::Malformed { path, expected } => write!(f, "the event has no {expected} at {path}"),
            Self::OtherEvent(name) => write!(f, "{name} is nothing that a person is asked about here"),
            Self::Subagent => f.write_str("a subagent asks; --subagents asks for those too"),
            Self::Permissions => f.write_str("a permission is wanted; --permissions asks for those too"),
            Self::AnsweredBefore => f.write_str("the question has answers already"),
            Self::NotAskable(faults) => write!(f, "the questions cannot be asked: {}", faults.join("; ")),
            Self::TooLong => f.write_str("it is too long to be judged on a phone"),
            Self::Expired => f.write_str("nobody answered in time"),
            Self::Skipped => f.write_str("it was skipped"),
            Self::Withdrawn => f.write_str("it was taken back"),
            Self::NotDelivered(detail) => write!(f, "nobody could be asked: {detail}"),
            Self::Pending => f.write_str("nobody answered yet"),
        }
    }
}
