//! How the chat accounts of a ring stand: kept by the ring's driver, shown to whoever of the same user asks. Decides nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askrelay_core::id::Account;
use askrelay_core::port::Report;
use askrelay_core::prompt::one_line;
use serde::{Deserialize, Serialize};
use tracing::{info, warn};

/// How one account stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountStatus {
    /// Which, as `surface/name`.
    pub account: String,
    /// How its platform calls it, once it is known.
    pub handle: Option<String>,
    /// Whether it is connected.
    pub state: AccountState,
    /// Why it is not, in plain words.
    pub why: Option<String>,
    /// What it lacks on its platform, in plain words, where somebody looked.
    #[serde(default)]
    pub lacks: Vec<String>,
}

/// Whether an account is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AccountState {
    /// It was started, and has not told yet.
    Connecting,
    /// It is connected.
    Online,
    /// It is not connected, or does not keep up.
    Offline,
}

/// All accounts that run with a ring. Clones share what they hold.
#[derive(Clone, Debug, Default)]
pub struct Accounts(Arc<Mutex<BTreeMap<Account, AccountStatus>>>);

impl Accounts {
    /// These, of which nothing is known yet.
    pub fn starting<'a>(accounts: impl Iterator<Item = &'a Account>) -> Self {
        let starting = |account: &Account| AccountStatus {
            account: account.to_string(),
            handle: None,
            state: AccountState::Connecting,
            why: None,
            lacks: Vec::new(),
        };
        Self(Arc::new(Mutex::new(accounts.map(|account| (account.clone(), starting(account))).collect())))
    }

    /// All of them.
    pub fn list(&self) -> Vec<AccountStatus> {
        self.lock().values().cloned().collect()
    }

    /// An account tells something. What changes is logged, once.
    pub(crate) fn reported(&self, report: &Report) {
        let (Report::Named { account, .. } | Report::Online { account } | Report::Offline { account, .. }) =
            report
        else {
            return;
        };
        let mut all = self.lock();
        // An asking terminal comes and goes with its ask, and is none of these.
        let Some(status) = all.get_mut(account) else { return };
        match report {
            Report::Named { bot, .. } => status.handle.clone_from(&bot.handle),
            Report::Online { .. } => {
                if status.state != AccountState::Online {
                    info!(%account, handle = status.handle.as_deref(), "an account is online");
                }
                (status.state, status.why) = (AccountState::Online, None);
            }
            Report::Offline { why, .. } => {
                warn!(%account, why, "an account is offline");
                (status.state, status.why) = (AccountState::Offline, Some(one_line(why)));
            }
            _ => {}
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Account, AccountStatus>> {
        // Nothing that holds it can stop half way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for AccountStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&one_line(&self.account))?;
        if let Some(handle) = &self.handle {
            write!(f, " ({})", one_line(handle))?;
        }
        f.write_str(match self.state {
            AccountState::Connecting => " is connecting",
            AccountState::Online => " is online",
            AccountState::Offline => " is offline",
        })?;
        if let Some(why) = &self.why {
            write!(f, ": {}", one_line(why))?;
        }
        self.lacks.iter().try_for_each(|lack| write!(f, "\n    {}", one_line(lack)))
    }
}

#[cfg(test)]
mod tests {
    use askrelay_core::reply::Bot;

    use super::*;

    #[test]
    fn what_an_account_tells_is_what_is_shown() {
        let account = Account { surface: "telegram".into(), name: "main".into() };
        let bot = Bot { handle: Some("ask\u{202e}bot".to_owned()), id: None, prefix: '/' };
        let accounts = Accounts::starting([&account].into_iter());
        let shown = || accounts.list().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        assert_eq!(shown(), "telegram/main is connecting");
        let why = || "the token is wrong:\ntake a new one".to_owned();
        let named = Report::Named { account: account.clone(), bot };
        let rows = [
            (
                Report::Offline { account: account.clone(), why: why() },
                "telegram/main is offline: the token is wrong: take a new one",
            ),
            (named, "telegram/main (askbot) is offline: the token is wrong: take a new one"),
            (Report::Online { account: account.clone() }, "telegram/main (askbot) is online"),
            (
                Report::Online { account: Account { name: "two".into(), ..account } },
                "telegram/main (askbot) is online",
            ),
        ];
        for (report, expected) in rows {
            accounts.reported(&report);
            assert_eq!(shown(), expected, "{report:?}");
        }
    }
}
