//! The one thread that writes. It takes whatever is queued, saves it as one transaction, syncs once, and settles the
//! tickets: no delay is added to gather more, because what arrives during one sync is the next transaction.

use rusqlite::{Connection, TransactionBehavior};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::apply::apply;
use super::inbox::{Group, Inbox, Work};
use crate::error::{CommitError, Trouble};
use crate::port::{Observer, Outcome};

/// Bytes of a trial: several pages, so that it needs room that a full disk has not got.
const TRIAL_BYTES: i32 = 32 << 10;

/// The thread's own things.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) connection: Connection,
    pub(crate) inbox: Arc<Inbox>,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) path: PathBuf,
    /// How often a trial is made while saving does not work.
    pub(crate) try_every: Duration,
}

/// Closes the inbox with the thread, however the thread ends, so that no ticket waits for ever.
struct Closing(Arc<Inbox>, PathBuf);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close(&self.1);
    }
}

impl Writer {
    /// Works until the inbox is stopped and empty.
    pub(crate) fn run(mut self) {
        let _closing = Closing(Arc::clone(&self.inbox), self.path.clone());
        loop {
            match self.inbox.take(self.try_every) {
                Work::Save(groups) => self.save(groups),
                Work::Try => self.try_again(),
                #[cfg(test)]
                Work::Meddle(meddle) => meddle.0(&mut self.connection),
                Work::Stop => return,
            }
        }
    }

    fn save(&mut self, groups: Vec<Group>) {
        let started = Instant::now();
        match commit(&mut self.connection, &groups) {
            Ok(outcomes) => {
                let facts = groups.iter().map(|group| group.rows.len()).sum();
                for (group, outcomes) in groups.into_iter().zip(outcomes) {
                    // Whoever dropped the ticket does not want to know.
                    let _ = group.reply.send(Ok(outcomes));
                }
                let elapsed_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
                self.observer.committed(facts, elapsed_us);
            }
            Err(error) => self.fail(Trouble::sqlite(&self.path, error), groups),
        }
    }

    fn fail(&self, trouble: Trouble, groups: Vec<Group>) {
        let behind = self.inbox.fail(&trouble);
        // The health before the tickets, so that whoever learns from a ticket finds the health to match.
        self.observer.health_changed(&self.inbox.health());
        for group in groups.into_iter().chain(behind) {
            let _ = group.reply.send(Err(CommitError::Failed(trouble.clone())));
        }
    }

    fn try_again(&mut self) {
        let trouble = try_to_save(&mut self.connection).err().map(|error| Trouble::sqlite(&self.path, error));
        if self.inbox.tried(trouble) {
            self.observer.health_changed(&self.inbox.health());
        }
    }
}

fn commit(connection: &mut Connection, groups: &[Group]) -> rusqlite::Result<Vec<Vec<Outcome>>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let outcomes = groups
        .iter()
        .map(|group| group.rows.iter().map(|row| apply(&transaction, row)).collect())
        .collect::<rusqlite::Result<_>>()?;
    transaction.commit()?;
    Ok(outcomes)
}

/// Saves something of no consequence, to find out whether saving works.
///
/// # Errors
/// SQLite's, when it does not.
pub(crate) fn try_to_save(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute("INSERT INTO trial (bytes) VALUES (zeroblob(?1))", [TRIAL_BYTES])?;
    transaction.execute("DELETE FROM trial", [])?;
    transaction.commit()
}
