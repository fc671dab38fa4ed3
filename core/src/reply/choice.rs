//! What a reply chooses outright, without guessing (rules 13 to 21): a label, a number, a letter, an ordinal, a yes or a no
//! that is the whole text. Strips nothing and weighs no doubt.

use super::Reason;
use super::asked::Asked;
use super::label::{Hit, Set, members, own_mark, single};
use super::number;
use super::speech::{Item, Speech, Style, What};
use super::token::{Kind, Token};
use super::words::Lists;

/// What a text says about one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// This choice and no other.
    Choice(usize),
    /// The person's own words, as typed.
    Own,
    /// It does not decide.
    Unclear(Reason),
}

const AMBIGUOUS: Verdict = Verdict::Unclear(Reason::Ambiguous);

/// What `items` choose, if they do nothing but choose.
pub(super) fn outright(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    match asked.labels().whole(speech.text(items)) {
        Hit::One(choice) => Some(agreeing(choice, items)),
        Hit::Several => Some(AMBIGUOUS),
        Hit::None => unspelled(asked, speech, items),
    }
}

/// What `items` choose when they spell no label as a whole.
pub(super) fn unspelled(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    let items = trim_signs(speech, items);
    if let [Item { what: What::Choice(set), .. }] = items {
        return Some(of_item(asked, speech, &items[0], *set));
    }
    if let Some(verdict) = loosely_spelled(asked, speech, items) {
        return Some(verdict);
    }
    number::whole(asked, speech, items)
        .or_else(|| negated_number(speech, items))
        .or_else(|| number::with_label(asked, speech, items))
        .or_else(|| letter(asked, speech, items))
        .or_else(|| lettered_label(asked, speech, items))
        .or_else(|| ordinal(asked, speech, items))
        .or_else(|| dismissal(asked, speech, items))
        .or_else(|| yes_or_no(asked, speech, items))
        .or_else(|| recommended(asked, items))
        .or_else(|| none_of_them(asked, speech, items))
}

/// The label whose words these are, whatever commas stand between them; not where commas part several choices.
fn loosely_spelled(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    if asked.question.multi_select || items.len() < 2 || items.first().is_some_and(Item::is_sign) {
        return None;
    }
    let counts =
        |token: &&Token| !matches!(token.kind, Kind::Sign(c) if c == ',' || super::label::is_skipped(c));
    let typed = speech.tokens.get(items.first()?.from..items.last()?.to)?;
    let same = |label: &Vec<Token>| {
        label.iter().filter(counts).map(|t| t.hash).eq(typed.iter().filter(counts).map(|t| t.hash))
    };
    let mut alike = asked.vocabulary().tokens.iter().enumerate().filter(|(_, label)| same(label));
    match (alike.next(), alike.next()) {
        (Some((choice, _)), None) if !has_sign(typed) => Some(Verdict::Choice(choice)),
        (Some(_), Some(_)) => Some(AMBIGUOUS),
        _ => None,
    }
}

/// Whether a number has a sign before it, which is more than punctuation.
fn has_sign(tokens: &[Token]) -> bool {
    tokens.windows(2).any(|pair| match pair {
        [sign, number] => sign.kind == Kind::Sign('-') && number.kind == Kind::Number && !number.spaced,
        _ => false,
    })
}

/// A label that was spelled by a number typed as one sign (a circled 3 for the label "3") counts only if it is that position.
fn agreeing(choice: usize, items: &[Item]) -> Verdict {
    let position = match items {
        [Item { what: What::Number(number, Style::Marked), .. }] => usize::try_from(*number).ok(),
        _ => None,
    };
    if position.is_none_or(|position| position == choice + 1) { Verdict::Choice(choice) } else { AMBIGUOUS }
}

/// The choice that one item names.
pub(super) fn of_item(asked: &Asked<'_>, speech: &Speech<'_>, item: &Item, set: Set) -> Verdict {
    match (asked.labels().whole(speech.text(std::slice::from_ref(item))), single(set)) {
        (Hit::One(choice), _) | (Hit::None, Some(choice)) => Verdict::Choice(choice),
        _ => AMBIGUOUS,
    }
}

/// Without quotes, markup, sentence punctuation and a list bullet at the ends.
pub(super) fn trim_signs<'i>(speech: &Speech<'_>, items: &'i [Item]) -> &'i [Item] {
    let mut items = items;
    loop {
        items = match items {
            [
                Item {
                    what: What::Sign('"' | '\'' | '`' | '*' | '_' | ',' | ';' | ':' | '¡' | '\n' | '.'),
                    ..
                },
                rest @ ..,
            ]
            | [
                rest @ ..,
                Item {
                    what: What::Sign('"' | '\'' | '`' | '*' | '_' | ',' | ';' | '!' | '\n' | '.'), ..
                },
            ] => rest,
            [Item { what: What::Sign('-' | '•' | '◦' | '▪' | '‣' | '●' | '!'), .. }, next, ..]
                if speech.is_spaced(next) =>
            {
                &items[1..]
            }
            [rest @ .., colon, Item { what: What::Sign(':'), .. }]
                if !matches!(colon.what, What::Number(..)) =>
            {
                &items[..=rest.len()]
            }
            _ => return items,
        };
    }
}

