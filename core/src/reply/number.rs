//! Numbers as positions (rules 16 to 18): what a bare or marked number chooses, and which markers a prompt must print so
//! that what is printed is what decides. Finds no numbers in sentences.

use super::Reason;
use super::asked::Asked;
use super::choice::Verdict;
use super::speech::{Item, Speech, Style, What};
use super::token::{Kind, tokens};
use crate::ask::Question;

/// How a prompt numbers its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markers {
    /// `1.` `2.` `3.`: a bare number is a position.
    Plain,
    /// `#1` `#2` `#3`: a label carries a number that is also a position, so only `#2` is surely one.
    Hash,
}

/// The markers a prompt must print for this question: [`Markers::Hash`] when a label carries a number that is also a position.
#[must_use]
pub fn markers(question: &Question) -> Markers {
    let count = question.choices.len();
    let carried = carried_numbers(question);
    let clash = all_numbers(question) || carried.iter().any(|carried| (1..=count).contains(&carried.number));
    if clash { Markers::Hash } else { Markers::Plain }
}

/// From here on a number that is no position is taken for a value rather than a slip.
const VALUE_MIN: usize = 100;

/// What a bare number chooses.
pub(super) fn bare(asked: &Asked<'_>, number: usize) -> Verdict {
    let question = asked.question;
    let count = asked.count();
    let (whole, units) = carriers(asked, number);
    if (1..=count).contains(&number) {
        let other = |choice: &usize| choice + 1 != number;
        let clash = all_numbers(question) || whole.iter().any(other) || units.iter().any(other);
        return if clash { Verdict::Unclear(Reason::Ambiguous) } else { Verdict::Choice(number - 1) };
    }
    match whole.as_slice() {
        [choice] if units.is_empty() => Verdict::Choice(*choice),
        [] if !units.is_empty() => Verdict::Unclear(Reason::Ambiguous),
        [] if asked.takes_text() && (number >= VALUE_MIN || every_label_carries(asked)) => Verdict::Own,
        [] => Verdict::Unclear(Reason::OutOfRange),
        _ => Verdict::Unclear(Reason::Ambiguous),
    }
}

/// Whether any bare position could mean a label instead.
pub(super) fn is_doubtful(asked: &Asked<'_>) -> bool {
    let positions = 1..=asked.count();
    let elsewhere =
        |carried: &Carried| positions.contains(&carried.number) && carried.number != carried.choice + 1;
    all_numbers(asked.question) || asked.carried().iter().any(elsewhere)
}

/// What a number that is marked as a position chooses.
pub(super) fn marked(asked: &Asked<'_>, number: usize) -> Verdict {
    if (1..=asked.count()).contains(&number) {
        Verdict::Choice(number - 1)
    } else {
        Verdict::Unclear(Reason::OutOfRange)
    }
}

/// What a number item chooses.
pub(super) fn chosen(asked: &Asked<'_>, number: u32, style: Style) -> Verdict {
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    if style == Style::Marked { marked(asked, number) } else { bare(asked, number) }
}

/// A whole reply that is one number: with its list marker, a sign, or a point.
pub(super) fn whole(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    let what = |at: usize| items.get(at).map(|item| item.what);
    match (what(0)?, what(1), what(2), items.len()) {
        (What::Number(number, style), None, ..)
        | (What::Number(number, style), Some(What::Sign(')' | ':')), None, _)
        | (What::Number(number, style), Some(What::Sign('.')), Some(What::Sign(')')), 3) => {
            Some(chosen(asked, number, style))
        }
        (What::Sign(sign), Some(What::Number(..) | What::Decimal), None, _) => signed(speech, items, sign),
        (What::Decimal, None, ..) if asked.takes_text() => Some(Verdict::Own),
        (What::Decimal, None, ..) => Some(Verdict::Unclear(Reason::OutOfRange)),
        _ => None,
    }
}

fn signed(speech: &Speech<'_>, items: &[Item], sign: char) -> Option<Verdict> {
    let joined = items.last().is_some_and(|number| !speech.is_spaced(number));
    match sign {
        '+' => Some(Verdict::Unclear(Reason::Ambiguous)),
        '-' if joined => Some(Verdict::Unclear(Reason::OutOfRange)),
        _ => None,
    }
}

