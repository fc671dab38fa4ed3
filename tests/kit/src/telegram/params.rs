//! The parameters of a call, from JSON, a form or a multipart form: there, everything is text. Reading is lenient as the
//! platform's is; judging is left to the methods.

use axum::body::{Body, to_bytes};
use axum::extract::{Form, FromRequest, Multipart};
use hyper::Request;
use hyper::header::CONTENT_TYPE;
use serde_json::{Map, Value};

/// Largest body that is read, in bytes.
const BODY_MAX_BYTES: usize = 1 << 20;

/// Named values.
#[derive(Clone, Debug, Default)]
pub(super) struct Params(pub(super) Map<String, Value>);

impl Params {
    /// Reads a request; what cannot be read is as if it were not there.
    pub(super) async fn read(request: Request<Body>) -> Self {
        let kind =
            request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.starts_with("application/json") {
            let bytes = to_bytes(request.into_body(), BODY_MAX_BYTES).await.unwrap_or_default();
            return Self(serde_json::from_slice(&bytes).unwrap_or_default());
        }
        let mut fields = Map::new();
        if kind.starts_with("multipart/") {
            let Ok(mut parts) = Multipart::from_request(request, &()).await else { return Self::default() };
            while let Ok(Some(part)) = parts.next_field().await {
                let name = part.name().unwrap_or_default().to_owned();
                if let Ok(text) = part.text().await {
                    fields.insert(name, Value::String(text));
                }
            }
        } else if let Ok(Form(form)) = Form::<Vec<(String, String)>>::from_request(request, &()).await {
            fields.extend(form.into_iter().map(|(name, text)| (name, Value::String(text))));
        }
        Self(fields)
    }

    /// A text; numbers are taken as they are written.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        match self.0.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            other => Some(other.to_string()),
        }
    }

    /// A whole number.
    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        match self.0.get(name)? {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// A whole number within bounds; what is outside is moved to the nearest.
    pub(super) fn bounded(&self, name: &str, default: i64, low: i64, high: i64) -> i64 {
        self.integer(name).unwrap_or(default).clamp(low, high)
    }

    /// Yes or no.
    pub(super) fn flag(&self, name: &str) -> bool {
        match self.0.get(name) {
            Some(Value::Bool(flag)) => *flag,
            Some(Value::String(text)) => ["true", "1", "yes"].contains(&text.to_ascii_lowercase().as_str()),
            Some(Value::Number(number)) => number.as_i64() == Some(1),
            _ => false,
        }
    }

    /// A structure, written out or as JSON in a text. `Err` when the text is no JSON.
    pub(super) fn structure(&self, name: &str) -> Result<Option<Value>, ()> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Ok(None),
            Some(Value::String(text)) => serde_json::from_str(text).map(Some).map_err(|_| ()),
            Some(other) => Ok(Some(other.clone())),
        }
    }
}
