//! What people do: right and wrong ones, twice, late, at once, before the question is there, on messages that changed under
//! their fingers. They know only what a message shows at some moment.

use askrelay_core::answer::Answers;
use askrelay_core::id::{AckId, ConversationId, MessageId, Place};
use askrelay_core::port::{Acknowledgement, Act, Field, Order, Reply, Sender, SenderKind};
use askrelay_core::prompt::{Control, Prompt};
use askrelay_core::record::Record;

use crate::chance::Chance;
use crate::scene;
use crate::world::{Happening, World};

/// What somebody is going to do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who.
    pub person: &'static str,
    /// Where; followed when the conversation moves.
    pub conversation: ConversationId,
    /// The message it is about.
    pub message: Option<MessageId>,
    /// What.
    pub deed: Deed,
}

/// What somebody does.
#[derive(Clone, Debug)]
pub enum Deed {
    /// Presses, with what the fields of the Prompt held.
    Press(String, Vec<String>, Vec<Field>),
    /// Fills a form.
    Form(String, Vec<Field>),
    /// Writes, perhaps as a reply to the message.
    Write(Option<String>, bool),
}

/// The answers that a panel would give: the first choice of everything.
#[must_use]
pub fn right_answers(record: &Record) -> Answers {
    let value = |question: &askrelay_core::ask::Question| {
        let own = if question.secret { scene::SECRET } else { "from a panel" };
        question.choices.first().map_or_else(|| own.to_owned(), |choice| choice.label.clone())
    };
    Answers(
        record.ask.questions.iter().map(|question| (question.id.clone(), vec![value(question)])).collect(),
    )
}

impl World {
    /// A message appeared or changed: some of those who see it will do something about it.
    pub(crate) fn notice_prompt(&mut self, surface: usize, place: &Place, id: &MessageId) {
        let Some(message) = self.surfaces[surface].message(&place.conversation, id) else { return };
        let Some(prompt) = message.prompt.clone().filter(|_| !message.retired) else { return };
        let members = scene::members(&place.conversation);
        for _ in 0..2 {
            if !self.chance.percent(60) {
                continue;
            }
            let Some(person) = self.chance.pick(&members).copied() else { continue };
            let holds = self.surfaces[surface].name() == "forms";
            let deed = deed(&mut self.chance, (&prompt, holds), person);
            let (conversation, message) = (place.conversation.clone(), Some(id.clone()));
            let plan = Plan { person, conversation, message, deed };
            if self.chance.percent(15) {
                self.later(300, 20_000, Happening::Act(surface, plan.clone()));
            }
            let patience = if self.chance.percent(10) { 600_000 } else { 20_000 };
            self.later(300, patience, Happening::Act(surface, plan));
        }
    }

    /// Somebody writes something, whatever is open.
    pub(crate) fn chatter(&mut self) {
        let surface = self.any_surface();
        let conversations = scene::conversations();
        let Some(conversation) = self.chance.pick(&conversations).cloned() else { return };
        let conversation: ConversationId = conversation.as_str().into();
        let Some(person) = self.chance.pick(&scene::members(&conversation)).copied() else { return };
        let deed = Deed::Write(words(&mut self.chance), false);
        self.act(surface, Plan { person, conversation, message: None, deed });
    }

    /// What follows from an Order that asks somebody for words.
    pub(crate) fn form_of(&mut self, surface: usize, order: &Order) -> Option<Plan> {
        let account = &self.surfaces[surface].account;
        let (person, place, deed) = match order {
            Order::Acknowledge { ack, with: Acknowledgement::Form { token, fields, .. } } => {
                let (person, place) = self.rules.presser(account, *ack)?;
                let fields = filled(&mut self.chance, fields.iter());
                (person, place, Deed::Form(token.clone(), fields))
            }
            Order::AskForText { to, place, .. } => {
                let text = if self.chance.percent(10) { "2".to_owned() } else { own_words(&mut self.chance) };
                (to.user.as_str().to_owned(), place.clone(), Deed::Write(Some(text), false))
            }
            _ => return None,
        };
        let person = scene::PEOPLE.into_iter().find(|name| *name == person)?;
        let patient = self.chance.percent(80);
        patient.then_some(Plan { person, conversation: place.conversation, message: None, deed })
    }

    /// Does it now.
    pub(crate) fn act(&mut self, surface: usize, plan: Plan) {
        let Plan { person, conversation, message, deed } = plan;
        let at = self.now();
        let platform = &mut self.surfaces[surface];
        let moved = platform.now_at(&conversation) != conversation;
        let conversation = platform.now_at(&conversation);
        let message = message.filter(|_| !moved);
        let (number, update) = platform.next_update();
        let position = platform.next_position(&conversation);
        let orders = platform.orders_messages();
        let (act, on) = match deed {
            // What it was about is not there any more.
            Deed::Press(..) | Deed::Write(_, true) if moved => return,
            Deed::Press(token, values, fields) => (Act::Press { token, values, fields }, message),
            Deed::Form(token, fields) => (Act::Form { token, fields }, None),
            Deed::Write(text, reply) => {
                let addressed = scene::is_private(&conversation);
                let reply_to = message.filter(|_| reply);
                (Act::Text { text, reply_to, addressed }, Some(format!("t{number}").as_str().into()))
            }
        };
        let writes = matches!(act, Act::Text { .. });
        let kind = match self.chance.below(40) {
            0 => SenderKind::Bot,
            1 if writes => SenderKind::Anonymous,
            _ => SenderKind::Human,
        };
        let name = platform.name().to_owned();
        let reply = Reply {
            update,
            place: scene::place(&name, conversation.as_str()),
            sender: Sender {
                identity: scene::identity(&name, person),
                display_name: person.to_owned(),
                kind,
                granted: scene::roles(person, number),
            },
            at,
            position: (orders && writes).then_some(position),
            private: scene::is_private(&conversation),
            message: on,
            ack: None,
            act,
        };
        self.rules.written(&reply, position);
        self.send(surface, number, reply);
    }

