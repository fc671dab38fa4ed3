//! How the platform refuses: a status, a code and a message, the tree of what is wrong with a body, and the headers of a 429.

use serde_json::{Map, Value, json};

use super::rate::Scope;

/// Why a call took no effect.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) code: u32,
    pub(super) message: String,
    errors: Option<Value>,
    /// Of a 429: what was too much, and how many seconds to wait.
    pub(super) flood: Option<(Scope, f64)>,
}

impl Refusal {
    pub(super) fn new(status: u16, code: u32, message: &str) -> Self {
        Self { status, code, message: message.to_owned(), errors: None, flood: None }
    }

    /// 400 with this code.
    pub(super) fn bad(code: u32, message: &str) -> Self {
        Self::new(400, code, message)
    }

    /// 403 with this code.
    pub(super) fn forbidden(code: u32, message: &str) -> Self {
        Self::new(403, code, message)
    }

    /// 404 with this code.
    pub(super) fn unknown(code: u32, what: &str) -> Self {
        Self::new(404, code, &format!("Unknown {what}"))
    }

    /// The bot is not there, or may not look there.
    pub(super) fn no_access() -> Self {
        Self::forbidden(50001, "Missing Access")
    }

    /// The bot may look, but not do this.
    pub(super) fn no_permission() -> Self {
        Self::forbidden(50013, "Missing Permissions")
    }

    /// 429.
    pub(super) fn flood(scope: Scope, retry_after: f64) -> Self {
        let mut refusal = Self::new(429, 0, "You are being rate limited.");
        refusal.flood = Some((scope, retry_after));
        refusal
    }

    /// The body of the answer.
    pub(super) fn body(&self) -> Value {
        if let Some((scope, retry_after)) = self.flood {
            let global = scope == Scope::Global;
            return json!({ "message": self.message, "retry_after": retry_after, "global": global });
        }
        let mut body = json!({ "message": self.message, "code": self.code });
        if let (Some(body), Some(errors)) = (body.as_object_mut(), &self.errors) {
            body.insert("errors".to_owned(), errors.clone());
        }
        body
    }
}

/// Everything that is wrong with a body, each at its place.
#[derive(Debug, Default)]
pub(super) struct Wrongs(Map<String, Value>);

impl Wrongs {
    /// Something is wrong at a path such as `components.0.label`; an empty path is the body itself.
    pub(super) fn add(&mut self, path: &str, code: &str, message: impl Into<String>) {
        let mut at = &mut self.0;
        for step in path.split('.').filter(|step| !step.is_empty()) {
            let below = at.entry(step).or_insert_with(|| Value::Object(Map::new()));
            at = below.as_object_mut().expect("only objects are put there");
        }
        let list = at.entry("_errors").or_insert_with(|| Value::Array(Vec::new()));
        let list = list.as_array_mut().expect("only lists are put there");
        list.push(json!({ "code": code, "message": message.into() }));
    }

    /// A field that must be there is not.
    pub(super) fn missing(&mut self, path: &str) {
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required");
    }

    /// Something has not a length between these.
    pub(super) fn length(&mut self, path: &str, length: usize, least: usize, most: usize) {
        match least {
            _ if (least..=most).contains(&length) => {}
            0 => self.add(path, "BASE_TYPE_MAX_LENGTH", format!("Must be {most} or fewer in length.")),
            _ => {
                let message = format!("Must be between {least} and {most} in length.");
                self.add(path, "BASE_TYPE_BAD_LENGTH", message);
            }
        }
    }

    /// Something is none of these.
    pub(super) fn choice(&mut self, path: &str, choices: &[u64]) {
        let choices: Vec<String> = choices.iter().map(u64::to_string).collect();
        let message = format!("Value must be one of ({}).", choices.join(", "));
        self.add(path, "BASE_TYPE_CHOICES", message);
    }

    /// A number is not between these.
    pub(super) fn range(&mut self, path: &str, number: i64, least: i64, most: i64) {
        if number < least {
            let message = format!("int value should be greater than or equal to {least}.");
            self.add(path, "NUMBER_TYPE_MIN", message);
        }
        if number > most {
            let message = format!("int value should be less than or equal to {most}.");
            self.add(path, "NUMBER_TYPE_MAX", message);
        }
    }

    /// Refuses the body if anything is wrong with it.
    pub(super) fn judge(self) -> Result<(), Refusal> {
        if self.0.is_empty() {
            return Ok(());
        }
        let mut refusal = Refusal::bad(50035, "Invalid Form Body");
        refusal.errors = Some(Value::Object(self.0));
        Err(refusal)
    }

    /// The refusal of one thing that is wrong.
    pub(super) fn one(path: &str, code: &str, message: impl Into<String>) -> Refusal {
        let mut wrongs = Self::default();
        wrongs.add(path, code, message);
        wrongs.judge().expect_err("something is wrong")
    }
}
