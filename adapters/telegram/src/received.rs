//! What the platform sends, as far as it is of use here. Every field may be missing, and one that cannot be read counts as missing:
//! teloxide's own types know nothing newer than Bot API 9.1 and lose a whole text over one entity of a newer kind.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// One update.
#[derive(Debug, Deserialize)]
pub(crate) struct Update {
    pub(crate) update_id: i64,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) message: Option<Message>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) edited_message: Option<Message>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) channel_post: Option<Message>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) edited_channel_post: Option<Message>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) callback_query: Option<CallbackQuery>,
}

/// A message, or what is left of one that the bot cannot see any more.
#[derive(Debug, Deserialize)]
pub(crate) struct Message {
    pub(crate) message_id: i64,
    pub(crate) chat: Chat,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) date: i64,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) edit_date: Option<i64>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) message_thread_id: Option<i64>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) is_topic_message: bool,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) from: Option<User>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) sender_chat: Option<Chat>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) text: Option<String>,
    #[serde(default, deserialize_with = "each")]
    pub(crate) entities: Vec<Entity>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) caption: Option<String>,
    #[serde(default, deserialize_with = "each")]
    pub(crate) caption_entities: Vec<Entity>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) reply_to_message: Option<RepliedTo>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) migrate_to_chat_id: Option<i64>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) migrate_from_chat_id: Option<i64>,
    #[serde(default)]
    pub(crate) forward_origin: Option<IgnoredAny>,
    #[serde(flatten)]
    pub(crate) content: Content,
}

/// What a person can send instead of words. What is none of it is news of the chat itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Content {
    animation: Option<IgnoredAny>,
    audio: Option<IgnoredAny>,
    checklist: Option<IgnoredAny>,
    contact: Option<IgnoredAny>,
    dice: Option<IgnoredAny>,
    document: Option<IgnoredAny>,
    game: Option<IgnoredAny>,
    location: Option<IgnoredAny>,
    paid_media: Option<IgnoredAny>,
    photo: Option<IgnoredAny>,
    poll: Option<IgnoredAny>,
    sticker: Option<IgnoredAny>,
    story: Option<IgnoredAny>,
    venue: Option<IgnoredAny>,
    video: Option<IgnoredAny>,
    video_note: Option<IgnoredAny>,
    voice: Option<IgnoredAny>,
}

impl Content {
    pub(crate) fn is_something(&self) -> bool {
        [
            &self.animation,
            &self.audio,
            &self.checklist,
            &self.contact,
            &self.dice,
            &self.document,
            &self.game,
            &self.location,
            &self.paid_media,
            &self.photo,
            &self.poll,
            &self.sticker,
            &self.story,
            &self.venue,
            &self.video,
            &self.video_note,
            &self.voice,
        ]
        .into_iter()
        .any(Option::is_some)
    }
}

/// The message that another one replies to.
#[derive(Debug, Deserialize)]
pub(crate) struct RepliedTo {
    pub(crate) message_id: i64,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) from: Option<User>,
    #[serde(default)]
    pub(crate) forum_topic_created: Option<IgnoredAny>,
}

/// A conversation.
#[derive(Debug, Deserialize)]
pub(crate) struct Chat {
    pub(crate) id: i64,
    #[serde(default, rename = "type", deserialize_with = "forgiving")]
    pub(crate) kind: String,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) title: Option<String>,
}

/// A user; a bot is one too.
#[derive(Debug, Deserialize)]
pub(crate) struct User {
    pub(crate) id: i64,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) is_bot: bool,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) first_name: String,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) last_name: String,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) username: Option<String>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) can_read_all_group_messages: bool,
}

/// A part of a text that means something.
#[derive(Debug, Deserialize)]
pub(crate) struct Entity {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) offset: usize,
    pub(crate) length: usize,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) user: Option<User>,
}

/// A button was pressed.
#[derive(Debug, Deserialize)]
pub(crate) struct CallbackQuery {
    pub(crate) id: String,
    pub(crate) from: User,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) message: Option<Message>,
    #[serde(default, deserialize_with = "forgiving")]
    pub(crate) data: Option<String>,
}

/// A value of the expected shape, else what stands for a missing one.
fn forgiving<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let value = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// Those of a list that have the expected shape.
fn each<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let value = Value::deserialize(deserializer)?;
    let Value::Array(items) = value else { return Ok(Vec::new()) };
    Ok(items.into_iter().filter_map(|item| serde_json::from_value(item).ok()).collect())
}
