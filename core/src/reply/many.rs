//! Several choices in one reply (rules 28 and 32 to 36): lists, ranges, all, both, slices, all but some. Also what shows that a
//! reply to a single-select question names more than one.

use super::Reason;
use super::asked::Asked;
use super::choice::{Verdict, of_item, trim_signs};
use super::guard::is_named;
use super::lead::settle;
use super::number;
use super::partial::{self, Part};
use super::range::{range, slice};
use super::speech::{Item, Speech, Style, What};
use super::words::Lists;

/// The choices and own words that a list consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Taken<'a> {
    pub(super) choices: Vec<usize>,
    pub(super) own: Vec<&'a str>,
}

impl Taken<'_> {
    pub(super) const fn of(choices: Vec<usize>) -> Self {
        Self { choices, own: Vec::new() }
    }
}

/// One item of a list.
enum Piece {
    Choices(Vec<usize>),
    Bad(Reason),
    /// A number with a point where own words are allowed.
    Value,
    /// Part of a label, or a letter off one.
    Partial,
    /// Small talk.
    Idle,
    Unknown,
}

/// A list of choices has no more items than twice the choices and this many own words.
const PIECES_SPARE: usize = 50;

/// What a list chooses; nothing if it is no list of choices.
pub(super) fn list<'a>(
    asked: &Asked<'_>,
    speech: &Speech<'a>,
    items: &[Item],
) -> Option<Result<Taken<'a>, Reason>> {
    if let Some(found) = everything(asked, items) {
        return Some(found.map(Taken::of));
    }
    if asked.question.multi_select && has_sign(speech, items) {
        return Some(Err(Reason::Ambiguous));
    }
    let pieces = split(items);
    if pieces.len() > asked.count() * 2 + PIECES_SPARE {
        return Some(Err(Reason::Ambiguous));
    }
    let mut read: Vec<Piece> = pieces.iter().map(|piece| read_piece(asked, speech, piece)).collect();
    for (piece, read) in pieces.iter().zip(&mut read).skip(1) {
        let turns = trim_signs(speech, piece).first().is_some_and(|first| first.is_word(Lists::TURN));
        if turns && matches!(read, Piece::Choices(choices) if !choices.is_empty()) {
            *read = Piece::Bad(Reason::Ambiguous);
        }
    }
    let decides = |piece: &Piece| match piece {
        Piece::Choices(choices) => !choices.is_empty(),
        Piece::Bad(_) => true,
        _ => false,
    };
    if !read.iter().any(decides) {
        return None;
    }
    let strange = read.iter().any(|piece| matches!(piece, Piece::Unknown | Piece::Value | Piece::Partial));
    if strange && !asked.question.multi_select {
        return None;
    }
    let worst = read.iter().filter_map(|piece| match piece {
        Piece::Bad(reason) => Some(*reason),
        Piece::Idle => Some(Reason::Ambiguous),
        Piece::Partial if asked.takes_text() => Some(Reason::Ambiguous),
        Piece::Partial | Piece::Unknown | Piece::Value if !asked.takes_text() => Some(Reason::UnknownOption),
        _ => None,
    });
    if let Some(reason) = worst.min() {
        return Some(Err(reason));
    }
    let mut taken = Taken::default();
    for choice in
        read.iter().filter_map(|piece| if let Piece::Choices(c) = piece { Some(c) } else { None }).flatten()
    {
        if !taken.choices.contains(choice) {
            taken.choices.push(*choice);
        }
    }
    taken.own = own_words(speech, items, &pieces, &read);
    Some(if asked.question.multi_select || taken.choices.len() == 1 {
        Ok(taken)
    } else {
        Err(Reason::TooMany)
    })
}

