//! The parameters of a call, from JSON or a form: there, everything is text. Reading is lenient as the platform's is; judging
//! is left to the methods.

use axum::body::{Body, to_bytes};
use axum::extract::{Form, FromRequest};
use hyper::Request;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE};
use serde_json::{Map, Value};

/// Largest body that is read, in bytes.
const BODY_MAX_BYTES: usize = 1 << 20;

/// Named values, and the token with which they came.
#[derive(Clone, Debug, Default)]
pub(super) struct Params {
    pub(super) fields: Map<String, Value>,
    pub(super) token: Option<String>,
    /// They came as JSON, which some methods do not read.
    pub(super) is_json: bool,
}

impl Params {
    /// Reads a request; what cannot be read is as if it were not there.
    pub(super) async fn read(request: Request<Body>) -> Self {
        let headers = request.headers().clone();
        let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let bearer = header(AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let bearer = bearer.map(|token| token.trim().to_owned());
        let is_json = header(CONTENT_TYPE).unwrap_or_default().starts_with("application/json");
        let mut fields = if is_json {
            let bytes = to_bytes(request.into_body(), BODY_MAX_BYTES).await.unwrap_or_default();
            serde_json::from_slice(&bytes).unwrap_or_default()
        } else {
            let form = Form::<Vec<(String, String)>>::from_request(request, &()).await;
            let pairs = form.map(|Form(pairs)| pairs).unwrap_or_default();
            pairs.into_iter().map(|(name, text)| (name, Value::String(text))).collect::<Map<_, _>>()
        };
        let sent = fields.remove("token").and_then(|token| token.as_str().map(str::to_owned));
        Self { fields, token: bearer.or(sent).filter(|token| !token.is_empty()), is_json }
    }

    /// A text that is not empty; numbers are taken as they are written.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        match self.fields.get(name)? {
            Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Yes or no, if it is said.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        match self.fields.get(name)? {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) => Some(["true", "1"].contains(&text.to_ascii_lowercase().as_str())),
            Value::Number(number) => Some(number.as_i64() == Some(1)),
            _ => None,
        }
    }

    /// A structure, written out or as JSON in a text. `Err` when the text is no JSON.
    pub(super) fn structure(&self, name: &str) -> Result<Option<Value>, ()> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Ok(None),
            Some(Value::String(text)) => serde_json::from_str(text).map(Some).map_err(|_| ()),
            Some(other) => Ok(Some(other.clone())),
        }
    }
}