/// Number and label together, in either order, perhaps with the choice's description: a copied option line.
pub(super) fn with_label(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    if !items.iter().any(|item| matches!(item.what, What::Choice(_))) {
        return None;
    }
    let joint = |item: &&Item| {
        !matches!(
            item.what,
            What::Sign('.' | ')' | '(' | ':' | '-' | '#' | '[' | ']' | '*' | '"' | '`' | '=' | '>')
        )
    };
    let content: Vec<&Item> = items.iter().filter(joint).collect();
    let (number, label, rest) = match content.as_slice() {
        [Item { what: What::Number(number, Style::Digits | Style::Marked), .. }, label, rest @ ..] => {
            (Some(*number), *label, rest)
        }
        [label, Item { what: What::Number(number, Style::Digits | Style::Marked), .. }] => {
            (Some(*number), *label, &[] as &[_])
        }
        [label, rest @ ..] if !rest.is_empty() => (None, *label, rest),
        _ => return None,
    };
    let What::Choice(set) = label.what else { return None };
    let verdict = super::choice::of_item(asked, speech, label, set);
    let position = number.and_then(|number| usize::try_from(number).ok()).and_then(|n| n.checked_sub(1));
    let choice = match (verdict, position) {
        (Verdict::Choice(choice), Some(position)) if position != choice => {
            return rest.is_empty().then_some(Verdict::Unclear(Reason::Conflict));
        }
        (Verdict::Choice(choice), _) => choice,
        (_, Some(position)) if set & super::label::only(position) != 0 => position,
        _ if number.is_some() && rest.is_empty() => return Some(Verdict::Unclear(Reason::Conflict)),
        _ => return None,
    };
    let agrees = number.is_none() || position == Some(choice);
    let described = rest.is_empty() || is_description(asked, speech, choice, rest);
    (agrees && described).then_some(Verdict::Choice(choice))
}

/// Whether the rest of a copied option line is the choice's own description.
fn is_description(asked: &Asked<'_>, speech: &Speech<'_>, choice: usize, rest: &[&Item]) -> bool {
    let Some(description) =
        asked.question.choices.get(choice).and_then(|choice| choice.description.as_deref())
    else {
        return false;
    };
    let is_word = |kind: Kind| !matches!(kind, Kind::Sign(_));
    let (Some(first), Some(last)) = (rest.first(), rest.last()) else { return false };
    let typed = speech.tokens.get(first.from..last.to).unwrap_or_default();
    let typed = typed.iter().filter(|token| is_word(token.kind)).map(|token| token.hash);
    typed.eq(tokens(description).iter().filter(|token| is_word(token.kind)).map(|token| token.hash))
}

/// Whether every label is a number and nothing else, but for a sign, a currency or a percent sign.
fn all_numbers(question: &Question) -> bool {
    let edge = |c: char| c.is_whitespace() || "+-−<>≤≥~≈$€£¥%°".contains(c);
    question.choices.iter().all(|choice| {
        let text = choice.label.trim_matches(edge);
        let digit = |c: char| c.is_ascii_digit() || (!c.is_ascii() && c.is_numeric());
        text.chars().any(digit) && text.chars().all(|c| digit(c) || c == '.')
    })
}

fn every_label_carries(asked: &Asked<'_>) -> bool {
    (0..asked.count()).all(|choice| asked.carried().iter().any(|carried| carried.choice == choice))
}

/// Choices whose labels carry the number as a whole integer, and those that carry it with a unit glued on (`3x`): these only
/// make it doubtful.
fn carriers(asked: &Asked<'_>, number: usize) -> (Vec<usize>, Vec<usize>) {
    let carry = |whole: bool| {
        let mut choices: Vec<usize> = Vec::new();
        for carried in
            asked.carried().iter().filter(|carried| carried.number == number && carried.whole == whole)
        {
            if !choices.contains(&carried.choice) {
                choices.push(carried.choice);
            }
        }
        choices
    };
    (carry(true), carry(false))
}

/// A number that stands in a label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    choice: usize,
    number: usize,
    /// A whole integer by itself: no unit glued on, no range.
    whole: bool,
}

/// Every number that the labels carry.
pub(super) fn carried_numbers(question: &Question) -> Vec<Carried> {
    let mut all = Vec::new();
    for (choice, label) in question.choices.iter().enumerate() {
        let label = super::label::head(&label.label);
        if has_digits(label) {
            let numbers = numbers_in(label).into_iter();
            all.extend(numbers.map(|(number, whole)| Carried { choice, number, whole }));
        }
    }
    all
}

