//! What a press or own words make of a draft: an answer, another draft, or nothing. Pure arithmetic on indexes; knows neither
//! who pressed nor where, and never matches text against labels.

use std::ops::Range;

use crate::answer::{Answers, Notes, canonical, check_text, same_label};
use crate::ask::Question;
use crate::prompt::Draft;
use crate::reply::{is_blank, trim};
use crate::token::{Press, Token};

/// One press on a Prompt.
#[derive(Clone, Debug)]
pub(super) struct Pressing<'a> {
    pub(super) questions: &'a [Question],
    pub(super) draft: &'a Draft,
    pub(super) token: Token,
    /// Entry values of a menu; untrusted.
    pub(super) values: &'a [String],
    /// The choices that the shown controls speak for, of the pressed question.
    pub(super) shown: Range<usize>,
}

/// What a press comes to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// A complete answer, with the remarks beside it.
    Answer(Answers, Notes),
    /// The whole Ask is declined.
    Decline,
    /// Something was put together.
    Changed(Draft),
    /// It is like that already.
    Unchanged,
    /// Own words are wanted for this question.
    AskWords(usize),
    /// A form for the whole Ask is wanted.
    OpenForm,
    /// The control was drawn before somebody changed the draft.
    Stale,
    /// Not yet an answer, or more than one.
    Incomplete(Answers),
    /// A control that does nothing here.
    Dead,
}

/// What a press comes to.
pub(super) fn pressed(pressing: &Pressing<'_>) -> Outcome {
    match pressing.token.press {
        Press::Choose { question, choice } => choose(pressing, question.into(), choice.into()),
        Press::Toggle { question, choice, on } => toggle(pressing, question.into(), choice.into(), on),
        Press::Fill { question } => fill(pressing, question.into()),
        Press::Other { question } => {
            let question = usize::from(question);
            match pressing.questions.get(question) {
                Some(asked) if asked.takes_text() => Outcome::AskWords(question),
                _ => Outcome::Dead,
            }
        }
        Press::UseDefault { question } => match pressing.questions.get(usize::from(question)) {
            Some(asked) if !asked.default.is_empty() => {
                take(pressing.questions, pressing.draft, question.into(), asked.default.clone())
            }
            _ => Outcome::Dead,
        },
        Press::Step { question } if usize::from(question) <= pressing.questions.len() => {
            changed(pressing.draft, Draft { step: question.into(), page: 0, ..pressing.draft.clone() })
        }
        Press::Page { question, page } if usize::from(question) < pressing.questions.len() => {
            let draft = Draft { step: question.into(), page: page.into(), ..pressing.draft.clone() };
            changed(pressing.draft, draft)
        }
        Press::Step { .. } | Press::Page { .. } => Outcome::Dead,
        Press::Form => Outcome::OpenForm,
        Press::Submit if pressing.token.revision != pressing.draft.revision => Outcome::Stale,
        Press::Submit => submit(pressing.questions, pressing.draft),
        Press::Skip => Outcome::Decline,
    }
}

/// What own words for a question come to.
///
/// # Errors
/// What would be right, as a short sentence for a person.
pub(super) fn own_words(
    questions: &[Question],
    draft: &Draft,
    question: usize,
    text: &str,
) -> Result<Outcome, String> {
    let Some(asked) = questions.get(question).filter(|asked| asked.takes_text()) else {
        return Ok(Outcome::Dead);
    };
    let text = trim(text);
    if is_blank(text) {
        return Err("some words".to_owned());
    }
    if !is_label(asked, text) {
        check_text(asked, text)?;
    }
    let mut values = Vec::new();
    if asked.multi_select {
        values.extend(labels(asked, draft).map(str::to_owned));
    }
    values.push(text.to_owned());
    if asked.multi_select {
        return Ok(put(questions, draft, question, values));
    }
    Ok(take(questions, draft, question, values))
}

/// The person's own words in the draft of a question.
pub(super) fn words_so_far(question: &Question, draft: &Draft) -> Option<String> {
    let values = draft.answers.get(&question.id)?;
    values.iter().find(|value| !is_label(question, value)).cloned()
}

fn choose(pressing: &Pressing<'_>, question: usize, choice: usize) -> Outcome {
    let Some(asked) = pressing.questions.get(question) else { return Outcome::Dead };
    let Some(choice_label) = asked.choices.get(choice) else { return Outcome::Dead };
    if asked.multi_select {
        return toggle(pressing, question, choice, true);
    }
    take(pressing.questions, pressing.draft, question, vec![choice_label.label.clone()])
}

