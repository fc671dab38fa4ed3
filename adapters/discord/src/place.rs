//! Conversations as ids: a channel, or a person with whom the bot alone speaks. Knows nothing of what is in them.

use std::fmt;

use askrelay_core::id::ConversationId;
use serde::Serialize;

/// A platform's id, as the number it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Snowflake(pub(crate) u64);

impl Snowflake {
    /// The id in decimal digits; nothing where it is none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|id| digits && *id > 0).map(Self)
    }
}

impl fmt::Display for Snowflake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Snowflake {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Where in Discord.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spot {
    /// Only this person and the bot are there.
    Person(Snowflake),
    /// A channel, a thread or a post of a forum.
    Channel(Snowflake),
}

impl Spot {
    /// The spot behind `@80351110224678912` or `41771983423143937`; nothing where it is no such id.
    pub(crate) fn parse(conversation: &ConversationId) -> Option<Self> {
        let text = conversation.as_str();
        match text.strip_prefix('@') {
            Some(user) => Snowflake::parse(user).map(Self::Person),
            None => Snowflake::parse(text).map(Self::Channel),
        }
    }

    /// Only one person and the bot are there.
    pub(crate) const fn is_private(self) -> bool {
        matches!(self, Self::Person(_))
    }
}

/// Whether this can be the id of a conversation: `41771983423143937`, or `@80351110224678912` for a person.
#[must_use]
pub fn is_conversation(text: &str) -> bool {
    Spot::parse(&text.into()).is_some()
}

/// Whether this can be the id of a user or a role: decimal digits, never a name.
#[must_use]
pub fn is_id(text: &str) -> bool {
    Snowflake::parse(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read() {
        let (person, channel) =
            (|id| Some(Spot::Person(Snowflake(id))), |id| Some(Spot::Channel(Snowflake(id))));
        for (text, expected) in [
            ("@80351110224678912", person(80_351_110_224_678_912)),
            ("41771983423143937", channel(41_771_983_423_143_937)),
            ("4711", channel(4711)),
            ("nowhere", None),
            ("", None),
            ("@", None),
            ("0", None),
            ("-4711", None),
            ("+4711", None),
            ("4711/12", None),
            ("<#4711>", None),
            ("18446744073709551616", None),
        ] {
            assert_eq!(Spot::parse(&text.into()), expected, "{text}");
        }
    }

    #[test]
    fn users_and_roles_have_numbers() {
        for (text, fine) in
            [("80351110224678912", true), ("abc", false), ("@80351110224678912", false), ("", false)]
        {
            assert_eq!(is_id(text), fine, "{text}");
        }
    }
}
