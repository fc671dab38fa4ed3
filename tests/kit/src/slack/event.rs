//! What apps are told of conversations: messages of every kind, changes, deletions, mentions.

use serde_json::{Map, Value, json};

use super::app::AppState;
use super::deliver::Origin;
use super::state::{Author, Kind, MessageState, World};
use super::text;

impl Kind {
    /// The platform's word for it in events, its group of events, and the scope with which it is heard.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Public => ("channel", "message.channels", "channels:history"),
            Self::Private => ("group", "message.groups", "groups:history"),
            Self::Direct => ("im", "message.im", "im:history"),
            Self::Several => ("mpim", "message.mpim", "mpim:history"),
        }
    }
}

impl World {
    /// Puts a message into a conversation, of which apps are told; its `ts`.
    pub(super) fn post(&mut self, channel: &str, message: MessageState) -> String {
        let ts = self.new_ts();
        self.channel_mut(channel).messages.insert(ts.clone(), message);
        let (channel_type, ..) = self.channel(channel).kind.words();
        let mut event = self.message_value(channel, &ts);
        event.insert("channel".to_owned(), channel.into());
        event.insert("event_ts".to_owned(), ts.clone().into());
        event.insert("channel_type".to_owned(), channel_type.into());
        self.spread(channel, event);
        ts
    }

    /// Tells of a message that is not what it was.
    pub(super) fn spread_change(&mut self, channel: &str, ts: &str, before: &MessageState) {
        let (channel_type, ..) = self.channel(channel).kind.words();
        let event = json!({
            "type": "message",
            "subtype": "message_changed",
            "hidden": true,
            "channel": channel,
            "message": self.message_value(channel, ts),
            "previous_message": self.value_of(channel, ts, before),
            "channel_type": channel_type,
        });
        self.spread_hidden(channel, event);
    }

    /// Deletes a message for everybody.
    pub(super) fn delete_message(&mut self, channel: &str, ts: &str) {
        let Some(before) = self.message(channel, ts).cloned() else { return };
        let (channel_type, ..) = self.channel(channel).kind.words();
        let event = json!({
            "type": "message",
            "subtype": "message_deleted",
            "hidden": true,
            "channel": channel,
            "deleted_ts": ts,
            "previous_message": self.value_of(channel, ts, &before),
            "channel_type": channel_type,
        });
        if let Some(message) = self.channel_mut(channel).messages.get_mut(ts) {
            message.deleted = true;
        }
        self.spread_hidden(channel, event);
    }

    fn spread_hidden(&mut self, channel: &str, event: Value) {
        let ts = self.new_ts();
        let Value::Object(mut event) = event else { return };
        event.insert("ts".to_owned(), ts.clone().into());
        event.insert("event_ts".to_owned(), ts.into());
        self.spread(channel, event);
    }

    /// Tells every app that may know.
    fn spread(&mut self, channel: &str, event: Map<String, Value>) {
        let (_, group, scope) = self.channel(channel).kind.words();
        let apps: Vec<String> = self.apps.keys().cloned().collect();
        for app in apps {
            let state = self.app(&app);
            if !self.channel(channel).members.contains(&state.user) {
                continue;
            }
            let team = self.team_for(&app, channel);
            let mention = self.mention(state, &team, channel, &event);
            let author = event.get("team").and_then(Value::as_str).unwrap_or(&team);
            let origin = Origin { author: author.to_owned(), abroad: self.is_abroad(&app, channel), team };
            if state.events.contains(group) && state.scopes.contains(scope) {
                self.bring_event(&app, &origin, Value::Object(event.clone()));
            }
            if let Some(mention) = mention {
                let origin = Origin { author: origin.team.clone(), ..origin };
                self.bring_event(&app, &origin, mention);
            }
        }
    }

    /// The event beside a message that mentions an app: the same `ts`. Its team is the app's; whoever belongs elsewhere has
    /// theirs beside it, or their organisation.
    fn mention(
        &self,
        app: &AppState,
        team: &str,
        channel: &str,
        event: &Map<String, Value>,
    ) -> Option<Value> {
        let text = event.get("text").and_then(Value::as_str)?;
        let hears = app.events.contains("app_mention") && app.scopes.contains("app_mentions:read");
        let is_own = event.get("user").and_then(Value::as_str) == Some(&app.user);
        let subtype = event.get("subtype").and_then(Value::as_str);
        let is_plain = matches!(subtype, None | Some("thread_broadcast" | "file_share"));
        let named = text.contains(&format!("<@{}>", app.user));
        if !hears || is_own || !is_plain || !named || self.channel(channel).kind == Kind::Direct {
            return None;
        }
        let mut mention = event.clone();
        mention.insert("type".to_owned(), "app_mention".into());
        for field in ["channel_type", "subtype", "parent_user_id"] {
            mention.remove(field);
        }
        let author = event.get("team").and_then(Value::as_str).unwrap_or(team);
        if self.side(author) != self.side(team) {
            let theirs = self.side(author);
            mention.insert("team".to_owned(), team.into());
            mention.insert("user_team".to_owned(), theirs.into());
            mention.insert("source_team".to_owned(), theirs.into());
            mention.insert("user_profile".to_owned(), json!({ "team": theirs }));
        }
        Some(Value::Object(mention))
    }

