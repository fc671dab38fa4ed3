//! Messages over REST: sent, changed, deleted and read by a bot.

use serde_json::Value;

use super::draft::{Draft, Reply};
use super::permission::{
    MANAGE_MESSAGES, MANAGE_THREADS, READ_MESSAGE_HISTORY, SEND_MESSAGES, SEND_MESSAGES_IN_THREADS,
};
use super::refusal::{Refusal, Wrongs};
use super::rest::Answer;
use super::route::Target;
use super::state::{Author, Kind, MessageState, World};

/// How long a nonce is known: the platform says a few minutes.
const NONCE_LIFE_MS: i64 = 180_000;
/// Kinds of messages that can be replied to: plain, reply, answer to a command.
const REPLIABLE: [u64; 3] = [0, 19, 20];

impl World {
    pub(super) fn create_message(
        &mut self,
        bot: u64,
        target: &Target,
        body: &Value,
    ) -> Result<Value, Refusal> {
        let channel = self.reach(bot, target)?;
        let draft = Draft::judge(body, "")?;
        if draft.is_empty() {
            return Err(empty());
        }
        self.may_write(bot, channel)?;
        if let Some(earlier) = self.repeated(bot, channel, &draft) {
            return Ok(self.message_value(channel, earlier));
        }
        let reply_to = match draft.reply {
            Some(reply) => self.replied(bot, channel, reply)?,
            None => None,
        };
        let content = draft.content.clone().unwrap_or_default();
        let replied = self.author_of(channel, reply_to);
        let mentions = draft.mentions(self, bot, channel, &content, replied);
        let mut message = MessageState::new(Author::Bot(bot), self.now_ms, content);
        message.kind = if reply_to.is_some() { 19 } else { 0 };
        message.components = draft.components.unwrap_or_default();
        message.embeds = draft.embeds.unwrap_or_default();
        message.flags = draft.flags & !super::draft::EPHEMERAL;
        message.pings = mentions.clone();
        message.mentions = mentions;
        message.reply_to = reply_to;
        message.nonce = draft.nonce;
        self.reopen(channel);
        let id = self.put(channel, message);
        self.spread("MESSAGE_CREATE", channel, id);
        Ok(self.message_value(channel, id))
    }

    /// Whether a bot may write in a channel now.
    fn may_write(&self, bot: u64, channel: u64) -> Result<(), Refusal> {
        let state = self.channel(channel);
        match state.kind {
            Kind::Forum => Err(Refusal::bad(50008, "Cannot send messages in a non-text channel")),
            Kind::Text => self.need(bot, channel, SEND_MESSAGES),
            Kind::Thread => {
                self.need(bot, channel, SEND_MESSAGES_IN_THREADS)?;
                let may_all = self.need(bot, channel, MANAGE_THREADS).is_ok();
                match (state.locked, state.archived) {
                    (true, true) => Err(Refusal::bad(50083, "Thread is archived")),
                    (true, false) if !may_all => Err(Refusal::bad(160_005, "Thread is locked")),
                    _ => Ok(()),
                }
            }
            Kind::Direct => {
                let person = state.person.unwrap_or_default();
                let no_way = Refusal::forbidden(50007, "Cannot send messages to this user");
                let Some(recipient) = self.people.get(&person).filter(|recipient| !recipient.is_closed)
                else {
                    return Err(no_way);
                };
                let shared =
                    self.guilds_of(bot).iter().any(|guild| self.guild(*guild).members.contains_key(&person));
                if shared || recipient.opened.contains(&bot) {
                    return Ok(());
                }
                let words = "Cannot send messages to this user due to having no mutual guilds";
                Err(Refusal::forbidden(50278, words))
            }
        }
    }

    /// The message that was already sent with this nonce.
    fn repeated(&self, bot: u64, channel: u64, draft: &Draft) -> Option<u64> {
        let nonce = draft.nonce.as_ref().filter(|_| draft.enforce_nonce)?;
        let earlier = self.channel(channel).messages.iter().find(|(_, message)| {
            let is_fresh = message.at_ms + NONCE_LIFE_MS >= self.now_ms;
            message.nonce.as_ref() == Some(nonce) && message.author == Author::Bot(bot) && is_fresh
        });
        earlier.map(|(id, _)| *id)
    }

    fn replied(&self, bot: u64, channel: u64, reply: Reply) -> Result<Option<u64>, Refusal> {
        const FIELD: &str = "message_reference";
        if reply.channel.is_some_and(|other| other != channel) {
            let message = "Cannot reply to a message in a different channel";
            return Err(Wrongs::one(FIELD, "REPLIES_CANNOT_REFERENCE_OTHER_CHANNEL", message));
        }
        if self.permissions(bot, channel) & READ_MESSAGE_HISTORY == 0 {
            let message = "Cannot reply without permission to read message history";
            return Err(Refusal::bad(160_002, message));
        }
        match self.message(channel, reply.message).filter(|message| message.only_for.is_none()) {
            Some(message) if !REPLIABLE.contains(&message.kind) => {
                let message = "Cannot reply to a system message";
                Err(Wrongs::one(FIELD, "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE", message))
            }
            Some(_) => Ok(Some(reply.message)),
            None if reply.must_exist => Err(Wrongs::one(FIELD, "REPLIES_UNKNOWN_MESSAGE", "Unknown message")),
            None => Ok(None),
        }
    }

