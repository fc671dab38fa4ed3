//! What waits to be sent, by conversation and by importance: which goes next, and when. Pure over the time that is handed in;
//! sends nothing and reads no clock.

use std::collections::{BTreeMap, VecDeque};

use askrelay_core::id::{MessageId, Place, SendId};
use askrelay_core::port::Order;
use tokio::time::Instant;

use crate::buckets::{Buckets, Route, Told};
use crate::encode::{Call, What};
use crate::place::Spot;
use crate::presses::Over;
use askrelay_core::pace::Pace;

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
    /// What has to be over before its first call.
    pub(crate) after: Option<Over>,
    /// What to do where it fails.
    pub(crate) otherwise: Option<Box<Order>>,
    /// How often its first call was made without our knowing what became of it.
    pub(crate) tries: u32,
    /// Its thread was taken out of the archive.
    pub(crate) reopened: bool,
    /// Its first call is not made before.
    pub(crate) not_before: Option<Instant>,
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
            messages: Vec::new(),
            redraws: None,
            after: None,
            otherwise: None,
            tries: 0,
            reopened: false,
            not_before: None,
            number: 0,
        }
    }

    fn route(&self) -> Option<Route> {
        self.calls.front().map(|call| Route::of(&call.what, self.spot))
    }

    /// It would still change the message; what is left otherwise are new messages behind it, which nothing else can stand for.
    fn is_whole(&self) -> bool {
        self.calls.iter().any(|call| matches!(call.what, What::Edit(_)))
    }

    fn edits(&self) -> bool {
        matches!(self.calls.front(), Some(Call { what: What::Edit(_), .. }))
    }
}

type Waiting = BTreeMap<(Class, u64), Job>;

/// What waits for one conversation. Changes wait apart, so that new messages which may not be sent do not hold them up.
#[derive(Debug, Default)]
struct Line {
    new: Waiting,
    edits: Waiting,
    /// One of its calls is on its way: so the conversation keeps its order.
    busy: bool,
}

/// Everything that waits.
#[derive(Debug)]
pub(crate) struct Queue {
    buckets: Buckets,
    lines: BTreeMap<Spot, Line>,
    count: u64,
    length: usize,
}

/// Conversations that are remembered before those at rest are forgotten.
const LINES: usize = 256;

impl Queue {
    pub(crate) const fn new(overall: Pace) -> Self {
        Self { buckets: Buckets::new(overall), lines: BTreeMap::new(), count: 0, length: 0 }
    }

    /// How many wait.
    pub(crate) const fn len(&self) -> usize {
        self.length
    }

    /// One more waits. A change of a message takes the place of an older one that still waits, and its Orders with it.
    pub(crate) fn push(&mut self, mut job: Job) {
        if self.lines.len() >= LINES {
            self.lines.retain(|_, line| !line.is_at_rest());
        }
        self.count += 1;
        job.number = self.count;
        let line = self.lines.entry(job.spot).or_default();
        if let Some(older) = job.redraws.as_ref().and_then(|message| line.take_redraw(message)) {
            job.class = job.class.min(older.class);
            job.sends.splice(0..0, older.sends);
            self.length -= 1;
        }
        self.put(job);
    }

    /// The job whose next call may be made now.
    pub(crate) fn take(&mut self, now: Instant) -> Option<Job> {
        let Self { lines, buckets, .. } = self;
        let idle = lines.iter().filter(|(_, line)| !line.busy);
        let ready = idle.filter_map(|(spot, line)| line.ready(buckets, now).map(|key| (key, *spot)));
        let ((class, number, edits), spot) = ready.min()?;
        let line = lines.get_mut(&spot)?;
        let waiting = if edits { &mut line.edits } else { &mut line.new };
        let job = waiting.remove(&(class, number))?;
        line.busy = true;
        if let Some(route) = job.route() {
            buckets.spend(&route, now);
        }
        self.length -= 1;
        Some(job)
    }

    /// When the next call may be made; nothing where none waits, or only behind one on its way.
    pub(crate) fn due(&mut self, now: Instant) -> Option<Instant> {
        let Self { lines, buckets, .. } = self;
        let idle = lines.values().filter(|line| !line.busy);
        idle.flat_map(Line::firsts).filter_map(|job| job.due(buckets, now)).min()
    }

    /// A call of this conversation is over; what is left of its job goes on.
    pub(crate) fn made(&mut self, spot: Spot, rest: Option<Job>) {
        self.lines.entry(spot).or_default().busy = false;
        if let Some(job) = rest {
            self.put_back(job);
        }
    }

    /// A job that was on its way waits again, unless a newer change of the same message came meanwhile: that one takes its place, and
    /// its Orders with it.
    fn put_back(&mut self, job: Job) {
        let line = self.lines.entry(job.spot).or_default();
        let redraws = job.redraws.as_ref().filter(|_| job.is_whole());
        let newer = redraws.and_then(|message| line.take_redraw(message));
        let Some(mut newer) = newer else { return self.put(job) };
        self.length -= 1;
        newer.class = newer.class.min(job.class);
        newer.sends.splice(0..0, job.sends);
        self.put(newer);
    }

    /// The platform told how much is left of what such a call counts in.
    pub(crate) fn told(&mut self, what: &What, spot: Spot, told: &Told, now: Instant) {
        self.buckets.told(&Route::of(what, spot), told, now);
    }

    /// The platform wants to be left alone.
    pub(crate) fn limited(&mut self, what: &What, spot: Spot, until: Instant, global: bool) {
        self.buckets.limited(&Route::of(what, spot), until, global);
    }

    /// Everything that still waits, given up.
    pub(crate) fn drain(&mut self) -> Vec<Job> {
        self.length = 0;
        let lines = std::mem::take(&mut self.lines).into_values();
        lines.flat_map(|line| line.new.into_values().chain(line.edits.into_values())).collect()
    }

    fn put(&mut self, job: Job) {
        self.length += 1;
        let line = self.lines.entry(job.spot).or_default();
        let waiting = if job.edits() { &mut line.edits } else { &mut line.new };
        waiting.insert((job.class, job.number), job);
    }
}

impl Job {
    fn due(&self, buckets: &mut Buckets, now: Instant) -> Option<Instant> {
        let due = self.route().map_or(now, |route| buckets.due(&route, now));
        Some(self.not_before.map_or(due, |at| due.max(at)))
    }
}

impl Line {
    /// The first of the new messages, and of the changes.
    fn firsts(&self) -> impl Iterator<Item = &Job> {
        self.new.values().take(1).chain(self.edits.values().take(1))
    }

    /// What of it may go now, the most important.
    fn ready(&self, buckets: &mut Buckets, now: Instant) -> Option<(Class, u64, bool)> {
        let free = self.firsts().filter(|job| job.due(buckets, now).is_some_and(|due| due <= now));
        free.map(|job| (job.class, job.number, job.edits())).min()
    }

    /// The change of this message that waits, perhaps for its channel to be opened or its thread to be taken out of the archive.
    fn take_redraw(&mut self, message: &MessageId) -> Option<Job> {
        [&mut self.edits, &mut self.new].into_iter().find_map(|waiting| {
            let same = |job: &Job| job.redraws.as_ref() == Some(message) && job.is_whole();
            let key = waiting.iter().find(|(_, job)| same(job)).map(|(key, _)| *key)?;
            waiting.remove(&key)
        })
    }

    fn is_at_rest(&self) -> bool {
        !self.busy && self.new.is_empty() && self.edits.is_empty()
    }
}

#[cfg(test)]
mod tests;
