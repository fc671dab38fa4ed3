//! Ways to find a pair: by a token's nonce, an Order's id, a message of a Prompt, a Place. Derived from the state, never
//! saved; holds nothing that the state does not.

use std::collections::{BTreeMap, BTreeSet};

use super::state::{Pair, Phase, SendOf, Showing};
use crate::id::{MessageId, Place, RecordKey, SendId};
use crate::port::Receipt;
use crate::token::Nonce;

/// Every way.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) nonces: BTreeMap<Nonce, Pair>,
    pub(super) sends: BTreeMap<SendId, SendOf>,
    messages: BTreeMap<Place, BTreeMap<MessageId, RecordKey>>,
    open: BTreeMap<Place, BTreeSet<RecordKey>>,
    doubtful: BTreeMap<Place, BTreeSet<RecordKey>>,
}

impl Index {
    /// Takes in a pair with all that leads to it.
    pub(super) fn add(&mut self, pair: &Pair, showing: &Showing, phase: Phase) {
        for nonce in showing.nonces.iter().chain([&showing.nonce]) {
            self.nonces.insert(*nonce, pair.clone());
        }
        self.sends.insert(showing.send.clone(), SendOf::Prompt(pair.clone()));
        for copy in &showing.copies {
            self.add_receipt(&pair.0, &copy.receipt);
        }
        if let Some(flight) = &showing.flight {
            self.sends.insert(flight.send.clone(), SendOf::Prompt(pair.clone()));
        }
        if showing.doubtful {
            self.doubt(pair);
        }
        if phase == Phase::Open {
            self.reopen(pair);
        }
    }

    /// A message of the pair may be there that nobody knows of.
    pub(super) fn doubt(&mut self, pair: &Pair) {
        self.doubtful.entry(pair.1.clone()).or_default().insert(pair.0.clone());
    }

    /// Whether the Place may hold Prompts that nobody knows of.
    pub(super) fn is_doubtful(&self, place: &Place) -> bool {
        self.doubtful.contains_key(place)
    }

    /// Lets go of a pair and all that leads to it.
    pub(super) fn remove(&mut self, pair: &Pair, showing: &Showing) {
        for nonce in showing.nonces.iter().chain([&showing.nonce]) {
            self.nonces.remove(nonce);
        }
        self.sends.remove(&showing.send);
        if let Some(flight) = &showing.flight {
            self.sends.remove(&flight.send);
        }
        for copy in &showing.copies {
            self.remove_receipt(&copy.receipt);
        }
        self.close(pair);
        without(&mut self.doubtful, pair);
    }

    /// The pair's Record waits no more.
    pub(super) fn close(&mut self, pair: &Pair) {
        without(&mut self.open, pair);
    }

    pub(super) fn reopen(&mut self, pair: &Pair) {
        self.open.entry(pair.1.clone()).or_default().insert(pair.0.clone());
    }

    /// The open Records of a Place, oldest name first.
    pub(super) fn open_in(&self, place: &Place) -> impl Iterator<Item = &RecordKey> {
        self.open.get(place).into_iter().flatten()
    }

    pub(super) fn add_receipt(&mut self, key: &RecordKey, receipt: &Receipt) {
        let messages = self.messages.entry(receipt.place.clone()).or_default();
        for message in &receipt.messages {
            messages.insert(message.clone(), key.clone());
        }
    }

    pub(super) fn remove_receipt(&mut self, receipt: &Receipt) {
        let Some(messages) = self.messages.get_mut(&receipt.place) else { return };
        for message in &receipt.messages {
            messages.remove(message);
        }
        if messages.is_empty() {
            self.messages.remove(&receipt.place);
        }
    }

    /// The Record that a message of that Place shows.
    pub(super) fn shown_by(&self, place: &Place, message: &MessageId) -> Option<&RecordKey> {
        self.messages.get(place)?.get(message)
    }
}

/// Takes the pair out, and its Place with the last one.
fn without(all: &mut BTreeMap<Place, BTreeSet<RecordKey>>, pair: &Pair) {
    if let Some(keys) = all.get_mut(&pair.1) {
        keys.remove(&pair.0);
        if keys.is_empty() {
            all.remove(&pair.1);
        }
    }
}
