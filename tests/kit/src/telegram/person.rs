//! A person in front of a chat: they start bots, write, and tap what they see.

use std::sync::Arc;

use serde_json::{Value, json};

use super::bot::Bot;
use super::chat::Chat;
use super::post::{Post, found};
use super::state::{Author, ChatKey, ChatState, Kind, Role, Shared, TapState, Toast, World};
use super::update::GROUP_ANONYMOUS_BOT;

/// Somebody with an account.
#[derive(Clone, Debug)]
pub struct Person {
    pub(super) shared: Arc<Shared>,
    pub(super) id: i64,
}

/// One press of a button.
#[derive(Clone, Debug)]
pub struct Tap {
    shared: Arc<Shared>,
    id: String,
}

impl Person {
    /// The id by which the platform knows them.
    #[must_use]
    pub fn id(&self) -> i64 {
        self.id
    }

    /// Opens the private chat with a bot and presses Start.
    pub fn start(&self, bot: &Bot) -> Chat {
        self.start_with(bot, "")
    }

    /// The same by a link that carries a word, as an invite does.
    pub fn start_with(&self, bot: &Bot, word: &str) -> Chat {
        let chat = self.open(bot);
        self.write(&chat, format!("/start {word}").trim());
        chat
    }

    /// Opens the private chat with a bot as one that was started long ago: nothing is sent.
    pub fn open(&self, bot: &Bot) -> Chat {
        let key = ChatKey { id: self.id, bot: bot.id };
        self.shared.change(|world| {
            world.chats.entry(key).or_insert_with(|| ChatState::new(Kind::Private, String::new()));
        });
        Chat { shared: Arc::clone(&self.shared), key }
    }

    /// Writes a text; its message id.
    pub fn write(&self, chat: &Chat, text: &str) -> i64 {
        self.send(chat, Post::text(text))
    }

    /// Sends anything; its message id.
    pub fn send(&self, chat: &Chat, post: Post) -> i64 {
        self.send_as(chat, post, Author::Person(self.id))
    }

    /// Sends something in the name of the group.
    pub fn send_anonymously(&self, chat: &Chat, post: Post) -> i64 {
        self.send_as(chat, post, Author::Anonymous)
    }

    fn send_as(&self, chat: &Chat, post: Post, author: Author) -> i64 {
        self.shared.change(|world| {
            let (now, key) = (world.now, chat.key);
            let mut message = post.message(author, now, |id| world.user_value(id));
            if message.topic.is_none() {
                let replied = message.reply_to.and_then(|id| world.chat(key).messages.get(&id));
                message.topic = replied.and_then(|replied| replied.topic);
            }
            let id = world.post(key, message);
            world.spread(key, id, false);
            id
        })
    }

    /// Changes the words of an own message.
    pub fn edit(&self, chat: &Chat, message: i64, text: &str) {
        self.shared.change(|world| {
            let now = world.now;
            if let Some(message) = world.chat_mut(chat.key).messages.get_mut(&message) {
                message.words = Some(text.to_owned());
                message.entities = found(text);
                message.edited = Some(now);
            }
            world.spread(chat.key, message, true);
        });
    }

    /// Deletes a message for everybody. No bot is told.
    pub fn delete(&self, chat: &Chat, message: i64) {
        self.shared.change(|world| {
            if let Some(message) = world.chat_mut(chat.key).messages.get_mut(&message) {
                message.deleted = true;
            }
        });
    }

    /// Taps the button with this label under a message.
    ///
    /// # Panics
    /// When there is no such button to see.
    pub fn tap(&self, chat: &Chat, message: i64, label: &str) -> Tap {
        let seen = chat.message(message);
        let button = seen.buttons.iter().flatten().find(|button| button.label == label);
        let data = button.and_then(|button| button.data.clone());
        self.press(chat, message, &data.unwrap_or_else(|| panic!("no button '{label}' to tap: {seen:?}")))
    }

    /// Taps a button by its place, counted from 0 over all rows.
    ///
    /// # Panics
    /// When there is no such button to see.
    pub fn tap_at(&self, chat: &Chat, message: i64, index: usize) -> Tap {
        let seen = chat.message(message);
        let data = seen.buttons.iter().flatten().nth(index).and_then(|button| button.data.clone());
        self.press(chat, message, &data.unwrap_or_else(|| panic!("no button {index} to tap: {seen:?}")))
    }

