//! What became of an Order: its message is there, or not. Surfaces coming and going. Decides what a failure means for the
//! Place; what to order next is decided at the end of the step.

use super::Relay;
use super::clock::Timer;
use super::state::{Dirty, Drawn, Flight, Pair, Posted, SendOf, Sent};
use super::turn::Turn;
use crate::id::{Account, MessageId, SendId};
use crate::port::{Failure, FailureKind, Receipt};
use crate::time::Span;

/// A platform that says "later" without saying when, and the first wait after an outcome nobody knows.
const RETRY_MIN: Span = Span::seconds(1);

/// The longest wait after outcomes nobody knows; a platform's own delay may be longer.
const RETRY_MAX: Span = Span::seconds(60);

/// How often a message that vanished is replaced before its Place counts as out of reach.
const REPLACED_MAX: u32 = 3;

impl Relay {
    pub(super) fn shown(
        &mut self,
        turn: &mut Turn<'_>,
        send: &SendId,
        receipt: Receipt,
        position: Option<i64>,
    ) {
        match self.index.sends.get(send).cloned() {
            None => {}
            Some(SendOf::Input(seat)) => self.input_shown(turn, &seat, &receipt, position),
            Some(SendOf::Prompt(pair)) => {
                match self.landed(&pair, send) {
                    Some(Flight { sent: Sent::Show(revision), audience, .. }) => {
                        self.post(turn, &pair, (receipt, position), (Drawn::Open(revision), audience));
                    }
                    Some(Flight { sent: Sent::Redraw { copy, to }, audience, .. }) => {
                        self.redrawn(turn, &pair, copy, receipt, (to, audience));
                    }
                    // Reported late: the message is there all the same.
                    None => self.post(turn, &pair, (receipt, position), (Drawn::Unknown, String::new())),
                }
                turn.touch(&pair);
                self.ask_in(turn, &pair.1);
                self.arrived(turn, &pair.1);
            }
        }
    }

    /// Takes the pair's flight of that id down.
    fn landed(&mut self, pair: &Pair, send: &SendId) -> Option<Flight> {
        let showing = self.showing_mut(pair)?;
        let flight = showing.flight.take_if(|flight| flight.send == *send)?;
        if !matches!(flight.sent, Sent::Show(_)) {
            self.forget_send(send);
        }
        self.lanes.leave(pair);
        Some(flight)
    }

    fn redrawn(
        &mut self,
        turn: &mut Turn<'_>,
        pair: &Pair,
        copy: usize,
        receipt: Receipt,
        (to, audience): (Drawn, String),
    ) {
        let Some(showing) = self.tracked.get_mut(&pair.0).and_then(|t| t.showings.get_mut(&pair.1)) else {
            return;
        };
        showing.tries = 0;
        let Some(copy) = showing.copies.get_mut(copy) else { return };
        if copy.audience != audience {
            turn.dirty.insert(Dirty::Prompt(pair.clone()));
        }
        (copy.drawn, copy.audience) = (to, audience);
        if copy.receipt != receipt && !copy.left_behind {
            self.index.remove_receipt(&copy.receipt);
            self.index.add_receipt(&pair.0, &receipt);
            copy.receipt = receipt;
            turn.dirty.insert(Dirty::Prompt(pair.clone()));
        }
        // A lost redraw of an open question is drawn once more after a restart; an end is saved.
        if let Drawn::Ended { known } = to {
            if known {
                turn.note_prompt("prompt.retired", pair, None);
            }
            turn.dirty.insert(Dirty::Prompt(pair.clone()));
        }
    }

