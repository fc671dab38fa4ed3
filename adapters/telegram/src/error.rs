//! What can go wrong with Telegram, and what that means for an Order, in plain words. Decides neither when something is tried
//! again nor by whom.

use std::time::Duration;

use askrelay_core::id::{ConversationId, MessageId};
use askrelay_core::port::{Failure, FailureKind};
use askrelay_core::time::Span;

use crate::place::Spot;

/// Why the bot cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
pub enum TelegramError {
    /// The token has the wrong shape.
    #[error(
        "this is no bot token; BotFather gives one such as 4839574812:AAFD39kkdpWt3ywyRZergyOLMaJhac60qc"
    )]
    Token,
    /// The address of the Bot API server is none.
    #[error("the address of the Bot API server is not an http or https address")]
    ApiUrl,
    /// The secret of the webhook has the wrong shape.
    #[error("the webhook's secret must be 1 to 256 of the characters A-Z, a-z, 0-9, _ and -")]
    Secret,
    /// The client could not be made.
    #[error("the connection to Telegram cannot be set up")]
    Client(#[source] reqwest::Error),
}

/// Why an Order cannot be told to Telegram.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EncodeError {
    /// The conversation's id is none of Telegram's.
    #[error("'{0}' is no Telegram chat; a chat's id is a number such as 4711 or -1001234567890/42")]
    Conversation(ConversationId),
    /// The message's id is none of Telegram's.
    #[error("'{0}' is no Telegram message")]
    Message(MessageId),
    /// There are no select menus.
    #[error("Telegram has no select menus")]
    Menu,
    /// There is nothing to show.
    #[error("there is no text to show")]
    Empty,
}

impl EncodeError {
    pub(crate) fn failure(&self) -> Failure {
        let kind = match self {
            Self::Conversation(_) => FailureKind::Unreachable,
            Self::Message(_) => FailureKind::MessageGone,
            Self::Menu | Self::Empty => FailureKind::Refused,
        };
        Failure { kind, why: self.to_string() }
    }
}

/// Why a call has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// The platform refused it; nothing happened.
    #[error("Telegram refuses: {description}")]
    Refused {
        /// Like an HTTP status.
        code: u16,
        /// The platform's words.
        description: String,
        /// When it may be tried again.
        retry_after: Option<Duration>,
        /// The id that the group has now.
        migrated_to: Option<i64>,
    },
    /// It never left us; nothing happened.
    #[error("Telegram cannot be reached")]
    NotSent(#[source] reqwest::Error),
    /// It may have happened.
    #[error("Telegram did not answer")]
    Lost(#[source] reqwest::Error),
    /// The answer makes no sense; it may have happened.
    #[error("Telegram answered with status {status} and no usable result")]
    Garbled {
        /// The HTTP status.
        status: u16,
    },
}

/// What an error means for what was ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// It is as ordered already.
    Done,
    /// To be repeated after this long: the platform counts our calls.
    Wait(Duration),
    /// The group has another id.
    Moved(i64),
    /// It did not take effect.
    Failed(Failure),
}

/// Where a 429 does not say how long. Own choice, 2026-11.
const WAIT_UNSAID: Duration = Duration::from_secs(5);
/// What passes by itself is tried again after this long. Own choice, 2026-11.
const LATER: Span = Span::seconds(2);
/// What a person has to mend is tried again after this long. Own choice, 2026-11.
const MUCH_LATER: Span = Span::seconds(30);

impl CallError {
    /// What it means for a call about this chat.
    pub(crate) fn meaning(&self, spot: Spot, handle: Option<&str>) -> Meaning {
        match self {
            Self::Refused { migrated_to: Some(to), .. } => Meaning::Moved(*to),
            Self::Refused { code: 429, retry_after, .. } => Meaning::Wait(retry_after.unwrap_or(WAIT_UNSAID)),
            Self::Refused { description, .. } if has(description, "message is not modified") => Meaning::Done,
            Self::Refused { code, description, .. } => {
                Meaning::Failed(refused(*code, description, spot, handle))
            }
            Self::NotSent(_) => failed(FailureKind::Later(LATER), self.to_string()),
            Self::Lost(_) | Self::Garbled { .. } => failed(FailureKind::Unknown, self.to_string()),
        }
    }

