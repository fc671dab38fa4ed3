//! What people ask of the bot itself: `/start`, `/questions`, `/whoami`, `/help`, and `/skip` where nothing is open. Answers
//! no question, and tells a stranger nothing about one.

use super::Relay;
use super::routed::is_label;
use super::state::{Seat, Text};
use super::turn::Turn;
use crate::answer::Way;
use crate::permit::{Refused, permit};
use crate::port::{Acknowledgement, Act, Reply, Sender, SenderKind};
use crate::prompt::wording::{self, Open, Reader};
use crate::reply::{Service, service};

impl Relay {
    /// Does what is asked of the bot itself; nothing where the text is about a question.
    pub(super) fn serve(&mut self, turn: &mut Turn<'_>, typed: &Text) -> Option<Acknowledgement> {
        let reply = &typed.reply;
        let Act::Text { text: Some(text), addressed, .. } = &reply.act else { return None };
        if reply.sender.kind != SenderKind::Human || self.config.seats.contains_key(&reply.place) {
            return None;
        }
        let stored = self.people.behind(&reply.sender.identity).is_some();
        let known = stored || !reply.sender.granted.is_empty();
        if !known && reply.private && !self.is_typing(reply) {
            return self.stranger(turn, reply, text);
        }
        let bot = self.config.bots.get(&reply.place.account).cloned().unwrap_or_default();
        let (service, rest) = service(text, &bot)?;
        // What answers a question is no command, whatever it looks like.
        if self.prompt_of(typed).is_some() || self.is_typing(reply) || self.is_label(reply, text) {
            return None;
        }
        // Whom only roles let in may bring an invite, which keeps them in without.
        let invited = !stored && reply.private && service == Service::Start && !rest.is_empty();
        if invited && let Some(told) = self.stranger(turn, reply, text) {
            return Some(told);
        }
        if service == Service::Skip {
            let open = !reply.private || self.open_in(reply).next().is_some();
            return (!open).then(|| Acknowledgement::Toast(wording::nothing_open()));
        }
        // Without an address, the bots of a group cannot know which of them is meant; ours answers whom it knows.
        let seat: Seat = (reply.place.clone(), reply.sender.identity.clone());
        let steady = self.clock.steady();
        if !known && (!addressed || !self.told.may_refuse(&seat, Refused::Unknown, steady)) {
            return Some(Acknowledgement::Silent);
        }
        Some(Acknowledgement::Toast(self.served(turn, reply, service)))
    }

    fn served(&self, turn: &Turn<'_>, reply: &Reply, service: Service) -> String {
        let Some(reader) = self.reader(turn.now, &reply.place) else { return wording::nothing_open() };
        match service {
            Service::Start => self.greeting(reply, &reader),
            Service::WhoAmI => {
                let Sender { identity, granted, .. } = &reply.sender;
                wording::who(self.people.behind(identity), granted, identity, &reader)
            }
            Service::Help => wording::help(&reader),
            Service::Questions => wording::open_questions(&self.open_for(reply), &reader),
            Service::Skip => wording::nothing_open(),
        }
    }

    fn greeting(&self, reply: &Reply, reader: &Reader<'_>) -> String {
        let actor = self.actor(reply, Way::Text);
        let Some(person) = &actor.person else { return wording::unknown_here() };
        let stored = self.people.get(person).map(|person| person.display_name.as_str());
        // To themselves, they are called as they call themselves.
        let name = stored.or(actor.name.as_deref()).unwrap_or(person.as_str());
        wording::welcome(name, self.open_for(reply).len(), reader)
    }

    /// What is open for this person: everywhere, or in a Place that others read, only there.
    fn open_for(&self, reply: &Reply) -> Vec<Open<'_>> {
        let actor = self.actor(reply, Way::Control);
        let here = |tracked: &super::Tracked| tracked.showings.contains_key(&reply.place);
        let mine = self.tracked.values().filter(|tracked| {
            tracked.is_open()
                && (reply.private || here(tracked))
                && permit(&tracked.record, &self.people, &actor).is_ok()
        });
        mine.map(|tracked| Open { record: &tracked.record, here: here(tracked) }).collect()
    }

    /// Whether it is a label of a question that is open there for this person.
    fn is_label(&self, reply: &Reply, text: &str) -> bool {
        let actor = self.actor(reply, Way::Text);
        self.open_in(reply).any(|(_, tracked, showing)| {
            showing.is_shown()
                && tracked.questions().iter().any(|question| is_label(question, text))
                && permit(&tracked.record, &self.people, &actor).is_ok()
        })
    }

    fn is_typing(&self, reply: &Reply) -> bool {
        let seat: Seat = (reply.place.clone(), reply.sender.identity.clone());
        self.inputs.contains_key(&seat)
    }
}
