//! Calls about a Record that is not in memory: they wait while the store is asked, all calls about one id behind one look,
//! so that nothing can come between a look and what it found.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;

use askrelay_core::id::RecordId;
use askrelay_core::record::Record;
use askrelay_protocol::frame::Call;
use askrelay_store::{AuditPage, ReadError, RecordPage};

use super::failure::too_many_waiting;
use super::page::Paging;
use super::{Desk, ReplyTo, Seat};
use crate::weight::{ask_weight, record_weight};

/// A call on its way.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) seat: Arc<Seat>,
    pub(super) call: Call,
    pub(super) to: ReplyTo,
    /// The store was asked already: what is not in memory now does not exist.
    pub(super) looked: bool,
}

/// A look under way.
pub(super) type Reading = Pin<Box<dyn Future<Output = Read> + Send>>;

/// What a look found.
#[derive(Debug)]
pub(super) enum Read {
    /// The newest Record of an id, and which look it was.
    Record(RecordId, u64, Result<Option<Arc<Record>>, ReadError>),
    /// One page of Records.
    Page(Box<Paging>, Result<RecordPage, ReadError>),
    /// One page of the trail.
    Trail(ReplyTo, Result<AuditPage, ReadError>),
}

/// The calls behind looks under way.
#[derive(Debug, Default)]
pub(super) struct Parked {
    looks: u64,
    behind: HashMap<RecordId, (u64, Vec<Asked>)>,
    count: usize,
}

impl Parked {
    pub(super) const fn len(&self) -> usize {
        self.count
    }

    /// Puts the call behind the look for its Record; gives the number of a new look when none is under way.
    fn add(&mut self, id: &RecordId, asked: Asked) -> Option<u64> {
        self.count += 1;
        if let Some((_, behind)) = self.behind.get_mut(id) {
            behind.push(asked);
            return None;
        }
        self.looks += 1;
        self.behind.insert(id.clone(), (self.looks, vec![asked]));
        Some(self.looks)
    }

    /// Takes out the calls behind this look.
    fn take(&mut self, id: &RecordId, look: u64) -> Vec<Asked> {
        if self.behind.get(id).is_none_or(|(number, _)| *number != look) {
            return Vec::new();
        }
        let behind = self.behind.remove(id).map(|(_, behind)| behind).unwrap_or_default();
        self.count -= behind.len();
        behind
    }

    /// Takes out all of them; what the looks under way find is of no use any more.
    pub(super) fn drain(&mut self) -> Vec<Asked> {
        self.count = 0;
        std::mem::take(&mut self.behind).into_values().flat_map(|(_, behind)| behind).collect()
    }
}

impl Desk {
    /// Lets the call wait until the store was asked for the Record.
    pub(super) fn look_up(&mut self, id: RecordId, asked: Asked) {
        if self.parked.len() + self.waiting.len() >= self.config.bounds.waiting {
            self.respond(asked.to, Err(too_many_waiting()));
            return;
        }
        if let Some(look) = self.parked.add(&id, asked) {
            let ticket = self.store.record(&self.config.gateway, &id);
            self.reads.push(Box::pin(async move {
                let found = ticket.await;
                Read::Record(id, look, found)
            }));
        }
    }

    /// A look has ended: the calls behind it go on.
    pub(super) fn read(&mut self, read: Read) {
        let (id, look, found) = match read {
            Read::Record(id, look, found) => (id, look, found),
            Read::Page(paging, page) => return self.turned(*paging, page),
            Read::Trail(to, page) => return self.trail_read(to, page),
        };
        let behind = self.parked.take(&id, look);
        if behind.is_empty() {
            return;
        }
        match self.found(found) {
            Ok(found) => {
                found.into_iter().for_each(|record| self.hold(record));
                for asked in behind {
                    self.question(Asked { looked: true, ..asked });
                }
                self.release_ended();
            }
            Err(error) => {
                behind.into_iter().for_each(|asked| self.respond(asked.to, Err(error.clone())));
            }
        }
    }

    /// Takes a saved Record into memory.
    pub(super) fn hold(&mut self, record: Arc<Record>) {
        if record.state.is_pending() {
            self.pending_weight += ask_weight(&record.ask);
        } else {
            self.ended.add(record.key.id.clone(), record_weight(&record));
        }
        self.ledger.hold(record);
    }
}
