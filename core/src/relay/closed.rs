//! A Record ended, or its gateway settled a Command: everybody who decided and was not the one is told what counts, and every
//! Prompt is retired. A gateway that comes back settles what happened meanwhile. Nothing here ends a Record.

use std::sync::Arc;

use super::Relay;
use super::state::{Dirty, Outgoing, Phase};
use super::turn::Turn;
use crate::answer::Answered;
use crate::id::{GatewayId, Place, RecordKey, ResolutionId};
use crate::permit::permit;
use crate::port::{Command, CommandAct, Order, Rejection};
use crate::prompt::Draft;
use crate::prompt::wording;
use crate::record::{Record, State};

/// What an end means for one Command.
enum Verdict {
    /// It is the end.
    Won,
    /// It was kept as a late answer.
    Late,
    /// Something else is the end; whether it was kept as a late answer is still to be told.
    Lost,
}

impl Relay {
    pub(super) fn closed(&mut self, turn: &mut Turn<'_>, record: &Arc<Record>) {
        let key = &record.key;
        let Some(tracked) = self.tracked.get_mut(key) else { return };
        let record = without_secrets(record);
        if tracked.phase == Phase::Ended {
            if tracked.record.late.len() < record.late.len() {
                tracked.record = record;
                turn.dirty.insert(Dirty::Record(key.clone()));
            }
        } else {
            tracked.record = record;
            self.end(turn, key, Phase::Ended);
        }
        let Some(tracked) = self.tracked.get(key) else { return };
        let record = Arc::clone(&tracked.record);
        for resolution in tracked.commands.clone() {
            self.judge(turn, &record, &resolution);
        }
        self.rest(key);
    }

    fn judge(&mut self, turn: &mut Turn<'_>, record: &Record, resolution: &ResolutionId) {
        let Some(outgoing) = self.commands.get(resolution) else { return };
        match verdict(record, outgoing) {
            Verdict::Won => {
                let outgoing = outgoing.clone();
                self.confirm(turn, record, &outgoing);
                self.settled(turn, &outgoing.command);
            }
            Verdict::Late => {
                let outgoing = outgoing.clone();
                self.tell_kept(turn, record, &outgoing);
                self.settled(turn, &outgoing.command);
            }
            Verdict::Lost => {
                // A late answer may still be kept, so the Command waits for its own verdict; its author need not.
                let is_cancel = matches!(outgoing.command.act, CommandAct::Cancel { .. });
                self.tell_end(turn, record, resolution);
                if is_cancel && let Some(outgoing) = self.commands.get(resolution) {
                    self.settled(turn, &outgoing.command.clone());
                }
            }
        }
    }

    /// Tells the author of a late answer that it was kept, and what counts instead.
    fn tell_kept(&self, turn: &mut Turn<'_>, record: &Record, outgoing: &Outgoing) {
        let there = outgoing.actor().and_then(|actor| actor.place.clone());
        if let Some(reader) = there.and_then(|place| self.reader(turn.now, &self.at(place))) {
            self.tell(turn, outgoing, wording::kept_late(record, &reader));
        }
    }

    /// Tells the author of a Command that lost what counts instead, once.
    fn tell_end(&mut self, turn: &mut Turn<'_>, record: &Record, resolution: &ResolutionId) {
        let Some(outgoing) = self.commands.get_mut(resolution) else { return };
        if std::mem::replace(&mut outgoing.told, true) {
            return;
        }
        turn.dirty.insert(Dirty::Command(resolution.clone()));
        let outgoing = outgoing.clone();
        if let Some(place) = outgoing.actor().and_then(|actor| actor.place.clone())
            && let Some(text) = self.end_for(turn, record, &place)
        {
            self.tell(turn, &outgoing, text);
        }
    }

    fn end_for(&self, turn: &Turn<'_>, record: &Record, place: &Place) -> Option<String> {
        if record.state.is_pending() {
            let forgotten = self.tracked.get(&record.key).is_some_and(|tracked| tracked.forgotten);
            return Some(if forgotten { wording::lost_answer() } else { wording::dead_control() });
        }
        Some(wording::late(record, &self.reader(turn.now, &self.at(place.clone()))?))
    }

