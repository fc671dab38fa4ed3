//! Turns a flat JSON Schema object into Questions, and their answers back into typed values. Knows the kinds of DESIGN
//! section 5 only, reports everything else as a fault, and asks nobody anything.
//!
//! How a person leaves an optional property out: a Question with Choices gets one more, [`LEAVE_OUT`]; free text takes those
//! words too, and offers them as its default where the schema has none. A list that must be there but may be empty has
//! the same Choice, for `[]`. An optional list of at least two values has no such Choice and must be answered: no single
//! Choice could satisfy its least number. Values that stand beside [`LEAVE_OUT`] count; it then says nothing.
//!
//! Required properties come first, in the order of `required`; the others follow by name.

use serde_json::{Map, Value};
use std::collections::HashSet;

use crate::answer::Answers;
use crate::ask::{Contract, Fault, Question};
use crate::id::QuestionId;

mod field;
mod node;
mod options;

use field::{Field, Kind};
use node::{Node, at};

/// The words that leave a property out.
pub const LEAVE_OUT: &str = "Leave out";

/// The Questions of a schema, and the way back from their answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// One Question for each property.
    pub questions: Vec<Question>,
    fields: Vec<Field>,
}

/// Why answers are no value of the schema, or the other way round. Canonical answers to the Form's own Questions never are that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotTyped {
    /// A required property without a value.
    #[error("property '{0}' has no value")]
    Missing(String),
    /// A property that the schema does not have.
    #[error("the schema has no property '{0}'")]
    Unknown(String),
    /// Words that are none of the property's values, or no number.
    #[error("property '{property}' cannot be '{text}'")]
    WrongValue {
        /// The property.
        property: String,
        /// The words.
        text: String,
    },
}

impl Form {
    /// The Form of a schema.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its JSON pointer.
    pub fn of(schema: &Value) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let form = read(schema, &mut faults);
        match form {
            Some(form) if faults.is_empty() => Ok(form),
            _ => Err(faults),
        }
    }

    /// The object that canonical answers make: numbers as numbers, booleans as booleans, enum values as the schema spells
    /// them; properties that were left out are absent.
    ///
    /// # Errors
    /// The first property that has no value of its kind.
    pub fn typed(&self, answers: &Answers) -> Result<Value, NotTyped> {
        let mut object = Map::new();
        for (field, question) in self.fields.iter().zip(&self.questions) {
            if let Some(value) = field.typed(answers.of(&question.id))? {
                object.insert(field.property.clone(), value);
            }
        }
        Ok(Value::Object(object))
    }
}

impl Form {
    /// The answers that an object of the schema stands for: the way back from [`Form::typed`]. A property that the object
    /// lacks is left out where it may be, and has no value otherwise.
    ///
    /// # Errors
    /// The first property that the schema does not have, or whose value is not of its kind.
    pub fn answers(&self, object: &Map<String, Value>) -> Result<Answers, NotTyped> {
        if let Some(name) =
            object.keys().find(|name| !self.fields.iter().any(|field| field.property == **name))
        {
            return Err(NotTyped::Unknown(name.clone()));
        }
        let mut answers = Answers::default();
        for (field, question) in self.fields.iter().zip(&self.questions) {
            if let Some(values) = field.texts(object.get(&field.property))? {
                answers.0.insert(question.id.clone(), values);
            }
        }
        Ok(answers)
    }
}

fn read(schema: &Value, faults: &mut Vec<Fault>) -> Option<Form> {
    let node = Node::of(schema, "", faults)?;
    if node.raw("type") != Some(&Value::from("object")) {
        node.fault("type", "must be \"object\": a form is one flat object", faults);
    }
    node.refuse_unknown_rules(&["anyOf", "enum", "maxProperties", "minProperties", "oneOf"], faults);
    let Some(Value::Object(properties)) = node.raw("properties") else {
        node.fault("properties", "must be an object with at least one property", faults);
        return None;
    };
    let most = Contract::WIDE.questions;
    if properties.is_empty() || properties.len() > most {
        let what = format!("must have 1 to {most} properties, has {}", properties.len());
        node.fault("properties", what, faults);
    }
    let required = required(&node, properties, faults);
    let rest = properties.keys().map(String::as_str).filter(|name| !required.contains(name));
    let names: Vec<&str> = required.iter().copied().chain(rest).collect();
    let ids = ids(&names);
    let mut form = Form { questions: Vec::new(), fields: Vec::new() };
    for (name, id) in names.iter().zip(ids) {
        let path = at("/properties", name);
        let read = properties.get(*name).and_then(|schema| Node::of(schema, &path, faults));
        let read = read.and_then(|node| field::read(name, &node, required.contains(name), faults));
        if let Some((field, question)) = read {
            form.fields.push(field);
            form.questions.push(Question { id, ..question });
        }
    }
    Some(form)
}

