//! The relay's process: the driver around the relay, commits under way, crashes and starts. What is marked `now` is done at
//! once, everything else waits for the commits before it, as the real driver does it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use askrelay_core::port::Event;
use askrelay_core::relay::{Effect, Out, Relay, Step};

use super::{Happening, World};
use crate::rules::Violation;
use crate::scene;
use crate::store::Commit;

impl World {
    /// Gives the relay an event and does what it says.
    pub(super) fn feed(&mut self, event: Event) {
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

    pub(super) fn committed(&mut self, process: u64) {
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
            // Nobody is let in here.
            Out::Knock(..) | Out::Notified(..) => {}
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

    pub(super) fn tick(&mut self, process: u64) {
        if process == self.process {
            self.ticks_at = None;
            self.feed(Event::Tick);
        }
    }

    pub(super) fn crash(&mut self) {
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

    pub(super) fn start(&mut self) {
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
}
