//! Calls of the Web API over HTTP. One try each: whether and when something is repeated is the outbox's and the inbox's business.
//! Not slack-morphism's own client, since that neither ends a call nor tells whether one that failed had left us.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::{StatusCode, Url, header};
use secrecy::{ExposeSecret, SecretString};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use slack_morphism::prelude::{SlackApiPostWebhookMessageRequest, SlackApiViewsOpenRequest};
use tokio::sync::watch;

use crate::config::Config;
use crate::decode::Me;
use crate::encode::Call;
use crate::error::{CallError, SlackError};

/// How long a connection may take to stand. Own choice, 2026-11.
const CONNECT: Duration = Duration::from_secs(5);

/// Scopes without which something does not work (docs.slack.dev/reference/scopes; 2026-11).
const SCOPES: [&str; 4] = ["chat:write", "im:write", "im:history", "app_mentions:read"];

/// Longest wait that a server may ask for, in seconds: a day. A number without a bound would leave the clock.
const WAIT_MAX: u64 = 24 * 60 * 60;

/// Workspaces in one answer, the most that Slack gives (docs.slack.dev/reference/methods/auth.teams.list; 2026-12).
const TEAM_PAGE: &str = "1000";
/// Most answers that are asked for. Own choice, 2026-12.
const TEAM_PAGES: usize = 20;

fn wait_of(seconds: u64) -> Duration {
    Duration::from_secs(seconds.min(WAIT_MAX))
}

/// An app's connection to the Web API.
#[derive(Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    api_url: Url,
    token: SecretString,
    timeout: Duration,
    /// The word by which the bot's token was refused at last, in any call that somebody ordered.
    refused: watch::Sender<Option<String>>,
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    ok: bool,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    needed: Option<String>,
    #[serde(default)]
    response_metadata: Metadata,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    messages: Vec<String>,
    #[serde(default)]
    next_cursor: Option<String>,
}

/// What `auth.test` says; slack-morphism's type does not know organisations.
#[derive(Deserialize)]
struct Identified {
    user_id: String,
    team_id: String,
    #[serde(default)]
    user: Option<String>,
    #[serde(default)]
    bot_id: Option<String>,
    #[serde(default)]
    enterprise_id: Option<String>,
    #[serde(default)]
    is_enterprise_install: bool,
}

#[derive(Deserialize)]
struct Teams {
    teams: Vec<Team>,
    #[serde(default)]
    response_metadata: Metadata,
}

#[derive(Deserialize)]
struct Team {
    id: String,
}

#[derive(Deserialize)]
struct Sent {
    ts: String,
}

#[derive(Deserialize)]
struct Opened {
    channel: Channel,
}

#[derive(Deserialize)]
struct Channel {
    id: String,
}

#[derive(Deserialize)]
struct Way {
    url: String,
}

/// Whom a conversation is with; slack-morphism's type sends a list, where the platform wants words.
#[derive(Serialize)]
struct With<'a> {
    users: &'a str,
}

/// A call without parameters.
#[derive(Serialize)]
struct Nothing {}

impl Client {
    pub(crate) fn new(config: &Config) -> Result<Self, SlackError> {
        if !matches!(config.api_url.scheme(), "http" | "https") || config.api_url.cannot_be_a_base() {
            return Err(SlackError::ApiUrl);
        }
        let builder = reqwest::Client::builder().connect_timeout(CONNECT).tcp_nodelay(true);
        let mut builder = builder.redirect(reqwest::redirect::Policy::none()).referer(false);
        // A server on this machine is never behind a proxy.
        if matches!(config.api_url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| SlackError::Client(error.without_url()))?;
        let (api_url, token) = (config.api_url.clone(), config.token.clone());
        Ok(Self { http, api_url, token, timeout: config.policy.call, refused: watch::Sender::new(None) })
    }

    /// Tells of refusals of the bot's token, but for those of a look: whoever looks knows.
    pub(crate) fn refusals(&self) -> watch::Receiver<Option<String>> {
        self.refused.subscribe()
    }