/// The names that must be there, each once, in their order.
fn required<'a>(node: &Node<'a>, properties: &Map<String, Value>, faults: &mut Vec<Fault>) -> Vec<&'a str> {
    let mut names = Vec::new();
    let listed = match node.raw("required") {
        None => return names,
        Some(Value::Array(listed)) => listed,
        Some(_) => {
            node.fault("required", "must be a list of property names", faults);
            return names;
        }
    };
    for (index, name) in listed.iter().enumerate() {
        match name.as_str() {
            Some(name) if properties.contains_key(name) => {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            _ => node.fault(&format!("required/{index}"), "must name one of the properties", faults),
        }
    }
    names
}

/// Question ids: the property's name where that is a valid one, otherwise a made one that no other property has.
fn ids(names: &[&str]) -> Vec<QuestionId> {
    let mut taken: HashSet<String> =
        names.iter().filter(|name| is_id(name)).map(|name| (*name).to_owned()).collect();
    let mut made = 0;
    let mut id = |name: &str| {
        if is_id(name) {
            return QuestionId::from(name);
        }
        loop {
            made += 1;
            let id = format!("field_{made}");
            if taken.insert(id.clone()) {
                return QuestionId::from(id);
            }
        }
    };
    names.iter().map(|name| id(name)).collect()
}

/// Whether the wire takes it as a question's id.
fn is_id(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

impl Field {
    /// The texts that a value of the property stands for; nothing for one that must be there and is not.
    fn texts(&self, value: Option<&Value>) -> Result<Option<Vec<String>>, NotTyped> {
        let left_out = || self.left_out.clone().map(|word| vec![word]);
        let wrong =
            |value: &Value| NotTyped::WrongValue { property: self.property.clone(), text: value.to_string() };
        match (&self.kind, value) {
            (_, None) => Ok(left_out()),
            (Kind::Several(_), Some(Value::Array(items))) if items.is_empty() => Ok(left_out()),
            (Kind::Several(_), Some(Value::Array(items))) => items
                .iter()
                .map(|item| self.kind.text(item).ok_or_else(|| wrong(item)))
                .collect::<Result<_, _>>()
                .map(Some),
            (Kind::Several(_), Some(other)) => Err(wrong(other)),
            (kind, Some(value)) => kind.text(value).map(|text| Some(vec![text])).ok_or_else(|| wrong(value)),
        }
    }

    /// The property's value; nothing when it was left out.
    fn typed(&self, values: &[String]) -> Result<Option<Value>, NotTyped> {
        let kept: Vec<&str> =
            values.iter().map(|value| value.trim()).filter(|text| !self.leaves_out(text)).collect();
        let wrong =
            |text: &str| NotTyped::WrongValue { property: self.property.clone(), text: text.to_owned() };
        if let Kind::Several(options) = &self.kind {
            let typed = kept.iter().map(|text| options.value(text).ok_or_else(|| wrong(text)));
            let typed: Vec<Value> = typed.collect::<Result<_, _>>()?;
            let answered = !typed.is_empty() || (self.required && !values.is_empty());
            return match answered {
                true => Ok(Some(Value::Array(typed))),
                false if self.required => Err(NotTyped::Missing(self.property.clone())),
                false => Ok(None),
            };
        }
        match kept.first() {
            Some(text) => self.kind.value(text).map(Some).ok_or_else(|| wrong(text)),
            None if self.required => Err(NotTyped::Missing(self.property.clone())),
            None => Ok(None),
        }
    }

    fn leaves_out(&self, text: &str) -> bool {
        match &self.left_out {
            Some(word) if self.is_choice => text == word,
            Some(word) => text.to_lowercase() == word.to_lowercase(),
            None => false,
        }
    }
}
