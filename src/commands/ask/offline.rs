//! Tells whoever asks that the question does not get through: which of the accounts that show it are offline in the process that runs
//! them, and why. Changes nothing of the ask, which is shown once they are back.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::path::Path;
use std::time::Duration;

use askrelay_core::id::Account;
use tracing::warn;

use crate::accounts::{AccountState, AccountStatus};
use crate::ring::{self, Endpoint};

/// Between two looks; one is a request over the socket of this machine.
const LOOK: Duration = Duration::from_secs(1);

/// Looks for which an account may be connecting before that is worth a word.
const PATIENCE: usize = 3;

/// Tells it as long as it is waited for. An account that another process runs is told of; what this process runs tells by itself.
pub(super) async fn watch(endpoint: &Path, accounts: &BTreeSet<Account>) -> Infallible {
    let names: BTreeSet<String> = accounts.iter().map(ToString::to_string).collect();
    let mut told = BTreeMap::new();
    if names.is_empty() {
        std::future::pending::<()>().await;
    }
    for look in 0_usize.. {
        let holder = Endpoint::read(endpoint).filter(|holder| holder.pid != std::process::id());
        if let Some(holder) = holder
            // It may be on its way out: the next look tells.
            && let Ok(all) = ring::accounts(&holder.socket).await
        {
            for status in news(&all, &names, look >= PATIENCE, &mut told) {
                warn!("{status}; the question is shown there once it is online");
            }
        }
        tokio::time::sleep(LOOK).await;
    }
    // Nobody waits for so many looks.
    std::future::pending().await
}

/// Which of `names` are offline for a reason that was not told, or still connecting where that is `overdue`.
fn news<'a>(
    all: &'a [AccountStatus],
    names: &BTreeSet<String>,
    overdue: bool,
    told: &mut BTreeMap<String, Option<String>>,
) -> Vec<&'a AccountStatus> {
    let mut news = Vec::new();
    for status in all.iter().filter(|status| names.contains(&status.account)) {
        let is_out = match status.state {
            AccountState::Offline => true,
            AccountState::Connecting => overdue,
            AccountState::Online => {
                told.remove(&status.account);
                false
            }
        };
        if is_out && told.get(&status.account) != Some(&status.why) {
            told.insert(status.account.clone(), status.why.clone());
            news.push(status);
        }
    }
    news
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_told_once() {
        let status = |state, why: Option<&str>| AccountStatus {
            account: "telegram/main".to_owned(),
            handle: None,
            state,
            why: why.map(str::to_owned),
            lacks: Vec::new(),
        };
        let (names, mut told) = (BTreeSet::from(["telegram/main".to_owned()]), BTreeMap::new());
        use AccountState::{Connecting, Offline, Online};
        for (state, why, overdue, expected) in [
            (Connecting, None, false, false),
            (Connecting, None, true, true),
            (Connecting, None, true, false),
            (Offline, Some("no route"), true, true),
            (Offline, Some("no route"), true, false),
            (Offline, Some("the token is wrong"), true, true),
            (Online, None, true, false),
            (Offline, Some("the token is wrong"), true, true),
        ] {
            let other = AccountStatus { account: "slack/main".to_owned(), ..status(Offline, Some("gone")) };
            let all = [other, status(state, why)];
            assert_eq!(!news(&all, &names, overdue, &mut told).is_empty(), expected, "{state:?} {why:?}");
        }
    }
}
