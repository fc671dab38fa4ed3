//! `askrelay serve`: runs the ring until it is told to stop. What the ring consists of is [`crate::compose`]'s.

use std::sync::Arc;

use tokio::signal::unix::{SignalKind, signal};
use tracing::{info, warn};

use super::CommandError;
use super::outcome::Outcome;
use crate::compose;
use crate::config::Config;
use crate::ring::{Home, Ring, Role};

/// Runs the ring.
///
/// # Errors
/// The ring cannot be run, or somebody else serves it.
pub async fn serve(home: Home, config: Config) -> Result<Outcome, CommandError> {
    let mut stop = Stop::listen()?;
    let path = home.path().to_owned();
    for fault in compose::place_faults(&config) {
        warn!("{fault}");
    }
    let accounts = compose::configured(&config);
    let ring = Ring::new(home, Arc::new(config), Role::Server, accounts);
    let standing = ring.enter().await?;
    let listen = standing.endpoint().listen.map(|address| address.to_string());
    info!(home = %path.display(), listen, "the ring runs");
    // Each tells by itself when it is online, or why it is not.
    match standing.endpoint().accounts.as_slice() {
        [] => info!("no chat account is configured; questions are shown at terminals and to callers only"),
        accounts => info!(accounts = accounts.join(", "), "connecting the chat accounts"),
    }
    stop.told().await;
    info!("stopping");
    ring.leave().await;
    Ok(Outcome::Said(String::new()))
}

/// The signals that end a process in good order.
#[derive(Debug)]
pub struct Stop {
    signals: [tokio::signal::unix::Signal; 3],
}

impl Stop {
    /// Takes Ctrl-C, the end of the terminal and the service manager's signal from now on.
    ///
    /// # Errors
    /// The operating system refuses.
    pub fn listen() -> Result<Self, CommandError> {
        let take = |kind| signal(kind).map_err(CommandError::Signal);
        let signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let [interrupt, terminate, hangup] = signals.map(take);
        Ok(Self { signals: [interrupt?, terminate?, hangup?] })
    }

    /// Ends with the first of them.
    pub async fn told(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.signals;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
