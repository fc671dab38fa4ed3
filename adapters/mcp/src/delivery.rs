//! Ends on their way to clients. An end counts as handed out once its result was written to the client, and not before; whether the
//! client read it, nobody here knows. Asks nobody, and keeps nothing that must outlive the process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use askrelay_client::Client;
use askrelay_core::id::RecordId;
use rmcp::RoleServer;
use rmcp::model::{JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::watch;

/// How long another call waits to see whether an end arrives. A client that does not read for longer does not have it.
const ARRIVING: Duration = Duration::from_secs(2);

/// Most results of one connection that wait to be written. More are only left by calls that were cancelled as they ended.
const WAITING: usize = 256;

/// The ends on their way to any client of this process.
#[derive(Clone, Debug, Default)]
pub(crate) struct OnTheWay(Arc<Mutex<HashMap<RecordId, watch::Receiver<()>>>>);

/// One end on its way. Dropped, it never arrived.
pub(crate) struct Delivery {
    client: Client,
    id: RecordId,
    all: OnTheWay,
    settled: watch::Sender<()>,
}

/// The results of one connection that wait to be written, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outgoing(Arc<Mutex<Vec<(RequestId, Delivery)>>>);

/// What a call needs to hand its end out.
#[derive(Clone, Debug)]
pub(crate) struct Handing {
    pub(crate) on_the_way: OnTheWay,
    pub(crate) outgoing: Outgoing,
    pub(crate) request: RequestId,
}

impl OnTheWay {
    fn all(&self) -> MutexGuard<'_, HashMap<RecordId, watch::Receiver<()>>> {
        // Nothing that holds the lock can leave it half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until an end that is on its way arrived or got lost. Whether it was on its way.
    pub(crate) async fn settled(&self, id: &RecordId) -> bool {
        let Some(mut settling) = self.all().get(id).cloned() else { return false };
        // Either is told by the end of the channel; nothing is ever sent through it.
        drop(tokio::time::timeout(ARRIVING, settling.changed()).await);
        true
    }
}

impl Handing {
    /// The end of this record goes out with the result of this request.
    pub(crate) fn hand(&self, client: &Client, id: &RecordId) {
        let (settled, settling) = watch::channel(());
        self.on_the_way.all().insert(id.clone(), settling);
        let delivery =
            Delivery { client: client.clone(), id: id.clone(), all: self.on_the_way.clone(), settled };
        let mut waiting = self.outgoing.waiting();
        waiting.push((self.request.clone(), delivery));
        let oldest = (waiting.len() > WAITING).then(|| waiting.remove(0));
        drop(waiting);
        drop(oldest);
    }
}

impl Outgoing {
    fn waiting(&self) -> MutexGuard<'_, Vec<(RequestId, Delivery)>> {
        // Nothing that holds the lock can leave it half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What goes out with the result of this request.
    fn taken(&self, request: &RequestId) -> Vec<Delivery> {
        self.waiting().extract_if(.., |(of, _)| of == request).map(|(_, delivery)| delivery).collect()
    }

    /// Something waits to be written.
    pub(crate) fn waits(&self) -> bool {
        !self.waiting().is_empty()
    }

    /// All that waits was written.
    pub(crate) async fn arrived(&self) {
        let all = std::mem::take(&mut *self.waiting());
        for (_, delivery) in all {
            delivery.arrived().await;
        }
    }
}

impl Delivery {
    /// Tells the gateway that the end is handed out.
    async fn arrived(self) {
        if let Err(error) = self.client.collect(self.id.clone()).await {
            tracing::warn!(id = %self.id, %error, "the gateway was not told that an answer was handed out");
        }
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        let mut all = self.all.all();
        // Another call may hand out the same end meanwhile.
        if all.get(&self.id).is_some_and(|settling| settling.same_channel(&self.settled.subscribe())) {
            all.remove(&self.id);
        }
    }
}

impl std::fmt::Debug for Delivery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Delivery").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A transport that tells of the results it has written.
pub(crate) struct Telling<T> {
    pub(crate) inner: T,
    pub(crate) outgoing: Outgoing,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Telling<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let deliveries = match &item {
            JsonRpcMessage::Response(response) => self.outgoing.taken(&response.id),
            JsonRpcMessage::Error(error) => {
                // An error hands nothing out.
                if let Some(request) = &error.id {
                    drop(self.outgoing.taken(request));
                }
                Vec::new()
            }
            _ => Vec::new(),
        };
        let sent = self.inner.send(item);
        async move {
            sent.await?;
            for delivery in deliveries {
                delivery.arrived().await;
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = self.inner.receive().await;
        // The result of a call that was taken back is never written.
        if let Some(JsonRpcMessage::Notification(notification)) = &message
            && let rmcp::model::ClientNotification::CancelledNotification(cancelled) =
                &notification.notification
            && let Some(request) = &cancelled.params.request_id
        {
            drop(self.outgoing.taken(request));
        }
        message
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}
