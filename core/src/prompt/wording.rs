//! Every sentence a person sees in a chat, in one place: short, kind, exact. Takes data, gives text; decides neither whom
//! to tell nor when. Data of agents and people in them is cleaned and shortened; markup is never written.

use std::fmt::Write as _;

use super::clean;
use super::shorten::shorten;
use super::text::{markers, own_words};
use crate::answer::Answers;
use crate::ask::{Constraint, Format, Question};
use crate::limits::{Limits, Unit};

mod notes;
mod service;
pub use notes::*;
pub use service::*;

/// Most graphemes of one value inside a sentence.
const VALUE_MAX: usize = 80;
/// Most choices whose markers are listed one by one.
const LISTED_MAX: usize = 4;

// --- Words on controls -------------------------------------------------------------------------------------------

pub(super) const OTHER: &str = "Other…";
pub(super) const ANSWER: &str = "Answer…";
pub(super) const USE_DEFAULT: &str = "Use default";
pub(super) const SKIP: &str = "Skip";
pub(super) const SKIP_ALL: &str = "Skip all";
pub(super) const BACK: &str = "Back";
pub(super) const NEXT: &str = "Next";
pub(super) const REVIEW: &str = "Review";
pub(super) const SUBMIT: &str = "Submit";
pub(super) const PREVIOUS_PAGE: &str = "‹ Previous";
pub(super) const NEXT_PAGE: &str = "More ›";
pub(super) const OPEN_LINK: &str = "Open link";
pub(super) const CHOOSE: &str = "Choose one";
pub(super) const FILL_IN: &str = "Fill in the fields below, then Submit";
pub(super) const PRESS_ANSWER: &str = "Press Answer… for a form";
/// Shown for a label that draws nothing.
pub(super) const INVISIBLE: &str = "(invisible)";
pub(super) const TAKEN: &str = "✓ ";
pub(super) const ON: &str = "☑ ";
pub(super) const OFF: &str = "☐ ";

/// Asked before a choice that destroys something.
pub(super) fn really(label: &str) -> String {
    format!("Choose {}?", quoted(&shorten(label, Unit::Graphemes, VALUE_MAX)))
}

pub(super) fn counted(words: &str, count: usize) -> String {
    format!("{words} ({count})")
}

pub(super) fn go_to(question: usize) -> String {
    format!("Change Q{}", question + 1)
}

/// `Q2 Strategy`, over a field.
pub(super) fn field(question: usize, name: &str) -> String {
    format!("Q{} {name}", question + 1)
}

/// Over the field for own words beside choices.
pub(super) fn other_field(question: usize) -> String {
    format!("Q{} {OTHER}", question + 1)
}

// --- Lines of a Prompt -------------------------------------------------------------------------------------------

/// `Q2 of 3` or `Q2 of 3 · Strategy`.
pub(super) fn numbered_heading(index: usize, count: usize, header: &str) -> String {
    let place = format!("Q{} of {count}", index + 1);
    if header.is_empty() { place } else { format!("{place} · {header}") }
}

pub(super) fn review_heading(count: usize) -> String {
    format!("Review of {count} answers")
}

pub(super) const NOT_ANSWERED_YET: &str = "not answered yet";

pub(super) fn page(shown: &std::ops::Range<usize>, count: usize, page: usize, pages: usize) -> String {
    let (first, last) = (shown.start + 1, shown.end);
    let which = if first == last { format!("Choice {first}") } else { format!("Choices {first}–{last}") };
    format!("{which} of {count}, page {} of {pages}.", page + 1)
}

pub(super) fn default_line(values: &str) -> String {
    format!("Default, if you take it: {values}")
}

pub(super) fn hint_line(placeholder: &str) -> String {
    format!("Hint: {placeholder}")
}

pub(super) fn chosen_line(values: &str) -> String {
    format!("Chosen so far: {values}")
}

pub(super) fn one_of_line(values: &str) -> String {
    format!("One of: {values}")
}

/// How own words look beside labels: in quotation marks.
pub(super) fn quoted(words: &str) -> String {
    format!("“{words}”")
}

