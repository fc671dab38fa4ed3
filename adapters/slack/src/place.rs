//! Conversations as ids: a channel, a thread in it, or a person to whom the bot writes directly. Knows nothing of what is in them.

use askrelay_core::id::ConversationId;

/// Where in Slack.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    /// The conversation.
    pub(crate) room: Room,
    /// The `ts` of the message at which a thread in it began.
    pub(crate) thread: Option<String>,
}

/// A conversation without its threads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Room {
    /// A channel, public or private, or a conversation of several people.
    Channel(String),
    /// The direct conversation with this user; its channel is looked up.
    Person(String),
}

impl Spot {
    /// The spot behind `C024BE91L`, `C024BE91L/1764500000.000100` or `@U024BE7LH`; nothing where it is no such id.
    pub(crate) fn parse(conversation: &ConversationId) -> Option<Self> {
        let text = conversation.as_str();
        if let Some(user) = text.strip_prefix('@') {
            let room = Room::Person(user.to_owned());
            return is_id(user, &['U', 'W']).then_some(Self { room, thread: None });
        }
        let (channel, thread) =
            text.split_once('/').map_or((text, None), |(channel, thread)| (channel, Some(thread)));
        if !is_id(channel, &['C', 'G']) || thread.is_some_and(|thread| position(thread).is_none()) {
            return None;
        }
        Some(Self { room: Room::Channel(channel.to_owned()), thread: thread.map(str::to_owned) })
    }

    /// Only one person and the bot are there.
    pub(crate) const fn is_private(&self) -> bool {
        matches!(self.room, Room::Person(_))
    }

    /// Its id.
    pub(crate) fn conversation(&self) -> ConversationId {
        match (&self.room, &self.thread) {
            (Room::Person(user), _) => format!("@{user}").into(),
            (Room::Channel(channel), None) => channel.clone().into(),
            (Room::Channel(channel), Some(thread)) => format!("{channel}/{thread}").into(),
        }
    }
}

/// A `ts` in microseconds since 1970, which is also the order of messages; nothing where it is none.
pub(crate) fn position(ts: &str) -> Option<i64> {
    let (seconds, micros) = ts.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(seconds) || !digits(micros) || micros.len() != 6 {
        return None;
    }
    seconds.parse::<i64>().ok()?.checked_mul(1_000_000)?.checked_add(micros.parse().ok()?)
}

fn is_id(text: &str, kinds: &[char]) -> bool {
    text.starts_with(kinds)
        && text.len() > 1
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Whether this can be the id of a conversation: `C024BE91L`, `C024BE91L/1764500000.000100` for a thread, `@U024BE7LH` for a
/// person.
#[must_use]
pub fn is_conversation(text: &str) -> bool {
    Spot::parse(&text.into()).is_some()
}

/// Whether this can be the id of a user: the team or organisation and the member, `T024BE7LD/U024BE7LH`.
#[must_use]
pub fn is_user(text: &str) -> bool {
    let whole = text.split_once('/');
    whole.is_some_and(|(team, user)| is_id(team, &['T', 'E']) && is_id(user, &['U', 'W']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_and_written() {
        for (text, fine) in [
            ("C024BE91L", true),
            ("G012AC86C", true),
            ("C024BE91L/1764500000.000100", true),
            ("@U024BE7LH", true),
            ("@W024BE7LH", true),
            ("nowhere", false),
            ("", false),
            ("C", false),
            ("D024BE91L", false),
            ("@C024BE91L", false),
            ("@U024BE7LH/1764500000.000100", false),
            ("C024BE91L/", false),
            ("C024BE91L/17645", false),
            ("C024BE91L/1764500000.000100/1764500000.000100", false),
            ("#general", false),
        ] {
            let spot = Spot::parse(&text.into());
            assert_eq!(spot.is_some(), fine, "{text}");
            if let Some(spot) = spot {
                assert_eq!(spot.conversation().as_str(), text);
                assert_eq!(spot.is_private(), text.starts_with('@'));
            }
        }
    }

    #[test]
    fn a_position_is_the_time_in_microseconds() {
        for (ts, expected) in [
            ("1764500000.000100", Some(1_764_500_000_000_100)),
            ("0.000001", Some(1)),
            ("4711", None),
            ("1764500000.1", None),
            ("-1.000000", None),
            ("9223372036854775807.000000", None),
            (".000000", None),
        ] {
            assert_eq!(position(ts), expected, "{ts}");
        }
    }

    #[test]
    fn users_are_members_of_a_team() {
        for (text, fine) in [
            ("T024BE7LD/U024BE7LH", true),
            ("E024BE7LD/W024BE7LH", true),
            ("T024BE7LD/", false),
            ("T024BE7LD", false),
            ("U024BE7LH", false),
            ("T024BE7LD/sam", false),
            ("T024BE7LD/U024BE7LH/x", false),
        ] {
            assert_eq!(is_user(text), fine, "{text}");
        }
    }
}
