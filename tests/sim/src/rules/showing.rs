//! Rules about Prompts: their tokens, one Order at a time, one name for one message, bounded queues, and no end before the end.

use std::collections::BTreeMap;

use askrelay_core::id::{Account, SendId};
use askrelay_core::port::{FailureKind, Order, Receipt, Reply};
use askrelay_core::record::State;
use askrelay_core::relay::{Effect, Out, Step};
use askrelay_core::token::{TOKEN_BYTES_MAX, Token};

use super::{Rules, Verdict, broken, send_of, text_of};

/// Most Orders of one Account under way; the relay says 32.
const UNDER_WAY_MAX: usize = 32;

impl Rules {
    pub(super) fn reported_shown(&mut self, send: &SendId, receipt: &Receipt) {
        let pair = self.flights.remove(send);
        if let Some(message) = receipt.messages.last()
            && let Some((_, known)) = self.copies.get_mut(&(receipt.place.clone(), message.clone()))
        {
            *known = true;
        }
        drop(pair);
    }

    pub(super) fn reported_failed(&mut self, send: &SendId, kind: FailureKind) {
        if let Some(pair) = self.flights.remove(send)
            && matches!(kind, FailureKind::MessageGone | FailureKind::Refused)
            && let Some((_, free)) = self.shows.get_mut(&pair)
        {
            *free = true;
        }
    }

    /// A press on a message lets the relay know of it.
    pub(super) fn reported_press(&mut self, reply: &Reply) {
        let Some(message) = &reply.message else { return };
        let askrelay_core::port::Act::Press { token, .. } = &reply.act else { return };
        let known = Token::parse(token).is_some_and(|token| self.nonces.contains_key(&token.nonce));
        let human = reply.sender.kind == askrelay_core::port::SenderKind::Human;
        if known
            && human
            && let Some((_, known)) = self.copies.get_mut(&(reply.place.clone(), message.clone()))
        {
            *known = true;
        }
    }

    /// Rule 5: tokens are short, opaque and each Prompt's own.
    pub(super) fn rule_05_tokens(&mut self, order: &Order) -> Verdict {
        let (Order::Show { prompt, .. } | Order::Edit { prompt, .. }) = order else { return Ok(()) };
        let Some(pair) = self.pair_of(order) else { return Ok(()) };
        for control in prompt.controls.iter().flatten() {
            let Some(token) = control.token() else { continue };
            let Some(parsed) = Token::parse(token).filter(|_| token.len() <= TOKEN_BYTES_MAX) else {
                return broken(5, format!("{token:?} is no token"));
            };
            // An honest nonce of 16 random bytes has no run of ten zeros.
            if parsed.nonce.to_string().contains("0000000000") {
                return broken(5, format!("{token:?} can be guessed"));
            }
            let owner = self.nonces.entry(parsed.nonce).or_insert_with(|| pair.clone());
            if *owner != pair {
                return broken(5, format!("{} in {} has the nonce of {}", pair.0, pair.1, owner.0));
            }
        }
        Ok(())
    }

    /// Rule 6: a Prompt is retired when its Record ended, not before.
    pub(super) fn rule_06_not_retired_early(&self, order: &Order) -> Verdict {
        let Order::Retire { .. } = order else { return Ok(()) };
        let Some((key, place)) = self.pair_of(order) else { return Ok(()) };
        match self.truths.get(&key) {
            Some(truth) if truth.state.is_pending() && !truth.forgotten => {
                broken(6, format!("{key} was retired in {place} while it waits"))
            }
            _ => Ok(()),
        }
    }

    /// Rule 2: everybody is shown the end that was recorded.
    pub(super) fn rule_02_the_end_as_it_was(&self, order: &Order) -> Verdict {
        let Order::Retire { prompt, .. } = order else { return Ok(()) };
        let Some((key, _)) = self.pair_of(order) else { return Ok(()) };
        let Some(truth) = self.truths.get(&key) else { return Ok(()) };
        let Some(Some(_)) = self.told.get(&key) else { return Ok(()) };
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = plain(&text_of(prompt));
        match &truth.state {
            State::Answered(answered) => {
                for question in truth.record.ask.questions.iter().filter(|question| !question.secret) {
                    let missing =
                        answered.answers.of(&question.id).iter().find(|value| !text.contains(&plain(value)));
                    if let Some(value) = missing {
                        return broken(2, format!("{key} was answered {value:?}, but shown is {text:?}"));
                    }
                }
                Ok(())
            }
            _ if text.contains("Answered") => {
                broken(2, format!("{key} was not answered, but shown is {text:?}"))
            }
            _ => Ok(()),
        }
    }

    /// Rule 11: no more Orders under way than a queue holds.
    pub(super) fn rule_11_bounded_orders(&self, step: &Step) -> Verdict {
        let mut under_way: BTreeMap<&Account, usize> = BTreeMap::new();
        for effect in &step.effects {
            let (Effect::Now(out) | Effect::AfterSave(out)) = effect;
            if let Out::Order(account, order) = out
                && send_of(order).is_some()
            {
                *under_way.entry(account).or_default() += 1;
            }
        }
        for (account, more) in under_way {
            let before = self.flights.values().filter(|pair| pair.1.account == *account).count();
            if before + more > UNDER_WAY_MAX {
                return broken(11, format!("{account} has {} Orders under way", before + more));
            }
        }
        Ok(())
    }

    /// Rule 13: one Order at a time for a Record in a Place.
    pub(super) fn rule_13_one_order_at_a_time(&mut self, order: &Order) -> Verdict {
        let (Some(send), Some(pair)) = (send_of(order).cloned(), self.pair_of(order)) else { return Ok(()) };
        if let Some((before, _)) = self.flights.iter().find(|(_, under_way)| **under_way == pair) {
            return broken(13, format!("{send} was ordered for {} while {before} is under way", pair.0));
        }
        self.flights.insert(send, pair);
        Ok(())
    }

    /// Rule 13: a message has one name over all tries.
    pub(super) fn rule_13_one_name_for_one_message(&mut self, out: &Out) -> Verdict {
        let Out::Order(_, order @ Order::Show { send, .. }) = out else { return Ok(()) };
        let Some(pair) = self.pair_of(order) else { return Ok(()) };
        let before = self.shows.insert(pair.clone(), (send.clone(), false));
        match before {
            Some((before, free)) if before != *send && !free => {
                broken(13, format!("{} is shown as {send}, after {before}", pair.0))
            }
            _ => Ok(()),
        }
    }
}
