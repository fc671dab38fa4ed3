//! Roughly how many bytes things take, in memory or as text: every text in them counts, and a fixed share for each part.
//! For bounds, which need no more than that.

use askrelay_core::answer::{Answered, Answers, Notes};
use askrelay_core::ask::{Ask, Constraint, Question, WhenUnanswered};
use askrelay_core::record::{Record, State};

/// A Record's own share: ids, times, who asked.
const RECORD: usize = 512;

/// A Question's.
const QUESTION: usize = 512;

/// A choice's or a value's.
const VALUE: usize = 64;

/// An answer's own share: who, where and when.
const ANSWER: usize = 256;

/// A Record as it stands, late answers included.
pub(crate) fn record_weight(record: &Record) -> usize {
    let in_time = match &record.state {
        State::Answered(answered) => answered_weight(answered),
        State::Pending | State::Cancelled(_) | State::Expired { .. } => 0,
    };
    ask_weight(&record.ask) + in_time + record.late.iter().map(answered_weight).sum::<usize>()
}

fn answered_weight(answered: &Answered) -> usize {
    ANSWER + answer_weight(&answered.answers, &answered.notes, answered.words.as_deref())
}

/// What is asked.
pub(crate) fn ask_weight(ask: &Ask) -> usize {
    let origin = &ask.origin;
    let named = [&origin.agent_id, &origin.session_key, &origin.run_id, &origin.label];
    let default = match &ask.when_unanswered {
        WhenUnanswered::Default(values) => values.values().map(|values| of_values(values)).sum(),
        WhenUnanswered::Fail => 0,
    };
    RECORD
        + named.into_iter().flatten().map(String::len).sum::<usize>()
        + of_values(&ask.places)
        + ask.answerers.iter().map(|person| VALUE + person.as_str().len()).sum::<usize>()
        + default
        + ask.questions.iter().map(question_weight).sum::<usize>()
}

/// What is answered.
pub(crate) fn answer_weight(answers: &Answers, notes: &Notes, words: Option<&str>) -> usize {
    answers.0.values().map(|values| of_values(values)).sum::<usize>()
        + notes.values().map(|note| VALUE + note.len()).sum::<usize>()
        + words.map_or(0, str::len)
}

fn question_weight(question: &Question) -> usize {
    let choices = question.choices.iter();
    let choices = choices.map(|c| 2 * VALUE + c.label.len() + c.description.as_ref().map_or(0, String::len));
    let listed = match &question.constraint {
        Some(Constraint::OneOf { values }) => of_values(values),
        _ => 0,
    };
    QUESTION
        + question.id.as_str().len()
        + question.text.len()
        + question.header.len()
        + question.url.as_ref().map_or(0, String::len)
        + question.placeholder.as_ref().map_or(0, String::len)
        + of_values(&question.default)
        + listed
        + choices.sum::<usize>()
}

fn of_values(values: &[String]) -> usize {
    values.iter().map(|value| VALUE + value.len()).sum()
}
