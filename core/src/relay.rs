//! The pure step of the ring: one event and the time in, facts to save and things to do out. Holds what every Prompt should
//! look like in every Place and orders what is missing. Does no I/O, reads no clock, and never ends a Record by itself: it
//! asks the gateway to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::answer::Actor;
use crate::audit::Entry;
use crate::foreign::Foreign;
use crate::id::{Account, ConversationId, Fresh, GatewayId, Place, RecordKey, ResolutionId, SendId};
use crate::limits::Limits;
use crate::person::People;
use crate::port::{Command, Event, Knock, Notice, Order, Reply, Report};
use crate::reply::Bot;
use crate::route::Routes;
use crate::time::Time;

mod adopted;
mod clock;
mod closed;
mod commanded;
mod decided;
mod draft;
mod drawing;
pub mod facts;
mod filled;
mod index;
mod input;
mod knocked;
mod lanes;
mod moved;
mod notified;
mod opened;
mod pressed;
mod recovered;
mod replied;
mod routed;
mod seen;
mod settled;
mod shown;
mod state;
mod turn;
mod typed;

use clock::{Clock, Timer};
use facts::Fact;
use index::Index;
use lanes::Lanes;
use seen::Seen;
use state::{HeldTexts, Input, Link, Outgoing, Pair, Seat, Tracked};
use turn::Turn;

/// What the relay is configured with.
#[derive(Clone, Debug)]
pub struct Config {
    /// The Accounts it may order, with what their Surfaces can show.
    pub accounts: BTreeMap<Account, Limits>,
    /// How each Account is addressed in a text; what a Surface reports comes to it.
    pub bots: BTreeMap<Account, Bot>,
    /// Where Asks are shown.
    pub routes: Routes,
    /// After how many hundredths of the wait people are reminded, once; `None` never reminds.
    pub reminder_percent: Option<u64>,
    /// The gateway on whose behalf this relay delivers: an Ask of it that reaches none of its Places is ended as not
    /// delivered. Other gateways' Records are never ended for that.
    pub delivers_for: Option<GatewayId>,
    /// The gateways that are not ours.
    pub foreign: BTreeMap<GatewayId, Foreign>,
    /// Every gateway that is configured: what was open at another one is given up. Empty gives nothing up.
    pub gateways: BTreeSet<GatewayId>,
    /// Who may become known at an Account; nobody where none is set.
    pub doors: BTreeMap<Account, Door>,
    /// Places where whoever writes is this Actor: an asking terminal.
    pub seats: BTreeMap<Place, Actor>,
    /// Minutes east of UTC, for times shown to people.
    pub zone_offset_minutes: i32,
}

/// Who may become known at an Account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Door {
    /// Whoever writes in private gets a code that an operator approves.
    #[default]
    Pairing,
    /// Only whoever brings an invite.
    Allowlist,
    /// Nobody; strangers get no word.
    Off,
}

/// What one step leaves behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// To be saved in one transaction, after those of every earlier step.
    pub facts: Vec<Fact>,
    /// For the audit trail, saved with the facts.
    pub audit: Vec<Entry>,
    /// To be done, in this order.
    pub effects: Vec<Effect>,
}

/// When something is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// At once, whatever the store is doing.
    Now(Out),
    /// Once the facts of this step and of all steps before it are saved.
    AfterSave(Out),
}

/// What is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Out {
    /// By the surface that runs this Account.
    Order(Account, Order),
    /// By this gateway.
    Command(GatewayId, Command),
    /// Somebody unknown knocks at this gateway.
    Knock(GatewayId, Knock),
    /// This gateway's notification of that number went to so many Places.
    Notified(GatewayId, u64, usize),
}

/// The relay.
#[derive(Debug)]
pub struct Relay {
    config: Config,
    people: Arc<People>,
    /// What was done before anybody was known; `None` once people are.
    early: Option<Vec<Reply>>,
    links: BTreeMap<GatewayId, Link>,
    online: BTreeSet<Account>,
    tracked: BTreeMap<RecordKey, Tracked>,
    commands: BTreeMap<ResolutionId, Outgoing>,
    inputs: BTreeMap<Seat, Input>,
    held: BTreeMap<Place, HeldTexts>,
    moved: BTreeMap<Place, ConversationId>,
    seen: Seen,
    told: replied::Told,
    tries: knocked::Tries,
    index: Index,
    lanes: Lanes,
    clock: Clock,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            accounts: BTreeMap::new(),
            bots: BTreeMap::new(),
            routes: Routes::default(),
            reminder_percent: Some(80),
            delivers_for: None,
            foreign: BTreeMap::new(),
            gateways: BTreeSet::new(),
            doors: BTreeMap::new(),
            seats: BTreeMap::new(),
            zone_offset_minutes: 0,
        }
    }
}

