//! Parts and near misses of labels (rules 27 and 29): a start or a whole-word fragment of exactly one label, or a label with a
//! letter off. A near miss is suggested, never taken.

use super::asked::Asked;
use super::fold::is_glued;
use super::label::{Folds, only};
use super::speech::{Item, Speech, What};
use super::words::Lists;

/// Which labels a text is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    None,
    /// Of one label, which says no negation.
    One(usize),
    /// Of one label that contains a negation.
    Negated(usize),
    Several,
}

/// Which labels `items` are the start or a fragment of.
pub(super) fn part_of(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Part {
    let small = Lists::SMALL
        | Lists::LEAD
        | Lists::TAIL
        | Lists::AROUND
        | Lists::POLITE
        | Lists::STALLER
        | Lists::SKIP;
    let has_content = items.iter().any(|item| match item.what {
        What::Word => !item.is(small),
        What::Choice(_) | What::Ordinal(_) | What::Decimal => true,
        _ => false,
    });
    let around =
        |item: &Item| item.is_word(Lists::AROUND | Lists::ARTICLE) && !is_label_word(asked, speech, item);
    let start = items.iter().take_while(|item| around(item)).count();
    let items = items.get(start..).unwrap_or_default();
    let end = items.iter().rev().take_while(|item| around(item)).count();
    let items = items.get(..items.len() - end).unwrap_or_default();
    let text = Folds::of(speech.text(items)).two;
    if !has_content || text.is_empty() {
        return Part::None;
    }
    let mut found = Part::None;
    for (choice, label) in asked.folds().iter().enumerate() {
        if !is_start(&label.two, &text) && !is_fragment(&label.two, &text) {
            continue;
        }
        let negated = asked.vocabulary().negated & only(choice) != 0;
        found = match found {
            Part::None if negated => Part::Negated(choice),
            Part::None => Part::One(choice),
            _ => return Part::Several,
        };
    }
    found
}

fn is_label_word(asked: &Asked<'_>, speech: &Speech<'_>, item: &Item) -> bool {
    speech.tokens_of(item).iter().any(|token| asked.vocabulary().words.contains(&token.hash))
}

/// Whether a label other than that of `choice` starts with `text`.
pub(super) fn starts_other(asked: &Asked<'_>, text: &str, choice: usize) -> bool {
    let text = Folds::of(text).two;
    let parts = |label: &Folds| is_start(&label.two, &text) || is_fragment(&label.two, &text);
    asked.folds().iter().enumerate().any(|(other, label)| other != choice && parts(label))
}

/// At least three characters, or two signs of a script without spaces, that do not stop inside a number.
fn is_start(label: &str, text: &str) -> bool {
    let count = text.chars().count();
    let glued = text.chars().all(is_glued);
    let Some(rest) = label.strip_prefix(text) else { return false };
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let splits_number = digit(text.chars().next_back()) && digit(rest.chars().next());
    (count >= 3 || (glued && count >= 2)) && !splits_number
}

/// Whole words of the label, side by side.
fn is_fragment(label: &str, text: &str) -> bool {
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    label.match_indices(text).any(|(at, _)| {
        let (before, rest) = label.split_at(at);
        let after = rest.get(text.len()..).unwrap_or_default();
        is_edge(before.chars().next_back()) && is_edge(after.chars().next())
    })
}

/// Labels that a text misses by a letter or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Near {
    None,
    One(usize),
    Several,
}

/// Which labels, or short forms, the text misses by a letter or two.
pub(super) fn near(asked: &Asked<'_>, text: &str) -> Near {
    let size = letters(text);
    let mut typed: Vec<char> = Vec::new();
    let mut found = Near::None;
    let forms = asked.labels().labels().chain(asked.labels().shorts().iter().copied());
    for form in forms.filter(|form| letters(form.text).abs_diff(size) <= spread(form.text, text)) {
        let label: Vec<char> = Folds::of(form.text).three.chars().collect();
        let allowed = match label.len() {
            0..5 => continue,
            5..8 => 1,
            _ => 2,
        };
        if typed.is_empty() {
            typed = Folds::of(text).three.chars().collect();
        }
        if is_within(&label, &typed, allowed) && !differ_in_number(&label, &typed) {
            found = match found {
                Near::None => Near::One(form.choice),
                Near::One(choice) if choice == form.choice => found,
                _ => return Near::Several,
            };
        }
    }
    found
}

/// Two texts with different numbers in them are different values, no slip.
fn differ_in_number(a: &[char], b: &[char]) -> bool {
    let digits = |text: &[char]| text.iter().filter(|c| c.is_ascii_digit()).copied().collect::<Vec<_>>();
    let (a, b) = (digits(a), digits(b));
    !a.is_empty() && !b.is_empty() && a != b
}

/// Letters and digits of a text, which no fold of an ASCII text changes in number.
fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// How many letters two near texts may differ by before folding.
fn spread(a: &str, b: &str) -> usize {
    if a.is_ascii() && b.is_ascii() { 2 } else { 8 + b.len() / 2 }
}

/// Whether at most `allowed` letters were added, dropped, changed or swapped with their neighbour. Looks at a band of the
/// distance table only, so it takes time in proportion to the text.
fn is_within(a: &[char], b: &[char], allowed: usize) -> bool {
    if a.len().abs_diff(b.len()) > allowed {
        return false;
    }
    let width = b.len() + 1;
    let far = allowed + 1;
    let mut before_last: Vec<usize> = vec![far; width];
    let mut last: Vec<usize> = (0..width).map(|column| column.min(far)).collect();
    let mut row = vec![far; width];
    for i in 1..=a.len() {
        let from = i.saturating_sub(allowed).max(1);
        let to = (i + allowed).min(b.len());
        row[from - 1] = if from == 1 { i.min(far) } else { far };
        let mut best = row[from - 1];
        for j in from..=to {
            let same = a[i - 1] == b[j - 1];
            let mut distance = (last[j - 1] + usize::from(!same)).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                distance = distance.min(before_last[j - 2] + 1);
            }
            row[j] = distance.min(far);
            best = best.min(row[j]);
        }
        if to < b.len() {
            row[to + 1] = far;
        }
        if best > allowed {
            return false;
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()] <= allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_is_near() {
        let rows = [
            ("dropped", "staging", "stagng", 1, true),
            ("added", "staging", "staging2", 1, true),
            ("changed", "staging", "stasing", 1, true),
            ("swapped", "staging", "stagign", 1, true),
            ("two off", "staging", "stagn", 1, false),
            ("two allowed", "production", "prodcton", 2, true),
            ("three", "production", "prodctn", 2, false),
            ("other", "production", "prediction!", 2, false),
            ("empty", "staging", "", 1, false),
        ];
        for (name, a, b, allowed, expected) in rows {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            assert_eq!(is_within(&a, &b, allowed), expected, "{name}");
        }
    }

    #[test]
    fn starts_and_fragments() {
        let rows = [
            ("production cluster", "prod", true),
            ("production cluster", "cluster", true),
            ("production cluster", "pr", false),
            ("node 18", "node 1", false),
            ("use postgres", "postgres", true),
            ("use postgres", "gres", false),
            ("生产环境", "生产", true),
            ("预发布", "发布", false),
        ];
        for (label, text, expected) in rows {
            assert_eq!(is_start(label, text) || is_fragment(label, text), expected, "{label} / {text}");
        }
    }
}
