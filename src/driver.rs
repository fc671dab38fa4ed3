//! The one loop around the relay: events in, steps, commits, effects out. Decides nothing, never awaits while ordering, and
//! keeps stepping while commits run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::error::Error;
use std::future::{Future, pending};
use std::sync::Arc;
use std::time::Duration;

use askrelay_core::id::{Account, GatewayId, RecordKey};
use askrelay_core::port::{Errand, Event, Notice, Order, Report};
use askrelay_core::relay::{self, Effect, Out, Relay};
use askrelay_gateway::metrics::Metrics;
use askrelay_store::{CommitError, CommitTicket, Fact, ReadError, Store};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tracing::{debug, error, warn};

use crate::accounts::Accounts;
use crate::clock::{self, SystemFresh};

mod again;
mod deliveries;
mod surfaces;

use deliveries::Deliveries;
use surfaces::{News, Surfaces};

/// Steps whose facts are on their way to disk; beyond it the loop takes no events until some are there. A step holds a few
/// kilobytes, so this is a few megabytes at worst.
const SAVING_MAX: usize = 1024;

/// How long the surfaces may take to report on their last orders when the ring ends.
const LAST_REPORTS: Duration = Duration::from_secs(3);

/// How often a stalled surface or gateway is tried again.
const STALLED_RETRY: Duration = Duration::from_millis(200);

/// The ends of every channel that the loop serves.
#[derive(Debug)]
pub struct Ports {
    /// From the gateways. Its end is the loop's end.
    pub notices: mpsc::Receiver<(GatewayId, Notice)>,
    /// To the gateways.
    pub errands: BTreeMap<GatewayId, mpsc::Sender<Errand>>,
    /// From the surfaces.
    pub reports: mpsc::Receiver<Report>,
    /// To the surfaces.
    pub orders: BTreeMap<Account, mpsc::Sender<Order>>,
    /// Tells every gateway's feed which Records the relay began with, at the start and whenever it begins again.
    pub beginnings: watch::Sender<Vec<RecordKey>>,
    /// Counts what the surfaces did.
    pub metrics: Metrics,
    /// Keeps how the accounts stand.
    pub accounts: Accounts,
}

/// Why the loop cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// What the relay must remember cannot be read.
    #[error("cannot read what the relay has to remember")]
    Recover(#[source] ReadError),
}

/// The loop.
#[derive(Debug)]
pub struct Driver {
    config: relay::Config,
    relay: Relay,
    store: Arc<dyn Store>,
    ports: Ports,
    /// In the order of their steps; effects leave in this order too.
    saving: VecDeque<Saving>,
    surfaces: Surfaces,
    /// Accounts that said they are connected: told again to a relay that began again.
    online: BTreeSet<Account>,
    /// When the relay began, last.
    began: Instant,
    deliveries: Deliveries,
    /// Commands a gateway's queue had no room for. Each is a saved fact of one pending Record, which bounds them.
    waiting: VecDeque<(GatewayId, Errand)>,
}

/// One step whose facts are on their way to disk.
#[derive(Debug)]
struct Saving {
    ticket: Option<CommitTicket>,
    effects: Vec<Out>,
}

