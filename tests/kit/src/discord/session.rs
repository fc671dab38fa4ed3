//! Sessions at the gateway: who identified, what they are to be told, what a resumed one missed, and why one is closed.

use serde_json::{Value, json};

use super::event::{GUILDS, KNOWN_INTENTS, PRIVILEGED};
use super::state::{Queue, World};

/// How long a session that nobody is connected to can be resumed. The platform does not say.
const SESSION_LIFE_MS: i64 = 300_000;
/// Largest payload that the gateway takes, in bytes.
const PAYLOAD_MAX_BYTES: usize = 4096;

/// Sessions that a bot may begin in a day (D/events/gateway, 2026-11).
pub(super) const STARTS: u64 = 1000;

/// What one IDENTIFY began.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) bot: u64,
    pub(super) intents: u64,
    /// The number of the newest event.
    newest: u64,
    log: Vec<(u64, Value)>,
    connection: Option<u64>,
    left_ms: i64,
    /// The newest event as it was, for telling it again.
    last: Option<(String, Value)>,
}

/// One open WebSocket.
#[derive(Debug, Default)]
pub(super) struct Connection {
    pub(super) session: Option<String>,
    sent: u64,
    out: Queue,
}

/// What a connection sends or does next.
#[derive(Debug)]
pub(super) enum Out {
    Frame(Value),
    Close(u16, &'static str),
    /// The socket ends without a word.
    Drop,
}

impl Out {
    fn op(op: u8, data: Value) -> Self {
        Self::Frame(json!({ "op": op, "d": data, "s": null, "t": null }))
    }
}

impl World {
    /// A socket was opened; its number.
    pub(super) fn open_connection(&mut self) -> u64 {
        let id = self.new_id();
        let hello = json!({ "heartbeat_interval": self.heartbeat_ms, "_trace": ["[\"stand-in\"]"] });
        let out = Queue::from([Out::op(10, hello)]);
        self.connections.insert(id, Connection { session: None, sent: 0, out });
        id
    }

    /// What a connection does next; events come after what was said to the connection itself.
    pub(super) fn next_out(&mut self, connection: u64) -> Option<Out> {
        if self.cut || self.gateway_cut {
            return Some(Out::Drop);
        }
        let state = self.connections.get_mut(&connection)?;
        if let Some(out) = state.out.pop_front() {
            return Some(out);
        }
        let session = self.sessions.get(state.session.as_ref()?)?;
        if session.connection != Some(connection) {
            return Some(Out::Drop);
        }
        let told = session.log.partition_point(|(seq, _)| *seq <= state.sent);
        let (seq, event) = session.log.get(told)?;
        state.sent = *seq;
        Some(Out::Frame(event.clone()))
    }

    /// A socket is gone. One that its program closed in the ordinary way ends the session too.
    pub(super) fn close_connection(&mut self, connection: u64, code: Option<u16>) {
        let session = self.connections.remove(&connection).and_then(|connection| connection.session);
        let Some(name) = session else { return };
        if matches!(code, Some(1000 | 1001)) {
            self.sessions.remove(&name);
        } else if let Some(session) = self.sessions.get_mut(&name)
            && session.connection == Some(connection)
        {
            session.connection = None;
            session.left_ms = self.now_ms;
        }
    }

    /// A bot's program said something.
    pub(super) fn receive(&mut self, connection: u64, payload: &str) {
        let Some(value) =
            serde_json::from_str::<Value>(payload).ok().filter(|_| payload.len() <= PAYLOAD_MAX_BYTES)
        else {
            return self.say(connection, Out::Close(4002, "Error while decoding payload."));
        };
        let data = value.get("d").cloned().unwrap_or_default();
        let is_known = self.connections.get(&connection).is_some_and(|state| state.session.is_some());
        match (value.get("op").and_then(Value::as_u64), is_known) {
            (Some(1), _) => self.acknowledge_heartbeat(connection),
            (Some(2), false) => self.identify(connection, &data),
            (Some(6), false) => self.resume(connection, &data),
            (Some(2 | 6), true) => self.say(connection, Out::Close(4005, "Already authenticated.")),
            // What a bot tells of itself and asks about others is of no interest here.
            (Some(3 | 4 | 8 | 31), true) => {}
            (Some(3 | 4 | 8 | 31), false) => self.say(connection, Out::Close(4003, "Not authenticated.")),
            (Some(_), _) => self.say(connection, Out::Close(4001, "Unknown opcode.")),
            (None, _) => self.say(connection, Out::Close(4002, "Error while decoding payload.")),
        }
    }

