//! How the platform refuses: a name in `error`, mostly with status 200, and sometimes more about it. The names are the
//! platform's own.

use serde_json::{Map, Value, json};

/// Why a call took no effect.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) error: String,
    /// Seconds until it may be tried again.
    pub(super) retry_after: Option<i64>,
    pub(super) more: Map<String, Value>,
}

impl Refusal {
    /// 200 with this error.
    pub(super) fn new(error: &str) -> Self {
        Self::with_status(200, error)
    }

    pub(super) fn with_status(status: u16, error: &str) -> Self {
        Self { status, error: error.to_owned(), retry_after: None, more: Map::new() }
    }

    /// 429.
    pub(super) fn flood(retry_after: i64) -> Self {
        Self { retry_after: Some(retry_after), ..Self::with_status(429, "ratelimited") }
    }

    /// A scope is missing: which, and which there are.
    pub(super) fn missing_scope(needed: &str, provided: &str) -> Self {
        let mut refusal = Self::new("missing_scope");
        refusal.more.insert("needed".to_owned(), needed.into());
        refusal.more.insert("provided".to_owned(), provided.into());
        refusal
    }

    /// Something is wrong with what was sent, in words.
    pub(super) fn explained(error: &str, messages: Vec<String>) -> Self {
        let mut refusal = Self::new(error);
        if error == "invalid_blocks" {
            refusal.more.insert("errors".to_owned(), messages.clone().into());
        }
        refusal.more.insert("response_metadata".to_owned(), json!({ "messages": messages }));
        refusal
    }

    /// The body of the answer.
    pub(super) fn body(&self) -> Value {
        let mut body = self.more.clone();
        body.insert("ok".to_owned(), false.into());
        body.insert("error".to_owned(), self.error.clone().into());
        Value::Object(body)
    }
}
