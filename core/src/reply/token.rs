//! Cuts a text into words, numbers and signs in one pass and finds known sequences of them. Knows no language and no question.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::fold::{KEYCAP, Sign, bare_letters, is_emoji, is_glued, is_word, signs};

/// One word, number or sign of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// The same for spellings that differ only in case, width, accents and the like.
    pub(super) hash: u64,
    /// First byte of the raw text, and one past the last.
    start: u32,
    end: u32,
    /// White space or the start of the text stands before it.
    pub(super) spaced: bool,
    /// The value of a number, or of the digits that a word starts or ends with; saturating.
    pub(super) number: u32,
    /// Hash of the rest of a word that starts or ends with digits.
    pub(super) affix: u64,
    /// The affix stands before the digits: `Q1`.
    pub(super) prefixed: bool,
}

impl Token {
    /// Its first byte in the raw text.
    pub(super) const fn start(&self) -> usize {
        self.start as usize
    }

    /// One past its last byte.
    pub(super) const fn end(&self) -> usize {
        self.end as usize
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, perhaps with digits: `staging`, `v2`, `c++`. One sign each in scripts written without spaces.
    Word,
    /// Digits and nothing else.
    Number,
    /// Digits shown as one sign: a keycap or a circled number.
    Keycap,
    /// Digits with points between them: `2.5`, `1.2.3`.
    Decimal,
    /// A picture, also by a short name such as `:tada:`.
    Emoji,
    /// Anything else, one character; a line break is `\n`.
    Sign(char),
}

/// The hash of an empty sequence.
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// A hash with one more value in it.
pub(super) const fn mix(hash: u64, value: u64) -> u64 {
    let wide = ((hash ^ value) as u128).wrapping_mul(0xA076_1D64_78BD_642F_E703_7ED1_A0B4_28DB_u128);
    ((wide >> 64) as u64 ^ wide as u64).rotate_left(23) ^ value
}

/// The tokens of `raw`, in order.
pub(super) fn tokens(raw: &str) -> Vec<Token> {
    let signs = signs(raw);
    let mut tokens: Vec<Token> = Vec::with_capacity(signs.len() / 3 + 2);
    let mut at = 0;
    let mut spaced = true;
    while let Some(sign) = signs.get(at) {
        let c = sign.character;
        if c == '\n' || c == '\r' || c == '\u{2028}' || c == '\u{2029}' {
            if !tokens.last().is_some_and(|last| last.kind == Kind::Sign('\n')) {
                tokens.push(token(Kind::Sign('\n'), std::slice::from_ref(sign), spaced));
            }
            spaced = true;
            at += 1;
        } else if c.is_whitespace() {
            spaced = true;
            at += 1;
        } else {
            let rest = signs.get(at..).unwrap_or_default();
            let (kind, length) = next(rest, tokens.last(), spaced);
            let taken = rest.get(..length).unwrap_or(rest);
            tokens.push(token(kind, taken, spaced));
            spaced = false;
            at += taken.len().max(1);
            at += usize::from(is_inner_apostrophe(taken, signs.get(at..).unwrap_or_default()));
        }
    }
    tokens
}

/// An apostrophe between two letters parts words without being a token: `don't` is `don` `t`, `l'option` is `l` `option`.
fn is_inner_apostrophe(before: &[Sign], rest: &[Sign]) -> bool {
    before.last().is_some_and(|sign| is_word(sign.character))
        && rest.first().is_some_and(|sign| sign.character == '\'')
        && rest.get(1).is_some_and(|sign| sign.character.is_alphabetic())
}

/// Kind and length of the token that `rest` starts with. The Arabic "and" is written onto the next word, so that letter
/// always stands alone, in words that merely start with it too.
fn next(rest: &[Sign], last: Option<&Token>, spaced: bool) -> (Kind, usize) {
    let Some(first) = rest.first().map(|sign| sign.character) else { return (Kind::Sign(' '), 1) };
    if first.is_ascii_digit() {
        return number(rest);
    }
    if is_glued(first) && is_word(first) {
        let marks =
            rest.iter().skip(1).take_while(|s| matches!(s.character, '\u{3099}' | '\u{309A}')).count();
        return (Kind::Word, 1 + marks);
    }
    if first == 'و' && rest.get(1).is_some_and(|sign| sign.character.is_alphabetic()) {
        return (Kind::Word, 1);
    }
    if is_word(first) {
        return (Kind::Word, word_length(rest));
    }
    if first == ':' && (spaced || last.is_none_or(|last| last.kind == Kind::Emoji)) {
        let name = rest.iter().skip(1).take(40).take_while(|s| is_short_name(s.character)).count();
        if name > 0 && rest.get(name + 1).is_some_and(|sign| sign.character == ':') {
            return (Kind::Emoji, name + 2);
        }
    }
    let kind = if is_emoji(first) { Kind::Emoji } else { Kind::Sign(first) };
    (kind, 1)
}

const fn is_short_name(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '+' | '-')
}

