//! What both sides of an Account know: interactions that owe an answer, channels of people, the bot itself. Holds no lock while
//! anything is waited for.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use askrelay_core::id::{AckId, Place};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::decode::{Me, Owed};
use crate::limits::PEOPLE;
use crate::place::Snowflake;
use crate::presses::{First, Presses, Way};

#[derive(Debug, Default)]
pub(crate) struct Shared {
    state: Mutex<State>,
    /// An interaction came.
    came: Notify,
    /// A session began or goes on.
    online: Notify,
}

#[derive(Debug, Default)]
struct State {
    presses: Presses,
    channels: BTreeMap<Snowflake, Snowflake>,
    me: Option<Me>,
}

impl Shared {
    pub(crate) fn press_came(&self, owed: Owed, place: &Place) -> Option<AckId> {
        let ack = self.state().presses.came(owed, place.clone(), Instant::now());
        self.came.notify_one();
        ack
    }

    /// Until another interaction came.
    pub(crate) async fn another_came(&self) {
        self.came.notified().await;
    }

    /// A session began or goes on.
    pub(crate) fn came_online(&self) {
        self.online.notify_one();
    }

    /// Until a session began.
    pub(crate) async fn until_online(&self) {
        self.online.notified().await;
    }

    pub(crate) fn acknowledge(&self, ack: AckId, later: bool) -> Option<Way> {
        self.state().presses.acknowledge(ack, later)
    }

    pub(crate) fn follow(&self, ack: AckId) -> Option<Way> {
        self.state().presses.follow(ack, Instant::now())
    }

    pub(crate) fn overdue(&self, now: Instant, after: Duration) -> Option<First> {
        self.state().presses.overdue(now, after)
    }

    pub(crate) fn acknowledgement_due(&self, after: Duration) -> Option<Instant> {
        self.state().presses.due(after)
    }

    pub(crate) fn meet(&self, me: &Me) {
        self.state().me = Some(me.clone());
    }

    pub(crate) fn application(&self) -> Option<Snowflake> {
        self.state().me.as_ref().map(|me| me.application)
    }

    /// The channel of a person and the bot.
    pub(crate) fn channel_of(&self, user: Snowflake) -> Option<Snowflake> {
        self.state().channels.get(&user).copied()
    }

    pub(crate) fn opened(&self, user: Snowflake, channel: Snowflake) {
        let mut state = self.state();
        if state.channels.len() >= PEOPLE {
            state.channels.pop_first();
        }
        state.channels.insert(user, channel);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No step leaves the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
