//! What both sides of an Account know: interactions that owe an acknowledgement, who the bot is, direct conversations, messages of
//! ours and threads. Holds no lock while anything is waited for.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use askrelay_core::id::AckId;
use reqwest::Url;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::decode::Me;
use crate::limits::REMEMBERED;
use crate::place::Spot;
use crate::presses::{Answer, Press, Presses};

#[derive(Debug, Default)]
pub(crate) struct Shared {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    presses: Presses,
    handle: Option<String>,
    /// The channel of the direct conversation with a user.
    direct: Remembered<String>,
    /// Messages of ours, by channel and `ts`.
    ours: Remembered<()>,
    /// The thread of a text that we heard, by conversation and `ts`.
    threads: Remembered<String>,
}

impl Shared {
    pub(crate) fn press_came(
        &self,
        update: &str,
        press: Press,
        request: Option<oneshot::Sender<Answer>>,
    ) -> Option<AckId> {
        self.state().presses.came(update, press, request, Instant::now())
    }

    pub(crate) fn acknowledge(&self, ack: AckId) -> Option<(Press, Instant)> {
        self.state().presses.acknowledge(ack)
    }

    pub(crate) fn press(&self, ack: AckId) -> Option<Press> {
        self.state().presses.known(ack)
    }

    pub(crate) fn answer(&self, ack: AckId, answer: Answer) -> bool {
        self.state().presses.answer(ack, answer)
    }

    pub(crate) fn response_url(&self, ack: AckId) -> Option<Url> {
        self.state().presses.response_url(ack, Instant::now())
    }

    pub(crate) fn meet(&self, me: &Me) {
        self.state().handle.clone_from(&me.handle);
    }

    pub(crate) fn handle(&self) -> Option<String> {
        self.state().handle.clone()
    }

    pub(crate) fn direct(&self, user: &str) -> Option<String> {
        self.state().direct.get(user).cloned()
    }

    pub(crate) fn learn_direct(&self, user: &str, channel: &str) {
        self.state().direct.put(user.to_owned(), channel.to_owned());
    }

    pub(crate) fn is_ours(&self, channel: &str, ts: &str) -> bool {
        self.state().ours.get(&format!("{channel}/{ts}")).is_some()
    }

    pub(crate) fn learn_ours(&self, channel: &str, ts: &str) {
        self.state().ours.put(format!("{channel}/{ts}"), ());
    }

    pub(crate) fn thread(&self, spot: &Spot, ts: &str) -> Option<String> {
        self.state().threads.get(&format!("{}/{ts}", spot.conversation())).cloned()
    }

    pub(crate) fn learn_thread(&self, conversation: &str, ts: &str, thread: &str) {
        self.state().threads.put(format!("{conversation}/{ts}"), thread.to_owned());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No step leaves the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The newest of what was learnt.
#[derive(Debug)]
struct Remembered<V> {
    known: BTreeMap<String, V>,
    order: VecDeque<String>,
}

impl<V> Default for Remembered<V> {
    fn default() -> Self {
        Self { known: BTreeMap::new(), order: VecDeque::new() }
    }
}

impl<V> Remembered<V> {
    fn get(&self, key: &str) -> Option<&V> {
        self.known.get(key)
    }

    fn put(&mut self, key: String, value: V) {
        if self.known.insert(key.clone(), value).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_is_remembered() {
        let mut remembered = Remembered::default();
        for number in 0..=REMEMBERED {
            remembered.put(number.to_string(), number);
            remembered.put(number.to_string(), number);
        }
        assert_eq!((remembered.get("0"), remembered.get("1")), (None, Some(&1)));
        assert_eq!(remembered.order.len(), REMEMBERED);
    }
}
