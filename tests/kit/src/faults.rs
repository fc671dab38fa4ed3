//! Faults on demand, kept for the calls that they are planned for. What goes wrong, and how calls are named, is each platform's
//! own; nothing goes wrong by chance.

use std::fmt;
use std::sync::Arc;

use crate::world::{Shared, World};

/// A fault that may keep a call waiting.
pub(crate) trait Holding: Clone {
    /// What it waits for.
    fn hold(&self) -> Option<u64>;
}

/// A world in which calls can fail.
pub(crate) trait Faulty: World + Send + 'static {
    /// How a call is named.
    type Name: PartialEq;
    /// What goes wrong.
    type Fault: Holding;

    fn faults(&mut self) -> &mut Faults<Self::Name, Self::Fault>;

    /// Nothing waits for this any more.
    fn lets_go(&self, hold: u64) -> bool;
}

/// The faults that are still to come.
#[derive(Debug)]
pub(crate) struct Faults<N, F> {
    planned: Vec<Planned<N, F>>,
    released: Vec<u64>,
    newest_hold: u64,
}

#[derive(Debug)]
struct Planned<N, F> {
    /// Every call where there is none.
    name: Option<N>,
    times: usize,
    fault: F,
}

impl<N, F> Default for Faults<N, F> {
    fn default() -> Self {
        Self { planned: Vec::new(), released: Vec::new(), newest_hold: 0 }
    }
}

impl<N: PartialEq, F: Holding> Faults<N, F> {
    pub(crate) fn plan(&mut self, name: Option<N>, times: usize, fault: F) {
        self.planned.push(Planned { name, times, fault });
    }

    /// The fault of this call, in the order in which they were planned.
    pub(crate) fn next(&mut self, name: &N) -> Option<F> {
        let is_meant = |planned: &Planned<N, F>| planned.name.as_ref().is_none_or(|meant| meant == name);
        let at = self.planned.iter().position(is_meant)?;
        let planned = self.planned.get_mut(at)?;
        let fault = planned.fault.clone();
        planned.times = planned.times.saturating_sub(1);
        if planned.times == 0 {
            self.planned.remove(at);
        }
        Some(fault)
    }

    pub(crate) fn is_released(&self, hold: u64) -> bool {
        self.released.contains(&hold)
    }

    fn release(&mut self, hold: u64) {
        self.released.push(hold);
        self.planned.retain(|planned| planned.fault.hold() != Some(hold));
    }
}

/// Calls that wait. They go on when this is released or dropped.
pub struct Hold(Option<Box<dyn FnOnce() + Send>>);

impl Hold {
    /// Lets them go on, and those that would have been held yet.
    pub fn release(self) {}
}

impl Drop for Hold {
    fn drop(&mut self) {
        if let Some(release) = self.0.take() {
            release();
        }
    }
}

impl fmt::Debug for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hold").finish_non_exhaustive()
    }
}

/// Keeps the next so many calls waiting, in the way that `fault` says.
pub(crate) fn hold<W: Faulty>(
    shared: &Arc<Shared<W>>,
    name: Option<W::Name>,
    times: usize,
    fault: impl FnOnce(u64) -> W::Fault,
) -> Hold {
    let id = shared.change(|world| {
        let faults = world.faults();
        faults.newest_hold += 1;
        let id = faults.newest_hold;
        faults.plan(name, times, fault(id));
        id
    });
    let shared = Arc::clone(shared);
    Hold(Some(Box::new(move || shared.change(|world| world.faults().release(id)))))
}

/// Waits until the calls of a hold may go on.
pub(crate) async fn released<W: Faulty>(shared: &Shared<W>, hold: u64) {
    let mut news = shared.news();
    while !shared.read(|world| world.lets_go(hold)) {
        if news.changed().await.is_err() {
            return;
        }
    }
}