/// "no 2" is number two, or no: two, or not two.
fn negated_number(speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    match items {
        [no, Item { what: What::Number(..), .. }]
            if no.is_word(Lists::NO) && speech.text(&[*no]).len() <= 3 =>
        {
            Some(AMBIGUOUS)
        }
        _ => None,
    }
}

/// A letter with all its marks is no longer, in bytes.
const LETTER_BYTES_MAX: usize = 8;

/// One letter: a choice only where labels carry letter marks.
fn letter(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    let item = match items {
        [item] | [item, Item { what: What::Sign(')' | '.'), .. }] => item,
        [Item { what: What::Sign('(' | '['), .. }, item, Item { what: What::Sign(')' | ']'), .. }] => item,
        [noun, item] if noun.is_word(Lists::POSITION | Lists::AROUND) => item,
        _ => return None,
    };
    let text = speech.text(std::slice::from_ref(item));
    if item.what != What::Word || text.len() > LETTER_BYTES_MAX {
        return None;
    }
    let folded = super::label::Folds::of(text).one;
    let mut characters = folded.chars();
    let letter = characters.next().filter(|c| c.is_alphabetic() && !super::fold::is_glued(*c))?;
    if characters.next().is_some() {
        return None;
    }
    let is_mark = |mark: &str| mark.chars().flat_map(char::to_lowercase).eq([letter]);
    let labels = asked.question.choices.iter().map(|choice| choice.label.as_str());
    let marks: Vec<usize> = labels
        .clone()
        .enumerate()
        .filter(|(_, label)| own_mark(label).is_some_and(|(mark, _)| is_mark(mark)))
        .map(|(choice, _)| choice)
        .collect();
    match marks.as_slice() {
        [choice] => return Some(Verdict::Choice(*choice)),
        [] => {}
        _ => return Some(AMBIGUOUS),
    }
    if items.len() == 1 && item.is(Lists::YES | Lists::NO) {
        return None;
    }
    let starts = labels.into_iter().any(|label| {
        let label = super::label::Folds::of(label).two;
        label.starts_with(letter)
    });
    let reason = if starts || asked.takes_text() { Reason::Ambiguous } else { Reason::UnknownOption };
    Some(Verdict::Unclear(reason))
}

/// A letter mark before a label must be that label's own.
fn lettered_label(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    let (mark, rest) = items.split_at_checked(2)?;
    let [Item { what: What::Word, .. }, Item { what: What::Sign(')' | '.' | ':' | '-'), .. }] = mark else {
        return None;
    };
    let Verdict::Choice(marked) = letter(asked, speech, mark.get(..1)?)? else { return None };
    let [Item { what: What::Choice(set), .. }] = rest else { return None };
    Some(match of_item(asked, speech, rest.first()?, *set) {
        Verdict::Choice(choice) if choice == marked => Verdict::Choice(choice),
        _ => Verdict::Unclear(Reason::Conflict),
    })
}

/// A position in words, with nothing around it but articles and "one".
fn ordinal(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    let around = Lists::AROUND | Lists::POLITE | Lists::POSITION | Lists::ARTICLE;
    let relative = Lists::FORMER | Lists::LATTER | Lists::MIDDLE;
    let mut found = None;
    for item in items {
        let names = matches!(item.what, What::Ordinal(_)) || item.is_word(relative);
        let fills = match item.what {
            What::Word => item.is(around),
            What::Number(1, Style::Word) => item.is(Lists::AROUND),
            What::Sign(c) => c == ',' || c == '-',
            _ => false,
        };
        match (names, found) {
            (true, None) => found = Some(item),
            (true, Some(_)) => return None,
            (false, _) if !fills => return None,
            _ => {}
        }
    }
    let item = found?;
    let count = i32::try_from(asked.count()).unwrap_or(i32::MAX);
    let position = match item.what {
        What::Ordinal(position) if position < 0 => count + position + 1,
        What::Ordinal(position) => position,
        _ if item.is(Lists::FORMER) && count == 2 => 1,
        _ if item.is(Lists::LATTER) && count == 2 => 2,
        _ if item.is(Lists::MIDDLE) && count % 2 == 1 => count / 2 + 1,
        _ => return Some(AMBIGUOUS),
    };
    if !(1..=count).contains(&position) {
        return Some(Verdict::Unclear(Reason::OutOfRange));
    }
    let choice = usize::try_from(position - 1).ok()?;
    let said = speech.tokens_of(item);
    let elsewhere = asked.vocabulary().tokens.iter().enumerate().any(|(other, label)| {
        other != choice
            && !said.is_empty()
            && label
                .windows(said.len())
                .any(|part| part.iter().map(|t| t.hash).eq(said.iter().map(|t| t.hash)))
    });
    Some(if elsewhere { AMBIGUOUS } else { Verdict::Choice(choice) })
}

