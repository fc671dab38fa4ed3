//! A store in a scratch folder whose writer a test can stall, break and mend.

use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;

use crate::contract::Harness;
use crate::error::OpenError;
use crate::port::{Health, Observer, Store};
use crate::sqlite::{Options, SqliteStore};

/// Far longer than anything here takes; only a broken store waits it out.
const PATIENCE: Duration = Duration::from_secs(60);

/// Fields are dropped in order: a held writer is let go before its store waits for it.
pub(super) struct InFile {
    held: Mutex<Option<Sender<()>>>,
    store: Option<Arc<SqliteStore>>,
    healths: Receiver<Health>,
    folder: TempDir,
}

struct Healths(Sender<Health>);

impl Observer for Healths {
    fn health_changed(&self, health: &Health) {
        let _ = self.0.send(health.clone());
    }
}

impl InFile {
    pub(super) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let (store, healths) = open(&folder).unwrap();
        Self { held: Mutex::default(), store: Some(store), healths, folder }
    }

    /// A store over files that something else left behind.
    pub(super) fn with_files(data: &[u8], log: &[u8]) -> Self {
        let folder = TempDir::new().unwrap();
        std::fs::write(file(&folder), data).unwrap();
        std::fs::write(file(&folder).with_extension("db-wal"), log).unwrap();
        let (store, healths) = open(&folder).unwrap();
        Self { held: Mutex::default(), store: Some(store), healths, folder }
    }

    /// Closes the store and leaves the file.
    pub(super) fn close(&mut self) {
        let alone = self.store.take().and_then(Arc::into_inner);
        drop(alone.expect("whoever closes keeps no handle to the store"));
    }

    /// Opens the file as it is now, beside this harness.
    pub(super) fn try_open(&self) -> Result<Arc<SqliteStore>, OpenError> {
        open(&self.folder).map(|(store, _)| store)
    }

    pub(super) fn path(&self) -> PathBuf {
        file(&self.folder)
    }

    /// Does something to the writer's own connection and waits until it is done.
    pub(super) fn meddle(&self, act: impl FnOnce(&mut Connection) + Send + 'static) {
        let (done, wait) = channel();
        self.sqlite().inbox.meddle(move |connection| {
            act(connection);
            let _ = done.send(());
        });
        // While the writer is held the act waits with it, ahead of every commit.
        if self.held.lock().unwrap().is_none() {
            wait.recv_timeout(PATIENCE).unwrap();
        }
    }

    /// Waits until the store has noticed that saving works.
    pub(super) fn recovered(&self) {
        while !self.sqlite().health().is_writable() {
            self.healths.recv_timeout(PATIENCE).unwrap();
        }
    }

    fn sqlite(&self) -> &Arc<SqliteStore> {
        self.store.as_ref().unwrap()
    }
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("askrelay.db")
}

fn open(folder: &TempDir) -> Result<(Arc<SqliteStore>, Receiver<Health>), OpenError> {
    let (sender, healths) = channel();
    let options = Options { observer: Arc::new(Healths(sender)), busy_ms: 0, try_ms: 1 };
    Ok((Arc::new(SqliteStore::open(&file(folder), options)?), healths))
}

impl Harness for InFile {
    fn store(&self) -> Arc<dyn Store> {
        Arc::clone(self.sqlite()) as Arc<dyn Store>
    }

    fn reopen(&mut self) {
        self.close();
        let (store, healths) = open(&self.folder).unwrap();
        (self.store, self.healths) = (Some(store), healths);
    }

    fn hold(&self) {
        let (release, released) = channel::<()>();
        let (started, wait) = channel();
        self.sqlite().inbox.meddle(move |_| {
            let _ = started.send(());
            // Ends with a message, or when the harness is gone.
            let _ = released.recv();
        });
        wait.recv_timeout(PATIENCE).unwrap();
        *self.held.lock().unwrap() = Some(release);
    }

    fn release(&self) {
        *self.held.lock().unwrap() = None;
    }

    fn fail(&self) {
        self.meddle(|connection| connection.pragma_update(None, "query_only", "ON").unwrap());
    }

    fn heal(&self) {
        self.meddle(|connection| connection.pragma_update(None, "query_only", "OFF").unwrap());
        self.recovered();
    }
}
