//! The labels of one question and what is known of them: short forms, words, sides, and which label a whole text spells
//! (rules 13 and 14 of reading). Reads no sentences.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::sync::OnceLock;

use super::fold::{fold1, fold2, fold3, is_emoji, is_invisible, trim};
use super::token::{Hashed, Kind, Sequences, Token, tokens};
use super::words::{Lists, words};
use crate::ask::Choice;

/// A set of choices by index. Choices past the last bit are found as whole texts only.
pub(super) type Set = u128;

/// The set with one choice.
pub(super) const fn only(choice: usize) -> Set {
    if choice < Set::BITS as usize { 1 << choice } else { 0 }
}

/// The choices of a set, in order.
pub(super) fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..Set::BITS as usize).filter(move |choice| set & only(*choice) != 0)
}

/// The one choice of a set of one.
pub(super) fn single(set: Set) -> Option<usize> {
    (set.count_ones() == 1).then_some(set.trailing_zeros() as usize)
}

/// What a text spells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hit {
    None,
    /// One choice.
    One(usize),
    /// Two or more choices alike.
    Several,
}

/// The spellings of all labels.
#[derive(Debug)]
pub(super) struct Labels<'q> {
    choices: &'q [Choice],
    /// Bytes of the longest label.
    longest: usize,
    shorts: OnceLock<Vec<Form<'q>>>,
}

/// A short form of a label, or the label itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form<'q> {
    pub(super) text: &'q str,
    pub(super) choice: usize,
}

/// A text in all folds.
#[derive(Debug)]
pub(super) struct Folds {
    pub(super) one: String,
    pub(super) two: String,
    pub(super) three: String,
}

impl Folds {
    pub(super) fn of(text: &str) -> Self {
        let buffer = || String::with_capacity(text.len());
        let mut folds = Self { one: buffer(), two: buffer(), three: buffer() };
        fold1(text, &mut folds.one);
        fold2(&folds.one, &mut folds.two);
        fold3(&folds.two, &mut folds.three);
        folds
    }

    /// Whether a text can only be equal in fold 3 if its first letter is this one's. Says yes when unsure.
    fn may_equal(&self, text: &str) -> bool {
        match text.bytes().next() {
            Some(first) if first.is_ascii_alphanumeric() => {
                self.three.as_bytes().first() == Some(&first.to_ascii_lowercase())
            }
            _ => true,
        }
    }
}

impl<'q> Labels<'q> {
    pub(super) fn new(choices: &'q [Choice]) -> Self {
        let longest = choices.iter().map(|choice| choice.label.len()).max().unwrap_or(0);
        Self { choices, longest, shorts: OnceLock::new() }
    }

    /// All labels.
    pub(super) fn labels(&self) -> impl Iterator<Item = Form<'q>> {
        self.choices.iter().enumerate().map(|(choice, it)| Form { text: trim(&it.label), choice })
    }

    /// All short forms.
    pub(super) fn shorts(&self) -> &[Form<'q>] {
        self.shorts.get_or_init(|| {
            let forms = |form: Form<'q>| {
                let choice = form.choice;
                short_forms(form.text).into_iter().flatten().map(move |text| Form { text, choice })
            };
            self.labels().filter(|form| may_shorten(form.text)).flat_map(forms).collect()
        })
    }

    /// Which label, or else which short form, the whole text spells: the strictest fold that finds any decides.
    pub(super) fn whole(&self, text: &str) -> Hit {
        if text.len() > self.longest.saturating_mul(8).saturating_add(HEAD_BYTES_MAX) {
            return Hit::None;
        }
        let folds = Folds::of(text);
        let text = trim(text);
        if folds.three.is_empty() {
            return self.exact(text);
        }
        let alike = |form: Form<'q>| {
            let other = folds.may_equal(form.text).then(|| Folds::of(form.text))?;
            (other.three == folds.three).then_some((form, other))
        };
        let labels: Vec<(Form<'_>, Folds)> = self.labels().filter_map(alike).collect();
        if labels.is_empty() {
            return only_one(self.shorts().iter().copied().filter_map(alike).map(|(form, _)| form.choice));
        }
        let same = |fold: usize, form: &Form<'_>, other: &Folds| match fold {
            0 => form.text == text,
            1 => other.one == folds.one,
            2 => other.two == folds.two,
            _ => true,
        };
        let hits = |fold: usize| {
            only_one(
                labels.iter().filter(|(form, other)| same(fold, form, other)).map(|(form, _)| form.choice),
            )
        };
        (0..=3).map(hits).find(|hit| *hit != Hit::None).unwrap_or(Hit::None)
    }

    /// Which label the text spells byte for byte.
    pub(super) fn exact(&self, text: &str) -> Hit {
        only_one(self.labels().filter(|form| form.text == text).map(|form| form.choice))
    }
}

fn only_one(choices: impl Iterator<Item = usize>) -> Hit {
    let mut found = Hit::None;
    for choice in choices {
        found = match found {
            Hit::None => Hit::One(choice),
            Hit::One(before) if before == choice => found,
            _ => return Hit::Several,
        };
    }
    found
}

