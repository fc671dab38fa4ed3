//! A bot account as its owner sees it: the token, and what the platform does to it on demand.

use std::sync::Arc;

use serde_json::{Value, json};

use super::state::{Shared, Update, World};

/// One bot account.
#[derive(Clone, Debug)]
pub struct Bot {
    pub(super) shared: Arc<Shared>,
    pub(super) id: i64,
}

impl Bot {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> i64 {
        self.id
    }

    /// The secret with which it calls.
    #[must_use]
    pub fn token(&self) -> String {
        self.shared.look(|world| world.bot(self.id).token.clone())
    }

    /// Its name, without `@`.
    #[must_use]
    pub fn username(&self) -> String {
        self.shared.look(|world| world.bot(self.id).username.clone())
    }

    /// Privacy mode: with it, which is how a bot begins, it receives little of a group.
    pub fn set_privacy(&self, on: bool) {
        self.shared.change(|world| world.bot(self.id).private = on);
    }

    /// The commands that it registered.
    #[must_use]
    pub fn commands(&self) -> Value {
        self.shared.look(|world| world.bot(self.id).commands.clone())
    }

    /// Updates that were not confirmed yet, the oldest first.
    #[must_use]
    pub fn pending(&self) -> Vec<Value> {
        self.shared
            .look(|world| world.bot(self.id).updates.iter().map(|update| update.value.clone()).collect())
    }

    /// From now on updates are numbered from this on, as the platform may do after a quiet week: also lower than before.
    pub fn number_updates_from(&self, id: i64) {
        self.shared.change(|world| world.bot(self.id).newest_update = id - 1);
    }

    /// Waits until so many updates are not confirmed yet.
    pub async fn until_pending(&self, count: usize) {
        let what = format!("{count} unconfirmed updates");
        let find = |world: &World| {
            let bot = world.bots.get(&self.id)?;
            (bot.updates.len() == count).then_some(())
        };
        self.shared.until(&what, find).await;
    }

    /// The newest update that was handed out comes once more, under the same id, confirmed or not. `false` when there is none.
    pub fn deliver_again(&self) -> bool {
        self.shared.change(|world| {
            let bot = world.bot(self.id);
            bot.again.extend(bot.delivered.clone());
            bot.delivered.is_some()
        })
    }

    /// An update with these fields beside its id: one that nobody knows, or one that cannot be read.
    pub fn deliver_raw(&self, mut fields: Value) -> i64 {
        self.shared.change(|world| {
            let expires_at = world.now + 86_400;
            let bot = world.bot(self.id);
            bot.newest_update += 1;
            let id = bot.newest_update;
            if let Some(fields) = fields.as_object_mut() {
                fields.insert("update_id".to_owned(), id.into());
            }
            bot.updates.push_back(Update { id, value: fields, expires_at });
            id
        })
    }

    /// An update of a kind that does not exist yet.
    pub fn deliver_unknown(&self) -> i64 {
        self.deliver_raw(json!({ "thought_received": { "thinker": { "id": 1 }, "strength": 11 } }))
    }

    /// An update of a known kind whose insides make no sense.
    pub fn deliver_garbage(&self) -> i64 {
        self.deliver_raw(json!({ "message": { "message_id": "many", "chat": [] } }))
    }

    /// Somebody else polls with the same token: a poll that waits is ended with a conflict.
    pub fn poll_elsewhere(&self) {
        self.shared.change(|world| world.bot(self.id).polls += 1);
    }
}
