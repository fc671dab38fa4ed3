//! A person in front of a channel: they write, press and choose what they see, fill in forms, and read what only they see.

use std::sync::Arc;

use serde_json::{Value, json};

use super::bot::Bot;
use super::channel::{Channel, Seen};
use super::component::{BUTTON, SELECT};
use super::form::Form;
use super::post::Post;
use super::press::Press;
use super::state::Shared;

/// Somebody with an account.
#[derive(Clone, Debug)]
pub struct Person {
    pub(super) shared: Arc<Shared>,
    pub(super) id: u64,
}

impl Person {
    /// The id by which the platform knows them.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// How they are called in a text.
    #[must_use]
    pub fn mention(&self) -> String {
        format!("<@{}>", self.id)
    }

    /// Opens the direct messages with a bot, as one who installed it for themselves: no common guild is needed.
    pub fn open(&self, bot: &Bot) -> Channel {
        self.shared.change(|world| world.person_mut(self.id).opened.insert(bot.id));
        self.direct(bot)
    }

    /// The direct messages with a bot. The bot can write there first only where they have a guild in common.
    pub fn direct(&self, bot: &Bot) -> Channel {
        let id = self.shared.change(|world| world.direct(self.id, bot.id));
        Channel { shared: Arc::clone(&self.shared), id }
    }

    /// From now on they take no direct messages; or they do again.
    pub fn refuse_direct(&self, on: bool) {
        self.shared.change(|world| world.person_mut(self.id).is_closed = on);
    }

    /// Writes a text; its message id.
    pub fn write(&self, channel: &Channel, text: &str) -> u64 {
        self.send(channel, Post::text(text))
    }

    /// Replies to a message, which calls its author; the reply's id.
    pub fn reply(&self, channel: &Channel, message: u64, text: &str) -> u64 {
        self.send(channel, Post::text(text).reply_to(message))
    }

    /// Writes a text that calls a bot; its message id.
    pub fn mention_bot(&self, channel: &Channel, bot: &Bot, text: &str) -> u64 {
        self.send(channel, Post::text(text).mentioning(bot))
    }

    /// Sends anything; its message id.
    pub fn send(&self, channel: &Channel, post: Post) -> u64 {
        self.shared.change(|world| world.send(self.id, channel.id, post))
    }

    /// Changes the words of an own message.
    pub fn edit(&self, channel: &Channel, message: u64, text: &str) {
        self.shared.change(|world| {
            let now_ms = world.now_ms;
            if let Some(message) = world.message_mut(channel.id, message) {
                text.trim().clone_into(&mut message.content);
                message.edited_ms = Some(now_ms);
            }
            world.spread("MESSAGE_UPDATE", channel.id, message);
        });
    }

    /// Deletes a message for everybody.
    pub fn delete(&self, channel: &Channel, message: u64) {
        self.shared.change(|world| world.remove_message(channel.id, message));
    }

    /// Presses the button with this label under a message, one that only they see among them.
    ///
    /// # Panics
    /// When there is no such button to press.
    pub fn tap(&self, channel: &Channel, message: u64, label: &str) -> Press {
        let seen = self.sees(channel, message);
        let button = seen.buttons().find(|button| button.label == label && !button.disabled);
        let id = button.and_then(|button| button.custom_id.clone());
        self.press(channel, message, &id.unwrap_or_else(|| panic!("no button '{label}' to press: {seen:?}")))
    }

    /// Presses a button by its place, counted from 0 over all rows.
    ///
    /// # Panics
    /// When there is no such button to press.
    pub fn tap_at(&self, channel: &Channel, message: u64, index: usize) -> Press {
        let seen = self.sees(channel, message);
        let button = seen.buttons().nth(index).filter(|button| !button.disabled);
        let id = button.and_then(|button| button.custom_id.clone());
        self.press(channel, message, &id.unwrap_or_else(|| panic!("no button {index} to press: {seen:?}")))
    }

    /// Chooses the entries with these labels in the one menu under a message.
    ///
    /// # Panics
    /// When there is not one menu, no such entry, or the menu does not take so many.
    pub fn choose(&self, channel: &Channel, message: u64, labels: &[&str]) -> Press {
        self.choose_in(channel, message, 0, labels)
    }

    /// The same in a menu of several, counted from 0.
    ///
    /// # Panics
    /// When there is no such menu or entry, or the menu does not take so many.
    pub fn choose_in(&self, channel: &Channel, message: u64, index: usize, labels: &[&str]) -> Press {
        let seen = self.sees(channel, message);
        let select = seen.selects().nth(index).filter(|select| !select.disabled);
        let select = select.unwrap_or_else(|| panic!("no menu {index} to choose from: {seen:?}"));
        let fits = (select.least..=select.most).contains(&labels.len());
        assert!(fits, "the client takes {} to {} entries: {select:?}", select.least, select.most);
        let value = |label: &&str| {
            let option = select.options.iter().find(|option| option.label == *label);
            option.unwrap_or_else(|| panic!("no entry '{label}': {select:?}")).value.clone()
        };
        let values: Vec<String> = labels.iter().map(value).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        self.choose_raw(channel, message, &select.custom_id, &values)
    }

    /// Sends a press of a button with this id, whether or not it stands there: an old screen, or a hand-made one.
    ///
    /// # Panics
    /// When the message is not there, or no bot's.
    pub fn press(&self, channel: &Channel, message: u64, custom_id: &str) -> Press {
        self.use_component(channel, message, BUTTON, json!({ "custom_id": custom_id }))
    }

    /// Sends what was chosen in a menu with this id, whether or not it stands there.
    ///
    /// # Panics
    /// When the message is not there, or no bot's.
    pub fn choose_raw(&self, channel: &Channel, message: u64, custom_id: &str, values: &[&str]) -> Press {
        self.use_component(channel, message, SELECT, json!({ "custom_id": custom_id, "values": values }))
    }

    fn use_component(&self, channel: &Channel, message: u64, kind: u64, data: Value) -> Press {
        let id = self.shared.change(|world| world.press(self.id, channel.id, message, kind, data));
        Press { shared: Arc::clone(&self.shared), id }
    }

    /// Sends a form that was opened for them.
    ///
    /// # Panics
    /// When the client would not send it: something that is required is empty, or too long.
    pub fn submit(&self, form: &Form) -> Press {
        self.submit_raw(form, form.sent())
    }

    /// Sends these data as those of a form.
    pub fn submit_raw(&self, form: &Form, data: Value) -> Press {
        let id = self.shared.change(|world| world.submit(self.id, form.opened_by, data));
        Press { shared: Arc::clone(&self.shared), id }
    }

    /// Closes a form without sending it. Nobody is told.
    pub fn dismiss(&self, form: Form) {
        drop(form);
    }

    /// Everything that only they see, the newest last.
    #[must_use]
    pub fn notes(&self) -> Vec<Seen> {
        self.shared.read(|world| world.seen_alone(self.id).into_iter().map(|(_, seen)| seen).collect())
    }

    /// Waits for something that only they see, whose text contains this.
    pub async fn until_note(&self, text: &str) -> Seen {
        let find = |world: &super::state::World| {
            let notes = world.seen_alone(self.id).into_iter().map(|(_, seen)| seen);
            notes.rev().find(|seen| seen.text.contains(text))
        };
        self.shared.until(text, find).await
    }

    fn sees(&self, channel: &Channel, message: u64) -> Seen {
        let note = self.notes().into_iter().find(|note| note.id == message);
        note.unwrap_or_else(|| channel.message(message))
    }
}
