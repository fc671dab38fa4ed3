//! The seeded world: time, what happens in it, and the relay's driver in the middle. Everything that can go wrong goes wrong by
//! chance until the last Ask was made; then the world is healed, time passes, and everything must have come to its end.

use std::collections::BTreeMap;

use askrelay_core::id::{GatewayId, RecordId};
use askrelay_core::port::{Command, Event, Notice, Order, Reply, Report};
use askrelay_core::relay::Relay;
use askrelay_core::time::Time;

use crate::chance::Chance;
use crate::crowd::Plan;
use crate::fault::{Fault, Tamper};
use crate::gateway::Gateway;
use crate::rules::{Rules, Violation};
use crate::scene;
use crate::store::Store;
use crate::surface::Surface;

mod connections;
mod process;

/// When every world begins: 2026-11-30 12:00 UTC.
pub const START: Time = Time(1_796_040_000_000);

/// A world with more events than this does not come to rest.
const EVENTS_MAX: u64 = 2_000_000;

/// How a run went.
#[derive(Debug)]
pub struct Outcome {
    /// The rule that was broken, if one was.
    pub violation: Option<Violation>,
    /// The last events, oldest first, when they were kept.
    pub events: Vec<String>,
    /// How many Asks were made.
    pub asks: u64,
    /// How many events the relay took.
    pub steps: u64,
}

/// What happens at some point in time.
#[derive(Debug)]
pub enum Happening {
    /// Somebody asks.
    Ask(GatewayId),
    /// An asker takes an Ask back, or a panel answers it.
    Elsewhere(GatewayId, RecordId),
    /// A deadline of a gateway.
    Deadline(GatewayId),
    /// A notice arrives over a connection.
    Notice(GatewayId, u64, Notice),
    /// A Command arrives over a connection.
    Command(GatewayId, u64, Command),
    /// A report arrives over a connection.
    Report(usize, u64, Report),
    /// A Reply arrives over a connection, the how manieth time.
    Reply(usize, u64, Reply),
    /// An Order is carried out over a connection.
    Order(usize, u64, Box<Order>),
    /// A person does what they planned.
    Act(usize, Plan),
    /// A commit is done, of this process.
    Commit(u64),
    /// The relay's timer.
    Tick(u64),
    /// The process dies.
    Crash,
    /// The process starts.
    Start,
    /// A surface loses its connection.
    SurfaceDown(usize),
    /// And has it again.
    SurfaceUp(usize),
    /// A gateway loses its connection, and forgets everything if it can.
    GatewayDown(usize, bool),
    /// And has it again.
    GatewayUp(usize),
    /// The relay's clock jumps.
    Jump,
    /// A conversation gets another id.
    Move,
    /// A message is deleted.
    Delete,
    /// Somebody loses or regains rights.
    Rights,
    /// Somebody writes something into some conversation.
    Chatter,
    /// No more trouble.
    Heal,
}

/// The world.
pub struct World {
    pub(crate) chance: Chance,
    /// Milliseconds since the beginning.
    pub(crate) elapsed: u64,
    order: u64,
    agenda: BTreeMap<(u64, u64), Happening>,
    relay: Option<Relay>,
    /// Counts processes.
    process: u64,
    /// How far the relay's clock is off, in milliseconds.
    pub(crate) clock_off: i64,
    ticks_at: Option<u64>,
    pub(crate) store: Store,
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) gateways: Vec<Gateway>,
    ended: BTreeMap<GatewayId, Vec<RecordId>>,
    pub(crate) calm: bool,
    pub(crate) rules: Rules,
    tamper: Tamper,
    asks_left: u64,
    pub(crate) last_ack: u64,
    without_rights: Vec<&'static str>,
    outcome: Outcome,
    verbose: bool,
}

/// Runs the world of a seed. `verbose` keeps the events for a report; it changes nothing else.
#[must_use]
pub fn run(seed: u64, asks: u64, fault: Option<Fault>, verbose: bool) -> Outcome {
    let mut world = World::new(seed, asks, fault, verbose);
    world.begin();
    while world.outcome.violation.is_none() {
        let Some(((at, _), happening)) = world.agenda.pop_first() else { break };
        world.elapsed = world.elapsed.max(at);
        world.happen(happening);
        if world.outcome.steps > EVENTS_MAX {
            world.violated(Violation { rule: 7, what: "the world does not come to rest".to_owned() });
        }
    }
    world.finish();
    world.outcome
}

impl World {
    /// One of the surfaces.
    pub(crate) fn any_surface(&mut self) -> usize {
        self.chance.below(self.surfaces.len() as u64) as usize
    }

    fn new(seed: u64, asks: u64, fault: Option<Fault>, verbose: bool) -> Self {
        let people = scene::people(&[]);
        Self {
            chance: Chance::new(seed),
            elapsed: 0,
            order: 0,
            agenda: BTreeMap::new(),
            relay: None,
            process: 0,
            clock_off: 0,
            ticks_at: None,
            store: Store::default(),
            surfaces: scene::SURFACES.map(Surface::new).into(),
            gateways: scene::GATEWAYS.map(|name| Gateway::new(name, people.clone())).into(),
            ended: BTreeMap::new(),
            calm: false,
            rules: Rules::new(people),
            tamper: Tamper::new(fault),
            asks_left: asks,
            last_ack: 0,
            without_rights: Vec::new(),
            outcome: Outcome { violation: None, events: Vec::new(), asks: 0, steps: 0 },
            verbose,
        }
    }

