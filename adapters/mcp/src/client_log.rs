//! What a client is told of its calls' course, where it said that it wants to know: a page that waits, a way of asking that reached
//! nobody. Not the log of this process, which goes to standard error.
#![expect(
    deprecated,
    reason = "the newest revision drops it for one of its own; the others have nothing else"
)]

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::service::RequestContext;

/// From which level on the client of one session wants to hear; none: it never said, and is told nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientLog(Arc<Mutex<Option<LoggingLevel>>>);

impl ClientLog {
    /// The client wants to hear from this level on.
    pub(crate) fn set(&self, level: LoggingLevel) {
        // Nothing that holds the lock can leave it half done.
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(level);
    }

    /// What happened in a call, for its client. A level in the request itself goes before the session's.
    pub(crate) async fn tell(
        &self,
        context: &RequestContext<RoleServer>,
        level: LoggingLevel,
        words: impl Into<String>,
    ) {
        let session = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(least) = context.meta.log_level().or(session) else { return };
        if level as u8 >= least as u8 {
            let told =
                LoggingMessageNotificationParam::new(level, words.into().into()).with_logger("askrelay");
            // Whoever does not hear it is gone, which the call's own end shows.
            let _ = context.peer.notify_logging_message(told).await;
        }
    }

    /// What nobody was reached by, or where a person is waited for.
    pub(crate) async fn warn(&self, context: &RequestContext<RoleServer>, words: impl Into<String>) {
        self.tell(context, LoggingLevel::Warning, words).await;
    }
}
