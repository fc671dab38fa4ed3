//! What the ledger wants saved. Replaying the facts of a ledger in order gives its Records again; how and where they are
//! kept is the store's.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::answer::Answered;
use crate::id::RecordKey;
use crate::record::{Record, State};
use crate::time::Time;

/// One change of one Record, or of all the old ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "lowercase")]
pub enum Fact {
    /// A Record was created, pending.
    Opened(Arc<Record>),
    /// A pending Record ended; the state is never pending.
    Closed {
        /// Which.
        key: RecordKey,
        /// How.
        state: State,
    },
    /// A valid answer came after the end and is kept beside it.
    Late {
        /// The Record it came for.
        key: RecordKey,
        /// The answer.
        answered: Answered,
    },
    /// The asker of an ended Record has its end in hand.
    Collected {
        /// Which Record.
        key: RecordKey,
        /// Since when.
        at: Time,
    },
    /// Every Record that ended before this time is dropped.
    Forgotten {
        /// The time.
        before: Time,
    },
}

impl Fact {
    /// Brings `records`, all Records of one gateway by identity, to what they are after this fact. This is what a fact
    /// means: a store that keeps facts in another form must give back the same Records. A fact about a Record that is not
    /// there changes nothing.
    pub fn apply(&self, records: &mut BTreeMap<RecordKey, Arc<Record>>) {
        match self {
            Self::Opened(record) => {
                records.insert(record.key.clone(), Arc::clone(record));
            }
            Self::Closed { key, state } => {
                if let Some(record) = records.get_mut(key) {
                    Arc::make_mut(record).state = state.clone();
                }
            }
            Self::Late { key, answered } => {
                if let Some(record) = records.get_mut(key) {
                    Arc::make_mut(record).late.push(answered.clone());
                }
            }
            Self::Collected { key, at } => {
                if let Some(record) = records.get_mut(key) {
                    Arc::make_mut(record).collected = Some(*at);
                }
            }
            Self::Forgotten { before } => {
                records.retain(|_, record| record.state.ended_at().is_none_or(|ended| ended >= *before));
            }
        }
    }
}
