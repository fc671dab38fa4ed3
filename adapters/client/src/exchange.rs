//! Which requests of one connection wait for their responses. Dropping it tells every waiting call that its answer is lost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use askrelay_protocol::error::WireError;
use askrelay_protocol::frame::Method;
use askrelay_protocol::reply::Reply;

use crate::error::CallError;

/// Where the result of one call goes.
pub(crate) type Answer = oneshot::Sender<Result<Reply, CallError>>;

/// The requests under way. Responses may come in any order; one to an id that does not wait is nobody's.
pub(crate) struct Exchange {
    waiting: Mutex<Waiting>,
    room: Arc<Semaphore>,
}

/// Room for one request under way.
pub(crate) type Room = OwnedSemaphorePermit;

#[derive(Default)]
struct Waiting {
    last: u64,
    by_id: HashMap<String, (Method, Answer, Room)>,
    /// How many may wait before those whose caller left are looked for.
    sweep_at: usize,
}

/// Requests that always may wait without a look for abandoned ones.
const SWEEP_MIN: usize = 256;

impl Exchange {
    /// One that has room for so many.
    pub(crate) fn of(most: usize) -> Self {
        Self { waiting: Mutex::default(), room: Arc::new(Semaphore::new(most.max(1))) }
    }

    /// Room for one request, if there is some now.
    pub(crate) fn room(&self) -> Option<Room> {
        Arc::clone(&self.room).try_acquire_owned().ok()
    }

    /// Room for one request, as soon as another was answered.
    pub(crate) async fn wait_for_room(&self) -> Room {
        match Arc::clone(&self.room).acquire_owned().await {
            Ok(room) => room,
            // It is never closed.
            Err(_) => std::future::pending().await,
        }
    }

    /// Takes a request in and names it.
    pub(crate) fn begin(&self, method: Method, answer: Answer, room: Room) -> String {
        let mut waiting = self.lock();
        if waiting.by_id.len() >= waiting.sweep_at.max(SWEEP_MIN) {
            waiting.by_id.retain(|_, (_, answer, _)| !answer.is_closed());
            waiting.sweep_at = waiting.by_id.len().saturating_mul(2);
        }
        waiting.last += 1;
        let id = waiting.last.to_string();
        waiting.by_id.insert(id.clone(), (method, answer, room));
        id
    }

    /// The method of a request that waits.
    pub(crate) fn method_of(&self, id: &str) -> Option<Method> {
        self.lock().by_id.get(id).map(|(method, ..)| *method)
    }

    /// Hands a response to whoever waits for it; a second one to the same request is dropped.
    pub(crate) fn answer(&self, id: &str, result: Result<Reply, WireError>) {
        self.end(id, result.map_err(CallError::from));
    }

    /// Hands over that the response could not be read.
    pub(crate) fn unreadable(&self, id: &str, why: String) {
        self.end(id, Err(CallError::Unreadable(why)));
    }

    /// Tells that the request does not fit a frame that the gateway takes.
    pub(crate) fn too_large(&self, id: &str, bytes: u64, most: u64) {
        self.end(id, Err(CallError::TooLarge { bytes, most }));
    }

    fn end(&self, id: &str, result: Result<Reply, CallError>) {
        let waiting = self.lock().by_id.remove(id);
        if let Some((_, answer, _)) = waiting {
            // A caller that left does not want it any more.
            let _ = answer.send(result);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // No step under the lock can fail half-way, so a poisoned one is still whole.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_so_many_and_an_answer_makes_some() {
        let exchange = Exchange::of(2);
        let id = exchange.begin(Method::Get, oneshot::channel().0, exchange.room().unwrap());
        let _second = exchange.room().unwrap();
        assert!(exchange.room().is_none());
        exchange.unreadable(&id, "it does not matter".to_owned());
        assert!(exchange.room().is_some());
    }

    #[test]
    fn abandoned_requests_do_not_pile_up() {
        let exchange = Exchange::of(Semaphore::MAX_PERMITS);
        let (kept, _caller) = oneshot::channel();
        let first = exchange.begin(Method::WaitAnswer, kept, exchange.room().unwrap());
        for _ in 0..10_000 {
            exchange.begin(Method::WaitAnswer, oneshot::channel().0, exchange.room().unwrap());
        }
        assert!(exchange.lock().by_id.len() <= 2 * SWEEP_MIN);
        assert_eq!(exchange.method_of(&first), Some(Method::WaitAnswer));
    }
}
