//! Puts a ring together: store, gateway, relay and surfaces, and takes it apart again. The only file that knows every adapter;
//! every task of the root is spawned here, into a set that ends with what it belongs to.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use askrelay_client::{
    Client, ConnectError, Connector, Feed, Link, MemoryEnds, Opened, Settings, open, relay_feed,
};
use askrelay_core::id::{Account, GatewayId};
use askrelay_core::permit::Caller;
use askrelay_core::port::Report;
use askrelay_core::relay;
use askrelay_core::route::{Routes, Rule};
use askrelay_core::time::Span;
use askrelay_gateway::metrics::{Metrics, Queue};
use askrelay_gateway::{Gateway, Parts, StartError, SystemClock, http};
use askrelay_store::{OpenError, Options, SqliteStore, Store};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::error;

use crate::accounts::Accounts;
use crate::clock::SystemFresh;
use crate::config::{Config, Route};
use crate::driver::{Driver, DriverError, Ports};
use crate::gateways::Gateways;
use crate::ring::{ACCOUNTS, Endpoint, GATEWAYS, HAND_OVER, Home, Lock, Ring, Role};

mod check;
#[cfg(feature = "discord")]
mod discord;
mod gateways;
mod mcp;
mod seat;
#[cfg(any(feature = "discord", feature = "slack", feature = "telegram"))]
mod secrets;
#[cfg(feature = "slack")]
mod slack;
mod surfaces;
#[cfg(feature = "telegram")]
mod telegram;
mod vault;
mod webhook;

use gateways::Other;
use surfaces::Surfaces;

pub use check::{Fault, Shape, faults, identity, lacks, place_faults, warnings};
pub use mcp::Machine;
pub use seat::Seat;
pub use surfaces::{AccountError, KINDS, Kind, aimed, configured, routed};

/// The embedded gateway's name in every Record's identity.
pub const GATEWAY: &str = "local";

/// The Person who exists from the first use.
pub const OWNER: &str = "owner";

/// What this process runs when it runs the ring.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// As what.
    pub role: Role,
    /// Which chat accounts.
    pub accounts: &'a BTreeSet<Account>,
}

/// A ring that this process runs.
#[derive(Debug)]
pub struct Held {
    endpoint: Endpoint,
    gateway: Gateway,
    home: Home,
    relay: RelayTasks,
    /// Ends the sessions of MCP clients.
    mcp: CancellationToken,
    /// Waits until a server wants the ring; ends with the ring, which it may be the one to end.
    _giving_way: JoinSet<()>,
    /// Released last.
    lock: Lock,
}