    /// Tells the one who decided, where the press itself can still carry it; everybody sees it on the Prompt.
    fn confirm(&self, turn: &mut Turn<'_>, record: &Record, outgoing: &Outgoing) {
        let Some(ack) = outgoing.ack else { return };
        let Some(place) = outgoing.actor().and_then(|actor| actor.place.clone()) else { return };
        let place = self.at(place);
        let text = match &outgoing.command.act {
            CommandAct::Cancel { .. } => wording::recorded_skip(),
            CommandAct::Resolve { answers, notes, .. } => {
                let Some(reader) = self.reader(turn.now, &place) else { return };
                wording::recorded(&record.ask.questions, answers, notes, &reader)
            }
        };
        turn.order(&place, Order::Toast { ack, text, otherwise: None });
    }

    fn tell(&self, turn: &mut Turn<'_>, outgoing: &Outgoing, text: String) {
        let Some(actor) = outgoing.actor() else { return };
        let Some(there) = &actor.place else { return };
        let place = self.at(there.clone());
        let say = Order::Say {
            place: place.clone(),
            to: actor.identity.clone(),
            reply_to: outgoing.message.clone().filter(|_| place == *there),
            text: text.clone(),
        };
        let order = match outgoing.ack {
            Some(ack) => Order::Toast { ack, text, otherwise: Some(Box::new(say)) },
            None => say,
        };
        turn.order(&place, order);
    }

    /// There is no way to the Record's gateway any more: its Prompts are retired, and whoever answered is told so.
    pub(super) fn abandon(&mut self, turn: &mut Turn<'_>, key: &RecordKey) {
        self.end(turn, key, Phase::Lost);
        let of_it = self.commands.values().filter(|outgoing| outgoing.command.key == *key);
        for outgoing in of_it.cloned().collect::<Vec<_>>() {
            self.tell(turn, &outgoing, wording::forgotten());
            self.settled(turn, &outgoing.command);
        }
    }

    /// Its gateway does not know the Record any more. One that started anew lost it with everything else.
    fn lose(&mut self, turn: &mut Turn<'_>, key: &RecordKey) {
        let boot = self.links.get(&key.gateway).and_then(|link| link.boot.clone());
        if let Some(tracked) = self.tracked.get_mut(key) {
            tracked.forgotten = boot.is_some() && tracked.boot.is_some() && tracked.boot != boot;
        }
        self.end(turn, key, Phase::Lost);
    }

    /// The Record waits no more: its inputs close, drafts go, Prompts are to be retired.
    fn end(&mut self, turn: &mut Turn<'_>, key: &RecordKey, phase: Phase) {
        let Some(tracked) = self.tracked.get_mut(key) else { return };
        tracked.phase = phase;
        turn.dirty.insert(Dirty::Record(key.clone()));
        for (place, showing) in &mut tracked.showings {
            let pair = (key.clone(), place.clone());
            self.index.close(&pair);
            if phase == Phase::Ended && showing.draft.revision > 0 {
                showing.draft = Draft::default();
                turn.dirty.insert(Dirty::Draft(pair.clone()));
            }
            turn.touch(&pair);
        }
        let places: Vec<Place> = tracked.showings.keys().cloned().collect();
        let seats = self.inputs.iter().filter(|(_, input)| input.key == *key);
        for seat in seats.map(|(seat, _)| seat.clone()).collect::<Vec<_>>() {
            self.drop_input(turn, &seat);
        }
        for place in places {
            self.arrived(turn, &place);
        }
    }

    pub(super) fn rejected(
        &mut self,
        turn: &mut Turn<'_>,
        resolution: &ResolutionId,
        key: &RecordKey,
        why: Rejection,
    ) {
        let outgoing = self.commands.get(resolution).cloned();
        if let Some(tracked) = self.tracked.get(key) {
            let record = Arc::clone(&tracked.record);
            match &why {
                Rejection::Ended(Some(state)) if tracked.phase != Phase::Ended => {
                    let record = Record { state: (**state).clone(), ..(*record).clone() };
                    self.closed(turn, &Arc::new(record));
                }
                Rejection::Ended(None) | Rejection::Unknown if tracked.is_open() => self.lose(turn, key),
                _ => {}
            }
        }
        let Some(outgoing) = outgoing else { return };
        match why {
            Rejection::Ended(_) | Rejection::Unknown => {
                if let Some(record) = self.tracked.get(key).map(|tracked| Arc::clone(&tracked.record)) {
                    self.tell_end(turn, &record, resolution);
                }
            }
            Rejection::NotPermitted(why) => self.tell(turn, &outgoing, wording::refused(why)),
            Rejection::Invalid(why) => self.tell(turn, &outgoing, wording::invalid(&why)),
        }
        self.settled(turn, &outgoing.command);
    }

