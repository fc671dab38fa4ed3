//! A choice with a remark beside it (rules 23 and 26): because settles it whatever follows, a harmless remark is kept as a note.
//! Any other remark keeps the choice from being one.

use super::asked::Asked;
use super::choice::trim_signs;
use super::guard::{is_guarded, is_named, names_other};
use super::label::{Hashes, Set, members};
use super::speech::{Item, Speech, What};
use super::token::{Kind, tokens};
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

/// Whether a remark leaves the choice as it is. Only what is known to be harmless in kind does: politeness, urgency, praise, the
/// chosen option's or the question's own words, a mention, a signature, a plain state of affairs. No list of words that take
/// a choice back, forbid or delay it could ever be complete, so anything else is asked about.
pub(super) fn is_harmless(asked: &Asked<'_>, speech: &Speech<'_>, chosen: Set, remark: &[Item]) -> bool {
    let starts = Lists::TURN | Lists::AND | Lists::CONDITION | Lists::STALLER | Lists::SKIP | Lists::NEGATION;
    let anywhere = Lists::CONDITION | Lists::INSTEAD | Lists::OBJECTION;
    let turns = |piece: &[Item]| {
        piece.first().is_some_and(|first| first.is(starts) && !matches!(first.what, What::Choice(_)))
    };
    let takes_back = remark.iter().any(|item| item.is_word(anywhere) || item.what == What::Sign('?'));
    let agrees = |item: &Item| item.is_word(Lists::YES) && chosen & !asked.vocabulary().yes == 0;
    let several = chosen.count_ones() > 1;
    let other = remark.iter().any(|item| {
        (several && is_named(item))
            || (!agrees(item) && members(chosen).all(|choice| names_other(asked, speech, item, choice)))
    });
    if takes_back || other {
        return false;
    }
    let own = (!several).then(|| own_words(asked, chosen));
    let mut pieces = pieces(remark);
    pieces.all(|piece| {
        let known = |items: &[Item]| is_known(asked, speech, own.as_ref(), items);
        !turns(piece) && (known(piece) || is_state(piece, known) || is_signature(speech, piece))
    })
}

/// The parts of a remark between its signs.
fn pieces(remark: &[Item]) -> impl Iterator<Item = &[Item]> {
    let parts = |item: &Item| matches!(item.what, What::Sign(',' | ';' | '.' | '!' | '(' | ')' | '\n' | '-'));
    remark.split(parts).filter(|piece| !piece.is_empty())
}

/// Hashes of the words of the chosen labels and their descriptions.
fn own_words(asked: &Asked<'_>, chosen: Set) -> Hashes {
    let choices = members(chosen).filter_map(|choice| asked.question.choices.get(choice));
    let texts = choices.flat_map(|choice| [Some(choice.label.as_str()), choice.description.as_deref()]);
    texts
        .flatten()
        .flat_map(tokens)
        .filter(|token| !matches!(token.kind, Kind::Sign(_)))
        .map(|t| t.hash)
        .collect()
}

/// Whether every word is harmless by itself, and at least one says more than articles and prepositions do.
fn is_known(asked: &Asked<'_>, speech: &Speech<'_>, own: Option<&Hashes>, piece: &[Item]) -> bool {
    let harmless = Lists::REMARK
        | Lists::YES
        | Lists::POLITE
        | Lists::THANKS
        | Lists::SMILEY
        | Lists::TAIL
        | Lists::RECOMMENDED;
    let filler = Lists::ECHO | Lists::AROUND | Lists::ARTICLE;
    let doubtful = Lists::NO | Lists::UNSURE | Lists::HEDGE | Lists::NEGATION | Lists::OBJECTION;
    let repeats = |item: &Item| {
        let said = |own: &Hashes, hash: u64| own.contains(&hash) || asked.echo().contains(&hash);
        own.is_some_and(|own| speech.tokens_of(item).iter().all(|token| said(own, token.hash)))
    };
    let mut says = false;
    let mut before: Option<&Item> = None;
    let mut addresses = false;
    for item in piece {
        addresses = match item.what {
            _ if mentions(speech, before, item) => true,
            What::Word => item.is(Lists::THANKS | Lists::GREETING) || (addresses && is_name(speech, item)),
            _ => false,
        };
        let fits = match item.what {
            _ if addresses => true,
            What::Sign(_) => true,
            What::Emoji => !item.is(doubtful),
            What::Choice(_) => true,
            What::Word if item.is(doubtful) => false,
            What::Word => item.is(harmless) || repeats(item),
            _ => false,
        };
        let fills = item.is_word(filler) && !item.is_word(doubtful);
        if !fits && !fills {
            return false;
        }
        says |= fits && !item.is_sign();
        before = Some(item);
    }
    says || piece.iter().all(Item::is_sign)
}

/// Whether an item is the name in `@name`.
fn mentions(speech: &Speech<'_>, before: Option<&Item>, item: &Item) -> bool {
    let at = before.is_some_and(|before| before.what == What::Sign('@'));
    at && !item.is_sign() && !speech.is_spaced(item)
}

/// Whether an item is spelled as a name is, and is no word that any list knows.
fn is_name(speech: &Speech<'_>, item: &Item) -> bool {
    let mut letters = speech.text(std::slice::from_ref(item)).chars();
    item.what == What::Word
        && item.entry.lists.is_unknown()
        && letters.next().is_some_and(char::is_uppercase)
        && letters.next().is_some_and(char::is_lowercase)
        && letters.all(|c| !c.is_uppercase())
}

/// A signature has no more words.
const SIGNATURE_WORDS_MAX: usize = 3;

/// Whether a piece is a name on a line of its own.
fn is_signature(speech: &Speech<'_>, piece: &[Item]) -> bool {
    let starts = piece.first().and_then(|first| first.from.checked_sub(1));
    let alone =
        starts.and_then(|at| speech.tokens.get(at)).is_some_and(|token| token.kind == Kind::Sign('\n'));
    alone && piece.len() <= SIGNATURE_WORDS_MAX && piece.iter().all(|item| is_name(speech, item))
}

/// A subject of a plain sentence has no more words.
const SUBJECT_WORDS_MAX: usize = 4;

/// Whether a piece says how something is that is neither a choice nor the choosing: `the tests are red`.
fn is_state(piece: &[Item], known: impl Fn(&[Item]) -> bool) -> bool {
    let Some(at) = piece.iter().position(|item| item.is_word(Lists::STATE)) else { return false };
    let (subject, rest) = piece.split_at(at);
    let unknown = |item: &Item| item.what == What::Word && item.entry.lists.is_unknown();
    let fits = |item: &Item| unknown(item) || item.is_word(Lists::AROUND | Lists::ARTICLE);
    let predicate = rest.get(1..).unwrap_or_default();
    let plain = |item: &Item| item.is_word(Lists::PREDICATE) || known(std::slice::from_ref(item));
    at <= SUBJECT_WORDS_MAX
        && subject.iter().all(fits)
        && subject.iter().any(unknown)
        && predicate.iter().any(|item| item.is_word(Lists::PREDICATE | Lists::REMARK))
        && predicate.iter().all(plain)
}
