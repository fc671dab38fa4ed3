//! The calls about people, their doors, tokens and the trail. What changes something under a name of its own may be sent
//! again after a lost answer; what makes something new is sent once.

use std::sync::Arc;

use askrelay_core::audit::Entry;
use askrelay_core::id::{InviteId, PersonId, TokenId};
use askrelay_core::invite::Invite;
use askrelay_core::pairing::{Code, Pairing};
use askrelay_core::person::{Change, People, Person};
use askrelay_core::port::{Knock, Welcome};
use askrelay_protocol::call::{
    Approval, AuditParams, InviteCall, NewInvite, NewToken, PairingCall, PeopleCall, TokenCall,
};
use askrelay_protocol::frame::Call;
use askrelay_protocol::reply::{Reply, TokenInfo};
use askrelay_protocol::secret::Secret;

use crate::client::{Client, unexpected};
use crate::error::CallError;

/// One page of the audit trail, newest first.
#[derive(Clone, Debug)]
pub struct TrailPage {
    /// The entries, each with its number.
    pub entries: Vec<(i64, Entry)>,
    /// What to give as `after` for the next page; none after the last.
    pub next: Option<i64>,
}

impl Client {
    /// Everybody the gateway knows.
    ///
    /// # Errors
    /// The gateway refused, or there will be no connection.
    pub async fn people(&self) -> Result<Arc<People>, CallError> {
        match self.read(Call::People(PeopleCall::List)).await? {
            Reply::People(people) => Ok(people),
            other => Err(unexpected(&other)),
        }
    }

    /// Adds or replaces a person.
    ///
    /// # Errors
    /// The gateway refused, or there will be no connection.
    pub async fn put_person(&self, person: Person) -> Result<(), CallError> {
        self.done(Call::People(PeopleCall::Put(person))).await
    }

    /// Forgets a person.
    ///
    /// # Errors
    /// The gateway refused, or there will be no connection.
    pub async fn remove_person(&self, id: PersonId) -> Result<(), CallError> {
        self.done(Call::People(PeopleCall::Remove(id))).await
    }

    /// Makes a token. Sent once: a lost answer leaves a token that nobody holds, which the list shows.
    ///
    /// # Errors
    /// The gateway refused, or the answer was lost.
    pub async fn create_token(&self, token: NewToken) -> Result<(TokenId, Secret), CallError> {
        match self.call(Call::Tokens(TokenCall::Create(token))).await? {
            Reply::TokenCreated { id, token } => Ok((id, token)),
            other => Err(unexpected(&other)),
        }
    }

    /// All tokens, without their secrets.
    ///
    /// # Errors
    /// The gateway refused, or there will be no connection.
    pub async fn tokens(&self) -> Result<Vec<TokenInfo>, CallError> {
        match self.read(Call::Tokens(TokenCall::List)).await? {
            Reply::Tokens(tokens) => Ok(tokens),
            other => Err(unexpected(&other)),
        }
    }

    /// Ends a token.
    ///
    /// # Errors
    /// The gateway refused, or there will be no connection.
    pub async fn revoke_token(&self, id: TokenId) -> Result<(), CallError> {
        self.done(Call::Tokens(TokenCall::Revoke(id))).await
    }

    /// Adds a person; one who is there exactly so is no fault.
    ///
    /// # Errors
    /// The gateway refused, or there will be no connection.
    pub async fn add_person(&self, person: Person) -> Result<Person, CallError> {
        self.person(self.read(Call::People(PeopleCall::Add(person))).await?)
    }

    /// Changes a person.
    ///
    /// # Errors
    /// The gateway refused, or there will be no connection.
    pub async fn change_person(&self, change: Change) -> Result<Person, CallError> {
        self.person(self.read(Call::People(PeopleCall::Change(change))).await?)
    }

    /// Tells the gateway that somebody unknown wants to be let in. Sent once: whoever is not answered knocks again.
    ///
    /// # Errors
    /// The gateway refused, or the answer was lost.
    pub async fn knock(&self, knock: Knock) -> Result<Welcome, CallError> {
        match self.call(Call::Pairings(PairingCall::Knock(knock))).await? {
            Reply::Knocked(welcome) => Ok(welcome),
            other => Err(unexpected(&other)),
        }
    }

    /// Everybody who waits to be let in, the longest first.
    ///
    /// # Errors
    /// The gateway refused, or there will be no connection.
    pub async fn pairings(&self) -> Result<Vec<Pairing>, CallError> {
        match self.read(Call::Pairings(PairingCall::List)).await? {
            Reply::Pairings(pairings) => Ok(pairings),
            other => Err(unexpected(&other)),
        }
    }

    /// Lets somebody in. Sent once: the people tell whether a lost answer took effect.
    ///
    /// # Errors
    /// The gateway refused, or the answer was lost.
    pub async fn approve(&self, approval: Approval) -> Result<Person, CallError> {
        self.person(self.call(Call::Pairings(PairingCall::Approve(approval))).await?)
    }

    /// Turns somebody away.
    ///
    /// # Errors
    /// The gateway refused, or the answer was lost.
    pub async fn reject(&self, code: Code) -> Result<(), CallError> {
        match self.call(Call::Pairings(PairingCall::Reject(code))).await? {
            Reply::Done => Ok(()),
            other => Err(unexpected(&other)),
        }
    }

    /// Makes an invite. Sent once: a lost answer leaves an invite that nobody holds, which the list shows.
    ///
    /// # Errors
    /// The gateway refused, or the answer was lost.
    pub async fn create_invite(&self, invite: NewInvite) -> Result<(Invite, Secret), CallError> {
        match self.call(Call::Invites(InviteCall::Create(invite))).await? {
            Reply::InviteCreated { invite, code } => Ok((invite, code)),
            other => Err(unexpected(&other)),
        }
    }

    /// All open invites, without their codes.
    ///
    /// # Errors
    /// The gateway refused, or there will be no connection.
    pub async fn invites(&self) -> Result<Vec<Invite>, CallError> {
        match self.read(Call::Invites(InviteCall::List)).await? {
            Reply::Invites(invites) => Ok(invites),
            other => Err(unexpected(&other)),
        }
    }

    /// Withdraws an invite.
    ///
    /// # Errors
    /// The gateway refused, or the answer was lost.
    pub async fn revoke_invite(&self, id: InviteId) -> Result<(), CallError> {
        self.done(Call::Invites(InviteCall::Revoke(id))).await
    }

    /// One page of the audit trail.
    ///
    /// # Errors
    /// The gateway refused, or there will be no connection.
    pub async fn audit(&self, params: AuditParams) -> Result<TrailPage, CallError> {
        match self.read(Call::Audit(params)).await? {
            Reply::Trail { entries, next } => Ok(TrailPage { entries, next }),
            other => Err(unexpected(&other)),
        }
    }

    fn person(&self, reply: Reply) -> Result<Person, CallError> {
        match reply {
            Reply::Person(person) => Ok(*person),
            other => Err(unexpected(&other)),
        }
    }
}
