//! Whether the platform is in reach, as it was told, and how long to wait before it is tried again. Opens no connection.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use askrelay_core::id::Account;
use askrelay_core::port::Report;
use tokio::time::Instant;

use super::Gone;
use super::connection::Filing;
use crate::config::Policy;
use crate::error::CallError;

/// How many times `retry_slowly` the longest wait is: the platform takes a token back that is used a thousand times a day. Own
/// choice, 2026-11.
const SLOWEST: u32 = 20;

/// Why there is no connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    why: String,
    /// Only a person can mend it.
    lasting: bool,
    /// The platform says when it may be tried again.
    after: Option<Duration>,
}

impl Fault {
    pub(super) fn new(why: &str) -> Self {
        Self { why: why.to_owned(), lasting: false, after: None }
    }

    pub(super) fn lasting(why: &str) -> Self {
        Self { lasting: true, ..Self::new(why) }
    }

    pub(super) fn after(why: &str, after: Duration) -> Self {
        Self { lasting: true, after: Some(after), ..Self::new(why) }
    }
}

impl From<CallError> for Fault {
    fn from(error: CallError) -> Self {
        let after = match &error {
            CallError::Limited { retry_after, .. } => Some(*retry_after),
            _ => None,
        };
        Self { why: error.why_offline(), lasting: error.is_lasting(), after }
    }
}

/// The connection over time.
pub(super) struct Link {
    account: Account,
    policy: Policy,
    online: Option<bool>,
    /// Since when the platform is out of reach; none while it is not.
    lost: Option<Instant>,
    /// Since when it is in reach.
    found: Option<Instant>,
    /// The next wait before it is tried again.
    wait: Duration,
    /// The next wait where only a person can mend it.
    slow_wait: Duration,
    /// Connections that ended soon, one after the other.
    short: u32,
    why: String,
}

impl Link {
    pub(super) const fn new(account: Account, policy: Policy) -> Self {
        let (wait, slow_wait) = (policy.retry_first, policy.retry_slowly);
        Self {
            account,
            policy,
            online: None,
            lost: None,
            found: None,
            wait,
            slow_wait,
            short: 0,
            why: String::new(),
        }
    }

    /// A session began or goes on.
    pub(super) fn succeeded(&mut self, filing: &mut Filing, now: Instant) {
        self.lost = None;
        (self.wait, self.slow_wait) = (self.policy.retry_first, self.policy.retry_slowly);
        self.found = Some(now);
        if self.online != Some(true) {
            self.online = Some(true);
            filing.push(Report::Online { account: self.account.clone() });
        }
    }

    /// A connection ended that may be opened again at once, unless that happens again and again.
    pub(super) async fn lost(&mut self, filing: &mut Filing, now: Instant) -> Result<(), Gone> {
        let lived = self.found.take().map(|found| now.duration_since(found));
        self.short =
            if lived.is_some_and(|lived| lived > self.policy.retry_slowly) { 0 } else { self.short + 1 };
        if self.short < 2 {
            return Ok(());
        }
        let wait = self.policy.retry_first * 2_u32.saturating_pow(self.short.min(16) - 2);
        filing.flush_for(wait.min(self.policy.retry_slowly)).await
    }

    /// The platform wants sessions that begin anew not to begin all at once.
    pub(super) async fn pause_before_identify(&self, filing: &mut Filing) -> Result<(), Gone> {
        let least = self.policy.identify_wait / 3;
        filing.flush_for(least + (self.policy.identify_wait - least).mul_f64(chance())).await
    }

    /// Tells that the platform is out of reach, once it is for a while, and waits before it is tried again.
    pub(super) async fn failed(&mut self, filing: &mut Filing, fault: &Fault) -> Result<(), Gone> {
        let now = Instant::now();
        let lost = *self.lost.get_or_insert(now);
        self.found = None;
        let over = now.duration_since(lost) >= self.policy.offline_after || fault.lasting;
        if over && (self.online != Some(false) || self.why != fault.why) {
            tracing::warn!(account = %self.account, why = %fault.why, "offline");
            (self.online, self.why) = (Some(false), fault.why.clone());
            filing.file(Report::Offline { account: self.account.clone(), why: fault.why.clone() }).await?;
        }
        let wait = match fault.after {
            Some(after) => after,
            None if fault.lasting => {
                let wait = self.slow_wait;
                self.slow_wait = (wait * 2).min(self.policy.retry_slowly * SLOWEST);
                wait
            }
            None => {
                let wait = self.wait;
                self.wait = (wait * 2).min(self.policy.retry_slowly);
                wait
            }
        };
        // Not past the moment at which being offline is to be told.
        let told = lost + self.policy.offline_after;
        let wait = if self.online == Some(false) { wait } else { wait.min(told.duration_since(now)) };
        filing.flush_for(wait).await
    }
}

/// A number from 0 to 1, so that not every bot of the platform does the same at the same time.
pub(super) fn chance() -> f64 {
    let drawn = RandomState::new().build_hasher().finish() >> 32;
    u32::try_from(drawn).map_or(0.5, |drawn| f64::from(drawn) / f64::from(u32::MAX))
}
