//! The one task that owns the Records, the people, the tokens and who is connected. It takes what has come in, steps the
//! ledger, hands the facts of the whole step to the store and goes on; replies and events that rest on facts are held until
//! those are saved. It does no input or output itself: carriers move frames, the store writes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askrelay_core::id::{InviteId, TokenId};
use askrelay_core::ledger::Ledger;
use askrelay_core::pairing::Pairings;
use askrelay_core::person::People;
use askrelay_protocol::frame::{Call, ClientFrame};
use askrelay_store::{InviteRow, Loaded, Store, TokenRow};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use crate::clock::{Clock, Dice};
use crate::config::Config;

mod administration;
mod commits;
mod connections;
mod doors;
mod effect;
mod ended;
mod facts;
mod failure;
mod follow;
mod log;
mod lookup;
mod notifying;
mod page;
mod questions;
mod resolve;
mod seat;
mod trail;
mod waiting;

use commits::Commits;
use connections::Connections;
pub(crate) use connections::{Credential, Join, Joined};
pub(crate) use effect::{Outcome, ReplyTo};
use ended::Ended;
use failure::{Condition, Told};
pub(crate) use follow::{Follow, Following};
use log::Log;
use lookup::{Parked, Reading};
use notifying::Notifying;
pub(crate) use page::Page;
pub(crate) use seat::{ConnectionId, Seat};
use trail::Refusals;
use waiting::Waiting;

/// Most inputs taken at one wake-up: enough to share a commit, few enough that commits start early.
const INPUTS: usize = 256;

/// Most Records that expire at one look at the clock; with their facts a commit stays of the usual size.
const EXPIRED: usize = 1024;

/// Inputs that wait for the desk. Senders wait when it is full, and so do the sockets behind them.
pub(crate) const INBOX: usize = 1024;

/// The clock of the wall is looked at this often while something has a deadline, in case it jumps.
const CLOCK_CHECK: Duration = Duration::from_secs(1);

/// A desk with nothing due looks this seldom.
const IDLE_LOOK: Duration = Duration::from_secs(3600);

/// What comes in.
#[derive(Debug)]
pub(crate) enum Input {
    /// A connection introduces itself.
    Join(Join),
    /// A frame of a connection that has joined.
    Frame(ConnectionId, ClientFrame),
    /// A connection is gone.
    Left(ConnectionId),
    /// Work without a connection.
    Work(Credential, Work, oneshot::Sender<Outcome>),
    /// Somebody wants to listen.
    Follow(Follow),
    /// The gateway is to end.
    Stop,
}

/// Work without a connection.
#[derive(Debug)]
pub(crate) enum Work {
    /// A call of the protocol.
    Call(Call),
    /// A page of Records, ended ones too.
    Page(Page),
    /// Nothing: done when the caller is known.
    Known,
    /// The numbers that change with every step are set, for somebody who comes to read them.
    Measure,
    /// Nothing: done when the gateway would take an Ask now.
    Ready,
}

/// The owner of everything.
#[derive(Debug)]
pub(crate) struct Desk {
    config: Arc<Config>,
    clock: Arc<dyn Clock>,
    dice: Dice,
    store: Arc<dyn Store>,
    log: Log,
    ledger: Ledger,
    people: Arc<People>,
    tokens: BTreeMap<TokenId, TokenRow>,
    pairings: Pairings,
    invites: BTreeMap<InviteId, InviteRow>,
    /// Refusals that were written down.
    noted: Refusals,
    /// Invites that opened nothing.
    guesses: Refusals,
    connections: Connections,
    waiting: Waiting,
    notifying: Notifying,
    commits: Commits,
    parked: Parked,
    reads: FuturesUnordered<Reading>,
    ended: Ended,
    pending_weight: usize,
    condition: Condition,
    told: Told,
    stop_by: Option<Instant>,
}

/// What a desk needs to begin with.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) dice: Dice,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) loaded: Loaded,
}

/// When the desk has something to do by itself.
struct Timers {
    tick: Instant,
    forget: Instant,
    clock: Instant,
}

impl Timers {
    fn new(config: &Config) -> Self {
        let now = Instant::now();
        Self { tick: now + config.delays.tick, forget: now + config.delays.forget, clock: now }
    }
}

