//! The MCP asker in a ring: what it needs of this machine, and its route, which everybody with a token may use.

use std::collections::HashMap;
use std::pin::Pin;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use askrelay_client::{Client, ConnectError, Connector, Link, Opened, Settings, open};
use askrelay_core::id::{Fresh as _, RecordId};
use askrelay_core::permit::{Caller, WireScope};
use askrelay_core::time::Time;
use askrelay_gateway::Gateway;
use askrelay_mcp::human::Human;
use askrelay_mcp::{Around, Door, Doors, Fallback, Shut, http};
use askrelay_protocol::call::AskParams;
use askrelay_protocol::secret::Secret;
use axum::Router;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use super::{GATEWAY, OWNER, routed};
use crate::clock::{self, SystemFresh};
use crate::config::Config;
use crate::digest::sha256_hex;
use crate::ring::home::KEY_BYTES;
use crate::ring::{Endpoint, Home};

/// Most tokens whose connections are kept open; the one that was used longest ago goes first.
const CONNECTIONS: usize = 256;

/// The route for everybody with a token. `stop` ends its sessions and connections.
pub(super) fn router(gateway: &Gateway, machine: Machine, stop: &CancellationToken) -> Router {
    let mut config = askrelay_mcp::Config::default();
    config.settings.human = Human::read(|name| std::env::var(name).ok());
    // A page of this machine is of no use to somebody at another.
    if config.settings.human.fallback == Fallback::Http {
        config.settings.human.fallback = Fallback::Return;
    }
    let config = Arc::new(config);
    let doors = Tokens {
        way: Arc::new(Inward { gateway: gateway.clone(), stop: stop.clone() }),
        config: Arc::clone(&config),
        machine: Arc::new(machine),
        open: Mutex::default(),
    };
    http::router(Arc::new(doors), config, stop.clone(), SystemFresh.bytes())
}

/// The doors of everybody who has a token.
struct Tokens {
    way: Arc<Inward>,
    config: Arc<askrelay_mcp::Config>,
    machine: Arc<Machine>,
    open: Mutex<Connections>,
}

/// One connection for each token, by the token's hash, and the tasks behind them.
#[derive(Default)]
struct Connections {
    clients: HashMap<String, (Client, Instant)>,
    tasks: JoinSet<()>,
}

/// The way to the gateway in this process.
struct Inward {
    gateway: Gateway,
    stop: CancellationToken,
}

/// Why there is no such way any more.
#[derive(Debug, thiserror::Error)]
#[error("the server is stopping")]
struct Stopping;

impl Connector for Inward {
    fn connect(&self) -> Pin<Box<dyn Future<Output = Result<Opened, ConnectError>> + Send + '_>> {
        let opened = if self.stop.is_cancelled() {
            Err(ConnectError::Route { again: false, source: Box::new(Stopping) })
        } else {
            // The token in the handshake makes it the token's bearer.
            Ok(Opened::Memory(self.gateway.connect(Caller::Local { owner: OWNER.into() })))
        };
        Box::pin(std::future::ready(opened))
    }
}

impl Doors for Tokens {
    fn open(&self, token: &str) -> Pin<Box<dyn Future<Output = Result<Door, Shut>> + Send + '_>> {
        let hash = sha256_hex([token]);
        let client = self.client(token, &hash);
        Box::pin(async move {
            if client.online().await.is_err() {
                self.connections().clients.remove(&hash);
                return Err(if self.way.stop.is_cancelled() { Shut::Away } else { Shut::Unknown });
            }
            Ok(Door {
                client,
                who: Some(hash),
                project: None,
                config: Arc::clone(&self.config),
                around: Arc::clone(&self.machine) as Arc<dyn Around>,
            })
        })
    }
}

impl Tokens {
    fn connections(&self) -> MutexGuard<'_, Connections> {
        // Nothing that holds the lock can leave it half done.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection of this token, opened unless it is there.
    fn client(&self, token: &str, hash: &str) -> Client {
        let mut open_now = self.connections();
        let Connections { clients, tasks } = &mut *open_now;
        if let Some((client, used)) = clients.get_mut(hash) {
            *used = Instant::now();
            return client.clone();
        }
        // Those that ended leave nothing to look at.
        while tasks.try_join_next().is_some() {}
        while clients.len() >= CONNECTIONS {
            let oldest = clients.iter().min_by_key(|(_, (_, used))| *used).map(|(hash, _)| hash.clone());
            oldest.map(|hash| clients.remove(&hash));
        }
        let mut settings = Settings::new(GATEWAY.into());
        settings.auth.token = Some(Secret::from(token.to_owned()));
        settings.scopes = WireScope::ALL.map(|scope| scope.name().to_owned()).to_vec();
        let (client, connection) = open(settings, Link::Found(Arc::clone(&self.way) as Arc<dyn Connector>));
        tasks.spawn(async move { drop(connection.run().await) });
        clients.insert(hash.to_owned(), (client.clone(), Instant::now()));
        client
    }
}

/// Opens an address with the system's own opener. A machine without one, or without a screen, is no fault: the address is told
/// as well.
fn browse(url: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let opened = Command::new(opener)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = opened {
        debug!(%error, opener, "no browser was opened");
    }
}

/// What only this machine knows and can.
pub struct Machine {
    home: Home,
    config: Arc<Config>,
    key: [u8; KEY_BYTES],
}

impl Machine {
    /// Of this data directory.
    pub const fn new(home: Home, config: Arc<Config>, key: [u8; KEY_BYTES]) -> Self {
        Self { home, config, key }
    }
}

impl Around for Machine {
    fn now(&self) -> Time {
        clock::now()
    }

    fn chance(&self) -> [u8; 16] {
        SystemFresh.bytes()
    }

    fn secret(&self, id: &RecordId) -> String {
        sha256_hex([self.key.as_slice(), id.as_str().as_bytes()])
    }

    /// Its person sees the address where the client shows what its servers write; a browser opens it where there is one.
    fn page(&self, url: &str, open: bool) {
        warn!("a question waits at {url}");
        if open {
            browse(url);
        }
    }

    /// The ring that runs now, whoever runs it, has an account to which the routes lead.
    fn chat(&self, params: &AskParams) -> bool {
        let running = Endpoint::read(&self.home.endpoint()).map(|endpoint| endpoint.accounts);
        let running = running.unwrap_or_default();
        routed(&self.config, params).iter().any(|account| running.contains(&account.to_string()))
    }
}
