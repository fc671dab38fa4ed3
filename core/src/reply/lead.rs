//! What people put around a choice (rules 24 and 25): lead-ins, politeness, the repeated question. Takes it off; chooses nothing
//! by itself.

use super::Reason;
use super::asked::Asked;
use super::choice::{Verdict, of_item, outright, trim_signs};
use super::many::is_list_too;
use super::speech::{Item, Speech, Style, What};
use super::words::Lists;

/// What `items` choose outright, or once lead-ins, tails and articles are off.
pub(super) fn settle(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    outright(asked, speech, items).or_else(|| stripped(asked, speech, items, core(asked, speech, items)))
}

/// What the `core` of `items` chooses, when the items as a whole do not.
pub(super) fn stripped(
    asked: &Asked<'_>,
    speech: &Speech<'_>,
    items: &[Item],
    core: &[Item],
) -> Option<Verdict> {
    if is_idiom(speech, items, core) {
        return Some(Verdict::Unclear(Reason::Ambiguous));
    }
    let shorter = core.len() < items.len();
    let chosen = if shorter { outright(asked, speech, core) } else { None };
    chosen.or_else(|| within_articles(asked, speech, core))
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
        let leads = (first.is_word(before) && !decides(first) && !first.is(Lists::OBJECTION))
            || agrees(first)
            || first.what == What::Emoji && first.entry.lists.is_empty();
        // "Hello Bob" greets Bob; "hello, 2" chooses.
        let greets = first.is_word(Lists::GREETING | Lists::THANKS) && !first.is(Lists::LEAD | Lists::POLITE);
        if greets && !rest.first().is_some_and(Item::is_sign) {
            break;
        }
        let follows = |next: &Item| speech.is_spaced(next) || next.what == What::Sign('>');
        let points =
            matches!(first.what, What::Sign('-' | '=' | '>' | '→')) && rest.first().is_some_and(follows);
        if rest.is_empty() || !(leads || points) {
            break;
        }
        items = trim_signs(speech, rest);
    }
    while let [rest @ .., last] = items {
        let tails = (last.is_word(after) && !decides(last) && !last.is(Lists::OBJECTION))
            || agrees(last)
            || last.what == What::Emoji && last.entry.lists.is_empty();
        if rest.is_empty() || !tails {
            break;
        }
        items = trim_signs(speech, rest);
    }
    items
}

/// Whether a label such as Off stands after a lead-in of one word: `take off` says something else.
fn is_idiom(speech: &Speech<'_>, items: &[Item], core: &[Item]) -> bool {
    let [Item { what: What::Choice(_), entry, .. }] = core else { return false };
    let leads =
        |item: &Item| item.is_word(Lists::LEAD) && !item.is(Lists::YES) && speech.tokens_of(item).len() == 1;
    entry.lists.any(Lists::PARTICLE) && items.iter().any(leads)
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
        [first, ..] if first.is_sign() => None,
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

/// The labels among words that the question itself used, or that only join them: one, or several where that is allowed.
pub(super) fn echo(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Vec<Verdict>> {
    let many = asked.question.multi_select;
    let named = |item: &Item| matches!(item.what, What::Choice(_));
    let first = items.iter().position(named)?;
    let last = items.iter().rposition(named)?;
    let mut found = Vec::new();
    let (mut echoes, mut repeated, mut particle) = (false, false, false);
    for (at, item) in items.iter().enumerate() {
        let between = (first..last).contains(&at);
        let outer = Lists::ECHO | Lists::AROUND | Lists::POLITE | Lists::LEAD;
        let fillers = if between { Lists::AROUND | Lists::ARTICLE } else { outer };
        let repeats =
            |item: &Item| speech.tokens_of(item).iter().all(|token| asked.echo().contains(&token.hash));
        particle |= named(item) && item.is(Lists::PARTICLE);
        repeated |= item.what == What::Word && !item.is(fillers) && repeats(item);
        match item.what {
            What::Choice(set) if many || found.is_empty() => found.push(listable(asked, speech, item, set)),
            What::Sign(c) if is_quiet(c) => {}
            What::Word | What::Sign('&' | '+' | '\n' | ';') if many && item.is(Lists::AND) => {}
            What::Word if item.is(fillers) || (!between && repeats(item)) => echoes = true,
            _ => return None,
        }
    }
    // "on it" and "off you go" choose nothing; "turn it off" does where the question speaks of turning.
    (echoes && (repeated || !particle)).then_some(found)
}

/// The choice of an item, unless its label could be a list of others.
fn listable(asked: &Asked<'_>, speech: &Speech<'_>, item: &Item, set: super::label::Set) -> Verdict {
    let verdict = of_item(asked, speech, item, set);
    match verdict {
        Verdict::Choice(choice) if is_list_too(asked, speech.text(std::slice::from_ref(item)), choice) => {
            Verdict::Unclear(Reason::Ambiguous)
        }
        verdict => verdict,
    }
}

const fn is_quiet(c: char) -> bool {
    matches!(c, '.' | ',' | '"' | '\'' | '*' | '`' | '_' | ':')
}
