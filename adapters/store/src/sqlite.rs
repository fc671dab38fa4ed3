//! The default store: one SQLite file, one thread that writes it, two that read it. Exclusive use of the file among
//! askrelay processes is the ring's lock, not this.

use askrelay_core::id::{GatewayId, RecordId};
use askrelay_core::record::Record;
use askrelay_core::relay::facts::Fact as RelayFact;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crate::encode::Row;
use crate::error::{OpenError, ReadError};
use crate::fact::Fact;
use crate::page::{AuditPage, AuditQuery, RecordPage, RecordQuery};
use crate::port::{Health, Loaded, NoObserver, Observer, Store};
use crate::ticket::{CommitTicket, ReadTicket, Ticket};

mod apply;
mod connect;
mod inbox;
mod migrate;
mod read;
mod reader;
mod select;
#[cfg(test)]
mod tests;
mod writer;

use inbox::Inbox;
use read::Reads;
use reader::Desk;
use writer::Writer;

/// Threads that read: one for a long page and one for everybody else.
const READERS: usize = 2;

/// How a store is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// Told of commits and of the health.
    pub observer: Arc<dyn Observer>,
    /// How long another program's lock is waited for, in milliseconds, before it is a failure.
    pub busy_ms: u64,
    /// How often a failing store tries whether saving works again, in milliseconds.
    pub try_ms: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { observer: Arc::new(NoObserver), busy_ms: 5_000, try_ms: 500 }
    }
}

/// Facts in one SQLite file. Dropping it saves what is queued and closes the file.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    busy: Duration,
    inbox: Arc<Inbox>,
    desk: Arc<Desk>,
    threads: Vec<JoinHandle<()>>,
}

impl SqliteStore {
    /// Opens the file, making or migrating it as needed; its folder must exist.
    ///
    /// # Errors
    /// Whatever would keep facts from being saved or read, with the way out.
    pub fn open(path: &Path, options: Options) -> Result<Self, OpenError> {
        let busy = Duration::from_millis(options.busy_ms);
        let connection = connect::writer(path, busy)?;
        let mut store = Self {
            path: path.to_owned(),
            busy,
            inbox: Arc::default(),
            desk: Arc::default(),
            threads: Vec::with_capacity(1 + READERS),
        };
        let writer = Writer {
            connection,
            inbox: Arc::clone(&store.inbox),
            observer: options.observer,
            path: store.path.clone(),
            try_every: Duration::from_millis(options.try_ms),
        };
        store.start("store-writer", move || writer.run())?;
        for _ in 0..READERS {
            let connection = connect::reader(path, busy).map_err(OpenError::Trouble)?;
            let desk = Arc::clone(&store.desk);
            store.start("store-reader", move || desk.serve(connection))?;
        }
        Ok(store)
    }

    fn start(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), OpenError> {
        let thread = std::thread::Builder::new().name(name.to_owned());
        self.threads.push(thread.spawn(work).map_err(OpenError::Thread)?);
        Ok(())
    }

    fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(Reads<'_>) -> Result<T, ReadError> + Send + 'static,
    ) -> ReadTicket<T> {
        let path = self.path.clone();
        self.desk.ask(move |connection| read(Reads { connection, path: &path }))
    }
}

impl Store for SqliteStore {
    fn commit(&self, facts: Vec<Fact>) -> CommitTicket {
        // Written as JSON here, on the caller's thread: the one that writes has the least time.
        match facts.into_iter().map(Row::of).collect() {
            Ok(rows) => self.inbox.push(rows),
            Err(error) => Ticket::ready(Err(error)),
        }
    }

    fn load(&self) -> Result<Loaded, ReadError> {
        let connection = connect::reader(&self.path, self.busy).map_err(ReadError::Trouble)?;
        Reads { connection: &connection, path: &self.path }.load()
    }

    fn load_relay(&self) -> Result<Vec<RelayFact>, ReadError> {
        let connection = connect::reader(&self.path, self.busy).map_err(ReadError::Trouble)?;
        Reads { connection: &connection, path: &self.path }.load_relay()
    }

    fn record(&self, gateway: &GatewayId, id: &RecordId) -> ReadTicket<Option<Arc<Record>>> {
        let (gateway, id) = (gateway.clone(), id.clone());
        self.read(move |reads| reads.newest(&gateway, &id))
    }

    fn records(&self, query: RecordQuery) -> ReadTicket<RecordPage> {
        self.read(move |reads| reads.records(&query))
    }

    fn audit(&self, query: AuditQuery) -> ReadTicket<AuditPage> {
        self.read(move |reads| reads.audit(&query))
    }

    fn health(&self) -> Health {
        self.inbox.health()
    }

    fn queued_facts(&self) -> usize {
        self.inbox.queued_facts()
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.inbox.stop();
        self.desk.stop();
        for thread in self.threads.drain(..) {
            // A thread that panicked has settled its tickets already, and there is nothing to mend here.
            let _ = thread.join();
        }
    }
}
