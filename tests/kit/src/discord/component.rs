//! The platform's rules about the components below a message: rows, buttons and selects. Selects of people, roles and channels are
//! not known here, nor is the newer layout of containers and sections.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::refusal::Wrongs;

/// Most rows below a message, and most buttons in a row.
const ROWS_MAX: usize = 5;
const ROW_MAX: usize = 5;
/// Longest texts, in characters.
pub(super) const CUSTOM_ID_MAX: usize = 100;
const LABEL_MAX: usize = 80;
const URL_MAX: usize = 512;
const PLACEHOLDER_MAX: usize = 150;
const OPTION_TEXT_MAX: usize = 100;
/// Most entries of a select.
const OPTIONS_MAX: usize = 25;

/// Numbers of kinds of components.
pub(super) const ROW: u64 = 1;
pub(super) const BUTTON: u64 = 2;
pub(super) const SELECT: u64 = 3;
/// The number of the style of a button that opens a link.
const LINK: u64 = 5;

/// Judges components, and what they share: their ids must differ.
#[derive(Debug, Default)]
pub(super) struct Judge {
    pub(super) wrongs: Wrongs,
    ids: BTreeSet<String>,
}

/// What a number field holds.
pub(super) fn number(value: &Value, field: &str) -> Option<u64> {
    value.get(field).and_then(Value::as_u64)
}

/// Whether a web address names a host that the platform takes for one: with a point in it.
fn has_domain(rest: &str) -> bool {
    let host = rest.trim_start_matches('/').split(['/', '?', '#']).next().unwrap_or_default();
    host.contains('.') || host.starts_with('[')
}

impl Judge {
    /// The rows of a message.
    pub(super) fn rows(&mut self, path: &str, rows: &Value) {
        let Some(rows) = rows.as_array() else {
            self.wrongs.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
            return;
        };
        self.wrongs.length(path, rows.len(), 0, ROWS_MAX);
        for (index, row) in rows.iter().enumerate() {
            let path = format!("{path}.{index}");
            if self.kind(&path, row, &[ROW]).is_some() {
                self.row(&path, row);
            }
        }
    }

    fn row(&mut self, path: &str, row: &Value) {
        self.known(path, row, &["type", "id", "components"]);
        let path = format!("{path}.components");
        let Some(inside) = row.get("components").and_then(Value::as_array) else {
            self.wrongs.missing(&path);
            return;
        };
        self.wrongs.length(&path, inside.len(), 1, ROW_MAX);
        let mut width = 0;
        for (index, component) in inside.iter().enumerate() {
            let path = format!("{path}.{index}");
            match self.kind(&path, component, &[BUTTON, SELECT]) {
                Some(BUTTON) => {
                    width += 1;
                    self.button(&path, component);
                }
                Some(_) => {
                    width += ROW_MAX;
                    self.select(&path, component, false);
                }
                None => {}
            }
            if width > ROW_MAX {
                let message = "The specified component exceeds the maximum width";
                self.wrongs.add(&path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message);
            }
        }
    }

    /// The kind of a component, if it is one of these.
    pub(super) fn kind(&mut self, path: &str, component: &Value, kinds: &[u64]) -> Option<u64> {
        let Some(fields) = component.as_object() else {
            let message = "Only dictionaries may be used in a DictType";
            self.wrongs.add(path, "DICT_TYPE_CONVERT", message);
            return None;
        };
        let type_path = format!("{path}.type");
        let Some(kind) = fields.get("type") else {
            self.wrongs.missing(&type_path);
            return None;
        };
        let kind = kind.as_u64().filter(|kind| kinds.contains(kind));
        if kind.is_none() {
            let kinds: Vec<String> = kinds.iter().map(u64::to_string).collect();
            let message = format!("Value of field \"type\" must be one of ({},).", kinds.join(", "));
            self.wrongs.add(path, "UNION_TYPE_CHOICES", message);
        }
        kind
    }

