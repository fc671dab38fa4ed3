//! What a person sends: words, whom they reply to and call, and anything else that a message can have.

use serde_json::{Map, Value, json};

use super::bot::Bot;
use super::draft::mentioned;
use super::state::{Author, MessageState, World};

/// One message of a person, before it is sent.
#[derive(Clone, Debug)]
pub struct Post {
    text: String,
    reply_to: Option<u64>,
    is_quiet: bool,
    kind: Option<u64>,
    extra: Map<String, Value>,
}

impl Post {
    /// A plain text. Mentions are written as the platform keeps them, such as `<@1>`.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), reply_to: None, is_quiet: false, kind: None, extra: Map::new() }
    }

    /// A voice message.
    #[must_use]
    pub fn voice() -> Self {
        Self::text("").attached("voice-message.ogg", "audio/ogg").with("flags", json!(1 << 13))
    }

    /// A picture.
    #[must_use]
    pub fn picture() -> Self {
        Self::text("").attached("picture.png", "image/png")
    }

    fn attached(self, name: &str, kind: &str) -> Self {
        let file = json!({
            "id": "1", "filename": name, "size": 9000, "content_type": kind,
            "url": format!("https://cdn.example/{name}"), "proxy_url": format!("https://media.example/{name}"),
        });
        self.with("attachments", json!([file]))
    }

    /// Something that the platform itself tells, by its number: 6 that something was pinned, 7 that somebody joined.
    #[must_use]
    pub fn system(kind: u64) -> Self {
        Self { kind: Some(kind), ..Self::text("") }
    }

    /// As a reply to this message, which calls its author.
    #[must_use]
    pub fn reply_to(mut self, message: u64) -> Self {
        self.reply_to = Some(message);
        self
    }

    /// With the reply's call switched off.
    #[must_use]
    pub fn quietly(mut self) -> Self {
        self.is_quiet = true;
        self
    }

    /// Calling a bot at its beginning.
    #[must_use]
    pub fn mentioning(mut self, bot: &Bot) -> Self {
        self.text = format!("<@{}> {}", bot.id(), self.text);
        self
    }

    /// With any other field of a message, as the platform names it.
    #[must_use]
    pub fn with(mut self, field: &str, value: Value) -> Self {
        self.extra.insert(field.to_owned(), value);
        self
    }
}

impl World {
    /// Sends it; its id.
    pub(super) fn send(&mut self, person: u64, channel: u64, post: Post) -> u64 {
        let Post { text, reply_to, is_quiet, kind, extra } = post;
        assert!(!self.channel(channel).locked, "nobody writes in a locked thread");
        self.reopen(channel);
        let mut mentions = mentioned(&text);
        // An answer to an interaction is not called by a reply, other messages are.
        let replied = reply_to.filter(|id| {
            !is_quiet && self.message(channel, *id).is_some_and(|message| message.interaction.is_none())
        });
        mentions.users.extend(self.author_of(channel, replied));
        self.narrow(&mut mentions, person, channel);
        let mut message = MessageState::new(Author::Person(person), self.now_ms, text.trim().to_owned());
        message.kind = kind.unwrap_or(if reply_to.is_some() { 19 } else { 0 });
        message.pings = mentions.clone();
        message.mentions = mentions;
        message.reply_to = reply_to;
        message.extra = extra;
        let id = self.put(channel, message);
        self.spread("MESSAGE_CREATE", channel, id);
        id
    }
}
