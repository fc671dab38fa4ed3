//! A channel as its people see it: a channel of a guild, a thread, a forum, or direct messages.

use std::sync::Arc;

use serde_json::Value;

use super::component::{BUTTON, SELECT, number};
use super::draft::{EPHEMERAL, LOADING};
use super::state::{Author, MessageState, Shared, World};

/// One channel.
#[derive(Clone, Debug)]
pub struct Channel {
    pub(super) shared: Arc<Shared>,
    pub(super) id: u64,
}

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// A bot, by id.
    Bot(u64),
    /// A person, by id.
    Person(u64),
    /// A webhook, by id.
    Webhook(u64),
}

/// A message as it can be seen now.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Its id.
    pub id: u64,
    /// Who wrote it.
    pub from: From,
    /// The content as it was sent, markdown and all.
    pub text: String,
    /// The rows below it.
    pub rows: Vec<Vec<Component>>,
    /// What it replies to.
    pub reply_to: Option<u64>,
    /// It was changed after it was sent.
    pub edited: bool,
    /// People, bots and roles that were called when it was sent.
    pub called: Vec<u64>,
    /// Everybody was called when it was sent.
    pub called_everyone: bool,
    /// Only one person sees it.
    pub ephemeral: bool,
    /// It only says that the bot thinks.
    pub thinking: bool,
}

/// What can be used below a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Component {
    /// A button.
    Button(Button),
    /// A menu of entries.
    Select(Select),
}

/// One button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// What it says.
    pub label: String,
    /// What it is called by its bot.
    pub custom_id: Option<String>,
    /// What it opens when it is pressed.
    pub url: Option<String>,
    /// How it looks: 1 primary, 2 secondary, 3 success, 4 danger, 5 a link.
    pub style: u64,
    /// It cannot be pressed.
    pub disabled: bool,
}

/// One menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Select {
    /// What it is called by its bot.
    pub custom_id: String,
    /// The pale words while nothing is chosen.
    pub placeholder: Option<String>,
    /// Its entries.
    pub options: Vec<Choice>,
    /// How few can be chosen.
    pub least: usize,
    /// How many can be chosen.
    pub most: usize,
    /// Nothing can be chosen.
    pub disabled: bool,
}

/// One entry of a menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What it says.
    pub label: String,
    /// What it is called by its bot.
    pub value: String,
    /// The smaller words below it.
    pub description: Option<String>,
    /// It is chosen from the beginning.
    pub default: bool,
}

impl Channel {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Everything that everybody in it can see now, the newest last.
    #[must_use]
    pub fn messages(&self) -> Vec<Seen> {
        self.shared.read(|world| world.seen(self.id))
    }

    /// One message.
    ///
    /// # Panics
    /// When it cannot be seen.
    #[must_use]
    pub fn message(&self, id: u64) -> Seen {
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
        self.shared.until(what, |world| find(&world.seen(self.id))).await
    }

    /// Waits for a message whose text contains this, the newest of several.
    pub async fn until_seen(&self, text: &str) -> Seen {
        self.until(text, |messages| newest(messages, text)).await
    }

    /// The same for a test without a runtime.
    pub fn wait<T>(&self, what: &str, mut find: impl FnMut(&[Seen]) -> Option<T>) -> T {
        self.shared.wait(what, |world| find(&world.seen(self.id)))
    }

    /// The same for a test without a runtime.
    pub fn wait_seen(&self, text: &str) -> Seen {
        self.wait(text, |messages| newest(messages, text))
    }

    /// A webhook writes a text under this name; its message id.
    pub fn webhook_writes(&self, name: &str, text: &str) -> u64 {
        self.webhook_replies(name, text, None)
    }

    /// The same as a reply to a message, which the platform lets no webhook do.
    pub fn webhook_replies(&self, name: &str, text: &str, reply_to: Option<u64>) -> u64 {
        self.shared.change(|world| {
            let author = Author::Webhook(world.new_id(), name.to_owned());
            let mut message = MessageState::new(author, world.now_ms, text.trim().to_owned());
            message.reply_to = reply_to;
            message.kind = if reply_to.is_some() { 19 } else { 0 };
            let id = world.put(self.id, message);
            world.spread("MESSAGE_CREATE", self.id, id);
            id
        })
    }
}

