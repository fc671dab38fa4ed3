//! The platform's objects as JSON: users, members, guilds, channels and messages, complete as the platform sends them.

use serde_json::{Map, Value, json};

use super::state::{Author, ChannelState, GuildState, Kind, MessageState, World};

/// Fields of a guild that are there and say nothing.
const EMPTY_IN_GUILDS: [&str; 15] = [
    "icon",
    "splash",
    "discovery_splash",
    "banner",
    "description",
    "afk_channel_id",
    "application_id",
    "system_channel_id",
    "rules_channel_id",
    "public_updates_channel_id",
    "safety_alerts_channel_id",
    "max_presences",
    "vanity_url_code",
    "widget_channel_id",
    "incidents_data",
];

/// Permissions, flags and ids are texts in the platform's JSON.
pub(super) fn text(number: u64) -> Value {
    Value::String(number.to_string())
}

/// A time in the platform's form, such as `2025-11-30T10:53:20.000000+00:00`.
pub(super) fn time(ms: i64) -> String {
    let (days, rest) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    let (hours, minutes, seconds) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    // Days are counted from 0000-03-01, so that the day of a leap year is the last of its year.
    let day = days + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    let (year, micros) = (year + era * 400, rest % 1000 * 1000);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{micros:06}+00:00")
}

impl World {
    /// A person or bot.
    pub(super) fn user_value(&self, id: u64) -> Value {
        let (name, is_bot) = match (self.bots.get(&id), self.people.get(&id)) {
            (Some(bot), _) => (bot.name.as_str(), true),
            (None, Some(person)) => (person.name.as_str(), false),
            // Nobody else is spoken of but those who own guilds and applications.
            (None, None) => ("Owner", false),
        };
        json!({
            "id": id.to_string(), "username": name.to_lowercase(), "global_name": name, "discriminator": "0",
            "avatar": null, "avatar_decoration_data": null, "banner": null, "accent_color": null,
            "clan": null, "primary_guild": null, "collectibles": null, "bot": is_bot, "system": false,
            "public_flags": 0, "flags": 0,
        })
    }

    /// Somebody's membership of a guild, without the user.
    pub(super) fn member_value(&self, user: u64, guild: u64) -> Option<Map<String, Value>> {
        let member = self.guilds.get(&guild)?.members.get(&user)?;
        let value = json!({
            "nick": null, "avatar": null, "banner": null, "roles": texts(&member.roles),
            "joined_at": time(member.joined_ms), "premium_since": null, "deaf": false, "mute": false,
            "flags": 0, "pending": false, "communication_disabled_until": null,
            "unusual_dm_activity_until": null,
        });
        value.as_object().cloned()
    }

    /// The same with the user.
    pub(super) fn whole_member_value(&self, user: u64, guild: u64) -> Value {
        let mut member = self.member_value(user, guild).unwrap_or_default();
        member.insert("user".to_owned(), self.user_value(user));
        Value::Object(member)
    }

    /// The roles of a guild.
    pub(super) fn roles_value(&self, guild: u64) -> Value {
        let state = self.guild(guild);
        let one = |(position, (id, role)): (usize, (&u64, &super::state::RoleState))| {
            json!({
                "id": id.to_string(), "name": role.name, "permissions": text(role.permissions),
                "position": position, "color": 0, "colors": { "primary_color": 0, "secondary_color": null,
                "tertiary_color": null }, "hoist": false, "managed": false, "mentionable": false,
                "icon": null, "unicode_emoji": null, "description": null, "flags": 0,
            })
        };
        state.roles.iter().enumerate().map(one).collect()
    }

    /// A guild, as REST tells it.
    pub(super) fn guild_value(&self, id: u64) -> Map<String, Value> {
        let GuildState { name, owner, .. } = self.guild(id);
        let value = json!({
            "id": id.to_string(), "name": name, "owner_id": owner.to_string(), "roles": self.roles_value(id),
            "region": "deprecated", "afk_timeout": 300, "verification_level": 0, "mfa_level": 0,
            "default_message_notifications": 0, "explicit_content_filter": 0, "emojis": [], "stickers": [],
            "features": [], "system_channel_flags": 0, "max_members": 500_000, "premium_tier": 0,
            "premium_subscription_count": 0, "preferred_locale": "en-US", "nsfw": false, "nsfw_level": 0,
            "premium_progress_bar_enabled": false, "widget_enabled": false,
        });
        let mut fields = value.as_object().cloned().unwrap_or_default();
        fields.extend(EMPTY_IN_GUILDS.map(|name| (name.to_owned(), Value::Null)));
        fields
    }

