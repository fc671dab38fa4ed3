//! What was sent to clients over HTTP, kept for those who come back after a broken connection. In memory and bounded: the newest stay.
//! Answers themselves are the gateway's; this only spares a client the second call.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use rmcp::transport::streamable_http_server::session::{
    EventStore, EventStoreError, EventStream, ServerSseMessage,
};
use subtle::ConstantTimeEq as _;

use crate::door::digest;

/// Most events that are kept.
const EVENTS: usize = 4096;
/// Most bytes that they have together.
const BYTES: usize = 16 * 1024 * 1024;

/// The events of all streams, oldest first.
#[derive(Debug)]
pub(crate) struct Events(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// Makes the numbers of events into ids that nobody guesses: whoever has one may read what followed it.
    key: String,
    events: VecDeque<Event>,
    bytes: usize,
    last: u64,
}

#[derive(Debug)]
struct Event {
    number: u64,
    stream: String,
    message: ServerSseMessage,
    bytes: usize,
}

/// The event from which a client wants to go on is not kept any more.
#[derive(Debug, thiserror::Error)]
#[error("event {0} is not kept here any more; call again to get the answer")]
struct Gone(String);

impl Events {
    /// None yet. `key` is fresh chance.
    pub(crate) fn new(key: [u8; 16]) -> Self {
        let key = format!("{:032x}", u128::from_be_bytes(key));
        Self(Mutex::new(Kept { key, ..Kept::default() }))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // Nothing that holds the lock can leave it half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn id(&self, number: u64) -> String {
        format!("{number}.{}", digest(&[&self.key, &number.to_string()]))
    }

    fn add(&mut self, stream: &str, message: &ServerSseMessage) -> String {
        self.last += 1;
        let id = self.id(self.last);
        let mut message = message.clone();
        message.event_id = Some(id.clone());
        let text = message.message.as_ref().and_then(|message| serde_json::to_vec(message.as_ref()).ok());
        let bytes = text.map_or(0, |text| text.len()) + stream.len();
        self.bytes += bytes;
        self.events.push_back(Event { number: self.last, stream: stream.to_owned(), message, bytes });
        while self.events.len() > EVENTS || (self.bytes > BYTES && self.events.len() > 1) {
            self.bytes -= self.events.pop_front().map_or(0, |event| event.bytes);
        }
        id
    }

    /// What came after an event in its own stream.
    fn after(&self, id: &str) -> Option<Vec<ServerSseMessage>> {
        let number: u64 = id.split_once('.')?.0.parse().ok()?;
        if !bool::from(self.id(number).as_bytes().ct_eq(id.as_bytes())) {
            return None;
        }
        let at = self.events.binary_search_by_key(&number, |event| event.number).ok()?;
        let stream = &self.events.get(at)?.stream;
        let later = self.events.iter().skip(at + 1).filter(|event| event.stream == *stream);
        Some(later.map(|event| event.message.clone()).collect())
    }
}

#[async_trait]
impl EventStore for Events {
    async fn store_event(
        &self,
        stream_id: &str,
        event: &ServerSseMessage,
    ) -> Result<String, EventStoreError> {
        Ok(self.kept().add(stream_id, event))
    }

    async fn replay_events_after(&self, last_event_id: &str) -> Result<EventStream, EventStoreError> {
        let later = self.kept().after(last_event_id).ok_or_else(|| Gone(last_event_id.to_owned()))?;
        Ok(Box::pin(futures_util::stream::iter(later)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event() -> ServerSseMessage {
        ServerSseMessage::priming("0", std::time::Duration::from_secs(1))
    }

    /// The numbers of what came after this event.
    fn numbers(kept: &Kept, after: u64) -> Option<Vec<String>> {
        let ids = kept.after(&kept.id(after))?.into_iter().filter_map(|message| message.event_id);
        Some(ids.map(|id| id.split_once('.').unwrap().0.to_owned()).collect())
    }

    #[test]
    fn a_guessed_event_opens_nothing() {
        let mut kept = Kept { key: "0f".to_owned(), ..Kept::default() };
        kept.add("a", &event());
        let real = kept.id(1);
        assert!(kept.after(&real).is_some());
        let other = Kept { key: "f0".to_owned(), ..Kept::default() }.id(1);
        for guessed in ["1", "1.", "1.0", "", ".", "-1", "x", &real[..real.len() - 1], &other] {
            assert!(kept.after(guessed).is_none(), "{guessed}");
        }
    }

    #[test]
    fn a_stream_goes_on_after_its_own_event() {
        let mut kept = Kept::default();
        for stream in ["a", "b", "a", "a", "b"] {
            kept.add(stream, &event());
        }
        for (after, expected) in
            [(1, Some(vec!["3", "4"])), (2, Some(vec!["5"])), (5, Some(vec![])), (6, None)]
        {
            let expected = expected.map(|all| all.into_iter().map(str::to_owned).collect());
            assert_eq!(numbers(&kept, after), expected, "after {after}");
        }
    }

    #[test]
    fn the_newest_stay() {
        let mut kept = Kept::default();
        for _ in 0..=EVENTS {
            kept.add("a", &event());
        }
        assert_eq!(kept.events.len(), EVENTS);
        assert_eq!(numbers(&kept, 1), None, "the oldest is gone");
        assert_eq!(numbers(&kept, 2).map(|all| all.len()), Some(EVENTS - 1));
        kept.add(&"s".repeat(BYTES + 1), &event());
        assert_eq!(kept.events.len(), 1, "one that is too large alone pushes out the others");
    }
}
