//! Puts a ring together: store, gateway, relay and surfaces, and takes it apart again. The only file that knows every adapter;
//! every task of the root is spawned here, into a set that ends with what it belongs to.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use askrelay_client::{Client, ClientConfig, Link};
use askrelay_core::id::GatewayId;
use askrelay_core::permit::Caller;
use askrelay_core::relay;
use askrelay_gateway::{Gateway, Parts, StartError, SystemClock, SystemFresh};
use askrelay_store::{OpenError, SqliteStore, Store};
use axum::Router;
use axum::routing::post;
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::config::Config;
use crate::driver::{self, Ports};
use crate::ring::{Endpoint, HAND_OVER, Home, Lock, Ring, Role};

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
    /// The relay's client and its driver; they end when the gateway's connections do.
    tasks: JoinSet<()>,
    /// Released last.
    lock: Lock,
}

/// Why a ring cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// The store does not open.
    #[error(transparent)]
    Open(#[from] OpenError),
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
    let metrics = Arc::new(Metrics::new());
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&home.database(), store_options(&metrics))?);
    let gateway = Gateway::start(Parts {
        config: gateway_config(config),
        store: Arc::clone(&store),
        clock: Arc::new(SystemClock),
        fresh: Box::new(SystemFresh),
    })
    .await?;
    let mut tasks = JoinSet::new();
    relay(&mut tasks, &gateway, store, config);
    let socket = home.socket().map_err(HoldError::Socket)?;
    let listener = socket_listener(&socket).map_err(HoldError::Socket)?;
    gateway.serve_unix(listener, hand_over(ring));
    let listen = match (role, config.listen.value) {
        (Role::Server, Some(address)) => Some(listen(&gateway, address).await?),
        _ => None,
    };
    let endpoint = Endpoint::ours(config.fingerprint(), role, socket, listen);
    endpoint.write(&home.endpoint()).map_err(HoldError::Socket)?;
    Ok(Held { endpoint, gateway, home: home.clone(), tasks, lock })
}

impl Held {
    /// How others join.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// A connection as a local process has it.
    pub fn connect(&self) -> Link {
        let (requests, frames) = self.gateway.connect(Caller::Local { owner: OWNER.into() });
        Link::Memory { requests, frames }
    }

    /// Stops everything, in the order in which nothing is lost, and frees the lock last.
    pub async fn let_go(mut self) {
        // Nobody is to join what is about to end. Files that are gone already need no removing.
        let _ = fs::remove_file(self.home.endpoint());
        let _ = fs::remove_file(&self.endpoint.socket);
        self.gateway.stop().await;
        while self.tasks.join_next().await.is_some() {}
        drop(self.lock);
    }
}
