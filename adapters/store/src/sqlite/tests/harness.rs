//! A store in a scratch folder whose writer a test can stall, break and mend.

use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;

use crate::contract::Harness;
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
        let (store, healths) = open(&folder);
        Self { held: Mutex::default(), store: Some(store), healths, folder }
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

pub(super) fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("askrelay.db")
}

fn open(folder: &TempDir) -> (Arc<SqliteStore>, Receiver<Health>) {
    let (sender, healths) = channel();
    let options = Options { observer: Arc::new(Healths(sender)), busy_ms: 0, try_ms: 1 };
    (Arc::new(SqliteStore::open(&file(folder), options).unwrap()), healths)
}

impl Harness for InFile {
    fn store(&self) -> Arc<dyn Store> {
        Arc::clone(self.sqlite()) as Arc<dyn Store>
    }

    fn reopen(&mut self) {
        let alone = self.store.take().and_then(Arc::into_inner);
        drop(alone.expect("a case that reopens keeps no handle to the store"));
        let (store, healths) = open(&self.folder);
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
