//! The end of every step: what each Prompt should look like is compared with what it looks like, and the difference is
//! ordered, one Order at a time for each Record and Place. Then what changed becomes facts.

use super::Relay;
use super::clock::Timer;
use super::facts::Fact;
use super::lanes::Urgency;
use super::state::{Dirty, Drawn, Flight, Pair, Phase, Posted, SendOf, Sent, Showing, Tracked};
use super::turn::Turn;
use crate::id::RecordKey;
use crate::limits::Limits;
use crate::port::Order;
use crate::prompt::Prompt;
use crate::time::Span;

/// How long an end is remembered for people who come late, once every Prompt is retired.
const REMEMBERED: Span = Span::seconds(24 * 60 * 60);

/// What of a Prompt can have changed: the message with the controls. Those before it hold only the Record's own texts.
fn changing(mut prompt: Box<Prompt>) -> Box<Prompt> {
    if !prompt.controls.is_empty() {
        let before = prompt.messages.len().saturating_sub(1);
        prompt.messages.drain(..before);
    }
    prompt
}

impl Relay {
    pub(super) fn settle(&mut self, turn: &mut Turn<'_>) {
        while let Some(pair) = turn.touched.pop_first() {
            self.settle_pair(turn, &pair);
            if let Some(next) = self.lanes.next(&pair.1.account) {
                turn.touch(&next);
            }
        }
    }

    /// Others may be the ones who may answer now: every open question is looked over.
    pub(super) fn name_people(&self, turn: &mut Turn<'_>) {
        for (key, tracked) in self.tracked.iter().filter(|(_, tracked)| tracked.is_open()) {
            for place in tracked.showings.keys() {
                turn.touch(&(key.clone(), place.clone()));
            }
        }
    }

    fn settle_pair(&mut self, turn: &mut Turn<'_>, pair: &Pair) {
        let Some(tracked) = self.tracked.get(&pair.0) else { return };
        let Some(showing) = tracked.showings.get(&pair.1) else { return };
        let Some(limits) = self.limits(&pair.1) else { return };
        if showing.flight.is_some() || showing.waits || !self.online.contains(&pair.1.account) {
            return;
        }
        let audience = self.audience(&tracked.record, limits);
        // Before people are known the line is not, and what is shown stays.
        let wanted = self.early.is_none().then_some(audience.as_str());
        let Some(sent) = missing(tracked, showing, limits, wanted) else {
            self.rest(&pair.0);
            return;
        };
        if self.lanes.enter(pair, urgency(sent)) {
            self.send(turn, pair, sent, audience);
        }
    }

    fn send(&mut self, turn: &mut Turn<'_>, pair: &Pair, sent: Sent, audience: String) {
        let Some(prompt) = self.draw(turn.now, pair, sent) else { return };
        let prompt = Box::new(prompt);
        let Some(showing) = self.showing_mut(pair) else { return };
        let (send, order) = match sent {
            Sent::Show(_) => {
                let send = showing.send.clone();
                (send.clone(), Order::Show { send, place: pair.1.clone(), prompt })
            }
            Sent::Redraw { copy, to } => {
                let Some(copy) = showing.copies.get(copy) else { return };
                let (send, receipt) = (turn.send_id(), copy.receipt.clone());
                let order = match to {
                    Drawn::Ended { .. } => Order::Retire { send: send.clone(), receipt, prompt },
                    _ => Order::Edit { send: send.clone(), receipt, prompt: changing(prompt) },
                };
                (send, order)
            }
        };
        showing.flight = Some(Flight { send: send.clone(), sent, audience });
        self.index.sends.insert(send, SendOf::Prompt(pair.clone()));
        turn.order(&pair.1, order);
    }

    /// Once an ended Record has nothing left to do, it is only remembered for a while.
    pub(super) fn rest(&mut self, key: &RecordKey) {
        let Some(tracked) = self.tracked.get(key) else { return };
        if tracked.is_open() || tracked.resting || !tracked.commands.is_empty() {
            return;
        }
        let done = tracked.showings.iter().all(|(place, showing)| {
            let limits = self.limits(place);
            showing.flight.is_none()
                && limits.is_none_or(|limits| missing(tracked, showing, limits, None).is_none())
        });
        if done && let Some(tracked) = self.tracked.get_mut(key) {
            tracked.resting = true;
            self.clock.after(REMEMBERED, Timer::Forget(key.clone()));
        }
    }

