//! Turns values into canonical ones or says what is wrong: the gateway's last check of every answer, whoever sent it.
//! Compares values with labels as they look, without white space and invisible characters at the ends; understanding typed
//! text is [`crate::reply`]'s.

use std::collections::BTreeMap;

use super::Answers;
use crate::ask::{Constraint, Format, Question};
use crate::id::QuestionId;
use crate::reply::{is_blank, is_unseen, trim};
use unicode_normalization::UnicodeNormalization;

/// Why values are not an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerFault {
    /// A key that no Question has.
    #[error("question '{0}' is not part of this request")]
    UnknownQuestion(QuestionId),
    /// A Question without a value.
    #[error("question '{0}' requires an answer")]
    Missing(QuestionId),
    /// A blank value.
    #[error("question '{0}' contains an empty answer")]
    Blank(QuestionId),
    /// Several values where one is allowed.
    #[error("question '{0}' does not allow multiple answers")]
    NotMultiple(QuestionId),
    /// A value that is no declared choice, where own words are not allowed.
    #[error("question '{0}' contains an unknown option")]
    UnknownOption(QuestionId),
    /// Too few or too many values.
    #[error("question '{question}' takes {min} to {max} values, got {got}")]
    Count {
        /// The Question.
        question: QuestionId,
        /// Fewest.
        min: usize,
        /// Most.
        max: usize,
        /// Given.
        got: usize,
    },
    /// Own words that break the Question's constraint.
    #[error("question '{question}': {what}")]
    Constraint {
        /// The Question.
        question: QuestionId,
        /// What would be right.
        what: String,
    },
}

/// The canonical form of `values`: every Question present, labels in option order and spelling without duplicates, then
/// the person's own words. The order of checks is the wire's (`reference/openclaw.md` 1.4).
///
/// # Errors
/// The first [`AnswerFault`].
pub fn canonical(questions: &[Question], values: &Answers) -> Result<Answers, AnswerFault> {
    for id in values.0.keys() {
        if !questions.iter().any(|question| question.id == *id) {
            return Err(AnswerFault::UnknownQuestion(id.clone()));
        }
    }
    let mut all = BTreeMap::new();
    for question in questions {
        all.insert(question.id.clone(), canonical_one(question, values.of(&question.id))?);
    }
    Ok(Answers(all))
}

fn canonical_one(question: &Question, values: &[String]) -> Result<Vec<String>, AnswerFault> {
    let id = || question.id.clone();
    if values.is_empty() {
        return Err(AnswerFault::Missing(id()));
    }
    if values.iter().any(|value| is_blank(value)) {
        return Err(AnswerFault::Blank(id()));
    }
    if !question.multi_select && values.len() > 1 {
        return Err(AnswerFault::NotMultiple(id()));
    }
    let mut taken = vec![false; question.choices.len()];
    let mut texts: Vec<&str> = Vec::new();
    for value in values {
        let value = trim(value);
        if let Some(index) = question.choices.iter().position(|choice| same_label(&choice.label, value)) {
            taken[index] = true;
        } else if !question.takes_text() {
            return Err(AnswerFault::UnknownOption(id()));
        } else if !texts.contains(&value) {
            check_text(question, value).map_err(|what| AnswerFault::Constraint { question: id(), what })?;
            texts.push(value);
        }
    }
    let labels = question.choices.iter().zip(taken).filter(|(_, taken)| *taken).map(|(c, _)| c.label.clone());
    let all: Vec<String> = labels.chain(texts.into_iter().map(str::to_owned)).collect();
    let (min, max) = (question.min.unwrap_or(1), question.max.unwrap_or(usize::MAX));
    if question.multi_select && !(min..=max).contains(&all.len()) {
        return Err(AnswerFault::Count { question: id(), min, max, got: all.len() });
    }
    Ok(all)
}

/// Whether own words keep the Question's constraint.
///
/// # Errors
/// What would be right, as a short sentence for a person.
pub fn check_text(question: &Question, text: &str) -> Result<(), String> {
    let text = trim(text);
    if is_blank(text) {
        return Err("some words".to_owned());
    }
    question.constraint.as_ref().map_or(Ok(()), |constraint| check_constraint(constraint, text))
}

