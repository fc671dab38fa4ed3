//! The `question.*` calls that ask, read and wait. Ending a Record is in [`super::resolve`].

use std::sync::Arc;

use askrelay_core::ask::{Ask, Fault};
use askrelay_core::id::RecordId;
use askrelay_core::ledger::OpenVerdict;
use askrelay_core::permit::{Caller, Refused};
use askrelay_core::person::ChangeFault;
use askrelay_core::record::Record;
use askrelay_protocol::call::{AskParams, Cursor, ListParams, PAGE_DEFAULT, PAGE_MAX, WaitParams};
use askrelay_protocol::check::plain_can_express;
use askrelay_protocol::error::{Reason, WireError};
use askrelay_protocol::frame::{Call, Caps, ClientFrame, Method};
use askrelay_protocol::reply::{Ending, Reply, Waited};
use askrelay_store::{Direction, StateFilter};
use tokio::sync::oneshot;

use super::connections::Credential;
use super::failure::{Condition, not_saved, too_many_waiting, unreadable};
use super::lookup::Asked;
use super::resolve::asked;
use super::waiting::{STILL_PENDING, Waiter};
use super::{ConnectionId, Desk, Outcome, Page, ReplyTo, Seat, Work};
use crate::metrics::Queue;
use crate::weight::ask_weight;

impl Desk {
    /// A frame of a connection that has joined.
    pub(super) fn frame(&mut self, connection: ConnectionId, frame: ClientFrame) {
        let Some(seat) = self.connections.seat(connection) else { return };
        match frame {
            ClientFrame::Request { id, call } => self.serve(seat, call, ReplyTo::Frame { connection, id }),
            ClientFrame::Invalid { id, error } => {
                let id = id.unwrap_or_else(|| "invalid".to_owned());
                self.respond(ReplyTo::Frame { connection, id }, Err(error));
            }
        }
    }

    /// Work without a connection.
    pub(super) fn work(&mut self, credential: Credential, work: Work, reply: oneshot::Sender<Outcome>) {
        let to = ReplyTo::Call(reply);
        if let Work::Ready = work {
            let ready = self.stop_by.is_none() && self.is_writable();
            return self.respond(to, if ready { Ok(Reply::Done) } else { Err(not_saved()) });
        }
        let seat = match self.caller(credential) {
            Ok(caller) => Arc::new(Seat { caller, caps: Caps::WIDE }),
            Err(error) => return self.respond(to, Err(error)),
        };
        match work {
            Work::Call(call) => self.serve(seat, call, to),
            Work::Page(page) => match seat.may_read() {
                Ok(()) => self.page(seat, page, to),
                Err(error) => self.respond(to, Err(error)),
            },
            Work::Measure => {
                self.measure();
                self.respond(to, Ok(Reply::Done));
            }
            Work::Known | Work::Ready => self.respond(to, Ok(Reply::Done)),
        }
    }

    fn measure(&self) {
        let metrics = &self.config.metrics;
        metrics.pending(self.ledger.pending_count());
        metrics.queued(Queue::Facts, self.store.queued_facts());
        metrics.queued(Queue::Waits, self.waiting.len());
    }

    fn serve(&mut self, seat: Arc<Seat>, call: Call, to: ReplyTo) {
        if let Err(error) = seat.may_call(&call, &self.people) {
            self.respond(to, Err(error));
        } else if self.stop_by.is_some() {
            let method = call.method().map_or("", Method::name);
            self.respond(to, Err(WireError::restarting(method)));
        } else if !matches!(self.condition, Condition::Working) {
            self.respond(to, Err(unreadable()));
        } else {
            match call {
                Call::People(call) => self.people_call(&seat, call, to),
                Call::Tokens(call) => self.token_call(&seat, call, to),
                Call::Pairings(call) => self.pairing_call(&seat, call, to),
                Call::Invites(call) => self.invite_call(&seat, call, to),
                Call::Audit(params) => self.trail(params, to),
                Call::Notify(call) => self.notify(&seat, call, to),
                call => self.question(Asked { seat, call, to, looked: false }),
            }
        }
    }

