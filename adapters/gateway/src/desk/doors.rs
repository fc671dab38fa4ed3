//! `pairings.*` and `invites.*`: who knocks, and who lets them in. The rules are the core's; here they meet the clock, chance
//! and the store. An invite's code leaves this file once, in the reply that creates it.

use askrelay_core::answer::{Actor, Way};
use askrelay_core::id::{Identity, InviteId, PersonId, Place};
use askrelay_core::invite::{GOOD_FOR, GOOD_FOR_MAX, Invite, OPEN_MAX};
use askrelay_core::pairing::{Code, Verdict};
use askrelay_core::person::{Person, check_name};
use askrelay_core::port::{Knock, Welcome};
use askrelay_core::time::Time;
use askrelay_protocol::call::{Approval, InviteCall, NewInvite, PairingCall};
use askrelay_protocol::error::{Code as ErrorCode, Reason, WireError};
use askrelay_protocol::frame::{Event, Method};
use askrelay_protocol::reply::Reply;
use askrelay_store::{AuditEntry, InviteFact, InviteRow};

use super::administration::{unchanged, worded};
use super::effect::Effect;
use super::failure::not_saved;
use super::{Desk, ReplyTo, Seat};
use crate::invite::{find, make};

impl Desk {
    pub(super) fn pairing_call(&mut self, seat: &Seat, call: PairingCall, to: ReplyTo) {
        let now = self.clock.now();
        if let PairingCall::List = call {
            let waiting = self.pairings.waiting(now).into_iter().cloned().collect();
            return self.respond_about_all(to, Ok(Reply::Pairings(waiting)));
        }
        if !self.is_writable() {
            return self.respond(to, Err(not_saved()));
        }
        match call {
            PairingCall::Knock(knock) => self.knock(now, &knock, to),
            PairingCall::Approve(approval) => self.approve(seat, now, &approval, to),
            PairingCall::Reject(code) => self.reject(seat, now, &code, to),
            PairingCall::List => {}
        }
    }

    /// Somebody unknown wants to be known. What they are told says nothing about who is.
    fn knock(&mut self, now: Time, knock: &Knock, to: ReplyTo) {
        let Knock { place, identity, display_name, invite } = knock;
        if let Some(person) = self.people.behind(identity) {
            // Let in while the knock was under way.
            let welcome = let_in(person);
            return self.respond_about_all(to, Ok(Reply::Knocked(welcome)));
        }
        if let Some(code) = invite {
            return self.bring(now, code, place, identity, to);
        }
        let verdict = self.pairings.knock(now, self.dice.bytes(), place, identity, display_name);
        let welcome = match verdict {
            Verdict::Closed => Welcome::Closed,
            Verdict::Code { code, good_for, is_new } => {
                if is_new {
                    let actor = at_the_door(None, place, identity);
                    self.note(AuditEntry { actor: Some(actor), ..AuditEntry::new(now, "pairing.opened") });
                }
                Welcome::Code { code: code.to_string(), good_for }
            }
        };
        self.gather_doors();
        self.respond_about_all(to, Ok(Reply::Knocked(welcome)));
    }

    /// Somebody brought an invite. A code has 128 secret bits, and few wrong ones are looked at; whoever brings more is told
    /// to come later, without a look.
    fn bring(&mut self, now: Time, code: &str, place: &Place, identity: &Identity, to: ReplyTo) {
        let who = identity.to_string();
        if self.guesses.are_many(&who, now) {
            return self.respond(to, Ok(Reply::Knocked(Welcome::Closed)));
        }
        let row = find(&self.invites, code, now).map(|row| row.invite.clone());
        let admitted =
            row.and_then(|row| Some((self.admitted(&row.person, &row.scopes, identity).ok()?, row.id)));
        let Some((person, id)) = admitted else {
            self.guesses.count(&who, now);
            if self.noted.count(&format!("invite {}", place.account), now) {
                let actor = at_the_door(None, place, identity);
                self.note(AuditEntry { actor: Some(actor), ..AuditEntry::new(now, "invite.refused") });
            }
            return self.respond_about_all(to, Ok(Reply::Knocked(Welcome::InviteRefused)));
        };
        self.invites.remove(&id);
        self.commits.add(InviteFact::Remove(id.clone()).into(), None, 0);
        // Whoever comes in with an invite is told in its answer, not as one who waited.
        self.pairings.forget(identity);
        let actor = at_the_door(Some(&person.id), place, identity);
        let detail = Some(format!("invite {id}"));
        self.note(AuditEntry { actor: Some(actor), detail, ..AuditEntry::new(now, "invite.used") });
        let welcome = let_in(&person);
        self.put_person(person);
        self.commits.hold(Effect::Respond(to, Ok(Reply::Knocked(welcome))));
    }

    fn admitted(
        &self,
        person: &PersonId,
        scopes: &Option<askrelay_core::person::Scopes>,
        identity: &Identity,
    ) -> Result<Person, askrelay_core::person::ChangeFault> {
        self.people.admitted(person, scopes.as_ref(), identity)
    }

    fn approve(&mut self, seat: &Seat, now: Time, approval: &Approval, to: ReplyTo) {
        let Approval { code, person, scopes } = approval;
        let Some(waiting) = self.pairings.get(now, code) else {
            return self.respond(to, Err(nobody_waits(code)));
        };
        let identity = waiting.identity.clone();
        match self.admitted(person, scopes, &identity) {
            Err(fault) => self.respond(to, Err(unchanged(&fault))),
            Ok(person) => {
                let detail = format!("{identity} is {}: {}", person.id, worded(&person.scopes));
                self.audit(seat, "pairing.approved", Some(&detail), None);
                self.put_person(person.clone());
                self.commits.hold(Effect::Respond(to, Ok(Reply::Person(Box::new(person)))));
            }
        }
    }

