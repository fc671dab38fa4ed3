//! One object of a schema and where it stands: reads its keywords and notes what is wrong with them. Knows no kinds.

use serde_json::{Map, Value};

use crate::ask::Fault;

/// Keywords that would narrow values in ways a form does not ask for: ignoring them would deliver wrong answers.
const RULES: [&str; 20] = [
    "$ref",
    "$dynamicRef",
    "allOf",
    "const",
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "if",
    "maxContains",
    "minContains",
    "multipleOf",
    "not",
    "pattern",
    "patternProperties",
    "prefixItems",
    "propertyNames",
    "then",
];

/// One object of a schema.
pub(super) struct Node<'a> {
    map: &'a Map<String, Value>,
    path: String,
}

/// The JSON pointer of `name` under `path`.
pub(super) fn at(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}

impl<'a> Node<'a> {
    /// The object at `path`; a fault when it is none.
    pub(super) fn of(value: &'a Value, path: &str, faults: &mut Vec<Fault>) -> Option<Self> {
        match value {
            Value::Object(map) => Some(Self { map, path: path.to_owned() }),
            _ => {
                faults.push(Fault { path: path.to_owned(), what: "must be an object".to_owned() });
                None
            }
        }
    }

    /// Notes a fault at a keyword, or deeper.
    pub(super) fn fault(&self, keyword: &str, what: impl Into<String>, faults: &mut Vec<Fault>) {
        faults.push(Fault { path: format!("{}/{keyword}", self.path), what: what.into() });
    }

    /// Notes a fault of the object itself.
    pub(super) fn fault_here(&self, what: impl Into<String>, faults: &mut Vec<Fault>) {
        faults.push(Fault { path: self.path.clone(), what: what.into() });
    }

    pub(super) fn raw(&self, keyword: &str) -> Option<&'a Value> {
        self.map.get(keyword)
    }

    /// A keyword's object.
    pub(super) fn object(&self, keyword: &str, faults: &mut Vec<Fault>) -> Option<Self> {
        Node::of(self.raw(keyword)?, &at(&self.path, keyword), faults)
    }

    pub(super) fn text(&self, keyword: &str, faults: &mut Vec<Fault>) -> Option<&'a str> {
        let text = self.raw(keyword)?.as_str();
        if text.is_none() {
            self.fault(keyword, "must be a string", faults);
        }
        text
    }

    /// A count: a whole number from zero, also written `2.0`.
    pub(super) fn count(&self, keyword: &str, faults: &mut Vec<Fault>) -> Option<usize> {
        let value = self.raw(keyword)?;
        let whole = value.as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0);
        let count = value
            .as_u64()
            .or(whole.map(|number| number as u64))
            .and_then(|count| usize::try_from(count).ok());
        if count.is_none() {
            self.fault(keyword, "must be a whole number of at least 0", faults);
        }
        count
    }

    pub(super) fn number(&self, keyword: &str, faults: &mut Vec<Fault>) -> Option<f64> {
        let number = self.raw(keyword)?.as_f64();
        if number.is_none() {
            self.fault(keyword, "must be a number", faults);
        }
        number
    }

    /// Notes every rule here that is not kept, the `also` named ones included.
    pub(super) fn refuse_unknown_rules(&self, also: &[&str], faults: &mut Vec<Fault>) {
        for rule in RULES.iter().chain(also).filter(|rule| self.map.contains_key(**rule)) {
            self.fault(rule, "is not supported in a form", faults);
        }
    }
}
