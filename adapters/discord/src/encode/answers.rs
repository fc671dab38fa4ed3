//! Answers to interactions: silence, a note that one person sees, a form. In JSON of our own, since serenity has no labelled
//! fields; sends nothing.

use askrelay_core::limits::Unit;
use askrelay_core::prompt::Control;
use askrelay_core::prompt::shorten::shorten;
use serde::Serialize;
use serde_json::{Value, json};

use super::{controls, words};
use crate::error::EncodeError;
use crate::limits::{FIELD_LABEL, LIMITS, PLACEHOLDER, TITLE, VALUE};

/// Kinds of answers and components (D/interactions/receiving-and-responding, D/components/reference).
const NOTE: u8 = 4;
const SILENCE: u8 = 6;
const FORM: u8 = 9;
const TEXT_INPUT: u8 = 4;
const LABEL: u8 = 18;
const PARAGRAPH: u8 = 2;

/// Stands where a form or a field has no name.
const NAMELESS: &str = "Answer";

/// Only one person sees it. No address in it has a preview, since none is read as one.
const PRIVATE: u8 = 64;

/// Received; nothing is shown.
pub(crate) fn silence() -> Value {
    json!({ "type": SILENCE })
}

/// A note that only whoever pressed sees, as the first answer; silence where it says nothing.
pub(crate) fn note(text: &str) -> Value {
    if text.trim().is_empty() {
        return silence();
    }
    json!({ "type": NOTE, "data": private(text) })
}

/// The same as what follows the first answer.
pub(crate) fn private(text: &str) -> Value {
    let text = words::short(text, LIMITS.message);
    json!({ "content": text, "flags": PRIVATE, "allowed_mentions": { "parse": [] } })
}

/// A form, which only the first answer can open.
pub(crate) fn form(token: &str, title: &str, fields: &[Control]) -> Result<Value, EncodeError> {
    let fields = fields.iter().map(field).collect::<Result<Vec<Field>, EncodeError>>()?;
    if fields.is_empty() {
        return Err(EncodeError::Empty);
    }
    controls::check(token)?;
    let title = shorten(shown(title), Unit::CodePoints, TITLE);
    Ok(json!({ "type": FORM, "data": { "custom_id": token, "title": title, "components": fields } }))
}

/// The platform takes no title and no label in which nothing is to be seen.
fn shown(text: &str) -> &str {
    if text.trim().is_empty() { NAMELESS } else { text }
}

#[derive(Serialize)]
struct Field {
    #[serde(rename = "type")]
    kind: u8,
    label: String,
    component: Value,
}

fn field(control: &Control) -> Result<Field, EncodeError> {
    let (label, component) = match control {
        Control::Input { label, token, placeholder, value, required } => {
            controls::check(token)?;
            let hint = placeholder.as_deref().filter(|hint| !hint.trim().is_empty());
            let value = value.as_deref().filter(|value| Unit::CodePoints.measure(value) <= VALUE);
            let mut input = json!({
                "type": TEXT_INPUT,
                "custom_id": token,
                "style": PARAGRAPH,
                "required": required,
                "max_length": VALUE,
            });
            if let Some(hint) = hint {
                input["placeholder"] = json!(shorten(hint, Unit::CodePoints, PLACEHOLDER));
            }
            if let Some(value) = value {
                input["value"] = json!(value);
            }
            (label.as_str(), input)
        }
        Control::Menu { label, placeholder, min, .. } => {
            let mut menu = serde_json::to_value(controls::menu(control)?).unwrap_or_default();
            menu["required"] = json!(*min > 0);
            (label.as_deref().unwrap_or(placeholder), menu)
        }
        Control::Button { .. } | Control::Link { .. } => return Err(EncodeError::Button),
    };
    Ok(Field {
        kind: LABEL,
        label: shorten(shown(label), Unit::CodePoints, FIELD_LABEL).into_owned(),
        component,
    })
}
