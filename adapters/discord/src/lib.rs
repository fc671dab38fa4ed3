//! Runs one bot's two sides, the outgoing and the incoming; what they do is their files' business.
#![doc = include_str!("../README.md")]

mod buckets;
mod check;
mod client;
mod config;
mod decode;
mod encode;
mod error;
mod gateway;
mod inbox;
mod limits;
mod nonce;
mod outbox;
mod place;
mod presses;
mod queue;
mod received;
mod shared;
mod token;

use std::sync::Arc;

use askrelay_core::port::{Failure, FailureKind, Order, Report};
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::JoinSet;

use client::Client;
use inbox::Inbox;
use outbox::Outbox;
use shared::Shared;

pub use askrelay_core::pace::Pace;
pub use check::check;
pub use config::{API_URL, Config, Policy, Roles, SURFACE};
pub use encode::preview;
pub use error::DiscordError;
pub use limits::LIMITS;
pub use place::{is_conversation, is_id};
pub use reqwest::Url;

/// Sends what is ordered, files what people do. Ends when `orders` ended and the Orders before that were carried out, or when
/// nobody takes Reports any more. What goes wrong is a Report too.
pub async fn run(config: Config, orders: Receiver<Order>, reports: Sender<Report>) {
    let account = config.account();
    let client = match prepare(&config) {
        Ok(client) => Arc::new(client),
        Err(error) => return refuse_all(&error, &config, orders, reports).await,
    };
    let (policy, shared) = (config.policy, Arc::new(Shared::default()));
    let inbox = Inbox {
        account: account.clone(),
        client: Arc::clone(&client),
        token: config.token,
        gateway_url: config.gateway_url,
        roles: config.roles,
        places: config.places,
        policy,
        shared: Arc::clone(&shared),
        reports: reports.clone(),
        now: config.now,
    };
    let outbox = Outbox::new(account, client, policy, shared);
    let mut tasks = JoinSet::new();
    tasks.spawn(inbox.run());
    outbox.run(orders, reports).await;
    tasks.shutdown().await;
}

fn prepare(config: &Config) -> Result<Client, DiscordError> {
    match config.gateway_url.as_ref().filter(|url| !gateway::is_gateway(url)) {
        Some(_) => Err(DiscordError::GatewayUrl),
        None => Client::new(config),
    }
}

async fn refuse_all(
    error: &DiscordError,
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
