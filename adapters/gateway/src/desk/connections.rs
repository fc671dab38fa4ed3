//! Who is connected: admits them, numbers their events, sends each only what it may see and can read.

use std::collections::BTreeMap;
use std::sync::Arc;

use askrelay_core::permit::{Caller, WireScope};
use askrelay_core::person::People;
use askrelay_core::time::Time;
use askrelay_protocol::check::plain_can_express;
use askrelay_protocol::connect::{Auth, Connect, Granted, HelloOk, Policy, ServerInfo};
use askrelay_protocol::error::{Code, DetailCode, WireError};
use askrelay_protocol::frame::{CAP, Caps, Event, Method, PROTOCOL, ServerFrame};
use askrelay_protocol::reply::Reply;
use askrelay_protocol::secret::Secret;
use tokio::sync::oneshot;

use super::effect::Change;
use super::seat::{ConnectionId, Seat};
use super::{Desk, Outcome};
use crate::clock::Dice;
use crate::outbox::{Lost, Outbox};
use crate::token::{BadToken, find};

/// Everybody who is connected.
#[derive(Debug)]
pub(super) struct Connections {
    dice: Dice,
    next: ConnectionId,
    all: BTreeMap<ConnectionId, Connection>,
}

#[derive(Debug)]
struct Connection {
    seat: Arc<Seat>,
    outbox: Outbox,
    numbering: Numbering,
}

/// What the `seq` of a connection's events is.
#[derive(Debug)]
enum Numbering {
    /// How many were sent to it.
    Own(u64),
    /// The number that the log gave the change; ticks have none and are not sent.
    Log,
}

/// A connection introduces itself.
#[derive(Debug)]
pub(crate) struct Join {
    /// Who it is without a token, as its carrier established it.
    pub(crate) base: Option<Caller>,
    pub(crate) connect: Box<Connect>,
    /// The id of its `connect` request.
    pub(crate) request: String,
    pub(crate) outbox: Outbox,
    pub(crate) reply: oneshot::Sender<Result<Joined, WireError>>,
}

/// It may stay.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined {
    pub(crate) connection: ConnectionId,
    pub(crate) caps: Caps,
}

/// How a call without a connection says who makes it.
#[derive(Clone, Debug)]
pub(crate) enum Credential {
    /// By a token.
    Token(Secret),
    /// Its carrier established it.
    Caller(Caller),
    /// Not at all.
    Nobody,
}

impl Connections {
    pub(super) const fn new(dice: Dice) -> Self {
        Self { dice, next: 1, all: BTreeMap::new() }
    }

    pub(super) fn seat(&self, connection: ConnectionId) -> Option<Arc<Seat>> {
        self.all.get(&connection).map(|connection| Arc::clone(&connection.seat))
    }

    /// Whether there is such a seat.
    pub(super) fn has(&self, such: impl Fn(&Seat) -> bool) -> bool {
        self.all.values().any(|connection| such(&connection.seat))
    }

    fn add(&mut self, seat: Seat, outbox: Outbox, numbering: Numbering) -> ConnectionId {
        let id = self.next;
        self.next += 1;
        self.all.insert(id, Connection { seat: Arc::new(seat), outbox, numbering });
        id
    }

    /// Adds a connection that only listens.
    pub(super) fn add_listener(&mut self, seat: Seat, outbox: Outbox) -> ConnectionId {
        self.add(seat, outbox, Numbering::Log)
    }

    pub(super) fn respond(&self, connection: ConnectionId, id: String, result: Outcome) -> Result<(), Lost> {
        match self.all.get(&connection) {
            Some(connection) => connection.outbox.push(ServerFrame::Response { id, result }),
            None => Ok(()),
        }
    }

    /// Sends an event to everybody whom `to` says; gives those who are lost by it. `number` is the log's.
    fn send(
        &mut self,
        event: &Event,
        number: Option<u64>,
        mut to: impl FnMut(&Seat) -> bool,
    ) -> Vec<ConnectionId> {
        let mut lost = Vec::new();
        for (id, connection) in &mut self.all {
            if to(&connection.seat) && connection.event(event, number).is_err() {
                lost.push(*id);
            }
        }
        lost
    }

    /// Sends one change to one connection, if it may know.
    pub(super) fn send_to(
        &mut self,
        connection: ConnectionId,
        change: &Change,
        number: u64,
        people: &People,
    ) -> Result<(), Lost> {
        match self.all.get_mut(&connection) {
            Some(connection) if connection.seat.caller.may_see(change.record(), people) => {
                connection.event(&change.event(), Some(number))
            }
            Some(_) => Ok(()),
            None => Err(Lost),
        }
    }

