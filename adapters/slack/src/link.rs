//! Whether the platform is in reach, as it is told, and how long to wait before it is tried again. Reads no clock and tries
//! nothing.

use std::time::Duration;

use tokio::time::Instant;

use crate::config::Policy;
use crate::error::CallError;

/// How many times `retry_slowly` the longest wait is. Own choice, 2026-11.
const SLOWEST: u32 = 20;

/// Whether the platform is in reach, as it was told.
#[derive(Debug)]
pub(crate) struct Link {
    policy: Policy,
    online: Option<bool>,
    /// Since when it is not; none while it is.
    lost: Option<Instant>,
    /// The next wait before it is tried again.
    wait: Duration,
    /// The next wait where only a person can mend it.
    slow_wait: Duration,
    why: String,
}

impl Link {
    pub(crate) fn new(policy: Policy) -> Self {
        let (wait, slow_wait) = (policy.retry_first, policy.retry_slowly);
        Self { policy, online: None, lost: None, wait, slow_wait, why: String::new() }
    }

    /// It is in reach; whether that is news.
    pub(crate) fn found(&mut self) -> bool {
        self.lost = None;
        (self.wait, self.slow_wait) = (self.policy.retry_first, self.policy.retry_slowly);
        self.online.replace(true) != Some(true)
    }

    /// It is not: why, if that is news and lasts long enough to be told, and how long to wait before it is tried again.
    pub(crate) fn lost(&mut self, error: &CallError, now: Instant) -> (Option<String>, Duration) {
        let lost = *self.lost.get_or_insert(now);
        let wait = self.wait_after(error);
        let why = error.why_offline();
        let over = now.duration_since(lost) >= self.policy.offline_after || error.is_lasting();
        let news = over && (self.online != Some(false) || self.why != why);
        if news {
            (self.online, self.why) = (Some(false), why.clone());
        }
        // Not past the moment at which being offline is to be told.
        let told = lost + self.policy.offline_after;
        let wait = if self.online == Some(false) { wait } else { wait.min(told.duration_since(now)) };
        (news.then_some(why), wait)
    }

    fn wait_after(&mut self, error: &CallError) -> Duration {
        if let CallError::Flood { retry_after: Some(wait) } = error {
            return *wait;
        }
        let (wait, most) = match error.is_lasting() {
            true => (&mut self.slow_wait, self.policy.retry_slowly * SLOWEST),
            false => (&mut self.wait, self.policy.retry_slowly),
        };
        let now = *wait;
        *wait = (now * 2).min(most);
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(error: &str) -> CallError {
        CallError::Refused { error: error.to_owned(), needed: None, details: Vec::new() }
    }

    #[test]
    fn a_short_gap_is_not_told_and_a_long_one_once() {
        let (mut link, start) = (Link::new(Policy::default()), Instant::now());
        assert!(link.found());
        assert!(!link.found());
        let gone = CallError::Garbled { status: 502 };
        let (mut now, mut told) = (start, Vec::new());
        for _ in 0..8 {
            let (news, wait) = link.lost(&gone, now);
            told.extend(news.map(|_| now.duration_since(start).as_secs()));
            now += wait;
        }
        assert_eq!(told, [10]);
        assert!(link.found(), "it is news that it is back");
    }

    #[test]
    fn what_a_person_must_mend_is_told_at_once_and_tried_slowly() {
        let (mut link, now) = (Link::new(Policy::default()), Instant::now());
        let (news, wait) = link.lost(&refused("invalid_auth"), now);
        assert!(news.is_some_and(|why| why.contains("token")));
        assert_eq!(wait, Duration::from_secs(30));
        let (news, wait) = link.lost(&refused("invalid_auth"), now + wait);
        assert_eq!((news, wait), (None, Duration::from_secs(60)));
        let (news, _) = link.lost(&refused("account_inactive"), now + wait);
        assert!(news.is_some(), "another reason is news");
        let flood = CallError::Flood { retry_after: Some(Duration::from_secs(7)) };
        assert_eq!(link.lost(&flood, now + wait).1, Duration::from_secs(7));
    }
}
