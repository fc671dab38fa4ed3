//! What a request may look like, as data, and a walk that collects every difference. Runs only after the typed reading
//! failed: it finds all faults at once and mends the value, so that the contract's faults can be reported with them.

use serde_json::{Map, Number, Value};

use askrelay_core::ask::Fault;

use super::scalar::whole;
use crate::frame::Caps;

/// One value.
pub(super) enum Shape {
    /// Text of so many code points.
    Text { min: usize, max: usize },
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of these words, or the other shape.
    WordOr(&'static [&'static str], &'static Shape),
    /// Text that a function takes, and one that it takes for sure.
    Checked { takes: fn(&str) -> bool, what: &'static str, sample: &'static str },
    /// A whole number within bounds.
    Whole { min: u64, max: u64 },
    /// A whole number of either sign.
    Signed,
    /// Any number.
    Number,
    /// True or false.
    Flag,
    /// True only.
    True,
    /// Values of one shape.
    List(&'static Shape),
    /// Values of one shape by free names.
    Map(&'static Shape),
    /// A closed object.
    Object(&'static [Member]),
    /// A closed object that depends on its `type`.
    Tagged(&'static [(&'static str, &'static [Member])]),
    /// Anything: read past, never looked at.
    Any,
}

/// One member of a closed object.
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) need: Need,
    pub(super) shape: &'static Shape,
}

/// When a member must or may be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// Always.
    Required,
    /// It may be absent.
    Optional,
    /// A plain peer must send it, one with the cap may leave it out.
    PlainRequired,
    /// It exists only under the cap.
    Wide,
    /// It exists and is refused.
    NotYet,
}

/// Text of at least one code point.
pub(super) const FILLED: Shape = Shape::Text { min: 1, max: usize::MAX };
/// Any text.
pub(super) const TEXT: Shape = Shape::Text { min: 0, max: usize::MAX };

/// What came of a walk.
pub(super) struct Mended {
    /// The nearest value that has the shape.
    pub(super) value: Value,
    /// Every difference.
    pub(super) faults: Vec<Fault>,
    /// Where a value stands that nobody sent.
    pub(super) stand_ins: Vec<String>,
}

struct Walk {
    caps: Caps,
    open: bool,
    path: String,
    faults: Vec<Fault>,
    stand_ins: Vec<String>,
}

/// Compares what a client sent with `shape`.
pub(super) fn mend(value: &Value, shape: &Shape, caps: Caps) -> Mended {
    walk(value, shape, caps, false)
}

/// Compares what a gateway sent: a member that `shape` does not know is no fault, only left out.
pub(super) fn mend_open(value: &Value, shape: &Shape) -> Mended {
    walk(value, shape, Caps::WIDE, true)
}

fn walk(value: &Value, shape: &Shape, caps: Caps, open: bool) -> Mended {
    let mut walk = Walk { caps, open, path: String::new(), faults: Vec::new(), stand_ins: Vec::new() };
    let value = walk.value(value, shape);
    Mended { value, faults: walk.faults, stand_ins: walk.stand_ins }
}

impl Walk {
    fn fault(&mut self, what: impl Into<String>) {
        self.faults.push(Fault { path: self.path.clone(), what: what.into() });
    }

    fn wrong(&mut self, shape: &Shape, what: impl Into<String>) -> Value {
        self.fault(what);
        self.stand_ins.push(self.path.clone());
        sample(shape, self.caps)
    }

    /// Walks `value` under `/step`, then comes back.
    fn under(&mut self, step: &str, value: &Value, shape: &Shape) -> Value {
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(&step.replace('~', "~0").replace('/', "~1"));
        let mended = self.value(value, shape);
        self.path.truncate(length);
        mended
    }

    fn value(&mut self, value: &Value, shape: &Shape) -> Value {
        match (shape, value) {
            (Shape::Any, _) | (Shape::Flag, Value::Bool(_)) | (Shape::Number, Value::Number(_)) => {
                value.clone()
            }
            (Shape::True, Value::Bool(true)) => value.clone(),
            (Shape::Text { min, max }, Value::String(text)) => self.text(text, *min, *max, shape),
            (Shape::Word(words), Value::String(text)) => self.word(text, words, shape),
            (Shape::WordOr(words, _), Value::String(text)) => self.word(text, words, shape),
            (Shape::WordOr(_, other), _) => self.value(value, other),
            (Shape::Checked { takes, what, .. }, Value::String(text)) => {
                if takes(text) {
                    value.clone()
                } else {
                    self.wrong(shape, *what)
                }
            }
            (Shape::Whole { min, max }, Value::Number(number)) => self.whole(number, *min, *max, shape),
            (Shape::Signed, Value::Number(number)) if number.is_i64() => value.clone(),
            (Shape::List(of), Value::Array(items)) => {
                let mended =
                    items.iter().enumerate().map(|(index, item)| self.under(&index.to_string(), item, of));
                Value::Array(mended.collect())
            }
            (Shape::Map(of), Value::Object(members)) => {
                let mended = members.iter().map(|(name, item)| (name.clone(), self.under(name, item, of)));
                Value::Object(mended.collect())
            }
            (Shape::Object(closed), Value::Object(members)) => Value::Object(self.object(members, closed)),
            (Shape::Tagged(kinds), Value::Object(members)) => self.tagged(members, kinds, shape),
            _ => self.wrong(shape, format!("must be {}", kind(shape))),
        }
    }

