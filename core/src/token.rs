//! The opaque payload of a control: an unguessable nonce that names one shown Prompt, the revision it was drawn at, and
//! which control was pressed. Without the store that knows the nonce it means nothing.

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::id::Fresh;

/// What a control does. Questions and choices are zero-based indexes: a press never goes through text matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Press {
    /// Take this choice.
    Choose {
        /// Which question.
        question: u16,
        /// Which choice.
        choice: u16,
    },
    /// Put this choice of a multi-select on or off; absolute, so that a repeat changes nothing.
    Toggle {
        /// Which question.
        question: u16,
        /// Which choice.
        choice: u16,
        /// On or off.
        on: bool,
    },
    /// A menu or form of this question was filled; the values come beside the token, as indexes.
    Fill {
        /// Which question.
        question: u16,
    },
    /// Ask for own words for this question.
    Other {
        /// Which question.
        question: u16,
    },
    /// Accept the offered default of this question.
    UseDefault {
        /// Which question.
        question: u16,
    },
    /// Show this question of several; the number of questions is the review.
    Step {
        /// Which question.
        question: u16,
    },
    /// Show this page of choices.
    Page {
        /// Which question.
        question: u16,
        /// Which page, zero-based.
        page: u16,
    },
    /// Open a form with a field for every question; what was filled in comes beside the token.
    Form,
    /// Send what was put together.
    Submit,
    /// Decline the whole Ask.
    Skip,
}

/// Names one shown Prompt: 16 unguessable bytes, as 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Nonce([u8; 16]);

/// A control's payload in its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// Which Prompt.
    pub nonce: Nonce,
    /// Which revision of its draft the control was drawn at.
    pub revision: u32,
    /// Which control.
    pub press: Press,
}

/// Most ASCII bytes of a token: Telegram's `callback_data`, the smallest payload of any platform.
pub const TOKEN_BYTES_MAX: usize = 64;

impl Nonce {
    /// A fresh one.
    pub fn fresh(fresh: &mut dyn Fresh) -> Self {
        Self(fresh.bytes())
    }

    fn parse(text: &str) -> Option<Self> {
        if text.len() != 32 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        u128::from_str_radix(text, 16).ok().map(|number| Self(number.to_be_bytes()))
    }
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl From<Nonce> for String {
    fn from(nonce: Nonce) -> Self {
        nonce.to_string()
    }
}

impl TryFrom<String> for Nonce {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("a nonce is 32 hexadecimal digits")
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:x}.", self.nonce, self.revision)?;
        match self.press {
            Press::Choose { question, choice } => write!(f, "c{question}-{choice}"),
            Press::Toggle { question, choice, on } => write!(f, "t{question}-{choice}-{}", u8::from(on)),
            Press::Fill { question } => write!(f, "f{question}"),
            Press::Other { question } => write!(f, "o{question}"),
            Press::UseDefault { question } => write!(f, "d{question}"),
            Press::Step { question } => write!(f, "n{question}"),
            Press::Page { question, page } => write!(f, "p{question}-{page}"),
            Press::Form => f.write_str("a"),
            Press::Submit => f.write_str("s"),
            Press::Skip => f.write_str("x"),
        }
    }
}

impl Token {
    /// The token in `text`, or nothing when it is none of ours. Never panics, whatever a platform hands in.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > TOKEN_BYTES_MAX {
            return None;
        }
        let mut parts = text.split('.');
        let (nonce, revision, press) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        let token = Self {
            nonce: Nonce::parse(nonce)?,
            revision: u32::from_str_radix(revision, 16).ok()?,
            press: parse_press(press)?,
        };
        // One spelling only, so that nobody can make two payloads of one control.
        (token.to_string() == text).then_some(token)
    }
}

fn parse_press(text: &str) -> Option<Press> {
    let kind = text.chars().next()?;
    let rest = text.get(kind.len_utf8()..)?;
    let numbers: Option<Vec<u16>> = if rest.is_empty() {
        Some(Vec::new())
    } else {
        rest.split('-').map(|part| part.parse().ok()).collect()
    };
    Some(match (kind, numbers?.as_slice()) {
        ('c', &[question, choice]) => Press::Choose { question, choice },
        ('t', &[question, choice, on @ (0 | 1)]) => Press::Toggle { question, choice, on: on == 1 },
        ('f', &[question]) => Press::Fill { question },
        ('o', &[question]) => Press::Other { question },
        ('d', &[question]) => Press::UseDefault { question },
        ('n', &[question]) => Press::Step { question },
        ('p', &[question, page]) => Press::Page { question, page },
        ('a', &[]) => Press::Form,
        ('s', &[]) => Press::Submit,
        ('x', &[]) => Press::Skip,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed;
    impl Fresh for Fixed {
        fn bytes(&mut self) -> [u8; 16] {
            [0xab; 16]
        }
    }

    #[test]
    fn every_press_fits_the_smallest_payload_and_comes_back() {
        let most = u16::MAX;
        for press in [
            Press::Choose { question: most, choice: most },
            Press::Toggle { question: most, choice: most, on: true },
            Press::Toggle { question: 0, choice: 0, on: false },
            Press::Fill { question: 3 },
            Press::Other { question: 0 },
            Press::UseDefault { question: 1 },
            Press::Step { question: 50 },
            Press::Page { question: most, page: most },
            Press::Form,
            Press::Submit,
            Press::Skip,
        ] {
            let token = Token { nonce: Nonce::fresh(&mut Fixed), revision: u32::MAX, press };
            let text = token.to_string();
            assert!(text.is_ascii() && text.len() <= TOKEN_BYTES_MAX, "{text}");
            assert_eq!(Token::parse(&text), Some(token), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_token() {
        let nonce = "ab".repeat(16);
        for text in [
            String::new(),
            "tgq1:ask_1:0".to_owned(),
            format!("{nonce}.0"),
            format!("{nonce}.0.c0"),
            format!("{nonce}.0.c0-0-0"),
            format!("{nonce}.0.c00-0"),
            format!("{nonce}.0.c+1-0"),
            format!("{nonce}.00.s"),
            format!("{}.0.s", nonce.to_uppercase()),
            format!("{nonce}.0.t0-0-2"),
            format!("{nonce}.0.é"),
            format!("{nonce}.0.s.s"),
            format!("{nonce}.0.{}", "9".repeat(100)),
        ] {
            assert_eq!(Token::parse(&text), None, "{text}");
        }
    }
}
