//! Questions as a form that an MCP client shows by itself, and what comes back from it, checked again. Fields are named and shaped
//! as JustAskMe's, for clients of every revision: an enum has `enumNames`, and numbers of choices are `minItems` and `maxItems`.
//! Sends nothing.

use askrelay_core::ask::{Choice, Constraint, Format, Question};
use serde_json::{Map, Value, json};

use crate::human::MultiSelect;
use crate::tool::{NO, YES, may_take_nothing, offered};
pub use content::{Content, NotContent, read};

mod content;

/// What is added to a question's id for the field of own words, where a form has several questions.
const OTHER: &str = "_other";
/// What is added to a question's id for the field that takes several choices as text.
const TEXT: &str = "_text";
/// The field of own words, where a form has one question.
const FREE_TEXT: &str = "free_text";
/// Most characters of own words.
const WORDS_MAX: usize = 4000;

/// What a client is to show.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The words above it.
    pub message: String,
    /// Its fields: a flat object of JSON Schema.
    pub schema: Map<String, Value>,
}

/// The form of some questions. None: they cannot be put there, such as secrets.
#[must_use]
pub fn form(questions: &[Question], multi_select: MultiSelect) -> Option<Form> {
    if questions.is_empty() || questions.iter().any(|question| question.secret) {
        return None;
    }
    let mut properties = Map::new();
    let mut required = Vec::new();
    for question in questions {
        let name = field_name(question, multi_select);
        properties.insert(name.clone(), field(question, questions, multi_select));
        if let Some((name, field)) = other_field(question, questions) {
            properties.insert(name, field);
        } else if !question.multi_select {
            // A choice of too few is told better by us than by a client's own check.
            required.push(name);
        }
    }
    Some(Form { message: message(questions), schema: object(properties, &required) })
}

/// The second form of a question whose person chose to answer in own words.
fn words_form(question: &Question) -> Form {
    let mut message = question.text.clone();
    message.push_str("\n\nThe options were:");
    for (number, choice) in (1..).zip(&question.choices) {
        message.push_str(&format!("\n{number}. {}", described(choice)));
    }
    message.push_str("\n\nWrite your own answer, or what you want to know first.");
    let field = json!({
        "type": "string", "title": "Custom reply", "minLength": 1, "maxLength": WORDS_MAX,
        "description": "Your own answer, or a question of yours.",
    });
    Form { message, schema: object(Map::from_iter([(FREE_TEXT.to_owned(), field)]), &[FREE_TEXT.to_owned()]) }
}

