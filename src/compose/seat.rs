//! An asking terminal: a small relay of its own with one account and no store on disk, told of one Record only. It answers as a
//! gateway client with the secret that only the asking process knows, wherever the ring runs.

use std::sync::Arc;
use std::time::Duration;

use askrelay_client::Feed;
use askrelay_core::answer::{Actor, Way};
use askrelay_core::id::{Fresh as _, RecordId};
use askrelay_core::port::{Notice, Report};
use askrelay_core::relay;
use askrelay_core::route::Routes;
use askrelay_store::MemoryStore;
use askrelay_terminal as terminal;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tracing::error;

use super::{GATEWAY, OWNER, QUEUE};
use crate::clock::{self, SystemFresh};
use crate::driver::{self, Ports};

/// How long the last words on the terminal may take.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A person in front of this process's terminal.
#[derive(Debug)]
pub struct Seat {
    tasks: JoinSet<()>,
    closed: oneshot::Receiver<()>,
}

impl Seat {
    /// Shows the Record `id` on the terminal as soon as `feed` tells of it, and takes what is typed.
    pub fn take(terminal: terminal::Terminal, feed: Feed, id: RecordId, zone_offset_minutes: i32) -> Self {
        let session: String = SystemFresh.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let seat = terminal::Seat::of_this_process(&session, OWNER.to_owned());
        let actor = Actor {
            person: Some(OWNER.into()),
            identity: Some(seat.identity.clone()),
            place: Some(seat.place.clone()),
            way: Way::AskingTerminal,
        };
        let config = relay::Config {
            accounts: [(seat.place.account.clone(), terminal::LIMITS)].into(),
            routes: Routes { always: vec![seat.place.clone()], ..Routes::default() },
            seats: [(seat.place.clone(), actor)].into(),
            zone_offset_minutes,
            ..relay::Config::default()
        };
        let (orders, ordered) = mpsc::channel(QUEUE);
        let (reports, reported) = mpsc::channel(QUEUE);
        let (watched, reports_on) = mpsc::channel(QUEUE);
        let (notices, noticed) = mpsc::channel(QUEUE);
        let (closing, closed) = oneshot::channel();
        let ports = Ports {
            notices: noticed,
            commands: [(GATEWAY.into(), feed.commands)].into(),
            reports: reports_on,
            orders: [(seat.place.account.clone(), orders)].into(),
            resync: feed.resync,
        };
        let surface = terminal::Config { seat, terminal, now: clock::now };
        let mut tasks = JoinSet::new();
        tasks.spawn(terminal::run(surface, ordered, reports));
        tasks.spawn(watch(reported, watched, closing));
        tasks.spawn(tell_of(feed.notices, notices, id));
        tasks.spawn(async move {
            if let Err(cause) = driver::drive(config, Arc::new(MemoryStore::default()), ports).await {
                error!(error = &cause as &dyn std::error::Error, "the terminal's relay ended");
            }
        });
        Self { tasks, closed }
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
async fn watch(mut reported: mpsc::Receiver<Report>, watched: mpsc::Sender<Report>, closing: oneshot::Sender<()>) {
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

/// Passes on what concerns the one Record, up to its end. Dropping `notices` then ends the relay, its surface after it.
async fn tell_of(
    mut told: mpsc::Receiver<Notice>,
    notices: mpsc::Sender<(askrelay_core::id::GatewayId, Notice)>,
    id: RecordId,
) {
    while let Some(notice) = told.recv().await {
        let (notice, ended) = match notice {
            Notice::Opened(record) if record.key.id != id => continue,
            Notice::Closed(record) if record.key.id != id => continue,
            Notice::Closed(record) => (Notice::Closed(record), true),
            Notice::Snapshot { mut records, last } => {
                records.retain(|record| record.key.id == id);
                let ended = records.iter().any(|record| !record.state.is_pending());
                (Notice::Snapshot { records, last }, ended)
            }
            other => (other, false),
        };
        if notices.send((GATEWAY.into(), notice)).await.is_err() || ended {
            return;
        }
    }
}
