//! The objects of which blocks and elements are made: texts, options, confirmations.

use serde_json::Value;

use super::check::Check;

/// Longest text of an option, its description, and its value. For values the platform's own words differ, 75 and 150.
const OPTION_MAX: usize = 75;

/// A text without markup.
pub(super) fn plain(check: &mut Check, at: &str, value: &Value, most: usize) {
    if value["type"] != "plain_text" {
        check.fail(&format!("{at}/type"), "must be plain_text");
    }
    text(check, at, value, most);
}

/// A text with markup or without.
pub(super) fn text(check: &mut Check, at: &str, value: &Value, most: usize) {
    match value["type"].as_str() {
        Some("plain_text") => {
            check.keys(at, value, &["text"], &["emoji"]);
            check.flags(at, value, &["emoji"]);
        }
        Some("mrkdwn") => {
            check.keys(at, value, &["text"], &["verbatim"]);
            check.flags(at, value, &["verbatim"]);
        }
        _ => check.fail(&format!("{at}/type"), "unsupported type of text"),
    }
    check.string(at, value, "text", 1, most);
}

/// The question before something is done.
pub(super) fn confirm(check: &mut Check, at: &str, value: &Value) {
    check.keys(at, value, &["title", "text", "confirm", "deny"], &["style"]);
    plain(check, &format!("{at}/title"), &value["title"], 100);
    text(check, &format!("{at}/text"), &value["text"], 300);
    plain(check, &format!("{at}/confirm"), &value["confirm"], 30);
    plain(check, &format!("{at}/deny"), &value["deny"], 30);
    check.word(at, value, "style", &["primary", "danger"]);
}

/// What an element's entries may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entries {
    pub(super) most: usize,
    /// Their texts may have markup.
    pub(super) marked: bool,
    /// They may stand in groups.
    pub(super) grouped: bool,
    /// They may lead to addresses.
    pub(super) linked: bool,
}

/// The entries of an element, in groups or not; all of them.
pub(super) fn options(check: &mut Check, at: &str, element: &Value, entries: Entries) -> Vec<Value> {
    let groups = element.get("option_groups").filter(|_| entries.grouped).and_then(Value::as_array);
    let mut all = Vec::new();
    match (element.get("options").and_then(Value::as_array), groups) {
        (Some(options), None) => {
            check.count(&format!("{at}/options"), options.len(), 1, entries.most);
            for (index, option) in options.iter().enumerate() {
                self::option(check, &format!("{at}/options/{index}"), option, entries);
            }
            all.extend(options.iter().cloned());
        }
        (None, Some(groups)) => {
            check.count(&format!("{at}/option_groups"), groups.len(), 1, 100);
            for (index, group) in groups.iter().enumerate() {
                let at = format!("{at}/option_groups/{index}");
                check.keys(&at, group, &["label", "options"], &[]);
                plain(check, &format!("{at}/label"), &group["label"], OPTION_MAX);
                all.extend(options(check, &at, group, Entries { grouped: false, ..entries }));
            }
        }
        _ => check.fail(at, "must have options or option_groups, and not both"),
    }
    let mut values: Vec<&str> = all.iter().filter_map(|option| option["value"].as_str()).collect();
    values.sort_unstable();
    if values.windows(2).any(|pair| matches!(pair, [one, other] if one == other)) {
        check.fail(&format!("{at}/options"), "values must be unique");
    }
    all
}

fn option(check: &mut Check, at: &str, option: &Value, entries: Entries) {
    let judge = if entries.marked { text } else { plain };
    let optional: &[&str] = if entries.linked { &["description", "url"] } else { &["description"] };
    check.keys(at, option, &["text", "value"], optional);
    judge(check, &format!("{at}/text"), &option["text"], OPTION_MAX);
    if let Some(description) = option.get("description") {
        judge(check, &format!("{at}/description"), description, OPTION_MAX);
    }
    check.string(at, option, "value", 1, OPTION_MAX);
    check.string(at, option, "url", 1, 3000);
}

/// What is taken from the beginning must be one of the entries, whole and once.
pub(super) fn initial(check: &mut Check, at: &str, element: &Value, options: &[Value]) {
    if let Some(option) = element.get("initial_option")
        && !options.contains(option)
    {
        check.fail(&format!("{at}/initial_option"), "must match one of the options");
    }
    let Some(initial) = element.get("initial_options") else { return };
    let at = format!("{at}/initial_options");
    let Some(initial) = initial.as_array() else { return check.fail(&at, "must provide an array") };
    let most = element.get("max_selected_items").and_then(Value::as_u64).unwrap_or(100);
    check.count(&at, initial.len(), 1, usize::try_from(most).unwrap_or(100));
    for (index, option) in initial.iter().enumerate() {
        let before = initial.get(..index).unwrap_or_default();
        if !options.contains(option) || before.contains(option) {
            check.fail(&at, "must match the options, each once");
        }
    }
}
