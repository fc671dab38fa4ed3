//! Calls of the Bot API over HTTP. One try each: whether and when something is repeated is the outbox's and the inbox's business.
//! Not teloxide's own requests, since those sleep ten seconds inside a call that a server error answered.

use std::time::Duration;

use reqwest::{StatusCode, Url, header};
use secrecy::{ExposeSecret, SecretString};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use teloxide::payloads::{DeleteWebhook, GetMe, SetMyCommands, SetWebhook};
use teloxide::types::{AllowedUpdate, BotCommand};

use crate::config::Config;
use crate::decode::Me;
use crate::encode::Call;
use crate::error::{CallError, TelegramError};
use crate::limits::BATCH;
use crate::received::User;

/// What we want to hear about; always sent, since the platform keeps the last list.
const ALLOWED: [AllowedUpdate; 5] = [
    AllowedUpdate::Message,
    AllowedUpdate::EditedMessage,
    AllowedUpdate::ChannelPost,
    AllowedUpdate::EditedChannelPost,
    AllowedUpdate::CallbackQuery,
];

/// The commands that the platform offers people; the core reads them.
const COMMANDS: [(&str, &str); 6] = [
    ("start", "Say hello, or bring an invite"),
    ("questions", "What is open for you"),
    ("skip", "Decline the question"),
    ("cancel", "The same as /skip"),
    ("whoami", "Who you are here"),
    ("help", "How to answer"),
];

/// How long a connection may take to stand. Own choice, 2026-11.
const CONNECT: Duration = Duration::from_secs(5);

/// A bot's connection to its server.
/// Longest wait that a server may ask for, in seconds: a day. A number without a bound would leave the clock.
const WAIT_MAX: u64 = 24 * 60 * 60;

#[derive(Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    api_url: Url,
    token: SecretString,
    timeout: Duration,
}

#[derive(Serialize)]
struct GetUpdates {
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<i64>,
    limit: u8,
    timeout: u64,
    allowed_updates: [AllowedUpdate; 5],
}

#[derive(Deserialize)]
struct Envelope<R> {
    #[serde(default)]
    ok: bool,
    result: Option<R>,
    #[serde(default)]
    error_code: u16,
    #[serde(default)]
    description: String,
    #[serde(default)]
    parameters: Parameters,
}

#[derive(Default, Deserialize)]
struct Parameters {
    retry_after: Option<u64>,
    migrate_to_chat_id: Option<i64>,
}

#[derive(Deserialize)]
struct Sent {
    message_id: i32,
}

impl Client {
    pub(crate) fn new(config: &Config) -> Result<Self, TelegramError> {
        if !matches!(config.api_url.scheme(), "http" | "https") || config.api_url.cannot_be_a_base() {
            return Err(TelegramError::ApiUrl);
        }
        let builder = reqwest::Client::builder().connect_timeout(CONNECT).tcp_nodelay(true);
        // The token is in the address, which nobody else is to see.
        let mut builder = builder.redirect(reqwest::redirect::Policy::none()).referer(false);
        // A server on this machine is never behind a proxy.
        if matches!(config.api_url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| TelegramError::Client(error.without_url()))?;
        let (api_url, token) = (config.api_url.clone(), config.token.clone());
        Ok(Self { http, api_url, token, timeout: config.policy.call })
    }

    /// Who the bot is.
    pub(crate) async fn me(&self) -> Result<Me, CallError> {
        self.call::<User>("getMe", &GetMe::new(), self.timeout).await.map(Me::from)
    }

    /// Tells the platform which commands people can choose from.
    pub(crate) async fn set_commands(&self) -> Result<(), CallError> {
        let commands = COMMANDS.map(|(name, about)| BotCommand::new(name, about));
        self.call::<IgnoredAny>("setMyCommands", &SetMyCommands::new(commands), self.timeout).await.map(drop)
    }

    /// Updates are asked for from now on. What waits there stays.
    pub(crate) async fn delete_webhook(&self) -> Result<(), CallError> {
        self.call::<IgnoredAny>("deleteWebhook", &DeleteWebhook::new(), self.timeout).await.map(drop)
    }

    /// Updates come to this address from now on.
    pub(crate) async fn set_webhook(&self, url: &Url, secret: &SecretString) -> Result<(), CallError> {
        let mut payload = SetWebhook::new(url.clone());
        payload.allowed_updates = Some(ALLOWED.to_vec());
        payload.secret_token = Some(secret.expose_secret().to_owned());
        self.call::<IgnoredAny>("setWebhook", &payload, self.timeout).await.map(drop)
    }

