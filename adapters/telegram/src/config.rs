//! What the surface is given: one bot's login, how updates come, and the waits and paces it keeps. Reads no configuration
//! file.

use std::time::Duration;

use askrelay_core::id::{Account, AccountName};
use askrelay_core::pace::Pace;
use askrelay_core::time::Time;
use reqwest::Url;
use secrecy::SecretString;

use crate::error::TelegramError;
use crate::limits::POLICY;
use crate::webhook::Webhook;

/// The Surface's name in ids.
pub const SURFACE: &str = "telegram";

/// The platform's own server.
pub const API_URL: &str = "https://api.telegram.org";

/// Everything a run of the surface needs.
#[derive(Debug)]
pub struct Config {
    /// The Account's name.
    pub name: AccountName,
    /// The bot's token, as BotFather gave it.
    pub token: SecretString,
    /// The Bot API server; [`API_URL`] or a self-hosted one.
    pub api_url: Url,
    /// How updates come.
    pub mode: Mode,
    /// Waits and paces.
    pub policy: Policy,
    /// The clock.
    pub now: fn() -> Time,
}

/// How updates come.
#[derive(Debug)]
pub enum Mode {
    /// We ask for them.
    Polling,
    /// The platform calls us; made by [`crate::webhook`].
    Webhook(Webhook),
}

/// Waits and paces. The defaults are the platform's and ours; tests take shorter ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Messages into one chat.
    pub private: Pace,
    /// Messages into one group, beside the pace of any chat.
    pub group: Pace,
    /// Calls of any kind.
    pub overall: Pace,
    /// Edits in one chat.
    pub edits: Pace,
    /// How long an acknowledgement may be held for the words that follow.
    pub toast_wait: Duration,
    /// How long the platform may hold a request for updates.
    pub poll: Duration,
    /// Longest wait for the answer to a call.
    pub call: Duration,
    /// How long the platform is out of reach before the Account is offline.
    pub offline_after: Duration,
    /// First wait before the connection is tried again; grows up to `retry_slowly`.
    pub retry_first: Duration,
    /// Wait where only a person can mend it: a wrong token, a second program on the same bot.
    pub retry_slowly: Duration,
    /// How long updates are waited for to be saved before more are asked for.
    pub save_wait: Duration,
    /// After this long an update that was not saved is delivered once more.
    pub deliver_again: Duration,
    /// How long a webhook's request waits for its update to be saved.
    pub webhook_wait: Duration,
    /// How long Orders may still be carried out after the last one came.
    pub end_wait: Duration,
    /// Most Orders that wait.
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
        Self {
            private: self.private.at_percent(percent),
            group: self.group.at_percent(percent),
            overall: self.overall.at_percent(percent),
            edits: self.edits.at_percent(percent),
            ..self
        }
    }
}

impl Config {
    /// A bot that polls the platform's own server at the default pace.
    ///
    /// # Errors
    /// The token does not look like one.
    pub fn new(name: AccountName, token: SecretString, now: fn() -> Time) -> Result<Self, TelegramError> {
        check_token(&token)?;
        let api_url = Url::parse(API_URL).map_err(|_| TelegramError::ApiUrl)?;
        Ok(Self { name, token, api_url, mode: Mode::Polling, policy: Policy::default(), now })
    }

    /// The Account.
    #[must_use]
    pub fn account(&self) -> Account {
        Account { surface: SURFACE.into(), name: self.name.clone() }
    }
}

/// A token is the bot's id, a colon and a secret; anything else would end up in a path of the server.
fn check_token(token: &SecretString) -> Result<(), TelegramError> {
    use secrecy::ExposeSecret;
    let (id, secret) = token.expose_secret().split_once(':').ok_or(TelegramError::Token)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let looks_right = !id.is_empty()
        && id.bytes().all(|byte| byte.is_ascii_digit())
        && !secret.is_empty()
        && secret.chars().all(plain);
    if looks_right { Ok(()) } else { Err(TelegramError::Token) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_looks_like_one() {
        for (token, fine) in [
            ("4839574812:AAFD39kkdpWt3ywyRZergyOLMaJhac60qc", true),
            ("7000000001:stand-in-0002_x", true),
            ("", false),
            ("4839574812", false),
            (":AAFD39", false),
            ("4839574812:", false),
            ("bot4839574812:AAFD39", false),
            ("4839574812:AAFD/../39", false),
        ] {
            assert_eq!(check_token(&token.into()).is_ok(), fine, "{token}");
        }
    }

    #[test]
    fn nothing_printed_holds_the_token() {
        let token = "4839574812:AAFD39kkdpWt3ywyRZergyOLMaJhac60qc";
        let config = Config::new("main".into(), token.into(), || Time(0)).unwrap();
        assert!(!format!("{config:?}").contains("AAFD39"));
    }
}
