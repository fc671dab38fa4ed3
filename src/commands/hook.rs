//! `askrelay hook`: an agent's own question, put to a person on a chat. Whatever goes wrong, the decision is left to the agent's
//! terminal. What events and decisions look like is the hook adapter's.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use askrelay_client::Client;
use askrelay_core::ask::Contract;
use askrelay_core::id::{Account, RecordId};
use askrelay_core::record::{Record, WhyCancelled};
use askrelay_core::time::{Span, Time};
use askrelay_hook::claude_code::{self, Asked, Settings};
use askrelay_protocol::call::ListParams;
use tokio::time::{sleep, timeout};

use super::ask::end;
use super::entered::{Credential, Entered};
use super::outcome::Outcome;
use super::questions::found;
use super::serve::Stop;
use super::{CommandError, given};
use crate::accounts::{AccountState, AccountStatus};
use crate::args::{ClaudeCodeArgs, Common};
use crate::clock;
use crate::compose;
use crate::config::Config;
use crate::ring::{self, Home};
use crate::span;

/// How long after a person's time the gateway may take to say so, before the terminal asks anyway.
const GRACE: Duration = Duration::from_secs(5);

/// How long the chats may take to connect, when nobody knows yet whether they do.
const CONNECTING: Duration = Duration::from_secs(10);

/// Between two looks at whether they did.
const LOOK: Duration = Duration::from_millis(20);

/// How long taking an ask back may take, when nobody waits for it any more.
const TAKE_BACK: Duration = Duration::from_secs(2);

/// Why nobody was asked.
#[derive(Debug, thiserror::Error)]
enum Unasked {
    #[error(
        "no chat is configured that this would be asked in; `askrelay config check` shows what is, the README how to add one"
    )]
    NoChat,
    #[error("the ring that runs here has no chat; `askrelay serve` runs every configured one")]
    NotRunning,
    #[error("no chat can be reached now: {0}")]
    Unreachable(String),
    #[error("nothing came back in time")]
    Silent,
    #[error(transparent)]
    Command(#[from] CommandError),
}

/// Decides one event of Claude Code.
///
/// # Errors
/// Wrong arguments. Everything else leaves the decision to the terminal.
pub fn claude_code(
    common: &Common,
    args: &ClaudeCodeArgs,
    enter: impl FnOnce() -> Result<(Home, Config), CommandError>,
) -> Result<Outcome, CommandError> {
    let settings = settings(args)?;
    if args.print_config {
        let config = claude_code::config(&called(common, args), &settings);
        return Ok(Outcome::Said(format!("{config:#}\n")));
    }
    let left = |why: String| Ok(Outcome::Decided { decision: None, why: Some(why) });
    let event = match given::read(Path::new("-")) {
        Ok(event) => event,
        Err(error) => return left(chain(&error)),
    };
    let asked = match claude_code::read(event.as_bytes(), &settings) {
        Ok(asked) => asked,
        Err(why) => return left(why.to_string()),
    };
    let record = match enter()
        .map_err(Unasked::from)
        .and_then(|(home, config)| crate::runtime()?.block_on(put(home, config, &asked, settings.wait)))
    {
        Ok(record) => record,
        Err(error) => return left(chain(&error)),
    };
    match asked.decision(&record) {
        Ok(decision) => Ok(Outcome::Decided { decision: Some(decision), why: None }),
        Err(why) => left(why.to_string()),
    }
}

fn settings(args: &ClaudeCodeArgs) -> Result<Settings, CommandError> {
    let wrong = |what: String| CommandError::Misused(vec![format!("--timeout: {what}")]);
    let wait = span::parse(&args.timeout).map_err(wrong)?;
    if wait > Contract::WIDE.wait {
        return Err(wrong(format!("expected at most {}", span::show(Contract::WIDE.wait))));
    }
    Ok(Settings { wait, permissions: args.permissions, subagents: args.subagents })
}

/// The command line that calls this again.
fn called(common: &Common, args: &ClaudeCodeArgs) -> String {
    let mut line = "askrelay".to_owned();
    for (flag, path) in [("--home", &common.home), ("--config", &common.config)] {
        if let Some(path) = path {
            line.push_str(&format!(" {flag} '{}'", path.display().to_string().replace('\'', r"'\''")));
        }
    }
    line.push_str(" hook claude-code");
    if args.timeout != "9m" {
        line.push_str(&format!(" --timeout {}", args.timeout.replace(' ', "")));
    }
    for (flag, given) in [(" --permissions", args.permissions), (" --subagents", args.subagents)] {
        line.push_str(if given { flag } else { "" });
    }
    line
}

