//! What the surface is given: one app's tokens, how events come, and the waits and paces it keeps. Reads no configuration
//! file.

use std::time::Duration;

use askrelay_core::id::{Account, AccountName};
use askrelay_core::pace::Pace;
use askrelay_core::time::Time;
use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};

use crate::error::SlackError;
use crate::limits::POLICY;
use crate::webhook::Webhook;

/// The Surface's name in ids.
pub const SURFACE: &str = "slack";

/// The platform's own Web API.
pub const API_URL: &str = "https://slack.com/api";

/// Everything a run of the surface needs.
#[derive(Debug)]
pub struct Config {
    /// The Account's name.
    pub name: AccountName,
    /// The bot's token (`xoxb-`).
    pub token: SecretString,
    /// The Web API; [`API_URL`] or a proxy's.
    pub api_url: Url,
    /// How events come.
    pub mode: Mode,
    /// Waits and paces.
    pub policy: Policy,
    /// The clock.
    pub now: fn() -> Time,
}

/// How events and interactions come.
#[derive(Debug)]
pub enum Mode {
    /// We connect to the platform, with the app's own token (`xapp-`); needs no inbound address.
    Socket(SecretString),
    /// The platform calls us; made by [`crate::webhook`].
    Webhook(Webhook),
}

/// Waits and paces. The defaults are the platform's and ours; tests take shorter ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Messages into one conversation.
    pub messages: Pace,
    /// Edits in all conversations together.
    pub edits: Pace,
    /// Longest wait for the answer to a call.
    pub call: Duration,
    /// After this long an interaction is acknowledged in silence, whatever the relay does.
    pub acknowledge_after: Duration,
    /// How long a socket may say nothing before it is tried, and then before it is given up.
    pub quiet: Duration,
    /// How long a socket that is about to end is still listened to beside the new one.
    pub overlap: Duration,
    /// How long the platform is out of reach before the Account is offline.
    pub offline_after: Duration,
    /// First wait before the connection is tried again; grows up to `retry_slowly`.
    pub retry_first: Duration,
    /// Wait where only a person can mend it (a wrong token), and between looks at the platform where it calls us.
    pub retry_slowly: Duration,
    /// How long Orders may still be carried out after the last one came.
    pub end_wait: Duration,
    /// Most Orders that wait, and most Reports.
    pub queue: usize,
    /// Most Orders remembered after they were carried out.
    pub remembered: usize,
}

impl Default for Policy {
    fn default() -> Self {
        POLICY
    }
}

impl Policy {
    /// The same with every pace at this many hundredths of the platform's own.
    #[must_use]
    pub fn at_percent(self, percent: u32) -> Self {
        Self { messages: self.messages.at_percent(percent), edits: self.edits.at_percent(percent), ..self }
    }
}

impl Config {
    /// A bot at the platform's own server and at the default pace.
    ///
    /// # Errors
    /// A token does not look like one of its kind.
    pub fn new(
        name: AccountName,
        token: SecretString,
        mode: Mode,
        now: fn() -> Time,
    ) -> Result<Self, SlackError> {
        if !is_token(&token, &["xoxb-", "xoxe.xoxb-"]) {
            return Err(SlackError::Token);
        }
        if let Mode::Socket(app_token) = &mode
            && !is_token(app_token, &["xapp-"])
        {
            return Err(SlackError::AppToken);
        }
        let api_url = Url::parse(API_URL).map_err(|_| SlackError::ApiUrl)?;
        Ok(Self { name, token, api_url, mode, policy: Policy::default(), now })
    }

    /// The Account.
    #[must_use]
    pub fn account(&self) -> Account {
        Account { surface: SURFACE.into(), name: self.name.clone() }
    }
}

/// A token says by its beginning what it is good for; anything but plain characters would not go through a header.
fn is_token(token: &SecretString, kinds: &[&str]) -> bool {
    let text = token.expose_secret();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    kinds.iter().any(|kind| text.len() > kind.len() && text.starts_with(kind)) && text.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(token: &str, app_token: &str) -> Result<Config, SlackError> {
        Config::new("main".into(), token.into(), Mode::Socket(app_token.into()), || Time(0))
    }

    #[test]
    fn tokens_look_like_their_kind() {
        for (token, app_token, fault) in [
            ("xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcBrzbqgy", "xapp-1-A02-3-f", None),
            ("xoxe.xoxb-1-MS0y", "xapp-1-A02-3-f", None),
            ("xapp-1-A02-3-f", "xapp-1-A02-3-f", Some("bot token")),
            ("xoxp-1", "xapp-1-A02-3-f", Some("bot token")),
            ("xoxb-", "xapp-1-A02-3-f", Some("bot token")),
            ("xoxb-1\nx", "xapp-1-A02-3-f", Some("bot token")),
            ("xoxb-1", "xoxb-1", Some("app-level token")),
            ("xoxb-1", "", Some("app-level token")),
        ] {
            let said = config(token, app_token).map_err(|error| error.to_string()).err();
            assert_eq!(said.is_some(), fault.is_some(), "{token} {app_token}");
            if let (Some(said), Some(fault)) = (said, fault) {
                assert!(said.contains(fault), "{said}");
            }
        }
    }

    #[test]
    fn nothing_printed_holds_a_token() {
        let config = config("xoxb-1-secret", "xapp-1-secret").unwrap();
        assert!(!format!("{config:?}").contains("secret-"), "{config:?}");
        assert!(!format!("{config:?}").contains("-secret"), "{config:?}");
    }
}
