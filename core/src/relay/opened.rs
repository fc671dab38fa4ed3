//! A Record opened, or a snapshot says that it is open: where it is shown is decided here, once. Also what happens when it
//! reaches no Place, and the one reminder before its end.

use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::Relay;
use super::clock::Timer;
use super::state::{Dirty, Drawn, Phase, Showing, Tracked};
use super::turn::Turn;
use crate::id::{GatewayId, RecordKey};
use crate::port::CommandAct;
use crate::prompt::wording;
use crate::record::{Record, WhyCancelled};
use crate::time::Span;

/// A reminder this close to the end would only disturb.
const REMIND_REST_MIN: Span = Span::seconds(30);

impl Relay {
    pub(super) fn opened(&mut self, turn: &mut Turn<'_>, record: Arc<Record>) {
        if !record.state.is_pending() {
            self.closed(turn, &record);
            return;
        }
        let key = record.key.clone();
        if let Some(link) = self.links.get_mut(&key.gateway)
            && let Some(mentioned) = &mut link.mentioned
        {
            mentioned.insert(key.clone());
        }
        match self.tracked.get(&key).map(|tracked| tracked.phase) {
            None => self.track(turn, record),
            Some(Phase::Lost) => self.reopen(turn, &key),
            // Final is final: a page of a snapshot may be older than the end that was told.
            Some(Phase::Open | Phase::Ended) => {}
        }
        self.known_by_this_start(turn, &key);
    }

    fn track(&mut self, turn: &mut Turn<'_>, record: Arc<Record>) {
        let mut routed = self.routed(&record);
        let asked_for =
            record.ask.needs_surface || !record.ask.places.is_empty() || !routed.places.is_empty();
        let ours = self.config.delivers_for.as_ref() == Some(&record.key.gateway);
        // Whoever sits at the asking terminal was reached already.
        let must_reach = ours && asked_for && record.ask.terminal_proof.is_none();
        let mut tracked = Tracked::new(Arc::clone(&record));
        tracked.must_reach = must_reach;
        let key = record.key.clone();
        // Its own fact may have been lost where those of its Commands were not.
        let kept = self.commands.iter().filter(|(_, outgoing)| outgoing.command.key == key);
        tracked.commands = kept.map(|(resolution, _)| resolution.clone()).collect();
        for place in std::mem::take(&mut routed.places) {
            let place = self.at(place);
            if self.limits(&place).is_none() {
                routed.faults.push(format!("no account '{}' is configured", place.account));
                continue;
            }
            if let Entry::Vacant(entry) = tracked.showings.entry(place) {
                let showing = Showing::new(turn.nonce(), turn.send_id());
                let pair = (key.clone(), entry.key().clone());
                self.index.add(&pair, &showing, Phase::Open);
                turn.dirty.insert(Dirty::Prompt(pair.clone()));
                turn.touch(&pair);
                entry.insert(showing);
            }
        }
        tracked.faults = routed.faults;
        if tracked.showings.is_empty() && !must_reach {
            return;
        }
        turn.dirty.insert(Dirty::Record(key.clone()));
        self.tracked.insert(key.clone(), tracked);
        self.schedule_reminder(&key);
        self.check_reached(turn, &key);
    }

    /// A gateway that was thought to have lost the Record knows it after all.
    fn reopen(&mut self, turn: &mut Turn<'_>, key: &RecordKey) {
        let Some(tracked) = self.tracked.get_mut(key) else { return };
        tracked.phase = Phase::Open;
        tracked.forgotten = false;
        tracked.resting = false;
        for (place, showing) in &mut tracked.showings {
            let pair = (key.clone(), place.clone());
            for copy in &mut showing.copies {
                if copy.drawn == Drawn::Left {
                    copy.drawn = Drawn::Unknown;
                }
            }
            self.index.reopen(&pair);
            turn.touch(&pair);
        }
        turn.dirty.insert(Dirty::Record(key.clone()));
    }

    pub(super) fn snapshot(
        &mut self,
        turn: &mut Turn<'_>,
        gateway: &GatewayId,
        records: Vec<Arc<Record>>,
        last: bool,
    ) {
        for record in records {
            self.opened(turn, self.adopted(record));
        }
        if last {
            self.snapshot_complete(turn, gateway);
        }
    }

    /// Ends an Ask that reached none of the Places it was for, telling why. Only for the gateway we deliver for.
    pub(super) fn check_reached(&mut self, turn: &mut Turn<'_>, key: &RecordKey) {
        let Some(tracked) = self.tracked.get(key) else { return };
        let out_of_reach = |showing: &Showing| showing.failed.is_some() && !showing.is_shown();
        let hopeless = tracked.must_reach
            && tracked.is_open()
            && tracked.commands.is_empty()
            && tracked.showings.values().all(out_of_reach);
        if !hopeless {
            return;
        }
        let failures = tracked
            .showings
            .iter()
            .filter_map(|(place, showing)| showing.failed.as_ref().map(|why| format!("{place}: {why}")));
        let mut reasons: Vec<String> = tracked.faults.iter().cloned().chain(failures).collect();
        if reasons.is_empty() {
            reasons.push("no place is configured for it".to_owned());
        }
        let why = WhyCancelled::NotDelivered { detail: reasons.join("; ") };
        self.issue(turn, key, CommandAct::Cancel { why, actor: None }, None);
    }

    pub(super) fn schedule_reminder(&mut self, key: &RecordKey) {
        let Some(tracked) = self.tracked.get(key) else { return };
        let record = &tracked.record;
        if let Some(percent) = self.config.reminder_percent
            && !tracked.reminded
            && tracked.is_open()
        {
            let wait = record.expires_at.since(record.key.created_at);
            let at = record.key.created_at.after(wait.percent(percent));
            self.clock.at(at, Timer::Remind(record.key.clone()));
        }
    }

    /// Reminds once, everywhere it is still to be answered.
    pub(super) fn remind(&mut self, turn: &mut Turn<'_>, key: &RecordKey) {
        let Some(tracked) = self.tracked.get(key) else { return };
        let rest = tracked.record.expires_at.since(turn.now);
        let answered = !tracked.commands.is_empty();
        if !tracked.is_open() || tracked.reminded || answered || rest < REMIND_REST_MIN {
            return;
        }
        for (place, showing) in &tracked.showings {
            if !self.online.contains(&place.account) || showing.failed.is_some() {
                continue;
            }
            if let Some(copy) = showing.newest()
                && let Some(reader) = self.reader(turn.now, place)
            {
                let text = wording::reminder(&tracked.record, &reader);
                turn.say(place, None, copy.receipt.messages.last(), text);
            }
        }
        if let Some(tracked) = self.tracked.get_mut(key) {
            tracked.reminded = true;
            turn.dirty.insert(Dirty::Record(key.clone()));
        }
    }
}
