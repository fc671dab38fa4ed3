//! The form's fields: their names, what somebody entered, and which answers that makes. Whether a value answers a Question is
//! [`canonical`]'s, and what is said about it the core's wording.

use askrelay_core::answer::{AnswerFault, Answers, Notes, canonical};
use askrelay_core::ask::Question;
use askrelay_core::prompt::wording;
use url::form_urlencoded;

/// The button that was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Send,
    Decline,
}

/// The name of both buttons.
pub(super) const ACT: &str = "act";
pub(super) const SEND: &str = "send";
pub(super) const DECLINE: &str = "decline";

/// The value of the entry for own words.
pub(super) const OTHER: &str = "other";

/// What is entered for one Question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// Choices by index, below how many there are.
    pub(super) taken: Vec<usize>,
    /// The entry for own words is taken.
    pub(super) other: bool,
    /// Own words, or a remark.
    pub(super) words: String,
    /// Something was taken that is not there.
    stray: bool,
}

/// What is wrong with the answer to one Question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// Which, by position.
    pub(super) question: usize,
    /// A sentence for whoever filled it in.
    pub(super) what: String,
}

/// The name of a Question's choices.
pub(super) fn name(question: usize) -> String {
    format!("q{question}")
}

/// The name of the field for its own words.
pub(super) fn words_name(question: usize) -> String {
    format!("q{question}-text")
}

/// What a fresh form holds: the defaults, which count once they are sent.
pub(super) fn offered(questions: &[Question]) -> Vec<Entry> {
    questions.iter().map(offered_one).collect()
}

fn offered_one(question: &Question) -> Entry {
    let mut entry = Entry::default();
    for value in &question.default {
        match question.choices.iter().position(|choice| choice.label == *value) {
            Some(index) => entry.taken.push(index),
            None => {
                entry.other = !question.choices.is_empty();
                entry.words.clone_from(value);
            }
        }
    }
    entry
}

/// What a body says. Names that the form does not have say nothing.
pub(super) fn parse(body: &[u8], questions: &[Question]) -> (Option<Act>, Vec<Entry>) {
    let mut act = None;
    let mut entries = vec![Entry::default(); questions.len()];
    for (name, value) in form_urlencoded::parse(body) {
        if name == ACT {
            act = match &*value {
                SEND => Some(Act::Send),
                DECLINE => Some(Act::Decline),
                _ => None,
            };
            continue;
        }
        let (place, is_text) = match name.strip_suffix("-text") {
            Some(place) => (place, true),
            None => (&*name, false),
        };
        let index = place.strip_prefix('q').and_then(|number| number.parse::<usize>().ok());
        let Some((entry, question)) = index.and_then(|at| entries.get_mut(at).zip(questions.get(at))) else {
            continue;
        };
        if is_text {
            // Browsers send every line break as two characters.
            entry.words = value.replace("\r\n", "\n");
        } else if value == OTHER && question.other {
            entry.other = true;
        } else {
            match value.parse().ok().filter(|taken| *taken < question.choices.len()) {
                Some(taken) if entry.taken.contains(&taken) => {}
                Some(taken) => entry.taken.push(taken),
                None => entry.stray = true,
            }
        }
    }
    (act, entries)
}

/// The canonical answers, and the remarks beside choices.
///
/// # Errors
/// What is wrong with each Question's.
pub(super) fn read(questions: &[Question], entries: &[Entry]) -> Result<(Answers, Notes), Vec<Wrong>> {
    let mut answers = Answers::default();
    let mut notes = Notes::new();
    let mut wrong = Vec::new();
    for (index, (question, entry)) in questions.iter().zip(entries).enumerate() {
        match read_one(question, entry) {
            Ok((values, note)) => {
                answers.0.insert(question.id.clone(), values);
                notes.extend(note.map(|note| (question.id.clone(), note)));
            }
            Err(what) => wrong.push(Wrong { question: index, what }),
        }
    }
    if wrong.is_empty() { Ok((answers, notes)) } else { Err(wrong) }
}

/// Words are the answer where there are no choices, where Other is taken, and where nothing else is; beside a choice they
/// are a remark.
fn read_one(question: &Question, entry: &Entry) -> Result<(Vec<String>, Option<String>), String> {
    if entry.stray {
        return Err(wording::dead_control());
    }
    let words = entry.words.trim();
    let words = (question.takes_text() && !words.is_empty()).then(|| words.to_owned());
    if entry.other && words.is_none() {
        return Err(wording::own_words_missing());
    }
    let mut values: Vec<String> = entry.taken.iter().map(|at| question.choices[*at].label.clone()).collect();
    let is_remark = !values.is_empty() && !entry.other;
    let (own, note) = if is_remark { (None, words) } else { (words, None) };
    values.extend(own);
    let given = Answers([(question.id.clone(), values)].into());
    let mut answers =
        canonical(std::slice::from_ref(question), &given).map_err(|fault| said(question, fault))?;
    Ok((answers.0.remove(&question.id).unwrap_or_default(), note))
}

fn said(question: &Question, fault: AnswerFault) -> String {
    match fault {
        AnswerFault::Constraint { what, .. } => wording::expected_text(&what),
        AnswerFault::UnknownOption(_) | AnswerFault::UnknownQuestion(_) => wording::dead_control(),
        AnswerFault::Missing(_)
        | AnswerFault::Blank(_)
        | AnswerFault::NotMultiple(_)
        | AnswerFault::Count { .. } => wording::incomplete_one(question),
    }
}

#[cfg(test)]
mod tests;
