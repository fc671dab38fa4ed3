//! The platform's rules about what a bot sends: content, flags, nonce, reply, and whom it may call.

use serde_json::Value;

use super::component::Judge;
use super::permission::MENTION_EVERYONE;
use super::refusal::Refusal;
use super::route;
use super::state::{Mentions, World};

/// Longest content, in characters.
const CONTENT_MAX: usize = 2000;
/// Longest nonce, in characters.
const NONCE_MAX: usize = 25;
/// Most embeds of a message, and most people or roles that are named as those who may be called.
const EMBEDS_MAX: usize = 10;
const NAMED_MAX: usize = 100;

/// Flags of messages.
pub(super) const EPHEMERAL: u64 = 1 << 6;
pub(super) const LOADING: u64 = 1 << 7;
const SUPPRESS_EMBEDS: u64 = 1 << 2;
const SILENT: u64 = 1 << 12;

/// Fields of a message that a bot may send.
const FIELDS: [&str; 14] = [
    "content",
    "nonce",
    "tts",
    "embeds",
    "allowed_mentions",
    "message_reference",
    "components",
    "sticker_ids",
    "attachments",
    "flags",
    "enforce_nonce",
    "poll",
    "username",
    "avatar_url",
];

/// A message or a change of one, after it was judged. What was left out is `None`.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) content: Option<String>,
    pub(super) components: Option<Vec<Value>>,
    pub(super) embeds: Option<Vec<Value>>,
    pub(super) flags: u64,
    pub(super) nonce: Option<Value>,
    pub(super) enforce_nonce: bool,
    pub(super) reply: Option<Reply>,
    pub(super) allowed: Option<Value>,
}

/// What a message is to reply to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply {
    pub(super) message: u64,
    pub(super) channel: Option<u64>,
    pub(super) must_exist: bool,
}

impl Draft {
    /// Judges a body at a path: empty, or `data` in a callback.
    pub(super) fn judge(body: &Value, path: &str) -> Result<Self, Refusal> {
        let mut judge = Judge::default();
        let at = |field: &str| if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") };
        let given = |field: &str| body.get(field).filter(|value| !value.is_null());
        let mut draft =
            Self { flags: body.get("flags").and_then(Value::as_u64).unwrap_or(0), ..Self::default() };
        for name in body.as_object().into_iter().flatten().map(|(name, _)| name.as_str()) {
            if !FIELDS.contains(&name) {
                judge.wrongs.add(
                    &at(name),
                    "STAND_IN_UNKNOWN_FIELD",
                    "The platform knows no such field here",
                );
            }
        }
        match body.get("content") {
            Some(Value::String(content)) => {
                judge.wrongs.length(&at("content"), content.chars().count(), 0, CONTENT_MAX);
                draft.content = Some(content.trim().to_owned());
            }
            Some(Value::Null) => draft.content = Some(String::new()),
            Some(other) => {
                let message = format!("Could not interpret \"{other}\" as string.");
                judge.wrongs.add(&at("content"), "STRING_TYPE_CONVERT", message);
            }
            None => {}
        }
        if let Some(components) = body.get("components") {
            let components = if components.is_null() { &Value::Array(Vec::new()) } else { components };
            judge.rows(&at("components"), components);
            let mut components = components.as_array().cloned().unwrap_or_default();
            super::component::numbered(&mut components, &mut 1);
            draft.components = Some(components);
        }
        if let Some(embeds) = given("embeds").and_then(Value::as_array) {
            judge.wrongs.length(&at("embeds"), embeds.len(), 0, EMBEDS_MAX);
            draft.embeds = Some(embeds.clone());
        }
        draft.judge_flags(&mut judge, &at("flags"));
        draft.judge_nonce(&mut judge, &at("nonce"), given("nonce"));
        draft.enforce_nonce = given("enforce_nonce") == Some(&Value::Bool(true));
        draft.judge_allowed(&mut judge, &at("allowed_mentions"), given("allowed_mentions"));
        draft.reply = reply(&mut judge, &at("message_reference"), given("message_reference"));
        judge.wrongs.judge()?;
        Ok(draft)
    }

    fn judge_flags(&mut self, judge: &mut Judge, path: &str) {
        if self.flags & !(EPHEMERAL | SUPPRESS_EMBEDS | SILENT) != 0 {
            // Of what the platform takes, components of the newer layout and voice messages are not known here.
            judge.wrongs.add(path, "STAND_IN_UNKNOWN_FLAG", "No such flag is known here");
        }
    }

    fn judge_nonce(&mut self, judge: &mut Judge, path: &str, nonce: Option<&Value>) {
        match nonce {
            Some(Value::String(text)) if text.chars().count() > NONCE_MAX => {
                judge.wrongs.add(path, "NONCE_TYPE_TOO_LONG", "Must be 25 or fewer characters long.");
            }
            None | Some(Value::String(_) | Value::Number(_)) => {}
            Some(_) => {
                let message = "This field must be a string or integer.";
                judge.wrongs.add(path, "NONCE_TYPE_INVALID_TYPE", message);
            }
        }
        self.nonce = nonce.cloned();
    }

