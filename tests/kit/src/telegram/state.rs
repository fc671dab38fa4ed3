//! What the stand-in knows: bots, people, chats, and everything that was called. It decides nothing; the files beside it do.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Map, Value};

use super::fault::Faults;
use super::rate::Pace;

/// The world, and news of its changes.
pub(super) type Shared = crate::world::Shared<World>;

/// Everything there is.
#[derive(Debug)]
pub(super) struct World {
    /// Seconds since 1970, by the stand-in's own clock.
    pub(super) now: i64,
    /// No request is answered at the moment.
    pub(super) cut: bool,
    pub(super) bots: BTreeMap<i64, BotState>,
    pub(super) people: BTreeMap<i64, PersonState>,
    pub(super) chats: BTreeMap<ChatKey, ChatState>,
    pub(super) taps: BTreeMap<String, TapState>,
    pub(super) calls: Vec<Call>,
    pub(super) faults: Faults,
    pub(super) pace: Pace,
    /// The newest number of anything that is numbered across chats.
    pub(super) count: i64,
}

/// One chat. A private one belongs to a bot; the person in it has the same chat id with every bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ChatKey {
    pub(super) id: i64,
    /// The bot of a private chat, else 0.
    pub(super) bot: i64,
}

#[derive(Debug)]
pub(super) struct BotState {
    pub(super) token: String,
    pub(super) username: String,
    /// Privacy mode is on: of a group it receives little.
    pub(super) private: bool,
    pub(super) commands: Value,
    pub(super) updates: VecDeque<Update>,
    pub(super) newest_update: i64,
    /// The newest update that was handed out, for delivering it again.
    pub(super) delivered: Option<Value>,
    /// Updates that come again, whatever was confirmed.
    pub(super) again: VecDeque<Value>,
    pub(super) allowed: Vec<String>,
    /// Counts polls: an older one that still waits is ended.
    pub(super) polls: u64,
    pub(super) hook: Option<Hook>,
}

#[derive(Debug)]
pub(super) struct Update {
    pub(super) id: i64,
    pub(super) value: Value,
    pub(super) expires_at: i64,
}

#[derive(Clone, Debug)]
pub(super) struct Hook {
    pub(super) url: String,
    pub(super) secret: Option<String>,
    pub(super) max_connections: i64,
    pub(super) failures: u32,
    pub(super) next_try_at: i64,
    pub(super) last_error: Option<(i64, String)>,
    /// Counts settings, so that a delivery knows whether it is still meant.
    pub(super) setting: i64,
    /// A delivery is under way.
    pub(super) is_busy: bool,
}

#[derive(Debug)]
pub(super) struct PersonState {
    pub(super) name: String,
    pub(super) deactivated: bool,
    pub(super) blocked: BTreeSet<i64>,
    pub(super) toasts: Vec<Toast>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Private,
    Group,
    Supergroup,
    Forum,
    Channel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Admin,
    Member,
    Left,
    Kicked,
}

#[derive(Debug)]
pub(super) struct ChatState {
    pub(super) kind: Kind,
    pub(super) title: String,
    /// People and bots.
    pub(super) members: BTreeMap<i64, Role>,
    pub(super) topics: BTreeMap<i64, String>,
    pub(super) messages: BTreeMap<i64, MessageState>,
    /// The supergroup that it became.
    pub(super) moved_to: Option<i64>,
    /// The bot that wrote last.
    pub(super) last_bot: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Author {
    Bot(i64),
    Person(i64),
    /// In the name of the group.
    Anonymous,
    /// A post of the channel itself.
    Channel,
}

#[derive(Clone, Debug)]
pub(super) struct MessageState {
    pub(super) author: Author,
    pub(super) date: i64,
    pub(super) edited: Option<i64>,
    /// Text or caption.
    pub(super) words: Option<String>,
    pub(super) entities: Vec<Value>,
    /// The inline keyboard under it.
    pub(super) keyboard: Option<Value>,
    pub(super) force_reply: Option<Value>,
    pub(super) reply_to: Option<i64>,
    pub(super) topic: Option<i64>,
    /// Media and service fields, as the platform names them.
    pub(super) extra: Map<String, Value>,
    /// The words are a caption.
    pub(super) captioned: bool,
    pub(super) deleted: bool,
}

#[derive(Debug)]
pub(super) struct TapState {
    pub(super) bot: i64,
    pub(super) person: Option<i64>,
    pub(super) at: i64,
    pub(super) answer: Option<Toast>,
}

/// How a press was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    /// The words; a silent answer has none.
    pub text: Option<String>,
    /// Shown as an alert that must be closed.
    pub alert: bool,
}

/// One call of a bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The bot's id.
    pub bot: i64,
    /// The method, as it was spelled.
    pub method: String,
    /// The parameters as they came.
    pub body: Value,
    /// The HTTP status, once it was answered; 0 where the connection was dropped instead.
    pub status: Option<u16>,
    /// The answer as it was or would have been sent.
    pub answer: Value,
    /// When, by the stand-in's clock, in seconds since 1970.
    pub at: i64,
}

impl World {
    pub(super) fn next(&mut self) -> i64 {
        self.count += 1;
        self.count
    }

    pub(super) fn bot(&mut self, id: i64) -> &mut BotState {
        self.bots.get_mut(&id).expect("a bot is never taken away")
    }

    pub(super) fn bot_of(&self, token: &str) -> Option<i64> {
        self.bots.iter().find(|(_, bot)| bot.token == token).map(|(id, _)| *id)
    }

    pub(super) fn person(&mut self, id: i64) -> &mut PersonState {
        self.people.get_mut(&id).expect("a person is never taken away")
    }

    pub(super) fn chat(&self, key: ChatKey) -> &ChatState {
        self.chats.get(&key).expect("a chat is never taken away")
    }

    pub(super) fn chat_mut(&mut self, key: ChatKey) -> &mut ChatState {
        self.chats.get_mut(&key).expect("a chat is never taken away")
    }

    /// Puts a message into a chat; its id.
    pub(super) fn post(&mut self, key: ChatKey, message: MessageState) -> i64 {
        let id = match self.chat(key).kind {
            // Private chats and basic groups share one count, as they do for a bot; the others have their own.
            Kind::Private | Kind::Group => self.next(),
            Kind::Supergroup | Kind::Forum | Kind::Channel => {
                self.chat(key).messages.last_key_value().map_or(1, |(newest, _)| newest + 1)
            }
        };
        self.chat_mut(key).messages.insert(id, message);
        id
    }
}

impl crate::world::World for World {
    fn describe(&self) -> String {
        let last = self.calls.iter().rev().filter(|call| !call.method.eq_ignore_ascii_case("getupdates"));
        let last: Vec<String> = last
            .take(8)
            .map(|call| format!("\n  {} {} -> {}", call.method, call.body, call.answer))
            .collect();
        format!("{} calls, the newest first:{}", self.calls.len(), last.concat())
    }
}

impl MessageState {
    pub(super) fn new(author: Author, date: i64, words: Option<String>) -> Self {
        Self {
            author,
            date,
            edited: None,
            words,
            entities: Vec::new(),
            keyboard: None,
            force_reply: None,
            reply_to: None,
            topic: None,
            extra: Map::new(),
            captioned: false,
            deleted: false,
        }
    }
}
