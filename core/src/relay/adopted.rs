//! Records of gateways that are not ours: taken over with the creator that the configuration gives them, routed by their own
//! rules, and remembered with the start of the gateway that knew them. Decides nothing about who may answer.

use std::sync::Arc;

use super::Relay;
use super::state::Dirty;
use super::turn::Turn;
use crate::foreign::Foreign;
use crate::id::RecordKey;
use crate::record::Record;
use crate::route::Routed;

impl Relay {
    /// The Record as the relay takes it: our own gateway's as it is. Rights count as they were when it was first heard of.
    pub(super) fn adopted(&self, record: Arc<Record>) -> Arc<Record> {
        let Some(foreign) = self.config.foreign.get(&record.key.gateway) else { return record };
        let creator = match self.tracked.get(&record.key) {
            Some(tracked) => tracked.record.ask.creator.clone(),
            None => foreign.creator(&record.ask.origin, &self.people),
        };
        Foreign::adopted(&record, creator)
    }

    /// Gives the open Records of other gateways their creators anew, as soon as people are known: nobody was, or the
    /// configuration gives them to somebody else since.
    pub(super) fn adopt_again(&mut self, turn: &mut Turn<'_>) {
        if self.early.is_none() {
            return;
        }
        for (key, tracked) in self.tracked.iter_mut().filter(|(_, tracked)| tracked.is_open()) {
            let Some(foreign) = self.config.foreign.get(&key.gateway) else { continue };
            let creator = foreign.creator(&tracked.record.ask.origin, &self.people);
            if creator.person != tracked.record.ask.creator.person {
                tracked.record = Foreign::adopted(&tracked.record, creator);
                turn.dirty.insert(Dirty::Record(key.clone()));
            }
        }
    }

    /// Where the Record is to be shown.
    pub(super) fn routed(&self, record: &Record) -> Routed {
        let routes = &self.config.routes;
        match self.config.foreign.get(&record.key.gateway) {
            Some(foreign) if !foreign.rules.is_empty() => routes.by(&foreign.rules, &record.ask),
            _ => routes.of(&record.ask),
        }
    }

    /// Remembers which start of its gateway knew the Record last.
    pub(super) fn known_by_this_start(&mut self, turn: &mut Turn<'_>, key: &RecordKey) {
        let boot = self.links.get(&key.gateway).and_then(|link| link.boot.as_ref());
        if let (Some(boot), Some(tracked)) = (boot, self.tracked.get_mut(key))
            && tracked.is_open()
            && tracked.boot.as_ref() != Some(boot)
        {
            tracked.boot = Some(boot.clone());
            turn.dirty.insert(Dirty::Record(key.clone()));
        }
    }
}
