//! Placeholder while the outgoing side is built.
use serde_json::Value;
use tokio::sync::oneshot;

use crate::presses::Answer;

/// One payload that the platform brought.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) payload: Value,
    /// Ends the platform's request.
    pub(crate) answer: oneshot::Sender<Answer>,
}
