//! The rates that the stand-in allows, by its own clock. None at first: a test that wants them sets them.

use std::collections::{BTreeMap, VecDeque};

use super::refusal::Refusal;
use super::state::ChatKey;

/// How much may be sent or edited: so many in so many seconds. `None` is without end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// In each chat.
    pub chat: Option<(usize, i64)>,
    /// In each group, beside that.
    pub group: Option<(usize, i64)>,
    /// By each bot.
    pub overall: Option<(usize, i64)>,
}

/// What was sent when.
#[derive(Debug, Default)]
pub(super) struct Pace {
    pub(super) rates: Rates,
    chats: BTreeMap<ChatKey, VecDeque<i64>>,
    bots: BTreeMap<i64, VecDeque<i64>>,
}

impl Pace {
    /// Counts one message of this bot in this chat, or refuses it. A refused one is not counted.
    pub(super) fn admit(&mut self, bot: i64, key: ChatKey, now: i64) -> Result<(), Refusal> {
        let chat = self.chats.entry(key).or_default();
        let all = self.bots.entry(bot).or_default();
        let group = self.rates.group.filter(|_| key.id < 0);
        let waits =
            [wait(chat, self.rates.chat, now), wait(chat, group, now), wait(all, self.rates.overall, now)];
        if let Some(retry_after) = waits.into_iter().flatten().max() {
            return Err(Refusal::flood(retry_after));
        }
        let longest = [self.rates.chat, self.rates.group, self.rates.overall].into_iter().flatten();
        let kept = longest.map(|(count, _)| count).max().unwrap_or(0);
        for times in [chat, all] {
            times.push_back(now);
            while times.len() > kept {
                times.pop_front();
            }
        }
        Ok(())
    }
}

/// Seconds until another fits; `None` when it does now.
fn wait(times: &VecDeque<i64>, rate: Option<(usize, i64)>, now: i64) -> Option<i64> {
    let (count, seconds) = rate?;
    let oldest = times.len().checked_sub(count).and_then(|at| times.get(at))?;
    let free_at = oldest + seconds;
    (free_at > now).then_some(free_at - now)
}
