//! Modals: opened as the first answer to a press, and answered themselves. What a modal needs to come back to its Prompt travels
//! in it. Opens nothing by itself.

use std::collections::HashMap;

use askrelay_core::prompt::Control;
use askrelay_core::prompt::shorten::shorten;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use slack_morphism::prelude::{
    SlackApiViewsOpenRequest, SlackBlock, SlackModalView, SlackView, SlackViewSubmissionErrorsResponse,
    SlackViewSubmissionResponse, SlackViewSubmissionUpdateResponse,
};

use super::controls::{field, words};
use super::words::Words;
use crate::limits::{LIMITS, TITLE};

/// What a form brings back beside its fields. In the modal itself, so that it outlives us.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Form {
    /// The form's token.
    #[serde(rename = "t")]
    pub(crate) token: String,
    /// The conversation of its Prompt.
    #[serde(rename = "c")]
    pub(crate) conversation: String,
    /// The `ts` of its Prompt.
    #[serde(rename = "m")]
    pub(crate) message: Option<String>,
}

const SUBMIT: &str = "Submit";
const CANCEL: &str = "Cancel";
const CLOSE: &str = "Close";

/// Opens a form with these fields, by the trigger of a press.
pub(crate) fn open(trigger: &str, form: &Form, title: &str, fields: &[Control]) -> SlackApiViewsOpenRequest {
    SlackApiViewsOpenRequest::new(trigger.into(), view(form, title, fields))
}

/// A form in place of the one that was sent.
pub(crate) fn replace(form: &Form, title: &str, fields: &[Control]) -> Value {
    update(view(form, title, fields))
}

/// Words in place of the form that was sent.
pub(crate) fn note(title: &str, text: &str) -> Value {
    let mut modal =
        SlackModalView::new(words(&shorten(title, LIMITS.unit, TITLE)), vec![Words::plain(text).block()]);
    modal.close = Some(words(CLOSE));
    update(SlackView::Modal(modal))
}

/// The form stays open, with what is wrong at its fields; what is wrong with no field of it stands at the first.
pub(crate) fn errors(wrong: &[(String, String)], fields: &[(String, String)]) -> Option<Value> {
    let (first, _) = fields.first()?;
    let mut errors = HashMap::<String, String>::new();
    for (token, what) in wrong {
        let is_there = fields.iter().any(|(field, _)| field == token);
        let said = errors.entry(if is_there { token } else { first }.clone()).or_default();
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(what);
    }
    let response = SlackViewSubmissionErrorsResponse::new(errors);
    serde_json::to_value(SlackViewSubmissionResponse::Errors(response)).ok()
}

/// The same in words, where there is no form (any more).
pub(crate) fn errors_in_words(wrong: &[(String, String)], fields: &[(String, String)]) -> String {
    let line = |(token, what): &(String, String)| match fields.iter().find(|(field, _)| field == token) {
        Some((_, label)) if !label.is_empty() => format!("{label}: {what}"),
        _ => what.clone(),
    };
    wrong.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn view(form: &Form, title: &str, fields: &[Control]) -> SlackView {
    let blocks: Vec<SlackBlock> = fields.iter().filter_map(field).collect();
    let mut modal = SlackModalView::new(words(&shorten(title, LIMITS.unit, TITLE)), blocks);
    modal.submit = Some(words(SUBMIT));
    modal.close = Some(words(CANCEL));
    // Strings always serialize.
    modal.private_metadata = Some(serde_json::to_string(form).unwrap_or_default());
    SlackView::Modal(modal)
}

fn update(view: SlackView) -> Value {
    let response = SlackViewSubmissionResponse::Update(SlackViewSubmissionUpdateResponse::new(view));
    // A view always serializes.
    serde_json::to_value(response).unwrap_or_default()
}