impl Desk {
    pub(crate) fn new(start: Start) -> Self {
        let Start { config, clock, dice, store, loaded } = start;
        let log = Log::new(dice.uuid(), config.bounds.logged_events, config.bounds.logged_bytes);
        let mut desk = Self {
            ledger: Ledger::new(config.gateway.clone()),
            connections: Connections::new(dice.clone()),
            config,
            clock,
            dice,
            store,
            log,
            people: Arc::default(),
            tokens: BTreeMap::new(),
            pairings: Pairings::default(),
            invites: BTreeMap::new(),
            noted: Refusals::default(),
            guesses: Refusals::default(),
            waiting: Waiting::default(),
            notifying: Notifying::default(),
            commits: Commits::default(),
            parked: Parked::default(),
            reads: FuturesUnordered::new(),
            ended: Ended::default(),
            pending_weight: 0,
            condition: Condition::Working,
            told: Told::default(),
            stop_by: None,
        };
        desk.take_over(loaded);
        desk
    }

    /// Works until it is told to stop and everything accepted is saved.
    pub(crate) async fn run(mut self, mut inbox: mpsc::Receiver<Input>) {
        // The newest first, so that the oldest is the cheapest to take.
        let mut inputs = Vec::new();
        let mut timers = Timers::new(&self.config);
        self.look_at_clock();
        while !self.is_done() {
            while self.commits.has_room(&*self.store)
                && let Some(input) = inputs.pop()
            {
                self.step(input);
            }
            self.commits.hand_over(&*self.store);
            if self.is_done() {
                // Told to stop with nothing under way: nothing would wake the desk before its time is up.
                break;
            }
            timers.clock = self.next_look();
            tokio::select! {
                biased;
                ended = self.commits.next() => self.saved(ended),
                Some(read) = self.reads.next() => self.read(read),
                () = self.condition.over() => self.recover(),
                () = sleep_until(timers.clock) => self.look_at_clock(),
                () = sleep_until(timers.tick) => {
                    timers.tick = Instant::now() + self.config.delays.tick;
                    self.tick();
                }
                () = sleep_until(timers.forget) => {
                    timers.forget = Instant::now() + self.config.delays.forget;
                    self.forget_old();
                }
                count = inbox.recv_many(&mut inputs, INPUTS),
                    if inputs.is_empty() && self.commits.has_room(&*self.store) =>
                {
                    inputs.reverse();
                    if count == 0 {
                        self.stop();
                    }
                }
            }
        }
        self.connections.close_all(1012, "service restart");
    }

    /// One input. Hands over early when the facts of this wake-up have become many.
    fn step(&mut self, input: Input) {
        match input {
            Input::Join(join) => self.join(join),
            Input::Frame(connection, frame) => self.frame(connection, frame),
            Input::Left(connection) => self.leave(connection),
            Input::Work(credential, work, reply) => self.work(credential, work, reply),
            Input::Follow(follow) => self.follow(follow),
            Input::Stop => self.stop(),
        }
        if self.commits.is_full() {
            self.commits.hand_over(&*self.store);
        }
    }

    fn is_done(&self) -> bool {
        self.stop_by
            .is_some_and(|by| (self.commits.is_idle() && self.reads.is_empty()) || by <= Instant::now())
    }

    /// What has come to an end by the clock: Records, and callers that waited long enough.
    fn look_at_clock(&mut self) {
        let now = self.clock.now();
        self.look_at_health();
        self.ensure_owner();
        if self.is_writable() && self.commits.has_room(&*self.store) {
            self.ledger.expire(now, EXPIRED);
            self.gather();
        }
        for waiter in self.waiting.due(now) {
            self.respond_pending(waiter);
        }
    }

    /// When the clock is to be looked at next.
    fn next_look(&self) -> Instant {
        // Without room nothing expires; the end of a commit brings room and another look.
        let expiry = self.ledger.next_expiry().filter(|_| self.commits.has_room(&*self.store));
        let due = [expiry, self.waiting.next_due()].into_iter().flatten().min();
        let now = Instant::now();
        if !self.is_writable() || self.told.is_of_failing() {
            return now + self.config.delays.store_retry;
        }
        let Some(due) = due else { return self.stop_by.unwrap_or(now + IDLE_LOOK) };
        let left = Duration::from_millis(due.since(self.clock.now()).0);
        now + left.min(CLOCK_CHECK)
    }

    fn tick(&mut self) {
        let now = self.clock.now();
        self.end_tokens(now);
        self.end_doors(now);
        self.noted.forget_old(now);
        self.guesses.forget_old(now);
        self.waiting.forget_gone();
        self.give_up_notifying(Some(now));
        self.send_tick(now);
    }

    /// Begins to end: nobody waits any more, nothing new is taken, what was accepted is saved.
    fn stop(&mut self) {
        if self.stop_by.is_some() {
            return;
        }
        self.stop_by = Some(Instant::now() + self.config.delays.stop);
        for waiter in self.waiting.drain() {
            self.respond(waiter.to, Ok(waiting::STILL_PENDING));
        }
        self.give_up_notifying(None);
        self.send_shutdown("gateway stopping");
    }
}
