//! What waits to be sent, by chat and by importance: which goes next, and when. Pure over the time that is handed in; sends
//! nothing and reads no clock.

use std::collections::{BTreeMap, VecDeque};

use askrelay_core::id::{MessageId, Place, SendId};
use tokio::time::Instant;

use crate::config::Policy;
use crate::encode::Call;
use crate::place::Spot;
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
    /// Messages of the Receipt so far.
    pub(crate) messages: Vec<MessageId>,
    /// The message whose look it changes.
    pub(crate) redraws: Option<MessageId>,
    /// Its place among those of its class.
    number: u64,
}

impl Job {
    pub(crate) fn new(
        class: Class,
        place: Place,
        spot: Spot,
        send: Option<SendId>,
        calls: Vec<Call>,
    ) -> Self {
        let sends = send.into_iter().collect();
        Self {
            class,
            place,
            spot,
            sends,
            calls: calls.into(),
            messages: Vec::new(),
            redraws: None,
            number: 0,
        }
    }

    fn edits(&self) -> bool {
        matches!(self.calls.front(), Some(Call::Edit(_)))
    }
}

type Waiting = BTreeMap<(Class, u64), Job>;

/// What waits for one chat.
#[derive(Debug)]
struct Line {
    new: Waiting,
    edits: Waiting,
    /// One of its calls is on its way: so the chat keeps its order.
    busy: bool,
    /// The platform wants to be left alone until then.
    flooded: Option<Instant>,
    messages: Vec<Window<Instant>>,
    changes: Window<Instant>,
}

/// Everything that waits.
#[derive(Debug)]
pub(crate) struct Queue {
    policy: Policy,
    lines: BTreeMap<i64, Line>,
    overall: Window<Instant>,
    count: u64,
    length: usize,
}

/// Chats that are remembered before those at rest are forgotten.
const LINES: usize = 256;

impl Queue {
    pub(crate) fn new(policy: Policy) -> Self {
        let overall = Window::new(policy.overall);
        Self { policy, lines: BTreeMap::new(), overall, count: 0, length: 0 }
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
        let line = self.line(job.spot);
        if let Some(older) = job.redraws.as_ref().and_then(|message| line.take_redraw(message)) {
            job.class = job.class.min(older.class);
            job.sends.splice(0..0, older.sends);
            self.length -= 1;
        }
        self.put(job);
    }

    /// The job whose next call may be made now.
    pub(crate) fn take(&mut self, now: Instant) -> Option<Job> {
        if self.overall.due(now) > now {
            return None;
        }
        let ready = self.lines.iter_mut().filter_map(|(chat, line)| line.ready(now).map(|key| (key, *chat)));
        let ((class, number, edits), chat) = ready.min()?;
        let line = self.lines.get_mut(&chat)?;
        let waiting = if edits { &mut line.edits } else { &mut line.new };
        let job = waiting.remove(&(class, number))?;
        line.busy = true;
        if edits {
            line.changes.spend(now);
        } else {
            line.messages.iter_mut().for_each(|window| window.spend(now));
        }
        self.overall.spend(now);
        self.length -= 1;
        Some(job)
    }

    /// When the next call may be made; nothing where none waits, or only behind one on its way.
    pub(crate) fn due(&mut self, now: Instant) -> Option<Instant> {
        let next = self.lines.values_mut().filter_map(|line| line.due(now)).min()?;
        Some(next.max(self.overall.due(now)))
    }

    /// A call of this chat is over; what is left of its job goes on.
    pub(crate) fn made(&mut self, spot: Spot, rest: Option<Job>) {
        self.line(spot).busy = false;
        if let Some(job) = rest {
            self.put_back(job);
        }
    }

    /// A job that was on its way waits again, unless a newer change of the same message came meanwhile: that one takes its place, and
    /// its Orders with it.
    fn put_back(&mut self, job: Job) {
        let line = self.line(job.spot);
        let newer = job.redraws.as_ref().and_then(|message| line.take_redraw(message));
        let Some(mut newer) = newer else { return self.put(job) };
        self.length -= 1;
        newer.class = newer.class.min(job.class);
        newer.sends.splice(0..0, job.sends);
        self.put(newer);
    }

    /// The platform wants this chat to be left alone.
    pub(crate) fn flood(&mut self, spot: Spot, until: Instant) {
        let line = self.line(spot);
        line.flooded = line.flooded.max(Some(until));
    }

    /// A call beside the queue counts too.
    pub(crate) fn spend(&mut self, now: Instant) {
        self.overall.spend(now);
    }

    /// Everything that still waits, given up.
    pub(crate) fn drain(&mut self) -> Vec<Job> {
        self.length = 0;
        let lines = std::mem::take(&mut self.lines).into_values();
        lines.flat_map(|line| line.new.into_values().chain(line.edits.into_values())).collect()
    }

    fn put(&mut self, job: Job) {
        self.length += 1;
        let line = self.line(job.spot);
        let waiting = if job.edits() { &mut line.edits } else { &mut line.new };
        waiting.insert((job.class, job.number), job);
    }

    fn line(&mut self, spot: Spot) -> &mut Line {
        let policy = self.policy;
        self.lines.entry(spot.chat.0).or_insert_with(|| {
            let mut messages = vec![Window::new(policy.private)];
            if !spot.is_private() {
                messages.push(Window::new(policy.group));
            }
            Line {
                new: Waiting::new(),
                edits: Waiting::new(),
                busy: false,
                flooded: None,
                messages,
                changes: Window::new(policy.edits),
            }
        })
    }
}

impl Line {
    /// What of it may go now, the most important.
    fn ready(&mut self, now: Instant) -> Option<(Class, u64, bool)> {
        if self.busy || self.flooded.is_some_and(|until| until > now) {
            return None;
        }
        let new = self.new.keys().next().copied().filter(|_| self.message_due(now) <= now);
        let edit = self.edits.keys().next().copied().filter(|_| self.changes.due(now) <= now);
        let new = new.map(|(class, number)| (class, number, false));
        let edit = edit.map(|(class, number)| (class, number, true));
        new.into_iter().chain(edit).min()
    }

    fn due(&mut self, now: Instant) -> Option<Instant> {
        if self.busy {
            return None;
        }
        let new = (!self.new.is_empty()).then(|| self.message_due(now));
        let edit = (!self.edits.is_empty()).then(|| self.changes.due(now));
        let next = new.into_iter().chain(edit).min()?;
        Some(self.flooded.map_or(next, |until| next.max(until)))
    }

    fn message_due(&mut self, now: Instant) -> Instant {
        self.messages.iter_mut().map(|window| window.due(now)).max().unwrap_or(now)
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
            && self.changes.is_idle(now)
            && self.messages.iter_mut().all(|window| window.is_idle(now))
    }
}

#[cfg(test)]
mod tests;