    /// The last page: what is in none of them has ended meanwhile, and Commands go out again.
    pub(super) fn snapshot_complete(&mut self, turn: &mut Turn<'_>, gateway: &GatewayId) {
        let Some(link) = self.links.get_mut(gateway) else { return };
        let Some(mentioned) = link.mentioned.take() else { return };
        let gone = self.tracked.iter().filter(|(key, tracked)| {
            key.gateway == *gateway && tracked.is_open() && !mentioned.contains(key)
        });
        for key in gone.map(|(key, _)| key.clone()).collect::<Vec<_>>() {
            self.lose(turn, &key);
        }
        // Who may is not known before people are.
        if self.early.is_none() {
            self.send_again(turn, gateway);
        }
    }

    /// Sends every Command to a gateway whose snapshot is complete; from now on they go out as they are made.
    pub(super) fn send_again(&mut self, turn: &mut Turn<'_>, gateway: &GatewayId) {
        let Some(link) = self.links.get_mut(gateway).filter(|link| link.mentioned.is_none()) else { return };
        link.ready = true;
        let waiting = self.commands.values().filter(|outgoing| outgoing.command.key.gateway == *gateway);
        for command in waiting.map(|outgoing| outgoing.command.clone()).collect::<Vec<_>>() {
            self.forward(turn, gateway, command);
        }
    }

    /// Sends a kept Command, if its author still may. Rights may have changed while the gateway was away.
    fn forward(&mut self, turn: &mut Turn<'_>, gateway: &GatewayId, command: Command) {
        let Some(outgoing) = self.commands.get(&command.resolution).cloned() else { return };
        // Without the Record nobody can say who may end it. One that still waits is in the snapshot, and here again.
        let may = self.tracked.get(&command.key).ok_or_else(wording::forgotten).and_then(|tracked| {
            let allowed = outgoing.actor().map(|actor| permit(&tracked.record, &self.people, actor));
            allowed.transpose().map_err(wording::refused)
        });
        match may {
            Ok(_) => turn.command(gateway, command),
            Err(text) => {
                self.tell(turn, &outgoing, text);
                self.settled(turn, &command);
            }
        }
    }
}

fn verdict(record: &Record, outgoing: &Outgoing) -> Verdict {
    let is_it = |answered: &Answered| answered.resolution == outgoing.command.resolution;
    match (&record.state, &outgoing.command.act) {
        (State::Answered(answered), _) if is_it(answered) => Verdict::Won,
        (State::Cancelled(cancelled), CommandAct::Cancel { why, actor })
            if cancelled.why == *why && person(&cancelled.by) == person(actor) =>
        {
            Verdict::Won
        }
        _ if record.late.iter().any(is_it) => Verdict::Late,
        _ => Verdict::Lost,
    }
}

fn person(actor: &Option<crate::answer::Actor>) -> Option<&crate::id::PersonId> {
    actor.as_ref().and_then(|actor| actor.person.as_ref())
}

/// The Record without the values of its secret questions: they are neither shown nor saved here.
fn without_secrets(record: &Arc<Record>) -> Arc<Record> {
    if !record.ask.questions.iter().any(|question| question.secret) {
        return Arc::clone(record);
    }
    let mut record = (**record).clone();
    let secrets: Vec<_> = record.ask.questions.iter().filter(|question| question.secret).collect();
    let redact = |answered: &mut Answered| {
        for question in &secrets {
            answered.answers.0.remove(&question.id);
            answered.notes.remove(&question.id);
        }
        answered.words = None;
    };
    if let State::Answered(answered) = &mut record.state {
        redact(answered);
    }
    record.late.iter_mut().for_each(redact);
    Arc::new(record)
}
