//! Rich text: what is read, and how it looks, said piece by piece. Nothing in it is markup.

use serde_json::Value;

use super::check::Check;

/// A block of rich text, as far as a bot that asks people needs it: sections of text, links and users.
pub(super) fn block(check: &mut Check, at: &str, block: &Value) {
    check.keys(at, block, &["elements"], &["block_id"]);
    for (at, section) in items(check, at, block) {
        if section["type"] != "rich_text_section" {
            check.fail(&format!("{at}/type"), "unsupported type of rich text");
            continue;
        }
        check.keys(&at, &section, &["elements"], &[]);
        for (at, piece) in items(check, &at, &section) {
            self::piece(check, &at, &piece);
        }
    }
}

fn piece(check: &mut Check, at: &str, piece: &Value) {
    match piece["type"].as_str().unwrap_or_default() {
        "text" => check.keys(at, piece, &["text"], &["style"]),
        "link" => check.keys(at, piece, &["url"], &["text", "style", "unsafe"]),
        "user" => check.keys(at, piece, &["user_id"], &["style"]),
        kind => check.fail(&format!("{at}/type"), format!("unsupported type: {kind}")),
    }
    check.string(at, piece, "text", 1, usize::MAX);
    check.string(at, piece, "url", 1, 3000);
    if let Some(style) = piece.get("style") {
        let looks = ["bold", "italic", "strike", "code"];
        let at = format!("{at}/style");
        check.keys(&at, style, &[], &looks);
        check.flags(&at, style, &looks);
    }
}

fn items(check: &mut Check, at: &str, value: &Value) -> Vec<(String, Value)> {
    let at = format!("{at}/elements");
    let list = value.get("elements").and_then(Value::as_array).cloned().unwrap_or_default();
    check.count(&at, list.len(), 1, usize::MAX);
    list.into_iter().enumerate().map(|(index, item)| (format!("{at}/{index}"), item)).collect()
}
