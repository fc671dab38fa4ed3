//! One property of a schema: its Question, and the way back from its values. Whether it is required comes from outside.

use serde_json::{Number, Value};

use super::LEAVE_OUT;
use super::node::Node;
use super::options::Options;
use crate::answer::{Answers, canonical};
use crate::ask::{Choice, Constraint, Contract, Fault, Format, Question};
use crate::reply::is_blank;

/// What is wrong with crossed bounds.
const NO_NUMBER: &str = "leaves no number from minimum on";
/// The keywords that list values.
const LISTS: [&str; 3] = ["enum", "oneOf", "anyOf"];

/// One property.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) property: String,
    pub(super) required: bool,
    pub(super) kind: Kind,
    /// The words that leave it out.
    pub(super) left_out: Option<String>,
    /// Those words are a declared choice, not text that people type.
    pub(super) is_choice: bool,
}

/// What its values are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Text,
    Integer,
    Number,
    /// One of these; booleans too.
    One(Options),
    Several(Options),
}

impl Kind {
    /// The value that one text stands for.
    pub(super) fn value(&self, text: &str) -> Option<Value> {
        match self {
            Self::Text => Some(Value::from(text)),
            Self::Integer => text.parse::<i64>().ok().map(Value::from),
            Self::Number => match text.parse::<i64>() {
                Ok(whole) => Some(Value::from(whole)),
                Err(_) => text.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number),
            },
            Self::One(options) | Self::Several(options) => options.value(text),
        }
    }

    /// The text that a value of the schema stands for.
    pub(super) fn text(&self, value: &Value) -> Option<String> {
        match (self, value) {
            (Self::Text, Value::String(text)) => Some(text.clone()),
            (Self::Integer, Value::Number(number)) => {
                let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
                number.as_i64().or(whole.map(|number| number as i64)).map(|number| number.to_string())
            }
            (Self::Number, Value::Number(number)) => Some(number.to_string()),
            (Self::One(options) | Self::Several(options), value) => options.label(value).map(str::to_owned),
            _ => None,
        }
    }
}

/// The property and its Question, whose id is set later; nothing, and a fault, when it is of no known kind.
pub(super) fn read(
    name: &str,
    node: &Node<'_>,
    required: bool,
    faults: &mut Vec<Fault>,
) -> Option<(Field, Question)> {
    node.refuse_unknown_rules(&[], faults);
    let before = faults.len();
    let kind = kind(node, faults)?;
    let mut question = sentence(name, node, faults);
    let mut field = Field { property: name.to_owned(), required, kind, left_out: None, is_choice: false };
    let mut may_be_left_out = !required;
    match &field.kind {
        Kind::Text => question.constraint = text_constraint(node, faults),
        Kind::Integer => question.constraint = Some(integer_constraint(node, faults)),
        Kind::Number => question.constraint = Some(number_constraint(node, faults)),
        Kind::One(options) => take_options(options, false, &mut question),
        Kind::Several(options) => {
            take_options(options, true, &mut question);
            let least = take_counts(node, options.len(), &mut question, faults);
            // A list that must be there may still be empty; one of two or more has no single choice for that.
            may_be_left_out = least == 0 || (!required && least < 2);
        }
    }
    if may_be_left_out {
        offer_leaving_out(&mut field, &mut question);
    }
    take_default(node, &field, &mut question, faults);
    (faults.len() == before).then_some((field, question))
}

fn kind(node: &Node<'_>, faults: &mut Vec<Fault>) -> Option<Kind> {
    let kind = node.text("type", faults);
    let list = LISTS.into_iter().find(|keyword| node.raw(keyword).is_some());
    match (kind, list) {
        (None, _) if node.raw("type").is_some() => None,
        (Some("string") | None, Some(_)) => Options::of(node, faults).map(Kind::One),
        (Some(_), Some(list)) => {
            node.fault(list, "is supported for strings, and for the items of an array", faults);
            None
        }
        (Some("string"), None) => Some(Kind::Text),
        (Some("integer"), None) => Some(Kind::Integer),
        (Some("number"), None) => Some(Kind::Number),
        (Some("boolean"), None) => Some(Kind::One(Options::boolean())),
        (Some("array"), None) => several(node, faults),
        (_, None) => {
            node.fault("type", "must be string, number, integer, boolean, or array of an enum", faults);
            None
        }
    }
}

fn several(node: &Node<'_>, faults: &mut Vec<Fault>) -> Option<Kind> {
    if node.raw("items").is_none() {
        node.fault("items", "must be there: a list in a form is a list of enum values", faults);
    }
    let items = node.object("items", faults)?;
    items.refuse_unknown_rules(&[], faults);
    if !matches!(items.text("type", faults), Some("string") | None) {
        items.fault("type", "must be string", faults);
    }
    if LISTS.iter().all(|keyword| items.raw(keyword).is_none()) {
        items.fault_here("must be an enum: a list in a form is a list of enum values", faults);
    }
    Options::of(&items, faults).map(Kind::Several)
}

