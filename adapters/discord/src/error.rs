//! What can go wrong with Discord, and what that means for an Order, in plain words. Decides neither when something is tried
//! again nor by whom.

use std::time::Duration;

use askrelay_core::id::{ConversationId, MessageId};
use askrelay_core::port::{Failure, FailureKind};
use askrelay_core::time::Span;

use crate::place::Spot;

/// Why the bot cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
pub enum DiscordError {
    /// The token has the wrong shape.
    #[error(
        "this is no bot token; the developer portal gives one under Bot, Reset Token: three parts with points between them"
    )]
    Token,
    /// The address of the REST interface is none.
    #[error(
        "the address of Discord's REST interface is not an http or https address: write api_url like https://discord.com/api/v10, or leave it out"
    )]
    ApiUrl,
    /// The address of the gateway is none.
    #[error(
        "the address of Discord's gateway is not a ws or wss address: write gateway_url like wss://gateway.discord.gg, or leave it out, and Discord tells it"
    )]
    GatewayUrl,
    /// The client could not be made.
    #[error(
        "the connection to Discord cannot be set up: look at this machine's certificates and proxy settings"
    )]
    Client(#[source] reqwest::Error),
}

/// Why an Order cannot be told to Discord.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EncodeError {
    /// The conversation's id is none of Discord's.
    #[error(
        "'{0}' is no Discord conversation; a channel's, thread's or post's id is a number such as 41771983423143937, a person's has an @ before it"
    )]
    Conversation(ConversationId),
    /// The message's id is none of Discord's.
    #[error("'{0}' is no Discord message, whose id is a number: it cannot be changed any more")]
    Message(MessageId),
    /// Inputs are only in forms.
    #[error("Discord has inputs in forms only, not in messages")]
    Input,
    /// Forms have no buttons.
    #[error("Discord has no buttons in forms")]
    Button,
    /// What a control would bring back is too long.
    #[error("what a control brings back must have 1 to 100 characters")]
    Token,
    /// There is nothing to show.
    #[error("there is no text to show")]
    Empty,
}

impl EncodeError {
    pub(crate) fn failure(&self) -> Failure {
        let kind = match self {
            Self::Conversation(_) => FailureKind::Unreachable,
            Self::Message(_) => FailureKind::MessageGone,
            Self::Input | Self::Button | Self::Token | Self::Empty => FailureKind::Refused,
        };
        Failure { kind, why: self.to_string() }
    }
}

/// Why a call has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// The platform refused it; nothing happened.
    #[error("Discord refuses: {message} ({status}, code {code})")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The platform's own code; 0 where there is none.
        code: u64,
        /// The platform's words, with the faults it found and where.
        message: String,
    },
    /// Too many calls; nothing happened.
    #[error("Discord takes no calls for {} ms, since there were too many: it is tried again after that", retry_after.as_millis())]
    Limited {
        /// For how long.
        retry_after: Duration,
        /// All calls, not only those of this kind.
        global: bool,
    },
    /// It never left us; nothing happened.
    #[error(
        "Discord cannot be reached: look at this machine's network, at a proxy on the way, and at api_url"
    )]
    NotSent(#[source] reqwest::Error),
    /// It may have happened.
    #[error(
        "Discord did not answer: if that lasts, look at this machine's network and at https://discordstatus.com"
    )]
    Lost(#[source] reqwest::Error),
    /// An interaction could not be answered in time.
    #[error("Discord did not take the answer to a press in time")]
    TooLate,
    /// The answer makes no sense; it may have happened.
    #[error(
        "Discord answered with status {status} and no usable result: if that lasts, look at api_url, at a proxy on the way, and at https://discordstatus.com"
    )]
    Garbled {
        /// The HTTP status.
        status: u16,
    },
}

/// What an error means for what was ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// To be repeated after this long: the platform counts our calls.
    Wait {
        /// For how long.
        wait: Duration,
        /// All calls wait, not only those of this kind.
        global: bool,
    },
    /// The thread is archived, and to be re-opened first.
    Archived,
    /// Nobody knows whether it took effect.
    Unknown(Failure),
    /// It did not take effect.
    Failed(Failure),
}