/// Asks on the chats that the ask is routed to, if any of them runs.
async fn put(home: Home, config: Config, asked: &Asked, wait: Span) -> Result<Arc<Record>, Unasked> {
    let accounts = compose::routed(&config, &asked.params);
    if accounts.is_empty() {
        return Err(Unasked::NoChat);
    }
    let whole = Duration::from_millis(wait.0) + GRACE;
    timeout(whole, inside(home, config, asked, accounts)).await.unwrap_or(Err(Unasked::Silent))
}

async fn inside(
    home: Home,
    config: Config,
    asked: &Asked,
    accounts: BTreeSet<Account>,
) -> Result<Arc<Record>, Unasked> {
    let mut stop = Stop::listen()?;
    let entered = Entered::enter(home, config, Credential::Local, accounts.clone()).await?;
    let running = &entered.standing.endpoint().accounts;
    let ended = if accounts.iter().any(|account| running.contains(&account.to_string())) {
        match connected(&entered, &accounts).await {
            Ok(()) => answered(&entered.client, asked, &mut stop).await.map_err(Unasked::from),
            Err(why) => Err(Unasked::Unreachable(why)),
        }
    } else {
        Err(Unasked::NotRunning)
    };
    entered.leave().await;
    ended
}

/// Waits until one of the accounts reaches its platform.
///
/// # Errors
/// Why none does.
async fn connected(entered: &Entered, accounts: &BTreeSet<Account>) -> Result<(), String> {
    let looking = async {
        // A ring that tells nothing is believed.
        while let Ok(standing) = ring::accounts(&entered.standing.endpoint().socket).await {
            let ours = |status: &&AccountStatus| {
                accounts.iter().any(|account| account.to_string() == status.account)
            };
            let ours: Vec<&AccountStatus> = standing.iter().filter(ours).collect();
            if ours.is_empty() {
                return Err("the ring that runs has none of the chats it would go to".to_owned());
            }
            if ours.iter().any(|status| status.state == AccountState::Online) {
                return Ok(());
            }
            if ours.iter().all(|status| status.state == AccountState::Offline) {
                let why = ours.iter().filter_map(|status| status.why.as_deref());
                return Err(why.collect::<Vec<_>>().join("; "));
            }
            sleep(LOOK).await;
        }
        Ok(())
    };
    timeout(CONNECTING, looking).await.unwrap_or_else(|_| Err("they do not connect in time".to_owned()))
}

/// Waits for the end of the question that was asked before and brought no hook its answer, or else of a new one.
async fn answered(client: &Client, asked: &Asked, stop: &mut Stop) -> Result<Arc<Record>, CommandError> {
    let id = match asked_before(client, asked).await? {
        Some(id) => id,
        None => client.request(asked.params.clone()).await?.id,
    };
    let record = ended(client, id, stop).await?;
    if asked.decision(&record).is_ok() {
        client.collect(record.key.id.clone()).await?;
    }
    Ok(record)
}

/// The same question, asked by a hook that was killed or had given up.
async fn asked_before(client: &Client, asked: &Asked) -> Result<Option<RecordId>, CommandError> {
    let now = clock::now();
    let mut params = ListParams {
        id_prefix: Some(claude_code::IDS.to_owned()),
        ended_since: Some(Time(0)),
        ..ListParams::default()
    };
    loop {
        let page = client.list(params.clone()).await?;
        if let Some(record) = page.records.iter().find(|record| asked.was_asked_in(record, now)) {
            return Ok(Some(record.key.id.clone()));
        }
        match page.next {
            Some(next) => params.after = Some(next),
            None => return Ok(None),
        }
    }
}

async fn ended(client: &Client, id: RecordId, stop: &mut Stop) -> Result<Arc<Record>, CommandError> {
    // Asked before by the same use of the tool, it may have ended already.
    let record = found(client, &id).await?;
    if !record.state.is_pending() {
        return Ok(record);
    }
    tokio::select! {
        ended = client.wait_answer(id.clone()) => drop(ended?),
        () = stop.told() => {
            // The agent is gone; a question left behind ends by its own deadline.
            let _: Result<_, _> = timeout(TAKE_BACK, end(client, &id, WhyCancelled::Withdrawn)).await;
        }
    }
    found(client, &id).await
}

fn chain(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
