//! Puts values into the parts of a text. What a path of the context names must be there; what an entry of a list may lack is nothing.
//! All the work of one call is bounded, since a short text can ask for any amount of it.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::parts::{Part, Path, parts, whole};

/// How much one call may write and visit, in bytes and parts.
const WORK_MAX: usize = 1 << 20;

/// One call's filling in.
pub(super) struct Fill<'c> {
    context: &'c Map<String, Value>,
    /// The entries of the sections around, the innermost last.
    scopes: Vec<&'c Value>,
    /// Where the lists around stand, the innermost last: entries before, and entries.
    lists: Vec<(usize, usize)>,
    work_left: usize,
}

/// The work is used up: nothing more is filled in.
struct TooMuch;

impl<'c> Fill<'c> {
    pub(super) const fn new(context: &'c Map<String, Value>) -> Self {
        Self { context, scopes: Vec::new(), lists: Vec::new(), work_left: WORK_MAX }
    }

    /// What a text becomes.
    ///
    /// # Errors
    /// Everything that is wrong, each once.
    pub(super) fn value(&mut self, text: &str) -> Result<Value, Vec<String>> {
        let too_much =
            |_| vec![format!("becomes too long: all templates together may make {WORK_MAX} bytes")];
        self.work(text.len()).map_err(too_much)?;
        if let Some(path) = whole(text) {
            let value = self.found(&path).map_err(|wrong| vec![wrong])?.unwrap_or(Cow::Owned(Value::Null));
            self.visit(&value).map_err(too_much)?;
            return Ok(value.into_owned());
        }
        let parts = parts(text).map_err(|wrong| vec![wrong])?;
        let (mut filled, mut wrong) = (String::new(), Vec::new());
        self.fill(&parts, &mut filled, &mut wrong).map_err(too_much)?;
        if wrong.is_empty() { Ok(Value::String(filled)) } else { Err(wrong) }
    }

    fn work(&mut self, amount: usize) -> Result<(), TooMuch> {
        self.work_left = self.work_left.checked_sub(amount).ok_or(TooMuch)?;
        Ok(())
    }

    /// The work of copying a value.
    fn visit(&mut self, value: &Value) -> Result<(), TooMuch> {
        match value {
            Value::String(text) => self.work(text.len()),
            Value::Array(list) => {
                self.work(list.len())?;
                list.iter().try_for_each(|each| self.visit(each))
            }
            Value::Object(members) => members.iter().try_for_each(|(name, each)| {
                self.work(name.len() + 1)?;
                self.visit(each)
            }),
            _ => self.work(8),
        }
    }

