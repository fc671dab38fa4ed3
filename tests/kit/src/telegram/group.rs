//! Groups, forums and channels: who is in them, topics, and a group that becomes a supergroup.

use std::sync::Arc;

use serde_json::{Value, json};

use super::bot::Bot;
use super::chat::Chat;
use super::person::Person;
use super::post::Post;
use super::state::{Author, ChatKey, ChatState, Kind, MessageState, Role, Shared, World};
use super::update::GROUP_ANONYMOUS_BOT;

impl Chat {
    pub(super) fn create(shared: &Arc<Shared>, kind: Kind, title: &str) -> Self {
        let key = shared.change(|world| {
            let count = world.next();
            let id = if kind == Kind::Group { -4_000_000_000 - count } else { -1_001_000_000_000 - count };
            let key = ChatKey { id, bot: 0 };
            world.chats.insert(key, ChatState::new(kind, title.to_owned()));
            key
        });
        Self { shared: Arc::clone(shared), key }
    }

    /// Lets a person in.
    pub fn add(&self, person: &Person) {
        self.shared.change(|world| world.chat_mut(self.key).members.insert(person.id, Role::Member));
    }

    /// Lets a bot in, or in again.
    pub fn add_bot(&self, bot: &Bot) {
        self.shared.change(|world| {
            world.set_role(bot.id, self.key, Role::Member);
            let newcomers = json!([world.user_value(bot.id)]);
            world.announce(self.key, "new_chat_members", newcomers);
        });
    }

    /// Makes a bot in it an administrator: it receives everything, and in a channel it may post.
    pub fn promote_bot(&self, bot: &Bot) {
        self.shared.change(|world| world.set_role(bot.id, self.key, Role::Admin));
    }

    /// Throws a bot out.
    pub fn kick_bot(&self, bot: &Bot) {
        self.shared.change(|world| world.set_role(bot.id, self.key, Role::Kicked));
    }

    /// Takes a bot out without a ban.
    pub fn remove_bot(&self, bot: &Bot) {
        self.shared.change(|world| world.set_role(bot.id, self.key, Role::Left));
    }

    /// Opens a topic of a forum; its id.
    pub fn open_topic(&self, name: &str) -> i64 {
        self.shared.change(|world| {
            let mut opening = MessageState::new(Author::Anonymous, world.now, None);
            opening
                .extra
                .insert("forum_topic_created".to_owned(), json!({ "name": name, "icon_color": 7_322_096 }));
            let id = world.post(self.key, opening);
            let chat = world.chat_mut(self.key);
            chat.topics.insert(id, name.to_owned());
            if let Some(message) = chat.messages.get_mut(&id) {
                message.topic = Some(id);
            }
            world.spread(self.key, id, false);
            id
        })
    }

    /// Deletes a topic with everything in it.
    pub fn delete_topic(&self, topic: i64) {
        self.shared.change(|world| {
            let chat = world.chat_mut(self.key);
            chat.topics.remove(&topic);
            let inside = chat.messages.values_mut().filter(|message| message.topic == Some(topic));
            inside.for_each(|message| message.deleted = true);
        });
    }

    /// Posts something in the channel's own name; its message id.
    pub fn post(&self, post: Post) -> i64 {
        self.shared.change(|world| {
            let message = post.message(Author::Channel, world.now, |id| world.user_value(id));
            let id = world.post(self.key, message);
            world.spread(self.key, id, false);
            id
        })
    }

    /// Makes a group a supergroup, which is another chat with another id. What was written stays behind.
    pub fn upgrade(&self) -> Self {
        let title = self.shared.read(|world| world.chat(self.key).title.clone());
        let new = Self::create(&self.shared, Kind::Supergroup, &title);
        self.shared.change(|world| {
            world.chat_mut(new.key).members = world.chat(self.key).members.clone();
            world.announce(self.key, "migrate_to_chat_id", new.key.id.into());
            world.announce(new.key, "migrate_from_chat_id", self.key.id.into());
            world.chat_mut(self.key).moved_to = Some(new.key.id);
        });
        new
    }
}

impl World {
    fn set_role(&mut self, bot: i64, key: ChatKey, role: Role) {
        let old = self.chat_mut(key).members.insert(bot, role).unwrap_or(Role::Left);
        if old != role {
            self.tell_own_role(bot, key, GROUP_ANONYMOUS_BOT, (old, role));
        }
    }

    /// Puts a service message into a chat.
    fn announce(&mut self, key: ChatKey, field: &str, value: Value) {
        let mut message = MessageState::new(Author::Anonymous, self.now, None);
        message.extra.insert(field.to_owned(), value);
        let id = self.post(key, message);
        self.spread(key, id, false);
    }
}
