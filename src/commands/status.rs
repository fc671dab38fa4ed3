//! `askrelay status`: who runs the ring of this data directory, where it listens, and how its chat accounts and other gateways
//! stand. Joins nothing and
//! starts nothing; asks platforms only what the bots lack there.

use serde_json::json;

use super::CommandError;
use super::outcome::Outcome;
use crate::accounts::{AccountState, AccountStatus};
use crate::args::StatusArgs;
use crate::compose;
use crate::config::Config;
use crate::gateways::GatewayStatus;
use crate::ring::{self, Endpoint, Home, Lock, Role};

/// Looks at the lock and the endpoint.
///
/// # Errors
/// The lock cannot be tried.
pub async fn status(home: &Home, config: &Config, args: &StatusArgs) -> Result<Outcome, CommandError> {
    let is_held = Lock::is_held(&home.lock())?;
    let endpoint = Endpoint::read(&home.endpoint()).filter(|_| is_held);
    // A holder that does not tell is named all the same.
    let accounts = match &endpoint {
        Some(endpoint) => looked_at(config, endpoint).await,
        None => None,
    };
    let gateways = match &endpoint {
        Some(endpoint) => ring::gateways(&endpoint.socket).await.ok(),
        None => None,
    };
    if args.json {
        let json = json!({
            "home": home.path(),
            "running": is_held,
            "role": endpoint.as_ref().map(|endpoint| endpoint.role),
            "pid": endpoint.as_ref().map(|endpoint| endpoint.pid),
            "listen": endpoint.as_ref().and_then(|endpoint| endpoint.listen),
            "accounts": accounts,
            "gateways": gateways,
        });
        return Ok(Outcome::Said(format!("{json}\n")));
    }
    let path = home.path().display();
    let text = match endpoint {
        None if is_held => format!("The ring of {path} is starting or stopping.\n"),
        None => format!("No ring runs for {path}; `askrelay serve` starts one.\n"),
        Some(endpoint) => {
            let pid = endpoint.pid;
            let what = match endpoint.role {
                Role::Server => "askrelay serve",
                Role::Command => "a command that waits for an answer",
            };
            let listen =
                endpoint.listen.map_or_else(String::new, |address| format!(", listening on {address}"));
            let told = told(accounts.as_deref(), gateways.as_deref().unwrap_or_default());
            format!("Process {pid} ({what}) runs the ring of {path}{listen}.\n{told}")
        }
    };
    Ok(Outcome::Said(text))
}

/// How the accounts stand, and what those that are online lack on their platforms.
async fn looked_at(config: &Config, endpoint: &Endpoint) -> Option<Vec<AccountStatus>> {
    let mut accounts = ring::accounts(&endpoint.socket).await.ok()?;
    let online = accounts.iter().filter(|account| account.state == AccountState::Online);
    let mut lacks = compose::lacks(config, &online.map(|account| account.account.clone()).collect()).await;
    for account in &mut accounts {
        account.lacks = lacks.remove(&account.account).unwrap_or_default();
    }
    Some(accounts)
}

fn told(accounts: Option<&[AccountStatus]>, gateways: &[GatewayStatus]) -> String {
    let mut text = match accounts {
        None => "It does not tell how its chat accounts stand.\n".to_owned(),
        Some([]) => "It runs no chat accounts.\n".to_owned(),
        Some(accounts) => accounts.iter().map(|account| format!("  {account}\n")).collect(),
    };
    gateways.iter().for_each(|gateway| text.push_str(&format!("  {gateway}\n")));
    text
}
