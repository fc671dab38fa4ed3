//! Questions as a form that an MCP client shows by itself, and what comes back from it, checked again. Sends nothing.

use askrelay_core::answer::{Answers, canonical};
use askrelay_core::ask::{Constraint, Format, Question};
use askrelay_core::id::QuestionId;
use askrelay_core::reply::{is_blank, trim};
use serde_json::{Map, Value, json};

use crate::human::MultiSelect;
use crate::tool::{NO, YES};

/// What is added to a question's id for the field of own words beside its choices.
const OTHER: &str = "_other";

/// Why what came back is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotContent(String);

/// The words above the form.
#[must_use]
pub fn message(questions: &[Question]) -> String {
    let mut lines = Vec::new();
    for question in questions {
        lines.push(question.text.clone());
        for choice in &question.choices {
            if let Some(description) = &choice.description {
                lines.push(format!("- {}: {description}", choice.label));
            }
        }
        lines.extend(question.url.clone());
    }
    lines.join("\n")
}

/// The schema of the form, flat as MCP asks for. None: these questions cannot be put there, such as secrets.
#[must_use]
pub fn schema(questions: &[Question], multi_select: MultiSelect) -> Option<Map<String, Value>> {
    if questions.iter().any(|question| question.secret) {
        return None;
    }
    let mut properties = Map::new();
    let mut required = Vec::new();
    for question in questions {
        let id = question.id.as_str();
        properties.insert(id.to_owned(), field(question, multi_select));
        if has_other(question) {
            let other = json!({
                "type": "string", "title": "Other", "maxLength": 2000,
                "description": "Own words, instead of or beside what is above.",
            });
            properties.insert(format!("{id}{OTHER}"), other);
        } else {
            required.push(Value::from(id));
        }
    }
    Some(match json!({ "type": "object", "properties": properties, "required": required }) {
        Value::Object(schema) => schema,
        _ => Map::new(),
    })
}

fn has_other(question: &Question) -> bool {
    question.other && !question.choices.is_empty()
}

fn is_confirm(question: &Question) -> bool {
    let labels: Vec<&str> = question.choices.iter().map(|choice| choice.label.as_str()).collect();
    labels == [YES, NO] && !question.other && !question.multi_select
}

fn field(question: &Question, multi_select: MultiSelect) -> Value {
    let title = if question.header.is_empty() { &question.text } else { &question.header };
    let mut field = json!({ "title": title, "description": question.text });
    let labels: Vec<&str> = question.choices.iter().map(|choice| choice.label.as_str()).collect();
    let default = question.default.first();
    if is_confirm(question) {
        field["type"] = json!("boolean");
        if let Some(default) = default {
            field["default"] = json!(default == YES);
        }
    } else if question.multi_select && multi_select == MultiSelect::Text {
        field["type"] = json!("string");
        field["description"] = json!(format!(
            "{}\nOne or more of these, with commas between: {}",
            question.text,
            labels.join(", ")
        ));
    } else if question.multi_select {
        field["type"] = json!("array");
        field["items"] = json!({ "type": "string", "enum": labels });
        if !has_other(question) {
            field["minItems"] = json!(question.min.unwrap_or(1));
        }
        if let Some(most) = question.max {
            field["maxItems"] = json!(most);
        }
        if !question.default.is_empty() {
            field["default"] = json!(question.default);
        }
    } else if !labels.is_empty() {
        field["type"] = json!("string");
        let titled =
            |choice: &askrelay_core::ask::Choice| json!({ "const": choice.label, "title": choice.label });
        field["oneOf"] = question.choices.iter().map(titled).collect();
        if let Some(default) = default {
            field["default"] = json!(default);
        }
    } else {
        constrain(&mut field, question.constraint.as_ref());
        if let Some(default) = default
            && field["type"] == "string"
        {
            field["default"] = json!(default);
        }
        if let Some(placeholder) = &question.placeholder {
            field["description"] = json!(format!("{} ({placeholder})", question.text));
        }
    }
    field
}

