//! A Surface without a platform: one private conversation in memory, with controls and edits. Passes the contract of every
//! Surface; it has no limits, no delays and no faults of its own.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use askrelay_core::id::{Account, AckId, Identity, MessageId, Place, SendId};
use askrelay_core::port::{
    Acknowledgement, Act, Failure, FailureKind, Order, Receipt, Reply, Report, Sender as ReplySender,
    SenderKind,
};
use askrelay_core::prompt::{Control, Prompt};
use askrelay_core::time::Time;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::JoinHandle;

use super::Platform;

/// The conversation, seen from the person's side. Clones are the same conversation.
#[derive(Clone, Debug)]
pub struct FakeChat {
    place: Place,
    person: Identity,
    state: Arc<Mutex<State>>,
    news: Arc<Notify>,
}

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// The Prompt that it shows; a note or a person's words have none.
    pub prompt: Option<Prompt>,
    /// Its text.
    pub text: String,
}

#[derive(Debug, Default)]
struct State {
    messages: Vec<Message>,
    /// Presses in their order.
    presses: Vec<AckId>,
    /// Those of them that nobody acknowledged yet.
    owed: BTreeSet<AckId>,
    /// Those that wait for their words. It has no clock: the next Order of another kind ends the wait.
    waiting: BTreeSet<AckId>,
    acknowledged: Vec<(AckId, Acknowledgement)>,
    done: BTreeMap<SendId, Report>,
    updates: VecDeque<Report>,
    newest: Option<Report>,
    cut: bool,
    count: i64,
}

impl FakeChat {
    /// A conversation of this person with this bot login.
    #[must_use]
    pub fn new(place: Place, person: Identity) -> Self {
        Self { place, person, state: Arc::default(), news: Arc::default() }
    }

    /// The surface: ends when `orders` ends or nobody takes reports.
    pub async fn run(self, mut orders: Receiver<Order>, reports: Sender<Report>) {
        let account = self.place.account.clone();
        if reports.send(Report::Online { account }).await.is_err() {
            return;
        }
        loop {
            // Updates first: what was written before an Order is carried out is older than it.
            while let Some(update) = self.next_update() {
                if reports.send(update).await.is_err() {
                    return;
                }
            }
            tokio::select! {
                biased;
                () = self.news.notified() => {}
                order = orders.recv() => {
                    let Some(order) = order else { return };
                    if let Some(report) = self.carry(order)
                        && reports.send(report).await.is_err()
                    {
                        return;
                    }
                }
            }
        }
    }