    /// A call of the `question.*` family; first the Record it is about is brought into memory.
    pub(super) fn question(&mut self, asked: Asked) {
        let about = match &asked.call {
            Call::Request(params) => params.id.as_ref(),
            Call::WaitAnswer(params) => Some(&params.id),
            Call::Resolve(params) => Some(&params.id),
            Call::Get { id } | Call::Collect { id } => Some(id),
            _ => None,
        };
        if let Some(id) = about
            && !asked.looked
            && self.ledger.get(id).is_none()
        {
            let id = id.clone();
            return self.look_up(id, asked);
        }
        let Asked { seat, call, to, .. } = asked;
        match call {
            Call::Request(params) => self.request(&seat, *params, to),
            Call::WaitAnswer(params) => self.wait(seat, params, to),
            Call::Resolve(params) => self.resolve(&seat, *params, to),
            Call::Get { id } => self.get(&seat, &id, to),
            Call::List(params) => self.list(seat, params, to),
            Call::Collect { id } => self.collect(&seat, &id, to),
            Call::Connect(_)
            | Call::People(_)
            | Call::Tokens(_)
            | Call::Pairings(_)
            | Call::Invites(_)
            | Call::Audit(_)
            | Call::Notify(_)
            | Call::Unknown { .. } => {}
        }
    }

    fn request(&mut self, seat: &Seat, params: AskParams, to: ReplyTo) {
        let id = params.id.clone().unwrap_or_else(|| RecordId::from(self.dice.uuid()));
        let creator = seat.caller.creator(&self.people, params.origin.session_key.is_some());
        let ask = match params.into_ask(creator, seat.caps) {
            Ok(ask) => ask,
            Err(error) => return self.respond(to, Err(error)),
        };
        // What was taken before is not judged again: the people and the room may have changed, the Record has not.
        if self.ledger.get(&id).is_none()
            && let Err(error) = self.judge(&ask)
        {
            return self.respond(to, Err(error));
        }
        let verdict = self.ledger.open(self.clock.now(), id.clone(), ask, self.config.bounds.open_asks);
        self.gather();
        let taken = |record: &Record, was_there| {
            Ok(Reply::Requested { id: id.clone(), expires_at: record.expires_at, was_there })
        };
        let outcome = match &verdict {
            OpenVerdict::Opened(record) => taken(record, false),
            OpenVerdict::Same(record) => taken(record, true),
            OpenVerdict::InUse => {
                Err(WireError::question(Reason::IdInUse, format!("question id '{id}' is already in use")))
            }
            OpenVerdict::TooMany(open) => Err(too_many_open(&format!("too many open asks: {open}"))),
        };
        self.respond_about(&id, to, outcome);
    }

    /// Whether the gateway takes such an Ask now, as far as its ledger does not say.
    fn judge(&self, ask: &Ask) -> Result<(), WireError> {
        if !self.is_writable() {
            return Err(not_saved());
        }
        let unknown =
            ask.answerers.iter().enumerate().filter(|(_, person)| self.people.get(person).is_none());
        let faults: Vec<_> = unknown
            .map(|(index, person)| Fault {
                path: format!("/answerers/{index}"),
                what: ChangeFault::Nobody(person.clone()).to_string(),
            })
            .collect();
        if !faults.is_empty() {
            return Err(WireError::invalid_params(Method::Request.name(), faults));
        }
        if ask_weight(ask) > self.config.bounds.text_bytes {
            return Err(self.too_large(Method::Request));
        }
        if self.pending_weight + ask_weight(ask) > self.config.bounds.pending_bytes {
            return Err(too_many_open("too many open asks in all"));
        }
        Ok(())
    }

    /// More text than one Ask or answer may have.
    pub(super) fn too_large(&self, method: Method) -> WireError {
        let what = format!("must be smaller: at most about {} bytes of text", self.config.bounds.text_bytes);
        WireError::invalid_params(method.name(), vec![Fault { path: String::new(), what }])
    }

    fn get(&mut self, seat: &Seat, id: &RecordId, to: ReplyTo) {
        let outcome = match self.visible(seat, id) {
            Some(record) => Ok(Reply::Question(record)),
            None => Err(WireError::not_found(id.as_str())),
        };
        self.respond_about(id, to, outcome);
    }

