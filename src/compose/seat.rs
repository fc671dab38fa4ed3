//! An asking terminal: a small relay of its own with one account and no store on disk, told of one Record only. It answers as a
//! gateway client with the secret that only the asking process knows, wherever the ring runs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use askrelay_client::{Client, Feed, relay_feed};
use askrelay_core::answer::{Actor, Way};
use askrelay_core::id::{GatewayId, RecordId};
use askrelay_core::person::{Person, Scope};
use askrelay_core::port::{Notice, Report};
use askrelay_core::relay;
use askrelay_core::route::Routes;
use askrelay_gateway::metrics::Metrics;
use askrelay_protocol::secret::Secret;
use askrelay_store::MemoryStore;
use askrelay_terminal as terminal;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;

use super::{GATEWAY, OWNER, QUEUE, told};
use crate::accounts::Accounts;
use crate::clock;
use crate::driver::{Driver, DriverError, Ports};

/// How long the last words on the terminal may take.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A person in front of this process's terminal.
#[derive(Debug)]
pub struct Seat {
    tasks: JoinSet<()>,
    closed: oneshot::Receiver<()>,
}

impl Seat {
    /// Shows the Record `id` on the terminal as soon as the gateway tells of it, and takes what is typed. `secret` proves to
    /// the gateway that this is the terminal that asked.
    ///
    /// # Errors
    /// Never, since its store remembers nothing; the type is the driver's.
    pub fn take(
        client: Client,
        terminal: terminal::Terminal,
        id: RecordId,
        secret: Secret,
    ) -> Result<Self, DriverError> {
        let seat = terminal::Seat::of_this_process(&clock::fresh_hex(), OWNER.to_owned());
        let account = seat.place.account.clone();
        let (orders, ordered) = mpsc::channel(QUEUE);
        let (reports, reported) = mpsc::channel(QUEUE);
        let (watched, reports_on) = mpsc::channel(QUEUE);
        let (heard, telling) = mpsc::channel(QUEUE);
        let (notices, noticed) = mpsc::channel(QUEUE);
        let (errands, errand) = mpsc::channel(QUEUE);
        let (closing, closed) = oneshot::channel();
        let (beginnings, shown) = watch::channel(Vec::new());
        let ports = Ports {
            notices: noticed,
            errands: [(GatewayId::from(GATEWAY), errands)].into(),
            reports: reports_on,
            orders: [(account, orders)].into(),
            beginnings,
            metrics: Metrics::new(),
            accounts: Accounts::default(),
        };
        let driver = Driver::recover(config(&seat), Arc::new(MemoryStore::default()), ports)?;
        let feed = Feed { shown, only: Some(id), terminal_secret: Some(secret), persistent: None };
        let surface = terminal::Config { seat, terminal, now: clock::now };
        let mut tasks = JoinSet::new();
        tasks.spawn(terminal::run(surface, ordered, reports));
        tasks.spawn(watch(reported, watched, closing));
        tasks.spawn(async move { told("the gateway's feed", relay_feed(client, feed, errand, heard).await) });
        tasks.spawn(up_to_the_end(telling, notices));
        tasks.spawn(driver.run());
        Ok(Self { tasks, closed })
    }

    /// Ends when nothing can be typed at the terminal any more.
    pub async fn closed(&mut self) {
        // The other half is dropped when the surface ends, which is the same news.
        let _ = (&mut self.closed).await;
    }

    /// Lets the outcome be shown, then frees the terminal.
    pub async fn leave(mut self) {
        let last_words = async { while self.tasks.join_next().await.is_some() {} };
        // What is still running after that is ended with the set.
        let _ = tokio::time::timeout(LAST_WORDS, last_words).await;
    }
}

/// Passes reports on, and says when the terminal is gone.
async fn watch(
    mut reported: mpsc::Receiver<Report>,
    watched: mpsc::Sender<Report>,
    closing: oneshot::Sender<()>,
) {
    let mut closing = Some(closing);
    while let Some(report) = reported.recv().await {
        if matches!(report, Report::Offline { .. })
            && let Some(closing) = closing.take()
        {
            // Nobody listens any more once the ask has ended.
            let _ = closing.send(());
        }
        if watched.send(report).await.is_err() {
            return;
        }
    }
}

/// One account, one Place, in which whoever types is the owner as far as anybody knows.
fn config(seat: &terminal::Seat) -> relay::Config {
    let actor = Actor {
        identity: Some(seat.identity.clone()),
        place: Some(seat.place.clone()),
        ..Actor::new(Some(OWNER.into()), Way::AskingTerminal)
    };
    relay::Config {
        accounts: [(seat.place.account.clone(), terminal::LIMITS)].into(),
        routes: Routes { always: vec![seat.place.clone()], ..Routes::default() },
        seats: [(seat.place.clone(), actor)].into(),
        ..relay::Config::default()
    }
}

/// Passes on what the gateway tells, up to the Record's end. Dropping `notices` then ends the relay, its surface after it.
/// A local connection is told nothing of people; the gate that counts is the gateway's, so the relay's preview lets the
/// owner pass.
async fn up_to_the_end(
    mut telling: mpsc::Receiver<(GatewayId, Notice)>,
    notices: mpsc::Sender<(GatewayId, Notice)>,
) {
    let owner = Person {
        id: OWNER.into(),
        display_name: OWNER.to_owned(),
        scopes: Scope::ALL.into(),
        identities: BTreeSet::new(),
    };
    let people = Notice::People(Arc::new([owner].into_iter().collect()));
    let mut next = Some((GatewayId::from(GATEWAY), people));
    while let Some((gateway, notice)) = next {
        let ended = match &notice {
            Notice::Closed(_) => true,
            Notice::Snapshot { records, .. } => records.iter().any(|record| !record.state.is_pending()),
            _ => false,
        };
        if notices.send((gateway, notice)).await.is_err() || ended {
            return;
        }
        next = telling.recv().await;
    }
}
