//! A reply cut into what its words are: choices, numbers, ordinals, known phrases, signs. Says what stands where, not what it
//! means.

use super::asked::Asked;
use super::label::Set;
use super::token::{Kind, Token, tokens};
use super::words::{Entry, Lists, words};

/// A text and its items.
#[derive(Debug)]
pub(super) struct Speech<'a> {
    raw: &'a str,
    pub(super) tokens: Vec<Token>,
    pub(super) items: Vec<Item>,
}

/// One or more tokens that belong together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) what: What,
    pub(super) entry: Entry,
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A label or short form as whole words: of one choice, or of several that are spelled alike.
    Choice(Set),
    /// A number: plain digits, marked as a position, or a number word.
    Number(u32, Style),
    /// A position in words; negative counts from the end.
    Ordinal(i32),
    /// Any other word or phrase; its lists say whether it is known.
    Word,
    /// A number with a point.
    Decimal,
    /// A picture that no list knows.
    Emoji,
    /// One character of punctuation.
    Sign(char),
}

/// How a number is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Digits,
    Word,
    /// `#2`, `(2)`, `option 2`, a keycap: always a position.
    Marked,
}

impl Item {
    pub(super) const fn is(&self, lists: Lists) -> bool {
        self.entry.lists.any(lists)
    }

    /// Whether it is a known word of `lists` and neither choice nor number nor ordinal.
    pub(super) fn is_word(&self, lists: Lists) -> bool {
        matches!(self.what, What::Word | What::Emoji) && self.is(lists)
    }

    pub(super) const fn is_sign(&self) -> bool {
        matches!(self.what, What::Sign(_))
    }
}

impl<'a> Speech<'a> {
    pub(super) fn new(raw: &'a str, asked: &Asked<'_>) -> Self {
        let tokens = tokens(raw);
        let mut items = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            let item = next(&tokens, at, asked);
            at = item.to;
            items.push(item);
        }
        Self { raw, tokens, items }
    }

    /// The raw text from the first to the last of `items`.
    pub(super) fn text(&self, items: &[Item]) -> &'a str {
        let token = |at: usize| self.tokens.get(at);
        let start = items.first().and_then(|item| token(item.from)).map(|token| token.start());
        let end = items.last().and_then(|item| token(item.to.checked_sub(1)?)).map(|token| token.end());
        start.zip(end).and_then(|(start, end)| self.raw.get(start..end)).unwrap_or_default()
    }

    /// The tokens of an item.
    pub(super) fn tokens_of(&self, item: &Item) -> &[Token] {
        self.tokens.get(item.from..item.to).unwrap_or_default()
    }

    /// Whether white space, or nothing, stands before an item.
    pub(super) fn is_spaced(&self, item: &Item) -> bool {
        self.tokens.get(item.from).is_some_and(|token| token.spaced)
    }
}

/// The longest reading of what starts at `at`; of equally long ones a choice, then a position, then a phrase.
fn next(tokens: &[Token], at: usize, asked: &Asked<'_>) -> Item {
    let phrase = words().longest(tokens, at);
    let marked = position(tokens, at, phrase, asked);
    let phrase =
        phrase.filter(|(to, entry)| marked.is_some() || *to == at + 1 || entry.lists != Lists::POSITION);
    let phrase = phrase.or_else(|| words().at(tokens, at));
    let mut best = plain(tokens, at, phrase);
    if let Some((to, value)) = marked
        && (to > best.to || (to == best.to && !matches!(best.what, What::Ordinal(_))))
    {
        best = Item { from: at, to, what: What::Number(value, Style::Marked), entry: Entry::default() };
    }
    if let Some((to, value)) = digit_ordinal(tokens, at)
        && to >= best.to
    {
        best = Item { from: at, to, what: What::Ordinal(value), entry: Entry::default() };
    }
    if let Some((to, set)) = asked.vocabulary().spans.longest(tokens, at)
        && to >= best.to
    {
        let entry = phrase.filter(|(end, _)| *end == to).map_or(Entry::default(), |(_, entry)| entry);
        best = Item { from: at, to, what: What::Choice(set), entry };
    }
    best
}

