//! Calls of the REST interface. One try each: whether and when something is repeated is the outbox's and the inbox's business.
//! Not serenity's own requests, since those go to the platform's own host whatever they are told, or lose how long to wait.

use std::fmt;
use std::time::Duration;

use reqwest::header::{self, HeaderMap, HeaderValue};
use reqwest::{Method, StatusCode, Url};
use secrecy::ExposeSecret;
use serde::Deserialize;
use serde_json::Value;

use crate::buckets::Told;
use crate::config::{Config, origin};
use crate::decode::{Me, Owed};
use crate::encode::Call;
use crate::error::{CallError, DiscordError};
use crate::place::Snowflake;

/// How long a connection may take to stand. Own choice, 2026-11.
const CONNECT: Duration = Duration::from_secs(5);

/// Where a 429 does not say how long. Own choice, 2026-11.
const WAIT_UNSAID: Duration = Duration::from_secs(5);

/// Longest wait that a 429 can ask for. Own choice, 2026-11.
const WAIT_MOST: Duration = Duration::from_secs(24 * 3600);

/// Who calls; without it the platform answers nothing.
const USER_AGENT: &str =
    concat!("DiscordBot (", env!("CARGO_PKG_REPOSITORY"), ", ", env!("CARGO_PKG_VERSION"), ")");

/// A bot's connection to the REST interface.
pub(crate) struct Client {
    http: reqwest::Client,
    api_url: Url,
    timeout: Duration,
}

/// Neither the token, which every call carries, nor what the address holds for a proxy.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("api_url", &origin(&self.api_url)).finish_non_exhaustive()
    }
}

/// What became of a call.
pub(crate) struct Carried {
    pub(crate) result: Result<Value, CallError>,
    /// What was told beside it.
    pub(crate) told: Told,
}

