//! What a stand-in knows, shared between its server and a test that waits for something in it. Knows no platform: the world is its
//! own.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// Longest wait for what must come, by the wall clock; only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(30);

/// A world that a failed test can be told of.
pub(crate) trait World {
    /// What the last calls were.
    fn describe(&self) -> String;
}

/// The world, and news of its changes.
#[derive(Debug)]
pub(crate) struct Shared<W> {
    world: Mutex<W>,
    changed: watch::Sender<u64>,
    signal: Condvar,
}

impl<W: World> Shared<W> {
    pub(crate) fn new(world: W) -> Arc<Self> {
        Arc::new(Self { world: Mutex::new(world), changed: watch::Sender::new(0), signal: Condvar::new() })
    }

    fn lock(&self) -> MutexGuard<'_, W> {
        // A test that panics here has said why; what else waits may end in peace.
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn read<T>(&self, act: impl FnOnce(&W) -> T) -> T {
        act(&self.lock())
    }

    pub(crate) fn change<T>(&self, act: impl FnOnce(&mut W) -> T) -> T {
        let result = act(&mut self.lock());
        self.wake();
        result
    }

    /// Changes something in whose change nobody else is interested.
    pub(crate) fn look<T>(&self, act: impl FnOnce(&mut W) -> T) -> T {
        act(&mut self.lock())
    }

    /// Lets everybody who waits look again.
    pub(crate) fn wake(&self) {
        self.changed.send_modify(|count| *count += 1);
        self.signal.notify_all();
    }

    pub(crate) fn news(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Waits until there is something to find. The clock of the waiting test may stand still: patience is the wall clock's, and
    /// the server wakes everybody now and then.
    pub(crate) async fn until<T>(&self, what: &str, mut find: impl FnMut(&W) -> Option<T>) -> T {
        let began = Instant::now();
        let mut news = self.news();
        loop {
            if let Some(found) = self.read(&mut find) {
                return found;
            }
            assert!(began.elapsed() < PATIENCE, "waited in vain for {what}: {}", self.read(W::describe));
            news.changed().await.expect("the stand-in is there while a test waits for it");
        }
    }

    /// The same for a test without a runtime.
    pub(crate) fn wait<T>(&self, what: &str, mut find: impl FnMut(&W) -> Option<T>) -> T {
        let began = Instant::now();
        let mut world = self.lock();
        loop {
            if let Some(found) = find(&world) {
                return found;
            }
            assert!(began.elapsed() < PATIENCE, "waited in vain for {what}: {}", world.describe());
            let waited = self.signal.wait_timeout(world, Duration::from_secs(1));
            (world, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}
