//! The gateway's Records: opened once, ended exactly once, by the rules of DESIGN section 4. Holds every pending Record and
//! the ended ones its owner still wants at hand; saves nothing (it says what to save, [`Fact`]) and tells nobody.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use crate::ask::{Ask, Creator};
use crate::id::{GatewayId, PersonId, RecordId, RecordKey, TokenId};
use crate::permit::Caller;
use crate::person::People;
use crate::record::{Record, State};
use crate::time::Time;

mod ending;
mod fact;

pub use ending::{Answering, CancelVerdict, Cancelling, LATE_MAX, ResolveVerdict, Standing};
pub use fact::Fact;

/// Where a Record stands in the order of lists: by creation, then by id.
pub type Position = (Time, RecordId);

/// Whose open Asks are counted together: a Person with a token, a Person's local processes, or a service's token.
type Opener = (Option<PersonId>, Option<TokenId>);

/// The Records of one gateway.
#[derive(Debug)]
pub struct Ledger {
    gateway: GatewayId,
    records: BTreeMap<RecordId, Arc<Record>>,
    pending: BTreeSet<Position>,
    deadlines: BTreeSet<(Time, RecordId)>,
    open_by: BTreeMap<Opener, usize>,
    facts: Vec<Fact>,
}

/// What became of a request to open.
#[derive(Clone, Debug, PartialEq)]
pub enum OpenVerdict {
    /// It is a new Record.
    Opened(Arc<Record>),
    /// The same creator asked the very same before; this is the Record, perhaps ended meanwhile.
    Same(Arc<Record>),
    /// Another Ask has this id.
    InUse,
    /// The creator has this many Asks open, and no more are allowed.
    TooMany(usize),
}

impl Ledger {
    /// An empty one.
    #[must_use]
    pub const fn new(gateway: GatewayId) -> Self {
        Self {
            gateway,
            records: BTreeMap::new(),
            pending: BTreeSet::new(),
            deadlines: BTreeSet::new(),
            open_by: BTreeMap::new(),
            facts: Vec::new(),
        }
    }

    /// Opens an Ask that keeps its contract. Asking the same again under the same id gives the same Record, so that an
    /// asker that lost the reply may repeat; `open_max` bounds the pending Asks of one creator.
    pub fn open(&mut self, now: Time, id: RecordId, ask: Ask, open_max: usize) -> OpenVerdict {
        if let Some(record) = self.records.get(&id) {
            return if same(&record.ask, &ask) {
                OpenVerdict::Same(Arc::clone(record))
            } else {
                OpenVerdict::InUse
            };
        }
        let open = self.open_of(&ask.creator);
        if open >= open_max {
            return OpenVerdict::TooMany(open);
        }
        let key = RecordKey { gateway: self.gateway.clone(), id, created_at: now };
        let expires_at = now.after(ask.wait);
        let state = State::Pending;
        let record = Arc::new(Record { key, ask, expires_at, state, late: Vec::new(), collected: None });
        self.hold(Arc::clone(&record));
        self.facts.push(Fact::Opened(Arc::clone(&record)));
        OpenVerdict::Opened(record)
    }

    /// Takes in a Record that was saved: after a start every pending one, later an ended one that somebody asks for. One
    /// that is here already stays.
    pub fn hold(&mut self, record: Arc<Record>) {
        let id = record.key.id.clone();
        if self.records.contains_key(&id) {
            return;
        }
        if record.state.is_pending() {
            self.pending.insert((record.key.created_at, id.clone()));
            self.deadlines.insert((record.expires_at, id.clone()));
            *self.open_by.entry(opener(&record.ask.creator)).or_default() += 1;
        }
        self.records.insert(id, record);
    }

    /// Lets go of an ended Record whose facts are saved; a pending one stays.
    pub fn release(&mut self, id: &RecordId) {
        if self.records.get(id).is_some_and(|record| !record.state.is_pending()) {
            self.records.remove(id);
        }
    }

    /// The Record of that id, if it is held.
    #[must_use]
    pub fn get(&self, id: &RecordId) -> Option<&Arc<Record>> {
        self.records.get(id)
    }

    /// The Record of that id, if it is held and the caller may know of it.
    #[must_use]
    pub fn see(&self, id: &RecordId, caller: &Caller, people: &People) -> Option<&Arc<Record>> {
        self.get(id).filter(|record| caller.may_see(record, people))
    }

    /// The pending Records, oldest first, from behind `after` on.
    pub fn pending(&self, after: Option<&Position>) -> impl Iterator<Item = &Arc<Record>> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.pending.range((from, Bound::Unbounded)).filter_map(|(_, id)| self.records.get(id))
    }

    /// How many Records are pending.
    #[must_use]
    pub fn pending_count(&self) -> usize {
        self.pending.len()
    }

    /// How many Records are held, ended ones included.
    #[must_use]
    pub fn held_count(&self) -> usize {
        self.records.len()
    }

    /// How many pending Records this creator has.
    #[must_use]
    pub fn open_of(&self, creator: &Creator) -> usize {
        self.open_by.get(&opener(creator)).copied().unwrap_or_default()
    }

    /// When [`Self::expire`] is due next.
    #[must_use]
    pub fn next_expiry(&self) -> Option<Time> {
        self.deadlines.first().map(|(at, _)| *at)
    }

    /// What happened since the last call, in order, to be saved together.
    pub fn take_facts(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.facts)
    }
}

fn opener(creator: &Creator) -> Opener {
    (creator.person.clone(), creator.token.clone())
}

/// Whether two Asks are one request sent twice. The rights that the creator held at each time do not count.
fn same(one: &Ask, other: &Ask) -> bool {
    let whose = |ask: &Ask| opener(&ask.creator);
    whose(one) == whose(other)
        && one.questions == other.questions
        && one.wait == other.wait
        && one.origin == other.origin
        && one.answerers == other.answerers
        && one.places == other.places
        && one.needs_surface == other.needs_surface
        && one.when_unanswered == other.when_unanswered
        && one.terminal_proof == other.terminal_proof
}
