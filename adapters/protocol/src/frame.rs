//! The frames of one connection, typed: what a client sends and what a gateway sends. The same values travel unserialised
//! inside the process and as JSON text over a WebSocket; turning them into text and back is [`crate::encode`]'s and
//! [`crate::decode`]'s.

use std::sync::Arc;

use askrelay_core::id::{Identity, Place, RecordId};
use askrelay_core::person::People;
use askrelay_core::port::{Notification, Welcome};
use askrelay_core::record::Record;
use askrelay_core::time::Time;

use crate::call::{
    AskParams, AuditParams, InviteCall, ListParams, NotifyCall, PairingCall, PeopleCall, ResolveParams,
    TokenCall, WaitParams,
};
use crate::connect::Connect;
use crate::error::WireError;
use crate::reply::{Ending, Reply};

/// The protocol version both sides must share.
pub const PROTOCOL: u64 = 4;

/// The extension cap: a peer that names it gets the wide contract, complete Records and paged lists.
pub const CAP: &str = "askrelay/1";

/// Which shape a peer understands, agreed in the handshake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Caps {
    /// It offered [`CAP`]; without it everything is OpenClaw's plain shape.
    pub wide: bool,
}

/// What a client sends.
#[derive(Clone, Debug)]
pub enum ClientFrame {
    /// A request; answered by exactly one response with the same id, in any order.
    Request {
        /// The client's own name for it; duplicates are answered twice.
        id: String,
        /// What is asked for.
        call: Call,
    },
    /// Text that is JSON but no acceptable request: answer with the error, keep the connection open.
    Invalid {
        /// The frame's id where it had one.
        id: Option<String>,
        /// Everything wrong with it.
        error: WireError,
    },
}

/// What a client asks for.
#[derive(Clone, Debug)]
pub enum Call {
    /// The handshake; must be the first request of a connection.
    Connect(Box<Connect>),
    /// `question.request`: create an Ask.
    Request(Box<AskParams>),
    /// `question.waitAnswer`: wait for the end of one.
    WaitAnswer(WaitParams),
    /// `question.resolve`: answer or cancel one.
    Resolve(Box<ResolveParams>),
    /// `question.get`: one Record.
    Get {
        /// Which.
        id: RecordId,
    },
    /// `question.list`: what is pending.
    List(ListParams),
    /// `question.collect`, under [`CAP`] only: the asker has the end of one in hand.
    Collect {
        /// Which.
        id: RecordId,
    },
    /// `people.*`, under [`CAP`] only.
    People(PeopleCall),
    /// `tokens.*`, under [`CAP`] only.
    Tokens(TokenCall),
    /// `pairings.*`, under [`CAP`] only.
    Pairings(PairingCall),
    /// `invites.*`, under [`CAP`] only.
    Invites(InviteCall),
    /// `audit.list`, under [`CAP`] only.
    Audit(AuditParams),
    /// `notify.*`, under [`CAP`] only.
    Notify(NotifyCall),
    /// A method this protocol does not have, or not for this peer.
    Unknown {
        /// Its name.
        method: String,
    },
}

/// The method of a [`Call`], which also says how its response reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// `connect`.
    Connect,
    /// `question.request`.
    Request,
    /// `question.waitAnswer`.
    WaitAnswer,
    /// `question.resolve`.
    Resolve,
    /// `question.get`.
    Get,
    /// `question.list`.
    List,
    /// `question.collect`.
    Collect,
    /// `people.list`.
    PeopleList,
    /// `people.add`.
    PeopleAdd,
    /// `people.change`.
    PeopleChange,
    /// `people.put`.
    PeoplePut,
    /// `people.remove`.
    PeopleRemove,
    /// `tokens.create`.
    TokensCreate,
    /// `tokens.list`.
    TokensList,
    /// `tokens.revoke`.
    TokensRevoke,
    /// `pairings.knock`.
    PairingsKnock,
    /// `pairings.list`.
    PairingsList,
    /// `pairings.approve`.
    PairingsApprove,
    /// `pairings.reject`.
    PairingsReject,
    /// `invites.create`.
    InvitesCreate,
    /// `invites.list`.
    InvitesList,
    /// `invites.revoke`.
    InvitesRevoke,
    /// `audit.list`.
    AuditList,
    /// `notify.send`.
    NotifySend,
    /// `notify.sent`.
    NotifySent,
}

/// What a gateway sends.
#[derive(Clone, Debug)]
pub enum ServerFrame {
    /// The answer to one request.
    Response {
        /// The request's id.
        id: String,
        /// What came of it.
        result: Result<Reply, WireError>,
    },
    /// Something happened.
    Event {
        /// Counts the events of this connection from 1; none before the hello. A gap means a lost frame.
        seq: Option<u64>,
        /// What.
        event: Event,
    },
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The first frame of a connection.
    Challenge(Challenge),
    /// A Record was created.
    QuestionRequested(Arc<Record>),
    /// A Record ended, or a late answer was kept on one that had ended.
    QuestionResolved(Ending),
    /// People, identities or rights changed; sent to the ring's own connection only.
    People(Arc<People>),
    /// Somebody who knocked is told this; sent to the ring's own connection only.
    Knocked {
        /// Where.
        place: Place,
        /// Whom.
        identity: Identity,
        /// What.
        welcome: Welcome,
    },
    /// Somebody is to be told something that asks for no answer; sent to the ring's own connection only.
    Notify(Notification),
    /// The connection is alive.
    Tick {
        /// The gateway's clock.
        ts: Time,
    },
    /// The gateway is going down.
    Shutdown {
        /// Why, in its words.
        reason: String,
        /// When it expects to be back, in milliseconds from now.
        restart_expected_ms: Option<u64>,
    },
    /// An event this protocol does not read; only ever read, never sent by us.
    Unknown {
        /// Its name.
        name: String,
    },
}

