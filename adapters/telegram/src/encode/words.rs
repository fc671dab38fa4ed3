//! Text with explicit entities. Counts offsets in UTF-16 units as the platform does, and keeps the platform from finding people
//! in a text that nobody meant to call. Knows no controls.

use askrelay_core::id::Identity;
use askrelay_core::limits::Unit;
use askrelay_core::prompt::{Piece, Style};
use reqwest::Url;
use teloxide::types::{MessageEntity, MessageEntityKind, User, UserId};

use crate::limits::{ENTITIES, LIMITS, NAME_MIN};

/// The text of one message, and how parts of it look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) text: String,
    pub(super) entities: Vec<MessageEntity>,
}

impl Words {
    /// These pieces, one after the other.
    pub(super) fn of(pieces: &[Piece]) -> Self {
        let joined = Self::joined(pieces, JOINED);
        if joined.length() <= LIMITS.message { joined } else { Self::joined(pieces, WIDE) }
    }

    /// Text without any look.
    pub(super) fn plain(text: &str) -> Self {
        Self::of(&[Piece { text: text.to_owned(), style: Style::Plain }])
    }

    /// With `at` for every `@` that would call somebody.
    fn joined(pieces: &[Piece], at: &str) -> Self {
        let whole: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        let mut words = Self::default();
        let (mut start, mut offset) = (0, 0);
        for piece in pieces {
            let mut text = String::with_capacity(piece.text.len());
            for (index, c) in piece.text.char_indices() {
                if calls(&whole, start + index) { text.push_str(at) } else { text.push(c) }
            }
            words.entities.extend(entity(&piece.style, &text, offset));
            start += piece.text.len();
            offset += Unit::Utf16.measure(&text);
            words.text.push_str(&text);
        }
        words.entities.truncate(ENTITIES);
        words
    }

    /// The same with its first word naming this person, so that they are told and an input opens for them alone.
    pub(super) fn addressed(mut self, to: &Identity) -> Self {
        let Ok(id) = to.user.as_str().parse() else { return self };
        let word = self.text.split_whitespace().next().unwrap_or_default();
        let before = self.text.len() - self.text.trim_start().len();
        let offset = Unit::Utf16.measure(self.text.get(..before).unwrap_or_default());
        let length = Unit::Utf16.measure(word);
        if length > 0 {
            let kind = MessageEntityKind::TextMention { user: user(id) };
            self.entities.insert(0, MessageEntity { kind, offset, length });
        }
        self
    }

    /// Adds lines at the end.
    pub(super) fn append(&mut self, lines: &[String]) {
        for line in lines {
            self.text.push('\n');
            self.text.push_str(line);
        }
    }

    fn length(&self) -> usize {
        LIMITS.unit.measure(&self.text)
    }
}

/// The platform opens an address only if its host has a dot in it or is an IPv6 address, and refuses the whole message
/// otherwise.
pub(super) fn address(url: &str) -> Option<Url> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?;
    let opens = host.contains('.') || host.starts_with('[');
    (opens && matches!(url.scheme(), "http" | "https")).then_some(url)
}

/// How a piece looks, over its words without the space around them.
fn entity(style: &Style, text: &str, offset: usize) -> Option<MessageEntity> {
    let kind = match style {
        Style::Plain => return None,
        Style::Strong => MessageEntityKind::Bold,
        Style::Quiet => MessageEntityKind::Italic,
        Style::Link(url) => MessageEntityKind::TextLink { url: address(url)? },
    };
    let inner = text.trim();
    let before = text.len() - text.trim_start().len();
    let offset = offset + Unit::Utf16.measure(text.get(..before).unwrap_or_default());
    let length = Unit::Utf16.measure(inner);
    (length > 0).then_some(MessageEntity { kind, offset, length })
}

/// A word joiner, which nobody sees, keeps `@name` from being a mention.
const JOINED: &str = "@\u{2060}";
/// Where there is no room for one more character: a wide sign, which is no mention either.
const WIDE: &str = "\u{FF20}";

/// Whether the platform would take what begins there for a mention and notify somebody for it.
fn calls(text: &str, index: usize) -> bool {
    let (Some(before), Some(name)) = (text.get(..index), text.get(index..)) else { return false };
    let Some(name) = name.strip_prefix('@') else { return false };
    let in_name = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    !before.ends_with(char::is_alphanumeric) && name.chars().take_while(in_name).count() >= NAME_MIN
}

/// Only the id of a mention counts.
fn user(id: u64) -> User {
    User {
        id: UserId(id),
        is_bot: false,
        first_name: String::new(),
        last_name: None,
        username: None,
        language_code: None,
        is_premium: false,
        added_to_attachment_menu: false,
    }
}
