//! What the stand-in knows: bots, people, guilds, channels, interactions, and everything that was called. It decides nothing; the
//! files beside it do.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Map, Value};

use super::fault::Faults;
use super::rate::Pace;
use super::route::Route;
use super::session::{Connection, Session};

/// When the platform's ids begin, in milliseconds since 1970.
pub(super) const EPOCH_MS: i64 = 1_420_070_400_000;

/// The world, and news of its changes.
pub(super) type Shared = crate::world::Shared<World>;

/// Everything there is.
#[derive(Debug, Default)]
pub(super) struct World {
    /// Milliseconds since 1970, by the stand-in's own clock.
    pub(super) now_ms: i64,
    /// No request is answered at the moment, and no gateway reached.
    pub(super) cut: bool,
    /// No gateway is reached at the moment.
    pub(super) gateway_cut: bool,
    /// Where the stand-in listens, such as `127.0.0.1:1234`.
    pub(super) address: String,
    /// How often a bot must tell the gateway that it lives, in milliseconds.
    pub(super) heartbeat_ms: u64,
    pub(super) bots: BTreeMap<u64, BotState>,
    pub(super) people: BTreeMap<u64, PersonState>,
    pub(super) guilds: BTreeMap<u64, GuildState>,
    pub(super) channels: BTreeMap<u64, ChannelState>,
    pub(super) interactions: BTreeMap<u64, InteractionState>,
    pub(super) sessions: BTreeMap<String, Session>,
    pub(super) connections: BTreeMap<u64, Connection>,
    pub(super) calls: Vec<Call>,
    pub(super) faults: Faults,
    pub(super) pace: Pace,
    /// The newest id of anything.
    pub(super) newest: u64,
}

#[derive(Debug)]
pub(super) struct BotState {
    pub(super) token: String,
    pub(super) name: String,
    /// Privileged intents that its owner switched on.
    pub(super) privileged: u64,
    /// Heartbeats are not acknowledged.
    pub(super) is_deaf: bool,
    /// So many of the next events are lost.
    pub(super) lost: usize,
    /// How often it identified itself, and how often it resumed.
    pub(super) identified: usize,
    pub(super) resumed: usize,
    /// How many sessions it may still begin today, and in how many milliseconds it may begin others.
    pub(super) starts: (u64, u64),
}

#[derive(Debug)]
pub(super) struct PersonState {
    pub(super) name: String,
    /// They take no direct messages.
    pub(super) is_closed: bool,
    /// Bots with which they opened the direct messages by themselves.
    pub(super) opened: BTreeSet<u64>,
}

#[derive(Debug)]
pub(super) struct GuildState {
    pub(super) name: String,
    pub(super) owner: u64,
    /// People and bots.
    pub(super) members: BTreeMap<u64, MemberState>,
    /// The role of everybody has the guild's own id.
    pub(super) roles: BTreeMap<u64, RoleState>,
}

#[derive(Clone, Debug)]
pub(super) struct MemberState {
    pub(super) roles: BTreeSet<u64>,
    pub(super) joined_ms: i64,
}

#[derive(Debug)]
pub(super) struct RoleState {
    pub(super) name: String,
    pub(super) permissions: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Forum,
    Thread,
    Direct,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Overwrite {
    pub(super) is_role: bool,
    pub(super) allow: u64,
    pub(super) deny: u64,
}

#[derive(Debug)]
pub(super) struct ChannelState {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) guild: Option<u64>,
    /// The channel in which a thread is.
    pub(super) parent: Option<u64>,
    /// The person and the bot of direct messages, the starter of a thread.
    pub(super) person: Option<u64>,
    pub(super) bot: Option<u64>,
    pub(super) overwrites: BTreeMap<u64, Overwrite>,
    pub(super) messages: BTreeMap<u64, MessageState>,
    pub(super) archived: bool,
    pub(super) locked: bool,
    pub(super) changed_ms: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Author {
    Bot(u64),
    Person(u64),
    Webhook(u64, String),
}

#[derive(Clone, Debug)]
pub(super) struct MessageState {
    pub(super) author: Author,
    /// The platform's number of the kind of message: 0, 19 for a reply, others for what the platform tells.
    pub(super) kind: u64,
    pub(super) at_ms: i64,
    pub(super) edited_ms: Option<i64>,
    pub(super) content: String,
    pub(super) components: Vec<Value>,
    pub(super) embeds: Vec<Value>,
    pub(super) flags: u64,
    pub(super) mentions: Mentions,
    /// Who was called when it was sent; a change calls nobody.
    pub(super) pings: Mentions,
    pub(super) reply_to: Option<u64>,
    pub(super) nonce: Option<Value>,
    /// The interaction that it answers.
    pub(super) interaction: Option<u64>,
    /// The only person who sees it.
    pub(super) only_for: Option<u64>,
    /// Any other field, as the platform names it.
    pub(super) extra: Map<String, Value>,
}

/// Who is called by a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mentions {
    pub(super) users: Vec<u64>,
    pub(super) roles: Vec<u64>,
    pub(super) everyone: bool,
}