/// What passes by itself is tried again after this long. Own choice, 2026-11.
const LATER: Span = Span::seconds(2);
/// What a person has to mend, or what takes an hour, is tried again after this long. Own choice, 2026-11.
const MUCH_LATER: Span = Span::seconds(30);

/// The thread is archived (D/topics/opcodes-and-status-codes).
const ARCHIVED: u64 = 50_083;

/// The interaction was answered before (D/topics/opcodes-and-status-codes).
const ANSWERED: u64 = 40_060;

impl CallError {
    /// What it means for a call about this conversation.
    pub(crate) fn meaning(&self, spot: Spot) -> Meaning {
        match self {
            Self::Limited { retry_after, global } => Meaning::Wait { wait: *retry_after, global: *global },
            Self::Refused { code: ARCHIVED, .. } => Meaning::Archived,
            Self::Refused { status, code, message } => {
                Meaning::Failed(refused(*status, *code, message, spot))
            }
            Self::NotSent(_) => {
                Meaning::Failed(Failure { kind: FailureKind::Later(LATER), why: self.to_string() })
            }
            Self::Lost(_) | Self::TooLate | Self::Garbled { .. } => {
                Meaning::Unknown(Failure { kind: FailureKind::Unknown, why: self.to_string() })
            }
        }
    }

    /// Why the Account is offline, for people.
    pub(crate) fn why_offline(&self) -> String {
        match self {
            Self::Refused { status: 401, code: 0, .. } => WRONG_TOKEN.to_owned(),
            other => other.to_string(),
        }
    }

    /// Only a person can mend it.
    pub(crate) const fn is_lasting(&self) -> bool {
        matches!(self, Self::Refused { status: 401, code: 0, .. })
    }

    /// The interaction was answered before.
    pub(crate) const fn is_answered_already(&self) -> bool {
        matches!(self, Self::Refused { code: ANSWERED, .. })
    }

    /// The platform has no such thing, or does not let us see it.
    pub(crate) const fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused { .. })
    }
}

/// What can be wrong with the gateway.
pub(crate) mod gateway_fault {
    pub(crate) const NO_ADDRESS: &str =
        "Discord does not say where its gateway is: look at api_url, or set gateway_url";
    pub(crate) const OUT_OF_REACH: &str = "Discord's gateway cannot be reached: look at this machine's network, at a proxy on the way, and at gateway_url";
    pub(crate) const SILENT: &str = "Discord's gateway does not answer: if that lasts, look at gateway_url and at https://discordstatus.com";
    pub(crate) const ENDED: &str =
        "Discord's gateway ended the connection: if that lasts, look at https://discordstatus.com";
    pub(crate) const INTENTS: &str = "Discord refuses what the bot wants to hear about: update askrelay, or make a new bot in the developer portal";
}

/// What is wrong with the token.
pub(crate) const WRONG_TOKEN: &str =
    "the bot's token is not valid: take a new one from the developer portal, under Bot, Reset Token";