    fn wait(&mut self, seat: Arc<Seat>, params: WaitParams, to: ReplyTo) {
        let WaitParams { id, wait, include_resolution } = params;
        let Some(record) = self.visible(&seat, &id) else {
            return self.respond_about(&id, to, Err(WireError::not_found(id.as_str())));
        };
        if !record.state.is_pending() {
            let ended = Waited::Ended { ending: Ending::Record(record), include_resolution };
            return self.respond_about(&id, to, Ok(Reply::Waited(ended)));
        }
        if self.parked.len() + self.waiting.len() >= self.config.bounds.waiting {
            self.waiting.forget_gone();
            if self.waiting.len() >= self.config.bounds.waiting {
                return self.respond(to, Err(too_many_waiting()));
            }
        }
        let until = wait.map(|wait| self.clock.now().after(wait));
        self.waiting.add(Waiter { seat, record: id, to, until, include_resolution });
    }

    /// The Record has ended: the waiter learns how, if it may still know of it.
    pub(super) fn respond_ended(&mut self, waiter: Waiter, record: &Arc<Record>) {
        let Waiter { seat, to, include_resolution, .. } = waiter;
        let outcome = if self.stands(&seat) && self.shows(&seat, record) {
            let ending = Ending::Record(Arc::clone(record));
            Ok(Reply::Waited(Waited::Ended { ending, include_resolution }))
        } else {
            Err(WireError::not_found(record.key.id.as_str()))
        };
        self.respond(to, outcome);
    }

    /// The call's own time is over before the Record's; what it may not know of by now does not exist for it.
    pub(super) fn respond_pending(&mut self, waiter: Waiter) {
        let Waiter { seat, record, to, .. } = waiter;
        let is_there = self.stands(&seat) && self.visible(&seat, &record).is_some();
        let outcome = if is_there { Ok(STILL_PENDING) } else { Err(WireError::not_found(record.as_str())) };
        self.respond(to, outcome);
    }

    /// Whether what lets the caller in is still good: a call without a connection outlives its token.
    fn stands(&self, seat: &Seat) -> bool {
        match &seat.caller {
            Caller::Token { id, .. } => {
                self.tokens.get(id).is_some_and(|row| row.expires_at.is_none_or(|end| end > self.clock.now()))
            }
            Caller::Ring | Caller::Local { .. } => true,
        }
    }

    fn list(&mut self, seat: Arc<Seat>, params: ListParams, to: ReplyTo) {
        let ListParams { after, limit, ended_since, id_prefix } = params;
        // A plain peer has no pages: it gets everything.
        let limit = match limit {
            _ if !seat.caps.wide => usize::MAX,
            Some(limit) => limit.clamp(1, PAGE_MAX),
            None => PAGE_DEFAULT,
        };
        if ended_since.is_some() || id_prefix.is_some() {
            let filter = ended_since.map_or(StateFilter::Pending, StateFilter::WaitingOrEndedSince);
            let page = Page { filter, id_prefix, direction: Direction::OldestFirst, after, limit };
            return self.page(seat, page, to);
        }
        let after = after.map(|cursor| (cursor.created_at, cursor.id));
        let mut records: Vec<_> = self
            .ledger
            .pending(after.as_ref())
            .filter(|record| self.shows(&seat, record))
            .take(limit.saturating_add(1))
            .cloned()
            .collect();
        let more = records.len() > limit;
        records.truncate(limit);
        let next = records
            .last()
            .filter(|_| more)
            .map(|record| Cursor { created_at: record.key.created_at, id: record.key.id.clone() });
        self.respond_about_all(to, Ok(Reply::Questions { records, next }));
    }

    /// The asker has the end in hand: the same asked again is a new Ask from now on.
    fn collect(&mut self, seat: &Seat, id: &RecordId, to: ReplyTo) {
        let outcome = match self.visible(seat, id) {
            Some(record) if asked(&seat.caller, &record) => {
                drop(record);
                self.ledger.collect(self.clock.now(), id);
                self.gather();
                Ok(Reply::Done)
            }
            Some(_) => Err(WireError::not_permitted(Refused::NoRight)),
            None => Err(WireError::not_found(id.as_str())),
        };
        self.respond_about(id, to, outcome);
    }

    /// The Record of that id, if the caller may know of it and can read it.
    pub(super) fn visible(&self, seat: &Seat, id: &RecordId) -> Option<Arc<Record>> {
        self.ledger.get(id).filter(|record| self.shows(seat, record)).cloned()
    }

    fn shows(&self, seat: &Seat, record: &Record) -> bool {
        seat.caller.may_see(record, &self.people) && (seat.caps.wide || plain_can_express(&record.ask))
    }
}

fn too_many_open(words: &str) -> WireError {
    let mut error = WireError::question(Reason::TooManyOpen, words);
    error.retryable = true;
    error
}