    /// Closes the connections that `whom` says; they are gone when their carriers say so.
    fn close(&self, code: u16, reason: &str, whom: impl Fn(&Seat) -> bool) {
        for connection in self.all.values().filter(|connection| whom(&connection.seat)) {
            connection.outbox.close(code, reason);
        }
    }

    pub(super) fn close_all(&self, code: u16, reason: &str) {
        self.close(code, reason, |_| true);
    }
}

impl Connection {
    fn event(&mut self, event: &Event, number: Option<u64>) -> Result<(), Lost> {
        let seq = match &mut self.numbering {
            Numbering::Own(seq) => {
                *seq += 1;
                Some(*seq)
            }
            Numbering::Log => number,
        };
        self.outbox.push(ServerFrame::Event { seq, event: event.clone() })
    }
}

impl Desk {
    /// Lets a connection in, or says why not. Its hello goes before anything else that it is sent.
    pub(super) fn join(&mut self, join: Join) {
        let Join { base, connect, request, outbox, reply } = join;
        let admitted = if self.stop_by.is_some() {
            Err(WireError::restarting(Method::Connect.name()))
        } else {
            self.admit(base, &connect)
        };
        let (caller, granted) = match admitted {
            Ok(admitted) => admitted,
            Err(error) => {
                // A carrier that went away needs no answer.
                let _ = reply.send(Err(error));
                return;
            }
        };
        let caps = Caps::named(&connect.caps);
        let is_ring = caller == Caller::Ring;
        let hello = self.hello(caps, granted);
        let result = Ok(Reply::HelloOk(Box::new(hello)));
        // A queue that takes nothing is noticed below, when the carrier does not take its answer either.
        let _ = outbox.push(ServerFrame::Response { id: request, result });
        let connection = self.connections.add(Seat { caller, caps }, outbox, Numbering::Own(0));
        if reply.send(Ok(Joined { connection, caps })).is_err() {
            self.leave(connection);
        } else if is_ring {
            self.tell_people();
        }
    }

    /// A connection is gone; nobody there waits any more.
    pub(super) fn leave(&mut self, connection: ConnectionId) {
        let left = self.connections.all.remove(&connection);
        self.waiting.forget_connection(connection);
        if left.is_some_and(|left| left.seat.caller == Caller::Ring) {
            self.give_up_notifying(None);
        }
    }

    fn admit(&self, base: Option<Caller>, connect: &Connect) -> Result<(Caller, Granted), WireError> {
        let Auth { token, device_token, bootstrap_token, password } = &connect.auth;
        let tokens: Vec<_> = [token, device_token, password, bootstrap_token].into_iter().flatten().collect();
        let asked: Vec<WireScope> = connect.scopes.iter().filter_map(|name| wire_scope(name)).collect();
        let (caller, method) = match (tokens.as_slice(), base) {
            ([], Some(base)) => (base, "local"),
            ([], None) => return Err(token_required()),
            (tokens, _) => {
                let found = tokens.iter().map(|token| self.bearer(token));
                let caller = found.reduce(Result::or).unwrap_or_else(|| Err(token_required()))?;
                (caller, "token")
            }
        };
        let scopes: Vec<String> = asked
            .iter()
            .filter(|scope| caller.has(**scope))
            .map(|scope| wire_scope_name(*scope).to_owned())
            .collect();
        let caller = match caller {
            Caller::Token { id, person, scopes } => {
                let through =
                    |scope: &WireScope| scopes.contains(scope) || scopes.contains(&WireScope::Admin);
                Caller::Token { id, person, scopes: asked.into_iter().filter(through).collect() }
            }
            other => other,
        };
        let method = method.to_owned();
        Ok((caller, Granted { method, role: "operator".to_owned(), scopes, device_token: None }))
    }

    /// The bearer of a token, with all that the token may do.
    pub(super) fn bearer(&self, token: &Secret) -> Result<Caller, WireError> {
        match find(&self.tokens, token.expose(), self.clock.now()) {
            Ok(row) => Ok(Caller::Token {
                id: row.id.clone(),
                person: row.person.clone(),
                scopes: row.scopes.clone(),
            }),
            Err(BadToken::Ended) => {
                Err(unauthorized(DetailCode::AuthTokenExpired, "the token has ended; make a new one"))
            }
            Err(BadToken::Unknown) => {
                Err(unauthorized(DetailCode::AuthTokenMismatch, "gateway token mismatch; check the token"))
            }
        }
    }