    /// The person or bot that wrote a message.
    pub(super) fn author_of(&self, channel: u64, message: Option<u64>) -> Option<u64> {
        match &self.message(channel, message?)?.author {
            Author::Bot(id) | Author::Person(id) => Some(*id),
            Author::Webhook(..) => None,
        }
    }

    /// A message brings a thread back from the archive.
    pub(super) fn reopen(&mut self, channel: u64) {
        if std::mem::take(&mut self.channel_mut(channel).archived) {
            self.spread_channel("UPDATE", channel);
        }
    }

    pub(super) fn edit_message(&mut self, bot: u64, target: &Target, body: &Value) -> Result<Value, Refusal> {
        let channel = self.reach(bot, target)?;
        let id = self.existing(channel, target)?;
        let draft = Draft::judge(body, "")?;
        if self.message(channel, id).is_some_and(|message| message.author != Author::Bot(bot)) {
            return Err(Refusal::forbidden(50005, "Cannot edit a message authored by another user"));
        }
        if self.channel(channel).archived {
            return Err(Refusal::bad(50083, "Thread is archived"));
        }
        self.change_message(bot, channel, id, draft)
    }

    /// Changes what a draft names of a message, and leaves the rest.
    pub(super) fn change_message(
        &mut self,
        bot: u64,
        channel: u64,
        id: u64,
        draft: Draft,
    ) -> Result<Value, Refusal> {
        let Some(message) = self.message(channel, id) else { return Err(Refusal::unknown(10008, "Message")) };
        let content = draft.content.clone().unwrap_or_else(|| message.content.clone());
        let components = draft.components.clone().unwrap_or_else(|| message.components.clone());
        let embeds = draft.embeds.clone().unwrap_or_else(|| message.embeds.clone());
        if content.is_empty() && components.is_empty() && embeds.is_empty() {
            return Err(empty());
        }
        let replied = self.author_of(channel, message.reply_to);
        let mentions = draft.mentions(self, bot, channel, &content, replied);
        let now_ms = self.now_ms;
        if let Some(message) = self.message_mut(channel, id) {
            message.content = content;
            message.components = components;
            message.embeds = embeds;
            message.mentions = mentions;
            message.edited_ms = Some(now_ms);
        }
        self.spread("MESSAGE_UPDATE", channel, id);
        Ok(self.message_value(channel, id))
    }

    pub(super) fn delete_message(&mut self, bot: u64, target: &Target) -> Result<Answer, Refusal> {
        let channel = self.reach(bot, target)?;
        let id = self.existing(channel, target)?;
        if self.author_of(channel, Some(id)) != Some(bot) {
            if self.channel(channel).kind == Kind::Direct {
                return Err(Refusal::forbidden(50003, "Cannot execute action on a DM channel"));
            }
            self.need(bot, channel, MANAGE_MESSAGES)?;
        }
        if self.channel(channel).archived {
            return Err(Refusal::bad(50083, "Thread is archived"));
        }
        self.remove_message(channel, id);
        Ok(Answer::Empty)
    }

    /// Takes a message away and tells so.
    pub(super) fn remove_message(&mut self, channel: u64, id: u64) {
        if self.channel_mut(channel).messages.remove(&id).is_some_and(|message| message.only_for.is_none()) {
            self.spread_deletion(channel, id);
        }
    }

    pub(super) fn get_message(&mut self, bot: u64, target: &Target) -> Result<Value, Refusal> {
        let channel = self.reach(bot, target)?;
        if self.permissions(bot, channel) & READ_MESSAGE_HISTORY == 0 {
            return Err(Refusal::no_access());
        }
        let id = self.existing(channel, target)?;
        Ok(self.message_value(channel, id))
    }

    pub(super) fn get_messages(&mut self, bot: u64, target: &Target) -> Result<Value, Refusal> {
        let channel = self.reach(bot, target)?;
        if self.permissions(bot, channel) & READ_MESSAGE_HISTORY == 0 {
            return Ok(Value::Array(Vec::new()));
        }
        let number = |name| target.query(name).and_then(|text| text.parse::<u64>().ok());
        let limit = number("limit").unwrap_or(50).clamp(1, 100);
        let (after, before) = (number("after").unwrap_or(0), number("before").unwrap_or(u64::MAX));
        let all = self.channel(channel).messages.iter();
        let wanted = all.filter(|(id, message)| **id > after && **id < before && message.only_for.is_none());
        let ids: Vec<u64> = wanted.map(|(id, _)| *id).collect();
        // The newest come first; after a message, those nearest to it.
        let limit = usize::try_from(limit).unwrap_or(100);
        let skipped = if after > 0 { ids.len().saturating_sub(limit) } else { 0 };
        Ok(ids.iter().rev().skip(skipped).take(limit).map(|id| self.message_value(channel, *id)).collect())
    }

    /// The message that a path names, if everybody can see it.
    fn existing(&self, channel: u64, target: &Target) -> Result<u64, Refusal> {
        let id = target.id(1, "message_id")?;
        let message = self.message(channel, id).filter(|message| message.only_for.is_none());
        message.map(|_| id).ok_or_else(|| Refusal::unknown(10008, "Message"))
    }
}

pub(super) fn empty() -> Refusal {
    Refusal::bad(50006, "Cannot send an empty message")
}