/// Unknown pieces as the person typed them; neighbours stay one piece.
fn own_words<'a>(speech: &Speech<'a>, items: &[Item], pieces: &[&[Item]], read: &[Piece]) -> Vec<&'a str> {
    let mut own = Vec::new();
    let mut from: Option<usize> = None;
    let mut until = 0;
    let mut close = |from: Option<usize>, until: usize| {
        let Some(from) = from else { return };
        let run: Vec<Item> =
            items.iter().filter(|item| item.from >= from && item.to <= until).copied().collect();
        own.push(speech.text(&run));
    };
    for (piece, read) in pieces.iter().zip(read) {
        let piece = without_mark(speech, piece);
        let bounds = piece.first().zip(piece.last()).map(|(first, last)| (first.from, last.to));
        match (read, bounds) {
            (Piece::Unknown | Piece::Value, Some((start, end))) => {
                from = from.or(Some(start));
                until = end;
            }
            _ => {
                close(from, until);
                from = None;
            }
        }
    }
    close(from, until);
    own.retain(|text| !text.is_empty());
    own.dedup();
    own
}

/// Own words without a bullet or a marker such as `other:` before them.
fn without_mark<'i>(speech: &Speech<'_>, piece: &'i [Item]) -> &'i [Item] {
    match piece {
        [Item { what: What::Sign('-' | '*' | '•'), .. }, rest @ ..]
            if rest.first().is_some_and(|next| speech.is_spaced(next)) =>
        {
            without_mark(speech, rest)
        }
        [other, Item { what: What::Sign(':' | '='), .. }, rest @ ..] if other.is_word(Lists::OTHER) => rest,
        _ => piece,
    }
}

/// The parts between commas, semicolons, line breaks and words for and.
pub(super) fn split(items: &[Item]) -> Vec<&[Item]> {
    items
        .split(|item| match item.what {
            What::Sign(',' | ';' | '\n') => true,
            What::Word | What::Sign('+' | '&') => item.is(Lists::AND) && item.to - item.from <= 3,
            _ => false,
        })
        .filter(|piece| piece.iter().any(|item| !item.is_sign()))
        .collect()
}

fn read_piece(asked: &Asked<'_>, speech: &Speech<'_>, piece: &[Item]) -> Piece {
    let piece = trim_signs(speech, piece);
    let polite = |item: &Item| {
        item.is_word(Lists::POLITE | Lists::THANKS | Lists::TAIL | Lists::SMILEY)
            && !item.is(Lists::OBJECTION)
    };
    if piece.iter().all(|item| polite(item) || item.is_sign()) {
        return Piece::Choices(Vec::new());
    }
    if let Some(found) = range(asked, piece).or_else(|| slice(asked, piece)) {
        return found.map_or_else(Piece::Bad, Piece::Choices);
    }
    match settle(asked, speech, piece) {
        Some(Verdict::Choice(choice)) if !is_list_too(asked, speech.text(piece), choice) => {
            Piece::Choices(vec![choice])
        }
        Some(Verdict::Choice(_)) => Piece::Bad(Reason::Ambiguous),
        Some(Verdict::Unclear(Reason::UnknownOption)) => Piece::Unknown,
        Some(Verdict::Unclear(reason)) => Piece::Bad(reason),
        Some(Verdict::Own) if piece.iter().any(|item| item.what == What::Decimal) => Piece::Value,
        Some(Verdict::Own) => Piece::Bad(Reason::OutOfRange),
        None => sequence(asked, speech, piece).unwrap_or_else(|| unknown_piece(asked, speech, piece)),
    }
}

fn unknown_piece(asked: &Asked<'_>, speech: &Speech<'_>, piece: &[Item]) -> Piece {
    let idle = Lists::STALLER | Lists::GREETING | Lists::OTHER;
    if piece.iter().all(|item| item.is_sign() || item.is_word(idle)) {
        return Piece::Idle;
    }
    if !asked.question.multi_select {
        return Piece::Unknown;
    }
    match partial::part_of(asked, speech, piece) {
        Part::One(choice) if !asked.takes_text() => Piece::Choices(vec![choice]),
        Part::None if partial::near(asked, speech.text(piece)) != partial::Near::None => Piece::Partial,
        Part::None => Piece::Unknown,
        Part::Negated(_) | Part::Several if !asked.takes_text() => Piece::Bad(Reason::Ambiguous),
        _ => Piece::Partial,
    }
}

