//! What gateways and surfaces do on their side of a connection, and how connections break and come back. What was under way on
//! a connection that broke is lost.

use std::sync::Arc;

use askrelay_core::id::{ConversationId, GatewayId, RecordId};
use askrelay_core::port::{Command, Event, Notice, Order, Report};
use askrelay_core::record::Record;

use super::{Happening, START, World};
use crate::gateway::Gateway;
use crate::scene;

impl World {
    pub(super) fn gateway(&mut self, id: &GatewayId) -> &mut Gateway {
        let index = usize::from(id.as_str() != scene::GATEWAYS[0]);
        &mut self.gateways[index]
    }

    pub(super) fn tell(&mut self, id: &GatewayId, notice: Notice) {
        if !self.gateway(id).up {
            return;
        }
        let arrival = self.elapsed + self.chance.from_to(1, 40);
        let gateway = self.gateway(id);
        gateway.last_arrival = gateway.last_arrival.max(arrival);
        let (at, session) = (gateway.last_arrival, gateway.session);
        self.at(at, Happening::Notice(id.clone(), session, notice));
    }

    pub(super) fn tell_ended(&mut self, id: &GatewayId, records: Vec<Arc<Record>>) {
        for record in records {
            if let Err(violation) = self.rules.ended(&record) {
                self.violated(violation);
            }
            self.ended.entry(id.clone()).or_default().push(record.key.id.clone());
            self.tell(id, Notice::Closed(record));
        }
    }

    pub(super) fn ask(&mut self, id: &GatewayId) {
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

    pub(super) fn deadline(&mut self, id: &GatewayId) {
        let now = self.now();
        let ended = self.gateway(id).expire(now);
        self.tell_ended(id, ended);
    }

    pub(super) fn elsewhere(&mut self, id: &GatewayId, record: &RecordId) {
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

    pub(super) fn commanded(&mut self, id: &GatewayId, session: u64, command: Command) {
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

    pub(super) fn gateway_down(&mut self, index: usize, forgets: bool) {
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

    pub(super) fn gateway_up(&mut self, index: usize) {
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

    pub(super) fn change_rights(&mut self) {
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

    pub(super) fn carry_out(&mut self, index: usize, session: u64, order: Order) {
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
    pub(super) fn mention_move(&mut self, index: usize, session: u64, order: &Order) {
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

    pub(super) fn move_chat(&mut self) {
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

    pub(super) fn delete(&mut self) {
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

    pub(super) fn surface_down(&mut self, index: usize) {
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

    pub(super) fn surface_up(&mut self, index: usize) {
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
}