impl Driver {
    /// A loop whose relay takes up what `store` remembers.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn recover(
        config: relay::Config,
        store: Arc<dyn Store>,
        mut ports: Ports,
    ) -> Result<Self, DriverError> {
        let relay = recovered(&config, &*store).map_err(DriverError::Recover)?;
        ports.beginnings.send_replace(relay.records().cloned().collect());
        let deliveries = Deliveries::new(ports.metrics.clone());
        let surfaces = Surfaces::new(std::mem::take(&mut ports.orders));
        Ok(Self {
            config,
            relay,
            store,
            ports,
            saving: VecDeque::new(),
            surfaces,
            online: BTreeSet::new(),
            began: Instant::now(),
            deliveries,
            waiting: VecDeque::new(),
        })
    }

    /// Runs until the gateways' side is dropped and what it led to is done; then drops the surfaces' orders, which ends them.
    pub async fn run(mut self) {
        loop {
            self.catch_up();
            if self.relay.wake().is_some_and(|wake| wake <= clock::now()) {
                self.step(Event::Tick);
            }
            let room = self.saving.len() < SAVING_MAX;
            let is_stalled = self.surfaces.is_busy() || !self.waiting.is_empty();
            let wake = self.wake_in();
            tokio::select! {
                biased;
                outcome = saved(&mut self.saving) => match outcome {
                    Ok(effects) => self.carry(effects),
                    Err(cause) => {
                        error!(error = &cause as &dyn Error, "a commit failed; the relay begins again");
                        if !self.begin_again().await {
                            return;
                        }
                    }
                },
                notice = self.ports.notices.recv(), if room => match notice {
                    Some((gateway, notice)) => self.step(Event::Notice(gateway, notice)),
                    None => return self.finish().await,
                },
                Some(report) = self.ports.reports.recv(), if room => self.report(report),
                () = wake, if room => {}
                () = tokio::time::sleep(STALLED_RETRY), if is_stalled => {}
            }
        }
    }

    /// One event, one step: its facts go to the store now, its `Now` effects leave now, the others after the save.
    fn step(&mut self, event: Event) {
        let step = self.relay.step(clock::now(), event, &mut SystemFresh);
        let facts: Vec<Fact> = step.facts.into_iter().map(Fact::from).collect();
        let facts: Vec<Fact> = facts.into_iter().chain(step.audit.into_iter().map(Fact::from)).collect();
        let ticket = (!facts.is_empty()).then(|| self.store.commit(facts));
        let mut after_save = Vec::new();
        for effect in step.effects {
            match effect {
                Effect::Now(out) => self.carry_one(out),
                Effect::AfterSave(out) => after_save.push(out),
            }
        }
        if ticket.is_some() || !after_save.is_empty() {
            self.saving.push_back(Saving { ticket, effects: after_save });
        }
    }

    fn report(&mut self, report: Report) {
        self.ports.accounts.reported(&report);
        match &report {
            Report::Named { account, bot } => {
                self.config.bots.insert(account.clone(), bot.clone());
            }
            Report::Online { account } => {
                self.online.insert(account.clone());
                if self.surfaces.is_stalled(account) {
                    // The relay hears of it when the surface keeps up.
                    return;
                }
            }
            Report::Offline { account, .. } => {
                self.online.remove(account);
            }
            _ => {}
        }
        self.deliveries.reported(&report);
        self.step(Event::Report(report));
    }

    /// Lets every commit under way end and carries what waited for it; and lets the surfaces report what they carry out, since the
    /// end of a Prompt may wait behind its last edit.
    async fn finish(&mut self) {
        let patience = tokio::time::sleep(LAST_REPORTS);
        tokio::pin!(patience);
        while !self.saving.is_empty() || self.relay.is_delivering() {
            self.catch_up();
            tokio::select! {
                outcome = saved(&mut self.saving) => match outcome {
                    Ok(effects) => self.carry(effects),
                    Err(cause) => return tell_unsaved(&cause),
                },
                Some(report) = self.ports.reports.recv() => self.report(report),
                () = &mut patience => break,
            }
        }
        while !self.saving.is_empty() {
            match saved(&mut self.saving).await {
                Ok(effects) => self.carry(effects),
                Err(cause) => return tell_unsaved(&cause),
            }
        }
        self.surfaces.retry();
    }

    fn carry(&mut self, effects: Vec<Out>) {
        for effect in effects {
            self.carry_one(effect);
        }
    }

    fn carry_one(&mut self, out: Out) {
        match out {
            Out::Command(gateway, command) => {
                self.waiting.push_back((gateway, Errand::Command(command)));
                self.retry_errands();
            }
            // Whoever is not answered knocks again.
            Out::Knock(gateway, knock) => {
                if let Some(errands) = self.ports.errands.get(&gateway)
                    && errands.try_send(Errand::Knock(knock)).is_err()
                {
                    debug!(%gateway, "no room for a knock");
                }
            }
            // Whoever waits for it is told that nobody knows.
            Out::Notified(gateway, number, places) => {
                if let Some(errands) = self.ports.errands.get(&gateway)
                    && errands.try_send(Errand::Notified { number, places }).is_err()
                {
                    debug!(%gateway, "no room to say where a notification went");
                }
            }
            Out::Order(account, order) => self.order(account, order),
        }
    }

    fn order(&mut self, account: Account, order: Order) {
        self.deliveries.ordered(&account, &order);
        self.surfaces.order(&account, order);
    }

    /// Tries again what found no room, and tells the relay which surfaces keep up.
    fn catch_up(&mut self) {
        self.retry_errands();
        self.surfaces.retry();
        for news in self.surfaces.take_news() {
            match news {
                News::Stalled(account) => self.stalled(account),
                News::CaughtUp(account) if self.online.contains(&account) => {
                    let report = Report::Online { account };
                    self.ports.accounts.reported(&report);
                    self.step(Event::Report(report));
                }
                News::CaughtUp(_) => {}
                News::Ended(account) => {
                    let why = "its task has ended".to_owned();
                    self.report(Report::Offline { account, why });
                }
            }
        }
    }

    /// To the relay a surface that does not keep up is offline, whatever it says of its platform.
    fn stalled(&mut self, account: Account) {
        let why = "it does not keep up: its queue of orders is full".to_owned();
        let report = Report::Offline { account, why };
        self.ports.accounts.reported(&report);
        self.deliveries.reported(&report);
        self.step(Event::Report(report));
    }

    fn retry_errands(&mut self) {
        // One gateway that does not keep up holds up no other.
        let mut full = BTreeSet::new();
        for (gateway, errand) in std::mem::take(&mut self.waiting) {
            let Some(errands) = self.ports.errands.get(&gateway) else { continue };
            let sent = if full.contains(&gateway) {
                Err(TrySendError::Full(errand))
            } else {
                errands.try_send(errand)
            };
            if let Err(TrySendError::Full(errand)) = sent {
                full.insert(gateway.clone());
                self.waiting.push_back((gateway, errand));
            }
        }
    }

    /// Ends when the relay wants to hear that time has passed.
    fn wake_in(&self) -> impl Future<Output = ()> + use<> {
        let wait = self.relay.wake().map(|wake| Duration::from_millis(wake.since(clock::now()).0));
        async move {
            match wait {
                Some(wait) => tokio::time::sleep(wait).await,
                None => pending().await,
            }
        }
    }
}

/// Takes out the oldest step: its effects, once it is on disk. Never ends while none is on its way.
async fn saved(saving: &mut VecDeque<Saving>) -> Result<Vec<Out>, CommitError> {
    let Some(oldest) = saving.front_mut() else { return pending().await };
    let ended = match &mut oldest.ticket {
        Some(ticket) => ticket.await.map(drop),
        None => Ok(()),
    };
    let effects = saving.pop_front().map(|saved| saved.effects).unwrap_or_default();
    ended.map(|()| effects)
}

fn tell_unsaved(cause: &CommitError) {
    error!(error = cause as &dyn Error, "a commit failed while stopping");
}

fn recovered(config: &relay::Config, store: &dyn Store) -> Result<Relay, ReadError> {
    let facts = store.load_relay()?;
    let (relay, problems) = Relay::recover(config.clone(), facts);
    for problem in problems {
        warn!(%problem, "something the relay had saved cannot be read and is dropped");
    }
    Ok(relay)
}
