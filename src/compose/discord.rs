//! Discord accounts: from what the configuration says to what the adapter takes. Reads no file itself.

use askrelay_core::id::{Account, Place};
use askrelay_discord as discord;
use axum::Router;

use super::check::Shape;
use super::secrets::secret;
use super::surfaces::{AccountError, Kind, Looking, Ready};
use crate::clock;
use crate::config::ChatAccount;

/// The surface.
pub(super) const KIND: Kind = Kind {
    name: discord::SURFACE,
    limits: discord::LIMITS,
    preview: discord::preview,
    user: Shape { fits: discord::is_id, example: "80351110224678912" },
    conversation: Shape {
        fits: discord::is_conversation,
        example: "41771983423143937, or @80351110224678912 for a person",
    },
    role: Some(Shape { fits: discord::is_id, example: "41771983423143936" }),
    look: Some(look),
    ready,
};

fn look(of: &ChatAccount, account: &Account, places: Vec<Place>) -> Result<Looking, AccountError> {
    let config = configured(of, account, places)?;
    Ok(Box::pin(async move { discord::check(&config).await.unwrap_or_else(|error| vec![error.to_string()]) }))
}

fn ready(of: &ChatAccount, account: &Account, places: Vec<Place>) -> Result<Ready, AccountError> {
    let config = configured(of, account, places)?;
    let run = Box::new(move |orders, reports| Box::pin(discord::run(config, orders, reports)) as _);
    Ok(Ready { run, hook: Router::new() })
}

fn configured(
    of: &ChatAccount,
    account: &Account,
    places: Vec<Place>,
) -> Result<discord::Config, AccountError> {
    let refused = |source: discord::DiscordError| AccountError::Refused {
        account: account.clone(),
        source: source.into(),
    };
    let token = secret(of, account, "token_file")?;
    let mut config = discord::Config::new(of.name.as_str().into(), token, clock::now).map_err(refused)?;
    config.policy = config.policy.at_percent(of.pace_percent);
    config.roles = of.roles.clone();
    config.places = places.into_iter().map(|place| place.conversation).collect();
    if let Some(url) = of.urls.get("api_url") {
        config.api_url = discord::Url::parse(url).map_err(|_| refused(discord::DiscordError::ApiUrl))?;
    }
    if let Some(url) = of.urls.get("gateway_url") {
        let url = discord::Url::parse(url).map_err(|_| refused(discord::DiscordError::GatewayUrl))?;
        config.gateway_url = Some(url);
    }
    Ok(config)
}