/// Whether two spellings of a label look the same: nothing but invisible ends and the way accents are coded may differ.
pub(crate) fn same_label(one: &str, other: &str) -> bool {
    let (one, other) = (trim(one), trim(other));
    one == other || one.nfc().eq(other.nfc())
}

fn check_constraint(constraint: &Constraint, text: &str) -> Result<(), String> {
    match constraint {
        Constraint::Text { min_length, max_length, format } => {
            let length = text.chars().count();
            let seen = text.chars().filter(|c| !is_unseen(*c)).count();
            if min_length.is_some_and(|min| seen < min) {
                Err(format!("at least {} characters", min_length.unwrap_or_default()))
            } else if max_length.is_some_and(|max| length > max) {
                Err(format!("at most {} characters", max_length.unwrap_or_default()))
            } else {
                format.map_or(Ok(()), |format| check_format(format, text))
            }
        }
        Constraint::Integer { minimum, maximum } => {
            let number: i64 = text.parse().map_err(|_| "a whole number".to_owned())?;
            within(&number, minimum.as_ref(), maximum.as_ref())
        }
        Constraint::Number { minimum, maximum } => {
            let number: f64 = text.parse().map_err(|_| "a number".to_owned())?;
            if !number.is_finite() {
                return Err("a number".to_owned());
            }
            within(&number, minimum.as_ref(), maximum.as_ref())
        }
        Constraint::OneOf { values } => {
            if values.iter().any(|value| value == text) {
                Ok(())
            } else {
                Err("one of the listed values, spelled exactly".to_owned())
            }
        }
        Constraint::Or { word, .. } if text.to_lowercase() == word.to_lowercase() => Ok(()),
        Constraint::Or { word, constraint: Some(inner) } => {
            check_constraint(inner, text).map_err(|what| format!("{what}, or “{word}”"))
        }
        Constraint::Or { constraint: None, .. } => Ok(()),
    }
}

fn within<N: PartialOrd + std::fmt::Display>(
    number: &N,
    min: Option<&N>,
    max: Option<&N>,
) -> Result<(), String> {
    let low = min.is_some_and(|min| number < min);
    let high = max.is_some_and(|max| number > max);
    match (min, max) {
        (Some(min), Some(max)) if low || high => Err(format!("a number from {min} to {max}")),
        (Some(min), _) if low => Err(format!("a number of at least {min}")),
        (_, Some(max)) if high => Err(format!("a number of at most {max}")),
        _ => Ok(()),
    }
}

fn check_format(format: Format, text: &str) -> Result<(), String> {
    let (right, what) = match format {
        Format::Email => (is_email(text), "an e-mail address, like name@example.org"),
        Format::Uri => (is_uri(text), "a web address, like https://example.org/page"),
        Format::Date => (is_date(text), "a date, like 2026-11-30"),
        Format::DateTime => (is_date_time(text), "a date and time, like 2026-11-30T18:00:00Z"),
    };
    if right { Ok(()) } else { Err(what.to_owned()) }
}

fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.rsplit_once('@') else { return false };
    !name.is_empty()
        && !text.chars().any(|c| c.is_whitespace() || c.is_control())
        && !name.contains('@')
        && host.contains('.')
        && host.split('.').all(|part| !part.is_empty())
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !rest.trim_start_matches('/').is_empty()
        && !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

fn is_date_time(text: &str) -> bool {
    let Some((date, rest)) = text.split_once(['T', 't']) else { return false };
    let clock = rest.strip_suffix(['Z', 'z']);
    let (clock, zone) = match clock {
        Some(clock) => (clock, true),
        None => {
            rest.rfind(['+', '-']).map_or((rest, false), |at| (&rest[..at], is_clock(&rest[at + 1..], 2)))
        }
    };
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    is_date(date)
        && zone
        && is_clock(whole, 3)
        && !fraction.is_empty()
        && fraction.bytes().all(|b| b.is_ascii_digit())
}

/// `18:00` (two parts) or `18:00:59` (three; 60 is a leap second).
fn is_clock(text: &str, parts: usize) -> bool {
    let numbers: Option<Vec<u32>> = text.split(':').map(|part| digits(part, 2)).collect();
    numbers.is_some_and(|n| {
        n.len() == parts && n[0] < 24 && n[1] < 60 && n.get(2).is_none_or(|second| *second <= 60)
    })
}

fn digits(text: &str, length: usize) -> Option<u32> {
    (text.len() == length && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}