    /// The team in whose name an app is told of a conversation.
    fn team_for(&self, app: &str, channel: &str) -> String {
        let channel = self.channel(channel);
        let mut teams = channel.shared_with.iter().chain([&channel.team]);
        let here = teams.find(|team| self.is_home(app, team));
        here.cloned().unwrap_or_else(|| self.home_of(app))
    }

    /// The organisation of a team, or the team itself where it has none.
    fn side<'a>(&'a self, team: &'a str) -> &'a str {
        self.team(team).enterprise.as_ref().map_or(team, |(id, _)| id)
    }

    /// Whether others than the app's own organisation or team are in a conversation.
    fn is_abroad(&self, app: &str, channel: &str) -> bool {
        let (home, channel) = (self.home_of(app), self.channel(channel));
        let mut teams = channel.shared_with.iter().chain([&channel.team]);
        teams.any(|team| self.side(team) != self.side(&home))
    }

    /// The team of an app, or some team of its organisation.
    pub(super) fn home_of(&self, app: &str) -> String {
        let state = self.app(app);
        let organisation = state.enterprise.as_ref();
        let mut teams = self.teams.iter();
        let some =
            || teams.find(|(_, team)| team.enterprise.as_ref() == organisation).map(|(id, _)| id.clone());
        state.team.clone().or_else(some).unwrap_or_default()
    }

    /// A message as it stands in events and payloads.
    pub(super) fn message_value(&self, channel: &str, ts: &str) -> Map<String, Value> {
        match self.channel(channel).messages.get(ts) {
            Some(message) => self.value_of(channel, ts, message),
            None => Map::new(),
        }
    }

    /// The same of any state of it.
    pub(super) fn value_of(&self, channel: &str, ts: &str, message: &MessageState) -> Map<String, Value> {
        let place = self.channel(channel);
        let mut value = Map::new();
        let mut put = |name: &str, field: Value| value.insert(name.to_owned(), field);
        put("type", "message".into());
        if let Some(subtype) = &message.subtype {
            put("subtype", subtype.clone().into());
        }
        put("text", message.text.clone().into());
        put("ts", ts.into());
        for (name, field) in self.author_fields(&message.author) {
            put(&name, field);
        }
        let blocks = match &message.author {
            Author::Person(_) => vec![rich(&message.text)],
            _ => message.blocks.iter().map(echo).collect(),
        };
        if !blocks.is_empty() {
            put("blocks", blocks.into());
        }
        if let Some(root) = &message.thread {
            put("thread_ts", root.clone().into());
            let parent = place.messages.get(root).and_then(|root| self.user_of(&root.author));
            put("parent_user_id", parent.map_or(Value::Null, Value::String));
        } else {
            let replies = place.messages.values().filter(|other| other.thread.as_deref() == Some(ts)).count();
            if replies > 0 {
                put("thread_ts", ts.into());
                put("reply_count", replies.into());
            }
        }
        if let Some(edited) = &message.edited {
            put("edited", json!({ "user": self.user_of(&message.author), "ts": edited }));
        }
        value.extend(message.extra.clone());
        value
    }

    fn author_fields(&self, author: &Author) -> Map<String, Value> {
        let fields = match author {
            Author::Person(user) => {
                let team = &self.person(user).team;
                json!({ "user": user, "team": team, "client_msg_id": format!("message-{user}") })
            }
            Author::App(id) => {
                let app = self.app(id);
                let profile =
                    json!({ "id": app.bot, "app_id": id, "name": app.name, "team_id": self.home_of(id) });
                json!({
                    "user": app.user, "team": self.home_of(id), "bot_id": app.bot, "app_id": id,
                    "bot_profile": profile,
                })
            }
            Author::Hook(bot) => json!({ "bot_id": bot }),
        };
        match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }
    }

    fn user_of(&self, author: &Author) -> Option<String> {
        match author {
            Author::Person(user) => Some(user.clone()),
            Author::App(app) => Some(self.app(app).user.clone()),
            Author::Hook(_) => None,
        }
    }
}

/// Blocks as the platform gives them back: plain texts with entities, which nobody wrote.
pub(super) fn echo(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let is_plain = fields.get("type").and_then(Value::as_str) == Some("plain_text");
            let field = |(name, value): (&String, &Value)| {
                let value = match value {
                    Value::String(words) if is_plain && name == "text" => text::escape(words).into(),
                    other => echo(other),
                };
                (name.clone(), value)
            };
            Value::Object(fields.iter().map(field).collect())
        }
        Value::Array(items) => items.iter().map(echo).collect(),
        other => other.clone(),
    }
}

/// The block that the platform makes of what a person typed.
fn rich(kept: &str) -> Value {
    let mut elements = Vec::new();
    let mut rest = kept;
    while let Some((before, (user, after))) =
        rest.split_once("<@").and_then(|(before, rest)| Some((before, rest.split_once('>')?)))
    {
        if !before.is_empty() {
            elements.push(json!({ "type": "text", "text": text::shown(before) }));
        }
        elements.push(json!({ "type": "user", "user_id": user }));
        rest = after;
    }
    if !rest.is_empty() {
        elements.push(json!({ "type": "text", "text": text::shown(rest) }));
    }
    let section = json!({ "type": "rich_text_section", "elements": elements });
    json!({ "type": "rich_text", "block_id": "typed", "elements": [section] })
}
