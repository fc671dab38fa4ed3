//! A chat as its people see it, and what they can do to it.

use std::sync::Arc;

use serde_json::Value;

use super::state::{Author, ChatKey, ChatState, Kind, MessageState, Shared, World};

/// One chat: private, a group, or a channel.
#[derive(Clone, Debug)]
pub struct Chat {
    pub(super) shared: Arc<Shared>,
    pub(super) key: ChatKey,
}

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// A bot, by id.
    Bot(i64),
    /// A person, by id.
    Person(i64),
    /// Somebody in the name of the group or channel.
    Chat,
}

/// A message as it can be seen now.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Its id in the chat.
    pub id: i64,
    /// Who wrote it.
    pub from: From,
    /// Text or caption; empty where there is none.
    pub text: String,
    /// Styles and links in it, as the platform keeps them.
    pub entities: Vec<Value>,
    /// The rows of buttons below it.
    pub buttons: Vec<Vec<Button>>,
    /// The reply that it asks for, as it was sent.
    pub force_reply: Option<Value>,
    /// What it replies to.
    pub reply_to: Option<i64>,
    /// The topic in which it is.
    pub topic: Option<i64>,
    /// It was changed after it was sent.
    pub edited: bool,
}

/// One button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// What it says.
    pub label: String,
    /// What it sends when it is tapped.
    pub data: Option<String>,
    /// What it opens when it is tapped.
    pub url: Option<String>,
}

impl Chat {
    /// Its id, as a bot names it.
    #[must_use]
    pub fn id(&self) -> i64 {
        self.key.id
    }

    /// Everything that can be seen now, the newest last.
    #[must_use]
    pub fn messages(&self) -> Vec<Seen> {
        self.shared.read(|world| world.seen(self.key))
    }

    /// One message.
    ///
    /// # Panics
    /// When it cannot be seen.
    #[must_use]
    pub fn message(&self, id: i64) -> Seen {
        let mut messages = self.messages();
        let at = messages.iter().position(|message| message.id == id);
        messages.swap_remove(at.unwrap_or_else(|| panic!("no message {id} to see: {messages:?}")))
    }

    /// Everything that bots wrote, the newest last.
    #[must_use]
    pub fn from_bots(&self) -> Vec<Seen> {
        self.messages().into_iter().filter(|message| matches!(message.from, From::Bot(_))).collect()
    }

    /// Waits until what can be seen is as wanted.
    pub async fn until<T>(&self, what: &str, mut find: impl FnMut(&[Seen]) -> Option<T>) -> T {
        self.shared.until(what, |world| find(&world.seen(self.key))).await
    }

    /// Waits for a message whose text contains this, the newest of several.
    pub async fn until_seen(&self, text: &str) -> Seen {
        self.until(text, |messages| newest(messages, text)).await
    }

    /// The same for a test without a runtime.
    pub fn wait<T>(&self, what: &str, mut find: impl FnMut(&[Seen]) -> Option<T>) -> T {
        self.shared.wait(what, |world| find(&world.seen(self.key)))
    }

    /// The same for a test without a runtime.
    pub fn wait_seen(&self, text: &str) -> Seen {
        self.wait(text, |messages| newest(messages, text))
    }
}

impl Seen {
    /// The labels of all buttons, row by row.
    #[must_use]
    pub fn labels(&self) -> Vec<&str> {
        self.buttons.iter().flatten().map(|button| button.label.as_str()).collect()
    }
}

fn newest(messages: &[Seen], text: &str) -> Option<Seen> {
    messages.iter().rev().find(|message| message.text.contains(text)).cloned()
}

impl ChatState {
    pub(super) fn new(kind: Kind, title: String) -> Self {
        Self {
            kind,
            title,
            members: Default::default(),
            topics: Default::default(),
            messages: Default::default(),
            moved_to: None,
            last_bot: None,
        }
    }
}

impl World {
    fn seen(&self, key: ChatKey) -> Vec<Seen> {
        let there = self.chat(key).messages.iter().filter(|(_, message)| !message.deleted);
        there.map(|(id, message)| seen(*id, message)).collect()
    }
}

fn seen(id: i64, message: &MessageState) -> Seen {
    Seen {
        id,
        from: match message.author {
            Author::Bot(bot) => From::Bot(bot),
            Author::Person(person) => From::Person(person),
            Author::Anonymous | Author::Channel => From::Chat,
        },
        text: message.words.clone().unwrap_or_default(),
        entities: message.entities.clone(),
        buttons: buttons(message.keyboard.as_ref()),
        force_reply: message.force_reply.clone(),
        reply_to: message.reply_to,
        topic: message.topic,
        edited: message.edited.is_some(),
    }
}

/// The rows of a keyboard.
pub(super) fn buttons(keyboard: Option<&Value>) -> Vec<Vec<Button>> {
    let rows = keyboard.and_then(|keyboard| keyboard.get("inline_keyboard")).and_then(Value::as_array);
    let row = |row: &Value| row.as_array().into_iter().flatten().map(button).collect();
    rows.into_iter().flatten().map(row).collect()
}

fn button(button: &Value) -> Button {
    let field = |name| button.get(name).and_then(Value::as_str).map(str::to_owned);
    Button { label: field("text").unwrap_or_default(), data: field("callback_data"), url: field("url") }
}
