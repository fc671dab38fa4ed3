//! Updates to Reports. Pure: reads no clock and answers nothing. Whatever comes in, it never panics; what says nothing to us
//! gives no Report.

use askrelay_core::id::{Account, AckId, Identity, Place};
use askrelay_core::port::{Act, Reply, Report, Sender, SenderKind};
use askrelay_core::time::Time;
use serde_json::Value;

use crate::config::SURFACE;
use crate::limits::NOBODY;
use crate::place::conversation;
use crate::received::{CallbackQuery, Chat, Entity, Message, Update, User};

/// The bot itself, as the platform knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Me {
    /// Its immutable id.
    pub(crate) id: i64,
    /// Its name behind the `@`.
    pub(crate) handle: Option<String>,
    /// It sees every message of its groups, not only those meant for it: its privacy mode is off.
    pub(crate) reads_groups: bool,
}

impl From<User> for Me {
    fn from(user: User) -> Self {
        Self { id: user.id, handle: user.username, reads_groups: user.can_read_all_group_messages }
    }
}

/// What Reports of one Account need beside the update.
pub(crate) struct Context<'a> {
    pub(crate) account: &'a Account,
    pub(crate) me: &'a Me,
    /// Now, where the platform gives no time.
    pub(crate) now: Time,
}

/// The id of an update, whatever else it is.
pub(crate) fn update_id(update: &Value) -> Option<i64> {
    update.get("update_id")?.as_i64()
}

/// The Reports of one update. `ack` names the acknowledgement that a press owes, or nothing where it is owed already.
pub(crate) fn reports(
    update: Value,
    context: &Context<'_>,
    ack: impl FnOnce(&str) -> Option<AckId>,
) -> Vec<Report> {
    let Ok(update) = serde_json::from_value::<Update>(update) else { return Vec::new() };
    let id = update.update_id;
    if let Some(press) = &update.callback_query {
        let ack = ack(&press.id);
        return vec![Report::Replied(Box::new(context.pressed(id, press, ack)))];
    }
    let edited = update.edited_message.or(update.edited_channel_post);
    let Some(message) = update.message.or(update.channel_post).or(edited) else { return Vec::new() };
    if let Some(moved) = context.moved(&message) {
        return vec![moved];
    }
    context.written(id, &message).map(|reply| Report::Replied(Box::new(reply))).into_iter().collect()
}