/// The platform's refusals that mean something to us, by its code (D/topics/opcodes-and-status-codes).
const REFUSALS: [(u64, FailureKind, &str); 25] = {
    use FailureKind::{Later, MessageGone, Refused, Unreachable};
    [
        (
            10_003,
            Unreachable,
            "there is no such channel, or the bot does not see it: invite the bot, and let it view the channel",
        ),
        (10_004, Unreachable, "the bot is not in this server: invite it"),
        (10_008, MessageGone, "the message was deleted: it is shown anew where it is still asked"),
        (10_013, Unreachable, "there is no such person on Discord: check the id behind the @"),
        (
            20_016,
            Later(LATER),
            "the channel is in slow mode: give the bot the permission Manage Messages, which is exempt from it",
        ),
        (20_028, Later(LATER), "too much is written in this channel at the moment: it is tried again later"),
        (
            30_046,
            Later(MUCH_LATER),
            "Discord lets messages older than an hour be edited only now and then: it is tried again later",
        ),
        (
            40_002,
            Unreachable,
            "Discord wants this bot's owner to verify their account first: do so in Discord's settings",
        ),
        (50_001, Unreachable, "the bot does not see this channel: give it the permission View Channel there"),
        (50_005, MessageGone, "the message is not one of ours: only the bot that wrote it can change it"),
        (50_006, Refused, "Discord shows no empty messages: ask with words"),
        (
            50_007,
            Unreachable,
            "the person takes no direct messages from the bot: they must be in a server with it, and allow direct messages there",
        ),
        (50_008, Unreachable, "nobody can write in this channel itself: name one of its threads or posts"),
        (
            50_013,
            Unreachable,
            "the bot may not write in this channel: give it the permissions View Channel, Send Messages, Send Messages in Threads and Read Message History",
        ),
        (50_021, MessageGone, "the message is one of Discord's own: nobody can change it"),
        (50_024, Unreachable, "nobody can write in this channel itself: name one of its threads or posts"),
        (
            50_278,
            Unreachable,
            "the person takes no direct messages from the bot: they must be in a server with it, and allow direct messages there",
        ),
        (
            50_033,
            Unreachable,
            "there is no such person on Discord, or the bot cannot write to them: check the id behind the @",
        ),
        (130_000, Later(LATER), "Discord is overloaded at the moment: it is tried again later"),
        (
            160_002,
            Unreachable,
            "the bot may not reply in this channel: give it the permission Read Message History",
        ),
        (
            160_005,
            Unreachable,
            "this thread is locked: unlock it, or give the bot the permission Manage Threads",
        ),
        (160_006, Unreachable, "too many threads of this server are open: close some"),
        (
            200_000,
            Refused,
            "the rules of this server (AutoMod) block the message: exempt a role of the bot from them",
        ),
        (
            200_001,
            Refused,
            "the rules of this server (AutoMod) block the message: exempt a role of the bot from them",
        ),
        (240_000, Refused, "Discord takes an address in the message for harmful: ask without it"),
    ]
};

fn refused(status: u16, code: u64, message: &str, spot: Spot) -> Failure {
    if status == 401 && code == 0 {
        return Failure { kind: FailureKind::Later(MUCH_LATER), why: WRONG_TOKEN.to_owned() };
    }
    if let Some((_, kind, why)) = REFUSALS.iter().find(|(known, ..)| *known == code) {
        return Failure { kind: *kind, why: in_words(code, why, spot) };
    }
    match status {
        403 => Failure {
            kind: FailureKind::Unreachable,
            why: format!("Discord forbids it ({message}): check the bot's permissions there"),
        },
        _ => Failure {
            kind: FailureKind::Refused,
            why: format!("Discord refuses what was sent ({message}, code {code}): ask in other words"),
        },
    }
}

