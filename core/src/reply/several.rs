//! Several questions and one text (rules 37 to 40): which part of the reply belongs to which question. Each part is read by
//! [`super::one`].

use super::Reason;
use super::asked::Asked;
use super::choice::{Verdict, trim_signs};
use super::fold::trim;
use super::key::{Key, Keys, Named};
use super::label::{Hit, single};
use super::lead::core;
use super::many::parts_of;
use super::number;
use super::one::{self, Outcome};
use super::speech::{Speech, Style, What};
use super::token::{Kind, Token, tokens};
use super::words::{Entry, Lists, words};

/// What the questions got, by index, and what is wrong beyond any one of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) outcomes: Vec<(usize, Outcome)>,
    pub(super) fault: Option<Reason>,
}

impl Parts {
    fn fault(reason: Reason) -> Self {
        Self { outcomes: Vec::new(), fault: Some(reason) }
    }

    /// Nothing missing and nothing unclear.
    pub(super) fn is_complete(&self, open: &[usize]) -> bool {
        let taken = |index: &usize| {
            self.outcomes.iter().any(|(at, o)| at == index && matches!(o, Outcome::Taken { .. }))
        };
        self.fault.is_none() && open.iter().all(taken)
    }
}

/// Reads `text` for the `open` ones of several questions; a key may also name one that is not open, to answer it anew.
pub(super) fn read(asked: &[Asked<'_>], keys: &Keys, open: &[usize], text: &str) -> Parts {
    if let Some(parts) = yes_to_all(asked, open, text) {
        return parts;
    }
    let lines = lines(asked, text);
    let keyed = keyed(asked, keys, open, text);
    if let Some(copied) = copied(asked, open, &lines) {
        let disagrees = keyed.as_ref().is_some_and(|keyed| keyed.is_complete(open) && !same(keyed, &copied));
        return if disagrees { Parts::fault(Reason::Ambiguous) } else { copied };
    }
    if let Some(keyed) = keyed {
        return keyed;
    }
    if let [only] = open {
        return Parts {
            outcomes: asked.get(*only).map(|one| (*only, one::value(one, text))).into_iter().collect(),
            fault: None,
        };
    }
    let assigned = assigned(asked, open, &lines);
    match assigned {
        Some(assigned) if assigned.is_complete(open) => assigned,
        _ if lines.len() == open.len() => positional(asked, open, &lines),
        Some(assigned) => assigned,
        None => unclear(asked, open, &lines),
    }
}

fn same(a: &Parts, b: &Parts) -> bool {
    let sorted = |parts: &Parts| {
        let mut outcomes = parts.outcomes.clone();
        outcomes.sort_by_key(|(index, _)| *index);
        outcomes
    };
    sorted(a) == sorted(b)
}

/// Lines that are not blank and not mere courtesy.
fn lines<'a>(asked: &[Asked<'_>], text: &'a str) -> Vec<&'a str> {
    let is_label = |line: &str| asked.iter().any(|one| one.labels().whole(line) != Hit::None);
    text.split('\n')
        .map(trim)
        .filter(|line| !line.is_empty() && (!is_courtesy(line) || is_label(line)))
        .collect()
}

/// Greetings and thanks.
fn is_courtesy(line: &str) -> bool {
    if line.len() > COURTESY_BYTES_MAX {
        return false;
    }
    let courteous = Lists::GREETING | Lists::THANKS;
    let said = phrases(&tokens(line));
    let fits = |(kind, entry): &(Kind, Entry)| {
        matches!(kind, Kind::Sign(_) | Kind::Emoji) && !entry.lists.any(Lists::YES | Lists::NO)
            || entry.lists.any(courteous | Lists::POLITE | Lists::SMILEY)
    };
    said.iter().any(|(_, entry)| entry.lists.any(courteous)) && said.iter().all(fits)
}

/// No greeting, and no yes to all, is longer.
const COURTESY_BYTES_MAX: usize = 200;

/// Known phrases and unknown words, in order.
fn phrases(tokens: &[Token]) -> Vec<(Kind, Entry)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let (end, entry) = words().longest(tokens, at).unwrap_or((at + 1, Entry::default()));
        found.push((token.kind, entry));
        at = end;
    }
    found
}

