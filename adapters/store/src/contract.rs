//! What every store must do, as named cases to be run on it. Says nothing about how a store is made or opened: that is
//! the harness's.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test suite: a broken promise of the store ends the case"
)]

use std::sync::Arc;

use crate::port::Store;

mod doors;
mod durability;
mod pages;
mod people;
mod records;
mod relay;
pub mod sample;
mod trail;

/// A store under test, and what may happen to it.
pub trait Harness {
    /// The store as it is now.
    fn store(&self) -> Arc<dyn Store>;

    /// Closes and opens it, as a restart does; a store that lives in memory stays. No case holds the old one any more.
    fn reopen(&mut self);

    /// From now on commits wait.
    fn hold(&self);

    /// What waited is saved, or fails if [`Harness::fail`] was called meanwhile.
    fn release(&self);

    /// From now on saving does not work.
    fn fail(&self);

    /// Saving works again; returns once the store has noticed.
    fn heal(&self);
}

/// One promise.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What is promised.
    pub name: &'static str,
    /// Breaks off with a panic where the promise is broken.
    pub run: fn(&mut dyn Harness),
}

/// Every promise.
pub fn cases() -> impl Iterator<Item = Case> {
    let all = [
        records::CASES,
        pages::CASES,
        relay::CASES,
        people::CASES,
        doors::CASES,
        trail::CASES,
        durability::CASES,
    ];
    all.into_iter().flatten().copied()
}

/// Runs every case on a fresh store.
///
/// # Panics
/// When a case does, after the others have run, with the names of the broken ones.
pub fn suite(mut make: impl FnMut() -> Box<dyn Harness>) {
    let mut broken = Vec::new();
    for case in cases() {
        let mut harness = make();
        let run = std::panic::AssertUnwindSafe(|| (case.run)(&mut *harness));
        if std::panic::catch_unwind(run).is_err() {
            broken.push(case.name);
        }
    }
    assert!(broken.is_empty(), "broken promises: {broken:#?}");
}