    /// Who the bot is, and which scopes it lacks.
    pub(crate) async fn me(&self) -> Result<(Me, Vec<&'static str>), CallError> {
        let (said, granted): (Identified, _) = self.call_by(&self.token, "auth.test", &Nothing {}).await?;
        let teams = match said.is_enterprise_install {
            true => self.teams().await,
            false => BTreeSet::new(),
        };
        let me = Me {
            user: said.user_id,
            bot: said.bot_id,
            team: said.team_id,
            enterprise: said.enterprise_id,
            everywhere: said.is_enterprise_install,
            teams,
            handle: said.user,
        };
        let has = |scope: &&str| granted.iter().any(|granted| granted == scope);
        // A server that says nothing about scopes lacks none that we know of.
        let lacks = SCOPES.into_iter().filter(|scope| !granted.is_empty() && !has(scope)).collect();
        Ok((me, lacks))
    }

    /// The workspaces of the organisation in all of which the app is installed, as far as Slack tells them.
    async fn teams(&self) -> BTreeSet<String> {
        let (mut teams, mut cursor) = (BTreeSet::new(), None);
        for _ in 0..TEAM_PAGES {
            // It takes no JSON.
            let mut form = self.url("auth.teams.list");
            form.query_pairs_mut()
                .append_pair("limit", TEAM_PAGE)
                .extend_pairs(cursor.map(|at| ("cursor", at)));
            let body = form.query().unwrap_or_default().as_bytes().to_vec();
            let page = self.send::<Teams>("auth.teams.list", FORM, body, &self.token).await;
            let (page, _) = match page {
                Ok(page) => page,
                Err(error) => {
                    tracing::debug!(%error, "the workspaces of the organisation are not all known");
                    return teams;
                }
            };
            teams.extend(page.teams.into_iter().map(|team| team.id));
            cursor = page.response_metadata.next_cursor.filter(|cursor| !cursor.is_empty());
            if cursor.is_none() {
                break;
            }
        }
        teams
    }

    /// Where a socket can be opened now, once; nobody else may know the address.
    pub(crate) async fn way_in(&self, app_token: &SecretString) -> Result<SecretString, CallError> {
        let (way, _) = self.call_by::<Way>(app_token, "apps.connections.open", &Nothing {}).await?;
        Ok(SecretString::from(way.url))
    }

    /// The channel of the direct conversation with this user, opened where it was not.
    pub(crate) async fn direct(&self, user: &str) -> Result<String, CallError> {
        let with = With { users: user };
        let opened = self.call::<Opened>("conversations.open", &with).await?;
        Ok(opened.channel.id)
    }

    /// Makes a call; a new message has a `ts`.
    pub(crate) async fn carry(&self, call: &Call) -> Result<Option<String>, CallError> {
        match call {
            Call::Post(_) | Call::Update(_) => {
                let sent = self.call::<Sent>(call.method(), call).await?;
                Ok(Some(sent.ts))
            }
            // It has a `ts` with which nothing can be done.
            Call::Whisper(_) => self.call::<IgnoredAny>(call.method(), call).await.map(|_| None),
        }
    }

    /// Opens a modal.
    pub(crate) async fn open(&self, request: &SlackApiViewsOpenRequest) -> Result<(), CallError> {
        self.call::<IgnoredAny>("views.open", request).await.map(drop)
    }

    /// Says something by the address that came with a press.
    pub(crate) async fn respond(
        &self,
        url: Url,
        words: &SlackApiPostWebhookMessageRequest,
    ) -> Result<(), CallError> {
        // Strings and blocks always serialize.
        let body = serde_json::to_vec(words).unwrap_or_default();
        let request = self.http.post(url).timeout(self.timeout).header(header::CONTENT_TYPE, JSON).body(body);
        let response = request.send().await.map_err(unsent_or_lost)?;
        match response.status() {
            StatusCode::OK => Ok(()),
            status => Err(CallError::Garbled { status: status.as_u16() }),
        }
    }

    /// The result of a call with the bot's token.
    async fn call<R: DeserializeOwned>(
        &self,
        method: &str,
        payload: &impl Serialize,
    ) -> Result<R, CallError> {
        let result = self.call_by(&self.token, method, payload).await;
        if let Some(refused) = result.as_ref().err().and_then(CallError::token_refused) {
            self.refused.send_replace(Some(refused.to_owned()));
        }
        result.map(|(result, _)| result)
    }

    /// The result, and the scopes of the token.
    async fn call_by<R: DeserializeOwned>(
        &self,
        token: &SecretString,
        method: &str,
        payload: &impl Serialize,
    ) -> Result<(R, Vec<String>), CallError> {
        // Strings and blocks always serialize.
        let body = serde_json::to_vec(payload).unwrap_or_default();
        self.send(method, JSON, body, token).await
    }

