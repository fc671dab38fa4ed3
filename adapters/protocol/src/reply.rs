//! What a successful response carries, typed. A gateway always answers with whole Records; the plain shape of one that
//! is not ours is kept as what it says and nothing more.

use std::collections::BTreeSet;
use std::sync::Arc;

use askrelay_core::answer::Answers;
use askrelay_core::audit::Entry;
use askrelay_core::id::{PersonId, RecordId, ResolutionId, TokenId};
use askrelay_core::invite::Invite;
use askrelay_core::pairing::Pairing;
use askrelay_core::permit::WireScope;
use askrelay_core::person::{People, Person};
use askrelay_core::port::Welcome;
use askrelay_core::record::Record;
use askrelay_core::time::Time;

use crate::call::Cursor;
use crate::connect::HelloOk;
use crate::secret::Secret;

/// The payload of a successful response.
#[derive(Clone, Debug)]
pub enum Reply {
    /// `connect`: the connection stands.
    HelloOk(Box<HelloOk>),
    /// `question.request`: the Record exists, on disk.
    Requested {
        /// Its id.
        id: RecordId,
        /// When waiting ends.
        expires_at: Time,
        /// Under the cap: the same was asked under this id before.
        was_there: bool,
    },
    /// `question.waitAnswer`.
    Waited(Waited),
    /// `question.resolve`: how the Record ended now.
    Resolved(Ending),
    /// `question.get`.
    Question(Arc<Record>),
    /// `question.list`, oldest first.
    Questions {
        /// This page.
        records: Vec<Arc<Record>>,
        /// Under the cap: where the next page starts; none after the last.
        next: Option<Cursor>,
    },
    /// `people.list`.
    People(Arc<People>),
    /// `people.add`, `people.change`, `pairings.approve`: the Person as they are now.
    Person(Box<Person>),
    /// `tokens.create`.
    TokenCreated {
        /// Its public id.
        id: TokenId,
        /// The token itself, shown this once.
        token: Secret,
    },
    /// `tokens.list`.
    Tokens(Vec<TokenInfo>),
    /// `pairings.knock`: what whoever knocked is told.
    Knocked(Welcome),
    /// `pairings.list`, the longest waiting first.
    Pairings(Vec<Pairing>),
    /// `invites.create`.
    InviteCreated {
        /// What it stands for.
        invite: Invite,
        /// The code, shown this once.
        code: Secret,
    },
    /// `invites.list`.
    Invites(Vec<Invite>),
    /// `audit.list`, newest first.
    Trail {
        /// The entries, each with its number; numbers grow with time.
        entries: Vec<(i64, Entry)>,
        /// What to give as `after` for the next page; none after the last.
        next: Option<i64>,
    },
    /// `notify.send`: to how many Places it went.
    Notified {
        /// How many.
        places: usize,
    },
    /// `notify.sent`, `people.put`, `people.remove`, `tokens.revoke`, `pairings.reject`, `invites.revoke`: done.
    Done,
}

/// What came of waiting.
#[derive(Clone, Debug, PartialEq)]
pub enum Waited {
    /// The call's own time ran out, or the gateway is stopping; the Record still waits.
    Pending,
    /// The Record ended.
    Ended {
        /// How.
        ending: Ending,
        /// The request wanted the winning resolution named; told to plain peers only then.
        include_resolution: bool,
    },
}

/// How a Record ended, as far as the gateway tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The whole Record: what our gateway sends. Its state is never pending.
    Record(Arc<Record>),
    /// What the plain shape tells; only ever read, never sent by us.
    Plain {
        /// Which Record, where the frame says.
        id: Option<RecordId>,
        /// How it ended.
        end: PlainEnd,
    },
}

/// The plain shape's three ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlainEnd {
    /// Answered.
    Answered {
        /// Canonical values.
        answers: Answers,
        /// The resolution that won, where asked for.
        resolution: Option<ResolutionId>,
    },
    /// Skipped, withdrawn, or ended by its run: the shape does not say.
    Cancelled,
    /// Its deadline passed.
    Expired,
}

/// A token without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenInfo {
    /// Its public id.
    pub id: TokenId,
    /// Whose it is.
    pub person: Option<PersonId>,
    /// What it may do, at most.
    pub scopes: BTreeSet<WireScope>,
    /// A name for people.
    pub label: Option<String>,
    /// When it was made.
    pub created_at: Time,
    /// When it stops working.
    pub expires_at: Option<Time>,
}
