//! One step in the making: the time, fresh ids, what changed and what is to be done. Decides nothing.

use std::collections::BTreeSet;

use super::state::{Dirty, Pair};
use super::{Effect, Out};
use crate::answer::Actor;
use crate::audit::Entry;
use crate::id::{Fresh, GatewayId, Identity, MessageId, Place, RecordKey, ResolutionId, SendId};
use crate::permit::Refused;
use crate::port::{Command, Knock, Order};
use crate::time::Time;
use crate::token::Nonce;

/// One step in the making.
pub(super) struct Turn<'a> {
    pub(super) now: Time,
    fresh: &'a mut dyn Fresh,
    pub(super) effects: Vec<Effect>,
    pub(super) audit: Vec<Entry>,
    pub(super) dirty: BTreeSet<Dirty>,
    /// Pairs whose desired state or lane changed: what to order next is decided at the end of the step.
    pub(super) touched: BTreeSet<Pair>,
    /// Updates whose effects this step holds.
    pub(super) updates: Vec<super::seen::Key>,
}

impl<'a> Turn<'a> {
    pub(super) const fn new(now: Time, fresh: &'a mut dyn Fresh) -> Self {
        Self {
            now,
            fresh,
            effects: Vec::new(),
            audit: Vec::new(),
            dirty: BTreeSet::new(),
            touched: BTreeSet::new(),
            updates: Vec::new(),
        }
    }

    pub(super) fn touch(&mut self, pair: &Pair) {
        self.touched.insert(pair.clone());
    }

    /// An Order to be carried out at once, decided from memory alone.
    pub(super) fn order_now(&mut self, place: &Place, order: Order) {
        self.effects.push(Effect::Now(Out::Order(place.account.clone(), order)));
    }

    /// An Order to be carried out once everything it rests on is saved.
    pub(super) fn order(&mut self, place: &Place, order: Order) {
        self.effects.push(Effect::AfterSave(Out::Order(place.account.clone(), order)));
    }

    pub(super) fn command(&mut self, gateway: &GatewayId, command: Command) {
        self.effects.push(Effect::AfterSave(Out::Command(gateway.clone(), command)));
    }

    pub(super) fn knock(&mut self, gateway: &GatewayId, knock: Knock) {
        self.effects.push(Effect::AfterSave(Out::Knock(gateway.clone(), knock)));
    }

    pub(super) fn notified(&mut self, gateway: &GatewayId, number: u64, places: usize) {
        self.effects.push(Effect::AfterSave(Out::Notified(gateway.clone(), number, places)));
    }

    /// Says one short thing; to one person alone where the platform can.
    pub(super) fn say(
        &mut self,
        place: &Place,
        to: Option<&Identity>,
        reply_to: Option<&MessageId>,
        text: String,
    ) {
        let order = Order::Say { place: place.clone(), to: to.cloned(), reply_to: reply_to.cloned(), text };
        self.order(place, order);
    }

    /// A line of the trail about a Prompt of this pair.
    pub(super) fn note_prompt(&mut self, what: &str, pair: &Pair, detail: Option<String>) {
        self.audit.push(Entry {
            record: Some(pair.0.clone()),
            place: Some(pair.1.clone()),
            detail,
            ..Entry::new(self.now, what)
        });
    }

    /// A line of the trail about somebody who may not.
    pub(super) fn note_refusal(&mut self, record: Option<&RecordKey>, actor: Actor, why: Refused) {
        self.audit.push(Entry {
            actor: Some(actor),
            record: record.cloned(),
            detail: Some(why.name().to_owned()),
            ..Entry::new(self.now, "answer.refused")
        });
    }

    pub(super) fn nonce(&mut self) -> Nonce {
        Nonce::fresh(self.fresh)
    }

    pub(super) fn resolution(&mut self) -> ResolutionId {
        hexadecimal(&self.fresh.bytes()).into()
    }

    /// Twelve bytes, because the shortest idempotency key of a platform (Discord's nonce) takes 25 characters.
    pub(super) fn send_id(&mut self) -> SendId {
        let [a, b, c, d, e, f, g, h, i, j, k, l, ..] = self.fresh.bytes();
        hexadecimal(&[a, b, c, d, e, f, g, h, i, j, k, l]).into()
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