    /// A guild, as a gateway tells of it to this bot.
    pub(super) fn guild_event(&self, id: u64, bot: u64) -> Value {
        let state = self.guild(id);
        let mut value = self.guild_value(id);
        let of_kinds = |kinds: &[Kind]| -> Vec<Value> {
            let inside = self.channels.iter().filter(|(_, channel)| channel.guild == Some(id));
            // Channels are told of whether or not they can be seen into, threads only where they can.
            let told = inside.filter(|(channel, state)| {
                let is_open = state.kind != Kind::Thread || self.permissions(bot, **channel) != 0;
                kinds.contains(&state.kind) && !state.archived && is_open
            });
            told.map(|(channel, _)| self.channel_value(*channel)).collect()
        };
        let more = json!({
            "joined_at": time(state.members.get(&bot).map_or(self.now_ms, |member| member.joined_ms)),
            "large": false, "unavailable": false, "member_count": state.members.len(),
            "members": [self.whole_member_value(bot, id)], "channels": of_kinds(&[Kind::Text, Kind::Forum]),
            "threads": of_kinds(&[Kind::Thread]),
            "voice_states": [], "presences": [], "stage_instances": [], "guild_scheduled_events": [],
            "soundboard_sounds": [], "embedded_activities": [], "lazy": true,
        });
        value.extend(more.as_object().cloned().unwrap_or_default());
        Value::Object(value)
    }

    /// A channel.
    pub(super) fn channel_value(&self, id: u64) -> Value {
        let Some(state) = self.channels.get(&id) else { return Value::Null };
        let newest = state.messages.iter().rfind(|(_, message)| message.only_for.is_none());
        let mut value = Map::new();
        let mut put = |fields: Value| value.extend(fields.as_object().cloned().unwrap_or_default());
        put(json!({
            "id": id.to_string(), "type": kind_number(state.kind), "flags": 0,
            "last_message_id": newest.map(|(id, _)| id.to_string()),
        }));
        if let Some(guild) = state.guild {
            put(json!({
                "guild_id": guild.to_string(), "name": state.name, "rate_limit_per_user": 0, "nsfw": false,
                "parent_id": state.parent.map(|parent| parent.to_string()),
            }));
        }
        match state.kind {
            Kind::Direct => {
                let person = state.person.map(|person| self.user_value(person));
                put(json!({ "recipients": [person] }));
            }
            Kind::Thread => put(self.thread_fields(id, state)),
            Kind::Text | Kind::Forum => {
                let overwrites: Vec<Value> = state
                    .overwrites
                    .iter()
                    .map(|(target, one)| {
                        let (allow, deny) = (text(one.allow), text(one.deny));
                        json!({ "id": target.to_string(), "type": u8::from(!one.is_role), "allow": allow, "deny": deny })
                    })
                    .collect();
                put(json!({ "position": 0, "permission_overwrites": overwrites, "topic": null }));
            }
        }
        if state.kind == Kind::Forum {
            put(json!({
                "available_tags": [], "default_reaction_emoji": null, "default_sort_order": null,
                "default_forum_layout": 0, "template": "",
            }));
        }
        Value::Object(value)
    }

    fn thread_fields(&self, id: u64, state: &ChannelState) -> Value {
        json!({
            "owner_id": state.person.or(state.bot).map(|owner| owner.to_string()), "message_count": state.messages.len(),
            "member_count": 1, "total_message_sent": state.messages.len(),
            "thread_metadata": {
                "archived": state.archived, "locked": state.locked, "auto_archive_duration": 4320,
                "archive_timestamp": time(state.changed_ms), "create_timestamp": time(born(id)),
            },
        })
    }