/// A bare skip, cancel or stop is no command.
fn dismissal(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    let all =
        items.iter().all(|item| item.is_sign() || item.is_word(Lists::SKIP | Lists::POLITE | Lists::THANKS));
    let skips = items.iter().any(|item| item.is_word(Lists::SKIP));
    let says_no = items.iter().any(|item| item.is_word(Lists::NO));
    if !all || !skips || (says_no && asked.vocabulary().is_yes_no()) {
        return None;
    }
    let words = &asked.vocabulary().words;
    let doubtful = asked.takes_text()
        || items.iter().any(|item| item.is_word(Lists::YES | Lists::NO | Lists::UNSURE))
        || items.iter().flat_map(|item| speech.tokens_of(item)).any(|token| words.contains(&token.hash));
    let reason = if doubtful { Reason::Ambiguous } else { Reason::UnknownOption };
    Some(Verdict::Unclear(reason))
}

/// A yes or a no and nothing else.
fn yes_or_no(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    let vocabulary = asked.vocabulary();
    if items.first().is_some_and(Item::is_sign) {
        return None;
    }
    let (mut yes, mut no, mut said, mut unsure) = (false, false, false, false);
    let mut named: Set = 0;
    for item in items {
        match item.what {
            What::Choice(set) if vocabulary.is_yes_no() && set & !(vocabulary.yes | vocabulary.no) == 0 => {
                named |= set;
                yes |= set & vocabulary.yes != 0;
                no |= set & vocabulary.no != 0;
            }
            What::Word | What::Emoji if item.is(Lists::YES | Lists::NO | Lists::UNSURE) => {
                said = true;
                unsure |= item.is(Lists::UNSURE);
                yes |= item.is(Lists::YES);
                no |= item.is(Lists::NO);
            }
            What::Word | What::Emoji
                if item.is(Lists::POLITE | Lists::THANKS | Lists::SMILEY | Lists::GREETING) => {}
            What::Sign(',' | '.' | '!' | ';' | '"' | '*' | '\n') => {}
            _ => return None,
        }
    }
    if !said || items.iter().any(|item| item.is_word(Lists::YES) && item.is_word(Lists::NO)) {
        return said.then_some(AMBIGUOUS);
    }
    if unsure || (yes && no) || !vocabulary.is_yes_no() || (vocabulary.turkish && is_initial(speech, items)) {
        return Some(AMBIGUOUS);
    }
    let side = if yes { vocabulary.yes } else { vocabulary.no };
    let chosen = if named == 0 { side } else { named };
    Some(single(chosen).map_or(AMBIGUOUS, Verdict::Choice))
}

/// With Turkish labels a bare y may be English yes or Turkish yok.
fn is_initial(speech: &Speech<'_>, items: &[Item]) -> bool {
    matches!(speech.text(items), "y" | "Y")
}

fn recommended(asked: &Asked<'_>, items: &[Item]) -> Option<Verdict> {
    let fits = |item: &Item| match item.what {
        What::Word => item.is(Lists::RECOMMENDED | Lists::AROUND | Lists::POLITE | Lists::ARTICLE),
        What::Number(1, Style::Word) => item.is(Lists::AROUND),
        _ => item.is_sign(),
    };
    let says = items.iter().any(|item| item.is_word(Lists::RECOMMENDED));
    let marked = asked.vocabulary().recommended;
    (says && items.iter().all(fits)).then(|| single(marked).map_or(AMBIGUOUS, Verdict::Choice))
}

/// "none" and "nothing" pick the one label that starts with that word, and reject everything where there is no such label.
fn none_of_them(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Verdict> {
    let first = items.first().filter(|item| item.is_word(Lists::NONE))?;
    let fits = |item: &Item| {
        item.is_sign() || item.is_word(Lists::NONE | Lists::AROUND | Lists::POLITE | Lists::SMALL)
    };
    let asks = items.iter().any(|item| item.what == What::Sign('?'));
    if asks || !items.iter().all(fits) {
        return None;
    }
    let word = speech.tokens_of(first).first().map(|token| token.hash);
    let vocabulary = asked.vocabulary();
    let starting: Vec<usize> = members(vocabulary.none)
        .filter(|choice| {
            let label = vocabulary.tokens.get(*choice);
            label.is_some_and(|label| label.iter().take(2).any(|token| Some(token.hash) == word))
        })
        .collect();
    match starting.as_slice() {
        [choice] => Some(Verdict::Choice(*choice)),
        _ => Some(AMBIGUOUS),
    }
}
