//! What can be saved: the ledger's and the relay's facts, people, tokens, pairings, invites and the audit trail. Holds no
//! token and no invite itself, only its hash, and no logic.

pub use askrelay_core::audit::Entry as AuditEntry;
use askrelay_core::id::{InviteId, PersonId, TokenId};
use askrelay_core::invite::Invite;
use askrelay_core::pairing;
use askrelay_core::permit::WireScope;
use askrelay_core::person::Person;
use askrelay_core::time::Time;
use askrelay_core::{ledger, relay};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// One change to save.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// What the gateway decided about a Record.
    Record(ledger::Fact),
    /// What the relay must remember; opaque here.
    Relay(relay::facts::Fact),
    /// A Person came, changed or left.
    Person(PersonFact),
    /// An access token came, changed or was withdrawn.
    Token(TokenFact),
    /// Somebody waits to be let in, or waits no more.
    Pairing(pairing::Fact),
    /// An invite was made, or is no more.
    Invite(InviteFact),
    /// Somebody did something.
    Audit(AuditEntry),
}

/// A change of one Person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonFact {
    /// Adds or replaces; an identity belongs to the Person who was given it last.
    Put(Person),
    /// Forgets.
    Remove(PersonId),
}

/// A change of one access token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenFact {
    /// Adds or replaces.
    Put(TokenRow),
    /// Withdraws.
    Remove(TokenId),
}

/// A change of one invite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InviteFact {
    /// Adds or replaces.
    Put(InviteRow),
    /// It was used, withdrawn, or is over.
    Remove(InviteId),
}

/// An invite as far as it is kept: everything but the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteRow {
    /// What it stands for.
    pub invite: Invite,
    /// The code's hash.
    pub hash: TokenHash,
}

/// An access token as far as it is kept: everything but the token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRow {
    /// Its public id.
    pub id: TokenId,
    /// The token's hash.
    #[serde(skip)]
    pub hash: TokenHash,
    /// The Person it belongs to; none makes it a service.
    pub person: Option<PersonId>,
    /// What it may do, at most.
    pub scopes: BTreeSet<WireScope>,
    /// A name for people.
    pub label: String,
    /// When it was made.
    pub created_at: Time,
    /// When it stops working, if ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Time>,
}

/// SHA-256 of a token or of an invite's code. Does not print: a log that holds hashes invites guessing.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(..)")
    }
}

impl From<ledger::Fact> for Fact {
    fn from(fact: ledger::Fact) -> Self {
        Self::Record(fact)
    }
}

impl From<relay::facts::Fact> for Fact {
    fn from(fact: relay::facts::Fact) -> Self {
        Self::Relay(fact)
    }
}

impl From<PersonFact> for Fact {
    fn from(fact: PersonFact) -> Self {
        Self::Person(fact)
    }
}

impl From<TokenFact> for Fact {
    fn from(fact: TokenFact) -> Self {
        Self::Token(fact)
    }
}

impl From<pairing::Fact> for Fact {
    fn from(fact: pairing::Fact) -> Self {
        Self::Pairing(fact)
    }
}

impl From<InviteFact> for Fact {
    fn from(fact: InviteFact) -> Self {
        Self::Invite(fact)
    }
}

impl From<AuditEntry> for Fact {
    fn from(entry: AuditEntry) -> Self {
        Self::Audit(entry)
    }
}
