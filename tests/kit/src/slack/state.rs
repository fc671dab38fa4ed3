//! What the stand-in knows: teams, apps, people, conversations, and everything that was called. It decides nothing; the files
//! beside it do.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::app::AppState;
use super::deliver::Parcel;
use super::fault::Faults;
use super::form::ViewState;
use super::press::TapState;
use super::rate::Pace;
use super::reply::ReplyUrl;
use super::socket::SocketState;

/// The world, and news of its changes.
pub(super) type Shared = crate::world::Shared<World>;

/// Everything there is.
#[derive(Debug, Default)]
pub(super) struct World {
    /// Seconds since 1970, by the stand-in's own clock.
    pub(super) now: i64,
    /// Where the stand-in listens, such as `127.0.0.1:1234`.
    pub(super) address: String,
    /// No request is answered at the moment, and no socket lives.
    pub(super) cut: bool,
    pub(super) teams: BTreeMap<String, TeamState>,
    pub(super) apps: BTreeMap<String, AppState>,
    pub(super) people: BTreeMap<String, PersonState>,
    pub(super) channels: BTreeMap<String, ChannelState>,
    pub(super) sockets: BTreeMap<u64, SocketState>,
    /// Everything that was or is to be brought to apps, the oldest first.
    pub(super) parcels: Vec<Parcel>,
    pub(super) taps: BTreeMap<u64, TapState>,
    pub(super) replies: BTreeMap<String, ReplyUrl>,
    pub(super) views: BTreeMap<String, ViewState>,
    pub(super) calls: Vec<Call>,
    pub(super) faults: Faults,
    pub(super) pace: Pace,
    /// The newest number of anything that is numbered.
    pub(super) count: u64,
}

#[derive(Debug)]
pub(super) struct TeamState {
    pub(super) name: String,
    /// Id and name of the organisation to which it belongs.
    pub(super) enterprise: Option<(String, String)>,
    /// Seconds after which a policy forbids to edit a message.
    pub(super) edit_window: Option<i64>,
}

#[derive(Debug)]
pub(super) struct PersonState {
    pub(super) name: String,
    pub(super) team: String,
    pub(super) deactivated: bool,
    /// Not at any screen: what is ephemeral never shows.
    pub(super) away: bool,
    pub(super) admin: bool,
    /// Messages that only they see, by conversation and `ts`.
    pub(super) ephemerals: BTreeMap<(String, String), MessageState>,
    /// What they took or typed in controls and did not send, by where the control is.
    pub(super) entries: BTreeMap<Spot, Entry>,
    /// The modals before them, the topmost last.
    pub(super) stack: Vec<String>,
}

/// Where a control is: the conversation and `ts` of its message, or nothing and the id of its view; then block and action.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub(super) channel: String,
    pub(super) at: String,
    pub(super) block: String,
    pub(super) action: String,
}

/// What a person took or typed in a control.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Entry {
    Text(String),
    /// The option objects, in the order of the control.
    Options(Vec<Value>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Public,
    Private,
    Direct,
    Several,
}

#[derive(Debug)]
pub(super) struct ChannelState {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) team: String,
    /// Teams beside its own whose people may be in it.
    pub(super) shared_with: BTreeSet<String>,
    pub(super) archived: bool,
    /// User ids of people and bots.
    pub(super) members: BTreeSet<String>,
    /// By `ts`.
    pub(super) messages: BTreeMap<String, MessageState>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Author {
    /// An app, by id.
    App(String),
    /// A person, by user id.
    Person(String),
    /// A webhook, by bot id: nobody's user.
    Hook(String),
}

#[derive(Clone, Debug)]
pub(super) struct MessageState {
    pub(super) author: Author,
    /// As the platform keeps it: `&`, `<` and `>` as entities, links and mentions in angle brackets.
    pub(super) text: String,
    pub(super) blocks: Vec<Value>,
    /// The message at which the thread began.
    pub(super) thread: Option<String>,
    /// A reply that is shown in the conversation too.
    pub(super) broadcast: bool,
    pub(super) edited: Option<String>,
    pub(super) subtype: Option<String>,
    /// Links in it are shown large.
    pub(super) unfurls: bool,
    /// Other fields, as the platform names them.
    pub(super) extra: Map<String, Value>,
    pub(super) deleted: bool,
}

/// One call of an app.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The app's id; empty for a `response_url`.
    pub app: String,
    /// The method, such as `chat.postMessage`; `response_url` for what was posted to one.
    pub method: String,
    /// The parameters as they came, without the token.
    pub body: Value,
    /// The HTTP status, once it was answered; 0 where the connection was dropped instead.
    pub status: Option<u16>,
    /// The answer as it was or would have been sent.
    pub answer: Value,
    /// When, by the stand-in's clock, in seconds since 1970.
    pub at: i64,
}

impl World {
    pub(super) fn next(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// A fresh id that begins with this letter.
    pub(super) fn new_id(&mut self, letter: &str) -> String {
        format!("{letter}0{:0>8}", self.next())
    }

    /// A fresh name of a message: it grows with time, and no two are equal.
    pub(super) fn new_ts(&mut self) -> String {
        let (now, count) = (self.now, self.next());
        format!("{now}.{count:06}")
    }

    pub(super) fn team(&self, id: &str) -> &TeamState {
        self.teams.get(id).expect("a team is never taken away")
    }

    pub(super) fn app(&self, id: &str) -> &AppState {
        self.apps.get(id).expect("an app is never taken away")
    }

    pub(super) fn app_mut(&mut self, id: &str) -> &mut AppState {
        self.apps.get_mut(id).expect("an app is never taken away")
    }

    pub(super) fn person(&self, id: &str) -> &PersonState {
        self.people.get(id).expect("a person is never taken away")
    }

    pub(super) fn person_mut(&mut self, id: &str) -> &mut PersonState {
        self.people.get_mut(id).expect("a person is never taken away")
    }

    pub(super) fn channel(&self, id: &str) -> &ChannelState {
        self.channels.get(id).expect("a conversation is never taken away")
    }

    pub(super) fn channel_mut(&mut self, id: &str) -> &mut ChannelState {
        self.channels.get_mut(id).expect("a conversation is never taken away")
    }

    /// A message that is there.
    pub(super) fn message(&self, channel: &str, ts: &str) -> Option<&MessageState> {
        self.channels.get(channel)?.messages.get(ts).filter(|message| !message.deleted)
    }
}

impl crate::world::World for World {
    fn describe(&self) -> String {
        let last: Vec<String> = self
            .calls
            .iter()
            .rev()
            .take(8)
            .map(|call| format!("\n  {} {} -> {}", call.method, call.body, call.answer))
            .collect();
        let complaints: Vec<String> =
            self.apps.values().flat_map(|app| &app.complaints).map(|words| format!("\n  {words}")).collect();
        format!("{} calls, the newest first:{}{}", self.calls.len(), last.concat(), complaints.concat())
    }
}

impl MessageState {
    pub(super) fn new(author: Author, text: String) -> Self {
        Self {
            author,
            text,
            blocks: Vec::new(),
            thread: None,
            broadcast: false,
            edited: None,
            subtype: None,
            unfurls: false,
            extra: Map::new(),
            deleted: false,
        }
    }
}
