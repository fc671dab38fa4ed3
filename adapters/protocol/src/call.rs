//! What requests carry, in the core's types. Their wire spelling is in [`crate::decode`] and [`crate::encode`]; whether
//! they keep the contract is [`crate::check`]'s.

use std::collections::BTreeSet;
use std::fmt;

use askrelay_core::answer::{Actor, Answers, Notes};
use askrelay_core::ask::{Origin, Question, WhenUnanswered};
use askrelay_core::id::{InviteId, PersonId, RecordId, ResolutionId, TokenId};
use askrelay_core::pairing::Code;
use askrelay_core::permit::WireScope;
use askrelay_core::person::{Change, Person, Scopes};
use askrelay_core::port::Knock;
use askrelay_core::record::WhyCancelled;
use askrelay_core::time::{Span, Time};

use crate::secret::Secret;

/// How long an Ask waits when its asker does not say.
pub const WAIT_DEFAULT: Span = Span::seconds(900);

/// Longest wait of a plain peer: longer ones are cut to it, as OpenClaw does.
pub const WAIT_PLAIN_MAX: Span = Span(2_147_000_000);

/// Records on one page of a list when the caller does not say.
pub const PAGE_DEFAULT: usize = 500;

/// Most Records on one page of a list.
pub const PAGE_MAX: usize = 1000;

/// `question.request`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AskParams {
    /// The asker's own id; repeated with the same body it names the same Record. None: the gateway makes one.
    pub id: Option<RecordId>,
    /// What is asked.
    pub questions: Vec<Question>,
    /// Which agent, session and run; the label only under the cap.
    pub origin: Origin,
    /// How long to wait; [`WAIT_DEFAULT`] when not said.
    pub wait: Option<Span>,
    /// Under the cap: the only Persons who may answer.
    pub answerers: Vec<PersonId>,
    /// Under the cap: where to show it.
    pub places: Vec<String>,
    /// Under the cap: without a surface it ends as not delivered.
    pub needs_surface: bool,
    /// Under the cap: what the asker gets when nobody answered.
    pub when_unanswered: WhenUnanswered,
    /// Under the cap: lower-case hexadecimal SHA-256 of a random secret that only the asking terminal knows.
    pub terminal_proof: Option<String>,
}

/// `question.waitAnswer`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitParams {
    /// Which Record.
    pub id: RecordId,
    /// How long this call waits; none: until the end.
    pub wait: Option<Span>,
    /// The reply names the resolution that won.
    pub include_resolution: bool,
}

/// `question.resolve`.
#[derive(Clone, Debug)]
pub struct ResolveParams {
    /// Which Record.
    pub id: RecordId,
    /// Under the cap: which Record of that id; another one looks unknown.
    pub created_at: Option<Time>,
    /// What to do with it.
    pub act: ResolveAct,
    /// A free, unverified text about who resolves.
    pub resolved_by: Option<String>,
    /// The fixed id of this attempt.
    pub resolution: Option<ResolutionId>,
    /// Under the cap: who acts; only the ring's own connection may assert it.
    pub actor: Option<Actor>,
    /// Under the cap: the secret whose proof the Ask carries; makes the caller the asking terminal.
    pub terminal_secret: Option<Secret>,
}

/// What to do with a Record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolveAct {
    /// Answer it.
    Answer {
        /// Values by question, not yet canonical.
        answers: Answers,
        /// Under the cap: remarks beside choices.
        notes: Notes,
        /// Under the cap: the exact words of a typed reply.
        words: Option<String>,
    },
    /// End it without an answer.
    Cancel {
        /// Under the cap: why. None from an asker means it took the Ask back.
        why: Option<WhyCancelled>,
    },
}

/// `question.list`. A plain peer gets everything pending at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListParams {
    /// Under the cap: only what comes after this.
    pub after: Option<Cursor>,
    /// Under the cap: most Records of the page, 1 to [`PAGE_MAX`].
    pub limit: Option<usize>,
    /// Under the cap: also those that ended at this time or later.
    pub ended_since: Option<Time>,
    /// Under the cap: only Records whose ids begin so.
    pub id_prefix: Option<String>,
}

/// A place in the order of a list: by creation time, then by id. Written `1796057711239:ask_1`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    /// When the last Record seen was created.
    pub created_at: Time,
    /// Its id.
    pub id: RecordId,
}

/// `people.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeopleCall {
    /// Everybody.
    List,
    /// Add one; the name must be free.
    Add(Person),
    /// Change one.
    Change(Change),
    /// Add or replace one.
    Put(Person),
    /// Forget one.
    Remove(PersonId),
}

/// `tokens.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenCall {
    /// Make one; its secret is shown once.
    Create(NewToken),
    /// All, without their secrets.
    List,
    /// End one.
    Revoke(TokenId),
}

/// `pairings.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairingCall {
    /// Somebody unknown wants to be let in; only the ring's own connection may say so.
    Knock(Knock),
    /// Everybody who waits.
    List,
    /// Let one in.
    Approve(Approval),
    /// Turn one away.
    Reject(Code),
}

/// As whom somebody who waits is let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Their code.
    pub code: Code,
    /// The Person they are: somebody known, or a new one.
    pub person: PersonId,
    /// The rights that come with it; none said: somebody new may answer, somebody known gets nothing more.
    pub scopes: Option<Scopes>,
}

/// `invites.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InviteCall {
    /// Make one; its code is shown once.
    Create(NewInvite),
    /// All that were not used, without their codes.
    List,
    /// Withdraw one.
    Revoke(InviteId),
}

/// `notify.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotifyCall {
    /// Somebody is to be told something that asks for no answer.
    Send(NotifyParams),
    /// It was sent; only the ring's own connection may say so.
    Sent {
        /// The number that the gateway gave it.
        number: u64,
        /// To how many Places.
        places: usize,
    },
}

/// `notify.send`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotifyParams {
    /// The text.
    pub message: String,
    /// Which agent, session and run tells it.
    pub origin: Origin,
    /// Where, by name; none: where the routes say.
    pub places: Vec<String>,
}

/// An invite to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInvite {
    /// Whom it makes of whoever brings it.
    pub person: PersonId,
    /// The rights that come with it, as in [`Approval`].
    pub scopes: Option<Scopes>,
    /// Until when it is good; seven days when not said.
    pub expires_at: Option<Time>,
}

/// `audit.list`: the trail, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditParams {
    /// Only what is about Asks with this id.
    pub ask: Option<RecordId>,
    /// Only what this Person did.
    pub person: Option<PersonId>,
    /// Only what is older than the entry of this number.
    pub after: Option<i64>,
    /// Most entries of the page, 1 to [`PAGE_MAX`].
    pub limit: Option<usize>,
}

/// A token to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewToken {
    /// Whose it is; none makes a service.
    pub person: Option<PersonId>,
    /// What it may do, at most.
    pub scopes: BTreeSet<WireScope>,
    /// A name for people.
    pub label: Option<String>,
    /// When it stops working.
    pub expires_at: Option<Time>,
}

impl Cursor {
    /// The cursor in `text`, if it is one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (created_at, id) = text.split_once(':')?;
        let created_at = created_at.parse().ok()?;
        (!id.is_empty()).then(|| Self { created_at: Time(created_at), id: id.into() })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.created_at.0, self.id)
    }
}
