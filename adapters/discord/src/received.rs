//! What the platform sends, as far as it is of use here. Every field may be missing, and one that cannot be read counts as
//! missing: serenity's own types lose what labelled fields hold, and a whole press over one field that they do not know.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A message that was written or edited.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Message {
    #[serde(deserialize_with = "forgiving")]
    pub(crate) id: String,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) channel_id: String,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) guild_id: Option<String>,
    #[serde(rename = "type", deserialize_with = "forgiving")]
    pub(crate) kind: u64,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) author: Option<User>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) member: Option<Member>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) webhook_id: Option<String>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) content: String,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) edited_timestamp: Option<String>,
    #[serde(deserialize_with = "each")]
    pub(crate) mentions: Vec<User>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) message_reference: Option<Reference>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) referenced_message: Option<Referenced>,
}

/// What a message points to.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Reference {
    /// 0 is a reply, 1 a forwarded message.
    #[serde(rename = "type", deserialize_with = "forgiving")]
    pub(crate) kind: u64,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) message_id: Option<String>,
}

/// The message that is replied to.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Referenced {
    #[serde(deserialize_with = "forgiving")]
    pub(crate) author: Option<User>,
}

/// A user; a bot is one too.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct User {
    #[serde(deserialize_with = "forgiving")]
    pub(crate) id: String,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) username: String,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) global_name: Option<String>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) bot: bool,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) system: bool,
}

/// A user in a server.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Member {
    /// Beside an interaction only.
    #[serde(deserialize_with = "forgiving")]
    pub(crate) user: Option<User>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) nick: Option<String>,
    #[serde(deserialize_with = "each")]
    pub(crate) roles: Vec<String>,
}

/// A button was pressed, a menu was used, a form was sent, or something we never offered was called.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Interaction {
    #[serde(deserialize_with = "forgiving")]
    pub(crate) id: String,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) token: String,
    #[serde(rename = "type", deserialize_with = "forgiving")]
    pub(crate) kind: u64,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) channel_id: Option<String>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) guild_id: Option<String>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) user: Option<User>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) member: Option<Member>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) message: Option<Pressed>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) data: Data,
}

/// The message that a control stands on.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Pressed {
    #[serde(deserialize_with = "forgiving")]
    pub(crate) id: String,
}

/// What an interaction brings.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Data {
    #[serde(deserialize_with = "forgiving")]
    pub(crate) custom_id: String,
    #[serde(deserialize_with = "each")]
    pub(crate) values: Vec<String>,
    #[serde(deserialize_with = "each")]
    pub(crate) components: Vec<Component>,
}

/// A part of a form: a row, a label, or a field.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Component {
    #[serde(deserialize_with = "forgiving")]
    pub(crate) custom_id: Option<String>,
    #[serde(deserialize_with = "forgiving")]
    pub(crate) value: Option<String>,
    #[serde(deserialize_with = "each")]
    pub(crate) values: Vec<String>,
    /// What a row holds.
    #[serde(deserialize_with = "each")]
    pub(crate) components: Vec<Component>,
    /// What a label holds.
    #[serde(deserialize_with = "forgiving")]
    pub(crate) component: Option<Box<Component>>,
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
