//! `people.*` and `tokens.*`: who is known, and the keys they hold. A token's secret leaves this file once, in the reply
//! that creates it.

use askrelay_core::id::PersonId;
use askrelay_core::permit::Caller;
use askrelay_core::person::{Change, ChangeFault, Person, Scope, Scopes};
use askrelay_core::time::Time;
use askrelay_protocol::call::{NewToken, PeopleCall, TokenCall};
use askrelay_protocol::error::{Code, Reason, WireError};
use askrelay_protocol::reply::{Reply, TokenInfo};
use askrelay_store::{PersonFact, TokenFact, TokenRow};
use std::sync::Arc;

use super::effect::Effect;
use super::failure::not_saved;
use super::{Credential, Desk, ReplyTo, Seat};
use crate::token::make;

impl Desk {
    /// Who makes a call without a connection.
    pub(super) fn caller(&self, credential: Credential) -> Result<Caller, WireError> {
        match credential {
            Credential::Caller(caller) => Ok(caller),
            Credential::Token(token) => self.bearer(&token),
            Credential::Nobody => Err(super::connections::token_required()),
        }
    }

    /// Creates the owner, if this is the first use.
    pub(super) fn ensure_owner(&mut self) {
        if self.people.iter().next().is_some() || !self.is_writable() {
            return;
        }
        let owner = Person {
            id: self.config.owner.clone(),
            display_name: self.config.owner_name.clone(),
            scopes: Scope::ALL.into(),
            identities: [].into(),
        };
        self.put_person(owner);
    }

    pub(super) fn people_call(&mut self, seat: &Seat, call: PeopleCall, to: ReplyTo) {
        if matches!(call, PeopleCall::List) {
            return self.respond_about_all(to, Ok(Reply::People(Arc::clone(&self.people))));
        }
        if !self.is_writable() {
            return self.respond(to, Err(not_saved()));
        }
        let outcome = match call {
            PeopleCall::Add(person) => self.people.added(person).map(|person| self.add_person(seat, person)),
            PeopleCall::Change(change) => self.people.changed(&change).map(|person| {
                self.audit(seat, "person.changed", Some(&changes(&change)), None);
                self.put_person(person.clone());
                Reply::Person(Box::new(person))
            }),
            PeopleCall::Put(person) => self.people.replaced(person).map(|person| {
                self.audit(seat, "person.put", Some(person.id.as_str()), None);
                self.put_person(person);
                Reply::Done
            }),
            PeopleCall::Remove(id) => self.people.check_removal(&id).map(|()| self.remove_person(seat, id)),
            PeopleCall::List => Ok(Reply::Done),
        };
        match outcome {
            Ok(reply) => self.commits.hold(Effect::Respond(to, Ok(reply))),
            Err(fault) => self.respond(to, Err(unchanged(&fault))),
        }
    }

    fn add_person(&mut self, seat: &Seat, person: Person) -> Reply {
        let detail = format!("{}: {}", person.id, worded(&person.scopes));
        self.audit(seat, "person.added", Some(&detail), None);
        self.put_person(person.clone());
        Reply::Person(Box::new(person))
    }

    /// Forgets somebody, with every key they hold: their rights end at once, wherever they used them.
    fn remove_person(&mut self, seat: &Seat, id: PersonId) -> Reply {
        let mut people = (*self.people).clone();
        people.remove(&id);
        self.audit(seat, "person.removed", Some(id.as_str()), None);
        let theirs = self.tokens.values().filter(|row| row.person.as_ref() == Some(&id));
        for token in theirs.map(|row| row.id.clone()).collect::<Vec<_>>() {
            self.tokens.remove(&token);
            self.commits.add(TokenFact::Remove(token).into(), None, 0);
        }
        self.drop_invites(|invite| invite.person == id);
        self.commits.add(PersonFact::Remove(id).into(), None, 0);
        self.set_people(people);
        self.close_tokenless(self.clock.now());
        Reply::Done
    }

    /// Adds or replaces somebody; whoever of their identities waited is let in.
    pub(super) fn put_person(&mut self, person: Person) {
        let mut people = (*self.people).clone();
        people.put(person.clone());
        self.commits.add(PersonFact::Put(person.clone()).into(), None, 0);
        self.set_people(people);
        self.open_to(self.clock.now(), &person);
    }