    /// Why the Account is offline, for people.
    pub(crate) fn why_offline(&self) -> String {
        match self {
            Self::Refused { code: 401 | 404, .. } => {
                "the token is not valid: take the current one from BotFather".to_owned()
            }
            Self::Refused { code: 409, description, .. } if has(description, "webhook") => {
                "another program set a webhook for this bot: remove it there, or give each program a bot of its own".to_owned()
            }
            Self::Refused { code: 409, .. } => {
                "another program polls this bot: stop it, or give each program a bot of its own".to_owned()
            }
            other => other.to_string(),
        }
    }

    /// Only a person can mend it.
    pub(crate) const fn is_lasting(&self) -> bool {
        matches!(self, Self::Refused { code: 401 | 404 | 409, .. })
    }
}

fn failed(kind: FailureKind, why: String) -> Meaning {
    Meaning::Failed(Failure { kind, why })
}

fn has(description: &str, part: &str) -> bool {
    description.to_ascii_lowercase().contains(part)
}

/// The platform's refusals that mean something to us, by a part of its words.
const REFUSALS: [(&str, FailureKind, Why); 22] = {
    use FailureKind::{MessageGone, Unreachable};
    [
        (
            "bot was blocked by the user",
            Unreachable,
            Why::Words("the person blocked the bot: they must unblock it"),
        ),
        ("can't initiate conversation", Unreachable, Why::PressStart),
        (
            "bot can't send messages to bots",
            Unreachable,
            Why::Words("this is another bot, and bots do not see each other"),
        ),
        ("user is deactivated", Unreachable, Why::Words("this Telegram account was deleted")),
        ("bot was kicked", Unreachable, Why::Words("the bot was removed from the chat: add it again")),
        ("bot is not a member", Unreachable, Why::Words("the bot is not in this chat: add it")),
        ("group is deactivated", Unreachable, Why::Words("this group was deleted")),
        ("group chat was deleted", Unreachable, Why::Words("this group was deleted")),
        ("chat not found", Unreachable, Why::NoChat),
        ("peer_id_invalid", Unreachable, Why::NoChat),
        ("message thread not found", Unreachable, Why::Words("this topic is not there (any more)")),
        ("topic_deleted", Unreachable, Why::Words("this topic was deleted")),
        ("topic_closed", Unreachable, Why::Words("this topic is closed: the bot may not write there")),
        (
            "not enough rights",
            Unreachable,
            Why::Words("the bot may not write in this chat: give it the right to"),
        ),
        (
            "have no rights",
            Unreachable,
            Why::Words("the bot may not write in this chat: give it the right to"),
        ),
        (
            "chat_write_forbidden",
            Unreachable,
            Why::Words("the bot may not write in this chat: give it the right to"),
        ),
        (
            "need administrator rights",
            Unreachable,
            Why::Words("the bot must be an administrator to write in this channel"),
        ),
        ("message to edit not found", MessageGone, Why::Words("the message was deleted")),
        ("message can't be edited", MessageGone, Why::Words("the message cannot be edited any more")),
        ("message_id_invalid", MessageGone, Why::Words("the message was deleted")),
        ("message identifier is not specified", MessageGone, Why::Words("the message was deleted")),
        (
            "there is no text in the message to edit",
            MessageGone,
            Why::Words("the message is not one of ours"),
        ),
    ]
};

