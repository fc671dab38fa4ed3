//! Counted runs of choices (rule 34): ranges such as `1-3` and slices such as `the first two`. Knows no lists.

use super::Reason;
use super::asked::Asked;
use super::number::is_doubtful;
use super::speech::{Item, Style, What};
use super::words::Lists;

/// The choices from one position to a later one.
pub(super) fn range(asked: &Asked<'_>, items: &[Item]) -> Option<Result<Vec<usize>, Reason>> {
    let filler = Lists::FROM | Lists::AROUND | Lists::POSITION | Lists::ARTICLE;
    let fills = |item: &&Item| item.is_word(Lists::TO) || !item.is_word(filler);
    let content: Vec<&Item> = items.iter().filter(fills).collect();
    let (first, joint, last) = match content.as_slice() {
        [first, joint @ .., last, end] if end.is_word(Lists::TO) && !joint.is_empty() => (first, joint, last),
        [first, joint @ .., last] if !joint.is_empty() => (first, joint, last),
        _ => return None,
    };
    let (What::Number(a, first_style), What::Number(b, last_style)) = (first.what, last.what) else {
        return None;
    };
    let joins = match joint.iter().map(|item| item.what).collect::<Vec<_>>().as_slice() {
        [What::Sign('-' | '~')] | [What::Sign('-'), What::Sign('-' | '>')] => true,
        [What::Sign('.'), dots @ ..] => !dots.is_empty() && dots.iter().all(|dot| *dot == What::Sign('.')),
        [What::Word] => joint.iter().all(|item| item.is(Lists::TO)),
        _ => false,
    };
    if !joins {
        return None;
    }
    let (Ok(a), Ok(b)) = (usize::try_from(a), usize::try_from(b)) else {
        return Some(Err(Reason::OutOfRange));
    };
    let within = |position: usize| (1..=asked.count()).contains(&position);
    let bare = first_style != Style::Marked || last_style != Style::Marked;
    Some(if !within(a) || !within(b) {
        Err(Reason::OutOfRange)
    } else if a >= b || (bare && is_doubtful(asked)) {
        Err(Reason::Ambiguous)
    } else {
        Ok((a - 1..b).collect())
    })
}

/// The first or last so many choices.
pub(super) fn slice(asked: &Asked<'_>, items: &[Item]) -> Option<Result<Vec<usize>, Reason>> {
    let (mut from_start, mut from_end, mut count) = (false, false, None);
    for item in items {
        let number = match item.what {
            What::Number(number, style) if style != Style::Marked && !item.is(Lists::AROUND) => Some(number),
            _ if item.is_word(Lists::BOTH) => Some(2),
            _ => item.entry.count,
        };
        match number {
            Some(number) if count.is_none() => count = usize::try_from(number).ok(),
            Some(_) => return None,
            None if item.is(Lists::HEAD) && !from_start => from_start = true,
            None if item.is(Lists::END) && !from_end => from_end = true,
            None if item.is_word(Lists::AROUND | Lists::POSITION | Lists::ARTICLE | Lists::POLITE) => {}
            None => return None,
        }
    }
    let count = count.filter(|_| from_start != from_end)?;
    let all = asked.count();
    Some(match (1..=all).contains(&count) {
        false => Err(Reason::OutOfRange),
        true if from_start => Ok((0..count).collect()),
        true => Ok((all - count..all).collect()),
    })
}
