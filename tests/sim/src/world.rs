//! The seeded world: time, what happens in it, and the relay's driver in the middle. Everything that can go wrong goes wrong by
//! chance until the last Ask was made; then the world is healed, time passes, and everything must have come to its end.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use askrelay_core::id::{ConversationId, GatewayId, RecordId};
use askrelay_core::port::{Command, Event, Notice, Order, Reply, Report};
use askrelay_core::relay::{Effect, Out, Relay, Step};
use askrelay_core::time::Time;

use crate::chance::Chance;
use crate::crowd::Plan;
use crate::fault::{Fault, Tamper};
use crate::gateway::Gateway;
use crate::rules::{Rules, Violation};
use crate::scene;
use crate::store::{Commit, Store};
use crate::surface::Surface;

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
            4..7 => Happening::SurfaceDown(self.chance.below(3) as usize),
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

    /// Gives the relay an event and does what it says.
    fn feed(&mut self, event: Event) {
        let now = self.process_now();
        if self.relay.is_none() {
            return;
        }
        self.outcome.steps += 1;
        self.rules.before(&event);
        let event = self.tamper.event(event);
        if self.verbose {
            let line = crate::story::event(&event);
            self.note(|_| line);
        }
        let Some(relay) = &mut self.relay else { return };
        let (chance, tamper) = (&mut self.chance, &mut self.tamper);
        let stepped = catch_unwind(AssertUnwindSafe(|| {
            tamper.poison(&event);
            relay.step(now, event.clone(), chance)
        }));
        let Ok(step) = stepped else {
            self.violated(Violation { rule: 9, what: "the step panicked".to_owned() });
            return;
        };
        let step = self.tamper.step(&event, step, &mut self.chance);
        if self.verbose {
            for line in crate::story::effects(&step) {
                self.note(|_| line);
            }
        }
        if let Err(violation) = self.rules.stepped(&event, &step, self.process) {
            self.violated(violation);
            return;
        }
        self.drive(step);
        self.schedule_tick();
    }

    /// What is marked `now` is done, the rest waits for the store.
    fn drive(&mut self, step: Step) {
        let mut then = Vec::new();
        for effect in step.effects {
            match effect {
                Effect::Now(out) => self.do_out(out),
                Effect::AfterSave(out) => then.push(out),
            }
        }
        if step.facts.is_empty() && self.store.under_way() == 0 {
            for out in then {
                self.do_out(out);
            }
        } else {
            self.store.queue(Commit { facts: step.facts, then });
            if self.store.under_way() == 1 {
                let process = self.process;
                self.later(1, 25, Happening::Commit(process));
            }
        }
    }

    fn committed(&mut self, process: u64) {
        if process != self.process || self.relay.is_none() {
            return;
        }
        if !self.calm && self.chance.per_mille(2) {
            self.note(|_| "a commit fails".to_owned());
            self.crash();
            return;
        }
        let count = self.chance.from_to(1, self.store.under_way().max(1) as u64);
        for _ in 0..count {
            for out in self.store.commit() {
                self.do_out(out);
            }
        }
        if self.store.under_way() > 0 {
            self.later(1, 25, Happening::Commit(process));
        }
    }

    fn do_out(&mut self, out: Out) {
        if let Err(violation) = self.rules.released(&out, &self.store) {
            self.violated(violation);
            return;
        }
        match out {
            Out::Order(account, order) => {
                let surface = self.surfaces.iter().position(|surface| surface.account == account);
                let Some(surface) = surface else { return };
                self.later(
                    5,
                    400,
                    Happening::Order(surface, self.surfaces[surface].session, Box::new(order)),
                );
            }
            Out::Command(gateway, command) => {
                let session = self.gateway(&gateway).session;
                self.later(1, 60, Happening::Command(gateway, session, command));
            }
        }
    }

    fn schedule_tick(&mut self) {
        let Some(wake) = self.relay.as_ref().and_then(Relay::wake) else { return };
        let wait = wake.since(self.process_now()).0;
        let at = self.elapsed.saturating_add(wait);
        if self.ticks_at.is_none_or(|before| at < before) {
            self.ticks_at = Some(at);
            let process = self.process;
            self.at(at, Happening::Tick(process));
        }
    }

    fn tick(&mut self, process: u64) {
        if process == self.process {
            self.ticks_at = None;
            self.feed(Event::Tick);
        }
    }

    // --- The process -------------------------------------------------------------------------------------------

    fn crash(&mut self) {
        if self.relay.take().is_none() {
            return;
        }
        self.note(|_| "the process dies".to_owned());
        self.store.crash(&mut self.chance);
        self.process += 1;
        self.ticks_at = None;
        self.rules.crashed(&self.store);
        for surface in &mut self.surfaces {
            surface.up = false;
            surface.session += 1;
        }
        for gateway in &mut self.gateways {
            gateway.up = false;
            gateway.session += 1;
        }
        self.later(100, 5_000, Happening::Start);
    }

    fn start(&mut self) {
        if self.relay.is_some() {
            return;
        }
        self.process += 1;
        let (relay, problems) = Relay::recover(scene::config(), self.store.facts().cloned());
        if let Some(problem) = problems.first() {
            self.violated(Violation { rule: 13, what: format!("after a crash: {problem}") });
        }
        self.relay = Some(relay);
        self.note(|_| "the process starts".to_owned());
        for surface in 0..self.surfaces.len() {
            self.later(5, 2_000, Happening::SurfaceUp(surface));
        }
        for gateway in 0..self.gateways.len() {
            self.later(5, 2_000, Happening::GatewayUp(gateway));
        }
        self.schedule_tick();
    }

    fn surface_down(&mut self, index: usize) {
        let surface = &mut self.surfaces[index];
        if !surface.up {
            return;
        }
        surface.up = false;
        surface.session += 1;
        let account = surface.account.clone();
        self.feed(Event::Report(Report::Offline { account, why: "the line is down".to_owned() }));
        self.later(100, 20_000, Happening::SurfaceUp(index));
    }

    fn surface_up(&mut self, index: usize) {
        let surface = &mut self.surfaces[index];
        if surface.up || self.relay.is_none() {
            return;
        }
        surface.up = true;
        surface.session += 1;
        let session = surface.session;
        let again = surface.again();
        let account = surface.account.clone();
        self.feed(Event::Report(Report::Online { account }));
        for mut reply in again {
            self.owe_acknowledgement(&mut reply);
            self.later(1, 300, Happening::Reply(index, session, reply));
        }
    }

    // --- The gateways ------------------------------------------------------------------------------------------

    fn gateway(&mut self, id: &GatewayId) -> &mut Gateway {
        let index = usize::from(id.as_str() != scene::GATEWAYS[0]);
        &mut self.gateways[index]
    }

    fn tell(&mut self, id: &GatewayId, notice: Notice) {
        if !self.gateway(id).up {
            return;
        }
        let arrival = self.elapsed + self.chance.from_to(1, 40);
        let gateway = self.gateway(id);
        gateway.last_arrival = gateway.last_arrival.max(arrival);
        let (at, session) = (gateway.last_arrival, gateway.session);
        self.at(at, Happening::Notice(id.clone(), session, notice));
    }

    fn tell_ended(&mut self, id: &GatewayId, records: Vec<std::sync::Arc<askrelay_core::record::Record>>) {
        for record in records {
            if let Err(violation) = self.rules.ended(&record) {
                self.violated(violation);
            }
            self.ended.entry(id.clone()).or_default().push(record.key.id.clone());
            self.tell(id, Notice::Closed(record));
        }
    }

    fn ask(&mut self, id: &GatewayId) {
        let now = self.now();
        let mut chance = self.chance.clone();
        let gateway = self.gateway(id);
        gateway.opened += 1;
        let (record_id, ask) = scene::ask(&mut chance, id, gateway.opened);
        let number = gateway.opened;
        let record = gateway.open(now, record_id, ask);
        self.chance = chance;
        let Some(record) = record else { return };
        self.outcome.asks += 1;
        self.rules.asked(&record, number);
        self.tell(id, Notice::Opened(record.clone()));
        self.at(record.expires_at.since(START).0, Happening::Deadline(id.clone()));
        if self.chance.percent(15) {
            let record_id = record.key.id.clone();
            self.later(500, 60_000, Happening::Elsewhere(id.clone(), record_id));
        }
    }

    fn deadline(&mut self, id: &GatewayId) {
        let now = self.now();
        let ended = self.gateway(id).expire(now);
        self.tell_ended(id, ended);
    }

    fn elsewhere(&mut self, id: &GatewayId, record: &RecordId) {
        let now = self.now();
        let answers = self.chance.percent(50);
        let gateway = self.gateway(id);
        let Some(asked) = gateway.record(record).cloned() else { return };
        let ended = if answers {
            gateway.answer_elsewhere(now, record, crate::crowd::right_answers(&asked), "adm")
        } else {
            gateway.withdraw(now, record)
        };
        self.tell_ended(id, ended);
    }

    fn commanded(&mut self, id: &GatewayId, session: u64, command: Command) {
        let now = self.now();
        let gateway = self.gateway(id);
        // A Command that is on its way when the connection breaks arrives or not; the sender cannot know.
        if gateway.session != session {
            return;
        }
        let (ended, answer) = gateway.command(now, command);
        self.tell_ended(id, ended);
        if let Some(answer) = answer {
            self.tell(id, answer);
        }
    }

    fn gateway_down(&mut self, index: usize, forgets: bool) {
        let forgets = forgets && index == 1;
        let gateway = &mut self.gateways[index];
        let id = gateway.id.clone();
        if forgets {
            gateway.forget();
            self.rules.forgot(&id);
        }
        let gateway = &mut self.gateways[index];
        if !gateway.up {
            return;
        }
        gateway.up = false;
        gateway.session += 1;
        self.feed(Event::Notice(id, Notice::Offline));
        self.later(100, 20_000, Happening::GatewayUp(index));
    }

    fn gateway_up(&mut self, index: usize) {
        if self.gateways[index].up || self.relay.is_none() {
            return;
        }
        let id = self.gateways[index].id.clone();
        let ended = self.ended.get(&id).cloned().unwrap_or_default();
        let gateway = &mut self.gateways[index];
        gateway.up = true;
        gateway.session += 1;
        gateway.last_arrival = self.elapsed;
        let notices = gateway.snapshot(&ended);
        for notice in notices {
            self.tell(&id, notice);
        }
    }

    fn change_rights(&mut self) {
        if self.without_rights.pop().is_none() {
            let who = self.chance.pick(&["ana", "bob"]).copied().unwrap_or("ana");
            self.without_rights.push(who);
        }
        let people = scene::people(&self.without_rights);
        for index in 0..self.gateways.len() {
            let notice = self.gateways[index].change_people(people.clone());
            let id = self.gateways[index].id.clone();
            self.tell(&id, notice);
        }
    }

    // --- The surfaces ------------------------------------------------------------------------------------------

    fn carry_out(&mut self, index: usize, session: u64, order: Order) {
        if self.surfaces[index].session != session {
            return;
        }
        let filled = self.form_of(index, &order);
        let (chance, calm) = (&mut self.chance, self.calm);
        let done = self.surfaces[index].carry_out(order.clone(), chance, calm);
        if let Some((place, message)) = done.seen {
            self.rules.seen(&self.surfaces[index], &place, &message);
            self.notice_prompt(index, &place, &message);
        }
        self.mention_move(index, session, &order);
        if let Some(plan) = filled {
            self.later(500, 8_000, Happening::Act(index, plan));
        }
        if let Some(report) = done.report {
            self.later(5, 300, Happening::Report(index, session, report));
        }
    }

    /// A platform says where a conversation went when somebody speaks to its old id.
    fn mention_move(&mut self, index: usize, session: u64, order: &Order) {
        let (Order::Show { place, .. } | Order::AskForText { place, .. } | Order::Say { place, .. }) = order
        else {
            return;
        };
        let to = self.surfaces[index].now_at(&place.conversation);
        if to != place.conversation {
            let report = Report::Moved { from: place.clone(), to };
            self.later(1, 5, Happening::Report(index, session, report));
        }
    }

    fn move_chat(&mut self) {
        let group: ConversationId = "group".into();
        let from = self.surfaces[0].now_at(&group);
        let to: ConversationId = format!("{from}+").into();
        self.surfaces[0].move_chat(&from, &to);
        self.rules.moved(&self.surfaces[0].account, &from, &to);
        // The adapter tells it as soon as the platform lets it know; after a crash it finds out again.
        let session = self.surfaces[0].session;
        let report = Report::Moved { from: scene::place("buttons", from.as_str()), to };
        self.later(1, 100, Happening::Report(0, session, report));
    }

    fn delete(&mut self) {
        let index = self.chance.below(2) as usize;
        let live: Vec<_> = self.surfaces[index]
            .messages()
            .filter(|(_, _, message)| message.prompt.is_some() && !message.retired && !message.gone)
            .map(|(place, id, _)| (place, id.clone()))
            .collect();
        if let Some((place, id)) = self.chance.pick(&live).cloned() {
            self.surfaces[index].delete(&place.conversation, &id);
            self.rules.deleted(&place, &id);
        }
    }

    // --- The end -----------------------------------------------------------------------------------------------

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