    fn hello(&self, caps: Caps, auth: Granted) -> HelloOk {
        let methods = Method::ALL.into_iter().filter(|method| caps.wide || !method.is_extension());
        let events = ["connect.challenge", "question.requested", "question.resolved", "tick", "shutdown"];
        HelloOk {
            protocol: PROTOCOL,
            server: ServerInfo {
                version: self.config.version.clone(),
                boot_id: self.log.boot().to_owned(),
                conn_id: self.connections.dice.uuid(),
            },
            methods: methods.map(|method| method.name().to_owned()).collect(),
            events: events.map(str::to_owned).to_vec(),
            capabilities: vec![CAP.to_owned()],
            auth,
            policy: Policy {
                max_payload: self.config.bounds.frame_bytes as u64,
                max_buffered_bytes: self.config.bounds.buffered_bytes as u64,
                tick_interval_ms: self.config.delays.tick.as_millis().try_into().unwrap_or(u64::MAX),
            },
        }
    }

    /// Tells a change to everybody who may know of the Record and can read it, and wakes those who wait for its end.
    pub(super) fn publish(&mut self, change: Change) {
        let (record, event) = (Arc::clone(change.record()), change.event());
        let late = matches!(change, Change::Late(_));
        match &change {
            Change::Opened(_) => self.config.metrics.asked(),
            Change::Ended(record) => self.config.metrics.ended(record),
            Change::Late(_) => {}
        }
        let number = self.log.add(change);
        let people = Arc::clone(&self.people);
        let mut expressible = None;
        let lost = self.connections.send(&event, Some(number), |seat| {
            let mut in_plain = || *expressible.get_or_insert_with(|| plain_can_express(&record.ask));
            // A plain peer knows one end of a Record and no more.
            let reads = seat.caps.wide || (!late && in_plain());
            reads && seat.may_read().is_ok() && seat.caller.may_see(&record, &people)
        });
        lost.into_iter().for_each(|connection| self.leave(connection));
        if !record.state.is_pending() && !late {
            for waiter in self.waiting.of_record(&record.key.id) {
                self.respond_ended(waiter, &record);
            }
        }
    }

    /// Tells the ring who is who.
    pub(super) fn tell_people(&mut self) {
        self.tell_ring(&Event::People(Arc::clone(&self.people)));
    }

    /// Tells the ring's own connections.
    pub(super) fn tell_ring(&mut self, event: &Event) {
        let lost = self.connections.send(event, None, |seat| seat.caller == Caller::Ring);
        lost.into_iter().for_each(|connection| self.leave(connection));
    }

    /// Replaces everybody, and tells the ring if that changes anything.
    pub(super) fn set_people(&mut self, people: People) {
        if *self.people != people {
            self.people = Arc::new(people);
            self.tell_people();
        }
    }

    /// A sign of life for everybody.
    pub(super) fn send_tick(&mut self, now: Time) {
        let lost = self.connections.send(&Event::Tick { ts: now }, None, |_| true);
        lost.into_iter().for_each(|connection| self.leave(connection));
    }

    pub(super) fn send_shutdown(&mut self, reason: &str) {
        let event = Event::Shutdown { reason: reason.to_owned(), restart_expected_ms: None };
        self.connections.send(&event, None, |_| true);
    }

    /// Closes the connections of tokens that are no more.
    pub(super) fn close_tokenless(&mut self, now: Time) {
        let tokens = &self.tokens;
        self.connections.close(4001, "token revoked or over", |seat| match &seat.caller {
            Caller::Token { id, .. } => {
                tokens.get(id).is_none_or(|row| row.expires_at.is_some_and(|end| end <= now))
            }
            Caller::Ring | Caller::Local { .. } => false,
        });
    }
}

fn unauthorized(code: DetailCode, words: &str) -> WireError {
    let mut error = WireError::new(Code::InvalidRequest, format!("unauthorized: {words}"));
    error.details.code = Some(code);
    error
}

/// Nothing said who connects.
pub(super) fn token_required() -> WireError {
    let words = "a token is required; make one with `askrelay token create`";
    let mut error = WireError::new(Code::NotPaired, words);
    error.details.code = Some(DetailCode::DeviceIdentityRequired);
    error
}

const fn wire_scope_name(scope: WireScope) -> &'static str {
    match scope {
        WireScope::Questions => "operator.questions",
        WireScope::SessionsWrite => "operator.sessions.write",
        WireScope::Admin => "operator.admin",
    }
}

fn wire_scope(name: &str) -> Option<WireScope> {
    [WireScope::Questions, WireScope::SessionsWrite, WireScope::Admin]
        .into_iter()
        .find(|scope| wire_scope_name(*scope) == name)
}