/// What a gateway says before anything else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Challenge {
    /// A device signs it.
    pub nonce: String,
    /// The gateway's clock.
    pub ts: Time,
    /// What the gateway can do; a client offers [`CAP`] only to one that names it.
    pub capabilities: Vec<String>,
}

impl Caps {
    /// OpenClaw's plain shape.
    pub const PLAIN: Self = Self { wide: false };
    /// Everything of ours.
    pub const WIDE: Self = Self { wide: true };

    /// The caps a peer named.
    #[must_use]
    pub fn named<S: AsRef<str>>(names: &[S]) -> Self {
        Self { wide: names.iter().any(|name| name.as_ref() == CAP) }
    }
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 25] = [
        Self::Connect,
        Self::Request,
        Self::WaitAnswer,
        Self::Resolve,
        Self::Get,
        Self::List,
        Self::Collect,
        Self::PeopleList,
        Self::PeopleAdd,
        Self::PeopleChange,
        Self::PeoplePut,
        Self::PeopleRemove,
        Self::TokensCreate,
        Self::TokensList,
        Self::TokensRevoke,
        Self::PairingsKnock,
        Self::PairingsList,
        Self::PairingsApprove,
        Self::PairingsReject,
        Self::InvitesCreate,
        Self::InvitesList,
        Self::InvitesRevoke,
        Self::AuditList,
        Self::NotifySend,
        Self::NotifySent,
    ];

    /// The method's name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Request => "question.request",
            Self::WaitAnswer => "question.waitAnswer",
            Self::Resolve => "question.resolve",
            Self::Get => "question.get",
            Self::List => "question.list",
            Self::Collect => "question.collect",
            Self::PeopleList => "people.list",
            Self::PeopleAdd => "people.add",
            Self::PeopleChange => "people.change",
            Self::PeoplePut => "people.put",
            Self::PeopleRemove => "people.remove",
            Self::TokensCreate => "tokens.create",
            Self::TokensList => "tokens.list",
            Self::TokensRevoke => "tokens.revoke",
            Self::PairingsKnock => "pairings.knock",
            Self::PairingsList => "pairings.list",
            Self::PairingsApprove => "pairings.approve",
            Self::PairingsReject => "pairings.reject",
            Self::InvitesCreate => "invites.create",
            Self::InvitesList => "invites.list",
            Self::InvitesRevoke => "invites.revoke",
            Self::AuditList => "audit.list",
            Self::NotifySend => "notify.send",
            Self::NotifySent => "notify.sent",
        }
    }

    /// The method of that name; extensions exist only for a peer with [`CAP`].
    #[must_use]
    pub fn named(name: &str, caps: Caps) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name && (caps.wide || !method.is_extension()))
    }

    /// Whether it is ours rather than OpenClaw's.
    #[must_use]
    pub const fn is_extension(self) -> bool {
        !matches!(
            self,
            Self::Connect | Self::Request | Self::WaitAnswer | Self::Resolve | Self::Get | Self::List
        )
    }
}

impl Call {
    /// The method, or nothing for an unknown one.
    #[must_use]
    pub const fn method(&self) -> Option<Method> {
        Some(match self {
            Self::Connect(_) => Method::Connect,
            Self::Request(_) => Method::Request,
            Self::WaitAnswer(_) => Method::WaitAnswer,
            Self::Resolve(_) => Method::Resolve,
            Self::Get { .. } => Method::Get,
            Self::List(_) => Method::List,
            Self::Collect { .. } => Method::Collect,
            Self::People(PeopleCall::List) => Method::PeopleList,
            Self::People(PeopleCall::Add(_)) => Method::PeopleAdd,
            Self::People(PeopleCall::Change(_)) => Method::PeopleChange,
            Self::People(PeopleCall::Put(_)) => Method::PeoplePut,
            Self::People(PeopleCall::Remove(_)) => Method::PeopleRemove,
            Self::Tokens(TokenCall::Create(_)) => Method::TokensCreate,
            Self::Tokens(TokenCall::List) => Method::TokensList,
            Self::Tokens(TokenCall::Revoke(_)) => Method::TokensRevoke,
            Self::Pairings(PairingCall::Knock(_)) => Method::PairingsKnock,
            Self::Pairings(PairingCall::List) => Method::PairingsList,
            Self::Pairings(PairingCall::Approve(_)) => Method::PairingsApprove,
            Self::Pairings(PairingCall::Reject(_)) => Method::PairingsReject,
            Self::Invites(InviteCall::Create(_)) => Method::InvitesCreate,
            Self::Invites(InviteCall::List) => Method::InvitesList,
            Self::Invites(InviteCall::Revoke(_)) => Method::InvitesRevoke,
            Self::Audit(_) => Method::AuditList,
            Self::Notify(NotifyCall::Send(_)) => Method::NotifySend,
            Self::Notify(NotifyCall::Sent { .. }) => Method::NotifySent,
            Self::Unknown { .. } => return None,
        })
    }
}

impl Event {
    /// The event's name on the wire.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Challenge(_) => "connect.challenge",
            Self::QuestionRequested(_) => "question.requested",
            Self::QuestionResolved(_) => "question.resolved",
            Self::People(_) => "people.changed",
            Self::Knocked { .. } => "people.knocked",
            Self::Notify(_) => "notify.requested",
            Self::Tick { .. } => "tick",
            Self::Shutdown { .. } => "shutdown",
            Self::Unknown { name } => name,
        }
    }
}
