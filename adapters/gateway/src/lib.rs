//! The embedded gateway: owns Records, people and tokens, and serves them over memory, WebSocket and HTTP. Shows nothing to
//! people (surfaces do) and understands no typed words by itself (the core does).
//!
//! Every task is spawned here, into one tracker, and ends when the gateway stops.

use std::sync::Arc;

use askrelay_core::id::Fresh;
use askrelay_core::permit::Caller;
use askrelay_protocol::frame::{ClientFrame, ServerFrame};
use askrelay_store::{ReadError, Store};
use axum::Router;
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

mod budget;
mod clock;
mod config;
mod desk;
mod device;
pub mod http;
mod invite;
mod listen;
pub mod metrics;
mod outbox;
mod peer;
mod session;
mod shared;
mod token;
mod websocket;
mod weight;

use clock::Dice;
pub use clock::{Clock, SystemClock, SystemFresh};
pub use config::{Bounds, Config, Delays};
use desk::{Desk, INBOX, Input, Start};
use peer::Unproven;
use shared::Shared;

/// What a gateway is made of.
pub struct Parts {
    /// What the root sets.
    pub config: Config,
    /// Where facts are kept.
    pub store: Arc<dyn Store>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Gives unguessable bytes.
    pub fresh: Box<dyn Fresh + Send>,
}

/// Why a gateway does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The store cannot be read.
    #[error("the records cannot be read")]
    Read(#[source] ReadError),
    /// The runtime ended while the store was read.
    #[error("stopped while starting")]
    Stopped,
}

/// A running gateway. Clones are handles to the same one.
#[derive(Clone, Debug)]
pub struct Gateway {
    shared: Arc<Shared>,
}

impl Gateway {
    /// Reads the store and starts. Deadlines that passed while nobody ran have ended, and the owner exists, once this
    /// returns; both are saved soon after.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn start(parts: Parts) -> Result<Self, StartError> {
        let Parts { config, store, clock, fresh } = parts;
        let reading = Arc::clone(&store);
        let loaded = spawn_blocking(move || reading.load()).await.map_err(|_| StartError::Stopped)?;
        let loaded = loaded.map_err(StartError::Read)?;
        let (config, dice) = (Arc::new(config), Dice::new(fresh));
        let (inbox, inputs) = mpsc::channel(INBOX);
        let desk = Desk::new(Start {
            config: Arc::clone(&config),
            clock: Arc::clone(&clock),
            dice: dice.clone(),
            store,
            loaded,
        });
        let places = listen::places(config.bounds.sockets);
        let (tasks, stopping) = (TaskTracker::new(), CancellationToken::new());
        tasks.spawn(desk.run(inputs));
        let unproven = Unproven::default();
        let shared = Shared { config, clock, dice, inbox, tasks, places, unproven, stopping };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// A connection inside the process, for a caller that the root vouches for: frames go unserialised. It begins with the
    /// challenge and needs the handshake, as every connection; a token in it makes the peer that token's bearer.
    #[must_use]
    pub fn connect(&self, caller: Caller) -> (mpsc::Sender<ClientFrame>, mpsc::Receiver<ServerFrame>) {
        let (link, carrying) = session::memory(Arc::clone(&self.shared), caller);
        self.shared.start(carrying);
        link
    }

    /// The WebSocket route, which speaks the gateway protocol at `/`. Merge it with what else a listener serves.
    pub fn websocket(&self) -> Router {
        websocket::route(Arc::clone(&self.shared))
    }

    /// Serves the routes on a TCP listener until the gateway stops. Every caller needs a token.
    pub fn serve_tcp(&self, listener: TcpListener, routes: Router) {
        self.shared.start(listen::tcp(Arc::clone(&self.shared), listener, routes));
    }

    /// Serves the routes on a Unix socket until the gateway stops. Only the user we run as gets in, as a local process.
    pub fn serve_unix(&self, listener: UnixListener, routes: Router) {
        self.shared.start(listen::unix(Arc::clone(&self.shared), listener, routes));
    }

    /// Ends: everybody is told, whoever waits hears that it is still pending, what was accepted is saved, and every
    /// connection is closed. Returns when all of it is done.
    pub async fn stop(&self) {
        self.shared.stopping.cancel();
        // A desk that has ended already needs no telling.
        let _ = self.shared.inbox.send(Input::Stop).await;
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }
}

impl Shared {
    /// Starts a task that ends when the gateway stops, or earlier by itself.
    pub(crate) fn start(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(work);
    }
}
