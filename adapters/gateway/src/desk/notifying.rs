//! `notify.*`: what asks for no answer goes to the ring, which says in how many Places it was said. Saves nothing: whoever was not
//! told is not told later.

use std::collections::BTreeMap;

use askrelay_core::permit::Caller;
use askrelay_core::port::Notification;
use askrelay_core::time::{Span, Time};
use askrelay_protocol::call::{NotifyCall, NotifyParams};
use askrelay_protocol::error::WireError;
use askrelay_protocol::frame::{Event, Method};
use askrelay_protocol::reply::Reply;

use super::{Desk, ReplyTo, Seat};

/// How long the ring may take to say where it was said. It answers from memory, so a longer silence means that it never will.
const PATIENCE: Span = Span::seconds(10);

/// What was handed to the ring and is not known to be said, by number: who asked, and until when they wait.
#[derive(Debug, Default)]
pub(super) struct Notifying {
    last: u64,
    waiting: BTreeMap<u64, (ReplyTo, Time)>,
}

impl Desk {
    pub(super) fn notify(&mut self, seat: &Seat, call: NotifyCall, to: ReplyTo) {
        match call {
            NotifyCall::Send(params) => self.send_notification(seat, params, to),
            NotifyCall::Sent { number, places } => {
                if let Some((asker, _)) = self.notifying.waiting.remove(&number) {
                    self.respond(asker, Ok(Reply::Notified { places }));
                }
                self.respond(to, Ok(Reply::Done));
            }
        }
    }

    fn send_notification(&mut self, seat: &Seat, params: NotifyParams, to: ReplyTo) {
        let NotifyParams { message, origin, places } = params;
        if message.len() > self.config.bounds.text_bytes {
            return self.respond(to, Err(self.too_large(Method::NotifySend)));
        }
        if !self.connections.has(|seat| seat.caller == Caller::Ring) {
            return self.respond(to, Ok(Reply::Notified { places: 0 }));
        }
        if self.notifying.waiting.len() >= self.config.bounds.waiting {
            return self.respond(to, Err(WireError::unavailable("too many wait to be told", None)));
        }
        self.notifying.last += 1;
        let number = self.notifying.last;
        let until = self.clock.now().after(PATIENCE);
        self.notifying.waiting.insert(number, (to, until));
        let creator = seat.caller.creator(&self.people, origin.session_key.is_some()).person;
        self.tell_ring(&Event::Notify(Notification { number, message, origin, creator, places }));
    }

    /// Nobody says any more where these were said: all of them, or those that waited long enough by `now`.
    pub(super) fn give_up_notifying(&mut self, now: Option<Time>) {
        let over = |until: &Time| now.is_none_or(|now| *until <= now);
        let given_up: Vec<_> = self.notifying.waiting.extract_if(.., |_, (_, until)| over(until)).collect();
        for (_, (to, _)) in given_up {
            self.respond(to, Err(WireError::unavailable("the chats did not say whether they told it", None)));
        }
    }
}
