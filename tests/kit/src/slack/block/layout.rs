//! The blocks themselves: which there are, what they hold, and that no two have one name.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Surface;
use super::check::{Check, ID_MAX};
use super::element::{Part, element};
use super::object;
use super::rich;

/// Longest text of a section, and of anything else that is read.
const TEXT_MAX: usize = 3000;
/// Longest label and hint of an input, and longest field of a section.
const LABEL_MAX: usize = 2000;
/// Longest header.
const HEADER_MAX: usize = 150;
/// Longest text in the platform's other way of markup.
const MARKDOWN_MAX: usize = 12_000;

/// All blocks of a message or modal.
pub(super) fn blocks(check: &mut Check, blocks: &[Value], surface: Surface) {
    let base = if surface == Surface::Modal { "/view/blocks" } else { "/blocks" };
    let mut names = BTreeSet::new();
    for (index, one) in blocks.iter().enumerate() {
        let at = format!("{base}/{index}");
        check.string(&at, one, "block_id", 1, ID_MAX);
        if one["block_id"].as_str().is_some_and(|name| !names.insert(name)) {
            check.fail(&format!("{at}/block_id"), "block_id already exists");
        }
        block(check, &at, one, surface);
        one_action_each(check, &at, one);
    }
}

fn block(check: &mut Check, at: &str, block: &Value, surface: Surface) {
    match block["type"].as_str().unwrap_or_default() {
        "section" => section(check, at, block),
        "header" => {
            check.keys(at, block, &["text"], &["block_id"]);
            object::plain(check, &format!("{at}/text"), &block["text"], HEADER_MAX);
        }
        "divider" => check.keys(at, block, &[], &["block_id"]),
        "context" => {
            check.keys(at, block, &["elements"], &["block_id"]);
            for (at, part) in items(check, at, block, "elements", 10) {
                match part["type"].as_str() {
                    Some("image") => element(check, &at, &part, Part::Accessory),
                    _ => object::text(check, &at, &part, TEXT_MAX),
                }
            }
        }
        "actions" => {
            check.keys(at, block, &["elements"], &["block_id"]);
            for (at, part) in items(check, at, block, "elements", 25) {
                element(check, &at, &part, Part::Actions);
            }
        }
        "input" => input(check, at, block),
        "rich_text" => rich::block(check, at, block),
        "image" => {
            check.keys(at, block, &["image_url", "alt_text"], &["block_id", "title"]);
            check.string(at, block, "image_url", 1, 3000);
            check.string(at, block, "alt_text", 1, LABEL_MAX);
            if let Some(title) = block.get("title") {
                object::plain(check, &format!("{at}/title"), title, LABEL_MAX);
            }
        }
        "markdown" if surface == Surface::Message => {
            check.keys(at, block, &["text"], &["block_id"]);
            check.string(at, block, "text", 1, MARKDOWN_MAX);
        }
        kind => check.fail(&format!("{at}/type"), format!("unsupported type: {kind}")),
    }
}

fn section(check: &mut Check, at: &str, block: &Value) {
    check.keys(at, block, &[], &["block_id", "text", "fields", "accessory", "expand"]);
    check.flags(at, block, &["expand"]);
    if block.get("text").is_none() && block.get("fields").is_none() {
        check.fail(at, "missing required field: text or fields");
    }
    if let Some(text) = block.get("text") {
        object::text(check, &format!("{at}/text"), text, TEXT_MAX);
    }
    if block.get("fields").is_some() {
        for (at, field) in items(check, at, block, "fields", 10) {
            object::text(check, &at, &field, LABEL_MAX);
        }
    }
    if let Some(accessory) = block.get("accessory") {
        element(check, &format!("{at}/accessory"), accessory, Part::Accessory);
    }
}

fn input(check: &mut Check, at: &str, block: &Value) {
    let optional = ["block_id", "hint", "optional", "dispatch_action"];
    check.keys(at, block, &["label", "element"], &optional);
    check.flags(at, block, &["optional", "dispatch_action"]);
    object::plain(check, &format!("{at}/label"), &block["label"], LABEL_MAX);
    if let Some(hint) = block.get("hint") {
        object::plain(check, &format!("{at}/hint"), hint, LABEL_MAX);
    }
    element(check, &format!("{at}/element"), &block["element"], Part::Input);
}

/// What is in a list of a block, each with where it is.
fn items(check: &mut Check, at: &str, block: &Value, name: &str, most: usize) -> Vec<(String, Value)> {
    let list = block.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let at = format!("{at}/{name}");
    check.count(&at, list.len(), 1, most);
    list.into_iter().enumerate().map(|(index, item)| (format!("{at}/{index}"), item)).collect()
}

/// No two elements of a block have one name.
fn one_action_each(check: &mut Check, at: &str, block: &Value) {
    let elements = block.get("elements").and_then(Value::as_array);
    let mut names = BTreeSet::new();
    for element in elements.into_iter().flatten() {
        if element["action_id"].as_str().is_some_and(|name| !names.insert(name)) {
            check.fail(&format!("{at}/elements"), "action_id already exists");
        }
    }
}
