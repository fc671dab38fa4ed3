//! The platform's rules about texts, entities and reply markup, with its words. Numbers: Bot API 10.1 of 2026-06 and the public
//! source of its server; what only the community measured is marked so.

use serde_json::Value;

use super::link;
use super::refusal::Refusal;

/// Longest text in code points.
const TEXT_MAX: usize = 4096;
/// Longest text before entities are looked at, in bytes.
const RAW_MAX_BYTES: usize = 32_768;
/// Largest payload of a button, in bytes.
const DATA_MAX_BYTES: usize = 64;
/// Most buttons of an inline keyboard; measured by the community.
const BUTTONS_MAX: usize = 100;
/// Most buttons in a row; measured by the community.
const ROW_MAX: usize = 8;
/// Largest markup in bytes; measured by the community.
const MARKUP_MAX_BYTES: usize = 10_240;
/// Largest offset or length of an entity.
const SPAN_MAX: i64 = 1_000_000;
/// Longest hint in an input, in characters.
const PLACEHOLDER_MAX: usize = 64;

/// Entities that a bot may send.
const ENTITY_KINDS: [&str; 12] = [
    "bold",
    "italic",
    "underline",
    "strikethrough",
    "spoiler",
    "code",
    "pre",
    "text_link",
    "text_mention",
    "custom_emoji",
    "blockquote",
    "expandable_blockquote",
];
/// Entities that the platform finds by itself; sent ones are dropped.
const FOUND_KINDS: [&str; 8] =
    ["mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bank_card_number"];
/// The fields that make a button do something.
const ACTIONS: [&str; 10] = [
    "url",
    "callback_data",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
];

/// What is wrong with a text, if anything. `too_long` are the words for a long one: sending and editing differ in them.
pub(super) fn text(text: &str, too_long: &str) -> Result<(), Refusal> {
    if text.is_empty() {
        return Err(Refusal::bad("message text is empty"));
    }
    if text.len() > RAW_MAX_BYTES {
        return Err(Refusal::bad("text is too long"));
    }
    if text.trim().is_empty() {
        return Err(Refusal::bad("text must be non-empty"));
    }
    if text.chars().count() > TEXT_MAX {
        return Err(Refusal::bad(too_long));
    }
    Ok(())
}

/// The entities that stay, in their order.
pub(super) fn entities(text: &str, value: Option<Value>) -> Result<Vec<Value>, Refusal> {
    let Some(Value::Array(list)) = value else { return Ok(Vec::new()) };
    let mut kept = Vec::new();
    for entity in list {
        let kind =
            entity_kind(&entity).map_err(|why| Refusal::bad(format!("can't parse MessageEntity: {why}")))?;
        if FOUND_KINDS.contains(&kind) {
            continue;
        }
        span(text, &entity)?;
        if let Some(url) = entity.get("url").and_then(Value::as_str) {
            let invalid = |why| Refusal::bad(format!("entity URL '{url}' is invalid: {why}"));
            link::check(url).map_err(invalid)?;
        }
        if number(&entity, "length") != Some(0) {
            kept.push(entity);
        }
    }
    kept.sort_by_key(|entity| (number(entity, "offset"), -number(entity, "length").unwrap_or(0)));
    Ok(kept)
}

fn entity_kind(entity: &Value) -> Result<&str, String> {
    if !entity.is_object() {
        return Err("expected an Object".to_owned());
    }
    for field in ["offset", "length"] {
        number(entity, field).ok_or_else(|| format!("Can't find field \"{field}\""))?;
    }
    let kind = entity.get("type").and_then(Value::as_str).ok_or("Can't find field \"type\"")?;
    let needed = match kind {
        "text_link" => Some("url"),
        "text_mention" => Some("user"),
        "custom_emoji" => Some("custom_emoji_id"),
        _ => None,
    };
    match needed {
        Some(field) if entity.get(field).is_none() => Err(format!("Can't find field \"{field}\"")),
        _ if ENTITY_KINDS.contains(&kind) || FOUND_KINDS.contains(&kind) => Ok(kind),
        _ => Err("Unsupported type specified".to_owned()),
    }
}

fn number(entity: &Value, field: &str) -> Option<i64> {
    entity.get(field).and_then(Value::as_i64)
}

/// The entity covers whole characters inside the text. Offsets are UTF-16 code units.
fn span(text: &str, entity: &Value) -> Result<(), Refusal> {
    let (offset, length) = (number(entity, "offset").unwrap_or(-1), number(entity, "length").unwrap_or(-1));
    for (what, value) in [("offset", offset), ("length", length)] {
        if !(0..=SPAN_MAX).contains(&value) {
            return Err(Refusal::bad(format!("receive an entity with incorrect {what} {value}")));
        }
    }
    // The library drops what covers nothing before it looks where that would be.
    if length == 0 {
        return Ok(());
    }
    let end = offset + length;
    let size = i64::try_from(text.encode_utf16().count()).unwrap_or(i64::MAX);
    let beyond = "after the end of the text at UTF-16 offset";
    if offset > size {
        return Err(Refusal::bad(format!("entity begins {beyond} {offset}")));
    }
    if let Some(byte) = inside(text, offset) {
        return Err(Refusal::bad(format!(
            "entity begins in a middle of a UTF-16 symbol at byte offset {byte}"
        )));
    }
    if end > size {
        return Err(Refusal::bad(format!("entity beginning at UTF-16 offset {offset} ends {beyond} {end}")));
    }
    if let Some(byte) = inside(text, end) {
        let words = "ends in a middle of a UTF-16 symbol at byte offset";
        return Err(Refusal::bad(format!("entity beginning at UTF-16 offset {offset} {words} {byte}")));
    }
    Ok(())
}