fn object(properties: Map<String, Value>, required: &[String]) -> Map<String, Value> {
    match json!({ "type": "object", "properties": properties, "required": required }) {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

fn message(questions: &[Question]) -> String {
    let blocks = questions.iter().map(|question| {
        let mut lines = vec![question.text.clone()];
        if question.choices.iter().any(|choice| choice.description.is_some()) {
            lines.extend(
                (1..)
                    .zip(offered(question))
                    .map(|(number, choice)| format!("{number}. {}", described(choice))),
            );
        }
        lines.extend(question.placeholder.as_ref().map(|hint| format!("For example: {hint}")));
        if !question.default.is_empty() {
            lines.push(format!("Suggested: {}", question.default.join(", ")));
        }
        lines.extend(question.url.clone());
        lines.join("\n")
    });
    blocks.collect::<Vec<_>>().join("\n\n")
}

fn described(choice: &Choice) -> String {
    match &choice.description {
        Some(description) => format!("{} — {description}", choice.label),
        None => choice.label.clone(),
    }
}

fn labels(question: &Question) -> Vec<&str> {
    offered(question).iter().map(|choice| choice.label.as_str()).collect()
}

fn has_other(question: &Question) -> bool {
    question.other && !question.choices.is_empty()
}

/// Whether own words have a second form: where there is one choice to be made, the form has an entry for them.
fn has_second_form(question: &Question, questions: &[Question]) -> bool {
    questions.len() == 1 && has_other(question) && !question.multi_select
}

/// The entry that stands for own words; never one of the question's own labels.
fn words_entry(question: &Question) -> String {
    let is_taken = |entry: &str| {
        question.choices.iter().any(|choice| choice.label.trim().to_lowercase() == entry.to_lowercase())
    };
    let others = (2..).map(|number| format!("Custom reply ({number})"));
    let mut entries = std::iter::once("Custom reply".to_owned()).chain(others);
    entries.find(|entry| !is_taken(entry)).unwrap_or_default()
}

fn is_confirm(question: &Question) -> bool {
    let labels: Vec<&str> = question.choices.iter().map(|choice| choice.label.as_str()).collect();
    labels == [YES, NO] && !question.other && !question.multi_select
}

fn field_name(question: &Question, multi_select: MultiSelect) -> String {
    match multi_select {
        MultiSelect::Text if question.multi_select => format!("{}{TEXT}", question.id),
        _ => question.id.to_string(),
    }
}

/// The field of own words beside the choices.
fn other_field(question: &Question, questions: &[Question]) -> Option<(String, Value)> {
    if !has_other(question) || has_second_form(question, questions) {
        return None;
    }
    let name = if questions.len() == 1 { FREE_TEXT.to_owned() } else { format!("{}{OTHER}", question.id) };
    let what = if question.multi_select { "as one more answer" } else { "instead of a choice" };
    let title =
        if question.header.is_empty() { "Other".to_owned() } else { format!("{}: other", question.header) };
    let field = json!({
        "type": "string", "title": title, "maxLength": WORDS_MAX, "description": format!("Own words, {what} above."),
    });
    Some((name, field))
}

fn field(question: &Question, questions: &[Question], multi_select: MultiSelect) -> Value {
    let title = if question.header.is_empty() { &question.text } else { &question.header };
    let mut field = json!({ "title": title, "description": question.text });
    let labels = labels(question);
    let default = question.default.first();
    if is_confirm(question) {
        field["type"] = json!("boolean");
        if let Some(default) = default {
            field["default"] = json!(default == YES);
        }
    } else if question.multi_select && multi_select == MultiSelect::Text {
        field["type"] = json!("string");
        let list = labels.join(", ");
        field["description"] =
            json!(format!("{}\nOne or more of these, with commas between: {list}", question.text));
    } else if question.multi_select {
        several(&mut field, question, &labels);
    } else if !labels.is_empty() {
        let mut entries: Vec<String> = labels.into_iter().map(str::to_owned).collect();
        if has_second_form(question, questions) {
            entries.push(words_entry(question));
        }
        field["type"] = json!("string");
        field["enum"] = json!(entries);
        field["enumNames"] = json!(entries);
        if let Some(default) = default {
            field["default"] = json!(default);
        }
    } else {
        own_words(&mut field, question);
    }
    field
}

fn several(field: &mut Value, question: &Question, labels: &[&str]) {
    field["type"] = json!("array");
    field["items"] = json!({ "type": "string", "enum": labels });
    let least = if may_take_nothing(question) { Some(0) } else { question.min };
    // Own words in the field beside it count as one of the answers.
    if let Some(least) = least.filter(|_| !has_other(question)) {
        field["minItems"] = json!(least);
    }
    if let Some(most) = question.max {
        field["maxItems"] = json!(most);
    }
    if !question.default.is_empty() {
        field["default"] = json!(question.default);
    }
}

fn own_words(field: &mut Value, question: &Question) {
    constrain(field, question.constraint.as_ref());
    let default = question.default.first().and_then(|default| match field["type"].as_str() {
        Some("integer") => default.parse::<i64>().ok().map(Value::from),
        Some("number") => default.parse::<f64>().ok().map(Value::from),
        _ => Some(Value::from(default.as_str())),
    });
    if let Some(default) = default {
        field["default"] = default;
    }
    if let Some(placeholder) = &question.placeholder {
        field["description"] = json!(format!("{} ({placeholder})", question.text));
    }
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

#[cfg(test)]
mod tests;