    fn text(&mut self, text: &str, min: usize, max: usize, shape: &Shape) -> Value {
        let length = text.chars().count();
        if length < min {
            self.wrong(shape, format!("must be at least {min} characters"))
        } else if length > max {
            self.wrong(shape, format!("must be at most {max} characters"))
        } else {
            Value::String(text.to_owned())
        }
    }

    fn word(&mut self, text: &str, words: &[&str], shape: &Shape) -> Value {
        if words.contains(&text) {
            Value::String(text.to_owned())
        } else {
            self.wrong(shape, format!("must be one of {}", words.join(", ")))
        }
    }

    fn whole(&mut self, number: &Number, min: u64, max: u64, shape: &Shape) -> Value {
        let what = match number.as_u64().or_else(|| number.as_f64().and_then(whole)) {
            Some(whole) if (min..=max).contains(&whole) => return whole.into(),
            Some(whole) if whole > max => format!("must be at most {max}"),
            None if number.as_f64().is_none_or(|number| number.fract() != 0.0) => {
                format!("must be {}", kind(shape))
            }
            None if number.as_f64().is_some_and(|number| number > 0.0) => "is too large".to_owned(),
            _ => format!("must be at least {min}"),
        };
        self.wrong(shape, what)
    }

    fn object(&mut self, members: &Map<String, Value>, closed: &[Member]) -> Map<String, Value> {
        let mut mended = Map::new();
        for (name, value) in members {
            match closed.iter().find(|member| member.name == name) {
                Some(member)
                    if member.need != Need::NotYet && (self.caps.wide || member.need != Need::Wide) =>
                {
                    mended.insert(name.clone(), self.under(name, value, member.shape));
                }
                _ if self.open => {}
                Some(member) if member.need == Need::NotYet => self.under_fault(name, "not supported yet"),
                _ => self.fault(format!("unexpected property '{name}'")),
            }
        }
        let caps = self.caps;
        for member in closed.iter().filter(|member| needed(member, caps)) {
            if !members.contains_key(member.name) {
                self.fault(format!("must have property '{}'", member.name));
                self.stand_ins.push(format!("{}/{}", self.path, member.name));
                mended.insert(member.name.to_owned(), sample(member.shape, caps));
            }
        }
        mended
    }

    fn under_fault(&mut self, name: &str, what: &str) {
        self.faults.push(Fault { path: format!("{}/{name}", self.path), what: what.to_owned() });
    }

    fn tagged(
        &mut self,
        members: &Map<String, Value>,
        kinds: &[(&str, &'static [Member])],
        shape: &Shape,
    ) -> Value {
        let tag = members.get("type").and_then(Value::as_str);
        let Some((tag, closed)) = kinds.iter().find(|(name, _)| Some(*name) == tag) else {
            let names: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
            self.under_fault("type", &format!("must be one of {}", names.join(", ")));
            self.stand_ins.push(self.path.clone());
            return sample(shape, self.caps);
        };
        let mut rest = members.clone();
        rest.remove("type");
        let mut mended = self.object(&rest, closed);
        mended.insert("type".to_owned(), (*tag).into());
        Value::Object(mended)
    }
}

fn needed(member: &Member, caps: Caps) -> bool {
    member.need == Need::Required || (member.need == Need::PlainRequired && !caps.wide)
}

/// A value of the shape, to stand in for a wrong one.
fn sample(shape: &Shape, caps: Caps) -> Value {
    match shape {
        Shape::Text { min, .. } => "x".repeat(*min).into(),
        Shape::Word(words) | Shape::WordOr(words, _) => words.first().copied().unwrap_or_default().into(),
        Shape::Checked { sample, .. } => (*sample).into(),
        Shape::Whole { min, .. } => (*min).into(),
        Shape::Signed | Shape::Number => 0.into(),
        Shape::Flag | Shape::True => true.into(),
        Shape::List(_) => Value::Array(Vec::new()),
        Shape::Map(_) => Value::Object(Map::new()),
        Shape::Object(closed) => Value::Object(samples(closed, caps)),
        Shape::Tagged(kinds) => {
            let mut members = Map::new();
            if let Some((tag, closed)) = kinds.first() {
                members = samples(closed, caps);
                members.insert("type".to_owned(), (*tag).into());
            }
            Value::Object(members)
        }
        Shape::Any => Value::Null,
    }
}

fn samples(closed: &[Member], caps: Caps) -> Map<String, Value> {
    let needed = closed.iter().filter(|member| needed(member, caps));
    needed.map(|member| (member.name.to_owned(), sample(member.shape, caps))).collect()
}

const fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::Text { .. } | Shape::Word(_) | Shape::Checked { .. } => "a string",
        Shape::WordOr(..) => "a string or an object",
        Shape::Whole { .. } | Shape::Signed => "an integer",
        Shape::Number => "a number",
        Shape::Flag => "true or false",
        Shape::True => "true",
        Shape::List(_) => "an array",
        Shape::Map(_) | Shape::Object(_) | Shape::Tagged(_) => "an object",
        Shape::Any => "anything",
    }
}