    /// Sends a press with these data, whether or not a button carries them: a stale button, or a hand-made one.
    pub fn press(&self, chat: &Chat, message: i64, data: &str) -> Tap {
        self.press_as(chat, message, data, self.id)
    }

    /// The same as an anonymous administrator of the group.
    pub fn press_anonymously(&self, chat: &Chat, message: i64, data: &str) -> Tap {
        self.press_as(chat, message, data, GROUP_ANONYMOUS_BOT)
    }

    fn press_as(&self, chat: &Chat, message: i64, data: &str, from: i64) -> Tap {
        let id = self.shared.change(|world| world.press(chat.key, message, data, from));
        Tap { shared: Arc::clone(&self.shared), id }
    }

    /// Every note that was shown above their screen, the newest last.
    #[must_use]
    pub fn toasts(&self) -> Vec<Toast> {
        self.shared.change(|world| world.person(self.id).toasts.clone())
    }

    /// Blocks a bot.
    pub fn block(&self, bot: &Bot) {
        self.set_blocked(bot, true);
    }

    /// Lets a bot write again.
    pub fn unblock(&self, bot: &Bot) {
        self.set_blocked(bot, false);
    }

    fn set_blocked(&self, bot: &Bot, blocked: bool) {
        self.shared.change(|world| {
            let set = &mut world.person(self.id).blocked;
            let changed = if blocked { set.insert(bot.id) } else { set.remove(&bot.id) };
            let key = ChatKey { id: self.id, bot: bot.id };
            if changed && world.chats.contains_key(&key) {
                let roles = if blocked { (Role::Member, Role::Kicked) } else { (Role::Kicked, Role::Member) };
                world.tell_own_role(bot.id, key, self.id, roles);
            }
        });
    }

    /// Deletes their account.
    pub fn deactivate(&self) {
        self.shared.change(|world| world.person(self.id).deactivated = true);
    }
}

impl Tap {
    /// How it was answered, once it was.
    #[must_use]
    pub fn answer(&self) -> Option<Toast> {
        self.shared.read(|world| world.answer(&self.id))
    }

    /// Waits until it is answered: until then the person sees the button spin.
    pub async fn answered(&self) -> Toast {
        self.shared.until("the answer to a press", |world| world.answer(&self.id)).await
    }

    /// The same for a test without a runtime.
    #[must_use]
    pub fn wait_answered(&self) -> Toast {
        self.shared.wait("the answer to a press", |world| world.answer(&self.id))
    }

    /// The id of the query, for a call made by hand.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl World {
    fn answer(&self, tap: &str) -> Option<Toast> {
        self.taps.get(tap).and_then(|tap| tap.answer.clone())
    }

    fn press(&mut self, key: ChatKey, id: i64, data: &str, from: i64) -> String {
        let query = format!("{}", 4_000_000_000_000 + self.next());
        let chat = self.chat(key);
        let message = chat.messages.get(&id);
        let bot = match message.map(|message| message.author) {
            Some(Author::Bot(bot)) => bot,
            _ => {
                let any = chat.members.keys().find(|id| self.bots.contains_key(id)).copied();
                chat.last_bot.or(any).unwrap_or(key.bot)
            }
        };
        let shown = match message {
            Some(message) if !message.deleted => self.message(key, id),
            // All that the platform tells of a message that is not accessible any more.
            _ => json!({ "chat": self.chat_value(key), "message_id": id, "date": 0 }),
        };
        let update = json!({
            "id": query,
            "from": self.user_value(from),
            "message": shown,
            "chat_instance": key.id.to_string(),
            "data": data,
        });
        let person = self.people.contains_key(&from).then_some(from);
        let at = self.now;
        self.taps.insert(query.clone(), TapState { bot, person, at, answer: None });
        self.deliver(bot, "callback_query", update);
        query
    }

    /// Tells a bot that its own place in a chat changed.
    pub(super) fn tell_own_role(&mut self, bot: i64, key: ChatKey, by: i64, (old, new): (Role, Role)) {
        let value: Value = json!({
            "chat": self.chat_value(key),
            "from": self.user_value(by),
            "date": self.now,
            "old_chat_member": self.member_value(bot, old),
            "new_chat_member": self.member_value(bot, new),
        });
        self.deliver(bot, "my_chat_member", value);
    }
}
