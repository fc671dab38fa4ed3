//! What the routes do, once a call has passed the faults and rates: who calls, what they may reach, and everything that only tells.

use serde_json::{Value, json};

use super::event::{GUILD_MEMBERS, GUILD_PRESENCES, MESSAGE_CONTENT};
use super::permission::{MANAGE_CHANNELS, MANAGE_THREADS, SEND_MESSAGES_IN_THREADS, VIEW_CHANNEL};
use super::refusal::Refusal;
use super::route::{self, Route, Target};
use super::session::STARTS;
use super::state::{ChannelState, Kind, World};

/// How a call is answered: with a value, or 204 without one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    Value(Value),
    Empty,
}

impl World {
    /// Carries out one call of a bot. Callbacks and webhooks come without one.
    pub(super) fn carry_out(
        &mut self,
        bot: Option<u64>,
        target: &Target,
        body: &Value,
    ) -> Result<Answer, Refusal> {
        use Route as R;
        let gateway = json!({ "url": format!("ws://{}/gateway", self.address) });
        let Some(bot) = bot else {
            return match target.route {
                R::GetGateway => Ok(Answer::Value(gateway)),
                R::CreateCallback => self.call_back(target, body),
                R::CreateFollowup => self.follow_up(target, body).map(Answer::Value),
                R::GetFollowup => self.get_follow_up(target).map(Answer::Value),
                R::EditFollowup => self.edit_follow_up(target, body).map(Answer::Value),
                R::DeleteFollowup => self.delete_follow_up(target),
                _ => Err(Refusal::new(401, 0, "401: Unauthorized")),
            };
        };
        let value = match target.route {
            R::GetGatewayBot => {
                let (remaining, reset_after) = self.bot(bot).starts;
                let starts = json!({ "total": STARTS, "remaining": remaining, "reset_after": reset_after, "max_concurrency": 1 });
                json!({ "url": gateway["url"], "shards": 1, "session_start_limit": starts })
            }
            R::GetCurrentUser => self.me_value(bot),
            R::GetUser => self.get_user(target)?,
            R::GetCurrentApplication => self.application_value(bot),
            R::GetCurrentGuilds => self.current_guilds(bot),
            R::CreateDirect => self.create_direct(bot, body)?,
            R::GetGuild | R::GetGuildChannels | R::GetGuildRoles | R::GetGuildMember => {
                self.get_guild(bot, target)?
            }
            R::GetChannel => {
                let channel = self.reach(bot, target)?;
                self.channel_value(channel)
            }
            R::ModifyChannel => self.modify_channel(bot, target, body)?,
            R::GetMessages => self.get_messages(bot, target)?,
            R::GetMessage => self.get_message(bot, target)?,
            R::CreateMessage => self.create_message(bot, target, body)?,
            R::EditMessage => self.edit_message(bot, target, body)?,
            R::DeleteMessage => return self.delete_message(bot, target),
            _ => return Err(Refusal::new(404, 0, "404: Not Found")),
        };
        Ok(Answer::Value(value))
    }

    /// The channel that a path names, if this bot sees it.
    pub(super) fn reach(&self, bot: u64, target: &Target) -> Result<u64, Refusal> {
        let channel = target.id(0, "channel_id")?;
        if !self.channels.contains_key(&channel) {
            return Err(Refusal::unknown(10003, "Channel"));
        }
        match self.permissions(bot, channel) & VIEW_CHANNEL {
            0 => Err(Refusal::no_access()),
            _ => Ok(channel),
        }
    }

    /// Refuses who has not all of these permissions.
    pub(super) fn need(&self, user: u64, channel: u64, permissions: u64) -> Result<(), Refusal> {
        match self.permissions(user, channel) & permissions == permissions {
            true => Ok(()),
            false => Err(Refusal::no_permission()),
        }
    }

    /// A bot, as it sees itself.
    pub(super) fn me_value(&self, bot: u64) -> Value {
        let mut value = self.user_value(bot);
        if let Some(fields) = value.as_object_mut() {
            for (name, field) in
                [("mfa_enabled", json!(true)), ("verified", json!(true)), ("email", Value::Null)]
            {
                fields.insert(name.to_owned(), field);
            }
            fields.insert("locale".to_owned(), "en-US".into());
        }
        value
    }

    /// Which privileged intents the owner switched on, in the manner of small bots.
    pub(super) fn application_flags(&self, bot: u64) -> u64 {
        let privileged = self.bot(bot).privileged;
        let flag = |intent: u64, bit: u64| if privileged & intent != 0 { 1 << bit } else { 0 };
        flag(GUILD_PRESENCES, 13) | flag(GUILD_MEMBERS, 15) | flag(MESSAGE_CONTENT, 19)
    }

