//! Inputs for own words that a person's own press opened: the message that asks for them, until it is there, and what becomes
//! of it. What the words mean is decided in `typed`.

use super::Relay;
use super::clock::Timer;
use super::shown::growing;
use super::state::{Dirty, Input, Pair, Seat, SendOf};
use super::turn::Turn;
use crate::id::{Account, Place, SendId};
use crate::port::{Failure, FailureKind, Order, Receipt, Reply};
use crate::prompt::wording;
use crate::time::Span;

impl Relay {
    /// A press wants own words for a question, where its acknowledgement cannot open an input.
    pub(super) fn open_input(&mut self, turn: &mut Turn<'_>, reply: &Reply, pair: &Pair, question: usize) {
        let seat: Seat = (reply.place.clone(), reply.sender.identity.clone());
        let asking = |input: &Input| input.key == pair.0 && input.question == question && !input.there;
        if !self.inputs.get(&seat).is_some_and(asking) {
            self.drop_input(turn, &seat);
            let send = turn.send_id();
            let at = reply.at.min(turn.now);
            let input = Input::new(pair.0.clone(), question, (send.clone(), at), reply.message.clone());
            self.put_input(turn, seat.clone(), send, input);
        }
        self.ask_for_words(turn, &seat);
    }

    fn put_input(&mut self, turn: &mut Turn<'_>, seat: Seat, send: SendId, input: Input) {
        self.index.sends.insert(send, SendOf::Input(seat.clone()));
        self.inputs.insert(seat.clone(), input);
        turn.dirty.insert(Dirty::Input(seat));
    }

    /// Orders the message that asks for the words, unless it is there, under way, or cannot be ordered now. Given again under
    /// its own name until it is reported on: whoever pressed waits for it.
    fn ask_for_words(&mut self, turn: &mut Turn<'_>, seat: &Seat) {
        let Some(input) = self.inputs.get(seat) else { return };
        if input.there || input.asking || input.waits || !self.online.contains(&seat.0.account) {
            return;
        }
        let Some(tracked) = self.tracked.get(&input.key) else { return };
        let Some(showing) = tracked.showings.get(&seat.0) else { return };
        let Some(asked) = tracked.questions().get(input.question) else { return };
        if showing.newest().is_none() && !showing.copies.is_empty() {
            // The conversation moved: the question itself comes first.
            return;
        }
        let pressed = showing.copies.iter().find(|copy| {
            let holds = |message| copy.receipt.messages.contains(message);
            !copy.left_behind && input.pressed.as_ref().is_some_and(holds)
        });
        let copy = pressed.or_else(|| showing.newest()).map(|copy| copy.receipt.clone());
        let receipt = copy.unwrap_or_else(|| Receipt { place: seat.0.clone(), messages: Vec::new() });
        let order = Order::AskForText {
            send: input.send.clone(),
            place: seat.0.clone(),
            to: seat.1.clone(),
            text: wording::input_request(asked),
            placeholder: asked.placeholder.clone(),
            receipt,
        };
        turn.order(&seat.0, order);
        if let Some(input) = self.inputs.get_mut(seat) {
            input.asking = true;
        }
    }

    /// Asks for the words of every input there that still waits for its message.
    fn ask_where(&mut self, turn: &mut Turn<'_>, there: impl Fn(&Place) -> bool) {
        let waiting = self.inputs.iter().filter(|(seat, input)| !input.there && there(&seat.0));
        for seat in waiting.map(|(seat, _)| seat.clone()).collect::<Vec<_>>() {
            self.ask_for_words(turn, &seat);
        }
    }

    /// A Prompt arrived in the Place.
    pub(super) fn ask_in(&mut self, turn: &mut Turn<'_>, place: &Place) {
        self.ask_where(turn, |there| there == place);
    }

    /// The Account is connected.
    pub(super) fn ask_at(&mut self, turn: &mut Turn<'_>, account: &Account) {
        self.ask_where(turn, |there| there.account == *account);
    }

