//! Keys before values (rule 37): which question a part of a reply names, by number, id, header or its own text. Reads no values.

use super::asked::Asked;
use super::fold::trim;
use super::token::{Kind, Sequences, Token, tokens};
use super::words::{Lists, words};

/// Questions that share a key, by index.
pub(super) type Named = u128;

/// Everything that may stand as a key.
#[derive(Debug)]
pub(super) struct Keys {
    names: Sequences<Named>,
    count: usize,
    /// A range could be meant by `1-2`.
    any_many: bool,
}

/// A key found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// The questions it names; none for a number or name that no question has.
    pub(super) named: Named,
    /// It is a number, not a name.
    pub(super) number: bool,
    /// Index of the first token of the value.
    pub(super) value: usize,
}

impl Keys {
    pub(super) fn new(asked: &[Asked<'_>]) -> Self {
        let mut names = Sequences::new(asked.len() * 8, |c| super::label::is_skipped(c) || c == '?');
        for (index, one) in asked.iter().enumerate() {
            let bit: Named = if index < Named::BITS as usize { 1 << index } else { 0 };
            let question = one.question;
            for name in [question.id.as_str(), question.header.as_str(), question.text.as_str()] {
                names.insert(&tokens(name), bit, |old, new| old | new);
            }
        }
        Self { names, count: asked.len(), any_many: asked.iter().any(|one| one.question.multi_select) }
    }

    /// The key that starts a line at token `at`, behind bullets and markup.
    pub(super) fn at_line(&self, tokens: &[Token], at: usize) -> Option<Key> {
        let at = skip(tokens, at, &['-', '*', '•', '_', '"', '`']);
        self.name(tokens, at).or_else(|| self.number(tokens, at, true))
    }

    /// A known key inside a line, or after a comma any number that stands as a key.
    pub(super) fn inside(&self, tokens: &[Token], at: usize, after_comma: bool) -> Option<Key> {
        let at = skip(tokens, at, &['*', '_']);
        self.name(tokens, at)
            .filter(|_| after_comma || tokens.get(at).is_some_and(|token| token.spaced))
            .or_else(|| self.number(tokens, at, after_comma).filter(|key| key.named != 0 || after_comma))
    }

    fn name(&self, tokens: &[Token], at: usize) -> Option<Key> {
        let (end, named) = self.names.longest(tokens, at)?;
        let after = skip(tokens, end, &['*', '_', '"', '`', '?']);
        let value = match separator(tokens, after, true) {
            Some(value) => skip(tokens, value, &['*', '_']),
            // A copied question needs no other separator than its own mark.
            None if end - at >= QUESTION_TOKENS_MIN && has(tokens, end, after, '?') => after,
            None => return None,
        };
        Some(Key { named, number: false, value })
    }

    /// `1:`, `Q1 =`, `#1 ->`, `1)`, `1.`, `1 -`, and `1-2` where nothing could be a range.
    fn number(&self, tokens: &[Token], at: usize, dashes: bool) -> Option<Key> {
        let (at, explicit) = question_word(tokens, at);
        let token = tokens.get(at)?;
        let numbered = token.prefixed && words().single(token.affix, Lists::QUESTION);
        let explicit = explicit || numbered;
        if !(matches!(token.kind, Kind::Number | Kind::Keycap) || numbered) {
            return None;
        }
        let next = |offset: usize| tokens.get(at + offset);
        let kind = |offset: usize| next(offset).map(|token| token.kind);
        let clock = kind(1) == Some(Kind::Sign(':'))
            && next(2).is_some_and(|minutes| {
                minutes.kind == Kind::Number && !minutes.spaced && minutes.end() - minutes.start() == 2
            });
        let value = match kind(1)? {
            Kind::Sign(':') if clock && !explicit => None,
            Kind::Sign(')') => Some(skip(tokens, at + 2, &[':', '*'])),
            Kind::Sign('.') if next(2).is_some_and(|value| value.spaced) => Some(at + 2),
            Kind::Sign('-') if self.is_pair(tokens, at) => Some(at + 2),
            _ => separator(tokens, skip(tokens, at + 1, &['*', '_']), dashes),
        }?;
        let number = usize::try_from(token.number).unwrap_or(usize::MAX);
        let known = (1..=self.count.min(Named::BITS as usize)).contains(&number);
        let named = if known { 1 << (number - 1) } else { 0 };
        Some(Key { named, number: true, value: skip(tokens, value, &['*', '_']) })
    }

    /// `1-2` without spaces, question and position.
    fn is_pair(&self, tokens: &[Token], at: usize) -> bool {
        let value = tokens.get(at + 2);
        let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map(|token| token.kind);
        let starts = matches!(before, None | Some(Kind::Number | Kind::Sign(_)));
        let joined =
            tokens.get(at + 1).is_some_and(|dash| !dash.spaced) && value.is_some_and(|value| !value.spaced);
        !self.any_many && starts && joined && value.is_some_and(|value| value.kind == Kind::Number)
    }
}

/// The value of a text that names this one question, for asks with a single question. Its number alone is no key: there it is
/// a choice.
pub(super) fn value<'a>(asked: &Asked<'_>, text: &'a str) -> Option<&'a str> {
    let head = super::label::head(text);
    if !head.contains([':', '：', '=', '-', '–', '—', '>', ')', '?', '？', '؟']) {
        return None;
    }
    let keys = Keys::new(std::slice::from_ref(asked));
    let tokens = tokens(head);
    let start = skip(&tokens, 0, &['-', '*', '•', '_', '"', '`']);
    let initial = |token: &Token| token.prefixed && words().single(token.affix, Lists::QUESTION);
    let explicit = question_word(&tokens, start).1 || tokens.get(start).is_some_and(initial);
    let key = keys.at_line(&tokens, 0).filter(|key| key.named == 1 && (!key.number || explicit))?;
    let value = trim(text.get(tokens.get(key.value)?.start()..)?);
    (!value.is_empty()).then_some(value)
}

/// Past a word for question or a `#`, and whether there was one. `Q1` in one piece stays where it is.
fn question_word(tokens: &[Token], at: usize) -> (usize, bool) {
    match tokens.get(at).map(|token| token.kind) {
        Some(Kind::Sign('#')) => (at + 1, true),
        Some(Kind::Word) => match words().longest(tokens, at) {
            Some((end, entry)) if entry.lists.any(Lists::QUESTION) => (end, true),
            _ => (at, false),
        },
        _ => (at, false),
    }
}

/// Where the value starts, if a separator stands at `at`.
fn separator(tokens: &[Token], at: usize, dashes: bool) -> Option<usize> {
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    let spaced = |at: usize| tokens.get(at).is_none_or(|token| token.spaced);
    match kind(at)? {
        Kind::Sign(':') if matches!(kind(at + 1), Some(Kind::Sign('/'))) && !spaced(at + 1) => None,
        Kind::Sign(':') => Some(skip(tokens, at + 1, &['*'])),
        Kind::Sign('=') => Some(at + 1 + usize::from(kind(at + 1) == Some(Kind::Sign('>')))),
        Kind::Sign('-') if kind(at + 1) == Some(Kind::Sign('>')) => Some(at + 2),
        Kind::Sign('→' | '⇒') => Some(at + 1),
        Kind::Sign('-') if dashes && spaced(at) && spaced(at + 1) => Some(at + 1),
        _ => None,
    }
}

/// A shorter text before a question mark is hardly a copied question.
const QUESTION_TOKENS_MIN: usize = 3;

fn has(tokens: &[Token], from: usize, to: usize, sign: char) -> bool {
    tokens.get(from..to).unwrap_or_default().iter().any(|token| token.kind == Kind::Sign(sign))
}

fn skip(tokens: &[Token], at: usize, signs: &[char]) -> usize {
    let is_one = |token: &Token| matches!(token.kind, Kind::Sign(c) if signs.contains(&c));
    at + tokens.get(at..).unwrap_or_default().iter().take_while(|token| is_one(token)).count()
}