/// Whether a label has anything that a short form leaves out.
fn may_shorten(label: &str) -> bool {
    label
        .bytes()
        .any(|byte| matches!(byte, b'(' | b')' | b'[' | b']' | b'-' | b':' | b'.') || !byte.is_ascii())
}

/// The short forms of a label: without emoji at its ends, without its own mark, without a bracket group at its end, and the
/// head before a dash or colon.
fn short_forms(label: &str) -> [Option<&str>; 4] {
    let full = trim(label);
    let bare = full.trim_matches(|c: char| is_emoji(c) || is_invisible(c) || c.is_whitespace());
    let unmarked = own_mark(bare).map_or(bare, |(_, rest)| rest);
    let unbracketed = without_bracket(unmarked);
    let head = [" - ", " – ", " — ", ": ", "：", "——"]
        .iter()
        .filter_map(|separator| unbracketed.split_once(separator))
        .map(|(head, _)| without_bracket(trim(head)))
        .min_by_key(|head| head.len());
    let mut seen = [full, "", "", "", ""];
    let mut forms = [None; 4];
    for (at, form) in [Some(bare), Some(unmarked), Some(unbracketed), head].into_iter().enumerate() {
        let form = form.unwrap_or_default();
        if form.chars().any(char::is_alphanumeric) && !seen.contains(&form) {
            forms[at] = Some(form);
            seen[at + 1] = form;
        }
    }
    forms
}

/// A label's own mark, `A)` or `2.`, and what follows it.
pub(super) fn own_mark(label: &str) -> Option<(&str, &str)> {
    let label = trim(label);
    let (mark, rest) = label.split_once([' ', '\u{a0}'])?;
    let name = mark.strip_prefix('(').unwrap_or(mark).strip_suffix([')', '.', ':', ']'])?;
    let letter = name.chars().count() == 1 && name.chars().all(char::is_alphabetic);
    let number = !name.is_empty() && name.len() < 4 && name.bytes().all(|byte| byte.is_ascii_digit());
    ((letter || number) && !trim(rest).is_empty()).then(|| (name, trim(rest)))
}

fn without_bracket(text: &str) -> &str {
    for (open, close) in [('(', ')'), ('[', ']'), ('（', '）'), ('【', '】')] {
        if let Some(inner) = text.strip_suffix(close)
            && let Some(at) = inner.rfind(open)
        {
            let before = trim(text.get(..at).unwrap_or_default());
            return if before.is_empty() { text } else { before };
        }
    }
    text
}

/// Hashes of words.
pub(super) type Hashes = HashSet<u64, BuildHasherDefault<Hashed>>;

/// What sentences about the labels are made of.
#[derive(Debug)]
pub(super) struct Vocabulary {
    /// Where a label or short form stands inside a longer text.
    pub(super) spans: Sequences<Set>,
    /// Hashes of all words in the labels.
    pub(super) words: Hashes,
    /// Labels that stand for yes.
    pub(super) yes: Set,
    /// Labels that stand for no.
    pub(super) no: Set,
    /// Labels that are marked as recommended.
    pub(super) recommended: Set,
    /// Labels that mean every option.
    pub(super) all: Set,
    /// Labels that start with a word for none.
    pub(super) none: Set,
    /// Labels that contain a negation.
    pub(super) negated: Set,
    /// The label is spelled with Turkish letters or words.
    pub(super) turkish: bool,
    /// The tokens of every label.
    pub(super) tokens: Vec<Vec<Token>>,
}

/// The part of a label whose words count, in bytes; nobody types more of it inside a sentence.
const HEAD_BYTES_MAX: usize = 1024;

/// The start of a text, as far as its words count.
pub(super) fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(HEAD_BYTES_MAX)).unwrap_or(text)
}

impl Vocabulary {
    pub(super) fn new(labels: &Labels<'_>, choices: &[Choice]) -> Self {
        let mut spans = Sequences::new(choices.len() * 4, is_skipped);
        let tokens_of: Vec<Vec<Token>> = choices.iter().map(|choice| tokens(head(&choice.label))).collect();
        for (choice, tokens) in tokens_of.iter().enumerate().filter(|(_, tokens)| !is_negative(tokens)) {
            spans.insert(tokens, only(choice), |old, new| old | new);
        }
        for form in labels.shorts() {
            spans.insert(&tokens(head(form.text)), only(form.choice), |old, new| old | new);
        }
        let mut vocabulary = Self {
            spans,
            words: Hashes::default(),
            yes: 0,
            no: 0,
            recommended: 0,
            all: 0,
            none: 0,
            negated: 0,
            turkish: choices.iter().any(|choice| choice.label.contains(['ı', 'İ', 'ş', 'Ş', 'ğ', 'Ğ'])),
            tokens: tokens_of,
        };
        for choice in 0..choices.len() {
            vocabulary.learn(choice);
        }
        vocabulary
    }