    /// The Account is gone, and with it every message that was under way.
    pub(super) fn lose_asking(&mut self, account: &Account) {
        for (_, input) in self.inputs.iter_mut().filter(|(seat, _)| seat.0.account == *account) {
            (input.asking, input.waits, input.tries) = (false, false, 0);
        }
    }

    /// It was waited long enough.
    pub(super) fn ask_again(&mut self, turn: &mut Turn<'_>, seat: &Seat) {
        if let Some(input) = self.inputs.get_mut(seat) {
            input.waits = false;
        }
        self.ask_for_words(turn, seat);
    }

    /// The message that asks for own words is there.
    pub(super) fn input_shown(
        &mut self,
        turn: &mut Turn<'_>,
        seat: &Seat,
        receipt: &Receipt,
        position: Option<i64>,
    ) {
        let Some(input) = self.inputs.get_mut(seat) else { return };
        (input.asking, input.waits) = (false, false);
        if receipt.place == seat.0 {
            input.message = receipt.messages.last().cloned();
            input.position = position;
            input.there = true;
            turn.dirty.insert(Dirty::Input(seat.clone()));
            self.arrived(turn, &seat.0);
        } else {
            self.ask_anew(turn, seat);
        }
    }

    /// It could not be asked for now, or not at all: then the person can still reply to the Prompt.
    pub(super) fn input_failed(&mut self, turn: &mut Turn<'_>, seat: &Seat, failure: &Failure) {
        match failure.kind {
            FailureKind::Later(span) => self.put_off_asking(seat, Some(span)),
            FailureKind::Unknown => self.put_off_asking(seat, None),
            FailureKind::Unreachable | FailureKind::MessageGone | FailureKind::Refused => {
                let key = self.inputs.get(seat).map(|input| input.key.clone());
                self.drop_input(turn, seat);
                if let Some(key) = key {
                    let message = self
                        .showing(&(key, seat.0.clone()))
                        .and_then(|showing| showing.newest()?.receipt.messages.last().cloned());
                    turn.say(&seat.0, Some(&seat.1), message.as_ref(), wording::input_failed());
                }
                self.arrived(turn, &seat.0);
            }
        }
    }

    fn put_off_asking(&mut self, seat: &Seat, delay: Option<Span>) {
        let Some(input) = self.inputs.get_mut(seat) else { return };
        let delay = growing(delay, input.tries);
        (input.asking, input.waits) = (false, true);
        input.tries = input.tries.saturating_add(1);
        self.clock.after(delay, Timer::Ask(seat.clone()));
    }

    /// The conversation moved; what asks in the old one is answered by nobody any more.
    pub(super) fn move_input(&mut self, turn: &mut Turn<'_>, from: &Seat, to: &Place) {
        let Some(input) = self.inputs.remove(from) else { return };
        turn.dirty.insert(Dirty::Input(from.clone()));
        let seat: Seat = (to.clone(), from.1.clone());
        self.drop_input(turn, &seat);
        let input = Input { message: None, position: None, pressed: None, there: false, ..input };
        let (send, under_way) = (input.send.clone(), input.asking);
        self.put_input(turn, seat.clone(), send, input);
        if !under_way {
            self.ask_anew(turn, &seat);
        }
    }

    /// Asks with another message, also on a platform that drops repeats.
    fn ask_anew(&mut self, turn: &mut Turn<'_>, seat: &Seat) {
        let Some(input) = self.inputs.remove(seat) else { return };
        self.forget_send(&input.send);
        let send = turn.send_id();
        let input = Input { send: send.clone(), ..input };
        self.put_input(turn, seat.clone(), send, input);
        self.ask_for_words(turn, seat);
    }

    pub(super) fn drop_input(&mut self, turn: &mut Turn<'_>, seat: &Seat) {
        if let Some(input) = self.inputs.remove(seat) {
            self.forget_send(&input.send);
            turn.dirty.insert(Dirty::Input(seat.clone()));
        }
    }
}
