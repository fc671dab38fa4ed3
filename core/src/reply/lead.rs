//! What people put around a choice (rules 24 and 25): lead-ins, politeness, the repeated question. Takes it off; chooses nothing
//! by itself.

use super::asked::Asked;
use super::choice::{Verdict, of_item, outright, trim_signs};
use super::speech::{Item, Speech, Style, What};
use super::words::Lists;

/// What `items` choose outright, or once lead-ins, tails and articles are off.
pub(super) fn settle(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    let core = core(asked, speech, items);
    let stripped = core.len() < items.len();
    outright(asked, speech, items)
        .or_else(|| if stripped { outright(asked, speech, core) } else { None })
        .or_else(|| within_articles(asked, speech, core))
}

/// `items` without lead-ins, greetings and politeness before the choice, and without tails, thanks and smileys after it.
pub(super) fn core<'i>(asked: &Asked<'_>, speech: &Speech<'_>, items: &'i [Item]) -> &'i [Item] {
    let yes_no = asked.vocabulary().is_yes_no();
    let agrees = |item: &Item| item.is_word(Lists::YES) && !yes_no;
    let decides = |item: &Item| yes_no && item.is_word(Lists::YES | Lists::NO);
    let before = Lists::LEAD | Lists::POLITE | Lists::GREETING | Lists::THANKS | Lists::SMILEY;
    let after = Lists::TAIL | Lists::POLITE | Lists::THANKS | Lists::SMILEY;
    let mut items = trim_signs(speech, items);
    while let [first, rest @ ..] = items {
        let leads = (first.is_word(before) && !decides(first))
            || agrees(first)
            || first.what == What::Emoji && first.entry.lists.is_empty();
        let follows = |next: &Item| speech.is_spaced(next) || next.what == What::Sign('>');
        let points =
            matches!(first.what, What::Sign('-' | '=' | '>' | '→')) && rest.first().is_some_and(follows);
        if rest.is_empty() || !(leads || points) {
            break;
        }
        items = trim_signs(speech, rest);
    }
    while let [rest @ .., last] = items {
        let tails = (last.is_word(after) && !decides(last))
            || agrees(last)
            || last.what == What::Emoji && last.entry.lists.is_empty();
        if rest.is_empty() || !tails {
            break;
        }
        items = trim_signs(speech, rest);
    }
    items
}

/// A choice or position between articles and "one": `the staging one`, `la 2`.
fn within_articles(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    let around = |item: &Item| match item.what {
        What::Word => item.is(Lists::AROUND | Lists::ARTICLE | Lists::POSITION | Lists::POLITE),
        What::Number(1, Style::Word) => item.is(Lists::AROUND),
        _ => false,
    };
    let is_article =
        |items: &[Item]| items.iter().all(|item| item.is(Lists::AROUND | Lists::ARTICLE | Lists::POLITE));
    let start = items.iter().take_while(|item| around(item)).count();
    let rest = items.get(start..)?;
    let end = rest.iter().rev().take_while(|item| around(item)).count();
    let inner = rest.get(..rest.len() - end)?;
    match inner {
        _ if start + end == 0 => None,
        [item] => match item.what {
            What::Choice(set) => Some(of_item(asked, speech, item, set)),
            What::Number(number, style @ (Style::Digits | Style::Marked))
                if end == 0 && is_article(&items[..start]) =>
            {
                Some(super::number::chosen(asked, number, style))
            }
            What::Number(number, Style::Word)
                if end == 0 && items[..start].iter().all(|i| i.is(Lists::ARTICLE)) =>
            {
                Some(super::number::chosen(asked, number, Style::Digits))
            }
            _ => None,
        },
        _ => match asked.labels().whole(speech.text(inner)) {
            super::label::Hit::One(choice) => Some(Verdict::Choice(choice)),
            _ => None,
        },
    }
}

/// The one label among words that the question itself used, or that only join them.
pub(super) fn echo(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    let mut found = None;
    let fillers = Lists::ECHO | Lists::AROUND | Lists::POLITE | Lists::LEAD;
    for item in items {
        let repeats =
            |item: &Item| speech.tokens_of(item).iter().all(|token| asked.echo().contains(&token.hash));
        match item.what {
            What::Choice(set) => {
                if found.is_some() {
                    return None;
                }
                found = Some((item, set));
            }
            What::Sign(c) if is_quiet(c) => {}
            What::Word if item.is(fillers) || repeats(item) => {}
            _ => return None,
        }
    }
    found.map(|(item, set)| of_item(asked, speech, item, set))
}

const fn is_quiet(c: char) -> bool {
    matches!(c, '.' | ',' | '!' | '"' | '\'' | '*' | '`' | '_' | ':')
}
