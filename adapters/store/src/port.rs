//! The port that every store fills: commit in order, read back, say how it is. No store decides whether a fact is right.

use askrelay_core::id::{GatewayId, RecordId};
use askrelay_core::pairing::Pairing;
use askrelay_core::person::People;
use askrelay_core::record::Record;
use askrelay_core::relay;
use std::fmt;
use std::sync::Arc;

use crate::error::{ReadError, Trouble};
use crate::fact::{Fact, InviteRow, TokenRow};
use crate::page::{AuditPage, AuditQuery, RecordPage, RecordQuery};
use crate::ticket::{CommitTicket, ReadTicket};

/// Where facts are kept. All calls return at once except [`Store::load`] and
/// [`Store::load_relay`].
///
/// - The facts of one call are saved together or not at all; calls are saved in call order.
/// - A ticket ends well only after its facts would survive a power cut.
/// - When a commit fails, everything queued behind it fails too, since it may rest on what was lost; the store then refuses
///   commits until a trial write of its own succeeds. So whoever sees a failure lets its other tickets end, loads again
///   and goes on. A fact whose ticket failed may nevertheless be there after a crash: tell nobody, and rely on neither.
pub trait Store: Send + Sync + 'static {
    /// Queues the facts.
    fn commit(&self, facts: Vec<Fact>) -> CommitTicket;

    /// Everything the gateway needs at a start: one consistent view, read on the calling thread.
    ///
    /// # Errors
    /// Why it cannot be read, with the row where one is to blame.
    fn load(&self) -> Result<Loaded, ReadError>;

    /// Everything the relay remembers, by kind and key; every body is there. Read on the calling thread.
    ///
    /// # Errors
    /// Why it cannot be read, with the row where one is to blame.
    fn load_relay(&self) -> Result<Vec<relay::facts::Fact>, ReadError>;

    /// The newest Record with this id, pending or ended.
    fn record(&self, gateway: &GatewayId, id: &RecordId) -> ReadTicket<Option<Arc<Record>>>;

    /// One page of Records.
    fn records(&self, query: RecordQuery) -> ReadTicket<RecordPage>;

    /// One page of the audit trail.
    fn audit(&self, query: AuditQuery) -> ReadTicket<AuditPage>;

    /// Whether it saves.
    fn health(&self) -> Health;

    /// How many facts wait to be saved.
    fn queued_facts(&self) -> usize;
}

/// What the gateway needs at a start.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Every pending Record, oldest first.
    pub pending: Vec<Arc<Record>>,
    /// Everybody.
    pub people: People,
    /// Every access token, by id.
    pub tokens: Vec<TokenRow>,
    /// Everybody who waits to be let in, by code.
    pub pairings: Vec<Pairing>,
    /// Every invite that was not used, by id.
    pub invites: Vec<InviteRow>,
}

/// What became of one fact once it was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It changed the store.
    Applied,
    /// `Opened` changed nothing: that Record exists, or one with its id is pending.
    Exists,
    /// `Closed` changed nothing: that Record is not pending.
    NotPending,
    /// `Late` changed nothing: no such Record has ended.
    NotEnded,
}

/// How a store is.
#[derive(Clone, Debug)]
pub enum Health {
    /// It saves.
    Writable,
    /// It reads but may not write; it tries again by itself.
    ReadOnly(Trouble),
    /// The last commit failed; it tries again by itself.
    Failing(Trouble),
}

/// Told by the store what it does, on the store's own thread: return quickly and call no store.
pub trait Observer: Send + Sync + 'static {
    /// So many facts were saved together in so many microseconds, syncing included.
    fn committed(&self, facts: usize, elapsed_us: u64) {
        let _ = (facts, elapsed_us);
    }

    /// The health changed.
    fn health_changed(&self, health: &Health) {
        let _ = health;
    }
}

/// Looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}

impl Health {
    /// Whether it saves.
    #[must_use]
    pub const fn is_writable(&self) -> bool {
        matches!(self, Self::Writable)
    }

    /// What keeps it from saving.
    #[must_use]
    pub const fn trouble(&self) -> Option<&Trouble> {
        match self {
            Self::Writable => None,
            Self::ReadOnly(trouble) | Self::Failing(trouble) => Some(trouble),
        }
    }
}

impl From<Option<Trouble>> for Health {
    fn from(trouble: Option<Trouble>) -> Self {
        match trouble {
            None => Self::Writable,
            Some(trouble) if trouble.kind == crate::TroubleKind::ReadOnly => Self::ReadOnly(trouble),
            Some(trouble) => Self::Failing(trouble),
        }
    }
}

impl fmt::Debug for dyn Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

impl fmt::Debug for dyn Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Store")
    }
}
