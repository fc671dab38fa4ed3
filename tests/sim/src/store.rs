//! The stand-in store and the commits under way. What is saved survives a crash; of what is under way, chance keeps a part
//! from the front, because commits happen in order.

use std::collections::{BTreeMap, VecDeque};

use askrelay_core::relay::Out;
use askrelay_core::relay::facts::{Fact, FactKind};

use crate::chance::Chance;

/// What is saved, and what is being saved.
#[derive(Debug, Default)]
pub struct Store {
    saved: BTreeMap<(FactKind, String), Fact>,
    under_way: VecDeque<Commit>,
}

/// The facts of one step and what waits for them.
#[derive(Debug, Default)]
pub struct Commit {
    /// To be saved together.
    pub facts: Vec<Fact>,
    /// To be done afterwards.
    pub then: Vec<Out>,
}

impl Store {
    /// Queues a commit; returns whether something is under way before it or it has facts of its own.
    pub fn queue(&mut self, commit: Commit) {
        self.under_way.push_back(commit);
    }

    /// How many commits are under way.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.under_way.len()
    }

    /// The oldest commit is on disk: what waited for it may be done.
    pub fn commit(&mut self) -> Vec<Out> {
        let Some(commit) = self.under_way.pop_front() else { return Vec::new() };
        for fact in commit.facts {
            self.write(fact);
        }
        commit.then
    }

    /// The process ends: commits under way are on disk or not, from the front.
    pub fn crash(&mut self, chance: &mut Chance) {
        let kept = chance.below(self.under_way.len() as u64 + 1);
        for _ in 0..kept {
            self.commit();
        }
        self.under_way.clear();
    }

    /// Everything saved.
    pub fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.saved.values()
    }

    /// Everything saved of a kind.
    pub fn facts_of(&self, kind: FactKind) -> impl Iterator<Item = &Fact> {
        let from = (kind, String::new());
        self.saved.range(from..).take_while(move |((found, _), _)| *found == kind).map(|(_, fact)| fact)
    }

    /// The saved body of a fact.
    #[must_use]
    pub fn body(&self, kind: FactKind, key: &str) -> Option<&str> {
        self.saved.get(&(kind, key.to_owned()))?.body.as_deref()
    }

    /// Whether a fact with this in its key is still being saved.
    #[must_use]
    pub fn saves(&self, kind: FactKind, part: &str, account: &str) -> bool {
        let about = |fact: &Fact| fact.kind == kind && fact.key.contains(part) && fact.key.contains(account);
        self.under_way.iter().any(|commit| commit.facts.iter().any(about))
    }

    fn write(&mut self, fact: Fact) {
        let key = (fact.kind, fact.key.clone());
        if fact.body.is_some() {
            self.saved.insert(key, fact);
        } else {
            self.saved.remove(&key);
        }
    }
}