impl Seen {
    /// Every button, row by row.
    pub fn buttons(&self) -> impl Iterator<Item = &Button> {
        self.rows.iter().flatten().filter_map(|component| match component {
            Component::Button(button) => Some(button),
            Component::Select(_) => None,
        })
    }

    /// Every menu.
    pub fn selects(&self) -> impl Iterator<Item = &Select> {
        self.rows.iter().flatten().filter_map(|component| match component {
            Component::Select(select) => Some(select),
            Component::Button(_) => None,
        })
    }

    /// The labels of all buttons and entries, from the top.
    #[must_use]
    pub fn labels(&self) -> Vec<&str> {
        let labels = self.rows.iter().flatten().flat_map(|component| match component {
            Component::Button(button) => vec![button.label.as_str()],
            Component::Select(select) => select.options.iter().map(|option| option.label.as_str()).collect(),
        });
        labels.collect()
    }
}

fn newest(messages: &[Seen], text: &str) -> Option<Seen> {
    messages.iter().rev().find(|message| message.text.contains(text)).cloned()
}

impl World {
    fn seen(&self, channel: u64) -> Vec<Seen> {
        let messages = self.channels.get(&channel).into_iter().flat_map(|channel| &channel.messages);
        messages
            .filter(|(_, message)| message.only_for.is_none())
            .map(|(id, message)| seen(*id, message))
            .collect()
    }

    /// Everything that only this person sees, with its channel; the newest last.
    pub(super) fn seen_alone(&self, person: u64) -> Vec<(u64, Seen)> {
        let all = self.channels.values().flat_map(|channel| &channel.messages);
        let mut alone: Vec<(u64, Seen)> = all
            .filter(|(_, message)| message.only_for == Some(person) && message.flags & LOADING == 0)
            .map(|(id, message)| (message.interaction.unwrap_or_default(), seen(*id, message)))
            .collect();
        alone.sort_by_key(|(_, seen)| seen.id);
        alone
    }
}

pub(super) fn seen(id: u64, message: &MessageState) -> Seen {
    Seen {
        id,
        from: match message.author {
            Author::Bot(bot) => From::Bot(bot),
            Author::Person(person) => From::Person(person),
            Author::Webhook(webhook, _) => From::Webhook(webhook),
        },
        text: message.content.clone(),
        rows: message.components.iter().map(row).collect(),
        reply_to: message.reply_to,
        edited: message.edited_ms.is_some(),
        called: message.pings.users.iter().chain(&message.pings.roles).copied().collect(),
        called_everyone: message.pings.everyone,
        ephemeral: message.flags & EPHEMERAL != 0,
        thinking: message.flags & LOADING != 0,
    }
}

fn row(row: &Value) -> Vec<Component> {
    let inside = row.get("components").and_then(Value::as_array).into_iter().flatten();
    inside
        .filter_map(|component| match number(component, "type") {
            Some(BUTTON) => Some(Component::Button(button(component))),
            Some(SELECT) => Some(Component::Select(select(component))),
            _ => None,
        })
        .collect()
}

fn text(value: &Value, field: &str) -> Option<String> {
    value.get(field).and_then(Value::as_str).map(str::to_owned)
}

fn flag(value: &Value, field: &str) -> bool {
    value.get(field) == Some(&Value::Bool(true))
}

fn button(button: &Value) -> Button {
    Button {
        label: text(button, "label").unwrap_or_default(),
        custom_id: text(button, "custom_id"),
        url: text(button, "url"),
        style: number(button, "style").unwrap_or_default(),
        disabled: flag(button, "disabled"),
    }
}

fn select(select: &Value) -> Select {
    let options = select.get("options").and_then(Value::as_array).into_iter().flatten();
    let bound = |field| number(select, field).and_then(|bound| usize::try_from(bound).ok()).unwrap_or(1);
    let choice = |option: &Value| Choice {
        label: text(option, "label").unwrap_or_default(),
        value: text(option, "value").unwrap_or_default(),
        description: text(option, "description"),
        default: flag(option, "default"),
    };
    Select {
        custom_id: text(select, "custom_id").unwrap_or_default(),
        placeholder: text(select, "placeholder"),
        options: options.map(choice).collect(),
        least: bound("min_values"),
        most: bound("max_values"),
        disabled: flag(select, "disabled"),
    }
}