    fn reject(&mut self, seat: &Seat, now: Time, code: &Code, to: ReplyTo) {
        let Some(pairing) = self.pairings.reject(now, code) else {
            return self.respond(to, Err(nobody_waits(code)));
        };
        self.audit(seat, "pairing.rejected", Some(&pairing.identity.to_string()), None);
        self.gather_doors();
        self.commits.hold(Effect::Respond(to, Ok(Reply::Done)));
    }

    /// Whoever became known waits no more, and is told so where they waited.
    pub(super) fn open_to(&mut self, now: Time, person: &Person) {
        for identity in &person.identities {
            let waited = self.pairings.waiting(now).into_iter().find(|pairing| pairing.identity == *identity);
            if let Some(pairing) = waited {
                let (place, identity) = (pairing.place.clone(), identity.clone());
                let event = Event::Knocked { place, identity, welcome: let_in(person) };
                self.commits.hold(Effect::TellRing(event));
            }
            self.pairings.forget(identity);
        }
        self.gather_doors();
    }

    pub(super) fn invite_call(&mut self, seat: &Seat, call: InviteCall, to: ReplyTo) {
        let now = self.clock.now();
        if let InviteCall::List = call {
            let good = self.invites.values().map(|row| &row.invite).filter(|invite| invite.is_good(now));
            let good = good.cloned().collect();
            return self.respond_about_all(to, Ok(Reply::Invites(good)));
        }
        if !self.is_writable() {
            return self.respond(to, Err(not_saved()));
        }
        match call {
            InviteCall::Create(new) => self.create_invite(seat, now, new, to),
            InviteCall::Revoke(id) => {
                if self.invites.remove(&id).is_none() {
                    return self.respond(to, Err(no_such(format!("there is no invite '{id}'"))));
                }
                self.audit(seat, "invite.revoked", Some(id.as_str()), None);
                self.commits.add(InviteFact::Remove(id).into(), None, 0);
                self.commits.hold(Effect::Respond(to, Ok(Reply::Done)));
            }
            InviteCall::List => {}
        }
    }

    fn create_invite(&mut self, seat: &Seat, now: Time, new: NewInvite, to: ReplyTo) {
        let NewInvite { person, scopes, expires_at } = new;
        let expires_at = expires_at.unwrap_or_else(|| now.after(GOOD_FOR));
        if let Err(fault) = check_name(&person) {
            return self.respond(to, Err(unchanged(&fault)));
        }
        if expires_at <= now || expires_at.since(now) > GOOD_FOR_MAX {
            let what = "must be in the future, and at most 365 days from now".to_owned();
            let fault = askrelay_core::ask::Fault { path: "/expiresAtMs".to_owned(), what };
            return self
                .respond(to, Err(WireError::invalid_params(Method::InvitesCreate.name(), vec![fault])));
        }
        self.end_invites(now);
        if self.invites.len() >= OPEN_MAX {
            let words = format!("{OPEN_MAX} invites are open; revoke some first");
            return self.respond(to, Err(WireError::question(Reason::Conflict, words)));
        }
        let (id, code, hash) = make(&self.dice);
        // Two invites never share an id, however unlikely that is.
        if self.invites.contains_key(&id) {
            return self.respond(to, Err(not_saved()));
        }
        let invite = Invite { id: id.clone(), person, scopes, created_at: now, expires_at };
        let detail = format!("{id} for {}", invite.person);
        self.audit(seat, "invite.created", Some(&detail), None);
        let row = InviteRow { invite: invite.clone(), hash };
        self.commits.add(InviteFact::Put(row.clone()).into(), None, 0);
        self.invites.insert(id, row);
        self.commits.hold(Effect::Respond(to, Ok(Reply::InviteCreated { invite, code })));
    }

    /// Lets go of invites and codes that are over.
    pub(super) fn end_doors(&mut self, now: Time) {
        if self.is_writable() {
            self.end_invites(now);
            self.pairings.forget_old(now);
            self.gather_doors();
        }
    }

    fn end_invites(&mut self, now: Time) {
        self.drop_invites(|invite| !invite.is_good(now));
    }

    /// Takes away the invites that `which` says.
    pub(super) fn drop_invites(&mut self, which: impl Fn(&Invite) -> bool) {
        let dropped = self.invites.values().map(|row| &row.invite).filter(|invite| which(invite));
        for id in dropped.map(|invite| invite.id.clone()).collect::<Vec<InviteId>>() {
            self.invites.remove(&id);
            self.commits.add(InviteFact::Remove(id).into(), None, 0);
        }
    }

    /// Takes over what happened at the door in this step.
    fn gather_doors(&mut self) {
        for fact in self.pairings.take_facts() {
            self.commits.add(fact.into(), None, 0);
        }
    }
}

fn let_in(person: &Person) -> Welcome {
    Welcome::In { person: person.id.clone(), display_name: person.display_name.clone() }
}

/// Whoever wrote to the bot: nobody yet, or who they are from now on.
fn at_the_door(person: Option<&PersonId>, place: &Place, identity: &Identity) -> Actor {
    Actor {
        identity: Some(identity.clone()),
        place: Some(place.clone()),
        ..Actor::new(person.cloned(), Way::Text)
    }
}

fn nobody_waits(code: &Code) -> WireError {
    no_such(format!("nobody waits with the code '{code}'; `askrelay pair list` shows who does"))
}

/// There is no such thing.
pub(super) fn no_such(words: String) -> WireError {
    let mut error = WireError::new(ErrorCode::InvalidRequest, words);
    error.details.reason = Some(Reason::NoSuchThing);
    error
}