    /// A message shows the Prompt.
    pub(super) fn post(
        &mut self,
        turn: &mut Turn<'_>,
        pair: &Pair,
        (receipt, position): (Receipt, Option<i64>),
        (drawn, audience): (Drawn, String),
    ) {
        let at = turn.now;
        let left_behind = receipt.place != pair.1;
        let Some(showing) = self.tracked.get_mut(&pair.0).and_then(|t| t.showings.get_mut(&pair.1)) else {
            return;
        };
        showing.tries = 0;
        self.index.add_receipt(&pair.0, &receipt);
        turn.dirty.insert(Dirty::Prompt(pair.clone()));
        turn.touch(pair);
        let same = |copy: &&mut Posted| {
            copy.receipt.place == receipt.place && copy.receipt.messages.last() == receipt.messages.last()
        };
        if let Some(copy) = showing.copies.iter_mut().find(same) {
            // A press told of it before: now all of its messages are known.
            if copy.receipt.messages.len() < receipt.messages.len() {
                copy.receipt = receipt;
            }
            copy.position = copy.position.or(position);
            (copy.drawn, copy.audience) = (drawn, audience);
        } else {
            turn.note_prompt("prompt.shown", pair, None);
            showing.copies.push(Posted { receipt, position, at, drawn, audience, left_behind });
        }
    }

    /// A press on a message nobody knew of: its Receipt was lost on the way, and here it is.
    pub(super) fn supply_receipt(&mut self, turn: &mut Turn<'_>, pair: &Pair, message: Option<&MessageId>) {
        let Some(message) = message else { return };
        if self.index.shown_by(&pair.1, message).is_some() {
            return;
        }
        let receipt = Receipt { place: pair.1.clone(), messages: vec![message.clone()] };
        self.post(turn, pair, (receipt, None), (Drawn::Unknown, String::new()));
    }

    pub(super) fn failed(&mut self, turn: &mut Turn<'_>, send: &SendId, failure: &Failure) {
        match self.index.sends.get(send).cloned() {
            None => {}
            Some(SendOf::Input(seat)) => self.input_failed(turn, &seat, failure),
            Some(SendOf::Prompt(pair)) => {
                match self.landed(&pair, send) {
                    Some(Flight { sent: Sent::Show(_), .. }) => self.show_failed(turn, &pair, failure),
                    Some(Flight { sent: Sent::Redraw { copy, to }, audience, .. }) => {
                        self.redraw_failed(turn, &pair, copy, (to, audience), failure);
                    }
                    None => {}
                }
                turn.touch(&pair);
                self.arrived(turn, &pair.1);
            }
        }
    }

    fn show_failed(&mut self, turn: &mut Turn<'_>, pair: &Pair, failure: &Failure) {
        let has_controls = self.limits(&pair.1).is_some_and(|limits| limits.controls.is_some());
        let fresh = turn.send_id();
        let Some(showing) = self.showing_mut(pair) else { return };
        match failure.kind {
            FailureKind::Later(span) => self.wait(pair, Some(span)),
            FailureKind::Unknown => {
                showing.doubtful = true;
                self.index.doubt(pair);
                self.wait(pair, None);
            }
            FailureKind::Refused if has_controls && !showing.plain => {
                showing.plain = true;
                self.rename(turn, pair, fresh);
            }
            FailureKind::Unreachable | FailureKind::MessageGone | FailureKind::Refused => {
                self.give_up(turn, pair, &failure.why);
            }
        }
    }

    fn redraw_failed(
        &mut self,
        turn: &mut Turn<'_>,
        pair: &Pair,
        index: usize,
        (to, audience): (Drawn, String),
        failure: &Failure,
    ) {
        let fresh = turn.send_id();
        let ending = matches!(to, Drawn::Ended { .. });
        let Some(showing) = self.showing_mut(pair) else { return };
        let Some(copy) = showing.copies.get_mut(index) else { return };
        match failure.kind {
            FailureKind::Later(span) => return self.wait(pair, Some(span)),
            FailureKind::Unknown => return self.wait(pair, None),
            FailureKind::MessageGone if ending => {
                turn.note_prompt("prompt.gone", pair, Some(failure.why.clone()));
                copy.drawn = Drawn::Left;
            }
            FailureKind::MessageGone => return self.vanished(turn, pair, index, fresh),
            FailureKind::Refused if ending && !showing.short => showing.short = true,
            FailureKind::Refused if !ending && !showing.plain => {
                showing.plain = true;
                copy.drawn = Drawn::Unknown;
            }
            FailureKind::Unreachable | FailureKind::Refused if ending => {
                turn.note_prompt("prompt.not_retired", pair, Some(failure.why.clone()));
                copy.drawn = Drawn::Left;
            }
            // These looks cannot be had; the end is told all the same.
            FailureKind::Unreachable | FailureKind::Refused => (copy.drawn, copy.audience) = (to, audience),
        }
        turn.dirty.insert(Dirty::Prompt(pair.clone()));
    }