fn number(rest: &[Sign]) -> (Kind, usize) {
    let digits = |from: usize| rest.iter().skip(from).take_while(|s| s.character.is_ascii_digit()).count();
    let mut length = digits(0);
    let after = |at: usize| rest.get(at).map_or(' ', |sign| sign.character);
    if after(length) == KEYCAP {
        return (Kind::Keycap, length + 1);
    }
    let mut kind = Kind::Number;
    while after(length) == '.' && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
        kind = Kind::Decimal;
    }
    if joins_digits(after(length)) || (after(length) == '+' && !is_word(after(length + 1))) {
        return (Kind::Word, length + word_length(rest.get(length..).unwrap_or_default()).max(1));
    }
    (kind, length)
}

/// Letters that make one word with the digits before them: `2nd`, `3x`. Other scripts only stand beside them: `2番`.
fn joins_digits(c: char) -> bool {
    c == '_' || (c.is_alphabetic() && !is_glued(c) && !matches!(c, '\u{0590}'..='\u{0DFF}'))
}

fn word_length(rest: &[Sign]) -> usize {
    let letters = rest.iter().take_while(|sign| is_word(sign.character) && !is_glued(sign.character)).count();
    let tail = rest.get(letters..).unwrap_or_default();
    let marks = tail.iter().take_while(|sign| matches!(sign.character, '+' | '#')).count();
    let ends = tail.get(marks).is_none_or(|sign| !is_word(sign.character));
    let split = split_digits(rest, letters);
    if split < letters { split } else { letters + if ends { marks } else { 0 } }
}

/// In scripts whose letters do not join digits the word ends where the digits start.
fn split_digits(rest: &[Sign], letters: usize) -> usize {
    let word = rest.get(..letters).unwrap_or(rest);
    word.windows(2)
        .position(|pair| match pair {
            [letter, digit] => {
                digit.character.is_ascii_digit()
                    && !letter.character.is_ascii_digit()
                    && !joins_digits(letter.character)
                    && letter.character.is_alphabetic()
            }
            _ => false,
        })
        .map_or(letters, |at| at + 1)
}

fn token(kind: Kind, signs: &[Sign], spaced: bool) -> Token {
    let is_digit = |sign: &Sign| sign.character.is_ascii_digit();
    let hash = hash(signs);
    let start = signs.first().map_or(0, |sign| sign.start);
    let end = signs.last().map_or(start, |sign| sign.end);
    let mut token = Token { kind, hash, start, end, spaced, number: 0, affix: hash, prefixed: false };
    let leads = signs.first().is_some_and(is_digit);
    if leads || signs.last().is_some_and(is_digit) {
        let (digits, affix) = if leads {
            signs.split_at(signs.iter().take_while(|sign| is_digit(sign)).count())
        } else {
            let trailing = signs.iter().rev().take_while(|sign| is_digit(sign)).count();
            let (affix, digits) = signs.split_at(signs.len() - trailing);
            (digits, affix)
        };
        let digits = digits.iter().filter_map(|sign| sign.character.to_digit(10));
        token.number = digits.fold(0, |value: u32, digit| value.saturating_mul(10).saturating_add(digit));
        token.affix = self::hash(affix);
        token.prefixed = !leads;
    }
    token
}

fn hash(signs: &[Sign]) -> u64 {
    let mut hash = SEED;
    for sign in signs {
        if sign.character.is_ascii() {
            hash = mix(hash, u64::from(u32::from(sign.character)));
        } else {
            bare_letters(sign.character, |c| hash = mix(hash, u64::from(u32::from(c))));
        }
    }
    hash
}

/// Token sequences with a value each, found by the longest one that starts at a token.
#[derive(Debug)]
pub(super) struct Sequences<T> {
    steps: HashMap<u64, Option<T>, BuildHasherDefault<Hashed>>,
    /// Signs that may stand between two tokens of a sequence without being part of it.
    skipped: fn(char) -> bool,
}

