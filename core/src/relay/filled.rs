//! What the fields of a form hold, put into a draft: choices by index, own words as they are. Pure; decides neither who may fill
//! them in nor whether the draft is an answer yet.

use std::ops::Range;

use super::draft::{is_label, reselected};
use crate::answer::check_text;
use crate::ask::Question;
use crate::port::Field;
use crate::prompt::{Draft, wording};
use crate::reply::{is_blank, trim};
use crate::token::{Nonce, Press, Token};

/// What is wrong with a field: its token, and a sentence for whoever filled it in.
pub(super) type Wrong = (String, String);

/// The fields of one question.
#[derive(Default)]
struct Parts<'a> {
    taken: Option<&'a Field>,
    words: Option<&'a Field>,
}

/// The draft with everything that the fields hold; they replace what it had of their questions. `shown` says which choices of each
/// question they speak for. Fields of another Prompt count for nothing.
///
/// # Errors
/// Every field that cannot be taken.
pub(super) fn filled(
    questions: &[Question],
    draft: &Draft,
    nonce: Nonce,
    fields: &[Field],
    shown: &[Range<usize>],
) -> Result<Draft, Vec<Wrong>> {
    let mut next = draft.clone();
    let mut wrong = Vec::new();
    for (index, asked) in questions.iter().enumerate() {
        let parts = parts(fields, nonce, index);
        let put = match (parts.taken, parts.words) {
            (None, None) => continue,
            _ if asked.secret => continue,
            _ if asked.multi_select => several(asked, &mut next, &parts, shown.get(index)),
            _ => one(asked, &mut next, &parts),
        };
        wrong.extend(put.err());
    }
    if wrong.is_empty() { Ok(next) } else { Err(wrong) }
}

/// The fields that belong to this question of this Prompt.
fn parts(fields: &[Field], nonce: Nonce, index: usize) -> Parts<'_> {
    let mut parts = Parts::default();
    for field in fields {
        let Some(token) = Token::parse(&field.token).filter(|token| token.nonce == nonce) else { continue };
        match token.press {
            Press::Fill { question } if usize::from(question) == index => parts.taken = Some(field),
            Press::Other { question } if usize::from(question) == index => parts.words = Some(field),
            _ => {}
        }
    }
    parts
}

fn several(
    asked: &Question,
    draft: &mut Draft,
    parts: &Parts<'_>,
    shown: Option<&Range<usize>>,
) -> Result<(), Wrong> {
    let mut values: Vec<String> = match parts.taken {
        Some(field) => {
            let taken = indexes(field, asked.choices.len())?;
            reselected(asked, draft, |index, before| {
                if shown.is_some_and(|shown| shown.contains(&index)) {
                    taken.contains(&index)
                } else {
                    before
                }
            })
        }
        None => reselected(asked, draft, |_, before| before),
    };
    if let Some(field) = parts.words {
        values.retain(|value| is_label(asked, value));
        values.extend(own_words(asked, field)?);
    }
    if let (Some(field), true) =
        (parts.taken.or(parts.words), asked.max.is_some_and(|max| values.len() > max))
    {
        return Err((field.token.clone(), format!("{}.", wording::how_many(asked))));
    }
    put(asked, draft, values);
    Ok(())
}

/// One choice, or own words; both make the words a remark beside the choice.
fn one(asked: &Question, draft: &mut Draft, parts: &Parts<'_>) -> Result<(), Wrong> {
    let own_entry = asked.choices.len();
    let most = own_entry + usize::from(asked.other);
    let taken = match parts.taken {
        Some(field) => match indexes(field, most)?.as_slice() {
            [] => None,
            [only] => Some((*only, field)),
            _ => return Err((field.token.clone(), format!("{}.", wording::how_many(asked)))),
        },
        None => None,
    };
    let chosen = taken.and_then(|(index, _)| asked.choices.get(index));
    if let Some(choice) = chosen {
        draft.notes.remove(&asked.id);
        let remark = parts.words.map(|field| field.values.concat()).filter(|words| !is_blank(words));
        if let Some(remark) = remark {
            draft.notes.insert(asked.id.clone(), trim(&remark).to_owned());
        }
        put(asked, draft, vec![choice.label.clone()]);
        return Ok(());
    }
    let words = parts.words.map(|field| own_words(asked, field)).transpose()?.flatten();
    if let (None, Some((_, field))) = (&words, taken) {
        return Err((parts.words.unwrap_or(field).token.clone(), wording::own_words_missing()));
    }
    draft.notes.remove(&asked.id);
    put(asked, draft, words.into_iter().collect());
    Ok(())
}

fn put(asked: &Question, draft: &mut Draft, values: Vec<String>) {
    if values.is_empty() {
        draft.answers.remove(&asked.id);
    } else {
        draft.answers.insert(asked.id.clone(), values);
    }
}

fn own_words(asked: &Question, field: &Field) -> Result<Option<String>, Wrong> {
    let text = field.values.concat();
    let text = trim(&text);
    if is_blank(text) {
        return Ok(None);
    }
    if !asked.takes_text() {
        return Err((field.token.clone(), wording::dead_control()));
    }
    if !is_label(asked, text) {
        check_text(asked, text).map_err(|what| (field.token.clone(), wording::expected_text(&what)))?;
    }
    Ok(Some(text.to_owned()))
}

/// The entries that a menu brings, each below `most`.
fn indexes(field: &Field, most: usize) -> Result<Vec<usize>, Wrong> {
    let index = |value: &String| value.parse().ok().filter(|index| *index < most);
    let indexes: Option<Vec<usize>> = field.values.iter().map(index).collect();
    indexes.ok_or_else(|| (field.token.clone(), wording::dead_control()))
}