fn toggle(pressing: &Pressing<'_>, question: usize, choice: usize, on: bool) -> Outcome {
    let Some(asked) = pressing.questions.get(question) else { return Outcome::Dead };
    if !asked.multi_select || choice >= asked.choices.len() {
        return Outcome::Dead;
    }
    let values = reselected(asked, pressing.draft, |index, taken| if index == choice { on } else { taken });
    put(pressing.questions, pressing.draft, question, values)
}

/// A menu brings all entries that are taken now, of those it shows; the other pages' stay as they are.
fn fill(pressing: &Pressing<'_>, question: usize) -> Outcome {
    let Some(asked) = pressing.questions.get(question) else { return Outcome::Dead };
    let indexes: Option<Vec<usize>> = pressing.values.iter().map(|value| value.parse().ok()).collect();
    let Some(indexes) = indexes else { return Outcome::Dead };
    if indexes.iter().any(|index| *index >= asked.choices.len()) {
        return Outcome::Dead;
    }
    if !asked.multi_select {
        return match indexes.as_slice() {
            [only] => choose(pressing, question, *only),
            _ => Outcome::Dead,
        };
    }
    let whole = pressing.shown == (0..asked.choices.len());
    let current = pressing.token.revision == pressing.draft.revision;
    if !current && !whole {
        return Outcome::Stale;
    }
    let values = reselected(asked, pressing.draft, |index, taken| {
        if pressing.shown.contains(&index) { indexes.contains(&index) } else { taken }
    });
    put(pressing.questions, pressing.draft, question, values)
}

/// The values of a multi-select with its choices taken anew: labels in option order, own words after them.
pub(super) fn reselected(
    question: &Question,
    draft: &Draft,
    taken: impl Fn(usize, bool) -> bool,
) -> Vec<String> {
    let before = draft.answers.get(&question.id).map_or(&[][..], Vec::as_slice);
    let choices = question.choices.iter().enumerate();
    let labels = choices.filter(|(index, choice)| taken(*index, before.contains(&choice.label)));
    let own = before.iter().filter(|value| !is_label(question, value));
    labels.map(|(_, choice)| choice.label.clone()).chain(own.cloned()).collect()
}

fn labels<'a>(question: &'a Question, draft: &'a Draft) -> impl Iterator<Item = &'a str> {
    let before = draft.answers.get(&question.id).map_or(&[][..], Vec::as_slice);
    question
        .choices
        .iter()
        .map(|choice| choice.label.as_str())
        .filter(|label| before.iter().any(|b| b == label))
}

pub(super) fn is_label(question: &Question, value: &str) -> bool {
    question.choices.iter().any(|choice| same_label(&choice.label, value))
}

/// A decided question: the answer, where it is the only one; otherwise kept, and on to the next that is open.
fn take(questions: &[Question], draft: &Draft, question: usize, values: Vec<String>) -> Outcome {
    let Some(asked) = questions.get(question) else { return Outcome::Dead };
    let answers = Answers([(asked.id.clone(), values.clone())].into());
    if questions.len() == 1 {
        return answer(questions, answers, &draft.notes);
    }
    let mut next = draft.clone();
    next.answers.insert(asked.id.clone(), values);
    next.notes.remove(&asked.id);
    advance(questions, &mut next, question);
    changed(draft, next)
}

/// Values of a question that still want a Submit.
fn put(questions: &[Question], draft: &Draft, question: usize, values: Vec<String>) -> Outcome {
    let Some(asked) = questions.get(question) else { return Outcome::Dead };
    if asked.max.is_some_and(|max| values.len() > max) {
        return Outcome::Incomplete(Answers([(asked.id.clone(), values)].into()));
    }
    let mut next = draft.clone();
    if values.is_empty() {
        next.answers.remove(&asked.id);
    } else {
        next.answers.insert(asked.id.clone(), values);
    }
    changed(draft, next)
}

/// On to the next question without values, round the end; to the review when there is none.
fn advance(questions: &[Question], draft: &mut Draft, from: usize) {
    let count = questions.len();
    let open = |index: &usize| questions.get(*index).is_some_and(|q| !draft.answers.contains_key(&q.id));
    draft.step = (from + 1..count).chain(0..from).find(open).unwrap_or(count);
    draft.page = 0;
}

/// Everything that was put together, as the answer.
pub(super) fn submit(questions: &[Question], draft: &Draft) -> Outcome {
    answer(questions, Answers(draft.answers.clone()), &draft.notes)
}

fn answer(questions: &[Question], answers: Answers, notes: &Notes) -> Outcome {
    match canonical(questions, &answers) {
        Ok(answers) => Outcome::Answer(answers, notes.clone()),
        Err(_) => Outcome::Incomplete(answers),
    }
}

pub(super) fn changed(before: &Draft, after: Draft) -> Outcome {
    if *before == after {
        return Outcome::Unchanged;
    }
    Outcome::Changed(Draft { revision: before.revision.saturating_add(1), ..after })
}
