//! A conversation as its people see it, and what can be done to it.

use std::sync::Arc;

use serde_json::json;

use super::app::App;
use super::person::Person;
use super::seen::Seen;
use super::state::{Author, ChannelState, Kind, MessageState, Shared, World};
use super::team::Team;

/// One conversation: a channel, one of several people, or one of a person and an app.
#[derive(Clone, Debug)]
pub struct Channel {
    pub(super) shared: Arc<Shared>,
    pub(super) id: String,
}

impl Channel {
    /// Its id: `C…`, `G…` or `D…`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Everything that everybody in it can see now, threads too, the newest last.
    #[must_use]
    pub fn messages(&self) -> Vec<Seen> {
        self.shared.read(|world| world.seen(&self.id))
    }

    /// One message.
    ///
    /// # Panics
    /// When it cannot be seen.
    #[must_use]
    pub fn message(&self, ts: &str) -> Seen {
        let mut messages = self.messages();
        let at = messages.iter().position(|message| message.ts == ts);
        messages.swap_remove(at.unwrap_or_else(|| panic!("no message {ts} to see: {messages:?}")))
    }

    /// Everything that apps wrote, the newest last.
    #[must_use]
    pub fn from_apps(&self) -> Vec<Seen> {
        self.messages().into_iter().filter(Seen::is_from_app).collect()
    }

    /// Everything in the thread of this message, without it.
    #[must_use]
    pub fn thread(&self, ts: &str) -> Vec<Seen> {
        self.messages().into_iter().filter(|message| message.thread.as_deref() == Some(ts)).collect()
    }

    /// Waits until what can be seen is as wanted.
    pub async fn until<T>(&self, what: &str, mut find: impl FnMut(&[Seen]) -> Option<T>) -> T {
        self.shared.until(what, |world| find(&world.seen(&self.id))).await
    }

    /// Waits for a message that contains this in its text or blocks, the newest of several.
    pub async fn until_seen(&self, text: &str) -> Seen {
        self.until(text, |messages| newest(messages, text)).await
    }

    /// The same for a test without a runtime.
    pub fn wait<T>(&self, what: &str, mut find: impl FnMut(&[Seen]) -> Option<T>) -> T {
        self.shared.wait(what, |world| find(&world.seen(&self.id)))
    }

    /// The same for a test without a runtime.
    pub fn wait_seen(&self, text: &str) -> Seen {
        self.wait(text, |messages| newest(messages, text))
    }

    /// Lets a person in.
    pub fn add(&self, person: &Person) {
        self.shared.change(|world| world.channel_mut(&self.id).members.insert(person.id.clone()));
    }

    /// Lets a person in, which everybody is told.
    pub fn join(&self, person: &Person) {
        self.add(person);
        self.shared.change(|world| {
            let text = format!("<@{}> has joined the channel", person.id);
            let mut message = MessageState::new(Author::Person(person.id.clone()), text);
            message.subtype = Some("channel_join".to_owned());
            world.post(&self.id, message);
        });
    }

    /// Takes a person out.
    pub fn remove(&self, person: &Person) {
        self.shared.change(|world| world.channel_mut(&self.id).members.remove(&person.id));
    }

    /// Lets an app in.
    pub fn add_app(&self, app: &App) {
        let user = app.user_id();
        self.shared.change(|world| world.channel_mut(&self.id).members.insert(user));
    }

    /// Takes an app out.
    pub fn remove_app(&self, app: &App) {
        let user = app.user_id();
        self.shared.change(|world| world.channel_mut(&self.id).members.remove(&user));
    }

    /// Shares it with another team, whose people may come in then.
    pub fn share_with(&self, team: &Team) {
        self.shared.change(|world| world.channel_mut(&self.id).shared_with.insert(team.id.clone()));
    }

    /// Archives it: nobody writes there any more.
    pub fn archive(&self) {
        self.shared.change(|world| world.channel_mut(&self.id).archived = true);
    }

    /// Makes it what it was before.
    pub fn unarchive(&self) {
        self.shared.change(|world| world.channel_mut(&self.id).archived = false);
    }

    /// Posts something by a webhook, which is nobody: `bot_message`. Its `ts`.
    pub fn post_by_webhook(&self, text: &str) -> String {
        self.shared.change(|world| {
            let bot = world.new_id("B");
            let mut message = MessageState::new(Author::Hook(bot), super::text::escape(text));
            message.subtype = Some("bot_message".to_owned());
            message.extra.insert("username".to_owned(), json!("Webhook"));
            world.post(&self.id, message)
        })
    }

    /// The platform shows a link in a message large, and tells of it as of a change, though nobody changed a word.
    pub fn unfurl(&self, ts: &str) {
        self.shared.change(|world| {
            if let Some(before) = world.message(&self.id, ts).cloned() {
                world.spread_change(&self.id, ts, &before);
            }
        });
    }

    /// Deletes a message for everybody, whoever wrote it.
    pub fn delete(&self, ts: &str) {
        self.shared.change(|world| world.delete_message(&self.id, ts));
    }
}

fn newest(messages: &[Seen], text: &str) -> Option<Seen> {
    messages.iter().rev().find(|message| message.contains(text)).cloned()
}

impl ChannelState {
    pub(super) fn new(name: String, kind: Kind, team: String) -> Self {
        Self {
            name,
            kind,
            team,
            shared_with: Default::default(),
            archived: false,
            members: Default::default(),
            messages: Default::default(),
        }
    }
}

impl World {
    /// The conversation of a person and an app, which is opened where it was not.
    pub(super) fn direct(&mut self, app: &str, person: &str) -> String {
        let bot = self.app(app).user.clone();
        if let Some(id) = self.existing_direct(&bot, person) {
            return id;
        }
        let id = self.new_id("D");
        let mut channel = ChannelState::new(String::new(), Kind::Direct, self.person(person).team.clone());
        channel.members = [bot, person.to_owned()].into();
        self.channels.insert(id.clone(), channel);
        id
    }

    pub(super) fn existing_direct(&self, bot: &str, person: &str) -> Option<String> {
        let is_it = |channel: &ChannelState| {
            channel.kind == Kind::Direct && channel.members.contains(bot) && channel.members.contains(person)
        };
        self.channels.iter().find(|(_, channel)| is_it(channel)).map(|(id, _)| id.clone())
    }

    fn seen(&self, channel: &str) -> Vec<Seen> {
        let there = self.channel(channel).messages.iter().filter(|(_, message)| !message.deleted);
        there.map(|(ts, message)| Seen::new(ts, message, false)).collect()
    }
}