    /// A message, as REST tells it.
    pub(super) fn message_value(&self, channel: u64, id: u64) -> Value {
        let Some(message) = self.message(channel, id) else { return Value::Null };
        let mut value = self.plain_message(channel, id, message);
        if let Some(reply_to) = message.reply_to {
            let referenced = self.message(channel, reply_to);
            let referenced =
                referenced.map(|replied| Value::Object(self.plain_message(channel, reply_to, replied)));
            value.insert("referenced_message".to_owned(), referenced.unwrap_or_default());
        }
        Value::Object(value)
    }

    fn plain_message(&self, channel: u64, id: u64, message: &MessageState) -> Map<String, Value> {
        let mentions = &message.mentions;
        let users: Vec<Value> = mentions.users.iter().map(|user| self.user_value(*user)).collect();
        let fields = json!({
            "id": id.to_string(), "channel_id": channel.to_string(), "type": message.kind,
            "author": self.author_value(&message.author), "content": message.content,
            "timestamp": time(message.at_ms), "edited_timestamp": message.edited_ms.map(time), "tts": false,
            "mention_everyone": mentions.everyone, "mentions": users, "mention_roles": texts(&mentions.roles),
            "attachments": [], "embeds": message.embeds, "pinned": false, "flags": message.flags,
            "components": message.components,
        });
        let mut value = fields.as_object().cloned().unwrap_or_default();
        let mut put = |name: &str, field: Value| value.insert(name.to_owned(), field);
        if let Some(reply_to) = message.reply_to {
            let guild = self.channels.get(&channel).and_then(|channel| channel.guild);
            let mut reference =
                json!({ "type": 0, "message_id": reply_to.to_string(), "channel_id": channel.to_string() });
            if let (Some(guild), Some(fields)) = (guild, reference.as_object_mut()) {
                fields.insert("guild_id".to_owned(), text(guild));
            }
            put("message_reference", reference);
        }
        if let Some(nonce) = &message.nonce {
            put("nonce", nonce.clone());
        }
        if let Author::Webhook(webhook, _) = &message.author {
            put("webhook_id", text(*webhook));
        }
        if let Some(interaction) = message.interaction
            && let Some(state) = self.interactions.get(&interaction)
        {
            put("application_id", text(state.bot));
            put("webhook_id", text(state.bot));
            put("interaction_metadata", self.metadata_value(interaction));
        }
        value.extend(message.extra.clone());
        value
    }

    /// What a message tells of the interaction that it answers.
    fn metadata_value(&self, interaction: u64) -> Value {
        let Some(state) = self.interactions.get(&interaction) else { return Value::Null };
        let mut value = json!({
            "id": interaction.to_string(), "type": state.kind, "user": self.user_value(state.person),
            "authorizing_integration_owners": {},
        });
        let (name, more) = match state.opened_by {
            Some(opener) => ("triggering_interaction_metadata", self.metadata_value(opener)),
            None => ("interacted_message_id", json!(state.source.map(|source| source.to_string()))),
        };
        if let Some(fields) = value.as_object_mut() {
            fields.insert(name.to_owned(), more);
        }
        value
    }

    fn author_value(&self, author: &Author) -> Value {
        match author {
            Author::Bot(id) | Author::Person(id) => self.user_value(*id),
            Author::Webhook(id, name) => json!({
                "id": id.to_string(), "username": name, "global_name": null, "discriminator": "0000",
                "avatar": null, "bot": true, "public_flags": 0, "flags": 0,
            }),
        }
    }
}

/// When something of this id came to be, in milliseconds since 1970.
fn born(id: u64) -> i64 {
    i64::try_from(id >> 22).unwrap_or(0) + super::state::EPOCH_MS
}

fn texts<'a>(ids: impl IntoIterator<Item = &'a u64>) -> Vec<String> {
    ids.into_iter().map(u64::to_string).collect()
}

/// The platform's number of a kind of channel.
pub(super) fn kind_number(kind: Kind) -> u64 {
    match kind {
        Kind::Text => 0,
        Kind::Direct => 1,
        Kind::Thread => 11,
        Kind::Forum => 15,
    }
}
