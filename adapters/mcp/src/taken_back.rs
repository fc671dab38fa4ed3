//! Which calls their client took back. A call also ends with its connection or with the process; neither is the client's word.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::RequestId;
use tokio::sync::Notify;

/// How long the client's word may follow the end of its call: the SDK ends the call first and tells why after that.
const FOLLOWS: Duration = Duration::from_secs(1);

/// Most words that are kept: those of calls that had ended before are never asked for.
const KEPT: usize = 64;

/// The calls of one session that were taken back, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct TakenBack(Arc<(Mutex<Vec<RequestId>>, Notify)>);

impl TakenBack {
    /// The client took this call back.
    pub(crate) fn tell(&self, request: RequestId) {
        // Nothing that holds the lock can leave it half done.
        let mut all = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(request);
        if all.len() > KEPT {
            all.remove(0);
        }
        drop(all);
        self.0.1.notify_waiters();
    }

    /// Whether this call, which has ended, was taken back.
    pub(crate) async fn was(&self, request: &RequestId) -> bool {
        let told = async {
            loop {
                let next = self.0.1.notified();
                tokio::pin!(next);
                next.as_mut().enable();
                if self.0.0.lock().unwrap_or_else(PoisonError::into_inner).contains(request) {
                    return;
                }
                next.await;
            }
        };
        tokio::time::timeout(FOLLOWS, told).await.is_ok()
    }
}
