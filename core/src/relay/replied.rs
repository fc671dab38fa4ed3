//! A person did something. Presses, forms and texts come in here, each update once; every one that owes an acknowledgement
//! gets exactly one at once, and every delivery is confirmed after the save. What a reply means is decided in
//! `pressed` and `typed`.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Relay;
use super::state::{Posted, Seat, Text, update_key};
use super::turn::Turn;
use crate::id::Place;
use crate::permit::Refused;
use crate::port::{Acknowledgement, Act, Order, Reply};
use crate::token::Token;

/// A person who may not answer, or is not let in, is told so once within this time, in milliseconds.
const REFUSAL_PAUSE_MS: u64 = 60_000;

/// Most people whose last replies are remembered; then it starts anew, which repeats a note at worst.
const TOLD_MAX: usize = 10_000;

/// Most replies that wait at a start until people are known; one more is taken as it comes.
const EARLY_MAX: usize = 1_000;

/// What people were told last, so that nobody is told the same again and again.
#[derive(Debug, Default)]
pub(super) struct Told(BTreeMap<Seat, Last>);

#[derive(Debug, Default)]
struct Last {
    unclear: Option<u64>,
    refused: Option<(Refused, u64)>,
    turned_away: Option<u64>,
}

impl Told {
    /// Whether this reply is another one than the last that was not understood.
    pub(super) fn is_news(&mut self, seat: &Seat, reply: impl Hash) -> bool {
        let mut hasher = DefaultHasher::new();
        reply.hash(&mut hasher);
        let hash = hasher.finish();
        self.of(seat).unclear.replace(hash) != Some(hash)
    }

    /// Whether a refusal is due: another one than the last, or after a pause.
    pub(super) fn may_refuse(&mut self, seat: &Seat, why: Refused, steady: u64) -> bool {
        let last = self.of(seat);
        let told =
            |(before, at): (Refused, u64)| before == why && steady.saturating_sub(at) < REFUSAL_PAUSE_MS;
        let due = !last.refused.is_some_and(told);
        if due {
            last.refused = Some((why, steady));
        }
        due
    }

    /// Whether a stranger is due to be told that nobody is let in now.
    pub(super) fn may_turn_away(&mut self, seat: &Seat, steady: u64) -> bool {
        let last = self.of(seat);
        let due = last.turned_away.is_none_or(|at| steady.saturating_sub(at) >= REFUSAL_PAUSE_MS);
        if due {
            last.turned_away = Some(steady);
        }
        due
    }

    /// Something of theirs was understood.
    pub(super) fn understood(&mut self, seat: &Seat) {
        if let Some(last) = self.0.get_mut(seat) {
            last.unclear = None;
        }
    }

    fn of(&mut self, seat: &Seat) -> &mut Last {
        if self.0.len() >= TOLD_MAX && !self.0.contains_key(seat) {
            self.0.clear();
        }
        self.0.entry(seat.clone()).or_default()
    }
}

impl Relay {
    pub(super) fn replied(&mut self, turn: &mut Turn<'_>, mut reply: Reply) {
        // As it came: where it belongs is looked up once it is read, since its conversation may move meanwhile.
        if self.waits_for_people(turn, &reply) {
            return;
        }
        let about = self.follow(&mut reply);
        let key = update_key(&reply);
        if self.seen.contains(&key) {
            self.acknowledge(turn, &reply, Acknowledgement::Silent);
            if !self.delivered_again(&reply) {
                saved(turn, &reply);
            }
            return;
        }
        self.seen.insert(key.clone(), turn.now);
        if matches!(reply.act, Act::Text { .. }) {
            self.typed(turn, Text { reply, about, deliveries: 1 });
            return;
        }
        turn.updates.push(key);
        if let Some(place) = self.stands_in(&reply) {
            reply.place = place;
        }
        let with = match &reply.act {
            Act::Press { token, values, fields } => self.pressed(turn, &reply, token, (values, fields)),
            Act::Form { token, fields } => self.formed(turn, &reply, token, fields),
            Act::Text { .. } => Acknowledgement::Silent,
        };
        self.acknowledge(turn, &reply, with);
        saved(turn, &reply);
    }

    /// The Place of the Prompt that was pressed, where its platform named only the conversation around it: that of a message that
    /// it cannot show any more.
    fn stands_in(&self, reply: &Reply) -> Option<Place> {
        let Act::Press { token, .. } = &reply.act else { return None };
        let pair = self.index.nonces.get(&Token::parse(token)?.nonce)?;
        let message = reply.message.as_ref()?;
        let is_it = |copy: &Posted| !copy.left_behind && copy.receipt.messages.contains(message);
        let stands = pair.1.account == reply.place.account && self.showing(pair)?.copies.iter().any(is_it);
        stands.then(|| pair.1.clone())
    }

    /// Right after a start nobody is known yet, and whoever is quick must not be taken for a stranger.
    fn waits_for_people(&mut self, turn: &mut Turn<'_>, reply: &Reply) -> bool {
        let Some(early) = self.early.as_mut().filter(|early| early.len() < EARLY_MAX) else { return false };
        early.push(Reply { ack: None, ..reply.clone() });
        self.acknowledge(turn, reply, Acknowledgement::Silent);
        true
    }

    /// People are known: what they did before is looked at now.
    pub(super) fn know_people(&mut self, turn: &mut Turn<'_>) {
        for reply in self.early.take().into_iter().flatten() {
            self.replied(turn, reply);
        }
    }

    /// The one answer a reply gets at once: to its platform, where that waits for one; otherwise as a note.
    pub(super) fn acknowledge(&self, turn: &mut Turn<'_>, reply: &Reply, with: Acknowledgement) {
        if let Some(ack) = reply.ack {
            turn.order_now(&reply.place, Order::Acknowledge { ack, with });
            return;
        }
        match with {
            Acknowledgement::Toast(text) => note(turn, reply, text),
            Acknowledgement::Errors(errors) => {
                let words: Vec<String> = errors.into_iter().map(|(_, what)| what).collect();
                note(turn, reply, words.join(" "));
            }
            Acknowledgement::Silent | Acknowledgement::Later | Acknowledgement::Form { .. } => {}
        }
    }
}

/// A short word to the person alone, where the platform can.
pub(super) fn note(turn: &mut Turn<'_>, reply: &Reply, text: String) {
    let message = reply.message.as_ref().filter(|_| matches!(reply.act, Act::Text { .. }));
    turn.say(&reply.place, Some(&reply.sender.identity), message, text);
}

/// This delivery of the update may be confirmed once everything is saved.
pub(super) fn saved(turn: &mut Turn<'_>, reply: &Reply) {
    let (account, update) = (reply.place.account.clone(), reply.update.clone());
    turn.order(&reply.place, Order::Saved { account, update });
}
