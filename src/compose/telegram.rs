//! Telegram accounts: from what the configuration says to what the adapter takes. Reads no file itself.

use askrelay_core::id::{Account, Place};
use askrelay_telegram as telegram;
use axum::Router;
use secrecy::SecretString;

use super::check::Shape;
use super::secrets::secret;
use super::surfaces::{AccountError, Kind, Ready};
use super::webhook::webhook_url;
use crate::clock;
use crate::config::ChatAccount;

/// The surface.
pub(super) const KIND: Kind = Kind {
    name: telegram::SURFACE,
    limits: telegram::LIMITS,
    preview: telegram::preview,
    user: Shape { fits: telegram::is_user, example: "700100" },
    conversation: Shape {
        fits: telegram::is_conversation,
        example: "700100 for a person, or -1001234567890 for a group",
    },
    role: None,
    // A bot lacks nothing there that its platform could tell.
    look: None,
    ready,
};

fn ready(of: &ChatAccount, account: &Account, _places: Vec<Place>) -> Result<Ready, AccountError> {
    let refused = |source: telegram::TelegramError| AccountError::Refused {
        account: account.clone(),
        source: source.into(),
    };
    let token = secret(of, account, "token_file")?;
    let mut config = telegram::Config::new(of.name.as_str().into(), token, clock::now).map_err(refused)?;
    config.policy = config.policy.at_percent(of.pace_percent);
    if let Some(url) = of.urls.get("api_url") {
        config.api_url = telegram::Url::parse(url).map_err(|_| refused(telegram::TelegramError::ApiUrl))?;
    }
    let mut called = Router::new();
    if let Some(url) = webhook_url(of) {
        let path = url.path().to_owned();
        // Made anew with every start, and told to the platform then.
        let secret = SecretString::from(clock::fresh_hex());
        let (webhook, route) = telegram::webhook(url, secret, &config.policy).map_err(refused)?;
        config.mode = telegram::Mode::Webhook(webhook);
        called = called.nest(&path, route);
    }
    let run = Box::new(move |orders, reports| Box::pin(telegram::run(config, orders, reports)) as _);
    Ok(Ready { run, hook: called })
}