fn constrain(field: &mut Value, constraint: Option<&Constraint>) {
    field["type"] = json!("string");
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            field[name] = value;
        }
    };
    match constraint {
        Some(Constraint::Text { min_length, max_length, format }) => {
            put("minLength", min_length.map(Value::from));
            put("maxLength", max_length.map(Value::from));
            let format = format.map(|format| match format {
                Format::Email => "email",
                Format::Uri => "uri",
                Format::Date => "date",
                Format::DateTime => "date-time",
            });
            put("format", format.map(Value::from));
        }
        Some(Constraint::Integer { minimum, maximum }) => {
            put("type", Some(json!("integer")));
            put("minimum", minimum.map(Value::from));
            put("maximum", maximum.map(Value::from));
        }
        Some(Constraint::Number { minimum, maximum }) => {
            put("type", Some(json!("number")));
            put("minimum", minimum.map(Value::from));
            put("maximum", maximum.map(Value::from));
        }
        Some(Constraint::OneOf { values }) => put("enum", Some(json!(values))),
        // What leaves a field out is a word, so that any text must be possible.
        Some(Constraint::Or { .. }) | None => {}
    }
}

/// The answers that a form's content gives. Whatever the client checked is checked again.
///
/// # Errors
/// What is wrong with it, in words.
pub fn answers(
    questions: &[Question],
    content: &Map<String, Value>,
    multi_select: MultiSelect,
) -> Result<Answers, NotContent> {
    let mut given = Answers::default();
    for name in content.keys() {
        let known = |question: &Question| {
            let id = question.id.as_str();
            name == id || (has_other(question) && name.strip_suffix(OTHER) == Some(id))
        };
        if !questions.iter().any(known) {
            return Err(NotContent(format!("there is no field '{name}'")));
        }
    }
    for question in questions {
        let mut values = values(question, content.get(question.id.as_str()), multi_select)?;
        let other = content.get(&format!("{}{OTHER}", question.id)).and_then(Value::as_str);
        if let Some(words) = other.filter(|words| has_other(question) && !is_blank(words)) {
            // Own words win over a choice that a form may have filled in by itself.
            if !question.multi_select {
                values.clear();
            }
            values.push(trim(words).to_owned());
        }
        given.0.insert(question.id.clone(), values);
    }
    canonical(questions, &given).map_err(|fault| NotContent(fault.to_string()))
}

fn values(
    question: &Question,
    value: Option<&Value>,
    multi_select: MultiSelect,
) -> Result<Vec<String>, NotContent> {
    let wrong = |id: &QuestionId| NotContent(format!("field '{id}' has a value of another kind"));
    match value {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Bool(yes)) if is_confirm(question) => Ok(vec![if *yes { YES } else { NO }.to_owned()]),
        Some(Value::String(text)) if question.multi_select => Ok(match multi_select {
            MultiSelect::Text => named(question, text),
            MultiSelect::Array => vec![text.clone()],
        }),
        Some(Value::String(text)) if text.is_empty() && has_other(question) => Ok(Vec::new()),
        Some(Value::String(text)) => Ok(vec![text.clone()]),
        Some(Value::Number(number)) if question.choices.is_empty() => Ok(vec![number.to_string()]),
        Some(Value::Array(list)) if question.multi_select => list
            .iter()
            .map(|each| each.as_str().map(str::to_owned).ok_or_else(|| wrong(&question.id)))
            .collect(),
        Some(_) => Err(wrong(&question.id)),
    }
}

/// The labels that one line of text names; what names none stays as it is, and is refused later.
fn named(question: &Question, text: &str) -> Vec<String> {
    let parts = text.split([',', ';', '\n']).map(trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let same = |label: &str| label.to_lowercase() == part.to_lowercase();
            let label = question.choices.iter().find(|choice| same(trim(&choice.label)));
            label.map_or_else(|| part.to_owned(), |choice| choice.label.clone())
        })
        .collect()
}

#[cfg(test)]
mod tests;