    fn application_value(&self, bot: u64) -> Value {
        let name = &self.bot(bot).name;
        json!({
            "id": bot.to_string(), "name": name, "icon": null, "description": "", "summary": "", "type": null,
            "bot": self.user_value(bot), "bot_public": true, "bot_require_code_grant": false,
            "verify_key": format!("{bot:064x}"), "flags": self.application_flags(bot),
            "flags_new": super::object::text(self.application_flags(bot)), "hook": true,
            "interactions_endpoint_url": null, "role_connections_verification_url": null, "redirect_uris": [],
            "owner": self.user_value(1), "team": null,   "approximate_guild_count": self.guilds_of(bot).len(),
            "approximate_user_install_count": 0, "integration_types_config": { "0": {} },
            "event_webhooks_status": 1, "event_webhooks_url": null, "event_webhooks_types": [],
        })
    }

    fn get_user(&self, target: &Target) -> Result<Value, Refusal> {
        let user = target.id(0, "user_id")?;
        match self.people.contains_key(&user) || self.bots.contains_key(&user) {
            true => Ok(self.user_value(user)),
            false => Err(Refusal::unknown(10013, "User")),
        }
    }

    fn current_guilds(&self, bot: u64) -> Value {
        let one = |guild: u64| {
            let permissions = super::object::text(self.guild_permissions(bot, guild));
            json!({
                "id": guild.to_string(), "name": self.guild(guild).name, "icon": null, "banner": null,
                "owner": false, "permissions": permissions, "features": [],
            })
        };
        self.guilds_of(bot).into_iter().map(one).collect()
    }

    fn get_guild(&self, bot: u64, target: &Target) -> Result<Value, Refusal> {
        let guild = target.id(0, "guild_id")?;
        let state = self.guilds.get(&guild).ok_or_else(|| Refusal::unknown(10004, "Guild"))?;
        if !state.members.contains_key(&bot) {
            return Err(Refusal::no_access());
        }
        Ok(match target.route {
            Route::GetGuildRoles => self.roles_value(guild),
            Route::GetGuildChannels => {
                let inside = self.channels.iter().filter(|(_, channel)| channel.guild == Some(guild));
                let listed = inside.filter(|(_, channel)| channel.kind != Kind::Thread);
                listed.map(|(channel, _)| self.channel_value(*channel)).collect()
            }
            Route::GetGuildMember => {
                let user = target.id(1, "user_id")?;
                if !state.members.contains_key(&user) {
                    let is_there = self.people.contains_key(&user) || self.bots.contains_key(&user);
                    let (code, what) = if is_there { (10007, "Member") } else { (10013, "User") };
                    return Err(Refusal::unknown(code, what));
                }
                self.whole_member_value(user, guild)
            }
            _ => Value::Object(self.guild_value(guild)),
        })
    }

    fn create_direct(&mut self, bot: u64, body: &Value) -> Result<Value, Refusal> {
        let recipient = body.get("recipient_id");
        let text = match recipient {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => {
                let mut wrongs = super::refusal::Wrongs::default();
                wrongs.missing("recipient_id");
                return wrongs.judge().map(|()| Value::Null);
            }
        };
        let user = route::id(&text, "recipient_id")?;
        if !self.people.contains_key(&user) && !self.bots.contains_key(&user) || user == bot {
            return Err(Refusal::bad(50033, "Invalid Recipient(s)"));
        }
        let channel = self.direct(user, bot);
        Ok(self.channel_value(channel))
    }

    /// The direct messages of these two, made where there are none.
    pub(super) fn direct(&mut self, person: u64, bot: u64) -> u64 {
        let is_theirs = |state: &ChannelState| {
            state.kind == Kind::Direct && state.person == Some(person) && state.bot == Some(bot)
        };
        if let Some((channel, _)) = self.channels.iter().find(|(_, state)| is_theirs(state)) {
            return *channel;
        }
        let channel = self.new_id();
        let state = ChannelState::new(Kind::Direct, "", self.now_ms);
        self.channels.insert(channel, ChannelState { person: Some(person), bot: Some(bot), ..state });
        channel
    }

    fn modify_channel(&mut self, bot: u64, target: &Target, body: &Value) -> Result<Value, Refusal> {
        let channel = self.reach(bot, target)?;
        let state = self.channel(channel);
        let flag = |name: &str| body.get(name).and_then(Value::as_bool);
        let (archived, locked) = (flag("archived"), flag("locked"));
        if state.kind != Kind::Thread {
            self.need(bot, channel, MANAGE_CHANNELS)?;
            return Ok(self.channel_value(channel));
        }
        let only_opens =
            archived == Some(false) && !state.locked && body.as_object().is_some_and(|body| body.len() == 1);
        self.need(bot, channel, if only_opens { SEND_MESSAGES_IN_THREADS } else { MANAGE_THREADS })?;
        if state.archived && archived != Some(false) {
            return Err(Refusal::bad(50083, "Thread is archived"));
        }
        let now_ms = self.now_ms;
        let state = self.channel_mut(channel);
        state.archived = archived.unwrap_or(state.archived);
        state.locked = locked.unwrap_or(state.locked);
        state.changed_ms = now_ms;
        self.spread_channel("UPDATE", channel);
        Ok(self.channel_value(channel))
    }
}
