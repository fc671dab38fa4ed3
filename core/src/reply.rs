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