/// Keys of [`Sequences`] are hashes already.
#[derive(Default, Debug)]
pub(super) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = mix(self.0, u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// Longest sequence looked for; longer ones are found only as whole texts.
const LONGEST: usize = 32;

impl<T: Copy> Sequences<T> {
    pub(super) fn new(capacity: usize, skipped: fn(char) -> bool) -> Self {
        Self { steps: HashMap::with_capacity_and_hasher(capacity, BuildHasherDefault::default()), skipped }
    }

    /// Adds a sequence; `merge` combines its value with that of an equal one.
    pub(super) fn insert(&mut self, tokens: &[Token], value: T, merge: impl FnOnce(T, T) -> T) {
        let count = tokens.iter().filter(|token| !self.skips(token)).take(LONGEST + 1).count();
        if !(1..=LONGEST).contains(&count) {
            return;
        }
        let mut hash = SEED;
        for token in tokens {
            if self.skips(token) {
                continue;
            }
            hash = mix(hash, token.hash);
            self.steps.entry(hash).or_insert(None);
        }
        if let Some(step) = self.steps.get_mut(&hash) {
            *step = Some(step.map_or(value, |old| merge(old, value)));
        }
    }

    /// The value of a sequence of one token.
    pub(super) fn single(&self, hash: u64) -> Option<T> {
        self.steps.get(&mix(SEED, hash)).copied().flatten()
    }

    /// The longest sequence that starts at `at`: one past its last token, and its value.
    pub(super) fn longest(&self, tokens: &[Token], at: usize) -> Option<(usize, T)> {
        let mut best = None;
        let mut hash = SEED;
        let mut count = 0;
        for (offset, token) in tokens.get(at..)?.iter().take(2 * LONGEST).enumerate() {
            let longer = mix(hash, token.hash);
            match self.steps.get(&longer) {
                Some(step) => {
                    hash = longer;
                    count += 1;
                    if let Some(value) = step {
                        best = Some((at + offset + 1, *value));
                    }
                }
                None if count > 0 && self.skips(token) => {}
                None => break,
            }
        }
        best
    }

    fn skips(&self, token: &Token) -> bool {
        matches!(token.kind, Kind::Sign(c) if (self.skipped)(c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(raw: &str) -> String {
        let name = |token: &Token| {
            let text = &raw[token.start()..token.end()];
            match token.kind {
                Kind::Word => format!("w:{text}"),
                Kind::Number => format!("n:{}", token.number),
                Kind::Keycap => format!("k:{}", token.number),
                Kind::Decimal => format!("d:{text}"),
                Kind::Emoji => format!("e:{text}"),
                Kind::Sign(c) => format!("{c:?}"),
            }
        };
        tokens(raw).iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn texts_are_cut() {
        let rows = [
            ("words", "let's go, C++ & c#", "w:let w:s w:go ',' w:C++ '&' w:c#"),
            ("numbers", "2. 2.5 v2 2nd 3x 18+ 1+3", "n:2 '.' d:2.5 w:v2 w:2nd w:3x w:18+ n:1 '+' n:3"),
            ("glued", "选2 2番目 2번", "w:选 n:2 n:2 w:番 w:目 n:2 w:번"),
            ("arabic", "و3 ٢", "w:و n:3 n:2"),
            ("keycap", "2\u{fe0f}\u{20e3} ② :two: :+1:", "k:2 k:2 e::two: e::+1:"),
            ("colon is no short name", "1:Staging:2", "n:1 ':' w:Staging ':' n:2"),
            ("lines", "a\r\n\n b", "w:a '\\n' w:b"),
            ("emoji", "2 👍🏽", "n:2 e:👍"),
            ("hindi", "दूसरा नहीं", "w:दूसरा w:नहीं"),
        ];
        for (name, raw, expected) in rows {
            assert_eq!(cut(raw), expected, "{name}");
        }
    }

    #[test]
    fn the_longest_sequence_wins_and_signs_are_skipped() {
        let mut sequences = Sequences::new(8, |c| c == '-');
        for (value, text) in ["blue", "blue-green", "blue green deployment now"].into_iter().enumerate() {
            sequences.insert(&tokens(text), value, |old, _| old);
        }
        let rows = [
            ("Blue green!", Some(2)),
            ("blue - GREEN deployment", Some(3)),
            ("blue", Some(1)),
            ("green", None),
        ];
        for (text, expected) in rows {
            assert_eq!(sequences.longest(&tokens(text), 0).map(|(end, _)| end), expected, "{text}");
        }
    }
}
