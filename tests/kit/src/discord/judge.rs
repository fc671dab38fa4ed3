//! What the platform would say to a body, without a world in which it could take effect: for tests of what a bot would send. Knows no
//! conversation, so it judges neither permissions nor replies.

use serde_json::Value;

use super::callback::{FORM, MESSAGE, UPDATE};
use super::component::{Judge, number};
use super::draft::Draft;
use super::refusal::Refusal;

/// Why the platform refuses this body of a call, by the end of its path; nothing where it takes it.
#[must_use]
pub fn refuses(method: &str, path: &str, body: &Value) -> Option<String> {
    let judged = match (method, path) {
        (_, path) if path.ends_with("/callback") => answer(body),
        ("POST", path) if path.ends_with("/messages") || path.starts_with("webhooks/") => message(body),
        ("PATCH", path) if path.contains("/messages/") => Draft::judge(body, "").map(drop),
        _ => Ok(()),
    };
    judged.err().map(|refusal| refusal.body().to_string())
}

fn message(body: &Value) -> Result<(), Refusal> {
    if Draft::judge(body, "")?.is_empty() { Err(super::message::empty()) } else { Ok(()) }
}

fn answer(body: &Value) -> Result<(), Refusal> {
    let data = body.get("data").unwrap_or(&Value::Null);
    match number(body, "type") {
        Some(MESSAGE) if Draft::judge(data, "data")?.is_empty() => Err(super::message::empty()),
        Some(UPDATE) => Draft::judge(data, "data").map(drop),
        Some(FORM) => {
            let mut judge = Judge::default();
            judge.form("data", data);
            judge.wrongs.judge()
        }
        _ => Ok(()),
    }
}
