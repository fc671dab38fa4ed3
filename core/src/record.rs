//! An Ask and its state: pending, then exactly one of answered, cancelled, expired. Final is final. The transitions are
//! [`crate::ledger`]'s.

use serde::{Deserialize, Serialize};

use crate::answer::{Actor, Answered};
use crate::ask::Ask;
use crate::id::RecordKey;
use crate::time::Time;

/// One Record of a gateway.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its identity, with the creation time.
    pub key: RecordKey,
    /// What is asked.
    pub ask: Ask,
    /// When waiting ends.
    pub expires_at: Time,
    /// Where it stands.
    pub state: State,
    /// Answers that came after the end: kept, told, never passed off as in time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<Answered>,
    /// When its asker had the end in hand; an asker that is gone leaves it uncollected for the one that asks the same again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collected: Option<Time>,
}

/// Where a Record stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum State {
    /// Nobody answered yet.
    Pending,
    /// A Person answered.
    Answered(Box<Answered>),
    /// It ended without an answer before its deadline.
    Cancelled(Cancelled),
    /// Its deadline passed.
    Expired {
        /// When the gateway ended it.
        at: Time,
    },
}

/// How a Record ended without an answer before its deadline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cancelled {
    /// When.
    pub at: Time,
    /// Why.
    pub why: WhyCancelled,
    /// Who, if it was somebody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    /// Name shown for them, or the free text another gateway gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_name: Option<String>,
}

/// Why a Record ended without an answer before its deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "camelCase")]
pub enum WhyCancelled {
    /// A person skipped it.
    Declined,
    /// The asker took it back, or its run ended.
    Withdrawn,
    /// Nobody could be asked: no terminal and no surface.
    Unavailable,
    /// It was to be shown in places and reached none.
    NotDelivered {
        /// The platforms' reasons, in plain words.
        detail: String,
    },
}

/// Why an asker got no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoAnswer {
    /// A person skipped it.
    Declined,
    /// Nobody could be asked.
    Unavailable,
    /// It reached none of the places it was for.
    NotDelivered,
    /// The deadline passed.
    Expired,
    /// The asker took it back.
    Withdrawn,
}

impl State {
    /// Whether it still waits.
    #[must_use]
    pub const fn is_pending(&self) -> bool {
        matches!(self, Self::Pending)
    }

    /// When it ended, if it did.
    #[must_use]
    pub fn ended_at(&self) -> Option<Time> {
        match self {
            Self::Pending => None,
            Self::Answered(answered) => Some(answered.at),
            Self::Cancelled(cancelled) => Some(cancelled.at),
            Self::Expired { at } => Some(*at),
        }
    }

    /// The wire's name of the state.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Answered(_) => "answered",
            Self::Cancelled(_) => "cancelled",
            Self::Expired { .. } => "expired",
        }
    }

    /// Why there is no answer, once it ended without one.
    #[must_use]
    pub const fn no_answer(&self) -> Option<NoAnswer> {
        match self {
            Self::Pending | Self::Answered(_) => None,
            Self::Expired { .. } => Some(NoAnswer::Expired),
            Self::Cancelled(cancelled) => Some(match cancelled.why {
                WhyCancelled::Declined => NoAnswer::Declined,
                WhyCancelled::Withdrawn => NoAnswer::Withdrawn,
                WhyCancelled::Unavailable => NoAnswer::Unavailable,
                WhyCancelled::NotDelivered { .. } => NoAnswer::NotDelivered,
            }),
        }
    }
}

impl NoAnswer {
    /// The name on the wire and in `--json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Declined => "declined",
            Self::Unavailable => "unavailable",
            Self::NotDelivered => "not_delivered",
            Self::Expired => "expired",
            Self::Withdrawn => "withdrawn",
        }
    }
}
