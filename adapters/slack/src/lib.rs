//! Runs one app's two sides, the outgoing and the incoming; what they do is their files' business.
#![doc = include_str!("../README.md")]

mod client;
mod config;
mod decode;
mod encode;
mod error;
mod inbox;
mod limits;
mod link;
mod outbox;
mod place;
mod presses;
#[cfg(test)]
mod printed;
mod queue;
mod shared;
mod socket;
mod webhook;

use std::collections::VecDeque;
use std::sync::Arc;

use askrelay_core::port::{Failure, FailureKind, Order, Report};
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::JoinSet;

use client::Client;
use inbox::Inbox;
use link::Link;
use outbox::Outbox;
use shared::Shared;

pub use askrelay_core::pace::Pace;
pub use config::{API_URL, Config, Mode, Policy, SURFACE};
pub use encode::preview;
pub use error::SlackError;
pub use limits::LIMITS;
pub use place::{is_conversation, is_user};
pub use reqwest::Url;
pub use webhook::{Webhook, webhook};

/// Sends what is ordered, files what people do. Ends when `orders` ended and the Orders before that were carried out, or when
/// nobody takes Reports any more. What goes wrong is a Report too.
pub async fn run(config: Config, orders: Receiver<Order>, reports: Sender<Report>) {
    let account = config.account();
    let client = match Client::new(&config) {
        Ok(client) => Arc::new(client),
        Err(error) => return refuse_all(&error, &config, orders, reports).await,
    };
    let (policy, shared) = (config.policy, Arc::new(Shared::default()));
    let inbox = Inbox {
        account: account.clone(),
        client: Arc::clone(&client),
        policy,
        shared: Arc::clone(&shared),
        reports: reports.clone(),
        now: config.now,
        link: Link::new(policy),
        refusals: client.refusals(),
        refused: false,
        filed: VecDeque::new(),
        due: VecDeque::new(),
    };
    let outbox = Outbox::new(account, client, policy, shared);
    let mut tasks = JoinSet::new();
    tasks.spawn(inbox.run(config.mode));
    outbox.run(orders, reports).await;
    tasks.shutdown().await;
}

/// What is missing for this app, each in plain words; nothing where all is well.
///
/// # Errors
/// The app cannot be used as it is configured.
pub async fn check(config: &Config) -> Result<Vec<String>, SlackError> {
    Ok(match Client::new(config)?.me().await {
        Ok((_, lacks)) if lacks.is_empty() => Vec::new(),
        Ok((_, lacks)) => {
            vec![format!("the app lacks the scopes {}; {ADD_SCOPES}", lacks.join(", "))]
        }
        Err(error) => vec![error.why_offline()],
    })
}

/// How scopes are added.
pub(crate) const ADD_SCOPES: &str = "add them on its page OAuth & Permissions, then install it anew";

async fn refuse_all(
    error: &SlackError,
    config: &Config,
    mut orders: Receiver<Order>,
    reports: Sender<Report>,
) {
    let why = error.to_string();
    if reports.send(Report::Offline { account: config.account(), why: why.clone() }).await.is_err() {
        return;
    }
    while let Some(order) = orders.recv().await {
        let failure = Failure { kind: FailureKind::Unreachable, why: why.clone() };
        if let Some(send) = outbox::owes_report(&order).cloned()
            && reports.send(Report::Failed { send, failure }).await.is_err()
        {
            return;
        }
    }
}
