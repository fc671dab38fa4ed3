//! Asks as tasks (SEP-2663), for clients that say that they poll: the call returns at once with a handle, and the task's result is
//! what the call would have returned at the end. The ask itself lives in the gateway; here is kept only how its result is written.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use askrelay_core::id::RecordId;
use askrelay_core::prompt::when::stamp;
use askrelay_core::record::{Record, State, WhyCancelled};
use askrelay_core::time::{Span, Time};
use rmcp::model::{CreateTaskResult, Task, TaskStatus};

use crate::tool::Asked;

/// How often a client may look, in milliseconds: a person takes longer.
const LOOK_MS: u64 = 1_000;

/// How long the result of a task is kept after its ask ended at the latest.
const KEPT: Span = Span::seconds(24 * 60 * 60);

/// Most tasks that are kept; the oldest is forgotten first. Its answer still waits for `get_answer` and for the same call.
const TASKS_MAX: usize = 4096;

/// One task: whose it is, and what its result needs of its call.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    /// The ask, whose id is the task's.
    pub(crate) id: RecordId,
    /// Whose it is, as [`crate::door::Door::who`] says.
    pub(crate) who: Option<String>,
    /// What was asked.
    pub(crate) asked: Asked,
    /// When its call began.
    pub(crate) began_at: Time,
    /// The call joined an ask that ran already.
    pub(crate) joined: bool,
    /// The client can show forms.
    pub(crate) client_elicitation: bool,
}

/// The tasks of a process.
#[derive(Debug, Default)]
pub(crate) struct Tasks(Mutex<VecDeque<Begun>>);

impl Tasks {
    pub(crate) fn begin(&self, begun: Begun) {
        let mut all = self.lock();
        all.retain(|other| (&other.id, &other.who) != (&begun.id, &begun.who));
        if all.len() >= TASKS_MAX {
            all.pop_front();
        }
        all.push_back(begun);
    }

    /// The task of that id, if it is this one's.
    pub(crate) fn of(&self, id: &str, who: Option<&str>) -> Option<Begun> {
        let is_it = |begun: &&Begun| begun.id.as_str() == id && begun.who.as_deref() == who;
        self.lock().iter().find(is_it).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Begun>> {
        // Nothing that holds it can stop half way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The handle that a call returns with.
pub(crate) fn handle(record: &Record) -> CreateTaskResult {
    CreateTaskResult::new(task(record))
}

/// How a task stands, without its result.
pub(crate) fn task(record: &Record) -> Task {
    let (status, changed) = match &record.state {
        State::Pending => (TaskStatus::Working, record.key.created_at),
        state if was_taken_back(state) => (TaskStatus::Cancelled, state.ended_at().unwrap_or_default()),
        state => (TaskStatus::Completed, state.ended_at().unwrap_or_default()),
    };
    let kept = record.expires_at.since(record.key.created_at).0.saturating_add(KEPT.0);
    let task = Task::new(record.key.id.as_str(), status, iso(record.key.created_at), iso(changed));
    let task = task.with_ttl_ms(kept).with_poll_interval_ms(LOOK_MS);
    match status {
        TaskStatus::Working => task.with_status_message("Waiting for the person."),
        _ => task,
    }
}

/// Its asker took it back, so that there is no result.
pub(crate) const fn was_taken_back(state: &State) -> bool {
    matches!(state, State::Cancelled(cancelled) if matches!(cancelled.why, WhyCancelled::Withdrawn))
}

fn iso(at: Time) -> String {
    format!("{}Z", stamp(at).replace(' ', "T"))
}
