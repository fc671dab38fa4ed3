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
use tokio::time::{Instant, sleep, timeout};

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

/// How many times `retry_slowly` the longest wait is. Own choice, 2026-11.
const SLOWEST: u32 = 20;

/// Nobody takes Reports any more.
pub(crate) struct Gone;

/// Whether the platform is in reach, as it was told.
struct Link {
    online: Option<bool>,
    /// Since when it is not; none while it is.
    lost: Option<Instant>,
    /// Since when it is in reach.
    found: Option<Instant>,
    /// The next wait before it is tried again.
    wait: Duration,
    /// The next wait where only a person can mend it.
    slow_wait: Duration,
    why: String,
}

impl Inbox {
    /// Runs until nobody takes Reports.
    pub(crate) async fn run(self, mode: Mode) -> Result<(), Gone> {
        let (wait, slow_wait) = (self.policy.retry_first, self.policy.retry_slowly);
        let mut link = Link { online: None, lost: None, found: None, wait, slow_wait, why: String::new() };
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
                    self.deliver_all(updates, &me).await?;
                    self.settle().await;
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

    async fn deliver_all(&self, updates: Vec<Value>, me: &Me) -> Result<(), Gone> {
        if updates.is_empty() {
            self.shared.offset_taken();
        }
        for update in updates {
            let Some(id) = decode::update_id(&update) else {
                tracing::warn!(account = %self.account, "an update without an id was dropped");
                continue;
            };
            if self.shared.update_came(id, self.policy.deliver_again) {
                self.deliver(id, update, me).await?;
            }
        }
        Ok(())
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
        } else {
            self.shared.pass(id);
        }
        for report in reports {
            self.file(report).await?;
        }
        Ok(())
    }

    /// Waits a little for the save of what was delivered, so that the next poll confirms it. What still waits then is brought again at
    /// once by the next poll, so that this is also the pause between two.
    async fn settle(&self) {
        // Past the time, the others must not wait any longer.
        let _ = timeout(self.policy.save_wait, self.shared.settled()).await;
    }

    async fn succeeded(&self, link: &mut Link) -> Result<(), Gone> {
        link.lost = None;
        link.wait = self.policy.retry_first;
        link.found.get_or_insert_with(Instant::now);
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
        let wait = self.wait_after(link, error, now);
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

    /// How long to wait before the next try.
    fn wait_after(&self, link: &mut Link, error: &CallError, now: Instant) -> Duration {
        let found = link.found.take();
        match error {
            CallError::Refused { retry_after: Some(wait), .. } => *wait,
            error if error.is_lasting() => {
                // Two programs that take turns must not keep interrupting each other.
                if found.is_some_and(|found| now.duration_since(found) > link.slow_wait * 2) {
                    link.slow_wait = self.policy.retry_slowly;
                }
                let wait = link.slow_wait;
                link.slow_wait = (wait * 2).min(self.policy.retry_slowly * SLOWEST);
                wait
            }
            _ => {
                let wait = link.wait;
                link.wait = (wait * 2).min(self.policy.retry_slowly);
                wait
            }
        }
    }

    async fn file(&self, report: Report) -> Result<(), Gone> {
        self.reports.send(report).await.map_err(|_| Gone)
    }
}