    fn learn(&mut self, choice: usize) {
        let Some(label) = self.tokens.get(choice) else { return };
        self.words.extend(label.iter().filter(|token| token.kind == Kind::Word).map(|token| token.hash));
        let start = first_word(label);
        if let Some((end, entry)) = words().longest(label, start) {
            let whole = label.get(end).is_none_or(|next| match next.kind {
                Kind::Sign('-' | '\'') => next.spaced,
                Kind::Sign(_) => true,
                _ => next.spaced,
            });
            if whole && entry.lists.any(Lists::YES | Lists::APPROVE) {
                self.yes |= only(choice);
            } else if whole && entry.lists.any(Lists::NO | Lists::REFUSE) {
                self.no |= only(choice);
            }
            if entry.lists.any(Lists::NONE) {
                self.none |= only(choice);
            }
            if end == label.len() && entry.lists.any(Lists::ALL) {
                self.all |= only(choice);
            }
        }
        let mut at = 0;
        while at < label.len() {
            let (end, lists) =
                words().longest(label, at).map_or((at + 1, Lists::default()), |(e, n)| (e, n.lists));
            if lists.any(Lists::RECOMMENDED) {
                self.recommended |= only(choice);
            }
            if lists.any(Lists::NEGATION) {
                self.negated |= only(choice);
            }
            at = end;
        }
    }

    /// Whether one label is a yes and one a no.
    pub(super) const fn is_yes_no(&self) -> bool {
        self.yes != 0 && self.no != 0
    }
}

/// A negative number: its sign is no punctuation, so it counts as a whole text only.
fn is_negative(label: &[Token]) -> bool {
    matches!(
        label,
        [
            Token { kind: Kind::Sign('-'), .. },
            Token { kind: Kind::Number | Kind::Decimal, spaced: false, .. },
            ..
        ]
    )
}

/// Signs that a person may leave out of a label.
pub(super) const fn is_skipped(c: char) -> bool {
    matches!(
        c,
        '-' | '_' | '/' | '.' | '(' | ')' | '[' | ']' | '{' | '}' | '"' | '\'' | '`' | '*' | ':' | '!'
    )
}

/// The first token of a label that is more than decoration.
fn first_word(label: &[Token]) -> usize {
    label.iter().position(|token| !matches!(token.kind, Kind::Emoji | Kind::Sign(_))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(labels: &[&str]) -> Vec<Choice> {
        labels.iter().map(|label| Choice::new(*label)).collect()
    }

    #[test]
    fn whole_texts_spell_labels() {
        let rows: [(&str, &[&str], &str, Hit); 16] = [
            ("exact beats folded", &["Prod", "prod"], "prod", Hit::One(1)),
            ("folded alike", &["Prod", "prod"], "PROD", Hit::Several),
            ("accents decide", &["Résumé", "Resume"], "resume", Hit::One(1)),
            (
                "punctuation decides",
                &["Deploy, api web", "Deploy api, web", "Deploy api web"],
                "deploy api web!",
                Hit::One(2),
            ),
            ("joined", &["Wi-Fi", "LAN"], "wifi", Hit::One(0)),
            ("plus stays", &["C++", "C"], "c", Hit::One(1)),
            ("bracket", &["Staging (Recommended)", "Production"], "staging", Hit::One(0)),
            ("bracket alike", &["Prod (EU)", "Prod (US)"], "prod", Hit::Several),
            ("head", &["Rust - fastest", "Go - simplest"], "rust", Hit::One(0)),
            ("colon head", &["Now: at once", "Later: tonight"], "later", Hit::One(1)),
            ("emoji", &["🚀 Ship it", "Hold"], "ship it", Hit::One(0)),
            ("mark", &["A) Red", "B) Blue"], "blue", Hit::One(1)),
            ("label beats short form", &["Delete (dry run)", "Delete"], "delete", Hit::One(1)),
            ("look-alike letters", &["Canary"], "\u{421}anary", Hit::None),
            ("punctuation label", &[",", ";"], ";", Hit::One(1)),
            ("nothing", &["Red"], "", Hit::None),
        ];
        for (name, labels, text, expected) in rows {
            let choices = choices(labels);
            assert_eq!(Labels::new(&choices).whole(text), expected, "{name}");
        }
    }

    #[test]
    fn sides_are_taken_by_first_words() {
        let rows: [(&str, &[&str], Set, Set); 6] = [
            ("plain", &["Yes", "No"], 1, 2),
            ("first words", &["Yes, deploy now", "No, wait"], 1, 2),
            ("approve", &["Approve", "Reject"], 1, 2),
            ("part of a word", &["Yesterday", "No-op"], 0, 0),
            ("idiom", &["No problem", "Not sure"], 0, 0),
            ("chinese", &["是的，部署", "不部署"], 1, 0),
        ];
        for (name, labels, yes, no) in rows {
            let choices = choices(labels);
            let vocabulary = Vocabulary::new(&Labels::new(&choices), &choices);
            assert_eq!((vocabulary.yes, vocabulary.no), (yes, no), "{name}");
        }
    }
}
