//! Which chats a bot reaches, and how the platform refuses the others.

use super::params::Params;
use super::refusal::Refusal;
use super::state::{ChatKey, Kind, MessageState, Role, World};

/// What a bot wants to do in a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Edit,
    Write,
}

impl World {
    /// The chat that `chat_id` names, if this bot may do this there.
    pub(super) fn reach(&self, bot: i64, params: &Params, access: Access) -> Result<ChatKey, Refusal> {
        let text = params.text("chat_id").filter(|text| !text.is_empty());
        let text = text.ok_or_else(|| Refusal::bad("chat_id is empty"))?;
        let id: i64 = text.parse().map_err(|_| Refusal::bad("chat not found"))?;
        if id > 0 {
            return self.reach_person(bot, id, access);
        }
        let key = ChatKey { id, bot: 0 };
        let chat = self.chats.get(&key).ok_or_else(|| Refusal::bad("chat not found"))?;
        if access == Access::Write
            && let Some(to) = chat.moved_to
        {
            return Err(Refusal::migrated(to));
        }
        let kind = match chat.kind {
            Kind::Private | Kind::Group => "group",
            Kind::Supergroup | Kind::Forum => "supergroup",
            Kind::Channel => "channel",
        };
        match chat.members.get(&bot) {
            Some(Role::Kicked) => Err(Refusal::forbidden(&format!("bot was kicked from the {kind} chat"))),
            Some(Role::Left) => Err(Refusal::forbidden(&format!("bot is not a member of the {kind} chat"))),
            None => Err(Refusal::bad("chat not found")),
            Some(Role::Member) if chat.kind == Kind::Channel && access == Access::Write => {
                Err(Refusal::bad("need administrator rights in the channel chat"))
            }
            Some(Role::Member | Role::Admin) => Ok(key),
        }
    }

    fn reach_person(&self, bot: i64, id: i64, access: Access) -> Result<ChatKey, Refusal> {
        if self.bots.contains_key(&id) {
            return Err(Refusal::forbidden("bot can't send messages to bots"));
        }
        let person = self.people.get(&id).ok_or_else(|| Refusal::bad("chat not found"))?;
        if person.deactivated && access != Access::Read {
            return Err(Refusal::forbidden("user is deactivated"));
        }
        let key = ChatKey { id, bot };
        if !self.chats.contains_key(&key) {
            return Err(Refusal::forbidden("bot can't initiate conversation with a user"));
        }
        if person.blocked.contains(&bot) && access != Access::Read {
            return Err(Refusal::forbidden("bot was blocked by the user"));
        }
        Ok(key)
    }

    /// A message that is there; `what` names it in the refusal, such as `message to edit`.
    pub(super) fn existing(&self, key: ChatKey, id: i64, what: &str) -> Result<&MessageState, Refusal> {
        let message = self.chat(key).messages.get(&id).filter(|message| !message.deleted);
        message.ok_or_else(|| Refusal::bad(format!("{what} not found")))
    }

    /// The topic in which a message is to be: only forums have any, and General has no number to send to.
    pub(super) fn topic(&self, key: ChatKey, params: &Params) -> Result<Option<i64>, Refusal> {
        let Some(topic) = params.integer("message_thread_id").filter(|topic| *topic != 0) else {
            return Ok(None);
        };
        let chat = self.chat(key);
        match chat.kind {
            Kind::Forum if chat.topics.contains_key(&topic) => Ok(Some(topic)),
            Kind::Forum | Kind::Private => Err(Refusal::bad("message thread not found")),
            Kind::Supergroup if chat.messages.contains_key(&topic) => Ok(None),
            Kind::Supergroup | Kind::Group | Kind::Channel => Err(Refusal::bad("message thread not found")),
        }
    }
}
