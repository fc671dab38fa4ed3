//! Updates and messages as the platform writes them, and which bot receives what.

use serde_json::{Map, Value, json};

use super::state::{Author, ChatKey, ChatState, Kind, MessageState, Role, Update, World};

/// Fills `from` where somebody writes in the name of a group.
pub(super) const GROUP_ANONYMOUS_BOT: i64 = 1_087_968_824;
/// Seconds for which a press is kept for a bot that does not fetch it.
pub(super) const PRESS_LIFE_SECONDS: i64 = 150;
/// Seconds for which anything else is kept.
const UPDATE_LIFE_SECONDS: i64 = 86_400;
/// Kinds that come only when they are asked for by name.
const ON_REQUEST: [&str; 3] = ["chat_member", "message_reaction", "message_reaction_count"];

impl World {
    /// Queues an update of this kind for this bot, unless it asked not to get it.
    pub(super) fn deliver(&mut self, bot: i64, kind: &str, value: Value) {
        let now = self.now;
        let state = self.bot(bot);
        let allowed = match state.allowed.is_empty() {
            true => !ON_REQUEST.contains(&kind),
            false => state.allowed.iter().any(|allowed| allowed == kind),
        };
        if allowed {
            state.newest_update += 1;
            let id = state.newest_update;
            let life = if kind == "callback_query" { PRESS_LIFE_SECONDS } else { UPDATE_LIFE_SECONDS };
            let value = json!({ "update_id": id, kind: value });
            state.updates.push_back(Update { id, value, expires_at: now + life });
        }
    }

    /// Tells every bot that may know of a message.
    pub(super) fn spread(&mut self, key: ChatKey, id: i64, edited: bool) {
        let chat = self.chat(key);
        let Some(message) = chat.messages.get(&id) else { return };
        let kind = match (chat.kind, edited) {
            (Kind::Channel, false) => "channel_post",
            (Kind::Channel, true) => "edited_channel_post",
            (_, false) => "message",
            (_, true) => "edited_message",
        };
        let bots: Vec<i64> = match chat.kind {
            Kind::Private => vec![key.bot],
            _ => self.bots.keys().copied().filter(|bot| self.receives(*bot, chat, message)).collect(),
        };
        let value = self.message(key, id);
        for bot in bots {
            self.deliver(bot, kind, value.clone());
        }
    }

    /// Whether this bot gets to know of a message in a group or channel.
    fn receives(&self, bot: i64, chat: &ChatState, message: &MessageState) -> bool {
        let role = chat.members.get(&bot).copied();
        if !matches!(role, Some(Role::Admin | Role::Member)) || matches!(message.author, Author::Bot(_)) {
            return false;
        }
        let Some(state) = self.bots.get(&bot) else { return false };
        let is_service = message.words.is_none() && !message.extra.is_empty() && !message.captioned;
        if role == Some(Role::Admin) || !state.private || is_service || chat.kind == Kind::Channel {
            return true;
        }
        let replied = message.reply_to.and_then(|id| chat.messages.get(&id));
        if let Some(Author::Bot(author)) = replied.map(|replied| replied.author) {
            return author == bot;
        }
        let Some(command) = message.words.as_deref().filter(|words| words.starts_with('/')) else {
            return false;
        };
        match command.split_whitespace().next().and_then(|word| word.split_once('@')) {
            Some((_, name)) => name.eq_ignore_ascii_case(&state.username),
            None => chat.last_bot == Some(bot),
        }
    }

    /// A chat as it is shown inside a message.
    pub(super) fn chat_value(&self, key: ChatKey) -> Value {
        let chat = self.chat(key);
        match chat.kind {
            Kind::Private => {
                let name = self.people.get(&key.id).map(|person| person.name.clone());
                json!({ "id": key.id, "type": "private", "first_name": name })
            }
            Kind::Group => json!({ "id": key.id, "type": "group", "title": chat.title }),
            Kind::Supergroup => json!({ "id": key.id, "type": "supergroup", "title": chat.title }),
            Kind::Forum => {
                json!({ "id": key.id, "type": "supergroup", "title": chat.title, "is_forum": true })
            }
            Kind::Channel => json!({ "id": key.id, "type": "channel", "title": chat.title }),
        }
    }

    /// A person or bot.
    pub(super) fn user_value(&self, id: i64) -> Value {
        if let Some(bot) = self.bots.get(&id) {
            return json!({ "id": id, "is_bot": true, "first_name": bot.username, "username": bot.username });
        }
        match self.people.get(&id) {
            Some(person) => {
                json!({ "id": id, "is_bot": false, "first_name": person.name, "language_code": "en" })
            }
            None => {
                json!({ "id": id, "is_bot": true, "first_name": "Group", "username": "GroupAnonymousBot" })
            }
        }
    }

    /// A message, with the one that it replies to.
    pub(super) fn message(&self, key: ChatKey, id: i64) -> Value {
        let chat = self.chat(key);
        let Some(message) = chat.messages.get(&id) else { return Value::Null };
        let mut value = self.plain(key, id, message);
        let in_topic = message.topic.filter(|_| chat.kind == Kind::Forum);
        // In a topic, what replies to nothing looks like a reply to the message that opened the topic.
        let reply_to = message.reply_to.or(in_topic.filter(|topic| *topic != id));
        if let Some(replied) =
            reply_to.filter(|id| chat.messages.get(id).is_some_and(|message| !message.deleted))
            && let Some(inner) = chat.messages.get(&replied)
        {
            value.insert("reply_to_message".to_owned(), Value::Object(self.plain(key, replied, inner)));
        }
        Value::Object(value)
    }

    fn plain(&self, key: ChatKey, id: i64, message: &MessageState) -> Map<String, Value> {
        let chat = self.chat(key);
        let mut value = Map::new();
        let mut put = |name: &str, field: Value| value.insert(name.to_owned(), field);
        put("message_id", id.into());
        match message.author {
            Author::Bot(author) | Author::Person(author) => {
                put("from", self.user_value(author));
            }
            Author::Anonymous => {
                put("from", self.user_value(GROUP_ANONYMOUS_BOT));
                put("sender_chat", self.chat_value(key));
            }
            Author::Channel => {
                put("sender_chat", self.chat_value(key));
            }
        }
        put("chat", self.chat_value(key));
        put("date", message.date.into());
        if let Some(edited) = message.edited {
            put("edit_date", edited.into());
        }
        if let Some(topic) = message.topic.filter(|_| chat.kind == Kind::Forum) {
            put("message_thread_id", topic.into());
            put("is_topic_message", true.into());
        } else if let Some(root) = root(chat, message).filter(|_| chat.kind == Kind::Supergroup) {
            put("message_thread_id", root.into());
        }
        let (words, entities) =
            if message.captioned { ("caption", "caption_entities") } else { ("text", "entities") };
        if let Some(text) = &message.words {
            put(words, text.clone().into());
            if !message.entities.is_empty() {
                put(entities, message.entities.clone().into());
            }
        }
        if let Some(keyboard) = &message.keyboard {
            put("reply_markup", keyboard.clone());
        }
        value.extend(message.extra.clone());
        value
    }
}

/// The message at which a chain of replies began: outside forums the platform calls it a thread too.
fn root(chat: &ChatState, message: &MessageState) -> Option<i64> {
    let mut root = message.reply_to?;
    while let Some(before) = chat.messages.get(&root).and_then(|message| message.reply_to) {
        root = before;
    }
    Some(root)
}
