//! Brings updates in, by polling or by a webhook, and tells whether the platform is in reach. Confirms nothing that was not
//! saved; what an update means is the decoder's business.

use std::sync::Arc;
use std::time::Duration;

use askrelay_core::id::Account;
use askrelay_core::port::Report;
use askrelay_core::reply::Bot;
use askrelay_core::time::Time;
use serde_json::Value;
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::client::Client;
use crate::config::{Mode, Policy};
use crate::decode::{self, Context, Me};
use crate::error::CallError;
use crate::shared::Shared;
use crate::webhook::{Delivery, Webhook};

/// The incoming side of one Account.
pub(crate) struct Inbox {
    pub(crate) account: Account,
    pub(crate) client: Arc<Client>,
    pub(crate) policy: Policy,
    pub(crate) shared: Arc<Shared>,
    pub(crate) reports: Sender<Report>,
    pub(crate) now: fn() -> Time,
}

/// Nobody takes Reports any more.
pub(crate) struct Gone;

/// Whether the platform is in reach, as it was told.
struct Link {
    online: Option<bool>,
    /// Since when it is not; none while it is.
    lost: Option<Instant>,
    /// The next wait before it is tried again.
    wait: Duration,
    why: String,
}

impl Inbox {
    /// Runs until nobody takes Reports.
    pub(crate) async fn run(self, mode: Mode) -> Result<(), Gone> {
        let mut link = Link { online: None, lost: None, wait: self.policy.retry_first, why: String::new() };
        match mode {
            Mode::Polling => self.poll(&mut link).await,
            Mode::Webhook(webhook) => self.listen(&mut link, webhook).await,
        }
    }

    async fn poll(&self, link: &mut Link) -> Result<(), Gone> {
        let me = self.meet(link).await?;
        loop {
            match self.client.delete_webhook().await {
                Ok(()) => break,
                Err(error) => self.failed(link, &error).await?,
            }
        }
        loop {
            // Right after a failure nothing is waited for, so that what became of it is told at once.
            let poll = if link.online == Some(true) && link.lost.is_none() {
                self.policy.poll
            } else {
                Duration::ZERO
            };
            match self.client.updates(self.shared.offset(), poll).await {
                Ok(updates) => {
                    self.succeeded(link).await?;
                    let fresh = self.deliver_all(updates, &me).await?;
                    self.settle(fresh).await;
                }
                Err(error) => self.failed(link, &error).await?,
            }
        }
    }

    async fn listen(&self, link: &mut Link, mut webhook: Webhook) -> Result<(), Gone> {
        let me = self.meet(link).await?;
        loop {
            match self.client.set_webhook(&webhook.url, &webhook.secret).await {
                Ok(()) => break self.succeeded(link).await?,
                Err(error) => self.failed(link, &error).await?,
            }
        }
        loop {
            // Updates come by themselves; that our calls still arrive has to be looked at.
            match timeout(self.policy.retry_slowly, webhook.deliveries.recv()).await {
                Ok(Some(delivery)) => self.deliver_requested(delivery, &me).await?,
                Ok(None) => std::future::pending().await,
                Err(_) => match self.client.me().await {
                    Ok(_) => self.succeeded(link).await?,
                    Err(error) => self.failed(link, &error).await?,
                },
            }
        }
    }

    /// Learns who the bot is, and tells people its commands.
    async fn meet(&self, link: &mut Link) -> Result<Me, Gone> {
        let me = loop {
            match self.client.me().await {
                Ok(me) => break me,
                Err(error) => self.failed(link, &error).await?,
            }
        };
        if let Err(error) = self.client.set_commands().await {
            tracing::warn!(account = %self.account, %error, "the list of commands was not set");
        }
        tracing::info!(
            account = %self.account,
            handle = me.handle.as_deref().unwrap_or_default(),
            reads_groups = me.reads_groups,
            "this is the bot"
        );
        self.shared.meet(&me);
        let bot = Bot { handle: me.handle.clone(), id: Some(me.id.to_string()), prefix: '/' };
        self.file(Report::Named { account: self.account.clone(), bot }).await?;
        Ok(me)
    }

    /// Whether any of them was delivered now.
    async fn deliver_all(&self, updates: Vec<Value>, me: &Me) -> Result<bool, Gone> {
        if updates.is_empty() {
            self.shared.offset_taken();
        }
        let mut fresh = false;
        for update in updates {
            let Some(id) = decode::update_id(&update) else {
                tracing::warn!(account = %self.account, "an update without an id was dropped");
                continue;
            };
            if self.shared.update_came(id, self.policy.deliver_again) {
                fresh = true;
                self.deliver(id, update, me).await?;
            }
        }
        Ok(fresh)
    }

    async fn deliver_requested(&self, delivery: Delivery, me: &Me) -> Result<(), Gone> {
        let Some(id) = decode::update_id(&delivery.update) else {
            // Whoever asked may be gone.
            let _ = delivery.saved.send(());
            return Ok(());
        };
        if self.shared.update_came(id, self.policy.deliver_again) {
            self.deliver(id, delivery.update, me).await?;
        }
        self.shared.request(id, delivery.saved);
        Ok(())
    }

    async fn deliver(&self, id: i64, update: Value, me: &Me) -> Result<(), Gone> {
        let context = Context { account: &self.account, me, now: (self.now)() };
        let reports = decode::reports(update, &context, |press| self.shared.press_came(press));
        if reports.iter().any(|report| matches!(report, Report::Replied(_))) {
            self.shared.deliver(id);
        }
        for report in reports {
            self.file(report).await?;
        }
        Ok(())
    }

    /// Waits a little for the save of what was delivered, so that the next poll confirms it. With nothing new, for what still waits:
    /// it would be brought again at once.
    async fn settle(&self, fresh: bool) {
        let wait = if fresh { self.policy.save_wait } else { self.policy.save_wait * 4 };
        let until = Instant::now() + wait;
        // Past the time, what waits is asked for again.
        let _ = timeout_at(until, self.shared.settled()).await;
    }

    async fn succeeded(&self, link: &mut Link) -> Result<(), Gone> {
        link.lost = None;
        link.wait = self.policy.retry_first;
        if link.online != Some(true) {
            link.online = Some(true);
            self.file(Report::Online { account: self.account.clone() }).await?;
        }
        Ok(())
    }

    /// Tells that the platform is out of reach, once it is for a while, and waits before it is tried again.
    async fn failed(&self, link: &mut Link, error: &CallError) -> Result<(), Gone> {
        let now = Instant::now();
        let lost = *link.lost.get_or_insert(now);
        let wait = match error {
            CallError::Refused { retry_after: Some(wait), .. } => *wait,
            error if error.is_lasting() => self.policy.retry_slowly,
            _ => {
                let wait = link.wait;
                link.wait = (wait * 2).min(self.policy.retry_slowly);
                wait
            }
        };
        let why = error.why_offline();
        let over = now.duration_since(lost) >= self.policy.offline_after || error.is_lasting();
        if over && (link.online != Some(false) || link.why != why) {
            tracing::warn!(account = %self.account, %error, "offline");
            (link.online, link.why) = (Some(false), why.clone());
            self.file(Report::Offline { account: self.account.clone(), why }).await?;
        }
        // Not past the moment at which being offline is to be told.
        let told = lost + self.policy.offline_after;
        let wait = if link.online == Some(false) { wait } else { wait.min(told.duration_since(now)) };
        sleep(wait).await;
        Ok(())
    }

    async fn file(&self, report: Report) -> Result<(), Gone> {
        self.reports.send(report).await.map_err(|_| Gone)
    }
}
