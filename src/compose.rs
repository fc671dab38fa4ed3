//! Puts a ring together: store, gateway, relay and surfaces, and takes it apart again. The only file that knows every adapter;
//! every task of the root is spawned here, into a set that ends with what it belongs to.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use askrelay_client::{Client, Feed, Link, MemoryEnds, Settings, open, relay_feed};
use askrelay_core::id::GatewayId;
use askrelay_core::permit::Caller;
use askrelay_core::relay;
use askrelay_core::route::{Routes, Rule};
use askrelay_core::time::Span;
use askrelay_gateway::metrics::{Metrics, Queue};
use askrelay_gateway::{Gateway, Parts, StartError, SystemClock, http};
use askrelay_store::{OpenError, Options, SqliteStore, Store};
use axum::Router;
use axum::http::StatusCode;
use axum::routing::post;
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinSet;
use tracing::error;

use crate::clock::SystemFresh;
use crate::config::Config;
use crate::driver::{Driver, DriverError, Ports};
use crate::ring::{Endpoint, HAND_OVER, Home, Lock, Ring, Role};

mod seat;

pub use seat::Seat;

/// The embedded gateway's name in every Record's identity.
pub const GATEWAY: &str = "local";

/// The Person who exists from the first use.
pub const OWNER: &str = "owner";

/// A ring that this process runs.
#[derive(Debug)]
pub struct Held {
    endpoint: Endpoint,
    gateway: Gateway,
    home: Home,
    relay: RelayTasks,
    /// Waits until a server wants the ring; ends with the ring, which it may be the one to end.
    _giving_way: JoinSet<()>,
    /// Released last.
    lock: Lock,
}

/// The tasks of the ring's relay.
#[derive(Debug, Default)]
struct RelayTasks {
    /// Its connection to the gateway and its feed: cut off when the ring ends.
    feed: JoinSet<()>,
    /// Its driver, which ends when the feed does, after what it has under way.
    driver: JoinSet<()>,
}

/// Why a ring cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// The store does not open.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// What the relay has to remember cannot be read.
    #[error(transparent)]
    Recover(#[from] DriverError),
    /// The gateway does not start.
    #[error("the gateway does not start")]
    Start(#[from] StartError),
    /// The socket that others join through cannot be made.
    #[error("cannot listen for other processes of this user")]
    Socket(#[source] io::Error),
    /// The address for HTTP cannot be used.
    #[error("cannot listen on {address}; choose another with --listen or ASKRELAY_LISTEN")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
}

/// Messages on their way between two tasks of the ring: enough for a burst of one platform batch (100 updates), little enough
/// that a stalled surface is noticed.
const QUEUE: usize = 256;

/// Runs the ring of `home`: everything that the configuration names, and the socket through which others join.
///
/// # Errors
/// [`HoldError`]; nothing is left running then.
pub async fn hold(
    lock: Lock,
    home: &Home,
    config: &Config,
    role: Role,
    ring: Ring,
) -> Result<Held, HoldError> {
    let gateway_config = gateway_config(config);
    let metrics = gateway_config.metrics.clone();
    let options = Options { observer: Arc::new(metrics.clone()), ..Options::default() };
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&home.database(), options)?);
    let parts = Parts {
        config: gateway_config,
        store: Arc::clone(&store),
        clock: Arc::new(SystemClock),
        fresh: Box::new(SystemFresh),
    };
    let gateway = Gateway::start(parts).await?;
    let socket = home.socket().map_err(HoldError::Socket)?;
    let listener = socket_listener(&socket).map_err(HoldError::Socket)?;
    let listen = match (role, config.listen.value) {
        (Role::Server, Some(address)) => Some(listen(address).await?),
        _ => None,
    };
    let relay = relay_tasks(&gateway, store, config, metrics)?;
    let routes = http::router(&gateway).merge(gateway.websocket());
    let wanted = Arc::new(Notify::new());
    let of_this_user = routes.clone().merge(hand_over(Arc::clone(&wanted)));
    gateway.serve_unix(listener, http::guarded(of_this_user, &gateway));
    let address = listen.as_ref().map(|(_, address)| *address);
    if let Some((listener, _)) = listen {
        gateway.serve_tcp(listener, http::guarded(routes, &gateway));
    }
    let endpoint = Endpoint::ours(config.fingerprint(), role, socket, address);
    endpoint.write(&home.endpoint()).map_err(HoldError::Socket)?;
    let mut giving_way = JoinSet::new();
    giving_way.spawn(async move {
        wanted.notified().await;
        ring.give_way().await;
    });
    Ok(Held { endpoint, gateway, home: home.clone(), relay, _giving_way: giving_way, lock })
}