pub(super) fn asked_by(name: &str) -> String {
    format!("Asked by {name}.")
}

pub(super) fn until(time: &str) -> String {
    format!("Open until {time}.")
}

/// Most people who are named as those who may answer.
const NAMED_MAX: usize = 3;
/// Most graphemes of their names.
const NAME_MAX: usize = 40;

/// Who may answer, from their names.
pub(crate) fn audience(names: &[&str]) -> String {
    let shown: Vec<String> = names
        .iter()
        .map(|name| shorten(&clean::line(name), Unit::Graphemes, NAME_MAX).into_owned())
        .collect();
    let shown = shown.iter().map(String::as_str);
    match names.len() {
        0 => "Nobody known here may answer it.".to_owned(),
        count if count <= NAMED_MAX => format!("{} may answer.", listed(shown, "or")),
        count => {
            let first: Vec<&str> = shown.take(NAMED_MAX - 1).collect();
            format!("{} or {} others may answer.", first.join(", "), count - first.len())
        }
    }
}

/// What free text must look like, as a sentence; empty when anything goes.
#[must_use]
pub fn expected(constraint: &Constraint) -> String {
    let what = kind_of_text(constraint);
    if what.is_empty() { what } else { format!("Expected: {what}.") }
}

fn kind_of_text(constraint: &Constraint) -> String {
    match constraint {
        Constraint::Text { min_length, max_length, format } => {
            let length = match (min_length.filter(|min| *min > 1), max_length) {
                (Some(min), Some(max)) => format!("{min} to {max} characters"),
                (Some(min), None) => format!("at least {min} characters"),
                (None, Some(max)) => format!("at most {max} characters"),
                (None, None) => String::new(),
            };
            let kind = format.map_or("", |format| match format {
                Format::Email => "an e-mail address, like name@example.org",
                Format::Uri => "a web address, like https://example.org/page",
                Format::Date => "a date, like 2026-11-30",
                Format::DateTime => "a date and time, like 2026-11-30T18:00:00Z",
            });
            [kind, &length].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
        }
        Constraint::Integer { minimum, maximum } => format!("a whole number{}", range(*minimum, *maximum)),
        Constraint::Number { minimum, maximum } => format!("a number{}", range(*minimum, *maximum)),
        Constraint::OneOf { .. } => "one of the listed values, spelled exactly".to_owned(),
        Constraint::Or { word, constraint } => {
            let inner = constraint.as_deref().map(kind_of_text).filter(|what| !what.is_empty());
            let inner = inner.unwrap_or_else(|| "your answer".to_owned());
            format!("{inner}; or {} for no value", quoted(&value(word)))
        }
    }
}

fn range<N: std::fmt::Display>(min: Option<N>, max: Option<N>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" of at least {min}"),
        (None, Some(max)) => format!(" of at most {max}"),
        (None, None) => String::new(),
    }
}

pub(super) fn cut(parts: &[&str], id: &str) -> String {
    format!("Shortened to fit here: {}. In full: askrelay show {id}", listed(parts.iter().copied(), "and"))
}

pub(super) const CUT_ABOVE: &str = "Shortened here; the whole text is above.";

pub(super) const CUT_DESCRIPTIONS: &str = "descriptions";
pub(super) const CUT_QUESTION: &str = "question";
pub(super) const CUT_LINK: &str = "link";
pub(super) const CUT_CHOICES: &str = "choices";

pub(super) fn no_room(choices: usize, id: &str) -> String {
    let what = match choices {
        0 => "This question does".to_owned(),
        1 => "Its choice does".to_owned(),
        n => format!("Its {n} choices do"),
    };
    format!("{what} not fit here. Read and answer where there is room: askrelay show {id}")
}

pub(super) fn elsewhere(panel: Option<&str>, id: &str) -> String {
    match panel {
        Some(panel) => {
            format!("Typing here does not answer this one. Answer where it has buttons, or at {panel}")
        }
        None => format!(
            "Typing here does not answer this one. Use a panel, or a chat where it has buttons (id {id})."
        ),
    }
}

