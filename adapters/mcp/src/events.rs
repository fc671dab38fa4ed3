//! What was sent to clients over HTTP, kept for those who come back after a broken connection. In memory and bounded: the newest stay.
//! Answers themselves are the gateway's; this only spares a client the second call.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use rmcp::transport::streamable_http_server::session::{
    EventStore, EventStoreError, EventStream, ServerSseMessage,
};

/// Most events that are kept.
const EVENTS: usize = 4096;
/// Most bytes that they have together.
const BYTES: usize = 16 * 1024 * 1024;

/// The events of all streams, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Events(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
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
    fn kept(&self) -> MutexGuard<'_, Kept> {
        // Nothing that holds the lock can leave it half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn add(&mut self, stream: &str, message: &ServerSseMessage) -> String {
        self.last += 1;
        let id = self.last.to_string();
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
        let number: u64 = id.parse().ok()?;
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

    fn ids(kept: &Kept, after: &str) -> Option<Vec<String>> {
        let later = kept.after(after)?;
        Some(later.into_iter().filter_map(|message| message.event_id).collect())
    }

    #[test]
    fn a_stream_goes_on_after_its_own_event() {
        let mut kept = Kept::default();
        for stream in ["a", "b", "a", "a", "b"] {
            kept.add(stream, &event());
        }
        for (after, expected) in [
            ("1", Some(vec!["3", "4"])),
            ("2", Some(vec!["5"])),
            ("5", Some(vec![])),
            ("6", None),
            ("-1", None),
            ("x", None),
        ] {
            let expected = expected.map(|ids| ids.into_iter().map(str::to_owned).collect());
            assert_eq!(ids(&kept, after), expected, "after {after}");
        }
    }

    #[test]
    fn the_newest_stay() {
        let mut kept = Kept::default();
        for _ in 0..=EVENTS {
            kept.add("a", &event());
        }
        assert_eq!(kept.events.len(), EVENTS);
        assert_eq!(ids(&kept, "1"), None, "the oldest is gone");
        assert_eq!(ids(&kept, "2").map(|ids| ids.len()), Some(EVENTS - 1));
        kept.add(&"s".repeat(BYTES + 1), &event());
        assert_eq!(kept.events.len(), 1, "one that is too large alone pushes out the others");
    }
}
