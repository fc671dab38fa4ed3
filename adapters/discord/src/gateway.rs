//! The gateway's frames and sessions: what is said to it, what it says, and what the end of a connection means. Pure: opens no
//! socket and reads no clock. Our own, since serenity's connection can be read only by its client, which starts a new session, and
//! loses what was missed, whenever a reconnect does not succeed at once.

use std::borrow::Cow;

use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use serenity::model::gateway::GatewayIntents;

use crate::error::WRONG_TOKEN;

/// Version of the gateway that we speak.
const VERSION: &str = "10";

/// What a frame is about (D/topics/opcodes-and-status-codes).
pub(crate) mod op {
    pub(crate) const DISPATCH: u8 = 0;
    pub(crate) const HEARTBEAT: u8 = 1;
    pub(crate) const IDENTIFY: u8 = 2;
    pub(crate) const RESUME: u8 = 6;
    pub(crate) const RECONNECT: u8 = 7;
    pub(crate) const INVALID_SESSION: u8 = 9;
    pub(crate) const HELLO: u8 = 10;
    pub(crate) const HEARTBEAT_ACK: u8 = 11;
}

/// One frame; what it carries is read only where it is of use.
#[derive(Debug, Deserialize)]
pub(crate) struct Frame<'a> {
    pub(crate) op: u8,
    #[serde(borrow, default)]
    pub(crate) d: Option<&'a RawValue>,
    #[serde(default)]
    pub(crate) s: Option<u64>,
    #[serde(borrow, default)]
    pub(crate) t: Option<Cow<'a, str>>,
}

impl<'a> Frame<'a> {
    /// What it carries, as JSON.
    pub(crate) fn data(&self) -> &'a str {
        self.d.map_or("null", RawValue::get)
    }
}

/// A session that can be taken up again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Session {
    pub(crate) id: String,
    /// The number of the newest event that came.
    pub(crate) newest: u64,
    /// Where it is to be taken up.
    pub(crate) url: Option<Url>,
}

#[derive(Deserialize)]
struct Ready {
    session_id: String,
    resume_gateway_url: Option<String>,
}

#[derive(Deserialize)]
struct Hello {
    heartbeat_interval: u64,
}

impl Session {
    /// The session that READY begins.
    pub(crate) fn begun(data: &str, newest: u64) -> Option<Self> {
        let ready: Ready = serde_json::from_str(data).ok()?;
        let url = ready.resume_gateway_url.and_then(|url| Url::parse(&url).ok());
        Some(Self { id: ready.session_id, newest, url: url.filter(is_gateway) })
    }

    pub(crate) fn resume(&self, token: &SecretString) -> Value {
        let data = json!({ "token": token.expose_secret(), "session_id": self.id, "seq": self.newest });
        json!({ "op": op::RESUME, "d": data })
    }
}

/// How often the gateway wants to hear from us, in milliseconds.
pub(crate) fn heartbeat_interval(data: &str) -> Option<u64> {
    serde_json::from_str::<Hello>(data).ok().map(|hello| hello.heartbeat_interval).filter(|ms| *ms > 0)
}

pub(crate) fn heartbeat(newest: Option<u64>) -> Value {
    json!({ "op": op::HEARTBEAT, "d": newest })
}

pub(crate) fn identify(token: &SecretString, intents: GatewayIntents) -> Value {
    json!({
        "op": op::IDENTIFY,
        "d": {
            "token": token.expose_secret(),
            "intents": intents.bits(),
            "properties": { "os": std::env::consts::OS, "browser": "askrelay", "device": "askrelay" },
        },
    })
}

/// What we want to hear about. What people write to each other only where the application may read it.
pub(crate) fn intents(reads_texts: bool) -> GatewayIntents {
    let always = GatewayIntents::GUILDS | GatewayIntents::GUILD_MESSAGES | GatewayIntents::DIRECT_MESSAGES;
    if reads_texts { always | GatewayIntents::MESSAGE_CONTENT } else { always }
}

/// Whether an address can be a gateway's.
pub(crate) fn is_gateway(url: &Url) -> bool {
    matches!(url.scheme(), "ws" | "wss") && url.has_host()
}