    fn judge_allowed(&mut self, judge: &mut Judge, path: &str, allowed: Option<&Value>) {
        self.allowed = allowed.cloned();
        let Some(allowed) = allowed else { return };
        judge.known(path, allowed, &["parse", "roles", "users", "replied_user"]);
        let parsed = names(allowed, "parse");
        for (index, kind) in parsed.iter().enumerate() {
            if !["roles", "users", "everyone"].contains(&kind.as_str()) {
                let message = "Value must be one of ('users', 'roles', 'everyone').";
                judge.wrongs.add(&format!("{path}.parse.{index}"), "BASE_TYPE_CHOICES", message);
            }
        }
        for kind in ["users", "roles"] {
            let named = names(allowed, kind);
            judge.wrongs.length(&format!("{path}.{kind}"), named.len(), 0, NAMED_MAX);
            for (index, id) in named.iter().enumerate().filter(|(_, id)| id.parse::<u64>().is_err()) {
                let message = format!("Value \"{id}\" is not snowflake.");
                judge.wrongs.add(&format!("{path}.{kind}.{index}"), "NUMBER_TYPE_COERCE", message);
            }
            if !named.is_empty() && parsed.iter().any(|parsed| parsed == kind) {
                let message = format!("parse:[\"{kind}\"] and {kind}: [ids...] are mutually exclusive.");
                judge.wrongs.add(path, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message);
            }
        }
    }

    /// Whether nothing at all would be seen.
    pub(super) fn is_empty(&self) -> bool {
        self.content.as_deref().unwrap_or_default().is_empty()
            && self.components.as_ref().is_none_or(Vec::is_empty)
            && self.embeds.as_ref().is_none_or(Vec::is_empty)
    }

    /// Whom this content calls, as far as it may. A reply calls whom it replies to, unless something else was said.
    pub(super) fn mentions(
        &self,
        world: &World,
        author: u64,
        channel: u64,
        content: &str,
        replied: Option<u64>,
    ) -> Mentions {
        let all = mentioned(content);
        let mut mentions = match &self.allowed {
            None => Mentions { users: all.users.into_iter().chain(replied).collect(), ..all },
            Some(allowed) => {
                let parsed = names(allowed, "parse");
                let may = |kind: &str, id: &u64| {
                    parsed.iter().any(|parsed| parsed == kind)
                        || names(allowed, kind).contains(&id.to_string())
                };
                let replied = replied.filter(|_| allowed.get("replied_user") == Some(&Value::Bool(true)));
                Mentions {
                    users: all.users.into_iter().filter(|id| may("users", id)).chain(replied).collect(),
                    roles: all.roles.into_iter().filter(|id| may("roles", id)).collect(),
                    everyone: all.everyone && parsed.iter().any(|parsed| parsed == "everyone"),
                }
            }
        };
        world.narrow(&mut mentions, author, channel);
        mentions
    }
}

impl World {
    /// Leaves only those that exist, each once, and everybody only for those who may call everybody.
    pub(super) fn narrow(&self, mentions: &mut Mentions, author: u64, channel: u64) {
        mentions.users.retain(|user| self.people.contains_key(user) || self.bots.contains_key(user));
        mentions.users.sort_unstable();
        mentions.users.dedup();
        let guild = self.channels.get(&channel).and_then(|channel| channel.guild);
        let guild = guild.and_then(|guild| self.guilds.get(&guild));
        let may_all = self.permissions(author, channel) & MENTION_EVERYONE != 0 && guild.is_some();
        mentions.roles.retain(|role| may_all && guild.is_some_and(|guild| guild.roles.contains_key(role)));
        mentions.everyone &= may_all;
    }
}

/// Everything in a text that calls somebody. Escaping is not looked at: whoever wants to call nobody says so by other means.
pub(super) fn mentioned(content: &str) -> Mentions {
    let mut mentions = Mentions::default();
    for part in content.split("<@").skip(1) {
        let Some((inside, _)) = part.split_once('>') else { continue };
        match inside.strip_prefix('&') {
            Some(role) => mentions.roles.extend(role.parse::<u64>().ok()),
            None => mentions.users.extend(inside.trim_start_matches('!').parse::<u64>().ok()),
        }
    }
    mentions.everyone = content.contains("@everyone") || content.contains("@here");
    mentions
}

fn names(value: &Value, field: &str) -> Vec<String> {
    let list = value.get(field).and_then(Value::as_array).into_iter().flatten();
    list.map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned)).collect()
}

fn reply(judge: &mut Judge, path: &str, reference: Option<&Value>) -> Option<Reply> {
    let reference = reference?;
    judge.known(path, reference, &["type", "message_id", "channel_id", "guild_id", "fail_if_not_exists"]);
    let mut id = |field: &str| {
        let value = reference.get(field)?;
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let id = route::id(&text, field);
        if id.is_err() {
            let message = format!("Value \"{text}\" is not snowflake.");
            judge.wrongs.add(&format!("{path}.{field}"), "NUMBER_TYPE_COERCE", message);
        }
        id.ok()
    };
    let (message, channel) = (id("message_id"), id("channel_id"));
    if reference.get("message_id").is_none() {
        judge.wrongs.missing(&format!("{path}.message_id"));
    }
    let must_exist = reference.get("fail_if_not_exists") != Some(&Value::Bool(false));
    Some(Reply { message: message?, channel, must_exist })
}
