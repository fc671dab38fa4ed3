//! At most so many within any such time, over a sliding window. Reads no clock.

use std::collections::VecDeque;

use tokio::time::Instant;

use crate::config::Pace;

/// When things were done lately.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    pace: Pace,
    done: VecDeque<Instant>,
}

impl Window {
    pub(crate) const fn new(pace: Pace) -> Self {
        Self { pace, done: VecDeque::new() }
    }

    /// When the next one may be done, at the earliest.
    pub(crate) fn due(&mut self, now: Instant) -> Instant {
        self.forget(now);
        match self.done.len().checked_sub(self.pace.most) {
            Some(over) => self.done.get(over).map_or(now, |at| *at + self.pace.within),
            None => now,
        }
    }

    /// One is done now.
    pub(crate) fn spend(&mut self, now: Instant) {
        self.forget(now);
        self.done.push_back(now);
    }

    /// Nothing done before matters any more.
    pub(crate) fn is_idle(&mut self, now: Instant) -> bool {
        self.forget(now);
        self.done.is_empty()
    }

    fn forget(&mut self, now: Instant) {
        while self.done.front().is_some_and(|at| *at + self.pace.within <= now) {
            self.done.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn no_window_holds_more_than_it_may() {
        let start = Instant::now();
        let mut window = Window::new(Pace { most: 3, within: Duration::from_secs(10) });
        let mut now = start;
        let mut done = Vec::new();
        for _ in 0..20 {
            now = window.due(now);
            window.spend(now);
            done.push(now.duration_since(start).as_secs());
            now += Duration::from_secs(1);
        }
        assert!(done.windows(4).all(|four| four[3] - four[0] >= 10), "{done:?}");
        assert_eq!(done[..6], [0, 1, 2, 10, 11, 12]);
    }
}
