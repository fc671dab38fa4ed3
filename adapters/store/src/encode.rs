//! Facts as rows and rows as what they were: JSON bodies with a format number, the same for every database. No SQL.

use askrelay_core::answer::Answered;
use askrelay_core::id::{GatewayId, InviteId, PersonId, RecordId, RecordKey, TokenId};
use askrelay_core::pairing;
use askrelay_core::record::{Record, State};
use askrelay_core::time::Time;
use askrelay_core::{ledger, relay};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::sync::Arc;

use crate::error::{BadBody, CommitError};
use crate::fact::{AuditEntry, Fact, InviteFact, PersonFact, TokenFact, TokenHash};

/// The format of the bodies written now. Raised when a body can no longer be read by the types of the version before;
/// what older numbers need is then done where a body is [read](Body::read).
pub(crate) const FORMAT: i64 = 1;

/// Most bytes of one body: far above what a gateway accepts in one frame, far below what SQLite stores in one row.
pub(crate) const BODY_BYTES_MAX: usize = 64 << 20;

/// One fact, ready to be bound to a statement.
#[derive(Debug)]
pub(crate) enum Row {
    Opened {
        key: RecordKey,
        expires_at: Time,
        state: &'static str,
        ended_at: Option<Time>,
        body: String,
        ending: Option<String>,
    },
    Closed {
        key: RecordKey,
        state: &'static str,
        ended_at: Option<Time>,
        ending: String,
    },
    Late {
        key: RecordKey,
        body: String,
    },
    Collected {
        key: RecordKey,
        at: Time,
    },
    Forgotten {
        before: Time,
    },
    RelayPut {
        kind: &'static str,
        key: String,
        body: String,
    },
    RelayRemoved {
        kind: &'static str,
        key: String,
    },
    PersonPut {
        id: PersonId,
        body: String,
    },
    PersonRemoved {
        id: PersonId,
    },
    TokenPut {
        id: TokenId,
        hash: TokenHash,
        body: String,
    },
    TokenRemoved {
        id: TokenId,
    },
    PairingPut {
        code: String,
        body: String,
    },
    PairingRemoved {
        code: String,
    },
    InvitePut {
        id: InviteId,
        hash: TokenHash,
        body: String,
    },
    InviteRemoved {
        id: InviteId,
    },
    Audit {
        at: Time,
        person: Option<PersonId>,
        record: Option<(GatewayId, RecordId)>,
        body: String,
    },
}

impl Row {
    /// The row of a fact.
    pub(crate) fn of(fact: Fact) -> Result<Self, CommitError> {
        let row = match fact {
            Fact::Record(fact) => Self::of_record(fact)?,
            Fact::Relay(relay::facts::Fact { kind, key, body: Some(body) }) => {
                Self::RelayPut { kind: kind.name(), key, body }
            }
            Fact::Relay(relay::facts::Fact { kind, key, body: None }) => {
                Self::RelayRemoved { kind: kind.name(), key }
            }
            Fact::Person(PersonFact::Put(person)) => Self::PersonPut { body: json(&person)?, id: person.id },
            Fact::Person(PersonFact::Remove(id)) => Self::PersonRemoved { id },
            Fact::Token(TokenFact::Put(token)) => {
                Self::TokenPut { body: json(&token)?, hash: token.hash, id: token.id }
            }
            Fact::Token(TokenFact::Remove(id)) => Self::TokenRemoved { id },
            Fact::Pairing(pairing::Fact::Put(pairing)) => {
                Self::PairingPut { code: pairing.code.to_string(), body: json(&pairing)? }
            }
            Fact::Pairing(pairing::Fact::Removed(code)) => Self::PairingRemoved { code: code.to_string() },
            Fact::Invite(InviteFact::Put(row)) => {
                Self::InvitePut { body: json(&row.invite)?, hash: row.hash, id: row.invite.id }
            }
            Fact::Invite(InviteFact::Remove(id)) => Self::InviteRemoved { id },
            Fact::Audit(entry) => Self::of_audit(&entry)?,
        };
        match row.bytes() {
            bytes if bytes > BODY_BYTES_MAX => Err(CommitError::TooBig { bytes, bytes_max: BODY_BYTES_MAX }),
            _ => Ok(row),
        }
    }

