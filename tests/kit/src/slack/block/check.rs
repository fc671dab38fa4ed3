//! What is wrong, in the platform's manner: words and where, as a JSON pointer.

use serde_json::Value;

/// Longest `block_id`, `action_id` and `callback_id`.
pub(super) const ID_MAX: usize = 255;

/// Everything that is wrong so far.
#[derive(Debug, Default)]
pub(super) struct Check {
    pub(super) errors: Vec<String>,
}

impl Check {
    pub(super) fn fail(&mut self, at: &str, words: impl std::fmt::Display) {
        self.errors.push(format!("[ERROR] {words} [json-pointer:{at}]"));
    }

    /// An object with these fields and no others. `type` may always be there.
    pub(super) fn keys(&mut self, at: &str, value: &Value, required: &[&str], optional: &[&str]) {
        let Some(fields) = value.as_object() else {
            return self.fail(at, "must provide an object");
        };
        for name in required {
            if !fields.contains_key(*name) {
                self.fail(at, format!("missing required field: {name}"));
            }
        }
        let is_known = |name: &str| name == "type" || required.contains(&name) || optional.contains(&name);
        for name in fields.keys().filter(|name| !is_known(name)) {
            self.fail(at, format!("no such field: {name}"));
        }
    }

    /// A text of so many characters, where the field is there.
    pub(super) fn string(&mut self, at: &str, value: &Value, name: &str, least: usize, most: usize) {
        let Some(text) = value.get(name) else { return };
        let at = format!("{at}/{name}");
        let Some(text) = text.as_str() else { return self.fail(&at, "must provide a string") };
        let length = text.chars().count();
        if length < least {
            self.fail(&at, format!("must be more than {} characters", least - 1));
        }
        if length > most {
            self.fail(&at, format!("must be less than {} characters", most + 1));
        }
    }

    /// Yes or no, where the fields are there.
    pub(super) fn flags(&mut self, at: &str, value: &Value, names: &[&str]) {
        for name in names {
            if value.get(*name).is_some_and(|flag| !flag.is_boolean()) {
                self.fail(&format!("{at}/{name}"), "must provide a boolean");
            }
        }
    }

    /// A whole number within bounds, where the field is there.
    pub(super) fn number(&mut self, at: &str, value: &Value, name: &str, least: u64, most: u64) {
        let Some(number) = value.get(name) else { return };
        if !number.as_u64().is_some_and(|number| (least..=most).contains(&number)) {
            self.fail(&format!("{at}/{name}"), format!("must be between {least} and {most}"));
        }
    }

    /// One of these words, where the field is there.
    pub(super) fn word(&mut self, at: &str, value: &Value, name: &str, words: &[&str]) {
        let Some(word) = value.get(name) else { return };
        if !word.as_str().is_some_and(|word| words.contains(&word)) {
            self.fail(&format!("{at}/{name}"), format!("must be one of {words:?}"));
        }
    }

    pub(super) fn at_most(&mut self, at: &str, count: usize, most: usize) {
        if count > most {
            self.fail(at, format!("no more than {most} items allowed"));
        }
    }

    pub(super) fn count(&mut self, at: &str, count: usize, least: usize, most: usize) {
        if count < least {
            self.fail(at, format!("must have at least {least} items"));
        }
        self.at_most(at, count, most);
    }
}