    /// A press or a form wants an acknowledgement, each delivery its own.
    pub(crate) fn owe_acknowledgement(&mut self, reply: &mut Reply) {
        if !matches!(reply.act, Act::Text { .. }) {
            self.last_ack += 1;
            reply.ack = Some(AckId(self.last_ack));
        }
    }

    /// Delivers it: late, twice, or not at all.
    fn send(&mut self, surface: usize, number: u64, mut reply: Reply) {
        self.surfaces[surface].keep(number, &reply);
        if !self.surfaces[surface].up {
            return;
        }
        let session = self.surfaces[surface].session;
        let times = if self.chance.percent(5) { 2 } else { 1 };
        let slow = self.chance.percent(10);
        for _ in 0..times {
            self.owe_acknowledgement(&mut reply);
            let most = if slow && !self.calm { 15_000 } else { 300 };
            self.later(5, most, Happening::Reply(surface, session, reply.clone()));
        }
    }
}

/// What somebody puts into the menus and inputs among these controls.
fn filled<'a>(chance: &mut Chance, controls: impl Iterator<Item = &'a Control>) -> Vec<Field> {
    let mut fields = Vec::new();
    for control in controls {
        let (token, values) = match control {
            Control::Menu { token, .. } => (token, taken(chance, control)),
            Control::Input { token, .. } if chance.percent(70) => (token, vec![own_words(chance)]),
            Control::Input { token, .. } => (token, Vec::new()),
            Control::Button { .. } | Control::Link { .. } => continue,
        };
        fields.push(Field { token: token.clone(), values });
    }
    fields
}

/// Entries of a menu.
fn taken(chance: &mut Chance, menu: &Control) -> Vec<String> {
    let Control::Menu { entries, max, .. } = menu else { return Vec::new() };
    let taken = entries.iter().filter(|_| chance.percent(40)).map(|entry| entry.value.clone());
    taken.take(*max).collect()
}

fn deed(chance: &mut Chance, (prompt, holds): (&Prompt, bool), person: &str) -> Deed {
    let text: String =
        prompt.messages.iter().flat_map(|body| &body.0).map(|piece| piece.text.as_str()).collect();
    if text.contains("secret") && chance.percent(70) {
        let known = person != "eve";
        return Deed::Write(Some(scene::SECRET.to_owned()), known || chance.percent(50));
    }
    let controls: Vec<&Control> = prompt.controls.iter().flatten().collect();
    if chance.percent(3) {
        return garbage(chance, &controls);
    }
    match chance.pick(&controls) {
        Some(Control::Button { token, .. }) if chance.percent(75) => {
            let fields = if holds { filled(chance, controls.iter().copied()) } else { Vec::new() };
            Deed::Press(token.clone(), Vec::new(), fields)
        }
        Some(menu @ Control::Menu { token, max, .. }) if (!holds || *max == 1) && chance.percent(75) => {
            Deed::Press(token.clone(), taken(chance, menu), Vec::new())
        }
        _ => {
            let reply = chance.percent(50);
            Deed::Write(words(chance), reply)
        }
    }
}

/// What no honest client sends.
fn garbage(chance: &mut Chance, controls: &[&Control]) -> Deed {
    let token = controls.iter().find_map(|control| control.token().map(str::to_owned));
    let known = token.unwrap_or_default();
    let nonce = known.split('.').next().unwrap_or_default().to_owned();
    let tokens = [
        String::new(),
        "garbage".repeat(40),
        format!("{nonce}.0.c65535-65535"),
        format!("{nonce}.ffffffff.s"),
        format!("{nonce}.0.f0"),
        format!("{nonce}.0.n9"),
        format!("{nonce}.0.p0-9"),
        "\u{202e}\u{0}".to_owned(),
    ];
    let token = chance.pick(&tokens).cloned().unwrap_or_default();
    if chance.percent(20) {
        let noise = Field { token: token.clone(), values: vec!["\u{0}\u{202e}".repeat(50), "9".to_owned()] };
        return Deed::Form(token, vec![noise]);
    }
    let values = [String::new(), "99999999999999999999".to_owned(), "-1".to_owned(), "0".to_owned()];
    let values: Vec<String> = values.into_iter().filter(|_| chance.percent(50)).collect();
    let noise = Field { token: format!("{nonce}.0.f0"), values: values.clone() };
    Deed::Press(token, values, vec![noise])
}

fn words(chance: &mut Chance) -> Option<String> {
    let fixed = [
        "1",
        "1",
        "2",
        "2",
        "3",
        "red",
        "Blue",
        "BLUE",
        "green",
        "1,2",
        "1: red\n2: blue",
        "2: 1",
        "hello",
        "maybe",
        "99",
        "/skip",
        "/status",
        "",
    ];
    match chance.below(22) {
        0 => None,
        1..4 => Some(own_words(chance)),
        _ => chance.pick(&fixed).map(|text| (*text).to_owned()),
    }
}

fn own_words(chance: &mut Chance) -> String {
    format!("words {}", chance.below(1_000_000))
}
