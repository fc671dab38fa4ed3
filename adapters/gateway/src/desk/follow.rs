//! Event streams: a connection that only listens, joins without a handshake, and may come back where it had got to.

use std::sync::Arc;

use askrelay_protocol::error::WireError;
use askrelay_protocol::frame::Caps;
use tokio::sync::oneshot;

use super::connections::Credential;
use super::effect::Change;
use super::{Desk, Seat};
use crate::outbox::Outbox;

/// Somebody wants to listen.
#[derive(Debug)]
pub(crate) struct Follow {
    pub(crate) credential: Credential,
    /// The id of the last event that was heard, if this is a return.
    pub(crate) heard: Option<String>,
    pub(crate) outbox: Outbox,
    pub(crate) reply: oneshot::Sender<Result<Following, WireError>>,
}

/// The listener is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Following {
    /// The first part of every event's id; the event's number, after a hyphen, is the second.
    pub(crate) boot: String,
    /// The number to resume from before the first event has come.
    pub(crate) position: u64,
    /// What happened after the event last heard is not all known: list again.
    pub(crate) gap: bool,
}

impl Desk {
    /// Lets a listener on, and sends what it missed. Its events carry their numbers as `seq`.
    pub(super) fn follow(&mut self, follow: Follow) {
        let Follow { credential, heard, outbox, reply } = follow;
        let seat = self.caller(credential).and_then(|caller| {
            let seat = Seat { caller, caps: Caps::WIDE };
            seat.may_read().map(|()| seat)
        });
        let seat = match seat {
            Ok(seat) => seat,
            Err(error) => {
                // A listener that went away needs no answer.
                let _ = reply.send(Err(error));
                return;
            }
        };
        let missed: Option<Vec<(u64, Change)>> = heard.as_ref().map_or(Some(Vec::new()), |heard| {
            Some(self.log.after(heard)?.map(|(number, change)| (number, change.clone())).collect())
        });
        let following = Following {
            boot: self.log.boot().to_owned(),
            position: self.log.newest(),
            gap: missed.is_none(),
        };
        let connection = self.connections.add_listener(seat, outbox);
        if reply.send(Ok(following)).is_err() {
            return self.leave(connection);
        }
        let people = Arc::clone(&self.people);
        for (number, change) in missed.unwrap_or_default() {
            let lost = self.connections.send_to(connection, &change, number, &people);
            if lost.is_err() {
                return self.leave(connection);
            }
        }
    }
}
