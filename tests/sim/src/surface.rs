//! A stand-in platform with its adapter: carries Orders out late, not at all or twice, keeps the messages that people see, and
//! turns what they do into Replies. It keeps the contract of the ports and nothing else.

use std::collections::BTreeMap;

use askrelay_core::id::{Account, ConversationId, MessageId, Place, SendId, UpdateId};
use askrelay_core::port::{Failure, FailureKind, Order, Receipt, Reply, Report};
use askrelay_core::prompt::Prompt;
use askrelay_core::time::Span;

use crate::chance::Chance;
use crate::scene;

/// One platform.
#[derive(Debug)]
pub struct Surface {
    /// Its one Account.
    pub account: Account,
    /// Connected with the relay.
    pub up: bool,
    /// Counts connections: what belongs to an earlier one is lost.
    pub session: u64,
    chats: BTreeMap<ConversationId, Chat>,
    moved: BTreeMap<ConversationId, ConversationId>,
    sent: BTreeMap<SendId, (Receipt, i64)>,
    unconfirmed: BTreeMap<u64, Reply>,
    counter: u64,
}

/// One conversation.
#[derive(Debug, Default)]
struct Chat {
    messages: BTreeMap<MessageId, Message>,
    /// The place of the newest message in the conversation's order.
    order: i64,
}

/// A message of the bot.
#[derive(Clone, Debug)]
pub struct Message {
    /// What it shows; a note shows nothing.
    pub prompt: Option<Prompt>,
    /// Its controls were taken away.
    pub retired: bool,
    /// Somebody deleted it.
    pub gone: bool,
    /// Its place in the conversation's order.
    pub position: i64,
}

/// What carrying out an Order led to.
#[derive(Debug, Default)]
pub struct Done {
    /// What the adapter reports.
    pub report: Option<Report>,
    /// A message that appeared or changed.
    pub seen: Option<(Place, MessageId)>,
}

/// What goes wrong with an Order.
enum Trouble {
    None,
    Fails(FailureKind),
    /// It takes effect, but nobody can say so.
    TakesEffectUnknown,
}

