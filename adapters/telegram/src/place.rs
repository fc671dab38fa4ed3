//! Conversations as ids: a chat, or a chat and one of its topics. Knows nothing of what is in them.

use askrelay_core::id::ConversationId;
use teloxide::types::{ChatId, MessageId, ThreadId};

use crate::limits::GENERAL_TOPIC;

/// Where in Telegram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The chat.
    pub(crate) chat: ChatId,
    /// One of its topics; none stands for the General topic, too.
    pub(crate) topic: Option<ThreadId>,
}

impl Spot {
    /// The spot behind `-1001234567890/42` or `4711`; nothing where it is no such id.
    pub(crate) fn parse(conversation: &ConversationId) -> Option<Self> {
        let text = conversation.as_str();
        let (chat, topic) = text.split_once('/').map_or((text, None), |(chat, topic)| (chat, Some(topic)));
        let chat = chat.parse().ok().filter(|id| *id != 0)?;
        let topic = match topic {
            Some(topic) => Some(topic.parse::<i32>().ok().filter(|id| *id > 0)?),
            None => None,
        };
        let topic = topic.filter(|id| *id != GENERAL_TOPIC);
        Some(Self { chat: ChatId(chat), topic: topic.map(|id| ThreadId(MessageId(id))) })
    }

    /// Only one person and the bot are there.
    pub(crate) const fn is_private(self) -> bool {
        self.chat.0 > 0
    }
}

/// The id of a chat's topic, or of the chat outside of topics.
pub(crate) fn conversation(chat: i64, topic: Option<i64>) -> ConversationId {
    match topic {
        Some(topic) if topic != i64::from(GENERAL_TOPIC) => format!("{chat}/{topic}").into(),
        _ => chat.to_string().into(),
    }
}

/// Whether this can be the id of a conversation: `4711`, `-1001234567890`, or `-1001234567890/42` for a topic.
#[must_use]
pub fn is_conversation(text: &str) -> bool {
    Spot::parse(&text.into()).is_some()
}

/// Whether this can be the id of a user: decimal digits, never a name.
#[must_use]
pub fn is_user(text: &str) -> bool {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits && text.parse().is_ok_and(|id: i64| id > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An id, and the chat and topic it names.
    type Row<'a> = (&'a str, Option<(i64, Option<i32>)>);

    #[test]
    fn ids_are_read_and_written() {
        let rows: [Row<'_>; 12] = [
            ("4711", Some((4711, None))),
            ("-4711", Some((-4711, None))),
            ("-1001234567890", Some((-1_001_234_567_890, None))),
            ("-1001234567890/42", Some((-1_001_234_567_890, Some(42)))),
            ("-1001234567890/1", Some((-1_001_234_567_890, None))),
            ("nowhere", None),
            ("", None),
            ("0", None),
            ("-100/x", None),
            ("-100/0", None),
            ("-100/4/2", None),
            ("9223372036854775808", None),
        ];
        for (text, expected) in rows {
            let spot = Spot::parse(&text.into());
            let read = spot.map(|spot| (spot.chat.0, spot.topic.map(|topic| topic.0.0)));
            assert_eq!(read, expected, "{text}");
        }
        assert_eq!(conversation(-100, Some(42)).as_str(), "-100/42");
        assert_eq!(conversation(-100, Some(1)).as_str(), "-100");
        assert_eq!(conversation(4711, None).as_str(), "4711");
    }

    #[test]
    fn users_have_numbers() {
        for (text, fine) in
            [("700100", true), ("@name", false), ("-100", false), ("+7", false), ("0", false), ("", false)]
        {
            assert_eq!(is_user(text), fine, "{text}");
        }
    }
}
