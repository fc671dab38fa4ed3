//! Doubt and rejection (rules 15 and 22): what keeps a reply from choosing although it names a choice. Chooses nothing.

use super::asked::Asked;
use super::label::only;
use super::speech::{Item, Speech, What};
use super::words::Lists;

/// Whether something in the text is struck through: `~~x~~`, `~x~`, or combining strokes.
pub(super) fn is_struck(text: &str) -> bool {
    if text.contains(['\u{335}', '\u{336}']) {
        return true;
    }
    let mut open = false;
    let mut before = ' ';
    let mut signs = text.chars().peekable();
    while let Some(c) = signs.next() {
        if c == '~' {
            while signs.peek() == Some(&'~') {
                signs.next();
            }
            let after = signs.peek().copied().unwrap_or(' ');
            if open && !before.is_whitespace() && !after.is_alphanumeric() {
                return true;
            }
            open = open || (!after.is_whitespace() && !before.is_alphanumeric());
        }
        before = c;
    }
    false
}

const REJECTING: Lists = Lists::NEGATION;
const DOUBTING: Lists = Lists::HEDGE;

/// Whether the items carry a negation, a hedge, an exception, an alternative, a question mark or a thumbs down.
pub(super) fn is_guarded(items: &[Item]) -> bool {
    let lists = REJECTING | DOUBTING | Lists::OR | Lists::EXCEPT | Lists::INSTEAD | Lists::UNSURE;
    items.iter().enumerate().any(|(at, item)| match item.what {
        What::Sign('?') => true,
        What::Word | What::Number(..) | What::Ordinal(_) if item.is(lists) => true,
        What::Emoji => item.is(lists | Lists::NO),
        What::Word if item.is(Lists::BETWEEN) => {
            let near = |item: Option<&Item>| item.is_some_and(is_named);
            near(at.checked_sub(1).and_then(|at| items.get(at))) && near(items.get(at + 1))
        }
        _ => false,
    })
}

/// Whether it names a choice by itself, or a position.
pub(super) const fn is_named(item: &Item) -> bool {
    matches!(item.what, What::Choice(_) | What::Number(..) | What::Ordinal(_))
}

/// Whether an item refers to the choices: names one, all or none of them, or says yes or no to a yes/no question.
pub(super) fn is_reference(asked: &Asked<'_>, item: &Item) -> bool {
    match item.what {
        What::Choice(_) | What::Ordinal(_) => true,
        What::Number(number, _) => {
            usize::try_from(number).is_ok_and(|number| (1..=asked.count()).contains(&number))
        }
        What::Word | What::Emoji => {
            let known = Lists::ALL
                | Lists::BOTH
                | Lists::NONE
                | Lists::ANY
                | Lists::FORMER
                | Lists::LATTER
                | Lists::RECOMMENDED;
            let side = Lists::YES | Lists::NO | Lists::UNSURE;
            item.is(known) || (item.is(side) && asked.vocabulary().is_yes_no())
        }
        _ => false,
    }
}

/// Whether the items are nothing but choices, words of labels, and small words around them.
pub(super) fn is_choice_shaped(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> bool {
    let words = &asked.vocabulary().words;
    items.iter().all(|item| match item.what {
        What::Choice(_) | What::Number(..) | What::Ordinal(_) | What::Sign(_) | What::Emoji => true,
        What::Decimal => false,
        What::Word => {
            !item.entry.lists.is_empty()
                || speech.tokens_of(item).iter().all(|token| words.contains(&token.hash))
        }
    })
}

/// Whether any word of a label stands in it.
pub(super) fn has_label_word(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> bool {
    let words = &asked.vocabulary().words;
    items.iter().any(|item| {
        item.what == What::Word
            && item.entry.lists.is_empty()
            && speech.tokens_of(item).iter().any(|token| words.contains(&token.hash))
    })
}

/// Whether an item names a choice other than `choice`, or might.
pub(super) fn names_other(asked: &Asked<'_>, speech: &Speech<'_>, item: &Item, choice: usize) -> bool {
    match item.what {
        What::Choice(set) => set != only(choice),
        What::Number(number, _) => {
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            number != choice + 1
                && (1..=asked.count()).contains(&number)
                && !item.is(Lists::AROUND | Lists::SMALL)
        }
        What::Ordinal(_) => true,
        What::Word if item.entry.lists.is_empty() => {
            let text = speech.text(std::slice::from_ref(item));
            text.chars().count() >= 3 && super::partial::starts_other(asked, text, choice)
        }
        _ => is_reference(asked, item),
    }
}

#[cfg(test)]
mod tests {
    use super::is_struck;

    #[test]
    fn strokes_are_seen() {
        let rows = [
            ("double", "~~Staging~~", true),
            ("single", "~Staging~", true),
            ("inside", "~~1~~ 2", true),
            ("combining", "2\u{336}", true),
            ("home folders", "~/a and ~/b", false),
            ("range", "1~3", false),
            ("about", "~2 hours", false),
            ("revisions", "HEAD~1..HEAD~2", false),
        ];
        for (name, text, expected) in rows {
            assert_eq!(is_struck(text), expected, "{name}");
        }
    }
}
