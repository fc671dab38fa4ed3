//! The threads that read while the writer writes: a bounded queue of questions, each answered on a connection of its own
//! from what is on disk. Never writes.

use rusqlite::Connection;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::ReadError;
use crate::ticket::{ReadTicket, Stopped, Ticket};

/// Most questions that wait: each is a caller that waits as well, and more would only wait longer.
pub(crate) const READS_MAX: usize = 1024;

type Question = Box<dyn FnOnce(&Connection) + Send>;

/// The queue, shared by the callers and the threads.
#[derive(Default)]
pub(crate) struct Desk {
    state: Mutex<State>,
    filled: Condvar,
}

#[derive(Default)]
struct State {
    questions: VecDeque<Question>,
    stopping: bool,
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a question.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, ReadError> + Send + 'static,
    ) -> ReadTicket<T> {
        let (reply, ticket) = Ticket::later();
        let mut state = self.lock();
        if state.stopping {
            return Ticket::ready(Err(Stopped.into()));
        }
        if state.questions.len() >= READS_MAX {
            return Ticket::ready(Err(ReadError::Full { reads: state.questions.len() }));
        }
        state.questions.push_back(Box::new(move |connection| {
            // Whoever dropped the ticket does not want to know.
            let _ = reply.send(read(connection));
        }));
        drop(state);
        self.filled.notify_one();
        ticket
    }

    /// Lets the threads end once every question is answered.
    pub(crate) fn stop(&self) {
        self.lock().stopping = true;
        self.filled.notify_all();
    }

    /// Answers questions until the desk is stopped.
    pub(crate) fn serve(self: Arc<Self>, connection: Connection) {
        while let Some(question) = self.next() {
            question(&connection);
        }
    }

    fn next(&self) -> Option<Question> {
        let mut state = self.lock();
        loop {
            if let Some(question) = state.questions.pop_front() {
                return Some(question);
            }
            if state.stopping {
                return None;
            }
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl std::fmt::Debug for Desk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").field("waiting", &self.lock().questions.len()).finish()
    }
}
