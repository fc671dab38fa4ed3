//! The elements inside blocks: buttons, menus, inputs, pictures; and which of them may stand where.

use serde_json::Value;

use super::check::{Check, ID_MAX};
use super::object::{self, Entries};

/// Longest words on a button.
const BUTTON_MAX: usize = 75;
/// Longest hint in an empty control.
const PLACEHOLDER_MAX: usize = 150;
/// Longest text that can be typed.
const INPUT_MAX: usize = 3000;

/// Elements that choose among the platform's own things; a bot that asks people has little use for them.
const PICKERS: [&str; 5] =
    ["users_select", "conversations_select", "channels_select", "datepicker", "timepicker"];
/// What may be added to pickers.
const PICKER_FIELDS: [&str; 10] = [
    "placeholder",
    "confirm",
    "focus_on_load",
    "initial_user",
    "initial_conversation",
    "default_to_current_conversation",
    "initial_channel",
    "initial_date",
    "initial_time",
    "timezone",
];

/// Where an element stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Accessory,
    Actions,
    Input,
}

impl Part {
    fn takes(self, kind: &str) -> bool {
        let all = ["static_select", "multi_static_select", "radio_buttons", "checkboxes"].contains(&kind);
        let own: &[&str] = match self {
            Self::Accessory => &["button", "overflow", "image"],
            Self::Actions => &["button", "overflow"],
            Self::Input => &["plain_text_input", "number_input", "email_text_input", "url_text_input"],
        };
        all || PICKERS.contains(&kind) || own.contains(&kind)
    }
}

/// One element.
pub(super) fn element(check: &mut Check, at: &str, element: &Value, part: Part) {
    let kind = element["type"].as_str().unwrap_or_default();
    if !part.takes(kind) {
        return check.fail(&format!("{at}/type"), format!("unsupported type: {kind}"));
    }
    check.string(at, element, "action_id", 1, ID_MAX);
    if let Some(placeholder) = element.get("placeholder") {
        object::plain(check, &format!("{at}/placeholder"), placeholder, PLACEHOLDER_MAX);
    }
    if let Some(confirm) = element.get("confirm") {
        object::confirm(check, &format!("{at}/confirm"), confirm);
    }
    check.flags(at, element, &["focus_on_load"]);
    match kind {
        "button" => button(check, at, element),
        "overflow" => {
            check.keys(at, element, &["options"], &["action_id", "confirm"]);
            object::options(
                check,
                at,
                element,
                Entries { most: 5, marked: false, grouped: false, linked: true },
            );
        }
        "image" => {
            check.keys(at, element, &["image_url", "alt_text"], &[]);
            check.string(at, element, "image_url", 1, 3000);
            check.string(at, element, "alt_text", 1, 2000);
        }
        "static_select" => menu(check, at, element, "initial_option", &["placeholder", "option_groups"]),
        "multi_static_select" => {
            let more = ["placeholder", "option_groups", "max_selected_items"];
            menu(check, at, element, "initial_options", &more);
            check.number(at, element, "max_selected_items", 1, 100);
        }
        "radio_buttons" => menu(check, at, element, "initial_option", &[]),
        "checkboxes" => menu(check, at, element, "initial_options", &[]),
        _ if PICKERS.contains(&kind) => {
            let fields = [PICKER_FIELDS.as_slice(), &["action_id"]].concat();
            check.keys(at, element, &[], &fields);
        }
        _ => input(check, at, element, kind),
    }
}

fn button(check: &mut Check, at: &str, element: &Value) {
    let optional = ["action_id", "value", "url", "style", "confirm", "accessibility_label"];
    check.keys(at, element, &["text"], &optional);
    object::plain(check, &format!("{at}/text"), &element["text"], BUTTON_MAX);
    check.string(at, element, "value", 0, 2000);
    check.string(at, element, "url", 1, 3000);
    check.string(at, element, "accessibility_label", 1, 75);
    check.word(at, element, "style", &["primary", "danger"]);
    let is_address =
        |url: &str| ["http://", "https://", "mailto:", "slack://"].iter().any(|s| url.starts_with(s));
    if element["url"].as_str().is_some_and(|url| !is_address(url)) {
        check.fail(&format!("{at}/url"), "must be a valid URL");
    }
}

/// Menus, radio buttons and checkboxes.
fn menu(check: &mut Check, at: &str, element: &Value, initial: &str, more: &[&str]) {
    let is_list = more.is_empty();
    let fields = [&["options", "action_id", "confirm", "focus_on_load", initial], more].concat();
    check.keys(at, element, &[], &fields);
    let most = if is_list { 10 } else { 100 };
    let entries = Entries { most, marked: is_list, grouped: !is_list, linked: false };
    let options = object::options(check, at, element, entries);
    object::initial(check, at, element, &options);
}

fn input(check: &mut Check, at: &str, element: &Value, kind: &str) {
    let common = ["action_id", "placeholder", "initial_value", "dispatch_action_config", "focus_on_load"];
    match kind {
        "plain_text_input" => {
            let fields = [common.as_slice(), &["multiline", "min_length", "max_length"]].concat();
            check.keys(at, element, &[], &fields);
            check.flags(at, element, &["multiline"]);
            check.number(at, element, "min_length", 0, INPUT_MAX as u64);
            check.number(at, element, "max_length", 1, INPUT_MAX as u64);
            if let (Some(least), Some(most)) =
                (element["min_length"].as_u64(), element["max_length"].as_u64())
                && least > most
            {
                check.fail(at, "min_length must not be more than max_length");
            }
        }
        "number_input" => {
            let fields = [common.as_slice(), &["min_value", "max_value"]].concat();
            check.keys(at, element, &["is_decimal_allowed"], &fields);
            check.flags(at, element, &["is_decimal_allowed"]);
            for name in ["min_value", "max_value", "initial_value"] {
                let number =
                    element.get(name).map(|text| text.as_str().and_then(|text| text.parse::<f64>().ok()));
                if number == Some(None) {
                    check.fail(&format!("{at}/{name}"), "must be a number as a string");
                }
            }
        }
        _ => check.keys(at, element, &[], &common),
    }
    check.string(at, element, "initial_value", 0, INPUT_MAX);
    if let Some(config) = element.get("dispatch_action_config") {
        check.keys(&format!("{at}/dispatch_action_config"), config, &["trigger_actions_on"], &[]);
    }
}
