//! Reads the members of one JSON object, one by one, and notes every fault with its place. Knows no tool.

use askrelay_core::ask::Fault;
use askrelay_core::reply::{is_blank, trim};
use serde_json::{Map, Value};

use crate::pointer::at;
use crate::wanted::{OnCancel, Wanted};

/// One object being read, with where it lies.
pub(super) struct Arguments<'a> {
    object: &'a Map<String, Value>,
    path: String,
    faults: &'a mut Vec<Fault>,
}

/// What becomes of members that a contract does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// Each is a fault.
    Refused,
    /// They are passed over, as JustAskMe passes them over.
    Ignored,
}

impl<'a> Arguments<'a> {
    /// The arguments of a call that asks, which takes a key beside `known`.
    pub(super) fn of_call(
        object: &'a Map<String, Value>,
        known: &[&str],
        unknown: Unknown,
        faults: &'a mut Vec<Fault>,
    ) -> Self {
        let mut all: Vec<&str> = known.to_vec();
        all.extend(["idempotency_key", "on_cancel"]);
        Self::within(object, String::new(), &all, unknown, faults)
    }

    /// An object inside the arguments.
    pub(super) fn within(
        object: &'a Map<String, Value>,
        path: String,
        known: &[&str],
        unknown: Unknown,
        faults: &'a mut Vec<Fault>,
    ) -> Self {
        for name in
            object.keys().filter(|name| unknown == Unknown::Refused && !known.contains(&name.as_str()))
        {
            let what = format!("is not known; known are {}", known.join(", "));
            faults.push(Fault { path: at(&path, name), what });
        }
        Self { object, path, faults }
    }

    pub(super) fn fault(&mut self, name: &str, what: &str) {
        self.faults.push(Fault { path: format!("{}/{name}", self.path), what: what.to_owned() });
    }

    /// A member that may be absent; null counts as absent.
    pub(super) fn any(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    /// Text of 1 to `most` code points after trimming.
    pub(super) fn text(&mut self, name: &str, most: usize) -> Option<&'a str> {
        let value = self.any(name)?;
        let Some(text) = value.as_str() else {
            self.fault(name, &format!("must be text, is {}", kind(value)));
            return None;
        };
        let text = trim(text);
        if is_blank(text) {
            self.fault(name, "must not be blank");
        } else if text.chars().count() > most {
            self.fault(name, &format!("must have at most {most} characters, has {}", text.chars().count()));
        } else {
            return Some(text);
        }
        None
    }

    /// Text that may be blank, and then counts as absent.
    pub(super) fn text_or_blank(&mut self, name: &str, most: usize) -> Option<String> {
        let blank = self.any(name).and_then(Value::as_str).is_some_and(is_blank);
        if blank { None } else { self.text(name, most).map(str::to_owned) }
    }

    /// Text that must be there.
    pub(super) fn required(&mut self, name: &str, most: usize) -> Option<&'a str> {
        if self.any(name).is_none() {
            self.fault(name, "is missing");
            return None;
        }
        self.text(name, most)
    }

    pub(super) fn boolean(&mut self, name: &str) -> Option<bool> {
        let value = self.any(name)?;
        if value.as_bool().is_none() {
            self.fault(name, &format!("must be true or false, is {}", kind(value)));
        }
        value.as_bool()
    }

    /// A whole number, `3.0` counting as one.
    pub(super) fn integer(&mut self, name: &str) -> Option<i64> {
        let value = self.any(name)?;
        #[expect(clippy::cast_possible_truncation, reason = "a number without a fraction, and bounds follow")]
        let whole = value.as_i64().or_else(|| value.as_f64().filter(|n| n.fract() == 0.0).map(|n| n as i64));
        if whole.is_none() {
            self.fault(name, &format!("must be a whole number, is {}", kind(value)));
        }
        whole
    }

    /// A whole number between two others.
    pub(super) fn within_bounds(&mut self, name: &str, least: i64, most: i64) -> Option<i64> {
        let number = self.integer(name)?;
        if (least..=most).contains(&number) {
            return Some(number);
        }
        self.fault(name, &format!("must be {least} to {most}, is {number}"));
        None
    }

    /// One of some words.
    pub(super) fn one_of(&mut self, name: &str, words: &[&str]) -> Option<usize> {
        let value = self.any(name)?;
        let at = value.as_str().and_then(|text| words.iter().position(|word| *word == text));
        if at.is_none() {
            self.fault(name, &format!("must be one of {}", words.join(", ")));
        }
        at
    }

    /// The objects of a list of `least` to `most`, each with its place. Whatever is no object is a fault.
    pub(super) fn objects(
        &mut self,
        name: &str,
        least: usize,
        most: usize,
    ) -> Vec<(String, &'a Map<String, Value>)> {
        let Some(value) = self.any(name) else {
            self.fault(name, "is missing");
            return Vec::new();
        };
        let Some(list) = value.as_array() else {
            self.fault(name, &format!("must be a list, is {}", kind(value)));
            return Vec::new();
        };
        if !(least..=most).contains(&list.len()) {
            self.fault(name, &format!("must have {least} to {most} entries, has {}", list.len()));
        }
        let mut objects = Vec::new();
        for (at, each) in list.iter().enumerate().take(most) {
            match each.as_object() {
                Some(object) => objects.push((format!("{}/{name}/{at}", self.path), object)),
                None => self.fault(&format!("{name}/{at}"), &format!("must be an object, is {}", kind(each))),
            }
        }
        objects
    }

    /// The faults, for what lies deeper.
    pub(super) fn faults(&mut self) -> &mut Vec<Fault> {
        self.faults
    }

    /// What every asking tool takes beside its own.
    pub(super) fn common(&mut self, wanted: &mut Wanted) {
        wanted.key = self.text("idempotency_key", 200).map(str::to_owned);
        if self.one_of("on_cancel", &["keep", "withdraw"]) == Some(1) {
            wanted.on_cancel = OnCancel::Withdraw;
        }
    }
}

/// What kind of value it is, for people.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