/// "yes to all": answers the yes/no questions and no others.
fn yes_to_all(asked: &[Asked<'_>], open: &[usize], text: &str) -> Option<Parts> {
    if text.len() > COURTESY_BYTES_MAX {
        return None;
    }
    let said = phrases(&tokens(text));
    let has = |lists: Lists| said.iter().any(|(_, entry)| entry.lists.any(lists));
    let joins = Lists::TO
        | Lists::AROUND
        | Lists::ECHO
        | Lists::POLITE
        | Lists::QUESTION
        | Lists::ARTICLE
        | Lists::LEAD;
    let fits = |(kind, entry): &(Kind, Entry)| {
        matches!(kind, Kind::Sign(',' | '.' | '!'))
            || entry.lists.any(Lists::YES | Lists::NO | Lists::ALL | Lists::BOTH | joins)
    };
    let (yes, no) = (has(Lists::YES), has(Lists::NO));
    let plain = !has(Lists::UNSURE | Lists::HEDGE | Lists::EXCEPT) && said.iter().all(fits);
    if yes == no || !plain || !has(Lists::ALL | Lists::BOTH) || open.len() < 2 {
        return None;
    }
    let mut parts = Parts::default();
    for index in open {
        let vocabulary = asked.get(*index)?.vocabulary();
        if vocabulary.is_yes_no() {
            let side = if yes { vocabulary.yes } else { vocabulary.no };
            let outcome = single(side).map_or(Outcome::unclear(Reason::Ambiguous), Outcome::choice);
            parts.outcomes.push((*index, outcome));
        }
    }
    (!parts.outcomes.is_empty()).then_some(parts)
}

/// One copied option line per question, its number agreeing with its label: positional, not keyed.
fn copied(asked: &[Asked<'_>], open: &[usize], lines: &[&str]) -> Option<Parts> {
    if lines.len() != open.len() || open.len() < 2 {
        return None;
    }
    let mut parts = Parts::default();
    for (index, line) in open.iter().zip(lines) {
        let one = asked.get(*index).filter(|one| !one.is_free())?;
        let speech = Speech::new(line, one);
        let items = trim_signs(&speech, &speech.items);
        let numbered = items
            .first()
            .is_some_and(|item| matches!(item.what, What::Number(_, Style::Digits | Style::Marked)));
        match number::with_label(one, &speech, items) {
            Some(Verdict::Choice(choice)) if numbered => {
                parts.outcomes.push((*index, Outcome::choice(choice)))
            }
            _ => return None,
        }
    }
    Some(parts)
}

/// A stretch of the text that belongs to one key.
struct Keyed<'a> {
    key: Key,
    value: &'a str,
}

/// Values by key, if the reply has known keys at all.
fn keyed(asked: &[Asked<'_>], keys: &Keys, open: &[usize], text: &str) -> Option<Parts> {
    let (found, loose) = find_keys(asked, keys, text);
    if found.iter().all(|part| part.key.named == 0) {
        let all_numbered = !found.is_empty() && loose.is_empty() && found.len() > 1;
        return all_numbered.then(|| Parts::fault(Reason::Conflict));
    }
    let spare = asked.len() * 2 + PARTS_SPARE;
    if found.len() > spare || loose.len() > spare {
        return Some(Parts::fault(Reason::Conflict));
    }
    let mut parts = Parts::default();
    for part in &found {
        let index = part.key.named.trailing_zeros() as usize;
        match part.key.named.count_ones() {
            0 => worsen(&mut parts.fault, Reason::Conflict),
            1 if trim(part.value).is_empty() => {}
            1 => {
                let Some(one) = asked.get(index) else { continue };
                add(&mut parts, index, one::value(one, part.value));
            }
            _ => worsen(&mut parts.fault, Reason::Ambiguous),
        }
    }
    for line in loose {
        take_loose(asked, open, line, &mut parts);
    }
    Some(parts)
}

/// A keyed reply has no more parts than twice the questions and this many.
const PARTS_SPARE: usize = 20;

/// Keeps the first answer to a question; a second, different one is a conflict.
fn add(parts: &mut Parts, index: usize, outcome: Outcome) {
    match parts.outcomes.iter_mut().find(|(at, _)| *at == index) {
        None => parts.outcomes.push((index, outcome)),
        Some((_, before)) if *before == outcome => {}
        Some((_, before)) => *before = Outcome::unclear(Reason::Conflict),
    }
}

fn worsen(fault: &mut Option<Reason>, reason: Reason) {
    *fault = Some(fault.map_or(reason, |before| before.min(reason)));
}

/// A line without key among keyed ones: a label of exactly one question that is still unanswered, or one line too many.
fn take_loose(asked: &[Asked<'_>], open: &[usize], line: &str, parts: &mut Parts) {
    if is_courtesy(line) {
        return;
    }
    let unanswered: Vec<usize> =
        open.iter().copied().filter(|index| !parts.outcomes.iter().any(|(at, _)| at == index)).collect();
    let hits: Vec<(usize, usize)> = unanswered.iter().filter_map(|index| hit(asked, *index, line)).collect();
    match hits.as_slice() {
        [(index, choice)] => parts.outcomes.push((*index, Outcome::choice(*choice))),
        _ if unanswered.is_empty() => worsen(&mut parts.fault, Reason::Conflict),
        _ => worsen(&mut parts.fault, Reason::MissingQuestion),
    }
}

/// The choice of this question that the text spells, perhaps with politeness around it.
fn hit(asked: &[Asked<'_>], index: usize, text: &str) -> Option<(usize, usize)> {
    let one = asked.get(index).filter(|one| !one.is_free())?;
    match one.labels().whole(text) {
        Hit::One(choice) => return Some((index, choice)),
        Hit::Several => return None,
        Hit::None if text.len() > COURTESY_BYTES_MAX => return None,
        Hit::None => {}
    }
    let speech = Speech::new(text, one);
    let core = core(one, &speech, &speech.items);
    match one.labels().whole(speech.text(core)) {
        Hit::One(choice) if core.len() < speech.items.len() => Some((index, choice)),
        _ => None,
    }
}

/// The keyed stretches of a text, and the lines that belong to none.
fn find_keys<'a>(asked: &[Asked<'_>], keys: &Keys, text: &'a str) -> (Vec<Keyed<'a>>, Vec<&'a str>) {
    let tokens = tokens(text);
    let mut found: Vec<Keyed<'a>> = Vec::new();
    let mut loose = Vec::new();
    let mut from = 0;
    while from < tokens.len() {
        let rest = tokens.get(from..).unwrap_or_default();
        let length = rest.iter().position(|token| token.kind == Kind::Sign('\n')).unwrap_or(rest.len());
        let to = from + length;
        let line = slice(text, &tokens, from, to);
        let key = keys.at_line(&tokens, from).filter(|key| key.value <= to);
        let continues = found.last().is_some_and(|last| continues(asked, last, line));
        match key {
            Some(key) if key.named != 0 || !continues => {
                split_line(asked, keys, text, &tokens, (key, to), &mut found);
            }
            _ if length == 0 => {}
            _ if continues => {
                if let Some(last) = found.last_mut() {
                    last.value = joined(text, last.value, line);
                }
            }
            _ => loose.push(line),
        }
        from = to + 1;
    }
    (found, loose)
}

/// Whether a line without key goes on with the value before it.
fn continues(asked: &[Asked<'_>], last: &Keyed<'_>, line: &str) -> bool {
    let one = single_of(last.key.named).and_then(|index| asked.get(index));
    let bullet = line.starts_with(['-', '*', '•', '[']);
    one.is_some_and(|one| {
        one.is_free() || trim(last.value).is_empty() || (bullet && one.question.multi_select)
    })
}

fn single_of(named: Named) -> Option<usize> {
    (named.count_ones() == 1).then_some(named.trailing_zeros() as usize)
}

/// From the start of one slice of `text` to the end of a later one.
fn joined<'a>(text: &'a str, first: &'a str, last: &'a str) -> &'a str {
    let offset = |part: &str| (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let start = if first.is_empty() { offset(last) } else { offset(first) };
    text.get(start..offset(last) + last.len()).unwrap_or(last)
}

/// A line's first key and any further ones in it.
fn split_line<'a>(
    asked: &[Asked<'_>],
    keys: &Keys,
    text: &'a str,
    tokens: &[Token],
    (first, to): (Key, usize),
    found: &mut Vec<Keyed<'a>>,
) {
    let mut key = first;
    let mut at = key.value;
    while at < to {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map(|token| token.kind);
        let after_comma = at > key.value && matches!(before, Some(Kind::Sign(',' | ';')));
        let free = single_of(key.named).and_then(|index| asked.get(index)).is_some_and(Asked::is_free);
        let may_start =
            at > key.value && (after_comma || (!free && tokens.get(at).is_some_and(|token| token.spaced)));
        let next = may_start.then(|| keys.inside(tokens, at, after_comma)).flatten();
        let next = next.filter(|next| !(free && next.number && before != Some(Kind::Sign(';'))));
        if let Some(next) = next.filter(|next| next.value <= to) {
            let value = slice(text, tokens, key.value, at).trim_end_matches([',', ';', ' ']);
            found.push(Keyed { key, value });
            at = next.value;
            key = next;
        } else {
            at += 1;
        }
    }
    found.push(Keyed { key, value: slice(text, tokens, key.value, to) });
}

fn slice<'a>(text: &'a str, tokens: &[Token], from: usize, to: usize) -> &'a str {
    let start = tokens.get(from).map(|token| token.start());
    let end = to.checked_sub(1).and_then(|last| tokens.get(last)).map(|token| token.end());
    match (start, end) {
        (Some(start), Some(end)) if from < to => text.get(start..end).unwrap_or_default(),
        _ => "",
    }
}