fn plain(tokens: &[Token], at: usize, phrase: Option<(usize, Entry)>) -> Item {
    let token = tokens.get(at);
    let (to, entry) = phrase.unwrap_or((at + 1, Entry::default()));
    let what = match (token.map(|token| token.kind), entry) {
        (Some(Kind::Number), _) if to == at + 1 => What::Number(token.map_or(0, |t| t.number), Style::Digits),
        (Some(Kind::Keycap), _) => What::Number(token.map_or(0, |t| t.number), Style::Marked),
        (Some(Kind::Emoji), Entry { number: Some(value), .. }) => What::Number(value, Style::Marked),
        (_, Entry { ordinal: Some(value), .. }) => What::Ordinal(value),
        (_, Entry { number: Some(value), .. }) => What::Number(value, Style::Word),
        (Some(Kind::Decimal), _) => What::Decimal,
        (Some(Kind::Emoji), _) => What::Emoji,
        (Some(Kind::Sign(c)), entry) if entry.lists.is_empty() || to == at + 1 => What::Sign(c),
        _ => What::Word,
    };
    Item { from: at, to, what, entry }
}

/// A number that is marked as a position.
fn position(
    tokens: &[Token],
    at: usize,
    phrase: Option<(usize, Entry)>,
    asked: &Asked<'_>,
) -> Option<(usize, u32)> {
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    let number = |at: usize| match kind(at)? {
        Kind::Number | Kind::Keycap => Some((at + 1, tokens.get(at)?.number)),
        _ => words().longest(tokens, at).and_then(|(end, entry)| Some((end, entry.number?))),
    };
    let digits = |at: usize| matches!(kind(at), Some(Kind::Number)).then(|| number(at)).flatten();
    match kind(at)? {
        Kind::Sign('/') if at == 0 => return digits(at + 1),
        Kind::Sign(open @ ('(' | '[')) => {
            let close = if open == '(' { ')' } else { ']' };
            return digits(at + 1)
                .filter(|(end, _)| kind(*end) == Some(Kind::Sign(close)))
                .map(|(end, n)| (end + 1, n));
        }
        Kind::Number => {
            let after = at + 1 + usize::from(kind(at + 1) == Some(Kind::Sign('.')));
            let (end, entry) = words().longest(tokens, after)?;
            let counter = after == at + 1 && entry.lists.any(Lists::COUNTER);
            let noun = after == at + 2 && entry.lists.any(Lists::POSITION | Lists::COUNTER);
            return (counter || noun).then(|| tokens.get(at).map(|token| (end, token.number))).flatten();
        }
        _ => {}
    }
    if let Some((end, Entry { number: Some(value), .. })) = phrase
        && let Some((to, next)) = words().longest(tokens, end)
        && next.lists.any(Lists::COUNTER)
    {
        return Some((to, value));
    }
    let (end, _) = phrase.filter(|(_, entry)| entry.lists.any(Lists::POSITION))?;
    let says_no = tokens.get(at).is_some_and(|token| words().single(token.hash, Lists::NO));
    if says_no && asked.vocabulary().is_yes_no() {
        return None;
    }
    let sign = matches!(kind(end), Some(Kind::Sign('#' | ':' | '.' | '°')));
    let (end, value) = number(if sign { end + 1 } else { end })?;
    let counter = words().longest(tokens, end).filter(|(_, next)| next.lists.any(Lists::COUNTER));
    Some((counter.map_or(end, |(end, _)| end), value))
}

/// Digits with an ordinal ending: `2nd`, `2-й`, `2º`.
fn digit_ordinal(tokens: &[Token], at: usize) -> Option<(usize, i32)> {
    let token = tokens.get(at)?;
    let value = i32::try_from(token.number).ok()?;
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    let is_suffix = |hash: u64| words().single(hash, Lists::SUFFIX);
    match token.kind {
        Kind::Word if value > 0 && !token.prefixed && is_suffix(token.affix) => Some((at + 1, value)),
        Kind::Number if kind(at + 1) == Some(Kind::Sign('°')) => Some((at + 2, value)),
        Kind::Number if kind(at + 1) == Some(Kind::Sign('-')) => {
            let suffix = tokens.get(at + 2).filter(|next| !next.spaced && next.kind == Kind::Word)?;
            is_suffix(suffix.hash).then_some((at + 3, value))
        }
        _ => None,
    }
}