fn in_words(code: u64, why: &str, spot: Spot) -> String {
    match (code, spot) {
        // A person's channel is opened for every message anew, so the person is what is not there.
        (10_003 | 50_001, Spot::Person(_)) => "the bot cannot write to this person: they must be in a server with it, and allow direct messages there".to_owned(),
        _ => why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Snowflake;

    const CHANNEL: Spot = Spot::Channel(Snowflake(4711));
    const PERSON: Spot = Spot::Person(Snowflake(4711));

    fn refusal(status: u16, code: u64, message: &str) -> CallError {
        CallError::Refused { status, code, message: message.to_owned() }
    }

    #[test]
    fn refusals_are_told_in_plain_words() {
        use FailureKind::{Later, MessageGone, Refused, Unreachable};
        let rows = [
            (404, 10_003, "Unknown Channel", CHANNEL, Unreachable, "invite the bot"),
            (404, 10_003, "Unknown Channel", PERSON, Unreachable, "person"),
            (404, 10_008, "Unknown Message", CHANNEL, MessageGone, "deleted"),
            (404, 10_013, "Unknown User", PERSON, Unreachable, "no such person"),
            (403, 50_001, "Missing Access", CHANNEL, Unreachable, "View Channel"),
            (403, 50_005, "Cannot edit a message authored by another user", CHANNEL, MessageGone, "ours"),
            (403, 50_007, "Cannot send messages to this user", PERSON, Unreachable, "direct messages"),
            (400, 50_008, "Cannot send messages in a non-text channel", CHANNEL, Unreachable, "posts"),
            (403, 50_013, "Missing Permissions", CHANNEL, Unreachable, "Send Messages"),
            (400, 50_035, "Invalid Form Body: content: too long", CHANNEL, Refused, "too long"),
            (400, 160_002, "Cannot reply", CHANNEL, Unreachable, "Read Message History"),
            (400, 160_005, "Thread is locked", CHANNEL, Unreachable, "Manage Threads"),
            (400, 200_000, "Message was blocked by AutoMod", CHANNEL, Refused, "AutoMod"),
            (429, 30_046, "Maximum number of edits", CHANNEL, Later(MUCH_LATER), "hour"),
            (403, 0, "Forbidden", CHANNEL, Unreachable, "Forbidden"),
            (400, 99_999, "Something new", CHANNEL, Refused, "Something new"),
            (401, 0, "401: Unauthorized", CHANNEL, Later(MUCH_LATER), "token"),
        ];
        for (status, code, message, spot, kind, words) in rows {
            match refusal(status, code, message).meaning(spot) {
                Meaning::Failed(failure) => {
                    assert_eq!(failure.kind, kind, "{message}");
                    assert!(failure.why.contains(words), "{message}: {}", failure.why);
                }
                other => panic!("{message} means {other:?}"),
            }
        }
    }

    #[test]
    fn some_refusals_are_no_failures() {
        assert_eq!(refusal(400, 50_083, "Thread is archived").meaning(CHANNEL), Meaning::Archived);
        let wait = Duration::from_millis(1336);
        let limited = CallError::Limited { retry_after: wait, global: true };
        assert_eq!(limited.meaning(CHANNEL), Meaning::Wait { wait, global: true });
        assert!(matches!(CallError::Garbled { status: 502 }.meaning(CHANNEL), Meaning::Unknown(_)));
    }

    /// Every fault is told with its way out, behind a colon or a semicolon.
    #[test]
    fn every_fault_has_its_way_out() {
        let after = Duration::from_secs(1);
        let mut told: Vec<String> = REFUSALS.iter().map(|(_, _, why)| (*why).to_owned()).collect();
        told.extend(
            [DiscordError::Token, DiscordError::ApiUrl, DiscordError::GatewayUrl].map(|e| e.to_string()),
        );
        told.extend(
            [EncodeError::Conversation("#a".into()), EncodeError::Message("m".into())].map(|e| e.to_string()),
        );
        told.push(CallError::Limited { retry_after: after, global: true }.to_string());
        told.push(CallError::Garbled { status: 502 }.to_string());
        for spot in [CHANNEL, PERSON] {
            for (status, code) in [(401, 0), (403, 0), (400, 99_999), (404, 10_003), (403, 50_001)] {
                told.push(refused(status, code, "Something", spot).why);
            }
        }
        for code in [4004, 4010, 4011, 4012, 4013] {
            match crate::gateway::closed(code) {
                crate::gateway::Ended::Refused(why) => told.push(why.to_owned()),
                other => panic!("{code} means {other:?}"),
            }
        }
        use super::gateway_fault::{ENDED, INTENTS, NO_ADDRESS, OUT_OF_REACH, SILENT};
        told.extend([ENDED, INTENTS, NO_ADDRESS, OUT_OF_REACH, SILENT].map(str::to_owned));
        for why in told {
            let way_out = why.split_once([':', ';']).map(|(_, way_out)| way_out.split_whitespace().count());
            assert!(way_out.is_some_and(|words| words >= 2), "{why}");
        }
    }

    #[test]
    fn a_wrong_token_is_named() {
        let error = refusal(401, 0, "401: Unauthorized");
        assert!(error.is_lasting() && error.why_offline().contains("developer portal"));
        assert!(!refusal(403, 50_001, "Missing Access").is_lasting());
    }
}
