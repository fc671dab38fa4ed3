//! A person decided, or nobody could be reached: the decision becomes a Command, a saved fact with a fixed id that goes out
//! until its gateway settled it. Whether it counts is the gateway's to say.

use super::Relay;
use super::state::{Dirty, Link, Outgoing, Seat};
use super::turn::Turn;
use crate::answer::{Actor, Way};
use crate::id::RecordKey;
use crate::permit::{Permit, Refused, permit};
use crate::person::DISPLAY_NAME_MAX;
use crate::port::{Command, CommandAct, Reply, Sender, SenderKind};
use crate::prompt::one_line;
use crate::record::Record;

/// What became of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decided {
    /// It goes out once it is saved.
    Sent,
    /// It is kept until its gateway is back.
    Kept,
    /// The same person decided the very same, and that is on its way.
    Already,
    /// Another decision of the same person is on its way: this one does not count.
    TooLate,
}

/// Somebody who may decide about a Record now.
#[derive(Clone, Debug)]
pub(super) struct Allowed {
    pub(super) actor: Actor,
    pub(super) permit: Permit,
}

impl Relay {
    /// Whoever did this, as far as it is established.
    pub(super) fn actor(&self, reply: &Reply, way: Way) -> Actor {
        if let Some(actor) = self.config.seats.get(&reply.place) {
            return Actor { place: Some(reply.place.clone()), ..actor.clone() };
        }
        let Sender { identity, display_name, kind, granted } = &reply.sender;
        let (identity, place) = (identity.clone(), Some(reply.place.clone()));
        if *kind != SenderKind::Human {
            return Actor { identity: Some(identity), place, ..Actor::new(None, way) };
        }
        let known = self.people.behind(&identity).map(|person| person.id.clone());
        let by_roles = known.is_none() && !granted.is_empty();
        Actor {
            person: known.or_else(|| by_roles.then(|| identity.person())),
            identity: Some(identity),
            place,
            way,
            granted: granted.clone(),
            name: by_roles.then(|| shown_name(display_name)).flatten(),
        }
    }

    /// The actor with the permit to decide about the Record, or why there is none.
    pub(super) fn allowed(&self, record: &Record, actor: Actor) -> Result<Allowed, Refused> {
        let permit = permit(record, &self.people, &actor)?;
        Ok(Allowed { actor, permit })
    }

    /// Sends a person's decision on its way, one at a time for each person. The permit says about which Record.
    pub(super) fn decide(
        &mut self,
        turn: &mut Turn<'_>,
        permit: &Permit,
        act: CommandAct,
        reply: &Reply,
    ) -> Decided {
        let key = permit.record();
        if let Some(before) = act.actor().and_then(|actor| self.under_way(key, actor)) {
            return if same_decision(before, &act) { Decided::Already } else { Decided::TooLate };
        }
        let seats: Vec<Seat> = self
            .inputs
            .iter()
            .filter(|(seat, input)| input.key == *key && act.actor().is_some_and(|actor| sits(actor, seat)))
            .map(|(seat, _)| seat.clone())
            .collect();
        for seat in seats {
            self.drop_input(turn, &seat);
        }
        self.issue(turn, key, act, Some(reply));
        if self.ready(key) { Decided::Sent } else { Decided::Kept }
    }

    /// The decision of the same person that is on its way.
    pub(super) fn under_way(&self, key: &RecordKey, actor: &Actor) -> Option<&CommandAct> {
        let commands = &self.tracked.get(key)?.commands;
        let mut acts =
            commands.iter().filter_map(|resolution| Some(&self.commands.get(resolution)?.command.act));
        acts.find(|act| act.actor().is_some_and(|other| other.person == actor.person))
    }

    /// Makes a Command and sends it once it is saved, if its gateway is there.
    pub(super) fn issue(
        &mut self,
        turn: &mut Turn<'_>,
        key: &RecordKey,
        act: CommandAct,
        reply: Option<&Reply>,
    ) {
        let ready = self.ready(key);
        let Some(tracked) = self.tracked.get_mut(key) else { return };
        let resolution = turn.resolution();
        let command = Command { resolution: resolution.clone(), key: key.clone(), act };
        tracked.commands.push(resolution.clone());
        if ready {
            turn.command(&key.gateway, command.clone());
        }
        turn.dirty.insert(Dirty::Command(resolution.clone()));
        let message = reply.and_then(|reply| reply.message.clone());
        let ack = reply.and_then(|reply| reply.ack);
        self.commands.insert(resolution, Outgoing { command, message, told: false, ack });
    }

    /// The Command is settled.
    pub(super) fn settled(&mut self, turn: &mut Turn<'_>, outgoing: &Command) {
        self.commands.remove(&outgoing.resolution);
        turn.dirty.insert(Dirty::Command(outgoing.resolution.clone()));
        if let Some(tracked) = self.tracked.get_mut(&outgoing.key) {
            tracked.commands.retain(|resolution| *resolution != outgoing.resolution);
        }
        if outgoing.act.actor().is_some() {
            // While it was on its way nobody looked whether the question reaches anybody else.
            self.check_reached(turn, &outgoing.key);
        }
        self.rest(&outgoing.key);
    }

    /// Whether Commands about the Record go out now.
    pub(super) fn ready(&self, key: &RecordKey) -> bool {
        self.links.get(&key.gateway).is_some_and(|link: &Link| link.ready)
    }
}

/// Whether two acts decide the same, however they were made.
fn same_decision(one: &CommandAct, other: &CommandAct) -> bool {
    match (one, other) {
        (CommandAct::Resolve { answers, notes, .. }, CommandAct::Resolve { answers: a, notes: n, .. }) => {
            answers == a && notes == n
        }
        (CommandAct::Cancel { .. }, CommandAct::Cancel { .. }) => true,
        _ => false,
    }
}

/// What a platform shows as somebody's name, as far as it can be shown.
fn shown_name(text: &str) -> Option<String> {
    let name: String = one_line(text).chars().take(DISPLAY_NAME_MAX).collect();
    (!name.is_empty()).then_some(name)
}

fn sits(actor: &Actor, seat: &Seat) -> bool {
    actor.identity.as_ref() == Some(&seat.1)
}