/// Items that are labels of exactly one question each, in any order.
fn assigned(asked: &[Asked<'_>], open: &[usize], lines: &[&str]) -> Option<Parts> {
    let items: Vec<&str> = match lines {
        [line] => parts_of(line),
        _ => lines.to_vec(),
    };
    let mut taken: Vec<(usize, Vec<usize>)> = Vec::new();
    for item in items.iter().map(|item| without_bullet(item)).filter(|item| !item.is_empty()) {
        let hits: Vec<(usize, usize)> = open.iter().filter_map(|index| hit(asked, *index, item)).collect();
        let [(index, choice)] = hits.as_slice() else { return None };
        match taken.iter_mut().find(|(at, _)| at == index) {
            None => taken.push((*index, vec![*choice])),
            Some((_, choices)) if choices.contains(choice) => {}
            Some((_, choices)) => choices.push(*choice),
        }
    }
    let mut parts = Parts::default();
    for (index, mut choices) in taken {
        choices.sort_unstable();
        let many = asked.get(index).is_some_and(|one| one.question.multi_select);
        let outcome = if many || choices.len() == 1 {
            Outcome::Taken { choices, own: Vec::new(), note: None }
        } else {
            Outcome::unclear(Reason::TooMany)
        };
        parts.outcomes.push((index, outcome));
    }
    (!parts.outcomes.is_empty()).then_some(parts)
}

fn without_bullet(line: &str) -> &str {
    let line = trim(line);
    line.strip_prefix(['-', '*', '•']).filter(|rest| rest.starts_with(' ')).map_or(line, trim)
}

/// One line per question, in order.
fn positional(asked: &[Asked<'_>], open: &[usize], lines: &[&str]) -> Parts {
    let bullets = lines.iter().all(|line| without_bullet(line).len() < line.len());
    let mut parts = Parts::default();
    for (index, line) in open.iter().zip(lines) {
        let Some(one) = asked.get(*index) else { continue };
        let line = if bullets || !one.is_free() { without_bullet(line) } else { line };
        let outcome = one::value(one, line);
        let own = matches!(&outcome, Outcome::Taken { choices, .. } if choices.is_empty());
        let elsewhere = own && open.iter().any(|other| other != index && hit(asked, *other, line).is_some());
        parts.outcomes.push((*index, if elsewhere { Outcome::unclear(Reason::Ambiguous) } else { outcome }));
    }
    parts
}

/// Why a text for several questions decides none of them.
fn unclear(asked: &[Asked<'_>], open: &[usize], lines: &[&str]) -> Parts {
    if lines.len() > open.len() {
        return Parts::fault(Reason::Conflict);
    }
    let chooses = |part: &str| {
        let taken = |one: &Asked<'_>| matches!(one::value(one, part), Outcome::Taken { choices, .. } if !choices.is_empty());
        open.iter().filter_map(|index| asked.get(*index)).any(taken)
    };
    let items: Vec<&str> = match lines {
        [line] => {
            let parts = parts_of(line);
            if parts.len() > 1 { parts } else { line.split_whitespace().collect() }
        }
        _ => Vec::new(),
    };
    let per_question =
        items.len() == open.len() && items.len() <= LIST_ITEMS_MAX && items.iter().all(|item| chooses(item));
    Parts::fault(if per_question { Reason::Ambiguous } else { Reason::MissingQuestion })
}

/// No Ask has more questions.
const LIST_ITEMS_MAX: usize = 50;
