//! What a person sends: words, where they belong, whom they mention.

use serde_json::{Map, Value, json};

use super::app::App;
use super::state::{Author, MessageState};
use super::text;

/// One message of a person, before it is sent.
#[derive(Clone, Debug, Default)]
pub struct Post {
    text: String,
    thread: Option<String>,
    broadcast: bool,
    subtype: Option<String>,
    extra: Map<String, Value>,
}

impl Post {
    /// A plain text, as it is typed.
    pub fn text(text: impl AsRef<str>) -> Self {
        Self { text: text::typed(text.as_ref()), ..Self::default() }
    }

    /// A text as the platform keeps it, with entities and angle brackets.
    pub fn kept(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A file with these words below it.
    pub fn file(text: impl AsRef<str>) -> Self {
        let files = json!([{ "id": "F01", "name": "picture.png", "mimetype": "image/png", "size": 1024 }]);
        Self::text(text).subtype("file_share").with("files", files)
    }

    /// In the thread that began with this message.
    #[must_use]
    pub fn in_thread(mut self, ts: &str) -> Self {
        self.thread = Some(ts.to_owned());
        self
    }

    /// Shown in the conversation too: `thread_broadcast`.
    #[must_use]
    pub fn broadcast(mut self) -> Self {
        self.broadcast = true;
        self.subtype("thread_broadcast")
    }

    /// Mentioning an app at its beginning.
    #[must_use]
    pub fn mentioning(mut self, app: &App) -> Self {
        self.text = format!("<@{}> {}", app.user_id(), self.text);
        self
    }

    /// With a subtype, such as `me_message`.
    #[must_use]
    pub fn subtype(mut self, subtype: &str) -> Self {
        self.subtype = Some(subtype.to_owned());
        self
    }

    /// With any other field of a message, as the platform names it.
    #[must_use]
    pub fn with(mut self, field: &str, value: Value) -> Self {
        self.extra.insert(field.to_owned(), value);
        self
    }

    pub(super) fn message(self, author: Author) -> MessageState {
        let mut message = MessageState::new(author, self.text);
        message.thread = self.thread;
        message.broadcast = self.broadcast;
        message.subtype = self.subtype;
        message.extra = self.extra;
        message
    }
}
