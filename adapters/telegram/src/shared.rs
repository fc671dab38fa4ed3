//! What both sides of an Account know: presses that owe an acknowledgement, updates that wait to be saved, the bot's name. Holds
//! no lock while anything is waited for.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use askrelay_core::id::{AckId, UpdateId};
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use crate::confirm::Confirmations;
use crate::decode::Me;
use crate::presses::Presses;

#[derive(Debug, Default)]
pub(crate) struct Shared {
    state: Mutex<State>,
    saved: Notify,
}

#[derive(Debug, Default)]
struct State {
    presses: Presses,
    confirmations: Confirmations,
    handle: Option<String>,
}

impl Shared {
    pub(crate) fn press_came(&self, press: &str) -> Option<AckId> {
        self.state().presses.came(press)
    }

    pub(crate) fn end_press(&self, ack: AckId) -> Option<String> {
        self.state().presses.end(ack)
    }

    pub(crate) fn meet(&self, me: &Me) {
        self.state().handle.clone_from(&me.handle);
    }

    pub(crate) fn handle(&self) -> Option<String> {
        self.state().handle.clone()
    }

    pub(crate) fn update_came(&self, update: i64, again_after: Duration) -> bool {
        self.state().confirmations.came(update, Instant::now(), again_after)
    }

    pub(crate) fn deliver(&self, update: i64) {
        self.state().confirmations.deliver(update, Instant::now());
    }

    pub(crate) fn request(&self, update: i64, request: oneshot::Sender<()>) {
        self.state().confirmations.request(update, request);
    }

    pub(crate) fn saved(&self, update: &UpdateId) {
        if let Ok(update) = update.as_str().parse() {
            self.state().confirmations.saved(update);
            self.saved.notify_waiters();
        }
    }

    pub(crate) fn offset(&self) -> Option<i64> {
        self.state().confirmations.offset()
    }

    pub(crate) fn offset_taken(&self) {
        self.state().confirmations.taken();
    }

    /// Until nothing waits to be saved.
    pub(crate) async fn settled(&self) {
        loop {
            let saved = self.saved.notified();
            tokio::pin!(saved);
            saved.as_mut().enable();
            if self.state().confirmations.is_settled() {
                return;
            }
            saved.await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No step leaves the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