/// The Question's words: `description` asks, `title` heads; each stands in for the other.
fn sentence(name: &str, node: &Node<'_>, faults: &mut Vec<Fault>) -> Question {
    let said = |text: Option<&str>| text.map(str::trim).filter(|text| !is_blank(text)).map(str::to_owned);
    let title = said(node.text("title", faults));
    let description = said(node.text("description", faults));
    let name = said(Some(name)).unwrap_or_else(|| "?".to_owned());
    let header = title.clone().unwrap_or_else(|| name.clone());
    match description {
        Some(text) => Question { header, text, ..Question::default() },
        None => Question { text: title.unwrap_or(name), ..Question::default() },
    }
}

fn text_constraint(node: &Node<'_>, faults: &mut Vec<Fault>) -> Option<Constraint> {
    let (min_length, max_length) = (node.count("minLength", faults), node.count("maxLength", faults));
    if max_length.is_some_and(|max| max == 0 || min_length.is_some_and(|min| min > max)) {
        node.fault("maxLength", "must be at least 1 and at least minLength", faults);
    }
    // Other formats are notes of the schema's author, not rules.
    let format = match node.text("format", faults) {
        Some("email") => Some(Format::Email),
        Some("uri") => Some(Format::Uri),
        Some("date") => Some(Format::Date),
        Some("date-time") => Some(Format::DateTime),
        _ => None,
    };
    let any = min_length.is_none() && max_length.is_none() && format.is_none();
    (!any).then_some(Constraint::Text { min_length, max_length, format })
}

fn integer_constraint(node: &Node<'_>, faults: &mut Vec<Fault>) -> Constraint {
    // Saturates: what is beyond the whole numbers we carry bounds nothing.
    let exact = |keyword: &str| node.raw(keyword).and_then(Value::as_i64);
    let minimum = node.number("minimum", faults).map(|bound| exact("minimum").unwrap_or(bound.ceil() as i64));
    let maximum =
        node.number("maximum", faults).map(|bound| exact("maximum").unwrap_or(bound.floor() as i64));
    if minimum.zip(maximum).is_some_and(|(minimum, maximum)| minimum > maximum) {
        node.fault("maximum", NO_NUMBER, faults);
    }
    Constraint::Integer { minimum, maximum }
}

fn number_constraint(node: &Node<'_>, faults: &mut Vec<Fault>) -> Constraint {
    let (minimum, maximum) = (node.number("minimum", faults), node.number("maximum", faults));
    if minimum.zip(maximum).is_some_and(|(minimum, maximum)| minimum > maximum) {
        node.fault("maximum", NO_NUMBER, faults);
    }
    Constraint::Number { minimum, maximum }
}

/// Choices while they are few enough, otherwise text that must be one of them.
fn take_options(options: &Options, several: bool, question: &mut Question) {
    question.multi_select = several;
    // One Choice is kept free for leaving the property out.
    if options.len() < Contract::WIDE.choices_max {
        question.choices = options.choices();
    } else {
        question.constraint = Some(Constraint::OneOf { values: options.labels() });
    }
}

/// Sets how many values a list takes, and gives the fewest.
fn take_counts(node: &Node<'_>, count: usize, question: &mut Question, faults: &mut Vec<Fault>) -> usize {
    let (min, max) = (node.count("minItems", faults), node.count("maxItems", faults));
    if min.is_some_and(|min| min > count) {
        node.fault("minItems", format!("must be at most {count}, the number of values"), faults);
    }
    if max.is_some_and(|max| max == 0 || min.is_some_and(|min| min > max)) {
        node.fault("maxItems", "must be at least 1 and at least minItems", faults);
    }
    question.min = Some(min.unwrap_or(1).max(1));
    question.max = max.filter(|max| *max < count);
    min.unwrap_or(0)
}

fn offer_leaving_out(field: &mut Field, question: &mut Question) {
    let words = match &field.kind {
        Kind::One(options) | Kind::Several(options) => options.leave_out(),
        _ => LEAVE_OUT.to_owned(),
    };
    field.is_choice = !question.choices.is_empty();
    if field.is_choice {
        question.choices.push(Choice::new(words.clone()));
    } else {
        let constraint = question.constraint.take().map(Box::new);
        question.constraint = Some(Constraint::Or { word: words.clone(), constraint });
        question.default = vec![words.clone()];
    }
    field.left_out = Some(words);
}

fn take_default(node: &Node<'_>, field: &Field, question: &mut Question, faults: &mut Vec<Fault>) {
    let Some(value) = node.raw("default") else { return };
    let texts: Option<Vec<String>> = match (&field.kind, value) {
        (Kind::Several(_), Value::Array(values)) => {
            values.iter().map(|value| field.kind.text(value)).collect()
        }
        (Kind::Several(_), _) => None,
        (kind, value) => kind.text(value).map(|text| vec![text]),
    };
    let Some(texts) = texts else {
        node.fault("default", "must be a value of the property", faults);
        return;
    };
    // An empty default offers nothing that a person could accept.
    if texts.iter().all(|text| is_blank(text)) {
        return;
    }
    let offered = Answers([(question.id.clone(), texts.clone())].into());
    match canonical(std::slice::from_ref(question), &offered) {
        Ok(_) => question.default = texts,
        Err(fault) => {
            let what = fault.to_string();
            let what = what.strip_prefix("question '': ").unwrap_or(&what).to_owned();
            node.fault("default", format!("breaks the property's own rules: {what}"), faults);
        }
    }
}
