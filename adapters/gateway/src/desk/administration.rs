//! `people.*` and `tokens.*`: who is known, and the keys they hold. A token's secret leaves this file once, in the reply
//! that creates it.

use askrelay_core::answer::{Actor, Way};
use askrelay_core::id::{PersonId, TokenId};
use askrelay_core::permit::Caller;
use askrelay_core::person::{Person, Scope};
use askrelay_core::time::Time;
use askrelay_protocol::call::{NewToken, PeopleCall, TokenCall};
use askrelay_protocol::error::{Code, WireError};
use askrelay_protocol::reply::{Reply, TokenInfo};
use askrelay_store::{AuditEntry, PersonFact, TokenFact, TokenRow};
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
        match call {
            PeopleCall::Put(person) => {
                self.audit(seat, "person.put", Some(person.id.as_str()), None);
                self.put_person(person);
            }
            PeopleCall::Remove(id) => {
                let mut people = (*self.people).clone();
                if people.remove(&id).is_none() {
                    return self.respond(to, Err(nobody(&id)));
                }
                self.audit(seat, "person.removed", Some(id.as_str()), None);
                self.commits.add(PersonFact::Remove(id).into(), None, 0);
                self.set_people(people);
            }
            PeopleCall::List => {}
        }
        self.commits.hold(Effect::Respond(to, Ok(Reply::Done)));
    }

    fn put_person(&mut self, person: Person) {
        let mut people = (*self.people).clone();
        people.put(person.clone());
        self.commits.add(PersonFact::Put(person).into(), None, 0);
        self.set_people(people);
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

    fn audit(&mut self, seat: &Seat, what: &str, detail: Option<&str>, token: Option<&TokenId>) {
        let actor = seat.caller.person().map(|person| Actor {
            person: Some(person.clone()),
            identity: None,
            place: None,
            way: Way::Call,
        });
        let entry = AuditEntry {
            actor,
            token: token.cloned(),
            detail: detail.map(str::to_owned),
            ..AuditEntry::new(self.clock.now(), what)
        };
        self.commits.add(entry.into(), None, 0);
    }
}

fn nobody(id: &PersonId) -> WireError {
    WireError::new(Code::InvalidRequest, format!("nobody is called '{id}'"))
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
