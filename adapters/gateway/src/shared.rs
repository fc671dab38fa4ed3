//! What every task of the gateway holds: the settings, the clock, and the way to the desk. No state of the desk's.

use std::sync::Arc;

use askrelay_protocol::error::WireError;
use askrelay_protocol::frame::Call;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock::{Clock, Dice};
use crate::config::Config;
use crate::desk::{ConnectionId, Credential, Follow, Following, Input, Outcome, Work};
use crate::outbox::{Outlet, outbox};
use crate::peer::Unproven;

/// Shared by all tasks.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) dice: Dice,
    pub(crate) inbox: mpsc::Sender<Input>,
    /// Every task of the gateway.
    pub(crate) tasks: TaskTracker,
    /// One for each socket that may be open.
    pub(crate) places: Arc<Semaphore>,
    pub(crate) unproven: Unproven,
    /// Cancelled when listeners are to take nobody any more.
    pub(crate) stopping: CancellationToken,
}

impl Shared {
    /// Has work done for a caller without a connection. Dropping the future gives the answer up, not the work.
    pub(crate) async fn work(&self, credential: Credential, work: Work) -> Outcome {
        let (reply, outcome) = oneshot::channel();
        // What a desk that has ended gives back is dropped at once, and the reply's sender with it.
        let sent = self.inbox.send(Input::Work(credential, work, reply)).await.is_ok();
        match outcome.await {
            Ok(outcome) if sent => outcome,
            _ => Err(WireError::restarting("work")),
        }
    }

    /// Makes one call of the protocol without a connection, in the wide shape.
    pub(crate) async fn call(&self, credential: Credential, call: Call) -> Outcome {
        self.work(credential, Work::Call(call)).await
    }

    /// Listens to what happens, from behind the event `heard` on. The desk notices by itself when the outlet is dropped.
    pub(crate) async fn follow(
        &self,
        credential: Credential,
        heard: Option<String>,
    ) -> Result<(Following, Outlet), WireError> {
        let (outbox, outlet) = outbox(self.config.bounds.buffered_bytes);
        let (reply, following) = oneshot::channel();
        let sent = self.inbox.send(Input::Follow(Follow { credential, heard, outbox, reply })).await.is_ok();
        match following.await {
            Ok(following) if sent => Ok((following?, outlet)),
            _ => Err(WireError::restarting("events")),
        }
    }

    /// Says that a connection is gone.
    pub(crate) async fn leave(&self, connection: ConnectionId) {
        // A desk that has ended knows no connections.
        let _ = self.inbox.send(Input::Left(connection)).await;
    }
}
