//! How the platform refuses: a status, words, and sometimes parameters. The words are the platform's own; where it has none for
//! a documented limit, the place that refuses says so.

use serde_json::{Value, json};

/// Why a call took no effect.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Refusal {
    pub(super) code: u16,
    pub(super) description: String,
    pub(super) parameters: Option<Value>,
}

impl Refusal {
    /// 400 with these words.
    pub(super) fn bad(words: impl AsRef<str>) -> Self {
        Self::new(400, format!("Bad Request: {}", words.as_ref()))
    }

    /// 403 with these words.
    pub(super) fn forbidden(words: &str) -> Self {
        Self::new(403, format!("Forbidden: {words}"))
    }

    /// 409 with these words.
    pub(super) fn conflict(words: &str) -> Self {
        Self::new(409, format!("Conflict: {words}"))
    }

    /// 429.
    pub(super) fn flood(retry_after: i64) -> Self {
        let mut refusal = Self::new(429, format!("Too Many Requests: retry after {retry_after}"));
        refusal.parameters = Some(json!({ "retry_after": retry_after }));
        refusal
    }

    /// The chat has another id now.
    pub(super) fn migrated(to: i64) -> Self {
        let mut refusal = Self::bad("group chat was upgraded to a supergroup chat");
        refusal.parameters = Some(json!({ "migrate_to_chat_id": to }));
        refusal
    }

    pub(super) fn new(code: u16, description: String) -> Self {
        Self { code, description, parameters: None }
    }

    /// The body of the answer.
    pub(super) fn body(&self) -> Value {
        let mut body = json!({ "ok": false, "error_code": self.code, "description": self.description });
        if let (Some(body), Some(parameters)) = (body.as_object_mut(), &self.parameters) {
            body.insert("parameters".to_owned(), parameters.clone());
        }
        body
    }
}