#[derive(Clone, Copy)]
enum Why {
    Words(&'static str),
    PressStart,
    NoChat,
}

fn refused(code: u16, description: &str, spot: Spot, handle: Option<&str>) -> Failure {
    if matches!(code, 401 | 404) {
        let why = "the bot's token is not valid".to_owned();
        return Failure { kind: FailureKind::Later(MUCH_LATER), why };
    }
    let row = REFUSALS.iter().find(|(part, ..)| has(description, part));
    let (kind, why) = match row {
        Some((_, kind, why)) => (*kind, in_words(*why, spot, handle)),
        None if code == 403 => (FailureKind::Unreachable, format!("Telegram refuses: {description}")),
        None => (FailureKind::Refused, format!("Telegram refuses: {description}")),
    };
    Failure { kind, why }
}

fn in_words(why: Why, spot: Spot, handle: Option<&str>) -> String {
    let bot = handle.map_or_else(|| "the bot".to_owned(), |handle| format!("@{handle}"));
    match why {
        Why::Words(words) => words.to_owned(),
        Why::NoChat if !spot.is_private() => format!("there is no such chat, or {bot} is not in it: add it"),
        // The platform does not know a person for a bot that never met them.
        Why::PressStart | Why::NoChat => {
            format!(
                "the bot cannot write first: ask the person (user {}) to open {bot} and press Start",
                spot.chat.0
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use teloxide::types::ChatId;

    use super::*;

    fn refusal(code: u16, description: &str) -> CallError {
        CallError::Refused { code, description: description.to_owned(), retry_after: None, migrated_to: None }
    }

    #[test]
    fn refusals_are_told_in_plain_words() {
        use FailureKind::{Later, MessageGone, Refused, Unreachable};
        let (person, group) = (4711, -1_001_234_567_890);
        let rows = [
            (403, "Forbidden: bot was blocked by the user", person, Unreachable, "unblock"),
            (
                403,
                "Forbidden: bot can't initiate conversation with a user",
                person,
                Unreachable,
                "press Start",
            ),
            (403, "Forbidden: user is deactivated", person, Unreachable, "deleted"),
            (403, "Forbidden: bot was kicked from the supergroup chat", group, Unreachable, "add it again"),
            (403, "Forbidden: bot is not a member of the channel chat", group, Unreachable, "add it"),
            (403, "Forbidden: something new", group, Unreachable, "something new"),
            (400, "Bad Request: chat not found", person, Unreachable, "open @askbot and press Start"),
            (400, "Bad Request: chat not found", group, Unreachable, "@askbot is not in it"),
            (400, "Bad Request: message thread not found", group, Unreachable, "topic"),
            (400, "Bad Request: TOPIC_CLOSED", group, Unreachable, "closed"),
            (
                400,
                "Bad Request: not enough rights to send text messages to the chat",
                group,
                Unreachable,
                "right",
            ),
            (400, "Bad Request: message to edit not found", person, MessageGone, "deleted"),
            (400, "Bad Request: message can't be edited", person, MessageGone, "edited"),
            (400, "Bad Request: MESSAGE_ID_INVALID", person, MessageGone, "deleted"),
            (400, "Bad Request: reply markup is too long", person, Refused, "too long"),
            (400, "Bad Request: message is too long", person, Refused, "too long"),
            (401, "Unauthorized", person, Later(MUCH_LATER), "token"),
        ];
        for (code, description, chat, kind, words) in rows {
            let spot = Spot { chat: ChatId(chat), topic: None };
            match refusal(code, description).meaning(spot, Some("askbot")) {
                Meaning::Failed(failure) => {
                    assert_eq!(failure.kind, kind, "{description}");
                    assert!(failure.why.contains(words), "{description}: {}", failure.why);
                }
                other => panic!("{description} means {other:?}"),
            }
        }
    }

    #[test]
    fn some_refusals_are_no_failures() {
        let spot = Spot { chat: ChatId(4711), topic: None };
        let unchanged = "Bad Request: message is not modified: specified new message content and reply markup are exactly the same";
        assert_eq!(refusal(400, unchanged).meaning(spot, None), Meaning::Done);
        assert_eq!(refusal(429, "Too Many Requests").meaning(spot, None), Meaning::Wait(WAIT_UNSAID));
        let flood = CallError::Refused {
            code: 429,
            description: "Too Many Requests: retry after 35".to_owned(),
            retry_after: Some(Duration::from_secs(35)),
            migrated_to: None,
        };
        assert_eq!(flood.meaning(spot, None), Meaning::Wait(Duration::from_secs(35)));
        let moved = CallError::Refused {
            code: 400,
            description: "Bad Request: group chat was upgraded to a supergroup chat".to_owned(),
            retry_after: None,
            migrated_to: Some(-100_555),
        };
        assert_eq!(moved.meaning(spot, None), Meaning::Moved(-100_555));
    }

    #[test]
    fn a_second_program_and_a_wrong_token_are_named() {
        let rows = [
            (409, "Conflict: terminated by other getUpdates request", "another program polls"),
            (409, "Conflict: can't use getUpdates method while webhook is active", "webhook"),
            (401, "Unauthorized", "token"),
            (404, "Not Found", "token"),
        ];
        for (code, description, words) in rows {
            let error = refusal(code, description);
            assert!(error.is_lasting() && error.why_offline().contains(words), "{description}");
        }
    }
}
