//! Fetching updates: what an offset confirms, and who waits.

use serde_json::Value;

use super::params::Params;
use super::refusal::Refusal;
use super::state::World;

/// Longest that a poll may wait, in seconds: the server's own cap.
const WAIT_MAX_SECONDS: i64 = 50;
/// How far an offset may be ahead of the newest update; beyond that it means an older count, and confirms nothing.
const OFFSET_AHEAD_MAX: i64 = 10;

/// One call of `getUpdates`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Poll {
    bot: i64,
    /// Which of the bot's polls it is.
    number: u64,
    limit: usize,
    /// When it ends without updates, by the stand-in's clock.
    pub(super) until: i64,
    /// How long it waits, in seconds.
    pub(super) timeout: i64,
}

impl World {
    /// Begins a poll: what lies before the offset is confirmed, and a poll that still waits is ended.
    pub(super) fn begin_poll(&mut self, bot: i64, params: &Params) -> Result<Poll, Refusal> {
        if self.bot(bot).hook.is_some() {
            let words = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the \
                         webhook first";
            return Err(Refusal::conflict(words));
        }
        self.allow_updates(bot, params);
        let offset = params.bounded("offset", 0, i64::MIN, i64::MAX);
        let timeout = params.bounded("timeout", 0, 0, WAIT_MAX_SECONDS);
        let until = self.now + timeout;
        let state = self.bot(bot);
        if offset < 0 {
            let kept = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
            while state.updates.len() > kept {
                state.updates.pop_front();
            }
        } else if offset <= state.newest_update + OFFSET_AHEAD_MAX {
            state.updates.retain(|update| update.id >= offset);
        }
        state.polls += 1;
        let limit = usize::try_from(params.bounded("limit", 100, 1, 100)).unwrap_or(100);
        Ok(Poll { bot, number: state.polls, limit, until, timeout })
    }

    /// The answer of a poll, once there is one.
    pub(super) fn poll(&mut self, poll: Poll, expired: bool) -> Option<Result<Value, Refusal>> {
        let now = self.now;
        let state = self.bot(poll.bot);
        if state.polls != poll.number {
            let words =
                "terminated by other getUpdates request; make sure that only one bot instance is running";
            return Some(Err(Refusal::conflict(words)));
        }
        if state.hook.is_some() {
            return Some(Err(Refusal::conflict("terminated by setWebhook request")));
        }
        state.updates.retain(|update| update.expires_at > now);
        let again = poll.limit.min(state.again.len());
        let mut updates: Vec<Value> = state.again.drain(..again).collect();
        let waiting = state.updates.iter().take(poll.limit - again);
        updates.extend(waiting.map(|update| update.value.clone()));
        if let Some(newest) = updates.last() {
            state.delivered = Some(newest.clone());
        }
        (!updates.is_empty() || expired || now >= poll.until).then_some(Ok(Value::Array(updates)))
    }

    /// Takes over the list of wanted kinds; a call without one keeps the last.
    pub(super) fn allow_updates(&mut self, bot: i64, params: &Params) {
        if let Ok(Some(Value::Array(kinds))) = params.structure("allowed_updates") {
            self.bot(bot).allowed =
                kinds.iter().filter_map(|kind| kind.as_str().map(str::to_ascii_lowercase)).collect();
        }
    }
}