pub(super) fn secret_elsewhere(panel: Option<&str>, id: &str) -> String {
    match panel {
        Some(panel) => {
            format!("This asks for a secret, so no chat may carry the answer. Answer it at {panel}")
        }
        None => format!("This asks for a secret, so no chat may carry the answer. Use a panel (id {id})."),
    }
}

// --- How it ended ------------------------------------------------------------------------------------------------

pub(super) const END_UNKNOWN: &str = "Closed. How it ended is not known here.";
pub(super) const AT_THE_TERMINAL: &str = "whoever sat at the asking terminal (not verified)";
pub(super) const IN_THE_FORM: &str = "whoever filled the asking program's form (not verified)";
pub(super) const SOMEBODY: &str = "somebody";

pub(super) fn answered(values: &str) -> String {
    format!("Answered: {values}")
}

pub(super) fn remark(note: &str) -> String {
    format!("Remark: {}", quoted(note))
}

/// `Ana on Discord`.
pub(super) fn on_surface(name: &str, surface: &str) -> String {
    let mut letters = surface.chars();
    let surface: String =
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    format!("{name} on {surface}")
}

pub(super) fn decided(by: &str, at: &str) -> String {
    format!("By {by}, {at}.")
}

pub(super) fn expired(at: &str) -> String {
    format!("Expired without an answer, {at}.")
}

pub(super) fn skipped(by: Option<&str>, at: &str) -> String {
    let by = by.map(|name| format!(" by {name}")).unwrap_or_default();
    format!("Skipped{by}, {at}. Nothing was answered.")
}

pub(super) fn withdrawn(at: &str) -> String {
    format!("Withdrawn, {at}. No answer is needed any more.")
}

pub(super) fn unavailable(at: &str) -> String {
    format!("Ended, {at}: nobody could be asked.")
}

pub(super) fn not_delivered_at(why: &str, at: &str) -> String {
    format!("Not delivered, {at}: {}", value(why))
}

pub(super) fn late_line(by: &str, at: &str, values: &str) -> String {
    format!("Too late, and not counted: {values}. By {by}, {at}.")
}

// --- How to answer -----------------------------------------------------------------------------------------------

/// `Choose 2 to 3`, `Choose one`.
pub(crate) fn how_many(question: &Question) -> String {
    if !question.multi_select {
        return CHOOSE.to_owned();
    }
    match bounds(question) {
        (1, None) => "Choose one or more".to_owned(),
        (min, None) => format!("Choose at least {min}"),
        (1, Some(max)) => format!("Choose up to {max}"),
        (min, Some(max)) if min == max => format!("Choose {min}"),
        (min, Some(max)) => format!("Choose {min} to {max}"),
    }
}

/// Fewest and most values of a multi-select, where the latter says anything.
fn bounds(question: &Question) -> (usize, Option<usize>) {
    let min = question.min.unwrap_or(1).max(1);
    (min, question.max.filter(|max| question.takes_text() || *max < question.choices.len()))
}

/// How a typed reply may answer one question: `Reply 1, 2 or 3, or your own words`.
pub(super) fn reply_with(question: &Question, limits: &Limits) -> String {
    let own = if limits.shared { "reply to me in your own words" } else { "your own words" };
    if question.choices.is_empty() {
        let how = if limits.shared { "Reply to me with your answer" } else { "Reply with your answer" };
        return how.to_owned();
    }
    let markers = bare_markers(question);
    let mut text = if limits.shared && !limits.hears_all { "Reply to me with " } else { "Reply " }.to_owned();
    if question.multi_select && markers.len() > 1 {
        let count = match bounds(question) {
            (1, None) => "one or more numbers".to_owned(),
            (min, None) => format!("at least {min} numbers"),
            (1, Some(1)) => "one number".to_owned(),
            (1, Some(max)) => format!("up to {max} numbers"),
            (min, Some(max)) if min == max => format!("{min} numbers"),
            (min, Some(max)) => format!("{min} to {max} numbers"),
        };
        text.push_str(&count);
        if question.max != Some(1) {
            let example: Vec<&str> =
                markers.iter().map(String::as_str).take(question.min.unwrap_or(2).clamp(2, 3)).collect();
            let _ = write!(text, ", like {}", quoted(&example.join(", ")));
        }
    } else {
        text.push_str(&any_of(&markers));
    }
    if question.other {
        let own = if limits.hears_all { own } else { "your own words" };
        let _ = write!(text, ", or {own}");
    }
    text
}

