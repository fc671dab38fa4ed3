//! Questions to the store that may have many answers, and one page of them. Who may see them is the caller's.

use askrelay_core::id::{GatewayId, PersonId, RecordId, RecordKey};
use askrelay_core::record::{Record, State};
use askrelay_core::time::Time;
use std::sync::Arc;

use crate::fact::AuditEntry;

/// Most items on one page, whatever was asked for: a page is held in memory at once.
pub const PAGE_MAX: usize = 1000;

/// Which Records, ordered by creation time, then id, then gateway.
#[derive(Clone, Debug)]
pub struct RecordQuery {
    /// In which states.
    pub filter: StateFilter,
    /// Only those of this gateway whose ids begin so.
    pub family: Option<Family>,
    /// From which end.
    pub direction: Direction,
    /// Behind this one, in that direction; the page before tells it.
    pub after: Option<RecordKey>,
    /// How many at most; 1..=[`PAGE_MAX`].
    pub limit: usize,
}

/// Records of one gateway whose ids begin alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Family {
    /// The gateway.
    pub gateway: GatewayId,
    /// How their ids begin.
    pub prefix: String,
}

impl Family {
    /// Whether this Record is one of them.
    #[must_use]
    pub fn has(&self, key: &RecordKey) -> bool {
        key.gateway == self.gateway && key.id.as_str().starts_with(&self.prefix)
    }
}

/// Records in which states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StateFilter {
    /// All.
    #[default]
    Any,
    /// Those that wait.
    Pending,
    /// Those that do not wait any more.
    Ended,
    /// Those that a Person answered.
    Answered,
    /// Those that ended early.
    Cancelled,
    /// Those whose deadline passed.
    Expired,
    /// Those that wait, and those that ended at this time or later.
    WaitingOrEndedSince(Time),
}

/// From which end a list is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the oldest on.
    OldestFirst,
    /// From the newest back.
    #[default]
    NewestFirst,
}

/// One page of Records.
#[derive(Clone, Debug, Default)]
pub struct RecordPage {
    /// The Records.
    pub records: Vec<Arc<Record>>,
    /// Where the next page starts, if there may be one.
    pub next: Option<RecordKey>,
}

/// Which entries of the trail.
#[derive(Clone, Debug)]
pub struct AuditQuery {
    /// Only this Person's.
    pub person: Option<PersonId>,
    /// Only those about Records with this id.
    pub record: Option<(GatewayId, RecordId)>,
    /// From which end.
    pub direction: Direction,
    /// Behind this number, in that direction; the page before tells it.
    pub after: Option<i64>,
    /// How many at most; 1..=[`PAGE_MAX`].
    pub limit: usize,
}

/// One page of the trail.
#[derive(Clone, Debug, Default)]
pub struct AuditPage {
    /// The entries, each with its number; numbers grow with time.
    pub entries: Vec<(i64, AuditEntry)>,
    /// Where the next page starts, if there may be one.
    pub next: Option<i64>,
}

impl Default for RecordQuery {
    fn default() -> Self {
        Self {
            filter: StateFilter::Any,
            family: None,
            direction: Direction::NewestFirst,
            after: None,
            limit: 100,
        }
    }
}

impl Default for AuditQuery {
    fn default() -> Self {
        Self { person: None, record: None, direction: Direction::NewestFirst, after: None, limit: 100 }
    }
}

impl StateFilter {
    /// Whether a Record in this state is among them.
    #[must_use]
    pub fn matches(self, state: &State) -> bool {
        match self {
            Self::Any => true,
            Self::Pending => state.is_pending(),
            Self::Ended => !state.is_pending(),
            Self::Answered => matches!(state, State::Answered(_)),
            Self::Cancelled => matches!(state, State::Cancelled(_)),
            Self::Expired => matches!(state, State::Expired { .. }),
            Self::WaitingOrEndedSince(since) => state.ended_at().is_none_or(|ended| ended >= since),
        }
    }
}

/// The number of items to read for `limit`.
pub(crate) fn page_limit(limit: usize) -> usize {
    limit.clamp(1, PAGE_MAX)
}
