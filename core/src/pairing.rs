//! Who waits at the door: somebody unknown gets a code, one for each identity, good for an hour, and an operator lets them in
//! with it. Bounded for each Account, so that a flood of strangers fills nothing. Grants nothing by itself, and what a
//! stranger is told depends on no Person.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

use crate::id::{Account, Identity, Place};
use crate::time::{Span, Time};

/// How long a code is good for.
pub const GOOD_FOR: Span = Span::seconds(3600);

/// Most strangers that wait at one Account.
pub const WAITING_MAX: usize = 20;

/// Most codes that one Account gives out within [`GOOD_FOR`], whatever became of them.
pub const CODES_MAX: usize = 40;

/// Characters of a code: 40 bits, and only operators can try one.
pub const CODE_LENGTH: usize = 8;

/// What codes are written in: 32 signs, none of which looks like another.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// Longest display name that is kept, in characters.
const DISPLAY_NAME_MAX: usize = 64;

/// A stranger's code, as it is shown and stored.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Code(String);

/// Somebody who waits. The code is kept as it is: it opens nothing without an operator, who has to see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// The code.
    pub code: Code,
    /// Who.
    pub identity: Identity,
    /// Where they are told that they are let in; a Place that only they and the bot share.
    pub place: Place,
    /// The name they show; never trusted.
    pub display_name: String,
    /// Since when.
    pub since: Time,
    /// Until when the code is good.
    pub expires_at: Time,
    /// An operator turned them away: they get no other code until this one is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rejected: bool,
}

/// A change to save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Somebody waits, or waits otherwise than before.
    Put(Pairing),
    /// Nobody waits with this code any more.
    Removed(Code),
}

/// What becomes of a knock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This is the code.
    Code {
        /// Which.
        code: Code,
        /// How long it is still good for.
        good_for: Span,
        /// It was made for this knock.
        is_new: bool,
    },
    /// No code: too many wait here, or this one was turned away.
    Closed,
}

/// Everybody who waits.
#[derive(Debug, Default)]
pub struct Pairings {
    by_code: BTreeMap<Code, Pairing>,
    by_identity: BTreeMap<Identity, Code>,
    /// When each Account gave out its last codes. Not saved: a restart forgives.
    given: BTreeMap<Account, VecDeque<Time>>,
    facts: Vec<Fact>,
}

impl Code {
    /// The code that somebody typed: in any case, with spaces or dashes.
    #[must_use]
    pub fn typed(text: &str) -> Self {
        let signs = text.chars().filter(|c| !c.is_whitespace() && *c != '-');
        Self(signs.flat_map(char::to_uppercase).take(2 * CODE_LENGTH).collect())
    }

    /// The code as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Five bytes are forty bits are eight signs.
    fn of(bytes: [u8; 5]) -> Self {
        let bits = bytes.iter().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
        let sign = |place: usize| {
            let index = bits >> (5 * (CODE_LENGTH - 1 - place)) & 31;
            char::from(ALPHABET[index as usize])
        };
        Self((0..CODE_LENGTH).map(sign).collect())
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Pairings {
    /// Takes in one that was saved.
    pub fn hold(&mut self, pairing: Pairing) {
        self.by_identity.insert(pairing.identity.clone(), pairing.code.clone());
        self.by_code.insert(pairing.code.clone(), pairing);
    }

    /// Somebody unknown wants to be known. `fresh` are unguessable bytes; whoever knocks again keeps the code they have.
    pub fn knock(
        &mut self,
        now: Time,
        fresh: [u8; 16],
        place: &Place,
        identity: &Identity,
        display_name: &str,
    ) -> Verdict {
        self.forget_old(now);
        let has_room = self.has_room(&place.account, now);
        if let Some(pairing) = self.of_mut(identity) {
            if pairing.rejected {
                return Verdict::Closed;
            }
            let (code, good_for) = (pairing.code.clone(), pairing.expires_at.since(now));
            // Told where they wrote last, as far as that may be saved again.
            if pairing.place != *place && has_room {
                pairing.place = place.clone();
                let moved = pairing.clone();
                self.facts.push(Fact::Put(moved));
                self.count(place, now);
            }
            return Verdict::Code { code, good_for, is_new: false };
        }
        let Some(code) = self.unused(fresh).filter(|_| has_room) else { return Verdict::Closed };
        let pairing = Pairing {
            code: code.clone(),
            identity: identity.clone(),
            place: place.clone(),
            display_name: display_name.chars().take(DISPLAY_NAME_MAX).collect(),
            since: now,
            expires_at: now.after(GOOD_FOR),
            rejected: false,
        };
        self.facts.push(Fact::Put(pairing.clone()));
        self.hold(pairing);
        self.count(place, now);
        Verdict::Code { code, good_for: GOOD_FOR, is_new: true }
    }

    /// Everybody who waits, the longest first.
    #[must_use]
    pub fn waiting(&self, now: Time) -> Vec<&Pairing> {
        let mut waiting: Vec<_> = self.by_code.values().filter(|pairing| pairing.waits(now)).collect();
        waiting.sort_by_key(|pairing| pairing.since);
        waiting
    }

    /// Whoever waits with this code.
    #[must_use]
    pub fn get(&self, now: Time, code: &Code) -> Option<&Pairing> {
        self.by_code.get(code).filter(|pairing| pairing.waits(now))
    }

    /// Turns away whoever waits with this code.
    pub fn reject(&mut self, now: Time, code: &Code) -> Option<Pairing> {
        let pairing = self.by_code.get_mut(code).filter(|pairing| pairing.waits(now))?;
        pairing.rejected = true;
        let rejected = pairing.clone();
        self.facts.push(Fact::Put(rejected.clone()));
        Some(rejected)
    }

    /// They wait no more: they are known.
    pub fn forget(&mut self, identity: &Identity) {
        if let Some(code) = self.by_identity.remove(identity) {
            self.by_code.remove(&code);
            self.facts.push(Fact::Removed(code));
        }
    }

    /// Lets go of codes that are over.
    pub fn forget_old(&mut self, now: Time) {
        let old = self.by_code.values().filter(|pairing| pairing.expires_at <= now);
        for identity in old.map(|pairing| pairing.identity.clone()).collect::<Vec<_>>() {
            self.forget(&identity);
        }
    }

    /// What happened since the last call, in order, to be saved.
    pub fn take_facts(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.facts)
    }

    fn of_mut(&mut self, identity: &Identity) -> Option<&mut Pairing> {
        self.by_identity.get(identity).and_then(|code| self.by_code.get_mut(code))
    }

    /// A code that nobody has; sixteen bytes are enough for three tries.
    fn unused(&self, fresh: [u8; 16]) -> Option<Code> {
        let (tries, _) = fresh.as_chunks::<5>();
        tries.iter().map(|bytes| Code::of(*bytes)).find(|code| !self.by_code.contains_key(code))
    }

    fn has_room(&mut self, account: &Account, now: Time) -> bool {
        let given = self.given.get_mut(account);
        let recent = given.map_or(0, |given| {
            // A clock that went back makes the last ones look new; they are counted until it has caught up.
            given.retain(|at| now.since(*at) < GOOD_FOR);
            given.len()
        });
        let at_account = |pairing: &&Pairing| !pairing.rejected && pairing.place.account == *account;
        recent < CODES_MAX && self.by_code.values().filter(at_account).count() < WAITING_MAX
    }

    fn count(&mut self, place: &Place, now: Time) {
        self.given.entry(place.account.clone()).or_default().push_back(now);
    }
}

impl Pairing {
    fn waits(&self, now: Time) -> bool {
        !self.rejected && now < self.expires_at
    }
}