    /// All messages, the newest last.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        self.state().messages.clone()
    }

    /// How a press was acknowledged, once it was.
    #[must_use]
    pub fn acknowledged(&self, ack: AckId) -> Option<Acknowledgement> {
        let state = self.state();
        let (_, with) = state.acknowledged.iter().find(|(acknowledged, _)| *acknowledged == ack)?;
        Some(with.clone())
    }

    /// The person writes, perhaps in reply to a message.
    pub fn say(&self, text: &str, reply_to: Option<MessageId>) {
        let id = {
            let mut state = self.state();
            let id = state.next_id();
            state.messages.push(Message { id: id.clone(), prompt: None, text: text.to_owned() });
            id
        };
        self.file(Act::Text { text: Some(text.to_owned()), reply_to, addressed: true }, Some(id), None);
    }

    /// The person presses a control, or takes entries of a menu; the acknowledgement that is owed.
    pub fn press(&self, token: &str, values: &[&str]) -> AckId {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        self.file_owing(Act::Press { token: token.to_owned(), values, fields: Vec::new() })
    }

    /// The person sends a form; the acknowledgement that is owed.
    pub fn submit(&self, token: &str, text: &str) -> AckId {
        self.file_owing(super::words(token, text))
    }

    /// Delivers the newest update once more.
    pub fn deliver_again(&self) {
        let mut state = self.state();
        if let Some(update) = state.newest.clone() {
            state.updates.push_back(update);
        }
        drop(state);
        self.news.notify_one();
    }

    /// Cuts the connection or mends it. While it is cut nothing can be shown.
    pub fn connect(&self, connected: bool) {
        let account = self.place.account.clone();
        let report = if connected {
            Report::Online { account }
        } else {
            Report::Offline { account, why: "the connection was cut".to_owned() }
        };
        let mut state = self.state();
        state.cut = !connected;
        state.updates.push_back(report);
        drop(state);
        self.news.notify_one();
    }

    fn file_owing(&self, act: Act) -> AckId {
        let ack = {
            let mut state = self.state();
            state.count += 1;
            let ack = AckId(state.count.unsigned_abs());
            state.presses.push(ack);
            state.owed.insert(ack);
            ack
        };
        let newest = self.messages().into_iter().rev().find(|message| message.prompt.is_some());
        self.file(act, newest.map(|message| message.id), Some(ack));
        ack
    }

    fn file(&self, act: Act, message: Option<MessageId>, ack: Option<AckId>) {
        let mut state = self.state();
        state.count += 1;
        let position = state.count;
        let report = Report::Replied(Box::new(Reply {
            update: position.to_string().into(),
            place: self.place.clone(),
            sender: ReplySender {
                identity: self.person.clone(),
                display_name: "Sam".to_owned(),
                kind: SenderKind::Human,
                granted: Default::default(),
            },
            at: Time(position),
            position: Some(position),
            private: true,
            message,
            ack,
            act,
        }));
        state.newest = Some(report.clone());
        state.updates.push_back(report);
        drop(state);
        self.news.notify_one();
    }

    fn acknowledgements(&self, press: usize) -> Vec<Option<String>> {
        let state = self.state();
        let ack = state.presses.get(press).copied().expect("it was pressed");
        let all = state.acknowledged.iter().filter(|(acknowledged, _)| *acknowledged == ack);
        let words = |with: &Acknowledgement| match with {
            Acknowledgement::Toast(text) => Some(text.clone()),
            _ => None,
        };
        all.map(|(_, with)| words(with)).collect()
    }

    fn next_update(&self) -> Option<Report> {
        self.state().updates.pop_front()
    }

    fn carry(&self, order: Order) -> Option<Report> {
        let mut state = self.state();
        if !matches!(order, Order::Toast { .. }) {
            state.stop_waiting();
        }
        match order {
            Order::Show { send, place, prompt } => Some(state.once(send, |state, send| {
                if place != self.place || state.cut {
                    return failed(send, FailureKind::Unreachable);
                }
                let receipt = Receipt { place, messages: state.post(&prompt) };
                state.shown(send, receipt)
            })),
            Order::Edit { send, receipt, prompt } | Order::Retire { send, receipt, prompt } => {
                Some(state.once(send, |state, send| match state.rewrite(&receipt, &prompt) {
                    true => state.shown(send, receipt),
                    false => failed(send, FailureKind::MessageGone),
                }))
            }
            Order::AskForText { send, place, text, .. } => Some(state.once(send, |state, send| {
                let receipt = Receipt { place, messages: vec![state.note(text)] };
                state.shown(send, receipt)
            })),
            Order::Say { text, .. } => {
                state.note(text);
                None
            }
            Order::Acknowledge { ack, with } => {
                state.acknowledge(ack, with);
                None
            }
            Order::Toast { ack, text, otherwise } => {
                if state.waiting.remove(&ack) {
                    state.acknowledged.push((ack, Acknowledgement::Toast(text)));
                    return None;
                }
                drop(state);
                otherwise.and_then(|otherwise| self.carry(*otherwise))
            }
            Order::Saved { .. } => None,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics while it holds the conversation")
    }
}

impl Platform for FakeChat {
    async fn start(orders: Receiver<Order>, reports: Sender<Report>) -> (Self, JoinHandle<()>) {
        let account = Account { surface: "fake".into(), name: "bot".into() };
        let place = Place { account, conversation: "private".into() };
        let chat = Self::new(place, Identity { surface: "fake".into(), user: "7".into() });
        let task = tokio::spawn(chat.clone().run(orders, reports));
        (chat, task)
    }

    fn place(&self) -> Place {
        self.place.clone()
    }

    fn person(&self) -> Identity {
        self.person.clone()
    }

    async fn seen(&mut self) -> String {
        self.messages().iter().map(|message| format!("{}\n", message.text)).collect()
    }

    async fn write(&mut self, text: &str) {
        self.say(text, None);
    }

    async fn repeat(&mut self) -> bool {
        self.deliver_again();
        true
    }

