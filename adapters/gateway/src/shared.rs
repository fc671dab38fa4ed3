//! What every task of the gateway holds: the settings, the clock, and the way to the desk. No state of the desk's.

use std::sync::Arc;

use askrelay_protocol::error::WireError;
use askrelay_protocol::frame::Call;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::clock::{Clock, Dice};
use crate::config::Config;
use crate::desk::{ConnectionId, Credential, Input, Outcome};

/// Shared by all tasks.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) dice: Dice,
    pub(crate) inbox: mpsc::Sender<Input>,
    /// Cancelled when listeners are to take nobody any more.
    pub(crate) stopping: CancellationToken,
}

impl Shared {
    /// Makes one call without a connection.
    pub(crate) async fn call(&self, credential: Credential, call: Call) -> Outcome {
        let method = call.method();
        let (reply, outcome) = oneshot::channel();
        let sent = self.inbox.send(Input::Call(credential, call, reply)).await;
        match outcome.await {
            Ok(outcome) if sent.is_ok() => outcome,
            _ => Err(WireError::restarting(method.map_or("", |method| method.name()))),
        }
    }

    /// Says that a connection is gone.
    pub(crate) async fn leave(&self, connection: ConnectionId) {
        // A desk that has ended knows no connections.
        let _ = self.inbox.send(Input::Left(connection)).await;
    }
}
