//! What waits to be sent on one connection: bounded by weight, so that a reader who does not read costs a known amount of
//! memory. Sends nothing itself; a carrier takes the frames out at its own pace.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use askrelay_protocol::frame::{Event, ServerFrame};
use askrelay_protocol::reply::{Ending, Reply};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::weight::record_weight;

/// What a frame weighs besides its texts: more than it takes in the queue.
const FRAME_WEIGHT: usize = 256;

/// The desk's end.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    queue: mpsc::UnboundedSender<Outgoing>,
    weight: Arc<AtomicUsize>,
    weight_max: usize,
    cut: CancellationToken,
}

/// The carrier's end.
#[derive(Debug)]
pub(crate) struct Outlet {
    queue: mpsc::UnboundedReceiver<Outgoing>,
    weight: Arc<AtomicUsize>,
    cut: CancellationToken,
}

/// One thing to send.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// A frame and what it weighs.
    Frame(ServerFrame, usize),
    /// Nothing follows.
    Close(Close),
}

/// Why a connection is closed, as a WebSocket says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Close {
    pub(crate) code: u16,
    pub(crate) reason: String,
}

/// The connection is full or gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost;

/// Both ends of a new queue.
pub(crate) fn outbox(weight_max: usize) -> (Outbox, Outlet) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let weight = Arc::new(AtomicUsize::new(0));
    let cut = CancellationToken::new();
    let outbox = Outbox { queue: sender, weight: Arc::clone(&weight), weight_max, cut: cut.clone() };
    (outbox, Outlet { queue: receiver, weight, cut })
}

impl Outbox {
    /// Queues a frame. When the reader is too slow for it the connection is cut: nothing more goes out.
    pub(crate) fn push(&self, frame: ServerFrame) -> Result<(), Lost> {
        let weight = weight(&frame);
        let queued = self.weight.fetch_add(weight, Ordering::Relaxed);
        if queued > 0 && queued.saturating_add(weight) > self.weight_max {
            self.cut.cancel();
            return Err(Lost);
        }
        self.queue.send(Outgoing::Frame(frame, weight)).map_err(|_| Lost)
    }

    /// Closes the connection once everything queued is sent.
    pub(crate) fn close(&self, code: u16, reason: &str) {
        // A carrier that is gone has closed it already.
        let _ = self.queue.send(Outgoing::Close(Close { code, reason: reason.to_owned() }));
    }
}

impl Outlet {
    /// Waits for something to send and takes up to `most` of it; nothing when the desk let go of the connection.
    pub(crate) async fn take(&mut self, batch: &mut Vec<Outgoing>, most: usize) -> usize {
        self.queue.recv_many(batch, most).await
    }

    /// Says that so much was sent.
    pub(crate) fn sent(&self, weight: usize) {
        self.weight.fetch_sub(weight, Ordering::Relaxed);
    }

    /// Ends when the reader was too slow.
    pub(crate) fn cut(&self) -> CancellationToken {
        self.cut.clone()
    }
}

/// Roughly how many bytes the frame takes as text; never less than it takes in memory, shared Records aside.
fn weight(frame: &ServerFrame) -> usize {
    FRAME_WEIGHT
        + match frame {
            ServerFrame::Event { event, .. } => match event {
                Event::QuestionRequested(record) | Event::QuestionResolved(Ending::Record(record)) => {
                    record_weight(record)
                }
                _ => 0,
            },
            ServerFrame::Response { result: Ok(reply), .. } => match reply {
                Reply::Question(record) | Reply::Resolved(Ending::Record(record)) => record_weight(record),
                Reply::Questions { records, .. } => records.iter().map(|record| record_weight(record)).sum(),
                _ => 0,
            },
            ServerFrame::Response { result: Err(error), .. } => error.message.len(),
        }
}

#[cfg(test)]
mod tests {
    //! A queue takes what fits, and one thing that is larger than everything that fits.

    use super::*;
    use askrelay_core::time::Time;

    fn tick() -> ServerFrame {
        ServerFrame::Event { seq: None, event: Event::Tick { ts: Time(0) } }
    }

    #[tokio::test]
    async fn a_slow_reader_is_cut_off_and_a_reading_one_is_not() {
        let (outbox, mut outlet) = outbox(3 * FRAME_WEIGHT);
        let mut batch = Vec::new();
        for _ in 0..100 {
            outbox.push(tick()).expect("it is read");
            outlet.take(&mut batch, 10).await;
            outlet.sent(FRAME_WEIGHT);
        }
        assert_eq!((1..=4).map(|_| outbox.push(tick())).filter(Result::is_ok).count(), 3);
        assert!(outlet.cut().is_cancelled());
    }

    #[tokio::test]
    async fn one_frame_may_be_larger_than_everything() {
        let (outbox, outlet) = outbox(1);
        outbox.push(tick()).expect("the only one");
        assert!(!outlet.cut().is_cancelled());
    }
}
