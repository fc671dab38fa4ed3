//! A bot account as its owner sees it: the token, the privileged intents, and what the gateway does to it on demand.

use std::sync::Arc;

use serde_json::{Value, json};

use super::channel::Channel;
use super::draft::mentioned;
use super::event::{GUILD_MEMBERS, GUILD_PRESENCES, MESSAGE_CONTENT};
use super::session::Out;
use super::state::{Author, MessageState, Shared};

/// One bot account. Its application has the same id.
#[derive(Clone, Debug)]
pub struct Bot {
    pub(super) shared: Arc<Shared>,
    pub(super) id: u64,
}

impl Bot {
    /// Its id, which is also the id of its application.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The secret with which it calls.
    #[must_use]
    pub fn token(&self) -> String {
        self.shared.read(|world| world.bot(self.id).token.clone())
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        self.shared.read(|world| world.bot(self.id).name.clone())
    }

    /// Its owner allows the message content intent, or takes it back. A bot begins without.
    pub fn allow_message_content(&self, on: bool) {
        self.allow(MESSAGE_CONTENT, on);
    }

    /// The same for the intent about members.
    pub fn allow_members(&self, on: bool) {
        self.allow(GUILD_MEMBERS, on);
    }

    /// The same for the intent about who is online.
    pub fn allow_presences(&self, on: bool) {
        self.allow(GUILD_PRESENCES, on);
    }

    fn allow(&self, intent: u64, on: bool) {
        self.shared.change(|world| {
            let privileged = &mut world.bot_mut(self.id).privileged;
            *privileged = if on { *privileged | intent } else { *privileged & !intent };
        });
    }

    /// Its owner makes a new token; the old one is no longer known.
    pub fn reset_token(&self) {
        self.shared.change(|world| {
            let token = format!("stand-in.{}.{:x}", self.id, world.new_id());
            world.bot_mut(self.id).token = token;
        });
    }

    /// How often its program identified itself at the gateway.
    #[must_use]
    pub fn identified(&self) -> usize {
        self.shared.read(|world| world.bot(self.id).identified)
    }

    /// Says how many sessions it may still begin today, and in how many milliseconds it may begin others. One that begins more loses its
    /// token.
    pub fn limit_starts(&self, remaining: u64, reset_after_ms: u64) {
        self.shared.change(|world| world.bot_mut(self.id).starts = (remaining, reset_after_ms));
    }

    /// How often its program resumed a session.
    #[must_use]
    pub fn resumed(&self) -> usize {
        self.shared.read(|world| world.bot(self.id).resumed)
    }

    /// Waits until its program is connected to the gateway and was told everything.
    pub async fn until_told(&self) {
        self.shared.until("a gateway", |world| (world.settled(self.id) > 0).then_some(())).await;
    }

    /// Waits until so many gateways of it are open.
    pub async fn until_gateways(&self, count: usize) {
        let find = |world: &super::state::World| (world.gateways(self.id) == count).then_some(());
        self.shared.until(&format!("{count} gateways"), find).await;
    }

    /// Waits until its program identified itself so many times in all.
    pub async fn until_identified(&self, times: usize) {
        let find = |world: &super::state::World| (world.bot(self.id).identified >= times).then_some(());
        self.shared.until("an IDENTIFY", find).await;
    }

    /// The same for a test without a runtime.
    pub fn wait_identified(&self, times: usize) {
        let find = |world: &super::state::World| (world.bot(self.id).identified >= times).then_some(());
        self.shared.wait(&format!("{times} sessions"), find);
    }

    /// Waits until its program resumed so many times in all.
    pub async fn until_resumed(&self, times: usize) {
        let find = |world: &super::state::World| (world.bot(self.id).resumed >= times).then_some(());
        self.shared.until("a RESUME", find).await;
    }

    /// The gateway hangs up without a word. The session can be resumed.
    pub fn drop_gateway(&self) {
        self.shared.change(|world| world.say_to(self.id, || Out::Drop));
    }

    /// The gateway closes with this code, such as 4000. After 4007 and 4009 the session cannot be resumed.
    pub fn close_gateway(&self, code: u16) {
        self.shared.change(|world| {
            world.say_to(self.id, || Out::Close(code, "Closed on demand."));
            if matches!(code, 4007 | 4009) {
                world.forget_sessions(self.id);
            }
        });
    }

    /// The gateway asks it to reconnect and resume.
    pub fn ask_to_reconnect(&self) {
        self.shared.change(|world| world.order(self.id, 7, &Value::Null));
    }

    /// The gateway says that the session is not valid. Unless it is resumable, it is forgotten.
    pub fn invalidate_session(&self, resumable: bool) {
        self.shared.change(|world| {
            world.order(self.id, 9, &json!(resumable));
            if !resumable {
                world.forget_sessions(self.id);
            }
        });
    }

    /// What it was told so far cannot be resumed any more. Nobody says so.
    pub fn forget_sessions(&self) {
        self.shared.change(|world| world.forget_sessions(self.id));
    }

    /// The gateway wants a heartbeat at once.
    pub fn ask_for_heartbeat(&self) {
        self.shared.change(|world| world.order(self.id, 1, &Value::Null));
    }

    /// From now on heartbeats are not acknowledged, as on a connection that is dead and does not know it; or they are again.
    pub fn withhold_acknowledgements(&self, on: bool) {
        self.shared.change(|world| world.bot_mut(self.id).is_deaf = on);
    }

    /// The next so many events are never told. They have their numbers all the same.
    pub fn lose_events(&self, count: usize) {
        self.shared.change(|world| world.bot_mut(self.id).lost += count);
    }

    /// The newest event comes once more, under the next number. `false` when there is none.
    pub fn deliver_again(&self) -> bool {
        self.shared.change(|world| world.repeat_newest(self.id))
    }

    /// An event of any kind with any data.
    pub fn deliver_raw(&self, kind: &str, data: &Value) {
        self.shared.change(|world| world.dispatch(self.id, kind, 0, |_, _| data.clone()));
    }

    /// An event of a kind that does not exist yet.
    pub fn deliver_unknown(&self) {
        self.deliver_raw("THOUGHT_RECEIVED", &json!({ "thinker": { "id": "1" }, "strength": 11 }));
    }

    /// An event of a known kind whose insides make no sense.
    pub fn deliver_garbage(&self) {
        self.deliver_raw("MESSAGE_CREATE", &json!({ "id": "many", "channel_id": [] }));
    }

    /// Writes a text, as another bot would; its message id.
    pub fn write(&self, channel: &Channel, text: &str) -> u64 {
        self.shared.change(|world| {
            let mut message = MessageState::new(Author::Bot(self.id), world.now_ms, text.trim().to_owned());
            let mut mentions = mentioned(text);
            world.narrow(&mut mentions, self.id, channel.id);
            message.pings = mentions.clone();
            message.mentions = mentions;
            let id = world.put(channel.id, message);
            world.spread("MESSAGE_CREATE", channel.id, id);
            id
        })
    }
}
