//! Who waits for the end of which Record, and until when. Only keeps the list; waking is the desk's.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use askrelay_core::id::RecordId;
use askrelay_core::time::Time;
use askrelay_protocol::reply::{Reply, Waited};

use super::effect::ReplyTo;
use super::seat::{ConnectionId, Seat};

/// What a call hears whose own time is over.
pub(super) const STILL_PENDING: Reply = Reply::Waited(Waited::Pending);

/// One call that waits.
#[derive(Debug)]
pub(super) struct Waiter {
    pub(super) seat: Arc<Seat>,
    pub(super) record: RecordId,
    pub(super) to: ReplyTo,
    /// When the call's own time is over; none waits until the end.
    pub(super) until: Option<Time>,
    /// The reply names the resolution that won.
    pub(super) include_resolution: bool,
}

/// Numbers waiters in the order they came.
type WaiterId = u64;

/// Everybody who waits.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    next: WaiterId,
    waiters: BTreeMap<WaiterId, Waiter>,
    by_record: HashMap<RecordId, BTreeSet<WaiterId>>,
    by_connection: HashMap<ConnectionId, BTreeSet<WaiterId>>,
    by_time: BTreeSet<(Time, WaiterId)>,
}

impl Waiting {
    pub(super) fn len(&self) -> usize {
        self.waiters.len()
    }

    pub(super) fn add(&mut self, waiter: Waiter) {
        let id = self.next;
        self.next += 1;
        self.by_record.entry(waiter.record.clone()).or_default().insert(id);
        if let Some(connection) = waiter.to.connection() {
            self.by_connection.entry(connection).or_default().insert(id);
        }
        if let Some(until) = waiter.until {
            self.by_time.insert((until, id));
        }
        self.waiters.insert(id, waiter);
    }

    /// When the first of them runs out of time.
    pub(super) fn next_due(&self) -> Option<Time> {
        self.by_time.first().map(|(until, _)| *until)
    }

    /// Takes out those whose time is over.
    pub(super) fn due(&mut self, now: Time) -> Vec<Waiter> {
        let mut due = Vec::new();
        while let Some((until, id)) = self.by_time.first()
            && *until <= now
        {
            let id = *id;
            due.extend(self.remove(id));
        }
        due
    }

    /// Takes out those who wait for this Record.
    pub(super) fn of_record(&mut self, record: &RecordId) -> Vec<Waiter> {
        let ids = self.by_record.remove(record).unwrap_or_default();
        ids.into_iter().filter_map(|id| self.remove(id)).collect()
    }

    /// Forgets those of a connection that is gone.
    pub(super) fn forget_connection(&mut self, connection: ConnectionId) {
        for id in self.by_connection.remove(&connection).unwrap_or_default() {
            self.remove(id);
        }
    }

    /// Forgets callers that are gone and have no connection to tell so.
    pub(super) fn forget_gone(&mut self) {
        let gone = self.waiters.iter().filter(|(_, waiter)| waiter.to.is_gone());
        for id in gone.map(|(id, _)| *id).collect::<Vec<_>>() {
            self.remove(id);
        }
    }

    /// Takes out everybody.
    pub(super) fn drain(&mut self) -> Vec<Waiter> {
        let all = std::mem::take(self);
        self.next = all.next;
        all.waiters.into_values().collect()
    }

    /// The Records that somebody waits for.
    pub(super) fn records(&self) -> impl Iterator<Item = &RecordId> {
        self.by_record.keys()
    }

    fn remove(&mut self, id: WaiterId) -> Option<Waiter> {
        let waiter = self.waiters.remove(&id)?;
        if let Some(until) = waiter.until {
            self.by_time.remove(&(until, id));
        }
        if let Some(ids) = self.by_record.get_mut(&waiter.record) {
            ids.remove(&id);
            if ids.is_empty() {
                self.by_record.remove(&waiter.record);
            }
        }
        if let Some(connection) = waiter.to.connection()
            && let Some(ids) = self.by_connection.get_mut(&connection)
        {
            ids.remove(&id);
            if ids.is_empty() {
                self.by_connection.remove(&connection);
            }
        }
        Some(waiter)
    }
}
