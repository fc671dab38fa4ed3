//! What a step wants told. An effect that rests on facts is held with them until they are saved; one that rests on none
//! goes out at once.

use std::sync::Arc;

use askrelay_core::record::Record;
use askrelay_protocol::error::WireError;
use askrelay_protocol::frame::Event;
use askrelay_protocol::reply::{Ending, Reply};
use tokio::sync::oneshot;

use super::seat::ConnectionId;

/// What came of a call.
pub(crate) type Outcome = Result<Reply, WireError>;

/// Whom to answer.
#[derive(Debug)]
pub(crate) enum ReplyTo {
    /// A request of a connection.
    Frame {
        /// Which connection.
        connection: ConnectionId,
        /// The request's own id.
        id: String,
    },
    /// A call without a connection.
    Call(oneshot::Sender<Outcome>),
}

/// What to tell.
#[derive(Debug)]
pub(super) enum Effect {
    /// One caller gets its answer.
    Respond(ReplyTo, Outcome),
    /// Everybody who may know learns what happened.
    Publish(Change),
    /// The ring's own connection hears of it.
    TellRing(Event),
}

/// What happened to a Record.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// It was created.
    Opened(Arc<Record>),
    /// It ended.
    Ended(Arc<Record>),
    /// A late answer is kept on it.
    Late(Arc<Record>),
}

impl Change {
    /// The Record as the change left it.
    pub(super) const fn record(&self) -> &Arc<Record> {
        match self {
            Self::Opened(record) | Self::Ended(record) | Self::Late(record) => record,
        }
    }

    /// The event that tells it.
    pub(super) fn event(&self) -> Event {
        match self {
            Self::Opened(record) => Event::QuestionRequested(Arc::clone(record)),
            Self::Ended(record) | Self::Late(record) => {
                Event::QuestionResolved(Ending::Record(Arc::clone(record)))
            }
        }
    }
}

impl ReplyTo {
    /// The connection to answer on.
    pub(super) const fn connection(&self) -> Option<ConnectionId> {
        match self {
            Self::Frame { connection, .. } => Some(*connection),
            Self::Call(_) => None,
        }
    }

    /// Nobody waits for the answer any more, as far as can be seen from here.
    pub(super) fn is_gone(&self) -> bool {
        match self {
            Self::Frame { .. } => false,
            Self::Call(reply) => reply.is_closed(),
        }
    }
}