    /// Fills the agenda.
    fn begin(&mut self) {
        self.at(0, Happening::Start);
        let span = self.asks_left * 4_000;
        for _ in 0..self.asks_left {
            let at = self.chance.below(span);
            let gateway = if self.chance.percent(75) { 0 } else { 1 };
            self.at(at, Happening::Ask(scene::GATEWAYS[gateway].into()));
        }
        for _ in 0..self.asks_left {
            let at = self.chance.below(span);
            self.at(at, Happening::Chatter);
        }
        for _ in 0..self.asks_left / 4 {
            let at = self.chance.below(span);
            let trouble = self.trouble();
            self.at(at, trouble);
        }
        self.at(span, Happening::Heal);
    }

    fn trouble(&mut self) -> Happening {
        match self.chance.below(14) {
            0..4 => Happening::Crash,
            4..7 => Happening::SurfaceDown(self.any_surface()),
            7..9 => Happening::GatewayDown(self.chance.below(2) as usize, self.chance.percent(40)),
            9 => Happening::Jump,
            10 => Happening::Move,
            11 => Happening::Rights,
            _ => Happening::Delete,
        }
    }

    /// The true time.
    #[must_use]
    pub(crate) fn now(&self) -> Time {
        Time(START.0 + self.elapsed as i64)
    }

    /// The time as the relay's process reads it.
    fn process_now(&self) -> Time {
        Time(self.now().0 + self.clock_off)
    }

    pub(crate) fn at(&mut self, at: u64, happening: Happening) {
        self.order += 1;
        self.agenda.insert((at.max(self.elapsed), self.order), happening);
    }

    /// Something happens between `low` and `high` milliseconds from now.
    pub(crate) fn later(&mut self, low: u64, high: u64, happening: Happening) {
        let at = self.elapsed + self.chance.from_to(low, high);
        self.at(at, happening);
    }

    fn violated(&mut self, violation: Violation) {
        self.outcome.violation.get_or_insert(violation);
    }

    fn note(&mut self, line: impl FnOnce(&Self) -> String) {
        if self.verbose {
            let line = format!("{:>9} ms  {}", self.elapsed, line(self));
            self.outcome.events.push(line);
        }
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Ask(gateway) => self.ask(&gateway),
            Happening::Elsewhere(gateway, id) => self.elsewhere(&gateway, &id),
            Happening::Deadline(gateway) => self.deadline(&gateway),
            Happening::Notice(gateway, session, notice) => {
                if self.gateway(&gateway).session == session {
                    self.feed(Event::Notice(gateway, notice));
                }
            }
            Happening::Command(gateway, session, command) => self.commanded(&gateway, session, command),
            Happening::Report(surface, session, report) => {
                if self.surfaces[surface].session == session {
                    self.feed(Event::Report(report));
                }
            }
            Happening::Reply(surface, session, reply) => {
                if self.surfaces[surface].session == session {
                    self.rules.heard(&reply);
                    self.feed(Event::Report(Report::Replied(Box::new(reply))));
                }
            }
            Happening::Order(surface, session, order) => self.carry_out(surface, session, *order),
            Happening::Act(surface, plan) => self.act(surface, plan),
            Happening::Commit(process) => self.committed(process),
            Happening::Tick(process) => self.tick(process),
            Happening::Crash => self.crash(),
            Happening::Start => self.start(),
            Happening::SurfaceDown(surface) => self.surface_down(surface),
            Happening::SurfaceUp(surface) => self.surface_up(surface),
            Happening::GatewayDown(gateway, forgets) => self.gateway_down(gateway, forgets),
            Happening::GatewayUp(gateway) => self.gateway_up(gateway),
            Happening::Jump => {
                let jump = self.chance.from_to(0, 7_200_000) as i64 - 3_600_000;
                self.clock_off += jump;
                self.rules.clock_jumped();
                self.note(|_| format!("the relay's clock jumps by {jump} ms"));
            }
            Happening::Move => self.move_chat(),
            Happening::Delete => self.delete(),
            Happening::Rights => self.change_rights(),
            Happening::Chatter => self.chatter(),
            Happening::Heal => self.heal(),
        }
    }

    fn heal(&mut self) {
        self.note(|_| "the world is healed".to_owned());
        self.calm = true;
        self.start();
        for surface in 0..self.surfaces.len() {
            self.later(3_000, 4_000, Happening::SurfaceUp(surface));
        }
        for gateway in 0..self.gateways.len() {
            self.later(3_000, 4_000, Happening::GatewayUp(gateway));
        }
    }

    /// Everything must have come to its end, and after a day nothing is remembered.
    fn finish(&mut self) {
        if self.outcome.violation.is_some() {
            return;
        }
        let verdict = self.rules.finished(&self.surfaces, &self.store);
        if let Err(violation) = verdict {
            self.violated(violation);
        }
    }
}
