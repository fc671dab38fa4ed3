//! What a form's fields hold, as canonical answers. Whatever the client checked is checked again.

use askrelay_core::answer::{Answers, Notes, canonical};
use askrelay_core::ask::Question;
use askrelay_core::id::QuestionId;
use askrelay_core::reply::{is_blank, trim};
use serde_json::{Map, Value};

use super::{
    FREE_TEXT, Form, OTHER, TEXT, has_other, has_second_form, is_confirm, labels, words_entry, words_form,
};
use crate::tool::{NO, NONE, YES, may_take_nothing};

/// What a form came back with.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// The person answered; the notes are remarks beside choices.
    Answered(Answers, Notes),
    /// The person wants to answer in own words, which this second form takes. What it comes back with is read like the first.
    OwnWords(Form),
}

/// Why what came back is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotContent(String);

/// What a form of these questions, or its second one, came back with.
///
/// # Errors
/// What is wrong with it, in words.
pub fn read(questions: &[Question], content: &Map<String, Value>) -> Result<Content, NotContent> {
    if content.is_empty() {
        return Err(NotContent("it is empty".to_owned()));
    }
    if let Some(name) = content.keys().find(|name| !is_field(questions, name)) {
        return Err(NotContent(format!("there is no field '{name}'")));
    }
    let (mut given, mut notes) = (Answers::default(), Notes::default());
    for question in questions {
        let id = question.id.as_str();
        let value = content.get(id).or_else(|| content.get(&format!("{id}{TEXT}")));
        if has_second_form(question, questions)
            && value.and_then(Value::as_str) == Some(&words_entry(question))
        {
            let words = content.get(FREE_TEXT).and_then(Value::as_str).filter(|words| !is_blank(words));
            // A page that has both fields at once sends both.
            let Some(words) = words else { return Ok(Content::OwnWords(words_form(question))) };
            given.0.insert(question.id.clone(), vec![trim(words).to_owned()]);
            continue;
        }
        let mut values = values(question, value)?;
        match words(question, questions, content)? {
            Some(Words::Beside(words)) if question.multi_select || values.is_empty() => values.push(words),
            Some(Words::Beside(words)) => {
                notes.insert(question.id.clone(), words);
            }
            Some(Words::Instead(words)) => values = vec![words],
            None => {}
        }
        if values.is_empty() && may_take_nothing(question) {
            values.push(NONE.to_owned());
        }
        given.0.insert(question.id.clone(), values);
    }
    let answers = canonical(questions, &given).map_err(|fault| NotContent(fault.to_string()))?;
    Ok(Content::Answered(answers, notes))
}

fn is_field(questions: &[Question], name: &str) -> bool {
    let one = questions.len() == 1;
    questions.iter().any(|question| {
        let id = question.id.as_str();
        let text = question.multi_select && name.strip_suffix(TEXT) == Some(id);
        let other = has_other(question)
            && match one {
                true => name == FREE_TEXT,
                false => name.strip_suffix(OTHER) == Some(id),
            };
        name == id || text || other
    })
}

/// Own words, by what they are to the choice above.
enum Words {
    /// A remark on it, or one more.
    Beside(String),
    /// It does not count: a form may have filled it in by itself.
    Instead(String),
}

fn words(
    question: &Question,
    questions: &[Question],
    content: &Map<String, Value>,
) -> Result<Option<Words>, NotContent> {
    if !has_other(question) {
        return Ok(None);
    }
    let several = questions.len() > 1;
    let name = if several { format!("{}{OTHER}", question.id) } else { FREE_TEXT.to_owned() };
    let words = match content.get(&name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(words)) if is_blank(words) => return Ok(None),
        Some(Value::String(words)) => trim(words).to_owned(),
        Some(_) => return Err(NotContent(format!("field '{name}' has a value of another kind"))),
    };
    Ok(Some(if several && !question.multi_select { Words::Instead(words) } else { Words::Beside(words) }))
}

fn values(question: &Question, value: Option<&Value>) -> Result<Vec<String>, NotContent> {
    let wrong = |id: &QuestionId| NotContent(format!("field '{id}' has a value of another kind"));
    match value {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Bool(yes)) if is_confirm(question) => Ok(vec![if *yes { YES } else { NO }.to_owned()]),
        // Clients may put what is a list into one line, and leave a choice empty where own words stand.
        Some(Value::String(text)) if question.multi_select => Ok(named(question, text)),
        Some(Value::String(text)) if has_other(question) && is_blank(text) => Ok(Vec::new()),
        Some(Value::String(text)) => declared(question, text).map(|text| vec![text]),
        Some(Value::Number(number)) if question.choices.is_empty() => Ok(vec![number.to_string()]),
        Some(Value::Array(list)) if question.multi_select => {
            let texts = list.iter().map(|each| each.as_str().ok_or_else(|| wrong(&question.id)));
            let texts = texts.filter(|text| !text.as_ref().is_ok_and(|text| is_blank(text)));
            texts.map(|text| declared(question, text?)).collect()
        }
        Some(_) => Err(wrong(&question.id)),
    }
}

/// The label that a value is, whatever its case. A choice's own field holds no own words: those have theirs.
fn declared(question: &Question, text: &str) -> Result<String, NotContent> {
    if question.choices.is_empty() {
        return Ok(text.to_owned());
    }
    if is_confirm(question) && ["true", "false"].contains(&text) {
        return Ok(if text == "true" { YES } else { NO }.to_owned());
    }
    label(question, text)
        .map(str::to_owned)
        .ok_or_else(|| NotContent(format!("question '{}' contains an unknown option", question.id)))
}

fn label<'q>(question: &'q Question, text: &str) -> Option<&'q str> {
    let text = trim(text);
    let labels = || labels(question).into_iter();
    let same_but_for_case = |label: &&str| trim(label).to_lowercase() == text.to_lowercase();
    labels().find(|label| trim(label) == text).or_else(|| labels().find(same_but_for_case))
}

/// The labels that one line of text names; what names none stays as it is, and is refused later. A label may hold the signs that
/// stand between labels, so that the longest that fits is taken.
fn named(question: &Question, text: &str) -> Vec<String> {
    const SIGNS: [char; 3] = [',', ';', '\n'];
    let longest_label = labels(question).iter().map(|label| label.len()).max().unwrap_or(0);
    let mut named = Vec::new();
    let mut rest = text;
    // One more than there are choices is too many already.
    while named.len() <= question.choices.len() {
        rest = trim(rest.trim_start_matches(|c: char| SIGNS.contains(&c) || c.is_whitespace()));
        if is_blank(rest) {
            break;
        }
        let ends =
            rest.char_indices().filter(|(_, c)| SIGNS.contains(c)).map(|(at, _)| at).chain([rest.len()]);
        // White space before a sign may make a name longer than its label, in bytes as its case may; not by much.
        let ends: Vec<usize> = ends
            .enumerate()
            .take_while(|(nth, at)| *nth == 0 || *at <= 2 * longest_label)
            .map(|(_, at)| at)
            .collect();
        let longest = ends.iter().rev().find_map(|end| Some((*end, label(question, &rest[..*end])?)));
        let first = ends.first().copied().unwrap_or(rest.len());
        let (end, name) = match longest {
            Some((end, label)) => (end, label.to_owned()),
            None => (first, trim(&rest[..first]).to_owned()),
        };
        named.push(name);
        rest = &rest[end..];
    }
    named
}
