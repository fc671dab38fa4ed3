//! The writer's queue: bounded, in call order, and closed to everybody while saving does not work. Does no saving.

use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::encode::Row;
use crate::error::{CommitError, Trouble, TroubleKind};
use crate::port::{Health, Outcome};
use crate::ticket::{CommitTicket, Reply, Stopped, Ticket};

/// Most facts that wait: about a quarter of a second of saving, so that whoever is let in does not wait for long.
pub(crate) const QUEUED_FACTS_MAX: usize = 16_384;

/// Most bytes of bodies that wait; a larger group still gets in when nothing waits.
pub(crate) const QUEUED_BYTES_MAX: usize = 64 << 20;

/// The queue, shared by the callers and the writer.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    state: Mutex<State>,
    filled: Condvar,
}

#[derive(Debug, Default)]
struct State {
    groups: Vec<Group>,
    facts: usize,
    bytes: usize,
    trouble: Option<Trouble>,
    stopping: bool,
    #[cfg(test)]
    meddling: std::collections::VecDeque<Meddle>,
}

/// The rows of one call, saved together or not at all.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) rows: Vec<Row>,
    pub(crate) reply: Reply<Vec<Outcome>, CommitError>,
}

/// What the writer does next.
#[derive(Debug)]
pub(crate) enum Work {
    /// Save these.
    Save(Vec<Group>),
    /// Find out whether saving works again.
    Try,
    /// Let a test at the connection.
    #[cfg(test)]
    Meddle(Meddle),
    /// End.
    Stop,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues the rows of one call.
    pub(crate) fn push(&self, rows: Vec<Row>) -> CommitTicket {
        let bytes: usize = rows.iter().map(Row::bytes).sum();
        let (reply, ticket) = Ticket::later();
        let mut state = self.lock();
        if state.stopping {
            return Ticket::ready(Err(Stopped.into()));
        }
        if let Some(trouble) = &state.trouble {
            return Ticket::ready(Err(CommitError::Failing(trouble.clone())));
        }
        let fits = state.facts + rows.len() <= QUEUED_FACTS_MAX && state.bytes + bytes <= QUEUED_BYTES_MAX;
        if !fits && !state.groups.is_empty() {
            return Ticket::ready(Err(CommitError::Full { facts: state.facts }));
        }
        state.facts += rows.len();
        state.bytes += bytes;
        state.groups.push(Group { rows, reply });
        drop(state);
        self.filled.notify_one();
        ticket
    }

    /// Waits for work. While saving does not work, that is a try after each `try_every`.
    pub(crate) fn take(&self, try_every: Duration) -> Work {
        let mut state = self.lock();
        loop {
            #[cfg(test)]
            if let Some(meddle) = state.meddling.pop_front() {
                return Work::Meddle(meddle);
            }
            if !state.groups.is_empty() {
                return Work::Save(state.take_groups());
            }
            if state.stopping {
                return Work::Stop;
            }
            if state.trouble.is_none() {
                state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let (waited, timeout) =
                self.filled.wait_timeout(state, try_every).unwrap_or_else(PoisonError::into_inner);
            state = waited;
            if timeout.timed_out() {
                return Work::Try;
            }
        }
    }

    /// Notes that saving does not work and takes out what waits, in one step: nothing slips in between.
    pub(crate) fn fail(&self, trouble: &Trouble) -> Vec<Group> {
        let mut state = self.lock();
        state.trouble = Some(trouble.clone());
        state.take_groups()
    }

    /// Notes what a try found; whether that is news.
    pub(crate) fn tried(&self, trouble: Option<Trouble>) -> bool {
        let mut state = self.lock();
        let news = state.trouble.as_ref().map(|before| before.kind) != trouble.as_ref().map(|now| now.kind);
        state.trouble = trouble;
        news
    }

    /// Lets the writer end once everything queued is saved.
    pub(crate) fn stop(&self) {
        self.lock().stopping = true;
        self.filled.notify_one();
    }

    /// Notes that the writer is gone, asked to or not: what waits is told so by its tickets.
    pub(crate) fn close(&self, path: &Path) {
        let mut state = self.lock();
        if !state.stopping {
            let lost = || Trouble { kind: TroubleKind::Other, path: path.to_owned(), cause: None };
            state.trouble.get_or_insert_with(lost);
        }
        state.stopping = true;
        drop(state.take_groups());
    }

    pub(crate) fn health(&self) -> Health {
        self.lock().trouble.clone().into()
    }

    pub(crate) fn queued_facts(&self) -> usize {
        self.lock().facts
    }

    /// Runs `act` on the writer's thread before anything else that is queued.
    #[cfg(test)]
    pub(crate) fn meddle(&self, act: impl FnOnce(&mut rusqlite::Connection) + Send + 'static) {
        self.lock().meddling.push_back(Meddle(Box::new(act)));
        self.filled.notify_one();
    }
}

impl State {
    fn take_groups(&mut self) -> Vec<Group> {
        self.facts = 0;
        self.bytes = 0;
        std::mem::take(&mut self.groups)
    }
}

/// What a test does to the connection.
#[cfg(test)]
pub(crate) struct Meddle(pub(crate) Box<dyn FnOnce(&mut rusqlite::Connection) + Send>);

#[cfg(test)]
impl std::fmt::Debug for Meddle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Meddle")
    }
}