impl Context<'_> {
    fn pressed(&self, update: i64, press: &CallbackQuery, ack: Option<AckId>) -> Reply {
        let message = press.message.as_ref();
        // Without its message, a press can only be answered to whoever pressed.
        let place = message.map_or_else(|| self.place(press.from.id, None), |message| self.place_of(message));
        Reply {
            update: update.to_string().into(),
            place,
            sender: self.sender_of(&press.from),
            at: self.now,
            position: message.map(|message| message.message_id),
            private: message.is_none_or(|message| is_private(&message.chat)),
            message: message.map(|message| message.message_id.to_string().into()),
            ack,
            act: Act::Press {
                token: press.data.clone().unwrap_or_default(),
                values: Vec::new(),
                fields: Vec::new(),
            },
        }
    }

    /// Words, or what stands in for them; nothing for news of the chat itself.
    fn written(&self, update: i64, message: &Message) -> Option<Reply> {
        let (text, entities) = match (&message.text, &message.caption) {
            (Some(text), _) => (Some(text), &message.entities),
            (None, Some(caption)) => (Some(caption), &message.caption_entities),
            (None, None) if message.content.is_something() => (None, &message.entities),
            (None, None) => return None,
        };
        let private = is_private(&message.chat);
        let reply_to = message.reply_to_message.as_ref().filter(|to| {
            // Whatever is written in a topic seems to reply to the message that opened it.
            to.forum_topic_created.is_none()
                && !(message.is_topic_message && message.message_thread_id == Some(to.message_id))
        });
        let to_us = reply_to.and_then(|to| to.from.as_ref()).is_some_and(|from| from.id == self.me.id);
        let named = text.is_some_and(|text| entities.iter().any(|entity| self.is_named(text, entity)));
        let seconds = message.edit_date.unwrap_or(message.date);
        Some(Reply {
            update: update.to_string().into(),
            place: self.place_of(message),
            sender: self.sender(message),
            at: Time(seconds.saturating_mul(1000)),
            position: Some(message.message_id),
            private,
            message: Some(message.message_id.to_string().into()),
            ack: None,
            act: Act::Text {
                // Forwarded words are somebody else's.
                text: text.filter(|_| message.forward_origin.is_none()).cloned(),
                reply_to: reply_to.map(|to| to.message_id.to_string().into()),
                addressed: private || to_us || named,
            },
        })
    }

    /// This part of a text names the bot, or is a command for it.
    fn is_named(&self, text: &str, entity: &Entity) -> bool {
        if entity.kind == "text_mention" {
            return entity.user.as_ref().is_some_and(|user| user.id == self.me.id);
        }
        let Some(handle) = &self.me.handle else { return false };
        let part = part(text, entity.offset, entity.length);
        let name = match entity.kind.as_str() {
            "mention" => part.strip_prefix('@'),
            "bot_command" => part.split_once('@').map(|(_, name)| name),
            _ => None,
        };
        name.is_some_and(|name| name.eq_ignore_ascii_case(handle))
    }

    fn moved(&self, message: &Message) -> Option<Report> {
        let (from, to) = match (message.migrate_to_chat_id, message.migrate_from_chat_id) {
            (Some(to), _) => (message.chat.id, to),
            (None, Some(from)) => (from, message.chat.id),
            (None, None) => return None,
        };
        Some(Report::Moved { from: self.place(from, None), to: conversation(to, None) })
    }

    fn place_of(&self, message: &Message) -> Place {
        // Outside of topics, a thread is only a chain of replies.
        self.place(message.chat.id, message.message_thread_id.filter(|_| message.is_topic_message))
    }

    fn place(&self, chat: i64, topic: Option<i64>) -> Place {
        Place { account: self.account.clone(), conversation: conversation(chat, topic) }
    }

    fn sender(&self, message: &Message) -> Sender {
        if let (Some(from), None) = (&message.from, &message.sender_chat) {
            return self.sender_of(from);
        }
        let chat = message.sender_chat.as_ref().unwrap_or(&message.chat);
        let name = chat.title.clone().unwrap_or_else(|| chat.id.to_string());
        Sender {
            identity: identity(chat.id),
            display_name: name,
            kind: SenderKind::Anonymous,
            granted: Default::default(),
        }
    }

    fn sender_of(&self, user: &User) -> Sender {
        let kind = match user.is_bot {
            _ if NOBODY.contains(&user.id) => SenderKind::Anonymous,
            true => SenderKind::Bot,
            false => SenderKind::Human,
        };
        Sender {
            identity: identity(user.id),
            display_name: full_name(user),
            kind,
            granted: Default::default(),
        }
    }
}

fn identity(id: i64) -> Identity {
    Identity { surface: SURFACE.into(), user: id.to_string().into() }
}

fn full_name(user: &User) -> String {
    let name = format!("{} {}", user.first_name, user.last_name);
    match (name.trim(), &user.username) {
        ("", Some(username)) => username.clone(),
        ("", None) => user.id.to_string(),
        (name, _) => name.to_owned(),
    }
}

fn is_private(chat: &Chat) -> bool {
    if chat.kind.is_empty() { chat.id > 0 } else { chat.kind == "private" }
}

/// A part of a text by UTF-16 units; empty where it is out of the text or cuts a character.
fn part(text: &str, offset: usize, length: usize) -> String {
    let units: Vec<u16> = text.encode_utf16().skip(offset).take(length).collect();
    String::from_utf16(&units).unwrap_or_default()
}

#[cfg(test)]
mod tests;
