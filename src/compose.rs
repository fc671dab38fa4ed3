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
