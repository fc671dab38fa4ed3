//! Which updates may be confirmed to the platform: those that were saved, and those that say nothing. Asks for none and reads no
//! clock.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

/// Updates between their arrival and their save.
#[derive(Debug, Default)]
pub(crate) struct Confirmations {
    waiting: BTreeMap<i64, Waiting>,
    /// Behind the newest that came; none where nothing is left to confirm.
    next: Option<i64>,
}

#[derive(Debug)]
struct Waiting {
    delivered: Instant,
    /// Requests of a webhook that end once it is saved.
    requests: Vec<oneshot::Sender<()>>,
}

impl Confirmations {
    /// An update came: whether it is to be delivered, which one on its way is not, for a while.
    pub(crate) fn came(&mut self, update: i64, now: Instant, again_after: Duration) -> bool {
        // One that is repeated out of turn takes nothing back.
        self.next = self.next.max(Some(update.saturating_add(1)));
        self.waiting.get(&update).is_none_or(|waiting| waiting.delivered + again_after <= now)
    }

    /// It is delivered now, and waits to be saved.
    pub(crate) fn deliver(&mut self, update: i64, now: Instant) {
        let waiting = self.waiting.entry(update);
        waiting.or_insert_with(|| Waiting { delivered: now, requests: Vec::new() }).delivered = now;
    }

    /// A webhook's request ends once the update is saved; at once where it does not wait.
    pub(crate) fn request(&mut self, update: i64, request: oneshot::Sender<()>) {
        match self.waiting.get_mut(&update) {
            Some(waiting) => {
                waiting.requests.retain(|request| !request.is_closed());
                waiting.requests.push(request);
            }
            // Whoever asked may be gone.
            None => {
                let _ = request.send(());
            }
        }
    }

    /// Its effects are on disk.
    pub(crate) fn saved(&mut self, update: i64) {
        for request in self.waiting.remove(&update).into_iter().flat_map(|waiting| waiting.requests) {
            let _ = request.send(());
        }
    }

    /// All that came are saved.
    pub(crate) fn is_settled(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The first update that may not be confirmed yet.
    pub(crate) fn offset(&self) -> Option<i64> {
        self.waiting.keys().next().copied().or(self.next)
    }

    /// The platform took the offset and has nothing newer. After a quiet week its ids start anew, so the offset is not kept.
    pub(crate) fn taken(&mut self) {
        if self.waiting.is_empty() {
            self.next = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGAIN: Duration = Duration::from_secs(30);

    #[test]
    fn the_offset_passes_only_what_is_saved() {
        let now = Instant::now();
        let mut confirmations = Confirmations::default();
        assert_eq!(confirmations.offset(), None);
        for update in [10, 11, 12, 13] {
            assert!(confirmations.came(update, now, AGAIN));
        }
        for update in [10, 12] {
            confirmations.deliver(update, now);
        }
        assert_eq!(confirmations.offset(), Some(10));
        confirmations.saved(12);
        assert_eq!(confirmations.offset(), Some(10), "a smaller one waits");
        confirmations.taken();
        assert_eq!(confirmations.offset(), Some(10), "it waits all the same");
        confirmations.saved(10);
        assert!(confirmations.is_settled());
        assert_eq!(confirmations.offset(), Some(14));
        confirmations.taken();
        assert_eq!(confirmations.offset(), None, "ids may start anew");
        confirmations.saved(4711);
    }

    #[test]
    fn one_on_its_way_is_delivered_again_after_a_while() {
        let now = Instant::now();
        let mut confirmations = Confirmations::default();
        confirmations.came(10, now, AGAIN);
        confirmations.deliver(10, now);
        assert!(!confirmations.came(10, now + AGAIN / 2, AGAIN));
        assert!(confirmations.came(10, now + AGAIN, AGAIN), "it got lost");
    }

    #[tokio::test]
    async fn a_request_waits_for_the_save() {
        let now = Instant::now();
        let mut confirmations = Confirmations::default();
        confirmations.came(10, now, AGAIN);
        confirmations.deliver(10, now);
        let (first, mut first_ended) = oneshot::channel();
        let (second, second_ended) = oneshot::channel();
        confirmations.request(10, first);
        assert!(first_ended.try_recv().is_err());
        confirmations.request(11, second);
        assert_eq!(second_ended.await, Ok(()), "one that says nothing does not wait");
        confirmations.saved(10);
        assert_eq!(first_ended.await, Ok(()));
    }
}