    fn button(&mut self, path: &str, button: &Value) {
        let fields = ["type", "id", "style", "label", "emoji", "custom_id", "url", "disabled"];
        self.known(path, button, &fields);
        let style = number(button, "style");
        match button.get("style") {
            None => self.wrongs.missing(&format!("{path}.style")),
            Some(_) if style.is_none_or(|style| !(1..=LINK).contains(&style)) => {
                self.wrongs.choice(&format!("{path}.style"), &[1, 2, 3, 4, 5, 6]);
            }
            Some(_) => {}
        }
        self.text(path, button, "label", (0, LABEL_MAX));
        let text = |field: &str| button.get(field).map(|value| value.as_str().map_or("there", str::trim));
        let is_empty = |field: &str| text(field).is_none_or(str::is_empty) || button[field].is_null();
        if is_empty("label") && is_empty("emoji") {
            self.wrongs.missing(&format!("{path}.label"));
        }
        if style == Some(LINK) {
            if !is_empty("custom_id") {
                let message = "A custom id and url cannot both be specified";
                self.wrongs.add(path, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message);
            }
            self.url(path, button);
        } else {
            if !is_empty("url") {
                let message = "A custom id and url cannot both be specified";
                self.wrongs.add(path, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message);
            }
            self.custom_id(path, button);
        }
    }

    fn url(&mut self, path: &str, button: &Value) {
        let path = format!("{path}.url");
        let Some(url) = button.get("url").and_then(Value::as_str) else { return self.wrongs.missing(&path) };
        self.wrongs.length(&path, url.chars().count(), 1, URL_MAX);
        let Some((scheme, rest)) = url.split_once(':') else {
            return self.wrongs.add(&path, "URL_TYPE_INVALID_URL", "Not a well formed URL.");
        };
        if !["http", "https", "discord"].contains(&scheme) {
            let message = format!(
                "Scheme \"{scheme}\" is not supported. Scheme must be one of ('http', 'https', 'discord')."
            );
            self.wrongs.add(&path, "URL_TYPE_INVALID_SCHEME", message);
        } else if !has_domain(rest) || url.contains(char::is_whitespace) {
            self.wrongs.add(&path, "URL_TYPE_INVALID_URL", "Not a well formed URL.");
        }
    }

    /// A select, below a message or in a form. Only below a message it may be `disabled`; `required` is passed over there.
    pub(super) fn select(&mut self, path: &str, select: &Value, in_form: bool) {
        let mut fields =
            vec!["type", "id", "custom_id", "options", "placeholder", "min_values", "max_values"];
        fields.push("required");
        fields.extend((!in_form).then_some("disabled"));
        self.known(path, select, &fields);
        self.custom_id(path, select);
        self.text(path, select, "placeholder", (0, PLACEHOLDER_MAX));
        let count = self.options(path, select, (1, OPTIONS_MAX));
        self.bounds(path, select, count, OPTIONS_MAX);
    }

    /// How few and how many may be taken of so many.
    pub(super) fn bounds(&mut self, path: &str, menu: &Value, count: usize, most: usize) {
        let bound = |field| menu.get(field).and_then(Value::as_i64);
        let ceiling = i64::try_from(most).unwrap_or(i64::MAX);
        let least = bound("min_values");
        if let Some(least) = least {
            self.wrongs.range(&format!("{path}.min_values"), least, 0, ceiling);
        }
        let Some(largest) = bound("max_values") else { return };
        let path = format!("{path}.max_values");
        self.wrongs.range(&path, largest, 1, ceiling);
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        if largest > count || least.is_some_and(|least| least > largest) {
            // The platform's words for these two were not read.
            let message = "The specified bounds do not fit the number of options";
            self.wrongs.add(&path, "COMPONENT_VALUES_OUT_OF_BOUNDS", message);
        }
    }