fn gateway_config(config: &Config) -> askrelay_gateway::Config {
    let mut all = askrelay_gateway::Config {
        gateway: GATEWAY.into(),
        owner: OWNER.into(),
        origins: config.allowed_origins.value.clone(),
        keep_ended: Span::seconds(u64::from(config.retention_days.value) * 24 * 60 * 60),
        ..askrelay_gateway::Config::default()
    };
    all.hosts.extend(config.allowed_hosts.value.iter().cloned());
    all.bounds.open_asks = config.open_asks_max.value as usize;
    all.bounds.body_bytes = config.request_bytes_max.value as usize;
    all.bounds.sockets = config.connections_max.value as usize;
    all
}

/// The ring's relay: its connection to the gateway, its driver, and the surfaces' tasks.
fn relay_tasks(
    gateway: &Gateway,
    store: Arc<dyn Store>,
    config: &Config,
    metrics: Metrics,
) -> Result<RelayTasks, DriverError> {
    let (notices, noticed) = mpsc::channel(QUEUE);
    let (errands, errand) = mpsc::channel(QUEUE);
    // No surface runs in the ring itself yet: the terminal is a seat of the process that asks.
    let (reports, reported) = mpsc::channel(QUEUE);
    metrics.watch(Queue::Notices, notices.downgrade());
    metrics.watch(Queue::Reports, reports.downgrade());
    let (beginnings, shown) = watch::channel(Vec::new());
    let ports = Ports {
        notices: noticed,
        errands: [(GatewayId::from(GATEWAY), errands)].into(),
        reports: reported,
        orders: BTreeMap::new(),
        beginnings,
        metrics,
    };
    for orders in ports.orders.values() {
        ports.metrics.watch(Queue::Orders, orders.downgrade());
    }
    let driver = Driver::recover(relay_config(config), store, ports)?;
    let peer = gateway.clone();
    let link = Link::Memory(Arc::new(move || peer.connect(Caller::Ring)));
    let (client, connection) = open(Settings::new(GATEWAY.into()), link);
    let feed = Feed { shown, ..Feed::default() };
    let mut tasks = RelayTasks::default();
    tasks.feed.spawn(async move {
        // One task, so that both end at the same moment.
        tokio::select! {
            _ = connection.run() => {}
            ended = relay_feed(client, feed, errand, notices) => told("the gateway's feed", ended),
        }
    });
    tasks.driver.spawn(async move { told("the relay", driver.run().await) });
    Ok(tasks)
}

fn told<E: Error + 'static>(what: &str, ended: Result<(), E>) {
    if let Err(cause) = ended {
        error!(error = &cause as &dyn Error, "{what} ended");
    }
}

fn relay_config(config: &Config) -> relay::Config {
    let rule = |route: &crate::config::Route| Rule {
        agent: route.when.agent.clone(),
        session: route.when.session.clone(),
        label: route.when.label.clone(),
        creator: route.when.creator.clone(),
        places: route.to.clone(),
    };
    let rules = config.routes.iter().map(rule).collect();
    let percent = config.reminder_percent.value;
    relay::Config {
        routes: Routes { named: config.places.clone(), rules, always: Vec::new() },
        reminder_percent: (percent > 0).then_some(u64::from(percent)),
        delivers_for: Some(GATEWAY.into()),
        ..relay::Config::default()
    }
}

/// A client inside the ring, wherever the ring runs, and the task behind it.
pub fn client(settings: Settings, ring: &Ring) -> (Client, JoinSet<()>) {
    let (client, connection) = open(settings, Link::Found(Arc::new(ring.clone())));
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { drop(connection.run().await) });
    (client, tasks)
}

/// Listens where only this user can connect. A socket left behind by a holder that died is replaced: we have the lock.
fn socket_listener(path: &Path) -> io::Result<UnixListener> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), HoldError> {
    let failed = |source| HoldError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// The one request of the ring itself: a server asks a command to hand over. The request only tells, since the connection that
/// carries it is among what ends then.
fn hand_over(wanted: Arc<Notify>) -> Router {
    Router::new().route(
        HAND_OVER,
        post(async move || {
            wanted.notify_one();
            StatusCode::ACCEPTED
        }),
    )
}

impl Held {
    /// How others join.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// A connection as a local process has it.
    pub fn connect(&self) -> MemoryEnds {
        self.gateway.connect(Caller::Local { owner: OWNER.into() })
    }

    /// Stops everything, in the order in which nothing is lost, and frees the lock last.
    pub async fn let_go(mut self) {
        // Nobody is to join what is about to end. Files that are gone already need no removing.
        let _ = fs::remove_file(self.home.endpoint());
        let _ = fs::remove_file(&self.endpoint.socket);
        self.relay.feed.shutdown().await;
        while self.relay.driver.join_next().await.is_some() {}
        self.gateway.stop().await;
        drop(self.lock);
    }
}