/// The address with what the platform wants to be told in it.
pub(crate) fn address(url: &Url) -> Url {
    let mut url = url.clone();
    url.query_pairs_mut().clear().append_pair("v", VERSION).append_pair("encoding", "json");
    url
}

/// What the end of a connection means for the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The session goes on.
    Resume,
    /// Another session is needed.
    Anew,
    /// The application may not read what people write.
    NoTexts,
    /// Only a person can mend it.
    Refused(&'static str),
}

/// What the platform means by closing a connection with this code (D/topics/opcodes-and-status-codes).
pub(crate) const fn closed(code: u16) -> Ended {
    match code {
        4004 => Ended::Refused(WRONG_TOKEN),
        4007 | 4009 => Ended::Anew,
        4010 | 4011 => Ended::Refused(
            "the bot is in more servers than one connection carries: give askrelay a bot of its own",
        ),
        4012 => {
            Ended::Refused("Discord does not speak this version of its gateway any more: update askrelay")
        }
        4013 => Ended::Refused("Discord does not know what we want to hear about: update askrelay"),
        4014 => Ended::NoTexts,
        _ => Ended::Resume,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read() {
        let rows = [
            ("an event", r#"{"op":0,"d":{"a":[1]},"s":42,"t":"X"}"#, Some((0, r#"{"a":[1]}"#, Some(42)))),
            (
                "a greeting",
                r#"{"op":10,"d":{"heartbeat_interval":41250},"s":null,"t":null}"#,
                Some((10, r#"{"heartbeat_interval":41250}"#, None)),
            ),
            ("an answer", r#"{"op":11}"#, Some((11, "null", None))),
            ("a kind nobody knows", r#"{"op":99,"d":false}"#, Some((99, "false", None))),
            ("no frame", r#"{"d":1}"#, None),
            ("no JSON", "hello", None),
        ];
        for (name, text, expected) in rows {
            let frame: Option<Frame<'_>> = serde_json::from_str(text).ok();
            let read = frame.as_ref().map(|frame| (frame.op, frame.data(), frame.s));
            assert_eq!(read, expected, "{name}");
        }
        assert_eq!(heartbeat_interval(r#"{"heartbeat_interval":41250}"#), Some(41250));
        assert_eq!(heartbeat_interval(r#"{"heartbeat_interval":0}"#), None);
    }

    #[test]
    fn a_session_is_taken_up_where_it_says() {
        let rows = [
            (
                r#"{"session_id":"s","resume_gateway_url":"wss://gateway-us.discord.gg"}"#,
                Some("wss://gateway-us.discord.gg/"),
            ),
            (r#"{"session_id":"s","resume_gateway_url":"https://example.org"}"#, None),
            (r#"{"session_id":"s"}"#, None),
        ];
        for (ready, expected) in rows {
            let session = Session::begun(ready, 1).unwrap();
            assert_eq!(
                (session.id.as_str(), session.url.as_ref().map(Url::as_str)),
                ("s", expected),
                "{ready}"
            );
        }
        assert_eq!(Session::begun("{}", 1), None);
        let url = Url::parse("wss://gateway.discord.gg/?v=9").unwrap();
        assert_eq!(address(&url).as_str(), "wss://gateway.discord.gg/?v=10&encoding=json");
    }

    #[test]
    fn closes_are_told_in_plain_words() {
        for (code, expected) in [
            (1000, Ended::Resume),
            (4000, Ended::Resume),
            (4007, Ended::Anew),
            (4009, Ended::Anew),
            (4014, Ended::NoTexts),
        ] {
            assert_eq!(closed(code), expected, "{code}");
        }
        for (code, words) in
            [(4004, "developer portal"), (4011, "servers"), (4012, "update"), (4013, "update")]
        {
            assert!(matches!(closed(code), Ended::Refused(why) if why.contains(words)), "{code}");
        }
    }

    #[test]
    fn we_hear_what_is_needed() {
        assert_eq!(intents(false).bits(), 1 | 1 << 9 | 1 << 12);
        assert_eq!(intents(true).bits(), 1 | 1 << 9 | 1 << 12 | 1 << 15);
    }
}