    /// The entries of a select or group; how many.
    pub(super) fn options(&mut self, path: &str, menu: &Value, (least, most): (usize, usize)) -> usize {
        let path = format!("{path}.options");
        let Some(options) = menu.get("options").and_then(Value::as_array) else {
            self.wrongs.missing(&path);
            return most;
        };
        self.wrongs.length(&path, options.len(), least, most);
        let mut values = BTreeSet::new();
        let mut defaults = 0;
        for (index, option) in options.iter().enumerate() {
            let path = format!("{path}.{index}");
            self.known(&path, option, &["label", "value", "description", "emoji", "default"]);
            for field in ["label", "value"] {
                self.needed(&path, option, field, (1, OPTION_TEXT_MAX));
            }
            self.text(&path, option, "description", (0, OPTION_TEXT_MAX));
            defaults += usize::from(option.get("default") == Some(&Value::Bool(true)));
            let value = option.get("value").and_then(Value::as_str).unwrap_or_default();
            if !values.insert(value) {
                let message = "The specified option value is already used";
                self.wrongs.add(
                    &format!("{path}.value"),
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    message,
                );
            }
        }
        let largest = number(menu, "max_values").unwrap_or(1);
        if usize::try_from(largest).is_ok_and(|largest| defaults > largest) {
            let message = "The specified number of default values exceeds the specified maximum values";
            self.wrongs.add(&path, "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", message);
        }
        options.len()
    }

    /// The id of a component, which no other has.
    pub(super) fn custom_id(&mut self, path: &str, component: &Value) {
        let path = format!("{path}.custom_id");
        let Some(id) = component.get("custom_id").and_then(Value::as_str).filter(|id| !id.is_empty()) else {
            return self.wrongs.add(&path, "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required");
        };
        self.wrongs.length(&path, id.chars().count(), 1, CUSTOM_ID_MAX);
        if !self.ids.insert(id.to_owned()) {
            let message = "Component custom id cannot be duplicated";
            self.wrongs.add(&path, "COMPONENT_CUSTOM_ID_DUPLICATED", message);
        }
    }

    /// A text that may be left out.
    pub(super) fn text(&mut self, path: &str, component: &Value, field: &str, (least, most): (usize, usize)) {
        let path = format!("{path}.{field}");
        match component.get(field) {
            None | Some(Value::Null) => {}
            // The space around a text does not count as one.
            Some(Value::String(text)) if text.trim().is_empty() => self.wrongs.length(&path, 0, least, most),
            Some(Value::String(text)) => self.wrongs.length(&path, text.chars().count(), least, most),
            Some(other) => {
                let message = format!("Could not interpret \"{other}\" as string.");
                self.wrongs.add(&path, "STRING_TYPE_CONVERT", message);
            }
        }
    }

    /// A text that must be there.
    pub(super) fn needed(&mut self, path: &str, component: &Value, field: &str, bounds: (usize, usize)) {
        match component.get(field) {
            None | Some(Value::Null) => self.wrongs.missing(&format!("{path}.{field}")),
            Some(_) => self.text(path, component, field, bounds),
        }
    }

    /// The platform passes over fields that it does not know; a test is to notice them.
    pub(super) fn known(&mut self, path: &str, value: &Value, fields: &[&str]) {
        let names = value.as_object().into_iter().flat_map(Map::keys);
        for name in names.filter(|name| !fields.contains(&name.as_str())) {
            self.wrongs.add(
                &format!("{path}.{name}"),
                "STAND_IN_UNKNOWN_FIELD",
                "The platform knows no such field here",
            );
        }
    }
}

/// Numbers components that have no number, row by row, as the platform does.
pub(super) fn numbered(components: &mut [Value], next: &mut u64) {
    for component in components {
        let Some(fields) = component.as_object_mut() else { continue };
        fields.entry("id").or_insert_with(|| (*next).into());
        *next += 1;
        if let Some(Value::Array(inside)) = fields.get_mut("components") {
            numbered(inside, next);
        }
        if let Some(inside) = fields.get_mut("component") {
            numbered(std::slice::from_mut(inside), next);
        }
    }
}