impl Client {
    pub(crate) fn new(config: &Config) -> Result<Self, DiscordError> {
        if !matches!(config.api_url.scheme(), "http" | "https") || config.api_url.cannot_be_a_base() {
            return Err(DiscordError::ApiUrl);
        }
        let mut headers = HeaderMap::new();
        let mut token = HeaderValue::from_str(&format!("Bot {}", config.token.expose_secret()))
            .map_err(|_| DiscordError::Token)?;
        token.set_sensitive(true);
        headers.insert(header::AUTHORIZATION, token);
        let builder = reqwest::Client::builder().connect_timeout(CONNECT).tcp_nodelay(true);
        // The token goes to the configured host only.
        let builder = builder.redirect(reqwest::redirect::Policy::none()).referer(false);
        let mut builder = builder.default_headers(headers).user_agent(USER_AGENT);
        // A server on this machine is never behind a proxy.
        if matches!(config.api_url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(DiscordError::Client)?;
        Ok(Self { http, api_url: config.api_url.clone(), timeout: config.policy.call })
    }

    /// Nobody on the way can read what is called.
    pub(crate) fn is_safe(&self) -> bool {
        self.api_url.scheme() == "https"
    }

    /// Who the bot is, and what its application may hear (the bits of its flags).
    pub(crate) async fn me(&self) -> Result<(Me, u64), CallError> {
        let user = self.get("users/@me").await?;
        let application = self.get("applications/@me").await?;
        let id = |value: &Value| {
            let id = value.get("id").and_then(Value::as_str).and_then(Snowflake::parse);
            id.ok_or(CallError::Garbled { status: StatusCode::OK.as_u16() })
        };
        let handle = user.get("username").and_then(Value::as_str).unwrap_or_default().to_owned();
        let flags = application.get("flags").and_then(Value::as_u64).unwrap_or_default();
        Ok((Me { id: id(&user)?, handle, application: id(&application)? }, flags))
    }

    /// Reads something.
    pub(crate) async fn get(&self, path: &str) -> Result<Value, CallError> {
        self.call(Method::GET, path, None, self.timeout).await.result
    }

    /// Makes a call in this channel.
    pub(crate) async fn carry(&self, call: &Call, channel: Snowflake, application: Snowflake) -> Carried {
        let (method, path) = call.route();
        let method = if method == "PATCH" { Method::PATCH } else { Method::POST };
        let path = path.replace("{channel}", &channel.to_string());
        let path = path.replace("{application}", &application.to_string());
        self.call(method, &path, Some(&call.body), self.timeout).await
    }

    /// Gives the first answer to an interaction, within this time.
    pub(crate) async fn answer(
        &self,
        owed: &Owed,
        answer: &Value,
        within: Duration,
    ) -> Result<(), CallError> {
        let path = format!("interactions/{}/{}/callback", owed.id, owed.token.expose());
        match self.call(Method::POST, &path, Some(answer), within.min(self.timeout)).await.result {
            // It is answered with nothing.
            Ok(_) | Err(CallError::Garbled { status: 200..=299 }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn call(&self, method: Method, path: &str, body: Option<&Value>, within: Duration) -> Carried {
        let mut request = self.http.request(method, self.url(path)).timeout(within);
        if let Some(body) = body {
            request = request.header(header::CONTENT_TYPE, "application/json").body(body.to_string());
        }
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => return Carried { result: Err(unsent_or_lost(error)), told: Told::default() },
        };
        let (status, told) = (response.status(), told(response.headers()));
        let wait = seconds(response.headers(), "retry-after");
        let result = match response.bytes().await {
            Ok(body) => read(status, &body, wait),
            Err(error) => Err(CallError::Lost(error.without_url())),
        };
        Carried { result, told }
    }

    /// Every step of a path is one, whatever is in it.
    fn url(&self, path: &str) -> Url {
        let mut url = self.api_url.clone();
        if let Ok(mut steps) = url.path_segments_mut() {
            steps.pop_if_empty().extend(path.split('/'));
        }
        url
    }
}

/// The address of what follows an interaction holds its token, so no error may show it.
fn unsent_or_lost(error: reqwest::Error) -> CallError {
    let error = error.without_url();
    if error.is_connect() || error.is_builder() { CallError::NotSent(error) } else { CallError::Lost(error) }
}

fn told(headers: &HeaderMap) -> Told {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    Told {
        bucket: text("x-ratelimit-bucket").map(str::to_owned),
        left: text("x-ratelimit-remaining").and_then(|left| left.parse().ok()),
        resets_after: seconds(headers, "x-ratelimit-reset-after"),
    }
}

fn seconds(headers: &HeaderMap, name: &str) -> Option<Duration> {
    let text = headers.get(name)?.to_str().ok()?;
    duration(text.trim().parse().ok()?)
}

fn duration(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok().map(|wait| wait.min(WAIT_MOST))
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Refusal {
    code: u64,
    message: String,
    errors: Value,
    retry_after: Option<f64>,
    global: bool,
}

fn read(status: StatusCode, body: &[u8], wait: Option<Duration>) -> Result<Value, CallError> {
    let garbled = || CallError::Garbled { status: status.as_u16() };
    if status.is_success() {
        return serde_json::from_slice(body).map_err(|_| garbled());
    }
    if status.is_server_error() || status.is_redirection() {
        return Err(garbled());
    }
    let refusal: Refusal = serde_json::from_slice(body).unwrap_or_default();
    // A 429 with a code of its own is about something else than the pace of our calls.
    if status == StatusCode::TOO_MANY_REQUESTS && (refusal.code == 0 || refusal.retry_after.is_some()) {
        let told = refusal.retry_after.and_then(duration).or(wait);
        return Err(CallError::Limited { retry_after: told.unwrap_or(WAIT_UNSAID), global: refusal.global });
    }
    let mut message = refusal.message;
    let mut faults = Vec::new();
    collect(&refusal.errors, String::new(), &mut faults);
    if !faults.is_empty() {
        message = format!("{message}: {}", faults.join("; "));
    }
    if message.is_empty() {
        message = status.canonical_reason().unwrap_or("no reason given").to_owned();
    }
    Err(CallError::Refused { status: status.as_u16(), code: refusal.code, message })
}

/// The faults in a body that was refused, each as `PATH: WORDS`.
fn collect(errors: &Value, path: String, faults: &mut Vec<String>) {
    for (name, inner) in errors.as_object().into_iter().flatten() {
        if name == "_errors" {
            let words = inner.as_array().into_iter().flatten().filter_map(|fault| fault["message"].as_str());
            faults.extend(words.map(|words| format!("{path}: {words}")));
        } else {
            let deeper = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            collect(inner, deeper, faults);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let rows = [
            ("sent", 200, r#"{"id":"12"}"#, "Ok("),
            ("no JSON", 200, "<html>", "Garbled { status: 200 }"),
            ("nothing", 204, "", "Garbled { status: 204 }"),
            ("a proxy's page", 502, "<html>", "Garbled { status: 502 }"),
            ("sent elsewhere", 301, "", "Garbled { status: 301 }"),
            (
                "refused",
                403,
                r#"{"message":"Missing Access","code":50001}"#,
                "code: 50001, message: Missing Access",
            ),
            ("refused without a word", 403, "", "code: 0, message: Forbidden"),
            (
                "wrong in places",
                400,
                r#"{"code":50035,"message":"Invalid Form Body","errors":{"components":{"0":{"components":{"1":{"label":{"_errors":[{"code":"X","message":"Must be 80 or fewer."}]}}}}}}}"#,
                "Invalid Form Body: components.0.components.1.label: Must be 80 or fewer.",
            ),
            (
                "too fast",
                429,
                r#"{"message":"You are being rate limited.","retry_after":1.336,"global":true}"#,
                "Limited { retry_after: 1.336s, global: true }",
            ),
            ("too fast, by a proxy", 429, "<html>", "Limited { retry_after: 7s, global: false }"),
            ("too many edits", 429, r#"{"message":"Maximum","code":30046}"#, "code: 30046"),
        ];
        for (name, status, body, expected) in rows {
            let status = StatusCode::from_u16(status).unwrap();
            let read = read(status, body.as_bytes(), Some(Duration::from_secs(7)));
            let read = format!("{read:?}").replace('"', "");
            assert!(read.contains(expected), "{name}: {read}");
        }
    }

    #[test]
    fn headers_are_read() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("x-ratelimit-bucket", "abcd"),
            ("x-ratelimit-remaining", "4"),
            ("x-ratelimit-reset-after", "0.25"),
            ("retry-after", "1e300"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let after = Some(Duration::from_millis(250));
        assert_eq!(
            told(&headers),
            Told { bucket: Some("abcd".to_owned()), left: Some(4), resets_after: after }
        );
        assert_eq!(seconds(&headers, "retry-after"), None);
        assert_eq!(told(&HeaderMap::new()), Told::default());
    }
}