    async fn cut(&mut self) {
        self.connect(false);
    }

    async fn mend(&mut self) -> bool {
        self.connect(true);
        true
    }

    async fn controls(&mut self) -> Option<Vec<String>> {
        let messages = self.messages();
        let rows =
            messages.iter().filter_map(|message| message.prompt.as_ref()).flat_map(|prompt| &prompt.controls);
        Some(rows.flatten().map(label).collect())
    }

    async fn press(&mut self, token: &str) -> bool {
        FakeChat::press(self, token, &[]);
        true
    }

    async fn acknowledged(&mut self, press: usize) -> Vec<Option<String>> {
        loop {
            let all = self.acknowledgements(press);
            if !all.is_empty() {
                return all;
            }
            tokio::task::yield_now().await;
        }
    }

    async fn submit(&mut self, text: &str) -> bool {
        let token = self.state().acknowledged.iter().rev().find_map(|(_, with)| match with {
            Acknowledgement::Form { token, .. } => Some(token.clone()),
            _ => None,
        });
        FakeChat::submit(self, &token.expect("a press opened an input"), text);
        true
    }

    fn hostile(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
}

impl State {
    fn next_id(&mut self) -> MessageId {
        self.count += 1;
        MessageId::from(self.count.to_string())
    }

    /// The Report of an Order, which is carried out the first time only.
    fn once(&mut self, send: SendId, carry: impl FnOnce(&mut Self, &SendId) -> Report) -> Report {
        if let Some(before) = self.done.get(&send) {
            return before.clone();
        }
        let report = carry(self, &send);
        if matches!(report, Report::Shown { .. }) {
            self.done.insert(send, report.clone());
        }
        report
    }

    /// A press is acknowledged once.
    fn acknowledge(&mut self, ack: AckId, with: Acknowledgement) {
        if self.owed.remove(&ack) {
            match with {
                Acknowledgement::Later => {
                    self.waiting.insert(ack);
                }
                with => self.acknowledged.push((ack, with)),
            }
        }
    }

    fn stop_waiting(&mut self) {
        let silent = std::mem::take(&mut self.waiting).into_iter().map(|ack| (ack, Acknowledgement::Silent));
        self.acknowledged.extend(silent);
    }

    fn post(&mut self, prompt: &Prompt) -> Vec<MessageId> {
        let texts: Vec<String> = texts(prompt);
        let mut ids = Vec::new();
        for text in texts {
            let id = self.next_id();
            self.messages.push(Message { id: id.clone(), prompt: Some(prompt.clone()), text });
            ids.push(id);
        }
        ids
    }

    fn note(&mut self, text: String) -> MessageId {
        let id = self.next_id();
        self.messages.push(Message { id: id.clone(), prompt: None, text });
        id
    }

    /// Puts the Prompt's text into the first message of the receipt and empties the others.
    fn rewrite(&mut self, receipt: &Receipt, prompt: &Prompt) -> bool {
        let texts = texts(prompt);
        let kept = receipt.messages.len().saturating_sub(texts.len());
        let mut found = false;
        for (id, text) in receipt.messages.iter().skip(kept).zip(texts) {
            for message in self.messages.iter_mut().filter(|message| message.id == *id) {
                message.text.clone_from(&text);
                message.prompt = Some(prompt.clone());
                found = true;
            }
        }
        found
    }

    fn shown(&mut self, send: &SendId, receipt: Receipt) -> Report {
        self.count += 1;
        Report::Shown { send: send.clone(), receipt, position: Some(self.count) }
    }
}

fn texts(prompt: &Prompt) -> Vec<String> {
    let text = |body: &askrelay_core::prompt::Body| body.0.iter().map(|piece| piece.text.as_str()).collect();
    prompt.messages.iter().map(text).collect()
}

fn label(control: &Control) -> String {
    match control {
        Control::Button { label, .. } | Control::Link { label, .. } | Control::Input { label, .. } => {
            label.clone()
        }
        Control::Menu { placeholder, .. } => placeholder.clone(),
    }
}

fn failed(send: &SendId, kind: FailureKind) -> Report {
    Report::Failed { send: send.clone(), failure: Failure { kind, why: "the stand-in says so".to_owned() } }
}
