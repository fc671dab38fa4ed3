//! Fills templates such as `{{E0.candidates}}` in JSON from a context object, in graph's dialect and strictly: what is not there is a
//! fault. A text that is one whole template becomes the value itself, of whatever type; inside other text a value is written as text.
//! Computes nothing, and knows no tool.

use askrelay_core::ask::Fault;
use serde_json::{Map, Value};

use crate::pointer::at;
use fill::Fill;

mod fill;
mod parts;

/// The value with its templates filled in. `path` is where the value lies.
pub fn rendered(value: &Value, context: &Map<String, Value>, path: &str, faults: &mut Vec<Fault>) -> Value {
    rendered_within(value, &mut Fill::new(context), path, faults)
}

fn rendered_within(value: &Value, fill: &mut Fill<'_>, path: &str, faults: &mut Vec<Fault>) -> Value {
    match value {
        Value::String(text) => fill.value(text).unwrap_or_else(|wrong| {
            faults.extend(wrong.into_iter().map(|what| Fault { path: path.to_owned(), what }));
            Value::Null
        }),
        Value::Array(list) => {
            let each = list.iter().enumerate();
            each.map(|(index, value)| rendered_within(value, fill, &format!("{path}/{index}"), faults))
                .collect()
        }
        Value::Object(members) => {
            let each = members.iter();
            each.map(|(name, value)| (name.clone(), rendered_within(value, fill, &at(path, name), faults)))
                .collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests;
