//! What waits to be sent, by conversation and by importance: which goes next, and when. Pure over the time that is handed in;
//! sends nothing and reads no clock. The platform counts messages by conversation and edits by workspace.

use std::collections::{BTreeMap, VecDeque};

use askrelay_core::id::{MessageId, Place, SendId};
use tokio::time::Instant;

use crate::config::Policy;
use crate::encode::Call;
use crate::place::{Room, Spot};
use askrelay_core::pace::Window;

/// What goes first where the platform lets us do only one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// Outcomes, answers to people, inputs they asked for.
    Outcome,
    /// New Prompts.
    Prompt,
    /// New looks of Prompts that still wait.
    Look,
}

/// One Order as calls, made one after the other.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) class: Class,
    pub(crate) place: Place,
    pub(crate) spot: Spot,
    /// The Orders it carries out; none where nobody waits for a Report.
    pub(crate) sends: Vec<SendId>,
    /// Calls still to be made.
    pub(crate) calls: VecDeque<Call>,
    /// To be made in place of a call that is refused, once.
    pub(crate) instead: Option<Call>,
    /// Messages of the Receipt so far.
    pub(crate) messages: Vec<MessageId>,
    /// The message whose look it changes.
    pub(crate) redraws: Option<MessageId>,
    /// Its place among those of its class.
    number: u64,
}

impl Job {
    pub(crate) fn new(class: Class, place: Place, spot: Spot, calls: Vec<Call>) -> Self {
        Self {
            class,
            place,
            spot,
            sends: Vec::new(),
            calls: calls.into(),
            instead: None,
            messages: Vec::new(),
            redraws: None,
            number: 0,
        }
    }

    fn edits(&self) -> bool {
        matches!(self.calls.front(), Some(Call::Update(_)))
    }
}

type Waiting = BTreeMap<(Class, u64), Job>;

/// What waits for one conversation.
#[derive(Debug)]
struct Line {
    new: Waiting,
    edits: Waiting,
    /// One of its calls is on its way: so the conversation keeps its order.
    busy: bool,
    /// The platform wants no messages there until then.
    flooded: Option<Instant>,
    messages: Window<Instant>,
}

/// Everything that waits.
#[derive(Debug)]
pub(crate) struct Queue {
    policy: Policy,
    lines: BTreeMap<Room, Line>,
    edits: Window<Instant>,
    /// The platform wants no edits until then.
    edits_flooded: Option<Instant>,
    count: u64,
    length: usize,
}

/// Conversations that are remembered before those at rest are forgotten.
const LINES: usize = 256;

impl Queue {
    pub(crate) fn new(policy: Policy) -> Self {
        Self {
            policy,
            lines: BTreeMap::new(),
            edits: Window::new(policy.edits),
            edits_flooded: None,
            count: 0,
            length: 0,
        }
    }

    /// How many wait.
    pub(crate) const fn len(&self) -> usize {
        self.length
    }

    /// One more waits. A change of a message takes the place of an older one that still waits, and its Orders with it.
    pub(crate) fn push(&mut self, mut job: Job, now: Instant) {
        if self.lines.len() >= LINES {
            self.lines.retain(|_, line| !line.is_at_rest(now));
        }
        self.count += 1;
        job.number = self.count;
        let line = self.line(&job.spot);
        if let Some(older) = job.redraws.as_ref().and_then(|message| line.take_redraw(message)) {
            job.class = job.class.min(older.class);
            job.sends.splice(0..0, older.sends);
            self.length -= 1;
        }
        self.put(job);
    }

    /// The job whose next call may be made now.
    pub(crate) fn take(&mut self, now: Instant) -> Option<Job> {
        let edits = self.edits_due(now) <= now;
        let ready = self.lines.iter_mut().filter_map(|(room, line)| Some((line.ready(now, edits)?, room)));
        let ((class, number, edits), room) = ready.min()?;
        let room = room.clone();
        let line = self.lines.get_mut(&room)?;
        let waiting = if edits { &mut line.edits } else { &mut line.new };
        let job = waiting.remove(&(class, number))?;
        line.busy = true;
        if edits {
            self.edits.spend(now);
        } else {
            line.messages.spend(now);
        }
        self.length -= 1;
        Some(job)
    }