/// Whether a text that spells one label is also a list of other labels: then it has two exact readings (rule 32).
pub(super) fn is_list_too(asked: &Asked<'_>, text: &str, choice: usize) -> bool {
    let other =
        |part: &&str| matches!(asked.labels().whole(part), super::label::Hit::One(other) if other != choice);
    let parts = if asked.question.multi_select { parts_of(text) } else { Vec::new() };
    parts.len() > 1 && parts.iter().all(other)
}

/// A text cut at its commas and words for and.
pub(super) fn parts_of(text: &str) -> Vec<&str> {
    let tokens = super::token::tokens(text);
    let mut parts = Vec::new();
    let mut from = 0;
    for token in &tokens {
        let cuts = match token.kind {
            super::token::Kind::Sign(',' | ';' | '+' | '&') => true,
            super::token::Kind::Word => super::words::words().single(token.hash, Lists::AND),
            _ => false,
        };
        if cuts {
            parts.push(text.get(from..token.start()).unwrap_or_default());
            from = token.end();
        }
    }
    parts.push(text.get(from..).unwrap_or_default());
    parts
}

/// Numbers and labels with nothing but spaces between them; a number right before a label belongs to it.
fn sequence(asked: &Asked<'_>, speech: &Speech<'_>, piece: &[Item]) -> Option<Piece> {
    let mut choices = Vec::new();
    let mut before: Option<usize> = None;
    let mut worst: Option<Reason> = None;
    for item in piece {
        let (verdict, number) = match item.what {
            What::Number(number, style) if style != Style::Word => {
                (number::chosen(asked, number, style), true)
            }
            What::Choice(set) => (of_item(asked, speech, item, set), false),
            What::Sign(')' | '.' | '*' | '"' | '`') => continue,
            _ => return None,
        };
        let reason = match verdict {
            Verdict::Choice(choice) => {
                let conflict = !number && before.is_some_and(|number| number != choice);
                before = number.then_some(choice);
                choices.push(choice);
                conflict.then_some(Reason::Conflict)
            }
            Verdict::Own => Some(Reason::OutOfRange),
            Verdict::Unclear(reason) => Some(reason),
        };
        worst = worst.into_iter().chain(reason).min();
    }
    Some(worst.map_or(Piece::Choices(choices), Piece::Bad))
}

/// All, both, and all but some.
fn everything(asked: &Asked<'_>, items: &[Item]) -> Option<Result<Vec<usize>, Reason>> {
    let count = asked.count();
    let vocabulary = asked.vocabulary();
    let filler = Lists::AROUND | Lists::POLITE | Lists::ARTICLE | Lists::POSITION | Lists::SMALL;
    let means = |lists: Lists| items.iter().any(|item| item.is_word(lists));
    let fits = items.iter().all(|item| match item.what {
        What::Word => {
            item.is(Lists::ALL | Lists::BOTH | filler)
                && !item.is(Lists::NEGATION | Lists::EXCEPT | Lists::HEDGE)
        }
        What::Number(number, _) => means(Lists::ALL) && usize::try_from(number) == Ok(count),
        What::Sign(c) => matches!(c, '.' | '!' | ',' | '"'),
        _ => false,
    });
    if !fits || !means(Lists::ALL | Lists::BOTH) {
        return None;
    }
    if vocabulary.all.count_ones() == 1 {
        return Some(Ok(vec![vocabulary.all.trailing_zeros() as usize]));
    }
    let certain = vocabulary.none == 0 && vocabulary.all == 0 && (means(Lists::ALL) || count == 2);
    Some(match (certain, asked.question.multi_select) {
        (false, _) => Err(Reason::Ambiguous),
        (true, false) if count > 1 => Err(Reason::TooMany),
        (true, _) => Ok((0..count).collect()),
    })
}