    async fn send<R: DeserializeOwned>(
        &self,
        method: &str,
        kind: &str,
        body: Vec<u8>,
        token: &SecretString,
    ) -> Result<(R, Vec<String>), CallError> {
        let request = self.http.post(self.url(method)).timeout(self.timeout);
        let request =
            request.bearer_auth(token.expose_secret()).header(header::CONTENT_TYPE, kind).body(body);
        let response = request.send().await.map_err(unsent_or_lost)?;
        let (status, headers) = (response.status(), response.headers().clone());
        let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let retry_after = said("retry-after").and_then(|seconds| seconds.parse().ok()).map(wait_of);
        let scopes = said("x-oauth-scopes").unwrap_or_default();
        let scopes = scopes.split(',').map(|scope| scope.trim().to_owned()).filter(|scope| !scope.is_empty());
        let scopes = scopes.collect();
        let body = response.bytes().await.map_err(|error| CallError::Lost(error.without_url()))?;
        Ok((read(status, retry_after, &body)?, scopes))
    }

    fn url(&self, method: &str) -> Url {
        let mut url = self.api_url.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push(method);
        }
        url
    }
}

const JSON: &str = "application/json; charset=utf-8";
const FORM: &str = "application/x-www-form-urlencoded";

/// Addresses of responses are as good as tokens, so no error may show one.
fn unsent_or_lost(error: reqwest::Error) -> CallError {
    let error = error.without_url();
    if error.is_connect() || error.is_builder() { CallError::NotSent(error) } else { CallError::Lost(error) }
}

fn read<R: DeserializeOwned>(
    status: StatusCode,
    retry_after: Option<Duration>,
    body: &[u8],
) -> Result<R, CallError> {
    let garbled = || CallError::Garbled { status: status.as_u16() };
    if status == StatusCode::TOO_MANY_REQUESTS {
        return Err(CallError::Flood { retry_after });
    }
    if status.is_server_error() {
        return Err(garbled());
    }
    let envelope: Envelope = serde_json::from_slice(body).map_err(|_| garbled())?;
    if envelope.ok {
        return serde_json::from_slice(body).map_err(|_| garbled());
    }
    match envelope.error {
        Some(error) if error == "ratelimited" => Err(CallError::Flood { retry_after }),
        Some(error) => Err(CallError::Refused {
            error,
            needed: envelope.needed,
            details: envelope.response_metadata.messages,
        }),
        None => Err(garbled()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let rows = [
            ("sent", 200, r#"{"ok":true,"channel":"C1","ts":"1.000001"}"#, "Ok(1.000001)"),
            ("of the wrong shape", 200, r#"{"ok":true,"ts":5}"#, "Garbled { status: 200 }"),
            ("no JSON", 200, "<html>", "Garbled { status: 200 }"),
            ("nothing", 200, "", "Garbled { status: 200 }"),
            ("a proxy's page", 502, "<html>", "Garbled { status: 502 }"),
            ("a server error", 500, r#"{"ok":false,"error":"internal_error"}"#, "Garbled { status: 500 }"),
            ("refused", 200, r#"{"ok":false,"error":"is_archived"}"#, "error: is_archived"),
            (
                "without a scope",
                200,
                r#"{"ok":false,"error":"missing_scope","needed":"im:write"}"#,
                "im:write",
            ),
            (
                "explained",
                200,
                r#"{"ok":false,"error":"invalid_blocks","response_metadata":{"messages":["[ERROR] x"]}}"#,
                "[[ERROR] x]",
            ),
            ("too fast", 429, r#"{"ok":false,"error":"ratelimited"}"#, "Flood { retry_after: Some(35s) }"),
            ("too fast, by a word", 200, r#"{"ok":false,"error":"ratelimited"}"#, "Flood"),
        ];
        for (name, status, body, expected) in rows {
            let status = StatusCode::from_u16(status).unwrap();
            let read =
                read::<Sent>(status, Some(Duration::from_secs(35)), body.as_bytes()).map(|sent| sent.ts);
            let read = format!("{read:?}").replace('"', "");
            assert!(read.contains(expected), "{name}: {read}");
        }
    }
}