    /// The next updates from `offset` on, which confirms all before it. Waits up to `poll` for one.
    pub(crate) async fn updates(&self, offset: Option<i64>, poll: Duration) -> Result<Vec<Value>, CallError> {
        let payload = GetUpdates { offset, limit: BATCH, timeout: poll.as_secs(), allowed_updates: ALLOWED };
        self.call("getUpdates", &payload, self.timeout + poll).await
    }

    /// Makes a call; a new message has an id.
    pub(crate) async fn carry(&self, call: &Call) -> Result<Option<i32>, CallError> {
        match call {
            Call::Send(_) => {
                self.call::<Sent>(call.method(), call, self.timeout).await.map(|sent| Some(sent.message_id))
            }
            Call::Edit(_) | Call::Answer(_) => {
                self.call::<IgnoredAny>(call.method(), call, self.timeout).await.map(|_| None)
            }
        }
    }

    async fn call<R: DeserializeOwned>(
        &self,
        method: &str,
        payload: &impl Serialize,
        timeout: Duration,
    ) -> Result<R, CallError> {
        // A payload of strings and numbers always serializes.
        let body = serde_json::to_vec(payload).unwrap_or_default();
        let request = self.http.post(self.url(method)).timeout(timeout);
        let request = request.header(header::CONTENT_TYPE, "application/json").body(body);
        let response = request.send().await.map_err(unsent_or_lost)?;
        let status = response.status();
        let body = response.bytes().await.map_err(|error| CallError::Lost(error.without_url()))?;
        read(status, &body)
    }

    fn url(&self, method: &str) -> Url {
        let mut url = self.api_url.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push(&format!("bot{}", self.token.expose_secret())).push(method);
        }
        url
    }
}

/// The token is in the address, so no error may show it.
fn unsent_or_lost(error: reqwest::Error) -> CallError {
    let error = error.without_url();
    if error.is_connect() || error.is_builder() { CallError::NotSent(error) } else { CallError::Lost(error) }
}

fn read<R: DeserializeOwned>(status: StatusCode, body: &[u8]) -> Result<R, CallError> {
    let garbled = || CallError::Garbled { status: status.as_u16() };
    if status.is_server_error() {
        return Err(garbled());
    }
    let envelope: Envelope<R> = serde_json::from_slice(body).map_err(|_| garbled())?;
    if envelope.ok {
        return envelope.result.ok_or_else(garbled);
    }
    if envelope.error_code >= 500 {
        return Err(garbled());
    }
    Err(CallError::Refused {
        code: if envelope.error_code == 0 { status.as_u16() } else { envelope.error_code },
        description: envelope.description,
        retry_after: envelope
            .parameters
            .retry_after
            .map(|seconds| Duration::from_secs(seconds.min(WAIT_MAX))),
        migrated_to: envelope.parameters.migrate_to_chat_id,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let sent = |status: u16, body: &str| {
            let status = StatusCode::from_u16(status).unwrap();
            read::<Sent>(status, body.as_bytes())
                .map(|sent| sent.message_id)
                .map_err(|error| format!("{error:?}"))
        };
        let rows = [
            ("sent", 200, r#"{"ok":true,"result":{"message_id":12,"date":0}}"#, "Ok(12)"),
            ("of the wrong shape", 200, r#"{"ok":true,"result":true}"#, "Garbled { status: 200 }"),
            ("no JSON", 200, "<html>", "Garbled { status: 200 }"),
            ("nothing", 200, "", "Garbled { status: 200 }"),
            ("a proxy's page", 502, "<html>", "Garbled { status: 502 }"),
            (
                "a server error",
                500,
                r#"{"ok":false,"error_code":500,"description":"Internal Server Error"}"#,
                "Garbled",
            ),
            (
                "refused",
                400,
                r#"{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}"#,
                "code: 400",
            ),
            (
                "too fast",
                429,
                r#"{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":35}}"#,
                "retry_after: Some(35s)",
            ),
            (
                "moved",
                400,
                r#"{"ok":false,"error_code":400,"description":"upgraded","parameters":{"migrate_to_chat_id":-1005}}"#,
                "migrated_to: Some(-1005)",
            ),
        ];
        for (name, status, body, expected) in rows {
            let read = format!("{:?}", sent(status, body)).replace('"', "");
            assert!(read.contains(expected), "{name}: {read}");
        }
    }
}