/// Markers as they are typed: `1` or `#1`.
fn bare_markers(question: &Question) -> Vec<String> {
    markers(question).into_iter().map(|marker| marker.trim_end_matches('.').to_owned()).collect()
}

/// `1, 2 or 3`; `1 to 12` when there are many.
fn any_of(markers: &[String]) -> String {
    match markers {
        [first, .., last] if markers.len() > LISTED_MAX => format!("{first} to {last}"),
        _ => listed(markers.iter().map(String::as_str), "or"),
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn listed<'a>(items: impl IntoIterator<Item = &'a str>, last_word: &str) -> String {
    let items: Vec<&str> = items.into_iter().collect();
    match items.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [before @ .., last] => format!("{} {last_word} {last}", before.join(", ")),
    }
}

/// The line under a text Prompt that says how to reply.
pub(super) fn reply_line(questions: &[Question], limits: &Limits) -> String {
    let prefix = limits.command_prefix;
    match questions {
        [one] => format!("{}; {prefix}skip to skip.", reply_with(one, limits)),
        _ => format!("{}; {prefix}skip to skip all.", reply_keyed(limits)),
    }
}

/// How a typed reply may answer several questions.
pub(super) fn reply_keyed(limits: &Limits) -> String {
    let to = if limits.shared { " to me" } else { "" };
    format!("Reply{to} with one line per question, like “Q1: your answer”")
}

/// The line above native controls; `then` is the button that goes on after several choices.
pub(super) fn press_line(question: &Question, menu: bool, then: &str) -> String {
    match (question.choices.is_empty(), question.multi_select, menu) {
        (true, ..) => format!("Press {ANSWER}"),
        (_, true, _) => format!("{}, then {then}", how_many(question)),
        (_, false, true) => "Choose below".to_owned(),
        (_, false, false) => "Press a button".to_owned(),
    }
}

/// `Press a button, or reply 1 or 2.`
pub(super) fn or(press: &str, reply: &str) -> String {
    if press.contains(',') {
        format!("{press}. Or {}.", lower_first(reply))
    } else {
        format!("{press}, or {}.", lower_first(reply))
    }
}

pub(super) fn review_entry(index: usize, what: &str, values: &str) -> String {
    format!("Q{} {what}: {values}", index + 1)
}

pub(super) fn review_line(open: &[usize]) -> String {
    let names: Vec<String> = open.iter().map(|index| format!("Q{}", index + 1)).collect();
    match names.len() {
        0 => format!("{SUBMIT} sends all answers; nothing is sent before."),
        1 => format!("{} is still open.", names.concat()),
        _ => format!("{} are still open.", listed(names.iter().map(String::as_str), "and")),
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// One value of an agent or a person inside a sentence.
pub(super) fn value(text: &str) -> String {
    shorten(&clean::line(text), Unit::Graphemes, VALUE_MAX).into_owned()
}

/// The values of one question in a row: labels as they are, own words quoted; nothing of a secret.
pub(super) fn values(question: &Question, values: &[String]) -> String {
    if question.secret {
        return "kept secret".to_owned();
    }
    let own = own_words(question, values);
    let shown = values.iter().map(|text| {
        if own.contains(&text.as_str()) && !question.choices.is_empty() {
            quoted(&value(text))
        } else {
            value(text)
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// All values: of one question as they are, of several with their headings.
pub(super) fn all_values(questions: &[Question], answers: &Answers) -> String {
    let answered = questions.iter().enumerate().filter(|(_, question)| !answers.of(&question.id).is_empty());
    let parts = answered.map(|(index, question)| {
        let values = values(question, answers.of(&question.id));
        if questions.len() == 1 { values } else { format!("Q{} {values}", index + 1) }
    });
    parts.collect::<Vec<_>>().join("; ")
}
