//! A choice with a remark beside it (rules 23 and 26): because settles it whatever follows, a plain remark is kept as a note. A
//! remark that changes the choice keeps it from being one.

use super::asked::Asked;
use super::choice::trim_signs;
use super::guard::{is_guarded, names_other};
use super::label::members;
use super::speech::{Item, Speech, What};
use super::words::Lists;

/// A choice followed by a reason: what stands before it, and the reason itself.
pub(super) fn reason<'i>(speech: &Speech<'_>, items: &'i [Item]) -> Option<(&'i [Item], &'i [Item])> {
    let at = items.iter().position(|item| item.is_word(Lists::REASON)).filter(|at| *at > 0)?;
    let (head, reason) = items.split_at(at);
    let asks = items.iter().any(|item| item.what == What::Sign('?'));
    let rejects = items.iter().any(|item| item.what == What::Emoji && item.is(Lists::NO));
    let follows = reason.len() > 1 && reason.iter().skip(1).any(|item| !item.is_sign());
    let head = trim_signs(speech, head);
    (follows && !asks && !rejects && !head.is_empty() && !is_guarded(head)).then_some((head, reason))
}

/// Whether a reason also sets a condition, which no choice can carry.
pub(super) fn has_condition(reason: &[Item]) -> bool {
    reason.iter().any(|item| item.is_word(Lists::CONDITION) && !item.is(Lists::REASON))
}

/// A head and a remark parted by punctuation.
pub(super) fn parted<'i>(
    speech: &Speech<'_>,
    items: &'i [Item],
    separators: &[char],
) -> Option<(&'i [Item], &'i [Item])> {
    let at = items.iter().enumerate().position(|(at, item)| match item.what {
        What::Sign('-') => {
            let after = items.get(at + 1).is_some_and(|next| speech.is_spaced(next));
            separators.contains(&'-') && at > 0 && after
        }
        What::Sign(c) => at > 0 && separators.contains(&c),
        _ => false,
    })?;
    let (head, rest) = items.split_at(at);
    let remark = trim_signs(speech, rest.get(1..).unwrap_or_default());
    (!remark.is_empty() && remark.iter().any(|item| !item.is_sign())).then_some((head, remark))
}

/// Whether a remark leaves the choice as it is: it names no other, and neither adds to it nor takes it back.
pub(super) fn is_harmless(asked: &Asked<'_>, speech: &Speech<'_>, chosen: u128, remark: &[Item]) -> bool {
    let starts = Lists::TURN | Lists::AND | Lists::CONDITION | Lists::STALLER | Lists::SKIP | Lists::NEGATION;
    let anywhere = Lists::CONDITION | Lists::INSTEAD;
    let turns =
        remark.first().is_some_and(|first| first.is(starts) && !matches!(first.what, What::Choice(_)));
    let takes_back = remark.iter().any(|item| item.is_word(anywhere) || item.what == What::Sign('?'));
    let other =
        remark.iter().any(|item| members(chosen).all(|choice| names_other(asked, speech, item, choice)));
    !turns && !takes_back && !other
}
