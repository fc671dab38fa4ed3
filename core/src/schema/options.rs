//! The values of an enum and the labels people choose them by: every label unique and not blank, every value exact. Asks
//! nothing and fits nothing to a surface.

use serde_json::Value;
use std::collections::{HashMap, HashSet};

use super::LEAVE_OUT;
use super::node::Node;
use crate::ask::{Choice, Fault};
use crate::reply::{is_blank, trim};
use unicode_normalization::UnicodeNormalization;

/// Values by label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Options(Vec<Entry>);

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    /// Where it stands in the schema's list.
    index: usize,
    label: String,
    description: Option<String>,
    value: Value,
}

impl Options {
    /// Yes and no.
    pub(super) fn boolean() -> Self {
        let entry = |index, label: &str, value: bool| Entry {
            index,
            label: label.to_owned(),
            description: None,
            value: value.into(),
        };
        Self(vec![entry(0, "Yes", true), entry(1, "No", false)])
    }

    /// The enum of this node; nothing when it has none.
    pub(super) fn of(node: &Node<'_>, faults: &mut Vec<Fault>) -> Option<Self> {
        let keywords: Vec<&str> =
            ["enum", "oneOf", "anyOf"].into_iter().filter(|keyword| node.raw(keyword).is_some()).collect();
        let keyword = *keywords.first()?;
        if keywords.len() > 1 {
            node.fault_here(format!("has more than one of {}", keywords.join(", ")), faults);
        }
        let Some(Value::Array(listed)) = node.raw(keyword) else {
            node.fault(keyword, "must be a list", faults);
            return None;
        };
        if listed.is_empty() {
            node.fault(keyword, "must have at least one value", faults);
        }
        let entries = match keyword {
            "enum" => plain(node, listed, faults),
            _ => titled(node, keyword, listed, faults),
        };
        let mut seen = HashSet::new();
        for entry in &entries {
            if !seen.insert(entry.value.as_str().unwrap_or_default()) {
                node.fault(&format!("{keyword}/{}", entry.index), "repeats a value", faults);
            }
        }
        Some(Self(distinct(entries)))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The exact value behind a label.
    pub(super) fn value(&self, label: &str) -> Option<Value> {
        self.0.iter().find(|entry| entry.label == label).map(|entry| entry.value.clone())
    }

    /// The label of a value.
    pub(super) fn label(&self, value: &Value) -> Option<&str> {
        self.0.iter().find(|entry| entry.value == *value).map(|entry| entry.label.as_str())
    }

    pub(super) fn labels(&self) -> Vec<String> {
        self.0.iter().map(|entry| entry.label.clone()).collect()
    }

    pub(super) fn choices(&self) -> Vec<Choice> {
        let choice =
            |entry: &Entry| Choice { description: entry.description.clone(), ..Choice::new(&entry.label) };
        self.0.iter().map(choice).collect()
    }

    /// The words for no value, which are no label here.
    pub(super) fn leave_out(&self) -> String {
        let taken: HashSet<String> = self.0.iter().map(|entry| entry.label.to_lowercase()).collect();
        let mut words = LEAVE_OUT.to_owned();
        while taken.contains(&words.to_lowercase()) {
            words.push('!');
        }
        words
    }
}

fn plain(node: &Node<'_>, listed: &[Value], faults: &mut Vec<Fault>) -> Vec<Entry> {
    let names = match node.raw("enumNames") {
        None => Vec::new(),
        Some(Value::Array(names)) if names.len() == listed.len() && names.iter().all(Value::is_string) => {
            names.iter().filter_map(Value::as_str).collect()
        }
        Some(_) => {
            node.fault("enumNames", "must be a list of strings, as long as enum", faults);
            Vec::new()
        }
    };
    let mut entries = Vec::new();
    for (index, value) in listed.iter().enumerate() {
        let Some(text) = value.as_str() else {
            node.fault(&format!("enum/{index}"), "must be a string", faults);
            continue;
        };
        let label = names.get(index).copied().unwrap_or(text).trim().to_owned();
        entries.push(Entry { index, label, description: None, value: value.clone() });
    }
    entries
}

fn titled(node: &Node<'_>, keyword: &str, listed: &[Value], faults: &mut Vec<Fault>) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (index, option) in listed.iter().enumerate() {
        let Some(text) = option.get("const").and_then(Value::as_str) else {
            node.fault(&format!("{keyword}/{index}"), "must be an object with a string \"const\"", faults);
            continue;
        };
        let words = |name: &str| option.get(name).and_then(Value::as_str);
        for name in ["title", "description"] {
            if option.get(name).is_some_and(|value| !value.is_string()) {
                node.fault(&format!("{keyword}/{index}/{name}"), "must be a string", faults);
            }
        }
        entries.push(Entry {
            index,
            label: words("title").unwrap_or(text).trim().to_owned(),
            description: words("description").map(str::to_owned),
            value: Value::from(text),
        });
    }
    entries
}

/// What a label looks like, whatever is invisible at its ends and however its accents are coded.
fn looks(label: &str) -> String {
    trim(label).nfc().collect()
}

/// The entries with labels that are unique and not blank: a title that several share is followed by its value.
fn distinct(mut entries: Vec<Entry>) -> Vec<Entry> {
    let mut uses: HashMap<String, usize> = HashMap::new();
    for entry in &entries {
        *uses.entry(looks(&entry.label)).or_default() += 1;
    }
    let unclear: Vec<bool> = entries
        .iter()
        .map(|entry| is_blank(&entry.label) || uses.get(&looks(&entry.label)) != Some(&1))
        .collect();
    for (entry, _) in entries.iter_mut().zip(&unclear).filter(|(_, unclear)| **unclear) {
        entry.label = format!("{} ({})", entry.label, entry.value).trim().to_owned();
    }
    let mut seen = HashSet::new();
    for entry in &mut entries {
        while !seen.insert(looks(&entry.label)) {
            entry.label.push('\'');
        }
    }
    entries
}
