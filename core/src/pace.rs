//! At most so many within any such time, over a sliding window. Reads no clock: any kind of moment is an argument.

use std::collections::VecDeque;
use std::ops::Add;
use std::time::Duration;

/// At most so many within any such time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// How many.
    pub most: usize,
    /// Within how long.
    pub within: Duration,
}

/// When things were done lately.
#[derive(Clone, Debug)]
pub struct Window<I> {
    pace: Pace,
    done: VecDeque<I>,
}

impl Pace {
    /// The same at this many hundredths of it; none counts as one.
    #[must_use]
    pub fn at_percent(self, percent: u32) -> Self {
        Self { within: self.within * 100 / percent.max(1), ..self }
    }
}

impl<I: Copy + Ord + Add<Duration, Output = I>> Window<I> {
    /// One in which nothing was done yet.
    #[must_use]
    pub const fn new(pace: Pace) -> Self {
        Self { pace, done: VecDeque::new() }
    }

    /// When the next one may be done, at the earliest.
    pub fn due(&mut self, now: I) -> I {
        self.forget(now);
        match self.done.len().checked_sub(self.pace.most) {
            Some(over) => self.done.get(over).map_or(now, |at| *at + self.pace.within),
            None => now,
        }
    }

    /// One is done now.
    pub fn spend(&mut self, now: I) {
        self.forget(now);
        self.done.push_back(now);
    }

    /// Nothing done before matters any more.
    pub fn is_idle(&mut self, now: I) -> bool {
        self.forget(now);
        self.done.is_empty()
    }

    fn forget(&mut self, now: I) {
        while self.done.front().is_some_and(|at| *at + self.pace.within <= now) {
            self.done.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_window_holds_more_than_it_may() {
        let start = Duration::ZERO;
        let mut window = Window::new(Pace { most: 3, within: Duration::from_secs(10) });
        let mut now = start;
        let mut done = Vec::new();
        for _ in 0..20 {
            now = window.due(now);
            window.spend(now);
            done.push((now - start).as_secs());
            now += Duration::from_secs(1);
        }
        assert!(done.windows(4).all(|four| four[3] - four[0] >= 10), "{done:?}");
        assert_eq!(done[..6], [0, 1, 2, 10, 11, 12]);
    }
}