    /// The message of a question that still waits is not there any more: it is shown again, unless that never ends.
    fn vanished(&mut self, turn: &mut Turn<'_>, pair: &Pair, index: usize, fresh: SendId) {
        let Some(showing) = self.showing_mut(pair) else { return };
        let gone = showing.copies.remove(index);
        showing.replaced += 1;
        let hopeless = !showing.is_shown() && showing.replaced > REPLACED_MAX;
        self.index.remove_receipt(&gone.receipt);
        self.rename(turn, pair, fresh);
        if hopeless {
            self.give_up(turn, pair, "its messages keep disappearing");
        }
    }

    /// It cannot be shown there.
    fn give_up(&mut self, turn: &mut Turn<'_>, pair: &Pair, why: &str) {
        let Some(showing) = self.showing_mut(pair) else { return };
        showing.failed = Some(why.to_owned());
        turn.note_prompt("prompt.not_delivered", pair, Some(why.to_owned()));
        turn.dirty.insert(Dirty::Prompt(pair.clone()));
        self.check_reached(turn, &pair.0);
    }

    /// The next message is another one, also for a platform that drops repeats.
    fn rename(&mut self, turn: &mut Turn<'_>, pair: &Pair, fresh: SendId) {
        let Some(showing) = self.showing_mut(pair) else { return };
        let before = std::mem::replace(&mut showing.send, fresh.clone());
        self.forget_send(&before);
        self.index.sends.insert(fresh, SendOf::Prompt(pair.clone()));
        turn.dirty.insert(Dirty::Prompt(pair.clone()));
    }

    /// The pair's order is tried again after the platform's delay, or after a growing one of our own.
    fn wait(&mut self, pair: &Pair, delay: Option<Span>) {
        let Some(showing) = self.showing_mut(pair) else { return };
        let delay = growing(delay, showing.tries);
        showing.tries = showing.tries.saturating_add(1);
        showing.waits = true;
        self.clock.after(delay, Timer::Retry(pair.clone()));
    }

    pub(super) fn retry(&mut self, turn: &mut Turn<'_>, pair: &Pair) {
        if let Some(showing) = self.showing_mut(pair) {
            showing.waits = false;
            turn.touch(pair);
        }
    }

    /// A surface is connected: everything it should show is looked over.
    pub(super) fn account_online(&mut self, turn: &mut Turn<'_>, account: Account) {
        for (key, tracked) in &self.tracked {
            for place in tracked.showings.keys().filter(|place| place.account == account) {
                turn.touch(&(key.clone(), place.clone()));
            }
        }
        self.online.insert(account.clone());
        self.ask_at(turn, &account);
    }

    /// A surface is gone, and with it every Order that it did not report on.
    pub(super) fn account_offline(&mut self, account: &Account) {
        self.online.remove(account);
        self.lanes.clear(account);
        let places = self.tracked.iter_mut().flat_map(|(key, tracked)| {
            tracked.showings.iter_mut().map(move |(place, showing)| (key, place, showing))
        });
        for (key, place, showing) in places.filter(|(_, place, _)| place.account == *account) {
            match showing.flight.take() {
                Some(Flight { sent: Sent::Show(_), .. }) => {
                    showing.doubtful = true;
                    self.index.doubt(&(key.clone(), place.clone()));
                }
                Some(Flight { send, .. }) => {
                    self.index.sends.remove(&send);
                }
                None => {}
            }
            showing.waits = false;
            showing.tries = 0;
        }
        self.lose_asking(account);
    }
}

/// How long to wait: the platform's own delay, or one that grows with the tries.
pub(super) fn growing(delay: Option<Span>, tries: u32) -> Span {
    let own = Span(RETRY_MIN.0.saturating_mul(1 << tries.min(10)));
    delay.unwrap_or(own.min(RETRY_MAX)).max(RETRY_MIN)
}