    fn of_record(fact: ledger::Fact) -> Result<Self, CommitError> {
        Ok(match fact {
            ledger::Fact::Opened(record) => Self::Opened {
                key: record.key.clone(),
                expires_at: record.expires_at,
                state: record.state.name(),
                ended_at: record.state.ended_at(),
                body: json(&*record)?,
                ending: if record.state.is_pending() { None } else { Some(json(&record.state)?) },
            },
            ledger::Fact::Closed { key, state } => {
                Self::Closed { key, state: state.name(), ended_at: state.ended_at(), ending: json(&state)? }
            }
            ledger::Fact::Late { key, answered } => Self::Late { key, body: json(&answered)? },
            ledger::Fact::Collected { key, at } => Self::Collected { key, at },
            ledger::Fact::Forgotten { before } => Self::Forgotten { before },
        })
    }

    fn of_audit(entry: &AuditEntry) -> Result<Self, CommitError> {
        Ok(Self::Audit {
            at: entry.at,
            person: entry.actor.as_ref().and_then(|actor| actor.person.clone()),
            record: entry.record.as_ref().map(|key| (key.gateway.clone(), key.id.clone())),
            body: json(entry)?,
        })
    }

    /// How much memory it holds while it waits, roughly.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Opened { body, ending, .. } => body.len() + ending.as_ref().map_or(0, String::len),
            Self::Closed { ending: body, .. }
            | Self::Late { body, .. }
            | Self::PersonPut { body, .. }
            | Self::TokenPut { body, .. }
            | Self::PairingPut { body, .. }
            | Self::InvitePut { body, .. }
            | Self::Audit { body, .. } => body.len(),
            Self::RelayPut { key, body, .. } => key.len() + body.len(),
            Self::RelayRemoved { key, .. } => key.len(),
            Self::Collected { .. }
            | Self::Forgotten { .. }
            | Self::PersonRemoved { .. }
            | Self::TokenRemoved { .. }
            | Self::PairingRemoved { .. }
            | Self::InviteRemoved { .. } => 0,
        }
    }
}

fn json<T: Serialize>(value: &T) -> Result<String, CommitError> {
    serde_json::to_string(value).map_err(|error| CommitError::Encode(Arc::new(error)))
}

/// A stored body and where it stands, for the error that names it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'a> {
    pub(crate) table: &'static str,
    pub(crate) key: &'a str,
    pub(crate) format: i64,
    pub(crate) text: &'a str,
}

impl Body<'_> {
    /// What was written.
    pub(crate) fn read<T: DeserializeOwned>(&self, path: &Path) -> Result<T, BadBody> {
        if self.format != FORMAT {
            return Err(self.bad(path, None));
        }
        serde_json::from_str(self.text).map_err(|error| self.bad(path, Some(error)))
    }

    pub(crate) fn bad(&self, path: &Path, source: Option<serde_json::Error>) -> BadBody {
        BadBody {
            path: path.to_owned(),
            table: self.table,
            key: self.key.to_owned(),
            format: self.format,
            known: FORMAT,
            source,
        }
    }
}

/// What was written about a Record since it ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) state: State,
    pub(crate) late: Vec<Answered>,
    pub(crate) collected: Option<Time>,
}

/// A Record from what was written when it opened, when it ended, and later.
pub(crate) fn record(mut opened: Record, ended: Option<Ended>) -> Arc<Record> {
    if let Some(Ended { state, late, collected }) = ended {
        opened.state = state;
        opened.late.extend(late);
        opened.collected = collected;
    }
    Arc::new(opened)
}