/// The tasks of the ring's relay.
#[derive(Debug, Default)]
struct RelayTasks {
    /// Its connection to the gateway is not to be opened again.
    stopping: Arc<AtomicBool>,
    /// Its connection to the gateway and its feed, which end when the gateway does.
    feed: JoinSet<()>,
    /// The other gateways, which are left before the driver ends.
    others: JoinSet<()>,
    /// Its driver, which ends when the feeds do, after what it has under way.
    driver: JoinSet<()>,
    /// The chat accounts, which end when the driver drops their orders.
    surfaces: JoinSet<()>,
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
    /// The key of this machine's askers.
    #[error("cannot use terminal.key of the data directory")]
    Key(#[source] io::Error),
    /// A chat account cannot run.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The key by which other gateways know this device can be neither read nor made.
    #[error("no device key for other gateways; see device.key in the data directory")]
    DeviceKey(#[source] io::Error),
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

/// How long the relay may take to hear what the gateway said last.
const LAST_NOTICES: Duration = Duration::from_secs(2);

/// The relay's way to the gateway in the same process.
struct Inside {
    gateway: Gateway,
    stopping: Arc<AtomicBool>,
}

/// Why there is no such way any more.
#[derive(Debug, thiserror::Error)]
#[error("the ring is stopping")]
struct Stopping;

impl Connector for Inside {
    fn connect(&self) -> Pin<Box<dyn Future<Output = Result<Opened, ConnectError>> + Send + '_>> {
        let opened = if self.stopping.load(Ordering::Relaxed) {
            Err(ConnectError::Route { again: false, source: Box::new(Stopping) })
        } else {
            Ok(Opened::Memory(self.gateway.connect(Caller::Ring)))
        };
        Box::pin(std::future::ready(opened))
    }
}

/// Runs the ring of `home`: everything that the configuration names, and the socket through which others join.
///
/// # Errors
/// [`HoldError`]; nothing is left running then.
pub async fn hold(
    lock: Lock,
    home: &Home,
    config: &Config,
    scope: Scope<'_>,
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
    // Whoever died here left it behind; it must not speak for the socket that comes now. There may be none.
    let _ = fs::remove_file(home.endpoint());
    let listener = socket_listener(&socket).map_err(HoldError::Socket)?;
    let listen = match (scope.role, config.listen.value) {
        (Role::Server, Some(address)) => Some(listen(address).await?),
        _ => None,
    };
    let (reports, reported) = mpsc::channel(QUEUE);
    metrics.watch(Queue::Reports, reports.downgrade());
    let surfaces = surfaces::start(config, scope.accounts, &reports)?;
    let accounts = surfaces.orders.keys().map(ToString::to_string).collect();
    let hooks = surfaces.hooks.clone();
    let standing =
        Standing { accounts: Accounts::starting(surfaces.orders.keys()), gateways: Gateways::default() };
    let others = match scope.role {
        Role::Server => gateways::others(config, home).map_err(HoldError::DeviceKey)?,
        Role::Command => {
            gateways::leave(config, &standing.gateways);
            Vec::new()
        }
    };
    let relay = (metrics, standing.clone());
    let relay = relay_tasks((&gateway, others), store, config, relay, (surfaces, reported))?;
    let routes = http::router(&gateway).merge(gateway.websocket());
    let wanted = Arc::new(Notify::new());
    let of_this_user = routes.clone().merge(of_the_ring(Arc::clone(&wanted), standing));
    gateway.serve_unix(listener, http::guarded(of_this_user, &gateway));
    let address = listen.as_ref().map(|(_, address)| *address);
    let mcp = CancellationToken::new();
    if let Some((listener, _)) = listen {
        let key = home.terminal_key().map_err(HoldError::Key)?;
        let machine = Machine::new(home.clone(), ring.config(), key);
        let routes = routes.merge(hooks).merge(mcp::router(&gateway, machine, &mcp));
        gateway.serve_tcp(listener, http::guarded(routes, &gateway));
    }
    let endpoint = Endpoint::ours(config.fingerprint(), scope.role, socket, address, accounts);
    endpoint.write(&home.endpoint()).map_err(HoldError::Socket)?;
    let mut giving_way = JoinSet::new();
    giving_way.spawn(async move {
        wanted.notified().await;
        ring.give_way().await;
    });
    Ok(Held { endpoint, gateway, home: home.clone(), relay, mcp, _giving_way: giving_way, lock })
}

/// What the ring tells about itself while it runs.
#[derive(Clone, Debug)]
struct Standing {
    accounts: Accounts,
    gateways: Gateways,
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
    all.hosts.extend(webhook::hosts(config));
    all.bounds.open_asks = config.open_asks_max.value as usize;
    all.bounds.body_bytes = config.request_bytes_max.value as usize;
    all.bounds.sockets = config.connections_max.value as usize;
    all
}

/// The ring's relay: its connection to the gateway, its driver, and the surfaces' tasks.
fn relay_tasks(
    (gateway, others): (&Gateway, Vec<Other>),
    store: Arc<dyn Store>,
    config: &Config,
    (metrics, standing): (Metrics, Standing),
    (surfaces, reports): (Surfaces, mpsc::Receiver<Report>),
) -> Result<RelayTasks, DriverError> {
    let (notices, noticed) = mpsc::channel(QUEUE);
    let (errands, errand) = mpsc::channel(QUEUE);
    metrics.watch(Queue::Notices, notices.downgrade());
    let (beginnings, shown) = watch::channel(Vec::new());
    let mut all = RelayTasks { surfaces: surfaces.tasks, ..RelayTasks::default() };
    let mut errands = BTreeMap::from([(GatewayId::from(GATEWAY), errands)]);
    for other in others {
        let (id, way) =
            gateways::join(&mut all.others, other, notices.clone(), shown.clone(), standing.gateways.clone());
        errands.insert(id, way);
    }
    let (orders, accounts) = (surfaces.orders, standing.accounts);
    let ports = Ports { notices: noticed, errands, reports, orders, beginnings, metrics, accounts };
    for orders in ports.orders.values() {
        ports.metrics.watch(Queue::Orders, orders.downgrade());
    }
    let driver = Driver::recover(relay_config(config), store, ports)?;
    let link = Inside { gateway: gateway.clone(), stopping: Arc::clone(&all.stopping) };
    let link = Link::Found(Arc::new(link));
    let (client, connection) = open(Settings::new(GATEWAY.into()), link);
    let feed = Feed { shown, ..Feed::default() };
    let ending = Arc::clone(&all.stopping);
    all.feed.spawn(async move {
        let feed = relay_feed(client, feed, errand, notices);
        // The feed passes on what came before the connection's end, so it ends last.
        let (_, fed) = tokio::join!(connection.run(), feed);
        if !ending.load(Ordering::Relaxed) {
            told("the gateway's feed", fed);
        }
    });
    all.driver.spawn(driver.run());
    Ok(all)
}

fn told<E: Error + 'static>(what: &str, ended: Result<(), E>) {
    if let Err(cause) = ended {
        error!(error = &cause as &dyn Error, "{what} ended");
    }
}

/// Where asks are shown.
fn routes(config: &Config) -> Routes {
    Routes { named: config.places.clone(), rules: rules(&config.routes), always: Vec::new() }
}

fn rules(routes: &[Route]) -> Vec<Rule> {
    let rule = |route: &Route| Rule {
        agent: route.when.agent.clone(),
        session: route.when.session.clone(),
        label: route.when.label.clone(),
        creator: route.when.creator.clone(),
        places: route.to.clone(),
    };
    routes.iter().map(rule).collect()
}

fn relay_config(config: &Config) -> relay::Config {
    let percent = config.reminder_percent.value;
    relay::Config {
        // All that are configured: what does not run here is only offline.
        accounts: surfaces::limits(config),
        doors: surfaces::doors(config),
        routes: routes(config),
        reminder_percent: (percent > 0).then_some(u64::from(percent)),
        delivers_for: Some(GATEWAY.into()),
        foreign: gateways::foreign(config),
        gateways: gateways::all(config),
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

/// The requests of the ring itself. A server asks a command to hand over: the request only tells, since the connection that
/// carries it is among what ends then. And whoever wants to know asks how the accounts and the gateways stand.
fn of_the_ring(wanted: Arc<Notify>, standing: Standing) -> Router {
    let hand_over = post(async move || {
        wanted.notify_one();
        StatusCode::ACCEPTED
    });
    let Standing { accounts, gateways } = standing;
    let accounts = get(async move || Json(accounts.list()));
    let gateways = get(async move || Json(gateways.list()));
    Router::new().route(HAND_OVER, hand_over).route(ACCOUNTS, accounts).route(GATEWAYS, gateways)
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
        // The gateway tells what it has to tell, the last end of a Record too; then its connections end, and with the last notice the
        // relay; with its last order the surfaces: so nothing that was decided stays on anybody's screen as if it were not.
        self.relay.stopping.store(true, Ordering::Relaxed);
        self.mcp.cancel();
        self.gateway.stop().await;
        let feed = async { while self.relay.feed.join_next().await.is_some() {} };
        if tokio::time::timeout(LAST_NOTICES, feed).await.is_err() {
            self.relay.feed.shutdown().await;
        }
        // What they were not told yet is saved, and told when they are joined again.
        self.relay.others.shutdown().await;
        while self.relay.driver.join_next().await.is_some() {}
        while self.relay.surfaces.join_next().await.is_some() {}
        drop(self.lock);
    }
}
