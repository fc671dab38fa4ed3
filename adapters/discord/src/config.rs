//! What the surface is given: one bot's login, where the platform is, who has rights by their roles, and the waits and paces it
//! keeps. Reads no configuration file.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use askrelay_core::id::{Account, AccountName, ConversationId};
use askrelay_core::pace::Pace;
use askrelay_core::person::Scopes;
use askrelay_core::time::Time;
use reqwest::Url;
use secrecy::SecretString;

use crate::error::DiscordError;
use crate::limits::POLICY;

/// The Surface's name in ids.
pub const SURFACE: &str = "discord";

/// The platform's own REST base.
pub const API_URL: &str = "https://discord.com/api/v10";

/// Everything a run of the surface needs.
pub struct Config {
    /// The Account's name.
    pub name: AccountName,
    /// The bot's token, as the developer portal gave it.
    pub token: SecretString,
    /// The REST base; [`API_URL`] or a proxy's.
    pub api_url: Url,
    /// The gateway's address (`ws` or `wss`); none where the REST base is asked for it. No other host is connected to.
    pub gateway_url: Option<Url>,
    /// The rights that a server's roles give, by the role's id.
    pub roles: Roles,
    /// Conversations that are looked at when the bot comes online: whether it may write there.
    pub places: Vec<ConversationId>,
    /// Waits and paces.
    pub policy: Policy,
    /// The clock.
    pub now: fn() -> Time,
}

/// The rights that roles give, by the role's id.
pub type Roles = BTreeMap<String, Scopes>;

/// Waits and paces. The defaults are the platform's and ours; tests take shorter ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Calls of any kind but answers to interactions. What each kind of call may do is learnt from the platform.
    pub overall: Pace,
    /// Calls by which it is looked at what the bot may do.
    pub looks: Pace,
    /// How long somebody waits who asks what the bot may do.
    pub look_within: Duration,
    /// How long an interaction waits for its `Order::Acknowledge` before it is acknowledged in silence.
    pub acknowledge_after: Duration,
    /// How long after it came an interaction can be answered.
    pub answer_within: Duration,
    /// Longest wait for the answer to a call.
    pub call: Duration,
    /// How long until a call whose outcome nobody knows is made again.
    pub send_again: Duration,
    /// How often such a call is made in all.
    pub tries: u32,
    /// How long the gateway is out of reach before the Account is offline.
    pub offline_after: Duration,
    /// First wait before the connection is tried again; grows up to `retry_slowly`.
    pub retry_first: Duration,
    /// Wait where only a person can mend it, such as a wrong token.
    pub retry_slowly: Duration,
    /// Longest wait before a new session is asked for after the old one was refused.
    pub identify_wait: Duration,
    /// Longest wait for the gateway's greeting, and for its answer to ours.
    pub hello_wait: Duration,
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
    /// The same with our pace at this many hundredths of the platform's own.
    #[must_use]
    pub fn at_percent(self, percent: u32) -> Self {
        Self { overall: self.overall.at_percent(percent), ..self }
    }
}

/// Neither the token nor what an address holds for a proxy.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("name", &self.name)
            .field("token", &self.token)
            .field("api_url", &origin(&self.api_url))
            .field("gateway_url", &self.gateway_url.as_ref().map(origin))
            .field("roles", &self.roles)
            .field("places", &self.places)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

/// Scheme, host and port of an address: all that may be printed of it.
pub(crate) fn origin(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}", url.scheme(), url.host_str().unwrap_or_default())
}

impl Config {
    /// A bot at the platform's own address, at the default pace.
    ///
    /// # Errors
    /// The token does not look like one.
    pub fn new(name: AccountName, token: SecretString, now: fn() -> Time) -> Result<Self, DiscordError> {
        check_token(&token)?;
        Ok(Self {
            name,
            token,
            api_url: Url::parse(API_URL).map_err(|_| DiscordError::ApiUrl)?,
            gateway_url: None,
            roles: Roles::new(),
            places: Vec::new(),
            policy: Policy::default(),
            now,
        })
    }

    /// The Account.
    #[must_use]
    pub fn account(&self) -> Account {
        Account { surface: SURFACE.into(), name: self.name.clone() }
    }
}

/// A token is three parts with points between them; anything else would be refused, or end up in a header.
fn check_token(token: &SecretString) -> Result<(), DiscordError> {
    use secrecy::ExposeSecret;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let parts: Vec<&str> = token.expose_secret().split('.').collect();
    let looks_right =
        parts.len() == 3 && parts.iter().all(|part| !part.is_empty() && part.chars().all(plain));
    if looks_right { Ok(()) } else { Err(DiscordError::Token) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_looks_like_one() {
        for (token, fine) in [
            ("MTIzNDU2Nzg5MDEyMzQ1Njc4.GxYz12.abc_DEF-ghi", true),
            ("stand-in.0001.x", true),
            ("", false),
            ("MTIzNDU2Nzg5MDEyMzQ1Njc4", false),
            ("Bot MTIz.Gx.abc", false),
            ("MTIz..abc", false),
            ("MTIz.Gx.abc\n", false),
            ("MTIz.Gx.abc.def", false),
        ] {
            assert_eq!(check_token(&token.into()).is_ok(), fine, "{token}");
        }
    }

    #[test]
    fn nothing_printed_holds_a_secret() {
        let mut config = Config::new("main".into(), "MTIz.Gx.secret".into(), || Time(0)).unwrap();
        config.api_url = Url::parse("https://user:secret@proxy.example:8443/api?key=secret").unwrap();
        config.gateway_url = Some(Url::parse("wss://user:secret@proxy.example/?key=secret").unwrap());
        let client = crate::client::Client::new(&config).unwrap();
        for printed in [format!("{config:?}"), format!("{client:?}"), format!("{client:#?}")] {
            assert!(!printed.contains("secret"), "{printed}");
            assert!(printed.contains("https://proxy.example:8443"), "{printed}");
        }
    }
}