    fn fill(
        &mut self,
        parts: &[Part<'_>],
        filled: &mut String,
        wrong: &mut Vec<String>,
    ) -> Result<(), TooMuch> {
        for part in parts {
            self.work(1)?;
            match part {
                Part::Text(text) => {
                    self.work(text.len())?;
                    filled.push_str(text);
                }
                Part::Value(path) => match self.found(path) {
                    Ok(Some(value)) => {
                        self.visit(&value)?;
                        filled.push_str(&written(&value));
                    }
                    Ok(None) => {}
                    // The same fault in every entry of a list is one fault.
                    Err(what) if wrong.contains(&what) => {}
                    Err(what) => wrong.push(what),
                },
                Part::Section { of, unless, inside } => self.section(of, *unless, inside, filled, wrong)?,
            }
        }
        Ok(())
    }

    fn section(
        &mut self,
        of: &Path<'_>,
        unless: bool,
        inside: &[Part<'_>],
        filled: &mut String,
        wrong: &mut Vec<String>,
    ) -> Result<(), TooMuch> {
        let value = match self.found(of) {
            Ok(value) => value,
            // A section asks whether something is there: only what it starts from must be.
            Err(_) if self.begins_in_context(of) => None,
            Err(what) => {
                wrong.push(what);
                return Ok(());
            }
        };
        let stands = value.as_deref().is_some_and(is_so) != unless;
        if !stands || unless {
            return if stands { self.fill(inside, filled, wrong) } else { Ok(()) };
        }
        match value {
            Some(Cow::Borrowed(Value::Array(list))) => {
                for (index, entry) in list.iter().enumerate() {
                    self.lists.push((index, list.len()));
                    self.within(entry, inside, filled, wrong)?;
                    self.lists.pop();
                }
                Ok(())
            }
            Some(Cow::Borrowed(entry @ Value::Object(_))) => self.within(entry, inside, filled, wrong),
            _ => self.fill(inside, filled, wrong),
        }
    }

    fn within(
        &mut self,
        entry: &'c Value,
        inside: &[Part<'_>],
        filled: &mut String,
        wrong: &mut Vec<String>,
    ) -> Result<(), TooMuch> {
        self.scopes.push(entry);
        self.fill(inside, filled, wrong)?;
        self.scopes.pop();
        Ok(())
    }

    fn begins_in_context(&self, path: &Path<'_>) -> bool {
        matches!(path, Path::Steps(steps) if steps.first().is_some_and(|first| self.context.contains_key(*first)))
    }

    /// The value of a path; nothing for what an entry of a list lacks.
    fn found(&self, path: &Path<'_>) -> Result<Option<Cow<'c, Value>>, String> {
        let place = || {
            self.lists
                .last()
                .copied()
                .ok_or_else(|| "@index, @first and @last stand within a list only".to_owned())
        };
        let steps = match path {
            Path::Index => return Ok(Some(Cow::Owned(place()?.0.into()))),
            Path::First => return Ok(Some(Cow::Owned((place()?.0 == 0).into()))),
            Path::Last => return place().map(|(index, of)| Some(Cow::Owned((index + 1 == of).into()))),
            Path::Steps(steps) => steps,
        };
        let (first, rest) = steps.split_first().ok_or("has an empty template")?;
        if let Some(from) = self.context.get(*first) {
            return walked(from, rest).map(Some).map_err(|at| missing(steps, at + 1));
        }
        if self.scopes.is_empty() {
            let known: Vec<&str> = self.context.keys().map(String::as_str).take(12).collect();
            let known = if known.is_empty() { "nothing".to_owned() } else { known.join(", ") };
            return Err(format!("{{{{{}}}}}: the context has no '{first}'; it has {known}", steps.join(".")));
        }
        Ok(self.scopes.iter().rev().find_map(|scope| walked(scope, steps).ok()))
    }
}

fn missing(steps: &[&str], at: usize) -> String {
    let (whole, before) = (steps.join("."), steps[..at].join("."));
    format!("{{{{{whole}}}}}: '{before}' has no '{}'", steps[at])
}

/// The value some steps further, or the step that leads nowhere.
fn walked<'c>(from: &'c Value, steps: &[&str]) -> Result<Cow<'c, Value>, usize> {
    let mut value = from;
    for (at, step) in steps.iter().enumerate() {
        let is_last = at + 1 == steps.len();
        let length = match value {
            Value::Array(list) => Some(list.len()),
            Value::String(text) => Some(text.chars().count()),
            _ => None,
        };
        if *step == "length"
            && is_last
            && let Some(length) = length
        {
            return Ok(Cow::Owned(length.into()));
        }
        let next = match value {
            Value::Object(members) => members.get(*step),
            Value::Array(list) => step.parse::<usize>().ok().and_then(|index| list.get(index)),
            _ => None,
        };
        value = next.ok_or(at)?;
    }
    Ok(Cow::Borrowed(value))
}

/// Whether a section about it stands.
fn is_so(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(list) => !list.is_empty(),
        Value::String(text) => !text.is_empty(),
        _ => true,
    }
}

/// A value inside other text.
fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => format!("{value:#}"),
        other => other.to_string(),
    }
}
