//! Reads a typed reply to the Questions of one Ask. Delivers nothing: it only says what was understood.

use crate::answer::{Answers, Notes};
use crate::id::QuestionId;

/// What the core understood of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A complete answer: every question has its values, in canonical form.
    Answer {
        /// The values.
        answers: Answers,
        /// Remarks that stood beside a choice.
        notes: Notes,
    },
    /// Nothing is delivered; one short re-ask is due.
    Clarify(Unclear),
    /// The person dismissed the whole Ask.
    Skip,
    /// Not an answer and not ours: another bot's command.
    NotAnAnswer,
}

/// Why a reply did not decide, and what of it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unclear {
    /// The first reason that applies.
    pub reason: Reason,
    /// What was understood of several questions; a draft, not an answer.
    pub kept: Answers,
    /// The questions that are still open, in order.
    pub open: Vec<QuestionId>,
    /// A close hit worth offering by its number: question and zero-based choice.
    pub suggestion: Option<(QuestionId, usize)>,
}

/// Why a reply did not decide. First that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Nothing left after the envelope was removed.
    Empty,
    /// Number and label disagree, or one question was answered twice differently.
    Conflict,
    /// A number or ordinal outside the list.
    OutOfRange,
    /// Two or more choices where one is allowed.
    TooMany,
    /// Some question has no part in the reply.
    MissingQuestion,
    /// It refers to an option, or is yes/no-like, but does not decide.
    Ambiguous,
    /// Nothing in it refers to an option, and own words are not allowed.
    UnknownOption,
    /// Own words that break the question's constraint.
    Constraint,
}

/// How the bot is addressed where the reply was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bot {
    /// The handle people type after `@`, without it.
    pub handle: Option<String>,
    /// The platform's id, as in `<@U123>`.
    pub id: Option<String>,
}

/// Stands in until the reader of replies is merged: exact numbers and labels, `/skip`, own words where they are allowed.
#[must_use]
pub fn read(questions: &[crate::ask::Question], text: &str, _bot: &Bot) -> Reading {
    let text = text.trim();
    if text == "/skip" {
        return Reading::Skip;
    }
    if text.starts_with('/') {
        return Reading::NotAnAnswer;
    }
    let mut kept = Answers::default();
    let mut reason = if text.is_empty() { Reason::Empty } else { Reason::MissingQuestion };
    for (index, question) in questions.iter().enumerate() {
        let key = format!("{}:", index + 1);
        let part = match questions.len() {
            1 => Some(text),
            _ => text.lines().find_map(|line| line.strip_prefix(&key)),
        };
        match part.map(|part| value(question, part.trim())) {
            Some(Ok(values)) => {
                kept.0.insert(question.id.clone(), values);
            }
            Some(Err(why)) => reason = why,
            None => {}
        }
    }
    let open: Vec<QuestionId> =
        questions.iter().map(|q| q.id.clone()).filter(|id| !kept.0.contains_key(id)).collect();
    match crate::answer::canonical(questions, &kept) {
        Ok(answers) => Reading::Answer { answers, notes: Notes::default() },
        Err(_) => Reading::Clarify(Unclear { reason, kept, open, suggestion: None }),
    }
}

fn value(question: &crate::ask::Question, text: &str) -> Result<Vec<String>, Reason> {
    if text.is_empty() {
        return Err(Reason::Empty);
    }
    let one = |part: &str| {
        let number = part.trim_start_matches('#').parse::<usize>().ok();
        let label = question.choices.iter().find(|choice| choice.label.eq_ignore_ascii_case(part));
        label.or_else(|| question.choices.get(number?.checked_sub(1)?)).map(|choice| choice.label.clone())
    };
    let parts: Vec<&str> = match question.multi_select {
        true => text.split(',').map(str::trim).collect(),
        false => vec![text],
    };
    let labels: Option<Vec<String>> = parts.iter().map(|part| one(part)).collect();
    match labels {
        Some(labels) if !question.choices.is_empty() => Ok(labels),
        _ if question.takes_text() => Ok(vec![text.to_owned()]),
        _ if text.parse::<usize>().is_ok() => Err(Reason::OutOfRange),
        _ => Err(Reason::UnknownOption),
    }
}