    fn say(&mut self, connection: u64, out: Out) {
        if let Some(state) = self.connections.get_mut(&connection) {
            state.out.push_back(out);
        }
    }

    fn acknowledge_heartbeat(&mut self, connection: u64) {
        let session = self.connections.get(&connection).and_then(|state| state.session.as_ref());
        let bot = session.and_then(|session| self.sessions.get(session)).map(|session| session.bot);
        if !bot.is_some_and(|bot| self.bot(bot).is_deaf) {
            self.say(connection, Out::op(11, Value::Null));
        }
    }

    fn identify(&mut self, connection: u64, data: &Value) {
        match self.judge_identify(data) {
            Ok((bot, intents)) => {
                let name = format!("{:032x}", self.new_id());
                let session = Session {
                    bot,
                    intents,
                    newest: 0,
                    log: Vec::new(),
                    connection: Some(connection),
                    left_ms: self.now_ms,
                    last: None,
                };
                self.sessions.insert(name.clone(), session);
                self.bot_mut(bot).identified += 1;
                if let Some(state) = self.connections.get_mut(&connection) {
                    state.session = Some(name.clone());
                }
                self.welcome(&name, bot, data.get("shard").cloned().unwrap_or(json!([0, 1])));
            }
            Err(close) => self.say(connection, close),
        }
    }

    fn judge_identify(&mut self, data: &Value) -> Result<(u64, u64), Out> {
        let token = data.get("token").and_then(Value::as_str).unwrap_or_default();
        let token = token.strip_prefix("Bot ").unwrap_or(token);
        let Some(bot) = self.bot_of(token) else { return Err(Out::Close(4004, "Authentication failed.")) };
        if !data.get("properties").is_some_and(Value::is_object) {
            return Err(Out::Close(4002, "Error while decoding payload."));
        }
        let intents =
            data.get("intents").and_then(Value::as_u64).filter(|intents| intents & !KNOWN_INTENTS == 0);
        let Some(intents) = intents else { return Err(Out::Close(4013, "Invalid intent(s).")) };
        if intents & PRIVILEGED & !self.bot(bot).privileged != 0 {
            return Err(Out::Close(4014, "Disallowed intent(s)."));
        }
        let shard = data.get("shard").map(|shard| {
            let part = |index| shard.get(index).and_then(Value::as_u64);
            part(0).zip(part(1)).is_some_and(|(index, count)| index < count)
        });
        match shard {
            Some(false) => Err(Out::Close(4010, "Invalid shard.")),
            Some(true) | None if self.bot(bot).starts.0 == 0 => {
                // As its owner does it: the platform takes back the token of a bot that begins too many sessions.
                let token = format!("stand-in.{bot}.{:x}", self.new_id());
                self.bot_mut(bot).token = token;
                Err(Out::Close(4004, "Authentication failed."))
            }
            Some(true) | None => {
                self.bot_mut(bot).starts.0 -= 1;
                Ok((bot, intents))
            }
        }
    }

    /// What a session begins with: READY, and the guilds.
    fn welcome(&mut self, session: &str, bot: u64, shard: Value) {
        let guilds: Vec<u64> = self.guilds_of(bot);
        let unavailable = |guild: &u64| json!({ "id": guild.to_string(), "unavailable": true });
        let ready = json!({
            "v": 10, "user": self.me_value(bot), "session_type": "normal", "session_id": session,
            "resume_gateway_url": format!("ws://{}/gateway/resume", self.address), "shard": shard,
            "guilds": guilds.iter().map(unavailable).collect::<Vec<Value>>(),
            "application": {
                "id": bot.to_string(), "flags": self.application_flags(bot),
                "flags_new": super::object::text(self.application_flags(bot)),
            },
            "private_channels": [], "relationships": [], "presences": [], "user_settings": {},
            "guild_join_requests": [], "geo_ordered_rtc_regions": [], "auth": {}, "_trace": ["[\"stand-in\"]"],
        });
        self.push(session, "READY", ready);
        for guild in guilds {
            let event = self.guild_event(guild, bot);
            if self.sessions.get(session).is_some_and(|session| session.intents & GUILDS != 0) {
                self.push(session, "GUILD_CREATE", event);
            }
        }
    }

