//! The route that the platform calls with updates. Knows whether a call is the platform's, and answers once the update is saved;
//! what is in it is the inbox's business.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use subtle::ConstantTimeEq;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::config::Policy;
use crate::error::TelegramError;
use crate::limits::DELIVERIES;

/// The surface's end of a webhook.
#[derive(Debug)]
pub struct Webhook {
    pub(crate) url: Url,
    pub(crate) secret: SecretString,
    pub(crate) deliveries: Receiver<Delivery>,
}

/// One update that the platform brought.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) update: Value,
    /// Ends the platform's request.
    pub(crate) saved: oneshot::Sender<()>,
}

#[derive(Debug)]
struct Door {
    secret: SecretString,
    deliveries: Sender<Delivery>,
    wait: Duration,
}

/// The header that shows a call to be the platform's.
const SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";

/// A webhook at this public address: the surface's end, and the route for whoever listens there. The route takes `POST` at `/` of
/// where it is mounted.
///
/// # Errors
/// The secret is none that the platform takes.
pub fn webhook(url: Url, secret: SecretString, policy: &Policy) -> Result<(Webhook, Router), TelegramError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let text = secret.expose_secret();
    if !(1..=256).contains(&text.len()) || !text.bytes().all(plain) {
        return Err(TelegramError::Secret);
    }
    let (sender, deliveries) = channel(DELIVERIES);
    let door = Door { secret: secret.clone(), deliveries: sender, wait: policy.webhook_wait };
    let route = Router::new().route("/", post(called)).with_state(Arc::new(door));
    Ok((Webhook { url, secret, deliveries }, route))
}

/// The platform repeats a call that is not answered with success.
async fn called(State(door): State<Arc<Door>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let given = headers.get(SECRET_HEADER).map(|value| value.as_bytes()).unwrap_or_default();
    let ours: bool = given.ct_eq(door.secret.expose_secret().as_bytes()).into();
    if !ours {
        return StatusCode::UNAUTHORIZED;
    }
    // What is no update will not be one when it is repeated.
    let Ok(update) = serde_json::from_slice(&body) else { return StatusCode::OK };
    let (saved, end) = oneshot::channel();
    let brought = async {
        let delivery = Delivery { update, saved };
        door.deliveries.send(delivery).await.is_ok() && end.await.is_ok()
    };
    match timeout(door.wait, brought).await {
        Ok(true) => StatusCode::OK,
        Ok(false) | Err(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}