/// The byte after the character in whose middle this offset lies.
fn inside(text: &str, offset: i64) -> Option<usize> {
    let mut units = 0;
    for (byte, character) in text.char_indices() {
        let next = units + if character.len_utf16() == 2 { 2 } else { 1 };
        if units < offset && offset < next {
            return Some(byte + character.len_utf8());
        }
        units = next;
    }
    None
}

/// What a message carries below it.
#[derive(Debug, Default)]
pub(super) struct Markup {
    pub(super) keyboard: Option<Value>,
    pub(super) force_reply: Option<Value>,
}

/// Reads a reply markup. Channels, and edits, take inline keyboards only.
pub(super) fn markup(value: Result<Option<Value>, ()>, only_inline: bool) -> Result<Markup, Refusal> {
    let Some(value) = value.map_err(|()| Refusal::bad("can't parse reply keyboard markup JSON object"))?
    else {
        return Ok(Markup::default());
    };
    let Some(fields) = value.as_object() else {
        return Err(Refusal::bad("object expected as reply markup"));
    };
    if value.to_string().len() > MARKUP_MAX_BYTES {
        return Err(Refusal::bad("reply markup is too long"));
    }
    let is_inline = fields.contains_key("inline_keyboard");
    let is_force = fields.get("force_reply") == Some(&Value::Bool(true));
    let is_remove = fields.get("remove_keyboard") == Some(&Value::Bool(true));
    // The platform takes the first it knows of several; nobody means that, so it is refused here.
    if [is_inline, is_force, is_remove, fields.contains_key("keyboard")].iter().filter(|is| **is).count() > 1
    {
        return Err(Refusal::bad("REPLY_MARKUP_INVALID"));
    }
    if is_inline {
        let any = keyboard(fields.get("inline_keyboard"))?;
        return Ok(Markup { keyboard: any.then_some(value), force_reply: None });
    }
    if only_inline {
        return Err(Refusal::bad("inline keyboard expected"));
    }
    if is_force {
        placeholder(fields.get("input_field_placeholder"))?;
        return Ok(Markup { keyboard: None, force_reply: Some(value) });
    }
    Ok(Markup::default())
}

/// The documented limit; the platform's words for it are not known.
fn placeholder(value: Option<&Value>) -> Result<(), Refusal> {
    let Some(value) = value else { return Ok(()) };
    let length = value.as_str().map_or(0, |text| text.chars().count());
    if (1..=PLACEHOLDER_MAX).contains(&length) { Ok(()) } else { Err(Refusal::bad("REPLY_MARKUP_INVALID")) }
}

/// Whether the keyboard has any button.
fn keyboard(rows: Option<&Value>) -> Result<bool, Refusal> {
    let wrong =
        || Refusal::bad("field \"inline_keyboard\" of the InlineKeyboardMarkup must be an Array of Arrays");
    let rows = rows.and_then(Value::as_array).ok_or_else(wrong)?;
    let mut count = 0;
    for row in rows {
        let row = row.as_array().ok_or_else(wrong)?;
        count += row.len();
        if row.len() > ROW_MAX || count > BUTTONS_MAX {
            return Err(Refusal::bad("reply markup is too long"));
        }
        for button in row {
            self::button(button)?;
        }
    }
    Ok(count > 0)
}

fn button(button: &Value) -> Result<(), Refusal> {
    let parse = |why: &str| Refusal::bad(format!("can't parse inline keyboard button: {why}"));
    let fields = button.as_object().ok_or_else(|| parse("InlineKeyboardButton must be an Object"))?;
    let label =
        fields.get("text").and_then(Value::as_str).ok_or_else(|| parse("Can't find field \"text\""))?;
    if label.trim().is_empty() {
        return Err(Refusal::bad("inline keyboard button text must be non-empty"));
    }
    let set = |name: &&&str| fields.get(**name).is_some_and(|value| value.as_str() != Some(""));
    match ACTIONS.iter().filter(set).count() {
        0 => return Err(parse("Text buttons are unallowed in the inline keyboard")),
        1 => {}
        // Documented as forbidden; the platform takes the first it knows.
        _ => return Err(Refusal::bad("BUTTON_TYPE_INVALID")),
    }
    if let Some(data) = fields.get("callback_data").and_then(Value::as_str)
        && data.len() > DATA_MAX_BYTES
    {
        return Err(Refusal::bad("BUTTON_DATA_INVALID"));
    }
    if let Some(url) = fields.get("url").and_then(Value::as_str) {
        let invalid = |why| Refusal::bad(format!("inline keyboard button URL '{url}' is invalid: {why}"));
        link::check(url).map_err(invalid)?;
    }
    Ok(())
}