    fn resume(&mut self, connection: u64, data: &Value) {
        let field = |name: &str| data.get(name).and_then(Value::as_str).unwrap_or_default();
        let token = field("token").strip_prefix("Bot ").unwrap_or(field("token"));
        let Some(bot) = self.bot_of(token) else {
            return self.say(connection, Out::Close(4004, "Authentication failed."));
        };
        let (name, now_ms) = (field("session_id").to_owned(), self.now_ms);
        let session = self.sessions.get_mut(&name).filter(|session| {
            let is_fresh = session.connection.is_some() || session.left_ms + SESSION_LIFE_MS >= now_ms;
            session.bot == bot && is_fresh
        });
        let Some(session) = session else { return self.say(connection, Out::op(9, Value::Bool(false))) };
        let seq = data.get("seq").and_then(Value::as_u64);
        let Some(seq) = seq.filter(|seq| *seq <= session.newest) else {
            return self.say(connection, Out::Close(4007, "Invalid seq."));
        };
        session.connection = Some(connection);
        if let Some(state) = self.connections.get_mut(&connection) {
            state.session = Some(name.clone());
            state.sent = seq;
        }
        self.bot_mut(bot).resumed += 1;
        self.push(&name, "RESUMED", json!({ "_trace": ["[\"stand-in\"]"] }));
    }

    /// Gives a session its next event.
    fn push(&mut self, session: &str, kind: &str, data: Value) {
        if let Some(session) = self.sessions.get_mut(session) {
            session.newest += 1;
            let event = json!({ "op": 0, "d": data, "s": session.newest, "t": kind });
            session.log.push((session.newest, event));
        }
    }

    /// Tells every session of a bot with any of these intents; 0 is for all. `data` gets the session's intents.
    pub(super) fn dispatch(&mut self, bot: u64, kind: &str, needed: u64, data: impl Fn(&Self, u64) -> Value) {
        let mine = self
            .sessions
            .iter()
            .filter(|(_, session)| session.bot == bot && (needed == 0 || session.intents & needed != 0));
        let told: Vec<(String, Value)> =
            mine.map(|(name, session)| (name.clone(), data(self, session.intents))).collect();
        let state = self.bot_mut(bot);
        let is_lost = state.lost > 0 && !told.is_empty();
        state.lost -= usize::from(is_lost);
        for (name, data) in told {
            if is_lost {
                // It has a number all the same.
                self.sessions.entry(name).and_modify(|session| session.newest += 1);
                continue;
            }
            if let Some(session) = self.sessions.get_mut(&name) {
                session.last = Some((kind.to_owned(), data.clone()));
            }
            self.push(&name, kind, data);
        }
    }

    /// Tells the newest event of every session of a bot once more; whether there was any.
    pub(super) fn repeat_newest(&mut self, bot: u64) -> bool {
        let mine = self.sessions.iter().filter(|(_, session)| session.bot == bot);
        let again: Vec<(String, (String, Value))> =
            mine.filter_map(|(name, session)| Some((name.clone(), session.last.clone()?))).collect();
        for (name, (kind, data)) in &again {
            self.push(name, kind, data.clone());
        }
        !again.is_empty()
    }

    /// Says something to every connection of a bot.
    pub(super) fn say_to(&mut self, bot: u64, out: impl Fn() -> Out) {
        let sessions = &self.sessions;
        let is_mine = |connection: &&mut Connection| {
            let session = connection.session.as_ref().and_then(|session| sessions.get(session));
            session.is_some_and(|session| session.bot == bot)
        };
        self.connections.values_mut().filter(is_mine).for_each(|connection| connection.out.push_back(out()));
    }

    /// No session of this bot can be resumed any more.
    pub(super) fn forget_sessions(&mut self, bot: u64) {
        self.sessions.retain(|_, session| session.bot != bot);
    }

    /// The sessions of a bot to which somebody is connected and that were told everything.
    pub(super) fn settled(&self, bot: u64) -> usize {
        let is_settled = |(name, session): &(&String, &Session)| {
            let connection = session.connection.and_then(|connection| self.connections.get(&connection));
            session.bot == bot
                && connection.is_some_and(|connection| {
                    let newest = session.log.last().map_or(0, |(seq, _)| *seq);
                    connection.session.as_ref() == Some(name)
                        && connection.sent >= newest
                        && connection.out.is_empty()
                })
        };
        self.sessions.iter().filter(is_settled).count()
    }

    /// How many connections of a bot there are that identified themselves or resumed.
    pub(super) fn gateways(&self, bot: u64) -> usize {
        let session = |connection: &Connection| self.sessions.get(connection.session.as_ref()?);
        self.connections.values().filter_map(session).filter(|session| session.bot == bot).count()
    }

    /// Asks every connection of a bot to do something that the platform asks for by a number alone.
    pub(super) fn order(&mut self, bot: u64, op: u8, data: &Value) {
        self.say_to(bot, || Out::op(op, data.clone()));
    }
}
