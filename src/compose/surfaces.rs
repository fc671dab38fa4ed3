//! The chat accounts of a ring: what they can show, who may become known to them, and the tasks of those that run here. Knows
//! which accounts there are, and nothing of what they say.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use askrelay_core::ask::{Binding, Creator};
use askrelay_core::id::Account;
use askrelay_core::limits::Limits;
use askrelay_core::person::Scopes;
use askrelay_core::port::{Order, Report};
use askrelay_core::relay::Door;
use askrelay_protocol::call::AskParams;
use askrelay_protocol::frame::Caps;
use askrelay_telegram as telegram;
use axum::Router;
use secrecy::SecretString;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::{OWNER, QUEUE, routes};
use crate::clock;
use crate::config::{Config, Telegram, TokenSource};

/// Why an account cannot run.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Its token is nowhere.
    #[error(
        "{account} has no token; name its file with token_file in [[telegram]], or set ASKRELAY_TELEGRAM_TOKEN for the account main"
    )]
    NoToken {
        /// Which account.
        account: Account,
    },
    /// Its token cannot be read.
    #[error("cannot read the token of {account} in {}", path.display())]
    Token {
        /// Which account.
        account: Account,
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The adapter refuses what it is given.
    #[error("{account} cannot run")]
    Telegram {
        /// Which account.
        account: Account,
        /// Why.
        source: telegram::TelegramError,
    },
}

/// The accounts that run in this process.
#[derive(Debug, Default)]
pub(super) struct Surfaces {
    /// To each of them.
    pub(super) orders: BTreeMap<Account, mpsc::Sender<Order>>,
    /// Each ends when its orders do.
    pub(super) tasks: JoinSet<()>,
    /// What platforms call; for the listener that they can reach.
    pub(super) hooks: Router,
}

/// Every configured account with what it can show.
pub(super) fn limits(config: &Config) -> BTreeMap<Account, Limits> {
    config.telegram.iter().map(|bot| (account(bot), telegram::LIMITS)).collect()
}

/// Who may become known to each account.
pub(super) fn doors(config: &Config) -> BTreeMap<Account, Door> {
    config.telegram.iter().map(|bot| (account(bot), bot.door)).collect()
}

/// Every configured account.
pub fn configured(config: &Config) -> BTreeSet<Account> {
    config.telegram.iter().map(account).collect()
}

/// The configured accounts that an ask of this process is routed to.
pub fn routed(config: &Config, params: &AskParams) -> BTreeSet<Account> {
    let creator =
        Creator { person: Some(OWNER.into()), token: None, binding: Binding::Run, scopes: Scopes::new() };
    // What is wrong with the ask is said where it is asked.
    let Ok(ask) = params.clone().into_ask(creator, Caps { wide: true }) else { return BTreeSet::new() };
    let configured = configured(config);
    let places = routes(config).of(&ask).places;
    places.into_iter().map(|place| place.account).filter(|account| configured.contains(account)).collect()
}

/// Starts the configured accounts that are `wanted` here.
///
/// # Errors
/// [`AccountError`]; nothing is left running then.
pub(super) fn start(
    config: &Config,
    wanted: &BTreeSet<Account>,
    reports: &mpsc::Sender<Report>,
) -> Result<Surfaces, AccountError> {
    let mut surfaces = Surfaces::default();
    for bot in config.telegram.iter().filter(|bot| wanted.contains(&account(bot))) {
        let account = account(bot);
        let (config, hook) = telegram_config(bot, &account)?;
        let (orders, ordered) = mpsc::channel(QUEUE);
        surfaces.tasks.spawn(telegram::run(config, ordered, reports.clone()));
        surfaces.hooks = surfaces.hooks.merge(hook);
        surfaces.orders.insert(account, orders);
    }
    Ok(surfaces)
}

fn telegram_config(bot: &Telegram, account: &Account) -> Result<(telegram::Config, Router), AccountError> {
    let refused = |source| AccountError::Telegram { account: account.clone(), source };
    let token = token(bot, account)?;
    let mut config = telegram::Config::new(bot.name.as_str().into(), token, clock::now).map_err(refused)?;
    config.policy = config.policy.at_percent(bot.pace_percent);
    if let Some(url) = &bot.api_url {
        config.api_url = telegram::Url::parse(url).map_err(|_| refused(telegram::TelegramError::ApiUrl))?;
    }
    let Some(url) = hook(bot) else { return Ok((config, Router::new())) };
    let path = url.path().to_owned();
    // Made anew with every start, and told to the platform then.
    let secret = SecretString::from(clock::fresh_hex());
    let (webhook, route) = telegram::webhook(url, secret, &config.policy).map_err(refused)?;
    config.mode = telegram::Mode::Webhook(webhook);
    Ok((config, Router::new().nest(&path, route)))
}

/// Where the platform calls a bot, at a path of its own if the configuration names none.
fn hook(bot: &Telegram) -> Option<telegram::Url> {
    let mut url = telegram::Url::parse(bot.webhook_url.as_deref()?).ok()?;
    if url.path() == "/" {
        url.set_path(&format!("/telegram/{}", bot.name));
    }
    Some(url)
}

/// The names under which platforms call this ring.
pub(super) fn hosts(config: &Config) -> Vec<String> {
    config.telegram.iter().filter_map(hook).filter_map(|url| Some(url.host_str()?.to_owned())).collect()
}

fn token(bot: &Telegram, account: &Account) -> Result<SecretString, AccountError> {
    match &bot.token {
        TokenSource::Given(token) => Ok(token.clone()),
        TokenSource::Missing => Err(AccountError::NoToken { account: account.clone() }),
        TokenSource::File(path) => {
            let failed =
                |source| AccountError::Token { account: account.clone(), path: path.clone(), source };
            let text = std::fs::read_to_string(path).map_err(failed)?;
            Ok(SecretString::from(text.trim()))
        }
    }
}

fn account(bot: &Telegram) -> Account {
    Account { surface: telegram::SURFACE.into(), name: bot.name.as_str().into() }
}