    /// Lets go of a Record that ended long ago.
    pub(super) fn forget(&mut self, turn: &mut Turn<'_>, key: &RecordKey) {
        if !self.tracked.get(key).is_some_and(|tracked| tracked.resting) {
            return;
        }
        let Some(tracked) = self.tracked.remove(key) else { return };
        turn.dirty.insert(Dirty::Record(key.clone()));
        for (place, showing) in &tracked.showings {
            let pair = (key.clone(), place.clone());
            self.index.remove(&pair, showing);
            if showing.draft.revision > 0 {
                turn.dirty.insert(Dirty::Draft(pair.clone()));
            }
            turn.dirty.insert(Dirty::Prompt(pair));
        }
    }

    /// What changed in this step, as facts.
    pub(super) fn changed(&mut self, turn: &mut Turn<'_>) -> Vec<Fact> {
        // An update whose step saves nothing may come again: handling it again changes nothing.
        if !turn.dirty.is_empty() {
            for key in std::mem::take(&mut turn.updates) {
                self.seen.save(&key);
                turn.dirty.insert(Dirty::Update(key));
            }
        }
        while let Some((key, saved)) = self.seen.expire(turn.now) {
            if saved {
                turn.dirty.insert(Dirty::Update(key));
            }
        }
        std::mem::take(&mut turn.dirty).iter().filter_map(|dirty| self.fact(dirty)).collect()
    }

    fn fact(&self, dirty: &Dirty) -> Option<Fact> {
        let kind = dirty.kind();
        match dirty {
            Dirty::Record(key) => Fact::of(kind, key, self.tracked.get(key)),
            Dirty::Prompt(pair) => Fact::of(kind, pair, self.showing(pair)),
            Dirty::Draft(pair) => {
                let draft = self.showing(pair).map(|showing| &showing.draft);
                Fact::of(kind, pair, draft.filter(|draft| draft.revision > 0))
            }
            Dirty::Command(resolution) => Fact::of(kind, resolution, self.commands.get(resolution)),
            Dirty::Input(seat) => Fact::of(kind, seat, self.inputs.get(seat)),
            Dirty::Moved(place) => Fact::of(kind, place, self.moved.get(place)),
            Dirty::Update(key) => Fact::of(kind, key, self.seen.saved(key).as_ref()),
        }
    }
}

/// What a Prompt's Place lacks, if anything. `audience` is the line about who may answer, if that is known.
fn missing(tracked: &Tracked, showing: &Showing, limits: &Limits, audience: Option<&str>) -> Option<Sent> {
    let revision = showing.draft.revision;
    if tracked.is_open() {
        if showing.failed.is_some() {
            return None;
        }
        if !showing.is_shown() {
            return Some(Sent::Show(revision));
        }
    }
    let known = tracked.phase == Phase::Ended;
    let redraws = limits.controls.is_some() && !showing.plain;
    let right = |copy: &Posted| match (tracked.phase, copy.drawn) {
        (_, Drawn::Left) => true,
        (Phase::Open, _) if copy.left_behind => true,
        // Text that cannot change, or shows no draft, is right as long as the question waits.
        (Phase::Open, Drawn::Open(drawn)) => {
            let names = audience.is_none_or(|line| copy.audience == line);
            !limits.edits || (names && (drawn == revision || !redraws))
        }
        (Phase::Open, Drawn::Unknown | Drawn::Ended { .. }) => !limits.edits,
        (_, Drawn::Ended { known: told }) => told || !known,
        (_, Drawn::Unknown | Drawn::Open(_)) => false,
    };
    let copy = showing.copies.iter().position(|copy| !right(copy))?;
    let to = if tracked.is_open() { Drawn::Open(revision) } else { Drawn::Ended { known } };
    Some(Sent::Redraw { copy, to })
}

const fn urgency(sent: Sent) -> Urgency {
    match sent {
        Sent::Show(_) | Sent::Redraw { to: Drawn::Ended { .. }, .. } => Urgency::Matter,
        Sent::Redraw { .. } => Urgency::Looks,
    }
}