/// All choices but those named after (or before) a word for except; only where several may be taken.
pub(super) fn all_except(
    asked: &Asked<'_>,
    speech: &Speech<'_>,
    items: &[Item],
) -> Option<Result<Vec<usize>, Reason>> {
    if !asked.question.multi_select {
        return None;
    }
    let excepts = |item: &Item| item.is_word(Lists::EXCEPT);
    let Some(first) = items.iter().position(excepts) else {
        return all_minus(asked, speech, items);
    };
    let last = items.iter().rposition(excepts)?;
    let (before, after) = (items.get(..first)?, items.get(last + 1..)?);
    let inner = items.get(first + 1..last).unwrap_or_default();
    let all = |part: &[Item]| matches!(everything(asked, trim_signs(speech, part)), Some(Ok(_)));
    let idle = |part: &[Item]| part.iter().all(Item::is_sign);
    let dropped = match () {
        () if all(before) && idle(inner) => after,
        () if all(after) && idle(inner) && !before.is_empty() => before,
        () if all(after) && before.is_empty() => inner,
        () if idle(after) => before.split_first().filter(|(first, _)| all(std::slice::from_ref(first)))?.1,
        () if before.is_empty() => after.split_last().filter(|(last, _)| all(std::slice::from_ref(last)))?.1,
        () => return None,
    };
    complement(asked, speech, dropped)
}

/// All with a minus after it: without the one choice that follows. More of them may as well spell out what all is.
fn all_minus(asked: &Asked<'_>, speech: &Speech<'_>, items: &[Item]) -> Option<Result<Vec<usize>, Reason>> {
    let minus = items.iter().position(|item| item.what == What::Sign('-'))?;
    let (before, after) = items.split_at(minus);
    let all = everything(asked, trim_signs(speech, before))?;
    let named = after.get(1..).unwrap_or_default();
    if all.is_err() || !named.iter().any(is_named) {
        return None;
    }
    let listed = before.last().is_some_and(Item::is_sign);
    let every = !listed && all.is_ok_and(|all| all.len() == asked.count());
    let left = complement(asked, speech, named).and_then(Result::ok);
    let one_less = left.filter(|left| every && left.len() + 1 == asked.count());
    Some(one_less.ok_or(Reason::Ambiguous))
}

/// Whether a plus or minus stands before a choice or number as its sign, or a minus sign proper between numbers: neither list
/// nor range.
fn has_sign(speech: &Speech<'_>, items: &[Item]) -> bool {
    items.iter().enumerate().any(|(at, item)| {
        let before = at.checked_sub(1).and_then(|at| items.get(at));
        let next = items.get(at + 1);
        let is_number = next.is_some_and(|next| matches!(next.what, What::Number(..)));
        let glued = speech.is_spaced(item) && next.is_some_and(|next| !speech.is_spaced(next));
        let begins = before.is_none_or(|before| before.what == What::Sign('\n'));
        match speech.text(std::slice::from_ref(item)) {
            MINUS => is_number,
            "-" | "–" | "—" => glued && (is_number || (!begins && next.is_some_and(is_named))),
            "+" => glued && is_number,
            _ => false,
        }
    })
}

/// The minus sign, which is no dash.
const MINUS: &str = "\u{2212}";

fn complement(
    asked: &Asked<'_>,
    speech: &Speech<'_>,
    dropped: &[Item],
) -> Option<Result<Vec<usize>, Reason>> {
    if super::guard::is_guarded(dropped) {
        return None;
    }
    let mut gone = Vec::new();
    for piece in split(dropped) {
        match read_piece(asked, speech, piece) {
            Piece::Choices(choices) => gone.extend(choices),
            Piece::Bad(reason) => return Some(Err(reason)),
            _ => return None,
        }
    }
    let left: Vec<usize> = (0..asked.count()).filter(|choice| !gone.contains(choice)).collect();
    Some(if left.is_empty() || gone.is_empty() { Err(Reason::Ambiguous) } else { Ok(left) })
}