impl Surface {
    /// A platform where nothing happened yet.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            account: scene::account(name),
            up: false,
            session: 0,
            chats: BTreeMap::new(),
            moved: BTreeMap::new(),
            sent: BTreeMap::new(),
            unconfirmed: BTreeMap::new(),
            counter: 0,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.account.surface.as_str()
    }

    fn repeats(&self) -> bool {
        self.name() == "buttons"
    }

    fn drops_repeats(&self) -> bool {
        matches!(self.name(), "modals" | "forms")
    }

    /// Whether it tells the order of messages; otherwise only their time.
    #[must_use]
    pub fn orders_messages(&self) -> bool {
        self.name() != "lines"
    }

    /// Where a conversation is now.
    #[must_use]
    pub fn now_at(&self, conversation: &ConversationId) -> ConversationId {
        let mut at = conversation.clone();
        while let Some(to) = self.moved.get(&at) {
            at = to.clone();
        }
        at
    }

    /// Moves a conversation; its messages stay behind.
    pub fn move_chat(&mut self, from: &ConversationId, to: &ConversationId) {
        let order = self.chats.entry(from.clone()).or_default().order;
        self.chats.entry(to.clone()).or_default().order = order;
        self.moved.insert(from.clone(), to.clone());
    }

    /// The message, if it is there.
    #[must_use]
    pub fn message(&self, conversation: &ConversationId, id: &MessageId) -> Option<&Message> {
        self.chats.get(conversation)?.messages.get(id).filter(|message| !message.gone)
    }

    /// Every message that shows something, also those that are gone.
    pub fn messages(&self) -> impl Iterator<Item = (Place, &MessageId, &Message)> {
        self.chats.iter().flat_map(|(conversation, chat)| {
            let place = Place { account: self.account.clone(), conversation: conversation.clone() };
            chat.messages.iter().map(move |(id, message)| (place.clone(), id, message))
        })
    }

    /// Somebody deletes a message.
    pub fn delete(&mut self, conversation: &ConversationId, id: &MessageId) {
        if let Some(message) = self.chats.get_mut(conversation).and_then(|chat| chat.messages.get_mut(id)) {
            message.gone = true;
        }
    }

    /// The next place in the order of a conversation: somebody writes something.
    pub fn next_position(&mut self, conversation: &ConversationId) -> i64 {
        let chat = self.chats.entry(conversation.clone()).or_default();
        chat.order += 1;
        chat.order
    }

    /// A fresh update id.
    pub fn next_update(&mut self) -> (u64, UpdateId) {
        self.counter += 1;
        (self.counter, format!("u{}", self.counter).into())
    }

    /// An update that is repeated until it is confirmed, where the platform does so.
    pub fn keep(&mut self, number: u64, reply: &Reply) {
        if self.repeats() {
            self.unconfirmed.insert(number, reply.clone());
        }
    }

    /// What is delivered again after a connection.
    #[must_use]
    pub fn again(&self) -> Vec<Reply> {
        self.unconfirmed.values().cloned().collect()
    }

    /// Carries an Order out.
    pub fn carry_out(&mut self, order: Order, chance: &mut Chance, calm: bool) -> Done {
        match order {
            Order::Show { send, place, prompt } => self.show(send, &place, *prompt, chance, calm),
            Order::Edit { send, receipt, prompt } => {
                let trouble = trouble(chance, calm, long(&prompt));
                self.redraw(send, receipt, (*prompt, false), trouble)
            }
            Order::Retire { send, receipt, prompt } => {
                let trouble = trouble(chance, calm, long(&prompt));
                self.redraw(send, receipt, (*prompt, true), trouble)
            }
            Order::AskForText { send, place, .. } => {
                let (receipt, position) = self.post(&place, None);
                let position = self.orders_messages().then_some(position);
                Done { report: Some(Report::Shown { send, receipt, position }), seen: None }
            }
            Order::Say { place, .. } => {
                self.post(&place, None);
                Done::default()
            }
            Order::Saved { update, .. } => {
                self.unconfirmed.retain(|_, reply| reply.update != update);
                Done::default()
            }
            Order::Acknowledge { .. } | Order::Toast { .. } => Done::default(),
        }
    }

    fn show(&mut self, send: SendId, place: &Place, prompt: Prompt, chance: &mut Chance, calm: bool) -> Done {
        if place.conversation.as_str() == "blocked" {
            return failed(send, FailureKind::Unreachable);
        }
        if self.drops_repeats()
            && let Some((receipt, position)) = self.sent.get(&send).cloned()
        {
            return Done {
                report: Some(Report::Shown { send, receipt, position: Some(position) }),
                seen: None,
            };
        }
        let trouble = trouble(chance, calm, !prompt.controls.is_empty());
        if let Trouble::Fails(kind) = trouble {
            return failed(send, kind);
        }
        let (receipt, position) = self.post(place, Some(prompt));
        self.sent.insert(send.clone(), (receipt.clone(), position));
        let message = receipt.messages.last().cloned().unwrap_or_else(|| "".into());
        let seen = Some((receipt.place.clone(), message));
        if matches!(trouble, Trouble::TakesEffectUnknown) {
            return Done { seen, ..failed(send, FailureKind::Unknown) };
        }
        let position = self.orders_messages().then_some(position);
        Done { report: Some(Report::Shown { send, receipt, position }), seen }
    }

    fn redraw(
        &mut self,
        send: SendId,
        receipt: Receipt,
        (prompt, retired): (Prompt, bool),
        trouble: Trouble,
    ) -> Done {
        let last = receipt.messages.last().cloned().unwrap_or_else(|| "".into());
        let chat = self.chats.get_mut(&receipt.place.conversation);
        let moved = self.moved.contains_key(&receipt.place.conversation);
        let message =
            chat.and_then(|chat| chat.messages.get_mut(&last)).filter(|message| !message.gone && !moved);
        let Some(message) = message else { return failed(send, FailureKind::MessageGone) };
        if let Trouble::Fails(kind) = trouble {
            return failed(send, kind);
        }
        message.prompt = Some(prompt);
        message.retired = retired;
        let seen = Some((receipt.place.clone(), last));
        if matches!(trouble, Trouble::TakesEffectUnknown) {
            return Done { seen, ..failed(send, FailureKind::Unknown) };
        }
        Done { report: Some(Report::Shown { send, receipt, position: None }), seen }
    }

    fn post(&mut self, place: &Place, prompt: Option<Prompt>) -> (Receipt, i64) {
        let conversation = self.now_at(&place.conversation);
        self.counter += 1;
        let chat = self.chats.entry(conversation.clone()).or_default();
        chat.order += 1;
        let position = chat.order;
        let id: MessageId = format!("m{}", self.counter).into();
        chat.messages.insert(id.clone(), Message { prompt, retired: false, gone: false, position });
        let place = Place { account: self.account.clone(), conversation };
        (Receipt { place, messages: vec![id] }, position)
    }
}

fn failed(send: SendId, kind: FailureKind) -> Done {
    let failure = Failure { kind, why: "the platform said so".to_owned() };
    Done { report: Some(Report::Failed { send, failure }), seen: None }
}

/// What a platform may refuse; short texts it never does.
fn long(prompt: &Prompt) -> bool {
    prompt.messages.iter().flat_map(|body| &body.0).map(|piece| piece.text.len()).sum::<usize>() > 60
}

fn trouble(chance: &mut Chance, calm: bool, refusable: bool) -> Trouble {
    if calm {
        return Trouble::None;
    }
    match chance.below(100) {
        0..4 => Trouble::Fails(FailureKind::Later(Span(chance.from_to(200, 8000)))),
        4..6 => Trouble::Fails(FailureKind::Unknown),
        6..9 => Trouble::TakesEffectUnknown,
        9 if refusable => Trouble::Fails(FailureKind::Refused),
        _ => Trouble::None,
    }
}
