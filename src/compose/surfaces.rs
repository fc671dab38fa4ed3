//! The chat accounts of a ring: what they can show, who may become known to them, and the tasks of those that run here. Knows
//! which accounts there are, and nothing of what they say.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;

use askrelay_core::ask::{Binding, Creator};
use askrelay_core::id::{Account, Place};
use askrelay_core::limits::Limits;
use askrelay_core::person::Scopes;
use askrelay_core::port::{Order, Report};
use askrelay_core::prompt::Prompt;
use askrelay_core::relay::Door;
use askrelay_protocol::call::AskParams;
use askrelay_protocol::frame::Caps;
use axum::Router;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tracing::warn;

use super::check::{Shape, warnings};
use super::{OWNER, QUEUE, routes, webhook};
use crate::config::{ChatAccount, Config};

/// One surface that chat accounts can be on. A new one is a line in [`KINDS`], a file beside this one, and its keys in
/// [`crate::config::TABLES`].
pub struct Kind {
    /// Its name in ids.
    pub name: &'static str,
    /// What it can show.
    pub limits: Limits,
    /// What it sends for a Prompt, for people to look at.
    pub preview: fn(&Prompt) -> String,
    /// How the id of a user looks there.
    pub user: Shape,
    /// How the id of a conversation looks there.
    pub conversation: Shape,
    /// How the id of a role looks there, if there are roles that can give rights.
    pub role: Option<Shape>,
    /// Asks its platform what an account lacks there.
    pub(super) look: Option<Look>,
    /// Makes one account ready to run; whatever is wrong with what it is given is said now.
    pub(super) ready: fn(&ChatAccount, &Account, Vec<Place>) -> Result<Ready, AccountError>,
}

/// Every surface of this build.
pub const KINDS: &[Kind] = &[
    #[cfg(feature = "telegram")]
    super::telegram::KIND,
    #[cfg(feature = "discord")]
    super::discord::KIND,
    #[cfg(feature = "slack")]
    super::slack::KIND,
];

/// One account that is ready to run.
pub(super) struct Ready {
    pub(super) run: Box<dyn FnOnce(mpsc::Receiver<Order>, mpsc::Sender<Report>) -> Running + Send>,
    /// What its platform calls.
    pub(super) hook: Router,
}

/// What an account lacks on its platform, each in plain words.
pub(super) type Looking = Pin<Box<dyn Future<Output = Vec<String>>>>;

/// How it is asked for.
pub(super) type Look = fn(&ChatAccount, &Account, Vec<Place>) -> Result<Looking, AccountError>;

/// A running surface.
pub(super) type Running = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Why an account cannot run.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// One of its secrets is nowhere.
    #[error("{account} has no {key}; name the file with {key} in [[{}]]{}", account.surface, or_variable(account, variable))]
    NoSecret {
        /// Which account.
        account: Account,
        /// The key that would name its file.
        key: &'static str,
        /// The variable that would hold it for the account `main`.
        variable: &'static str,
    },
    /// One of its secrets cannot be read.
    #[error("cannot read the {key} of {account}, {}", path.display())]
    Secret {
        /// Which account.
        account: Account,
        /// The key.
        key: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its platform could not call it.
    #[error("{account} cannot be called: {key}.webhook_url {what}")]
    Webhook {
        /// Which account.
        account: Account,
        /// Its table in the configuration.
        key: String,
        /// What is wrong with the address, and what would be right.
        what: String,
    },
    /// The adapter refuses what it is given.
    #[error("{account} cannot run")]
    Refused {
        /// Which account.
        account: Account,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
    /// This build knows no such surface.
    #[error("this build of askrelay has no {}; take [[{}]] out, or another build", account.surface, account.surface)]
    NotBuilt {
        /// Which account.
        account: Account,
    },
}

fn or_variable(account: &Account, variable: &str) -> String {
    if account.name.as_str() == "main" { format!(", or set {variable}") } else { String::new() }
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

pub(super) fn kind(of: &ChatAccount) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == of.table.surface)
}

/// Every configured account with what it can show.
pub(super) fn limits(config: &Config) -> BTreeMap<Account, Limits> {
    let limits = |of: &ChatAccount| Some((account(of), kind(of)?.limits.clone()));
    config.accounts.iter().filter_map(limits).collect()
}

/// Who may become known to each account.
pub(super) fn doors(config: &Config) -> BTreeMap<Account, Door> {
    config.accounts.iter().map(|of| (account(of), of.door)).collect()
}

/// Every configured account.
pub fn configured(config: &Config) -> BTreeSet<Account> {
    config.accounts.iter().map(account).collect()
}

/// The configured accounts that an ask of this process is routed to.
pub fn routed(config: &Config, params: &AskParams) -> BTreeSet<Account> {
    let mut accounts = aimed(config, params);
    let configured = configured(config);
    accounts.retain(|account| configured.contains(account));
    accounts
}

/// All accounts that it is routed to: one that is not configured here, for want of its token, may run in the ring that is joined.
pub fn aimed(config: &Config, params: &AskParams) -> BTreeSet<Account> {
    let creator =
        Creator { person: Some(OWNER.into()), token: None, binding: Binding::Run, scopes: Scopes::new() };
    // What is wrong with the ask is said where it is asked.
    let Ok(ask) = params.clone().into_ask(creator, Caps { wide: true }) else { return BTreeSet::new() };
    routes(config).of(&ask).places.into_iter().map(|place| place.account).collect()
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
    let wanted = || config.accounts.iter().filter(|of| wanted.contains(&account(of)));
    // Two routes of one path would end the process.
    if let Some((_, error)) = webhook::mistakes(wanted()).pop() {
        return Err(error);
    }
    for fault in warnings(config, wanted()) {
        warn!("{fault}");
    }
    for of in wanted() {
        let account = account(of);
        let kind = kind(of).ok_or_else(|| AccountError::NotBuilt { account: account.clone() })?;
        let ready = (kind.ready)(of, &account, places(config, &account))?;
        let (orders, ordered) = mpsc::channel(QUEUE);
        surfaces.tasks.spawn((ready.run)(ordered, reports.clone()));
        surfaces.hooks = surfaces.hooks.merge(ready.hook);
        surfaces.orders.insert(account, orders);
    }
    Ok(surfaces)
}

/// The Places of an account that the configuration names.
pub(super) fn places(config: &Config, account: &Account) -> Vec<Place> {
    config.every_place().into_iter().filter(|place| place.account == *account).collect()
}

pub(super) fn account(of: &ChatAccount) -> Account {
    Account { surface: of.table.surface.into(), name: of.name.as_str().into() }
}