/// A short run of plain digits where no label has a digit: nothing but a position, or a value.
pub(super) fn plain(asked: &Asked<'_>, text: &str) -> Option<Verdict> {
    let digits = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits)?;
    let clear = !asked.question.choices.iter().any(|choice| has_digits(&choice.label));
    clear.then(|| bare(asked, number))
}

fn has_digits(label: &str) -> bool {
    label.bytes().any(|byte| byte.is_ascii_digit() || byte >= 0xC2)
}

/// Whole integers in a label, optionally after `v` or `#`; integers with a short unit glued on, or in a range, are marked false.
fn numbers_in(label: &str) -> Vec<(usize, bool)> {
    let tokens = tokens(label);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let chained = is_chained(&tokens, at);
        if chained && !is_range_end(&tokens, at) {
            continue;
        }
        let value = usize::try_from(token.number).unwrap_or(usize::MAX);
        let text = label.get(token.start()..token.end()).unwrap_or_default();
        match token.kind {
            Kind::Number | Kind::Keycap => found.push((value, !chained)),
            Kind::Word if token.prefixed && text.len() > 1 && text.starts_with(['v', 'V']) => {
                let digits = text.get(1..).unwrap_or_default();
                if digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    found.push((value, true));
                }
            }
            Kind::Word => {
                let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
                if unit.len() < text.len() && unit.chars().count() <= 3 {
                    found.push((value, false));
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a number is one end of a range such as `1-5`: carried, but doubtful.
fn is_range_end(tokens: &[super::token::Token], at: usize) -> bool {
    let kind = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.kind);
    let number = |at: Option<usize>| kind(at) == Some(Kind::Number);
    let dash = |at: Option<usize>| kind(at) == Some(Kind::Sign('-'));
    let before = dash(at.checked_sub(1)) && number(at.checked_sub(2)) && !dash(at.checked_sub(3));
    let after = dash(Some(at + 1)) && number(Some(at + 2)) && !dash(Some(at + 3));
    number(Some(at)) && (before != after)
}

/// Whether a number hangs on a word or number by a hyphen, point, slash or colon: `us-east-1`.
fn is_chained(tokens: &[super::token::Token], at: usize) -> bool {
    let joins = |kind: Kind| matches!(kind, Kind::Sign('-' | '.' | '/' | ':' | '_' | ','));
    let is_part = |kind: Kind| matches!(kind, Kind::Word | Kind::Number | Kind::Decimal);
    let near = |at: usize| tokens.get(at);
    let before = at.checked_sub(2).and_then(near).zip(at.checked_sub(1).and_then(near));
    let hangs_before = before.is_some_and(|(word, joint)| {
        is_part(word.kind)
            && joins(joint.kind)
            && !joint.spaced
            && near(at).is_some_and(|token| !token.spaced)
    });
    let hangs_after = near(at + 1).zip(near(at + 2)).is_some_and(|(joint, word)| {
        joins(joint.kind) && is_part(word.kind) && !joint.spaced && !word.spaced
    });
    hangs_before || hangs_after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::Choice;

    #[test]
    fn markers_follow_the_labels() {
        let rows: [(&str, &[&str], Markers); 12] = [
            ("words", &["Staging", "Production"], Markers::Plain),
            ("numbers only", &["3", "5", "8"], Markers::Hash),
            ("numbers only, none a position", &["10", "20"], Markers::Hash),
            ("carried elsewhere", &["2 replicas", "3 replicas", "5 replicas"], Markers::Hash),
            ("carried in place", &["1 replica", "2 replicas", "3 replicas"], Markers::Hash),
            ("no position", &["Node 18", "Node 20"], Markers::Plain),
            ("version", &["v2", "v3", "v4"], Markers::Hash),
            ("decimals only", &["2.0", "1.5"], Markers::Hash),
            ("decimals in words", &["Python 2.0", "Python 1.5"], Markers::Plain),
            ("hyphenated", &["us-east-1", "us-west-2", "eu-west-1"], Markers::Plain),
            ("unit", &["2x", "3x", "4x"], Markers::Hash),
            ("full width", &["２ 台", "３ 台"], Markers::Hash),
        ];
        for (name, labels, expected) in rows {
            let choices = labels.iter().map(|l| Choice::new(*l)).collect();
            assert_eq!(markers(&Question { choices, ..Question::default() }), expected, "{name}");
        }
    }
}
