//! The route that the platform calls with events and interactions. Knows whether a call is the platform's, and answers it in time;
//! what is in it is the inbox's business.

use std::sync::Arc;
use std::time::Duration;

use askrelay_core::time::Time;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use sha2::Sha256;
use subtle::ConstantTimeEq;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::config::Policy;
use crate::error::SlackError;
use crate::inbox::Delivery;
use crate::limits::{DELIVERIES, SIGNED};
use crate::presses::Answer;

/// The surface's end of a webhook.
#[derive(Debug)]
pub struct Webhook {
    pub(crate) deliveries: Receiver<Delivery>,
}

#[derive(Debug)]
struct Door {
    secret: SecretString,
    deliveries: Sender<Delivery>,
    wait: Duration,
    now: fn() -> Time,
}

const SIGNATURE: &str = "x-slack-signature";
const TIMESTAMP: &str = "x-slack-request-timestamp";

/// A webhook whose calls are signed with this secret: the surface's end, and the route for whoever listens there. The route takes
/// `POST` at `/` of where it is mounted, events and interactions alike.
///
/// # Errors
/// There is no secret.
pub fn webhook(
    secret: SecretString,
    policy: &Policy,
    now: fn() -> Time,
) -> Result<(Webhook, Router), SlackError> {
    if secret.expose_secret().is_empty() {
        return Err(SlackError::SigningSecret);
    }
    let (sender, deliveries) = channel(DELIVERIES);
    let door = Door { secret, deliveries: sender, wait: policy.acknowledge_after, now };
    let route = Router::new().route("/", post(called)).with_state(Arc::new(door));
    Ok((Webhook { deliveries }, route))
}

/// The platform repeats an event that is not answered with success.
async fn called(State(door): State<Arc<Door>>, headers: HeaderMap, body: Bytes) -> Response {
    if !door.is_the_platforms(&headers, &body) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    // What is none will not be one when it is repeated.
    let Some(payload) = read(&headers, &body) else { return StatusCode::OK.into_response() };
    if payload.get("type").and_then(Value::as_str) == Some("url_verification") {
        let challenge = payload.get("challenge").and_then(Value::as_str).unwrap_or_default();
        return challenge.to_owned().into_response();
    }
    let (answer, end) = oneshot::channel();
    let brought = async {
        let delivery = Delivery { payload, answer };
        door.deliveries.send(delivery).await.ok()?;
        end.await.ok()
    };
    // The inbox answers in time; that it does not even take the call is for the platform to repeat.
    match timeout(door.wait * 2, brought).await {
        Ok(Some(answer)) => answered(answer),
        Ok(None) | Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

impl Door {
    fn is_the_platforms(&self, headers: &HeaderMap, body: &[u8]) -> bool {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let (Some(given), Some(at)) = (header(SIGNATURE), header(TIMESTAMP)) else { return false };
        let Ok(seconds) = at.parse::<i64>() else { return false };
        let age_ms = (self.now)().0.saturating_sub(seconds.saturating_mul(1000)).unsigned_abs();
        let is_fresh = u128::from(age_ms) <= SIGNED.as_millis();
        let ours = signature(self.secret.expose_secret(), at, body);
        is_fresh && ours.is_some_and(|ours| ours.as_bytes().ct_eq(given.as_bytes()).into())
    }
}

/// What the platform signs a body with.
fn signature(secret: &str, at: &str, body: &[u8]) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok()?;
    for part in [b"v0:", at.as_bytes(), b":", body] {
        mac.update(part);
    }
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    Some(format!("v0={hex}"))
}

/// Events come as JSON, interactions as a form with JSON in its field `payload`.
fn read(headers: &HeaderMap, body: &[u8]) -> Option<Value> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("application/x-www-form-urlencoded") {
        return serde_json::from_slice(body).ok();
    }
    let mut url = Url::parse("http://form").ok()?;
    url.set_query(Some(std::str::from_utf8(body).ok()?));
    let (_, payload) = url.query_pairs().find(|(name, _)| name == "payload")?;
    serde_json::from_str(&payload).ok()
}

fn answered(answer: Answer) -> Response {
    match answer {
        Some(words) => axum::Json(words).into_response(),
        None => StatusCode::OK.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in the platform's own documentation.
    #[test]
    fn a_signature_is_the_platforms() {
        let body = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
        let signed = signature("8f742231b10e8888abcd99yyyzzz85a5", "1531420618", body.as_bytes());
        assert_eq!(
            signed.as_deref(),
            Some("v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503")
        );
    }

    /// Calls with the judgement of the platform's own library, which `tests/peers/slack_shapes.py` writes.
    #[tokio::test]
    async fn calls_are_let_in_as_the_platforms_library_judges() {
        let signed: Value = serde_json::from_str(include_str!("../tests/signed.json")).unwrap();
        assert_eq!(signed["now"], 1_764_500_000);
        let (deliveries, _taken) = channel(1);
        let secret = signed["secret"].as_str().unwrap().into();
        let now = || Time(1_764_500_000_000);
        let door = Arc::new(Door { secret, deliveries, wait: Duration::ZERO, now });
        for row in signed["rows"].as_array().unwrap() {
            let text = |name: &str| row[name].as_str().unwrap();
            let header = |name: &'static str, value: &str| (name.parse().unwrap(), value.parse().unwrap());
            let headers = [header(TIMESTAMP, text("at")), header(SIGNATURE, text("signature"))];
            let body = Bytes::from(text("body").to_owned());
            let answer = called(State(Arc::clone(&door)), HeaderMap::from_iter(headers), body).await;
            let expected = if row["valid"] == true { StatusCode::OK } else { StatusCode::UNAUTHORIZED };
            assert_eq!(answer.status(), expected, "{row}");
        }
    }

    #[test]
    fn bodies_of_both_kinds_are_read() {
        let headers =
            |kind: &'static str| HeaderMap::from_iter([(header::CONTENT_TYPE, kind.parse().unwrap())]);
        let rows = [
            ("application/json", r#"{"a":1}"#, true),
            ("application/x-www-form-urlencoded", "payload=%7B%22a%22%3A1%7D", true),
            ("application/x-www-form-urlencoded", "x=1&payload=%7B%22a%22%3A1%7D", true),
            ("application/x-www-form-urlencoded", "x=1", false),
            ("application/json", "payload=1", false),
        ];
        for (kind, body, fine) in rows {
            assert_eq!(read(&headers(kind), body.as_bytes()).is_some(), fine, "{kind} {body}");
        }
        let plus =
            read(&headers("application/x-www-form-urlencoded"), b"payload=%7B%22a%22%3A%22b+c%26%22%7D");
        assert_eq!(plus, Some(serde_json::json!({ "a": "b c&" })));
    }
}