    pub(super) fn token_call(&mut self, seat: &Seat, call: TokenCall, to: ReplyTo) {
        match call {
            TokenCall::List => {
                let tokens = self.tokens.values().map(info).collect();
                self.respond_about_all(to, Ok(Reply::Tokens(tokens)));
            }
            _ if !self.is_writable() => self.respond(to, Err(not_saved())),
            TokenCall::Create(new) => self.create_token(seat, new, to),
            TokenCall::Revoke(id) => {
                if self.tokens.remove(&id).is_none() {
                    let error = WireError::new(Code::InvalidRequest, format!("there is no token '{id}'"));
                    return self.respond(to, Err(error));
                }
                self.audit(seat, "token.revoked", None, Some(&id));
                self.commits.add(TokenFact::Remove(id).into(), None, 0);
                self.commits.hold(Effect::Respond(to, Ok(Reply::Done)));
                self.close_tokenless(self.clock.now());
            }
        }
    }

    fn create_token(&mut self, seat: &Seat, new: NewToken, to: ReplyTo) {
        if let Some(person) = &new.person
            && self.people.get(person).is_none()
        {
            return self.respond(to, Err(nobody(person)));
        }
        let (id, token, hash) = make(&self.dice);
        // Two tokens never share an id, however unlikely that is.
        if self.tokens.contains_key(&id) {
            return self.respond(to, Err(not_saved()));
        }
        let row = TokenRow {
            id: id.clone(),
            hash,
            person: new.person,
            scopes: new.scopes,
            label: new.label.unwrap_or_default(),
            created_at: self.clock.now(),
            expires_at: new.expires_at,
        };
        self.audit(seat, "token.created", None, Some(&id));
        self.commits.add(TokenFact::Put(row.clone()).into(), None, 0);
        self.tokens.insert(id.clone(), row);
        self.commits.hold(Effect::Respond(to, Ok(Reply::TokenCreated { id, token })));
    }

    /// Closes what tokens kept open that have come to their end.
    pub(super) fn end_tokens(&mut self, now: Time) {
        self.close_tokenless(now);
    }
}

/// A change that is not made, as the caller is told.
pub(super) fn unchanged(fault: &ChangeFault) -> WireError {
    let reason = match fault {
        ChangeFault::Name(_) | ChangeFault::DisplayName => None,
        ChangeFault::Nobody(_) => Some(Reason::NoSuchThing),
        ChangeFault::Exists(_) | ChangeFault::Taken { .. } | ChangeFault::LastAdmin(_) => {
            Some(Reason::Conflict)
        }
    };
    let mut error = WireError::new(Code::InvalidRequest, fault.to_string());
    error.details.reason = reason;
    error
}

/// Rights as words.
pub(super) fn worded(scopes: &Scopes) -> String {
    let names: Vec<&str> = scopes.iter().map(|scope| scope.name()).collect();
    if names.is_empty() { "no rights".to_owned() } else { names.join(" ") }
}

/// What a change does, in short: `ann: +questions.answer -telegram/1`.
fn changes(change: &Change) -> String {
    let mut words = vec![format!("{}:", change.id)];
    words.extend(change.grant.iter().map(|scope| format!("+{}", scope.name())));
    words.extend(change.revoke.iter().map(|scope| format!("-{}", scope.name())));
    words.extend(change.link.iter().map(|identity| format!("+{identity}")));
    words.extend(change.unlink.iter().map(|identity| format!("-{identity}")));
    words.extend(change.display_name.iter().map(|name| format!("shown as {name}")));
    words.join(" ")
}

/// The body of a call names somebody whom nobody knows.
fn nobody(id: &PersonId) -> WireError {
    WireError::new(Code::InvalidRequest, ChangeFault::Nobody(id.clone()).to_string())
}

fn info(row: &TokenRow) -> TokenInfo {
    TokenInfo {
        id: row.id.clone(),
        person: row.person.clone(),
        scopes: row.scopes.clone(),
        label: Some(row.label.clone()).filter(|label| !label.is_empty()),
        created_at: row.created_at,
        expires_at: row.expires_at,
    }
}
