//! What a person sends: words, media, where it belongs, and the entities that the platform finds in it by itself.

use serde_json::{Map, Value, json};

use super::person::Person;
use super::state::{Author, MessageState};

/// One message of a person, before it is sent.
#[derive(Clone, Debug, Default)]
pub struct Post {
    pub(super) words: Option<String>,
    pub(super) reply_to: Option<i64>,
    pub(super) topic: Option<i64>,
    extra: Map<String, Value>,
    captioned: bool,
    named: Option<(i64, String)>,
}

impl Post {
    /// A plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { words: Some(text.into()), ..Self::default() }
    }

    /// A voice message.
    #[must_use]
    pub fn voice() -> Self {
        Self::media("voice", json!({ "file_id": "voice", "file_unique_id": "voice", "duration": 2 }))
    }

    /// A picture.
    #[must_use]
    pub fn photo() -> Self {
        let size = json!({ "file_id": "photo", "file_unique_id": "photo", "width": 90, "height": 90 });
        Self::media("photo", json!([size]))
    }

    fn media(kind: &str, value: Value) -> Self {
        let extra = Map::from_iter([(kind.to_owned(), value)]);
        Self { extra, captioned: true, ..Self::default() }
    }

    /// With these words below it.
    #[must_use]
    pub fn caption(mut self, text: impl Into<String>) -> Self {
        self.words = Some(text.into());
        self
    }

    /// As a reply to this message.
    #[must_use]
    pub fn reply_to(mut self, message: i64) -> Self {
        self.reply_to = Some(message);
        self
    }

    /// With any other field of a message, as the platform names it.
    #[must_use]
    pub fn with(mut self, field: &str, value: Value) -> Self {
        self.extra.insert(field.to_owned(), value);
        self
    }

    /// In this topic of a forum.
    #[must_use]
    pub fn topic(mut self, topic: i64) -> Self {
        self.topic = Some(topic);
        self
    }

    /// As one of several that belong together.
    #[must_use]
    pub fn in_group(mut self, group: &str) -> Self {
        self.extra.insert("media_group_id".to_owned(), group.into());
        self
    }

    /// As somebody else's words, passed on.
    #[must_use]
    pub fn forwarded_from(mut self, person: &Person) -> Self {
        let user = person.shared.read(|world| (world.user_value(person.id()), world.now));
        let origin = json!({ "type": "user", "sender_user": user.0, "date": user.1 });
        self.extra.insert("forward_origin".to_owned(), origin);
        self
    }

    /// Naming somebody by id at its beginning, as one does who has no username: a person, or a bot.
    #[must_use]
    pub fn naming(mut self, id: i64, name: &str) -> Self {
        self.words = Some(format!("{name} {}", self.words.unwrap_or_default()));
        self.named = Some((id, name.to_owned()));
        self
    }

    pub(super) fn message(self, author: Author, now: i64, user: impl FnOnce(i64) -> Value) -> MessageState {
        let mut message = MessageState::new(author, now, self.words);
        if let Some((id, name)) = self.named {
            let length = name.encode_utf16().count();
            let entity = json!({ "type": "text_mention", "offset": 0, "length": length, "user": user(id) });
            message.entities.push(entity);
        }
        message.entities.extend(found(message.words.as_deref().unwrap_or_default()));
        message.reply_to = self.reply_to;
        message.topic = self.topic;
        message.extra = self.extra;
        message.captioned = self.captioned;
        message
    }
}

/// Commands, mentions and links in a text, in UTF-16 code units.
pub(super) fn found(text: &str) -> Vec<Value> {
    let mut entities = Vec::new();
    let mut offset = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end().trim_end_matches(['.', ',', ':', '!', '?']);
        let is_name =
            |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let kind = match bare.split_at_checked(1) {
            Some(("/", command)) => {
                let (command, bot) = command.split_once('@').unwrap_or((command, "bot"));
                (is_name(command) && is_name(bot)).then_some("bot_command")
            }
            Some(("@", name)) => is_name(name).then_some("mention"),
            _ => ["http://", "https://"].iter().any(|scheme| bare.starts_with(scheme)).then_some("url"),
        };
        if let Some(kind) = kind {
            entities.push(json!({ "type": kind, "offset": offset, "length": bare.encode_utf16().count() }));
        }
        offset += word.encode_utf16().count();
    }
    entities
}
