//! Reads `--default`: values as JSON, for the one question or by question id. Whether they are an answer is the contract's
//! to say.

use std::collections::BTreeMap;

use askrelay_core::ask::Question;
use askrelay_core::id::QuestionId;
use askrelay_core::schema::Form;
use serde_json::Value;

/// The values by question.
///
/// # Errors
/// What would be right.
pub(super) fn parse(json: &str, questions: &[Question]) -> Result<BTreeMap<QuestionId, Vec<String>>, String> {
    let value: Value = serde_json::from_str(json).map_err(|_| {
        format!(
            "expected JSON, such as '\"Staging\"' or '[\"Logs\", \"Traces\"]' with its quotes, got '{json}'"
        )
    })?;
    match (value, questions) {
        (Value::Object(members), _) => members
            .into_iter()
            .map(|(id, value)| {
                let question = questions.iter().find(|question| question.id.as_str() == id);
                let question = question.ok_or_else(|| format!("no question has the id '{id}'"))?;
                Ok((question.id.clone(), values(value, question)?))
            })
            .collect(),
        (value, [question]) => Ok([(question.id.clone(), values(value, question)?)].into()),
        _ => Err("expected an object with a value for every question id".to_owned()),
    }
}

/// The values of an ask that a schema made, from an object of that schema.
///
/// # Errors
/// What would be right.
pub(super) fn typed(json: &str, form: &Form) -> Result<BTreeMap<QuestionId, Vec<String>>, String> {
    match serde_json::from_str(json) {
        Ok(Value::Object(object)) => {
            form.answers(&object).map(|answers| answers.0).map_err(|wrong| wrong.to_string())
        }
        _ => Err("expected a JSON object as the schema describes it".to_owned()),
    }
}

fn values(value: Value, question: &Question) -> Result<Vec<String>, String> {
    match value {
        Value::Array(items) => items.into_iter().map(|item| scalar(item, question)).collect(),
        one => Ok(vec![scalar(one, question)?]),
    }
}

fn scalar(value: Value, question: &Question) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(yes) => {
            let word = if yes { "Yes" } else { "No" };
            let declared = question.choices.iter().any(|choice| choice.label == word);
            Ok(if declared { word.to_owned() } else { yes.to_string() })
        }
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err(format!("expected a text, a number, true or false for '{}', or a list of them", question.id))
        }
    }
}
