//! Fills templates such as `{{E0.candidates}}` in JSON from a context object, strictly: what is not there is a fault, and nothing is
//! computed. Knows no tool.

use askrelay_core::ask::Fault;
use serde_json::{Map, Value};

/// The value with its templates filled in. A text that is one whole template becomes the value itself, of whatever type; inside
/// other text a value is written as text. `path` is where the value lies.
pub fn rendered(value: &Value, context: &Map<String, Value>, path: &str, faults: &mut Vec<Fault>) -> Value {
    match value {
        Value::String(text) => text_rendered(text, context, path, faults),
        Value::Array(list) => {
            let each = list.iter().enumerate();
            each.map(|(at, value)| rendered(value, context, &format!("{path}/{at}"), faults)).collect()
        }
        Value::Object(members) => {
            let each = members.iter();
            each.map(|(name, value)| {
                (name.clone(), rendered(value, context, &format!("{path}/{name}"), faults))
            })
            .collect()
        }
        other => other.clone(),
    }
}

fn text_rendered(text: &str, context: &Map<String, Value>, path: &str, faults: &mut Vec<Fault>) -> Value {
    let whole = text.trim();
    if let Some(name) = whole.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"))
        && !name.contains("{{")
        && !name.contains("}}")
    {
        return found(name, context, path, faults).cloned().unwrap_or(Value::Null);
    }
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let Some((name, behind)) = after.split_once("}}") else {
            faults.push(Fault { path: path.to_owned(), what: "has {{ without }}".to_owned() });
            return Value::String(filled);
        };
        if let Some(value) = found(name, context, path, faults) {
            filled.push_str(&written(value));
        }
        rest = behind;
    }
    filled.push_str(rest);
    Value::String(filled)
}

/// The value at a dotted path, such as `E0.candidates.1.name`.
fn found<'a>(
    name: &str,
    context: &'a Map<String, Value>,
    path: &str,
    faults: &mut Vec<Fault>,
) -> Option<&'a Value> {
    let name = name.trim();
    let mut fault = |what: String| {
        faults.push(Fault { path: path.to_owned(), what });
        None
    };
    let mut steps = name.split('.').map(str::trim);
    let Some(first) = steps.next().filter(|first| !first.is_empty()) else {
        return fault("has an empty template".to_owned());
    };
    let Some(mut value) = context.get(first) else {
        let known: Vec<&str> = context.keys().map(String::as_str).collect();
        let known = if known.is_empty() { "nothing".to_owned() } else { known.join(", ") };
        return fault(format!("{{{{{name}}}}}: the context has no '{first}'; it has {known}"));
    };
    for step in steps {
        let next = match value {
            Value::Object(members) => members.get(step),
            Value::Array(list) => step.parse::<usize>().ok().and_then(|at| list.get(at)),
            _ => None,
        };
        match next {
            Some(next) => value = next,
            None => return fault(format!("{{{{{name}}}}}: there is no '{step}'")),
        }
    }
    Some(value)
}

/// A value inside other text.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
