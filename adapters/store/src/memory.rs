//! Facts in memory: for a ring that needs none after its end, and for tests, which can hold it up, make it fail or lose
//! what waits. Passes the same contract as the files; nothing survives it.

use askrelay_core::id::{GatewayId, RecordId};
use askrelay_core::record::Record;
use askrelay_core::relay::facts::Fact as RelayFact;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{CommitError, ReadError, Trouble, TroubleKind};
use crate::fact::Fact;
use crate::page::{AuditPage, AuditQuery, RecordPage, RecordQuery};
use crate::port::{Health, Loaded, NoObserver, Observer, Outcome, Store};
use crate::ticket::{CommitTicket, ReadTicket, Reply, Ticket};

mod kept;
#[cfg(test)]
mod tests;

use kept::Kept;

/// A store in memory.
#[derive(Debug)]
pub struct MemoryStore {
    inner: Mutex<Inner>,
    observer: Arc<dyn Observer>,
}

#[derive(Debug, Default)]
struct Inner {
    kept: Kept,
    waiting: VecDeque<Waiting>,
    held: bool,
    trouble: Option<Trouble>,
}

#[derive(Debug)]
struct Waiting {
    facts: Vec<Fact>,
    reply: Reply<Vec<Outcome>, CommitError>,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new(Arc::new(NoObserver))
    }
}

impl MemoryStore {
    /// An empty one.
    #[must_use]
    pub fn new(observer: Arc<dyn Observer>) -> Self {
        Self { inner: Mutex::default(), observer }
    }

    /// From now on commits wait, as behind a slow disk.
    pub fn hold(&self) {
        self.lock().held = true;
    }

    /// Saves what waited; commits no longer wait.
    pub fn release(&self) {
        let mut inner = self.lock();
        inner.held = false;
        let waiting = std::mem::take(&mut inner.waiting);
        for Waiting { facts, reply } in waiting {
            let count = facts.len();
            // Whoever dropped the ticket does not want to know.
            let _ = reply.send(Ok(inner.kept.apply(facts)));
            self.observer.committed(count, 0);
        }
    }

    /// Loses what waits, as a crash would; commits no longer wait.
    pub fn crash(&self) {
        let mut inner = self.lock();
        inner.held = false;
        inner.waiting.clear();
    }

    /// From now on nothing is saved, what waits included, for a reason of this kind.
    pub fn fail(&self, kind: TroubleKind) {
        let trouble = Trouble { kind, path: PathBuf::from("memory"), cause: None };
        let mut inner = self.lock();
        inner.trouble = Some(trouble.clone());
        let waiting = std::mem::take(&mut inner.waiting);
        drop(inner);
        self.observer.health_changed(&Some(trouble.clone()).into());
        for Waiting { reply, .. } in waiting {
            let _ = reply.send(Err(CommitError::Failed(trouble.clone())));
        }
    }

    /// Saves again.
    pub fn heal(&self) {
        self.lock().trouble = None;
        self.observer.health_changed(&Health::Writable);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn commit(&self, facts: Vec<Fact>) -> CommitTicket {
        let mut inner = self.lock();
        if let Some(trouble) = &inner.trouble {
            return Ticket::ready(Err(CommitError::Failing(trouble.clone())));
        }
        if inner.held {
            let (reply, ticket) = Ticket::later();
            inner.waiting.push_back(Waiting { facts, reply });
            return ticket;
        }
        let count = facts.len();
        let outcomes = inner.kept.apply(facts);
        drop(inner);
        self.observer.committed(count, 0);
        Ticket::ready(Ok(outcomes))
    }

    fn load(&self) -> Result<Loaded, ReadError> {
        Ok(self.lock().kept.load())
    }

    fn load_relay(&self) -> Result<Vec<RelayFact>, ReadError> {
        Ok(self.lock().kept.load_relay())
    }

    fn record(&self, gateway: &GatewayId, id: &RecordId) -> ReadTicket<Option<Arc<Record>>> {
        Ticket::ready(Ok(self.lock().kept.newest(gateway, id)))
    }

    fn records(&self, query: RecordQuery) -> ReadTicket<RecordPage> {
        Ticket::ready(Ok(self.lock().kept.records(&query)))
    }

    fn audit(&self, query: AuditQuery) -> ReadTicket<AuditPage> {
        Ticket::ready(Ok(self.lock().kept.audit(&query)))
    }

    fn health(&self) -> Health {
        self.lock().trouble.clone().into()
    }

    fn queued_facts(&self) -> usize {
        self.lock().waiting.iter().map(|waiting| waiting.facts.len()).sum()
    }
}
