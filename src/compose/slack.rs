//! Slack accounts: from what the configuration says to what the adapter takes. Reads no file itself.

use askrelay_core::id::{Account, Place};
use askrelay_slack as slack;
use axum::Router;

use super::check::Shape;
use super::secrets::secret;
use super::surfaces::{AccountError, Kind, Looking, Ready};
use super::webhook::webhook_url;
use crate::clock;
use crate::config::ChatAccount;

/// The surface.
pub(super) const KIND: Kind = Kind {
    name: slack::SURFACE,
    limits: slack::LIMITS,
    preview: slack::preview,
    user: Shape { fits: slack::is_user, example: "T024BE7LD/U024BE7LH" },
    conversation: Shape { fits: slack::is_conversation, example: "C024BE91L, or @U024BE7LH for a person" },
    role: None,
    look: Some(look),
    ready,
};

fn look(of: &ChatAccount, account: &Account, _places: Vec<Place>) -> Result<Looking, AccountError> {
    let (config, _) = configured(of, account)?;
    Ok(Box::pin(async move { slack::check(&config).await.unwrap_or_else(|error| vec![error.to_string()]) }))
}

fn ready(of: &ChatAccount, account: &Account, _places: Vec<Place>) -> Result<Ready, AccountError> {
    let (config, hook) = configured(of, account)?;
    let run = Box::new(move |orders, reports| Box::pin(slack::run(config, orders, reports)) as _);
    Ok(Ready { run, hook })
}

fn configured(of: &ChatAccount, account: &Account) -> Result<(slack::Config, Router), AccountError> {
    let refused =
        |source: slack::SlackError| AccountError::Refused { account: account.clone(), source: source.into() };
    let token = secret(of, account, "token_file")?;
    let policy = slack::Policy::default().at_percent(of.pace_percent);
    let (mode, hook) = match webhook_url(of) {
        Some(url) => {
            let signing_secret = secret(of, account, "signing_secret_file")?;
            let (webhook, route) = slack::webhook(signing_secret, &policy, clock::now).map_err(refused)?;
            (slack::Mode::Webhook(webhook), Router::new().nest(url.path(), route))
        }
        None => (slack::Mode::Socket(secret(of, account, "app_token_file")?), Router::new()),
    };
    let mut config = slack::Config::new(of.name.as_str().into(), token, mode, clock::now).map_err(refused)?;
    config.policy = policy;
    if let Some(url) = of.urls.get("api_url") {
        config.api_url = slack::Url::parse(url).map_err(|_| refused(slack::SlackError::ApiUrl))?;
    }
    Ok((config, hook))
}
