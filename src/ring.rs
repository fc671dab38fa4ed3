//! This process's way into the ring of its data directory: it joins the ring that runs, or takes the lock and runs it, and
//! does so again whenever the ring goes away. What a ring consists of is [`crate::compose`]'s.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use askrelay_client::{ConnectError, Connector, Opened};
use askrelay_core::id::Account;
use tokio::net::UnixStream;
use tokio::sync::Mutex;
use tracing::{debug, info};

use crate::compose::{self, Held, HoldError, Scope};
use crate::config::Config;

mod endpoint;
pub(crate) mod home;
mod lock;
mod request;

pub use endpoint::{Endpoint, JoinRefused, Role};
pub use home::{Home, HomeError};
pub use lock::{Lock, LockError};
pub(crate) use request::{ACCOUNTS, GATEWAYS, HAND_OVER};
pub use request::{accounts, gateways};

/// How long a holder may take to come up, or to go away, before a joiner gives up on this try.
const PATIENCE: Duration = Duration::from_secs(10);

/// Between two looks at a ring that is coming or going.
const LOOK: Duration = Duration::from_millis(10);

/// How long a process that has handed over leaves the lock to whoever asked for it.
const GIVE_WAY: Duration = Duration::from_secs(5);

/// The way in. Clones share what they hold.
#[derive(Clone, Debug)]
pub struct Ring(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    home: Home,
    config: Arc<Config>,
    role: Role,
    /// The chat accounts it runs when it is this process that runs it.
    accounts: BTreeSet<Account>,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    /// Somebody else holds the ring, or nobody.
    Outside {
        /// The lock is left alone until then.
        not_before: Option<Instant>,
    },
    /// This process runs it.
    Holding(Box<Held>),
}

/// Why there is no way into the ring.
#[derive(Debug, thiserror::Error)]
pub enum EnterError {
    /// The lock cannot be tried.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The ring that runs does not take this process.
    #[error(transparent)]
    Refused(#[from] JoinRefused),
    /// This process should run the ring and cannot.
    #[error("cannot run the ring of {}", home.display())]
    Hold {
        /// The data directory.
        home: std::path::PathBuf,
        /// Why.
        source: HoldError,
    },
    /// Somebody holds the lock and does not answer.
    #[error(
        "process {pid} holds the ring of this data directory but does not answer; look at it, or stop it"
    )]
    Silent {
        /// Who, as far as its endpoint tells.
        pid: String,
    },
    /// A server runs already.
    #[error(
        "process {pid} already serves this data directory; stop it first, or choose another with ASKRELAY_HOME"
    )]
    Served {
        /// Which.
        pid: u32,
    },
}

/// How this process is in.
#[derive(Clone, Debug)]
pub enum Standing {
    /// It runs the ring.
    Holder(Endpoint),
    /// It joined the ring that this endpoint describes.
    Joined(Endpoint),
}

impl Standing {
    /// The ring, whoever runs it.
    pub fn endpoint(&self) -> &Endpoint {
        match self {
            Self::Holder(endpoint) | Self::Joined(endpoint) => endpoint,
        }
    }
}

impl Ring {
    /// A way into the ring of `home`; nothing is joined or run yet.
    /// `accounts` run with it when this process runs it.
    pub fn new(home: Home, config: Arc<Config>, role: Role, accounts: BTreeSet<Account>) -> Self {
        let state = Mutex::new(State::Outside { not_before: None });
        Self(Arc::new(Shared { home, config, role, accounts, state }))
    }

    /// Joins or runs the ring. A server never joins: it asks a command that holds the ring to hand over.
    ///
    /// # Errors
    /// [`EnterError`].
    pub async fn enter(&self) -> Result<Standing, EnterError> {
        self.link().await.map(|(standing, _)| standing)
    }

    /// Stops what this process runs of the ring, if anything; whoever still waits elsewhere takes over.
    pub async fn leave(&self) {
        self.let_go(State::Outside { not_before: None }).await;
    }

    /// Hands the ring over: stops running it and leaves the lock to others for a while.
    pub(crate) async fn give_way(&self) {
        info!("handing the ring over to a server");
        self.let_go(State::Outside { not_before: Some(Instant::now() + GIVE_WAY) }).await;
    }

    async fn let_go(&self, next: State) {
        let mut state = self.0.state.lock().await;
        if let State::Holding(held) = std::mem::replace(&mut *state, next) {
            held.let_go().await;
        }
    }

    async fn link(&self) -> Result<(Standing, Opened), EnterError> {
        let until = Instant::now() + PATIENCE;
        let mut state = self.0.state.lock().await;
        loop {
            if let State::Holding(held) = &*state {
                return Ok((Standing::Holder(held.endpoint().clone()), Opened::Memory(held.connect())));
            }
            if may_take(&state)
                && let Some(lock) = Lock::try_take(&self.0.home.lock())?
            {
                let held = compose::hold(lock, &self.0.home, &self.0.config, self.scope(), self.clone());
                let held = held.await.map_err(|source| self.cannot_hold(source))?;
                *state = State::Holding(Box::new(held));
                continue;
            }
            let endpoint = Endpoint::read(&self.0.home.endpoint());
            if let Some(endpoint) = &endpoint
                && let Some(joined) = self.join(endpoint).await?
            {
                return Ok((Standing::Joined(endpoint.clone()), Opened::Unix(joined)));
            }
            if Instant::now() > until {
                let pid = endpoint.map_or_else(|| "?".to_owned(), |endpoint| endpoint.pid.to_string());
                return Err(EnterError::Silent { pid });
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Joins the ring behind the endpoint; `None` means that it is coming, going, or left behind: look again.
    async fn join(&self, endpoint: &Endpoint) -> Result<Option<UnixStream>, EnterError> {
        let Ok(stream) = UnixStream::connect(&endpoint.socket).await else { return Ok(None) };
        if self.0.role == Role::Command {
            endpoint.admits(&self.0.config.fingerprint())?;
            return Ok(Some(stream));
        }
        if endpoint.role == Role::Server {
            // It may be what a killed server left behind, in the moment before its successor replaces it.
            let is_current = Endpoint::read(&self.0.home.endpoint()).as_ref() == Some(endpoint);
            return if is_current { Err(EnterError::Served { pid: endpoint.pid }) } else { Ok(None) };
        }
        debug!(pid = endpoint.pid, "asking the holder of the ring to hand over");
        // Whatever comes of it, the next look at the lock tells.
        let _ = request::hand_over(stream).await;
        Ok(None)
    }

    pub(crate) fn config(&self) -> Arc<Config> {
        Arc::clone(&self.0.config)
    }

    fn scope(&self) -> Scope<'_> {
        Scope { role: self.0.role, accounts: &self.0.accounts }
    }

    fn cannot_hold(&self, source: HoldError) -> EnterError {
        EnterError::Hold { home: self.0.home.path().to_owned(), source }
    }
}

fn may_take(state: &State) -> bool {
    match state {
        State::Outside { not_before } => not_before.is_none_or(|not_before| not_before <= Instant::now()),
        State::Holding(_) => false,
    }
}

impl Connector for Ring {
    fn connect(&self) -> Pin<Box<dyn Future<Output = Result<Opened, ConnectError>> + Send + '_>> {
        Box::pin(async move {
            self.link().await.map(|(_, opened)| opened).map_err(|error| {
                let again = matches!(error, EnterError::Silent { .. });
                ConnectError::Route { again, source: Box::new(error) }
            })
        })
    }
}
