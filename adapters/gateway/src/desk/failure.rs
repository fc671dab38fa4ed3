//! What the desk does when a commit fails. Memory may then hold what the disk does not: nothing of it was told to anybody,
//! so it is dropped and read again from the store. Until that is done, and while the store does not save, callers are
//! told to come back; what had been accepted stays accepted. The log is told why, in the store's own words.

use std::error::Error;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use askrelay_core::ledger::Ledger;
use askrelay_core::pairing::Pairings;
use askrelay_protocol::call::WaitParams;
use askrelay_protocol::error::WireError;
use askrelay_protocol::frame::Call;
use askrelay_store::{CommitError, Loaded, ReadError};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, sleep_until};
use tracing::{error, info, warn};

use super::Desk;
use super::lookup::Asked;

/// After this long a caller may try again.
const RETRY_AFTER_MS: u64 = 1000;

/// Whether memory can be trusted.
#[derive(Debug)]
pub(super) enum Condition {
    /// It can.
    Working,
    /// A commit failed; others are still under way.
    Broken,
    /// The store is being read.
    Loading(JoinHandle<Result<Loaded, ReadError>>),
    /// The store could not be read just now; without a reason the work was ended.
    Failed(Option<ReadError>),
    /// The store could not be read; the next try is at this time.
    Unreadable(Instant),
    /// The store was read and waits to be taken over.
    Loaded(Box<Loaded>),
}

/// What the log was told last, so that it is told each thing once.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// What keeps the store from saving.
    unsaved: Option<String>,
    /// Why it could not be read.
    unreadable: Option<String>,
}

/// The store does not save; the call changed nothing.
pub(super) fn not_saved() -> WireError {
    let words = "nothing can be saved at the moment, so nothing was changed; try again";
    WireError::unavailable(words, Some(RETRY_AFTER_MS))
}

/// The store cannot be read at the moment.
pub(super) fn unreadable() -> WireError {
    WireError::unavailable("the records cannot be read at the moment; try again", Some(RETRY_AFTER_MS))
}

/// Too many calls wait; this one was not looked at.
pub(super) fn too_many_waiting() -> WireError {
    WireError::unavailable("too many requests are waiting; try again", Some(RETRY_AFTER_MS))
}

impl Condition {
    /// Ends when there is something to do about it; never while all is well.
    pub(super) async fn over(&mut self) {
        match self {
            Self::Working | Self::Broken => pending().await,
            Self::Unreadable(until) => sleep_until(*until).await,
            Self::Loading(task) => {
                *self = match task.await {
                    Ok(Ok(loaded)) => Self::Loaded(Box::new(loaded)),
                    Ok(Err(cause)) => Self::Failed(Some(cause)),
                    Err(_) => Self::Failed(None),
                };
            }
            Self::Failed(_) | Self::Loaded(_) => {}
        }
    }
}

impl Told {
    /// Whether the log still has to hear that the store saves again.
    pub(super) const fn is_of_failing(&self) -> bool {
        self.unsaved.is_some()
    }
}

impl Desk {
    /// Whether memory can be trusted and the store saves.
    pub(super) fn is_writable(&self) -> bool {
        matches!(self.condition, Condition::Working) && self.store.health().is_writable()
    }

    /// Tells the log when the store begins or ceases to save.
    pub(super) fn look_at_health(&mut self) {
        let health = self.store.health();
        let trouble = health.trouble().map(ToString::to_string);
        if trouble == self.told.unsaved {
            return;
        }
        match health.trouble() {
            Some(trouble) => error!(error = trouble as &dyn Error, "the store does not save"),
            None => info!("the store saves again"),
        }
        self.told.unsaved = trouble;
    }

    /// Tells the log why a commit failed, where the store's health does not say it.
    pub(super) fn tell_unsaved(&mut self, why: Option<&CommitError>) {
        match why {
            // Those of one failure all say the same, which is the store's health.
            Some(CommitError::Failed(_) | CommitError::Failing(_)) => {}
            Some(why) => error!(error = why as &dyn Error, "a commit failed"),
            None => error!("a commit did not find the store as expected; everything is read again"),
        }
        self.look_at_health();
    }

    /// What was read, or what to tell the caller instead; the log is told why.
    pub(super) fn found<T>(&mut self, read: Result<T, ReadError>) -> Result<T, WireError> {
        match read {
            Ok(found) => {
                self.told.unreadable = None;
                Ok(found)
            }
            Err(cause) => {
                self.tell_unreadable(&cause);
                Err(unreadable())
            }
        }
    }

    fn tell_unreadable(&mut self, cause: &ReadError) {
        let words = cause.to_string();
        if self.told.unreadable.as_ref() != Some(&words) {
            warn!(error = cause as &dyn Error, "the store cannot be read");
            self.told.unreadable = Some(words);
        }
    }

    /// Begins to distrust memory.
    pub(super) fn begin_recovery(&mut self) {
        if matches!(self.condition, Condition::Working) {
            self.condition = Condition::Broken;
        }
        self.read_again_when_idle();
    }

    fn read_again_when_idle(&mut self) {
        if matches!(self.condition, Condition::Broken) && self.commits.is_idle() {
            let store = Arc::clone(&self.store);
            self.condition = Condition::Loading(spawn_blocking(move || store.load()));
        }
    }

    /// The next step of recovering.
    pub(super) fn recover(&mut self) {
        match std::mem::replace(&mut self.condition, Condition::Broken) {
            Condition::Loaded(loaded) => {
                self.condition = Condition::Working;
                self.told.unreadable = None;
                self.take_over(*loaded);
                self.look_again_for_waiters();
            }
            Condition::Failed(cause) => {
                if let Some(cause) = cause {
                    self.tell_unreadable(&cause);
                }
                self.condition =
                    Condition::Unreadable(Instant::now() + Duration::from_millis(RETRY_AFTER_MS));
            }
            Condition::Unreadable(_) | Condition::Broken => self.read_again_when_idle(),
            other @ (Condition::Working | Condition::Loading(_)) => self.condition = other,
        }
    }

    /// Replaces everything in memory that the store knows better.
    pub(super) fn take_over(&mut self, loaded: Loaded) {
        self.ledger = Ledger::new(self.config.gateway.clone());
        self.ended.clear();
        self.pending_weight = 0;
        loaded.pending.into_iter().for_each(|record| self.hold(record));
        self.tokens = loaded.tokens.into_iter().map(|row| (row.id.clone(), row)).collect();
        self.pairings = Pairings::default();
        loaded.pairings.into_iter().for_each(|pairing| self.pairings.hold(pairing));
        self.invites = loaded.invites.into_iter().map(|row| (row.invite.id.clone(), row)).collect();
        self.set_people(loaded.people);
        for asked in self.parked.drain() {
            self.respond(asked.to, Err(unreadable()));
        }
    }

    /// Those who wait for a Record that is not pending any more learn how it stands.
    fn look_again_for_waiters(&mut self) {
        let gone = self.waiting.records().filter(|id| self.ledger.get(id).is_none());
        for id in gone.cloned().collect::<Vec<_>>() {
            for waiter in self.waiting.of_record(&id) {
                let wait = waiter.until.map(|until| until.since(self.clock.now()));
                let params =
                    WaitParams { id: id.clone(), wait, include_resolution: waiter.include_resolution };
                let call = Call::WaitAnswer(params);
                self.look_up(id.clone(), Asked { seat: waiter.seat, call, to: waiter.to, looked: false });
            }
        }
    }
}