    /// When the next call may be made; nothing where none waits, or only behind one on its way.
    pub(crate) fn due(&mut self, now: Instant) -> Option<Instant> {
        let edits = self.edits_due(now);
        self.lines.values_mut().filter_map(|line| line.due(now, edits)).min()
    }

    /// A call of this conversation is over; what is left of its job goes on.
    pub(crate) fn made(&mut self, spot: &Spot, rest: Option<Job>) {
        self.line(spot).busy = false;
        if let Some(job) = rest {
            self.put_back(job);
        }
    }

    /// A job that was on its way waits again, unless a newer change of the same message came meanwhile: that one takes its place, and
    /// its Orders with it.
    fn put_back(&mut self, job: Job) {
        let line = self.line(&job.spot);
        let newer = job.redraws.as_ref().and_then(|message| line.take_redraw(message));
        let Some(mut newer) = newer else { return self.put(job) };
        self.length -= 1;
        newer.class = newer.class.min(job.class);
        newer.sends.splice(0..0, job.sends);
        self.put(newer);
    }

    /// The platform wants no messages in this conversation, or no edits anywhere.
    pub(crate) fn flood(&mut self, job: &Job, until: Instant) {
        let flooded = match job.edits() {
            true => &mut self.edits_flooded,
            false => &mut self.line(&job.spot).flooded,
        };
        *flooded = (*flooded).max(Some(until));
    }

    /// Everything that still waits, given up.
    pub(crate) fn drain(&mut self) -> Vec<Job> {
        self.length = 0;
        let lines = std::mem::take(&mut self.lines).into_values();
        lines.flat_map(|line| line.new.into_values().chain(line.edits.into_values())).collect()
    }

    fn edits_due(&mut self, now: Instant) -> Instant {
        let due = self.edits.due(now);
        self.edits_flooded.map_or(due, |until| due.max(until))
    }

    fn put(&mut self, job: Job) {
        self.length += 1;
        let line = self.line(&job.spot);
        let waiting = if job.edits() { &mut line.edits } else { &mut line.new };
        waiting.insert((job.class, job.number), job);
    }

    fn line(&mut self, spot: &Spot) -> &mut Line {
        let pace = self.policy.messages;
        self.lines.entry(spot.room.clone()).or_insert_with(|| Line {
            new: Waiting::new(),
            edits: Waiting::new(),
            busy: false,
            flooded: None,
            messages: Window::new(pace),
        })
    }
}

impl Line {
    /// What of it may go now, the most important.
    fn ready(&mut self, now: Instant, edits: bool) -> Option<(Class, u64, bool)> {
        if self.busy {
            return None;
        }
        let new = self.new.keys().next().copied().filter(|_| self.messages_due(now) <= now);
        let edit = self.edits.keys().next().copied().filter(|_| edits);
        let new = new.map(|(class, number)| (class, number, false));
        let edit = edit.map(|(class, number)| (class, number, true));
        new.into_iter().chain(edit).min()
    }

    fn due(&mut self, now: Instant, edits_due: Instant) -> Option<Instant> {
        if self.busy {
            return None;
        }
        let new = (!self.new.is_empty()).then(|| self.messages_due(now));
        let edit = (!self.edits.is_empty()).then_some(edits_due);
        new.into_iter().chain(edit).min()
    }

    fn messages_due(&mut self, now: Instant) -> Instant {
        let due = self.messages.due(now);
        self.flooded.map_or(due, |until| due.max(until))
    }

    fn take_redraw(&mut self, message: &MessageId) -> Option<Job> {
        let same = |(_, job): &(&(Class, u64), &Job)| job.redraws.as_ref() == Some(message);
        let key = *self.edits.iter().find(same)?.0;
        self.edits.remove(&key)
    }

    fn is_at_rest(&mut self, now: Instant) -> bool {
        !self.busy
            && self.new.is_empty()
            && self.edits.is_empty()
            && self.flooded.is_none_or(|until| until <= now)
            && self.messages.is_idle(now)
    }
}

#[cfg(test)]
mod tests;
