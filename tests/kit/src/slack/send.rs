//! Writing, changing and taking back messages.

use serde_json::{Value, json};

use super::access::Access;
use super::block;
use super::params::Params;
use super::refusal::Refusal;
use super::seen::Seen;
use super::state::{Author, MessageState, World};

/// Longest text, in characters: that at which the platform refuses a change; what it does with longer new ones is not sure.
const TEXT_MAX: usize = 4000;

/// What a message is to be.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    pub(super) text: Option<String>,
    pub(super) blocks: Option<Vec<Value>>,
}

impl Content {
    /// Reads and judges text and blocks; `None` where there is neither.
    pub(super) fn read(world: &mut World, params: &Params) -> Result<Self, Refusal> {
        let format = |()| Refusal::new("invalid_blocks_format");
        let blocks = match params.structure("blocks").map_err(format)? {
            None => None,
            Some(Value::Array(blocks)) => Some(blocks),
            Some(_) => return Err(Refusal::new("invalid_blocks_format")),
        };
        let text = params.text("text");
        if text.is_none() && blocks.as_ref().is_none_or(Vec::is_empty) {
            return Err(Refusal::new("no_text"));
        }
        if text.as_ref().is_some_and(|text| text.chars().count() > TEXT_MAX) {
            return Err(Refusal::new("msg_too_long"));
        }
        let blocks = blocks.map(|blocks| block::message(&blocks, || world.new_id("b"))).transpose()?;
        Ok(Self { text, blocks })
    }
}

impl World {
    pub(super) fn post_message(&mut self, app: &str, params: &Params) -> Result<Value, Refusal> {
        self.need(app, "chat:write")?;
        let channel = self.reach(app, params, Access::Write)?;
        let content = Content::read(self, params)?;
        let thread = self.thread(&channel, params)?;
        self.pace.admit(format!("{app} {channel}"), self.pace.rates.channel, self.now)?;
        let mut message = self.message_of(app, content, params);
        message.broadcast = thread.is_some() && params.flag("reply_broadcast") == Some(true);
        message.subtype = message.broadcast.then(|| "thread_broadcast".to_owned());
        message.thread = thread;
        let ts = self.post(&channel, message);
        Ok(json!({ "channel": channel, "ts": ts, "message": self.message_value(&channel, &ts) }))
    }

    fn message_of(&self, app: &str, content: Content, params: &Params) -> MessageState {
        let mut message = MessageState::new(Author::App(app.to_owned()), content.text.unwrap_or_default());
        message.blocks = content.blocks.unwrap_or_default();
        message.unfurls =
            ["unfurl_links", "unfurl_media"].iter().any(|name| params.flag(name) != Some(false));
        if let Ok(Some(metadata)) = params.structure("metadata") {
            message.extra.insert("metadata".to_owned(), metadata);
        }
        message
    }

    /// The thread in which a message is to be: that of a message which is not itself in a thread.
    fn thread(&self, channel: &str, params: &Params) -> Result<Option<String>, Refusal> {
        let Some(ts) = params.text("thread_ts") else { return Ok(None) };
        match self.message(channel, &ts) {
            Some(root) if root.thread.is_none() => Ok(Some(ts)),
            Some(_) => Err(Refusal::new("cannot_reply_to_message")),
            None => Err(Refusal::new("thread_not_found")),
        }
    }

    pub(super) fn post_ephemeral(&mut self, app: &str, params: &Params) -> Result<Value, Refusal> {
        self.need(app, "chat:write")?;
        let channel = self.reach(app, params, Access::Write)?;
        let user = params.text("user").unwrap_or_default();
        if !self.people.contains_key(&user) || !self.channel(&channel).members.contains(&user) {
            return Err(Refusal::new("user_not_in_channel"));
        }
        let content = Content::read(self, params)?;
        let thread = self.thread(&channel, params)?;
        let mut message = self.message_of(app, content, params);
        message.thread = thread;
        let ts = self.show_to(&user, &channel, message);
        Ok(json!({ "message_ts": ts }))
    }

    /// Shows something to one person alone, unless nobody is there.
    pub(super) fn show_to(&mut self, user: &str, channel: &str, message: MessageState) -> String {
        let ts = self.new_ts();
        let person = self.person_mut(user);
        if !person.away && !person.deactivated {
            person.ephemerals.insert((channel.to_owned(), ts.clone()), message);
        }
        ts
    }

    /// What only this person sees in a conversation.
    pub(super) fn ephemerals(&self, user: &str, channel: &str) -> Vec<Seen> {
        let own = self.person(user).ephemerals.iter().filter(|((place, _), _)| place == channel);
        own.map(|((_, ts), message)| Seen::new(ts, message, true)).collect()
    }

    /// An own message that may be changed; `error` is what somebody else's is refused with.
    fn own(&self, app: &str, channel: &str, ts: &str, error: &str) -> Result<&MessageState, Refusal> {
        let message = self.message(channel, ts).ok_or_else(|| Refusal::new("message_not_found"))?;
        match &message.author {
            Author::App(author) if author == app => Ok(message),
            _ => Err(Refusal::new(error)),
        }
    }

    pub(super) fn update_message(&mut self, app: &str, params: &Params) -> Result<Value, Refusal> {
        self.need(app, "chat:write")?;
        let channel = self.reach(app, params, Access::Change)?;
        let ts = params.text("ts").unwrap_or_default();
        let before = self.own(app, &channel, &ts, "cant_update_message")?.clone();
        if self.channel(&channel).archived {
            return Err(Refusal::new("is_inactive"));
        }
        let window = self.team(&self.channel(&channel).team).edit_window;
        if window.is_some_and(|seconds| sent_at(&ts) + seconds < self.now) {
            return Err(Refusal::new("edit_window_closed"));
        }
        let content = Content::read(self, params)?;
        let edited = self.new_ts();
        if let Some(message) = self.channel_mut(&channel).messages.get_mut(&ts) {
            // A text without blocks takes the blocks away; blocks alone leave the text, and no mark of a change.
            message.edited = content.text.as_ref().map(|_| edited).or(message.edited.take());
            message.text = content.text.unwrap_or_else(|| before.text.clone());
            message.blocks = content.blocks.unwrap_or_default();
        }
        self.spread_change(&channel, &ts, &before);
        let message = self.message_value(&channel, &ts);
        Ok(json!({ "channel": channel, "ts": ts, "text": message["text"], "message": message }))
    }

    pub(super) fn take_back(&mut self, app: &str, params: &Params) -> Result<Value, Refusal> {
        self.need(app, "chat:write")?;
        let channel = self.reach(app, params, Access::Change)?;
        let ts = params.text("ts").unwrap_or_default();
        self.own(app, &channel, &ts, "cant_delete_message")?;
        self.delete_message(&channel, &ts);
        Ok(json!({ "channel": channel, "ts": ts }))
    }
}

/// When a message was sent, in seconds since 1970.
fn sent_at(ts: &str) -> i64 {
    ts.split('.').next().and_then(|seconds| seconds.parse().ok()).unwrap_or_default()
}