#[derive(Debug)]
pub(super) struct InteractionState {
    pub(super) bot: u64,
    pub(super) person: u64,
    pub(super) token: String,
    /// The platform's number of the kind: 3 is a component, 5 a form that was sent.
    pub(super) kind: u64,
    pub(super) channel: u64,
    /// The message on which the component stands, or stood.
    pub(super) source: Option<u64>,
    /// The interaction that opened the form.
    pub(super) opened_by: Option<u64>,
    pub(super) at_ms: i64,
    pub(super) answer: Option<Value>,
    /// What `@original` names.
    pub(super) original: Option<u64>,
    /// Messages that were sent by its token.
    pub(super) notes: Vec<u64>,
}

/// One call of a bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The bot's id; of a callback or webhook the one to which the interaction came.
    pub bot: Option<u64>,
    /// What was called.
    pub route: Route,
    /// The path below the version, such as `/channels/1/messages`.
    pub path: String,
    /// The body as it came.
    pub body: Value,
    /// The HTTP status, once it was answered; 0 where the connection was dropped instead.
    pub status: Option<u16>,
    /// The answer as it was or would have been sent.
    pub answer: Value,
    /// When, by the stand-in's clock, in seconds since 1970.
    pub at: i64,
}

impl World {
    /// A new id. Ids tell the time and always grow.
    pub(super) fn new_id(&mut self) -> u64 {
        let by_time = u64::try_from(self.now_ms - EPOCH_MS).unwrap_or(0) << 22;
        self.newest = by_time.max(self.newest + 1);
        self.newest
    }

    pub(super) fn bot(&self, id: u64) -> &BotState {
        self.bots.get(&id).expect("a bot is never taken away")
    }

    pub(super) fn bot_mut(&mut self, id: u64) -> &mut BotState {
        self.bots.get_mut(&id).expect("a bot is never taken away")
    }

    pub(super) fn bot_of(&self, token: &str) -> Option<u64> {
        self.bots.iter().find(|(_, bot)| bot.token == token).map(|(id, _)| *id)
    }

    pub(super) fn person_mut(&mut self, id: u64) -> &mut PersonState {
        self.people.get_mut(&id).expect("a person is never taken away")
    }

    pub(super) fn guild(&self, id: u64) -> &GuildState {
        self.guilds.get(&id).expect("a guild is never taken away")
    }

    pub(super) fn guild_mut(&mut self, id: u64) -> &mut GuildState {
        self.guilds.get_mut(&id).expect("a guild is never taken away")
    }

    /// A channel that a test holds.
    pub(super) fn channel(&self, id: u64) -> &ChannelState {
        self.channels.get(&id).expect("the channel was deleted")
    }

    pub(super) fn channel_mut(&mut self, id: u64) -> &mut ChannelState {
        self.channels.get_mut(&id).expect("the channel was deleted")
    }

    pub(super) fn message(&self, channel: u64, id: u64) -> Option<&MessageState> {
        self.channels.get(&channel)?.messages.get(&id)
    }

    pub(super) fn message_mut(&mut self, channel: u64, id: u64) -> Option<&mut MessageState> {
        self.channels.get_mut(&channel)?.messages.get_mut(&id)
    }

    /// Puts a message into a channel; its id. Nobody is told.
    pub(super) fn put(&mut self, channel: u64, message: MessageState) -> u64 {
        let id = self.new_id();
        self.channel_mut(channel).messages.insert(id, message);
        id
    }
}

impl crate::world::World for World {
    fn describe(&self) -> String {
        let last = self.calls.iter().rev().take(8);
        let last: Vec<String> = last
            .map(|call| format!("\n  {:?} {} {} -> {}", call.route, call.path, call.body, call.answer))
            .collect();
        let connected = self.connections.len();
        format!("{connected} gateways, {} calls, the newest first:{}", self.calls.len(), last.concat())
    }
}

impl ChannelState {
    pub(super) fn new(kind: Kind, name: &str, now_ms: i64) -> Self {
        Self {
            kind,
            name: name.to_owned(),
            guild: None,
            parent: None,
            person: None,
            bot: None,
            overwrites: BTreeMap::new(),
            messages: BTreeMap::new(),
            archived: false,
            locked: false,
            changed_ms: now_ms,
        }
    }
}

impl MessageState {
    pub(super) fn new(author: Author, at_ms: i64, content: String) -> Self {
        Self {
            author,
            kind: 0,
            at_ms,
            edited_ms: None,
            content,
            components: Vec::new(),
            embeds: Vec::new(),
            flags: 0,
            mentions: Mentions::default(),
            pings: Mentions::default(),
            reply_to: None,
            nonce: None,
            interaction: None,
            only_for: None,
            extra: Map::new(),
        }
    }
}

/// Things that a connection of the gateway sends or does, in their order.
pub(super) type Queue = VecDeque<super::session::Out>;
