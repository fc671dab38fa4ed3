//! Which requests of one connection wait for their responses. Dropping it tells every waiting call that its answer is lost.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

use askrelay_protocol::error::WireError;
use askrelay_protocol::frame::Method;
use askrelay_protocol::reply::Reply;

use crate::error::CallError;

/// Where the result of one call goes.
pub(crate) type Answer = oneshot::Sender<Result<Reply, CallError>>;

/// The requests under way. Responses may come in any order; one to an id that does not wait is nobody's.
#[derive(Default)]
pub(crate) struct Exchange(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    last: u64,
    by_id: HashMap<String, (Method, Answer)>,
    /// How many may wait before those whose caller left are looked for.
    sweep_at: usize,
}

/// Requests that always may wait without a look for abandoned ones.
const SWEEP_MIN: usize = 256;

impl Exchange {
    /// Takes a request in and names it.
    pub(crate) fn begin(&self, method: Method, answer: Answer) -> String {
        let mut waiting = self.lock();
        if waiting.by_id.len() >= waiting.sweep_at.max(SWEEP_MIN) {
            waiting.by_id.retain(|_, (_, answer)| !answer.is_closed());
            waiting.sweep_at = waiting.by_id.len().saturating_mul(2);
        }
        waiting.last += 1;
        let id = waiting.last.to_string();
        waiting.by_id.insert(id.clone(), (method, answer));
        id
    }

    /// The method of a request that waits.
    pub(crate) fn method_of(&self, id: &str) -> Option<Method> {
        self.lock().by_id.get(id).map(|(method, _)| *method)
    }

    /// Hands a response to whoever waits for it; a second one to the same request is dropped.
    pub(crate) fn answer(&self, id: &str, result: Result<Reply, WireError>) {
        self.end(id, result.map_err(CallError::from));
    }

    /// Hands over that the response could not be read.
    pub(crate) fn unreadable(&self, id: &str, why: String) {
        self.end(id, Err(CallError::Unreadable(why)));
    }

    fn end(&self, id: &str, result: Result<Reply, CallError>) {
        let waiting = self.lock().by_id.remove(id);
        if let Some((_, answer)) = waiting {
            // A caller that left does not want it any more.
            let _ = answer.send(result);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // No step under the lock can fail half-way, so a poisoned one is still whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abandoned_requests_do_not_pile_up() {
        let exchange = Exchange::default();
        let (kept, _caller) = oneshot::channel();
        let first = exchange.begin(Method::WaitAnswer, kept);
        for _ in 0..10_000 {
            exchange.begin(Method::WaitAnswer, oneshot::channel().0);
        }
        assert!(exchange.lock().by_id.len() <= 2 * SWEEP_MIN);
        assert_eq!(exchange.method_of(&first), Some(Method::WaitAnswer));
    }
}
