//! Events: which bot is told what, by its intents and permissions, and what is left out of a message for whom.

use serde_json::{Value, json};

use super::permission::VIEW_CHANNEL;
use super::state::{Author, Kind, World};

/// Intents, by the platform's numbers.
pub(super) const GUILDS: u64 = 1;
pub(super) const GUILD_MEMBERS: u64 = 1 << 1;
pub(super) const GUILD_PRESENCES: u64 = 1 << 8;
pub(super) const GUILD_MESSAGES: u64 = 1 << 9;
pub(super) const DIRECT_MESSAGES: u64 = 1 << 12;
pub(super) const MESSAGE_CONTENT: u64 = 1 << 15;
/// Those that an owner must switch on.
pub(super) const PRIVILEGED: u64 = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT;
/// All that exist.
pub(super) const KNOWN_INTENTS: u64 = 0x1_ffff | 1 << 20 | 1 << 21 | 1 << 24 | 1 << 25;

impl World {
    /// Tells every bot that may know of a message that it is new or changed.
    pub(super) fn spread(&mut self, kind: &str, channel: u64, id: u64) {
        let Some(only_for) = self.message(channel, id).map(|message| message.only_for) else { return };
        let is_direct = self.channel(channel).kind == Kind::Direct;
        for bot in self.listeners(channel) {
            if only_for.is_some() && !self.is_own(channel, id, bot) {
                continue;
            }
            // A message that only one person sees is sent as if it were a direct one.
            let needed = if is_direct || only_for.is_some() { DIRECT_MESSAGES } else { GUILD_MESSAGES };
            self.dispatch(bot, kind, needed, |world, intents| world.message_event(channel, id, bot, intents));
        }
    }

    /// Tells of a deleted message.
    pub(super) fn spread_deletion(&mut self, channel: u64, id: u64) {
        let guild = self.channel(channel).guild;
        let needed = if guild.is_none() { DIRECT_MESSAGES } else { GUILD_MESSAGES };
        for bot in self.listeners(channel) {
            self.dispatch(bot, "MESSAGE_DELETE", needed, |_, _| {
                let mut event = json!({ "id": id.to_string(), "channel_id": channel.to_string() });
                add_guild(&mut event, guild);
                event
            });
        }
    }

    /// Tells of a channel or thread, under the names that such an event has for each.
    pub(super) fn spread_channel(&mut self, what: &str, channel: u64) {
        let state = self.channel(channel);
        let prefix = if state.kind == Kind::Thread { "THREAD" } else { "CHANNEL" };
        let kind = format!("{prefix}_{what}");
        for bot in self.listeners(channel) {
            self.dispatch(bot, &kind, GUILDS, |world, _| world.channel_value(channel));
        }
    }

    /// The bots that see a channel.
    pub(super) fn listeners(&self, channel: u64) -> Vec<u64> {
        let sees = |bot: &u64| self.permissions(*bot, channel) & VIEW_CHANNEL != 0;
        self.bots.keys().copied().filter(sees).collect()
    }

    pub(super) fn guilds_of(&self, user: u64) -> Vec<u64> {
        let mine = self.guilds.iter().filter(|(_, guild)| guild.members.contains_key(&user));
        mine.map(|(guild, _)| *guild).collect()
    }

    fn is_own(&self, channel: u64, id: u64, bot: u64) -> bool {
        self.message(channel, id).is_some_and(|message| message.author == Author::Bot(bot))
    }

    /// A message as a bot with these intents is told of it.
    fn message_event(&self, channel: u64, id: u64, bot: u64, intents: u64) -> Value {
        let mut value = self.message_value(channel, id);
        let Some(message) = self.message(channel, id) else { return value };
        let state = self.channel(channel);
        if intents & MESSAGE_CONTENT == 0 && state.kind != Kind::Direct {
            self.censor(&mut value, channel, id, bot);
            let replied = value.get_mut("referenced_message").filter(|replied| replied.is_object());
            if let (Some(replied), Some(reply_to)) = (replied, message.reply_to) {
                self.censor(replied, channel, reply_to, bot);
            }
        }
        if let Some(fields) = value.as_object_mut() {
            fields.insert("channel_type".to_owned(), super::object::kind_number(state.kind).into());
        }
        if message.only_for.is_none() {
            add_guild(&mut value, state.guild);
            self.add_members(&mut value, message, state.guild);
        }
        value
    }

    /// Takes out what a bot without the message content intent is not told: all but its own words and those that mention it.
    fn censor(&self, value: &mut Value, channel: u64, id: u64, bot: u64) {
        let Some(message) = self.message(channel, id) else { return };
        if message.author == Author::Bot(bot) || message.mentions.users.contains(&bot) {
            return;
        }
        if let Some(fields) = value.as_object_mut() {
            fields.insert("content".to_owned(), "".into());
            for list in ["embeds", "attachments", "components"] {
                fields.insert(list.to_owned(), json!([]));
            }
            fields.remove("poll");
        }
    }

    /// In a guild the author and who is mentioned come with their membership.
    fn add_members(&self, value: &mut Value, message: &super::state::MessageState, guild: Option<u64>) {
        let Some(guild) = guild else { return };
        if let Author::Bot(author) | Author::Person(author) = &message.author
            && let Some(member) = self.member_value(*author, guild)
            && let Some(fields) = value.as_object_mut()
        {
            fields.insert("member".to_owned(), Value::Object(member));
        }
        let mentioned = value.get_mut("mentions").and_then(Value::as_array_mut);
        for (user, id) in mentioned.into_iter().flatten().zip(&message.mentions.users) {
            if let (Some(fields), Some(member)) = (user.as_object_mut(), self.member_value(*id, guild)) {
                fields.insert("member".to_owned(), Value::Object(member));
            }
        }
    }
}

pub(super) fn add_guild(value: &mut Value, guild: Option<u64>) {
    if let (Some(fields), Some(guild)) = (value.as_object_mut(), guild) {
        fields.insert("guild_id".to_owned(), super::object::text(guild));
    }
}