impl Relay {
    fn empty(config: Config) -> Self {
        Self {
            config,
            people: Arc::default(),
            early: Some(Vec::new()),
            links: BTreeMap::new(),
            online: BTreeSet::new(),
            tracked: BTreeMap::new(),
            commands: BTreeMap::new(),
            inputs: BTreeMap::new(),
            held: BTreeMap::new(),
            moved: BTreeMap::new(),
            seen: Seen::default(),
            told: replied::Told::default(),
            tries: knocked::Tries::default(),
            index: Index::default(),
            lanes: Lanes::default(),
            clock: Clock::default(),
        }
    }

    /// Takes one event. `fresh` gives the ids of new messages and Commands.
    pub fn step(&mut self, now: Time, event: Event, fresh: &mut dyn Fresh) -> Step {
        let mut turn = Turn::new(now, fresh);
        if self.clock.advance(now) {
            self.start(&mut turn);
        }
        match event {
            Event::Notice(gateway, notice) => self.noticed(&mut turn, &gateway, notice),
            Event::Report(report) => self.reported(&mut turn, report),
            Event::Tick => self.ticked(&mut turn),
        }
        self.settle(&mut turn);
        let facts = self.changed(&mut turn);
        Step { facts, audit: turn.audit, effects: turn.effects }
    }

    /// The Records that are or were shown somewhere and are not forgotten yet.
    pub fn records(&self) -> impl Iterator<Item = &RecordKey> {
        self.tracked.keys()
    }

    /// Whether an Order that shows or changes a Prompt is under way.
    #[must_use]
    pub fn is_delivering(&self) -> bool {
        self.lanes.any_under_way()
    }

    /// When the next [`Event::Tick`] is due.
    #[must_use]
    pub fn wake(&self) -> Option<Time> {
        if !self.clock.started() && !self.tracked.is_empty() {
            return Some(Time(i64::MIN));
        }
        self.clock.wake()
    }

    fn noticed(&mut self, turn: &mut Turn<'_>, gateway: &GatewayId, notice: Notice) {
        match notice {
            Notice::People(_) | Notice::Knocked { .. } | Notice::Notify(_)
                if self.config.foreign.contains_key(gateway) => {}
            Notice::Opened(record) => self.opened(turn, self.adopted(record)),
            Notice::Closed(record) => self.closed(turn, &self.adopted(record)),
            Notice::Refused { resolution, key, why } => self.rejected(turn, &resolution, &key, why),
            Notice::People(people) => {
                self.people = people;
                self.adopt_again(turn);
                if self.early.is_some() {
                    for gateway in self.links.keys().cloned().collect::<Vec<_>>() {
                        self.send_again(turn, &gateway);
                    }
                }
                self.know_people(turn);
                self.name_people(turn);
            }
            Notice::Knocked { place, identity, welcome } => self.welcomed(turn, &place, &identity, welcome),
            Notice::Notify(notification) => self.notify(turn, gateway, &notification),
            Notice::Snapshot { records, last } => self.snapshot(turn, gateway, records, last),
            Notice::Online { boot } => {
                let link = Link { ready: false, mentioned: Some(BTreeSet::new()), boot };
                self.links.insert(gateway.clone(), link);
            }
            Notice::Offline => {
                self.links.remove(gateway);
            }
        }
    }

    fn reported(&mut self, turn: &mut Turn<'_>, report: Report) {
        match report {
            Report::Shown { send, receipt, position } => self.shown(turn, &send, receipt, position),
            Report::Failed { send, failure } => self.failed(turn, &send, &failure),
            Report::Replied(reply) => self.replied(turn, *reply),
            Report::Moved { from, to } => self.moved(turn, &from, &to),
            Report::Named { account, bot } => {
                self.config.bots.insert(account, bot);
            }
            Report::Online { account } => self.account_online(turn, account),
            Report::Offline { account, why: _ } => self.account_offline(&account),
        }
    }

    fn ticked(&mut self, turn: &mut Turn<'_>) {
        while let Some(timer) = self.clock.due() {
            match timer {
                Timer::Remind(key) => self.remind(turn, &key),
                Timer::Retry(pair) => self.retry(turn, &pair),
                Timer::Ask(seat) => self.ask_again(turn, &seat),
                Timer::Held(place) => self.held_long_enough(turn, &place),
                Timer::Forget(key) => self.forget(turn, &key),
            }
        }
    }

    /// What an Order's platform reports about is where the conversation is now.
    fn at(&self, place: Place) -> Place {
        let mut place = place;
        // Each move leads to a newer id; the count only guards against a platform that reports a circle.
        for _ in 0..self.moved.len() {
            match self.moved.get(&place) {
                Some(to) => place.conversation = to.clone(),
                None => break,
            }
        }
        place
    }

    fn limits(&self, place: &Place) -> Option<&Limits> {
        self.config.accounts.get(&place.account)
    }

    fn showing(&self, pair: &Pair) -> Option<&state::Showing> {
        self.tracked.get(&pair.0)?.showings.get(&pair.1)
    }

    fn showing_mut(&mut self, pair: &Pair) -> Option<&mut state::Showing> {
        self.tracked.get_mut(&pair.0)?.showings.get_mut(&pair.1)
    }

    fn forget_send(&mut self, send: &SendId) {
        self.index.sends.remove(send);
    }
}
