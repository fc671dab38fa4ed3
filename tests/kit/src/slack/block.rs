//! Blocks of messages and modals: judged, and completed with what the platform fills in. Numbers: the platform's reference and
//! its published types, of 2026-08; where the two differ, the stricter. It judges more strictly than the platform in one thing:
//! a field that is not known here is refused.

mod check;
mod element;
mod layout;
mod object;
mod rich;

use serde_json::{Value, json};

use super::refusal::Refusal;
use check::Check;

/// Most blocks in a message.
const MESSAGE_BLOCKS_MAX: usize = 50;
/// Most characters in all texts of a message's blocks together. Undocumented: people measured refusals from 13,172 on.
const MESSAGE_TEXT_MAX: usize = 13_000;
/// Most blocks in a modal.
const VIEW_BLOCKS_MAX: usize = 100;
/// Largest view, in bytes.
const VIEW_MAX_BYTES: usize = 250_000;
/// Longest title, and longest words on the buttons of a modal.
const VIEW_WORDS_MAX: usize = 24;
/// Longest text that an app keeps in a view.
const METADATA_MAX: usize = 3000;

/// Where blocks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Surface {
    Message,
    Modal,
}

/// The blocks of a message as the platform keeps them, or why it does not take them.
pub(super) fn message(blocks: &[Value], fresh: impl FnMut() -> String) -> Result<Vec<Value>, Refusal> {
    let mut check = Check::default();
    check.at_most("/blocks", blocks.len(), MESSAGE_BLOCKS_MAX);
    layout::blocks(&mut check, blocks, Surface::Message);
    if !check.errors.is_empty() {
        return Err(Refusal::explained("invalid_blocks", check.errors));
    }
    if blocks.iter().map(text_length).sum::<usize>() > MESSAGE_TEXT_MAX {
        return Err(Refusal::new("msg_blocks_too_long"));
    }
    Ok(complete(blocks, fresh))
}

fn text_length(value: &Value) -> usize {
    match value {
        Value::Object(fields) => {
            let own = fields.get("text").and_then(Value::as_str).map_or(0, |text| text.chars().count());
            own + fields.values().map(text_length).sum::<usize>()
        }
        Value::Array(items) => items.iter().map(text_length).sum(),
        _ => 0,
    }
}

/// A modal as the platform keeps it, or why it does not take it.
pub(super) fn view(view: &Value, fresh: impl FnMut() -> String) -> Result<Value, Refusal> {
    if view.to_string().len() > VIEW_MAX_BYTES {
        return Err(Refusal::new("view_too_large"));
    }
    let mut check = Check::default();
    let blocks = judge_view(&mut check, view);
    if !check.errors.is_empty() {
        return Err(Refusal::explained("invalid_arguments", check.errors));
    }
    let mut view = view.clone();
    if let Some(view) = view.as_object_mut() {
        view.insert("blocks".to_owned(), complete(&blocks, fresh).into());
    }
    Ok(view)
}

fn judge_view(check: &mut Check, view: &Value) -> Vec<Value> {
    let optional = [
        "submit",
        "close",
        "private_metadata",
        "callback_id",
        "clear_on_close",
        "notify_on_close",
        "external_id",
        "submit_disabled",
    ];
    check.keys("/view", view, &["type", "title", "blocks"], &optional);
    if view["type"] != "modal" {
        check.fail("/view/type", "unsupported type");
    }
    for name in ["title", "submit", "close"] {
        if let Some(words) = view.get(name) {
            object::plain(check, &format!("/view/{name}"), words, VIEW_WORDS_MAX);
        }
    }
    check.string("/view", view, "private_metadata", 0, METADATA_MAX);
    check.string("/view", view, "callback_id", 0, check::ID_MAX);
    check.string("/view", view, "external_id", 0, check::ID_MAX);
    check.flags("/view", view, &["clear_on_close", "notify_on_close", "submit_disabled"]);
    let blocks = view.get("blocks").and_then(Value::as_array).cloned().unwrap_or_default();
    check.count("/view/blocks", blocks.len(), 1, VIEW_BLOCKS_MAX);
    layout::blocks(check, &blocks, Surface::Modal);
    if blocks.iter().any(|block| block["type"] == "input") && view.get("submit").is_none() {
        check.fail("/view", "a submit is required where there is an input");
    }
    blocks
}

/// Gives every block and control an id that has none, and every text the flags that it would have anyway.
fn complete(blocks: &[Value], mut fresh: impl FnMut() -> String) -> Vec<Value> {
    let mut blocks = blocks.to_vec();
    for block in &mut blocks {
        if let Some(block) = block.as_object_mut() {
            block.entry("block_id").or_insert_with(|| fresh().into());
            for part in ["accessory", "element"] {
                block.get_mut(part).into_iter().for_each(|element| name(element, &mut fresh));
            }
            if block.get("type").and_then(Value::as_str) == Some("actions") {
                let elements = block.get_mut("elements").and_then(Value::as_array_mut);
                elements.into_iter().flatten().for_each(|element| name(element, &mut fresh));
            }
        }
        flag(block);
    }
    blocks
}

fn name(element: &mut Value, fresh: &mut impl FnMut() -> String) {
    let is_image = element.get("type") == Some(&json!("image"));
    if let Some(element) = element.as_object_mut().filter(|_| !is_image) {
        element.entry("action_id").or_insert_with(|| fresh().into());
    }
}

fn flag(value: &mut Value) {
    match value {
        Value::Object(fields) => match fields.get("type").and_then(Value::as_str) {
            Some("plain_text") => _ = fields.entry("emoji").or_insert(Value::Bool(true)),
            Some("mrkdwn") => _ = fields.entry("verbatim").or_insert(Value::Bool(false)),
            _ => fields.values_mut().for_each(flag),
        },
        Value::Array(items) => items.iter_mut().for_each(flag),
        _ => {}
    }
}
