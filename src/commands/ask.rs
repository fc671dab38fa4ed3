//! `askrelay ask`: puts a question to a person, at this terminal and wherever the ring shows it, and waits. What the arguments
//! ask for is [`input`]'s.

use std::collections::BTreeSet;
use std::sync::Arc;

use askrelay_client::{CallError, Client};
use askrelay_core::id::{Account, RecordId};
use askrelay_core::prompt::one_line;
use askrelay_core::record::{Record, WhyCancelled};
use askrelay_protocol::call::{AskParams, ResolveAct};
use askrelay_protocol::error::Reason;
use askrelay_protocol::secret::Secret;
use askrelay_terminal::{Terminal, TerminalError};

use super::CommandError;
use super::entered::{Credential, Entered};
use super::outcome::{Outcome, Shape};
use super::questions::{found, resolution};
use super::serve::Stop;
use crate::args::AskArgs;
use crate::clock;
use crate::compose::{self, Seat};
use crate::config::Config;
use crate::digest::sha256_hex;
use crate::ring::{Home, Role};

mod default_values;
mod files;
pub mod input;
mod offline;

/// Asks, waits, and says what came of it.
///
/// # Errors
/// Wrong arguments, no way into the ring, or the gateway's refusal. That nobody answered is no error.
pub async fn ask(home: Home, config: Config, args: &AskArgs) -> Result<Outcome, CommandError> {
    let (params, shape) = wanted(args, &config)?;
    let mut stop = Stop::listen()?;
    let (accounts, aimed) = (compose::routed(&config, &params), compose::aimed(&config, &params));
    let secret = terminal_secret(&home, params.id.as_ref())?;
    let endpoint = home.endpoint();
    let entered = Entered::enter(home, config, Credential::Local, accounts.clone()).await?;
    warn_of_accounts(&entered, &accounts);
    let elsewhere = !params.places.is_empty() || others_can_answer(&entered, &accounts);
    let asked = tokio::select! {
        asked = put(&entered, params, secret, elsewhere, &mut stop) => asked,
        never = offline::watch(&endpoint, &aimed) => match never {},
    };
    entered.leave().await;
    asked.map(|record| Outcome::Ended { record: Box::new(Arc::unwrap_or_clone(record)), shape })
}

fn wanted(args: &AskArgs, config: &Config) -> Result<(AskParams, Shape), CommandError> {
    let wanted =
        input::input(args, config.default_wait.value).map_err(|wrong| CommandError::Misused(wrong.0))?;
    let shape = match (wanted.form, wanted.step) {
        _ if args.json => Shape::Record,
        (_, Some(step)) => Shape::Step(step),
        (Some(form), None) => Shape::Typed(Box::new(form)),
        (None, None) => Shape::Lines,
    };
    Ok((wanted.params, shape))
}

async fn put(
    entered: &Entered,
    mut params: AskParams,
    secret: String,
    elsewhere: bool,
    stop: &mut Stop,
) -> Result<Arc<Record>, CommandError> {
    let terminal = Terminal::controlling();
    if terminal.is_ok() {
        params.terminal_proof = Some(proof(&secret));
    }
    let client = entered.client.clone();
    let named = params.id.clone();
    let id = client.request(params).await.map_err(|error| id_in_use(error, named.as_ref()))?.id;
    // Asked again under its own id, it may have ended long ago.
    let record = found(&client, &id).await?;
    if !record.state.is_pending() {
        return Ok(record);
    }
    let seat = match terminal {
        Ok(terminal) => Some(Seat::take(client.clone(), terminal, id.clone(), Secret::from(secret))?),
        Err(why) if elsewhere => {
            note_where_to_answer(&id, &why);
            None
        }
        Err(_) => return end(&client, &id, WhyCancelled::Unavailable).await,
    };
    wait(&client, &id, seat, elsewhere, stop).await
}

/// Whether the ring has anybody else who could answer: a server's panels and callers, or the chat accounts it is routed to.
fn others_can_answer(entered: &Entered, accounts: &BTreeSet<Account>) -> bool {
    let endpoint = entered.standing.endpoint();
    let runs = |account: &Account| endpoint.accounts.contains(&account.to_string());
    endpoint.role == Role::Server || accounts.iter().any(runs)
}

/// The ring that runs may lack accounts that the ask is routed to: it is shown there only by another ring.
fn warn_of_accounts(entered: &Entered, accounts: &BTreeSet<Account>) {
    let endpoint = entered.standing.endpoint();
    let names = accounts.iter().map(ToString::to_string);
    let missing: Vec<String> = names.filter(|name| !endpoint.accounts.contains(name)).collect();
    if !missing.is_empty() {
        tracing::warn!(
            pid = endpoint.pid,
            "the process that runs the ring does not run {}; the question is shown there once `askrelay serve` runs",
            missing.join(", ")
        );
    }
}

fn note_where_to_answer(id: &RecordId, why: &TerminalError) {
    tracing::info!(%id, %why, "not asked at a terminal; waiting for an answer from elsewhere");
}

async fn wait(
    client: &Client,
    id: &RecordId,
    mut seat: Option<Seat>,
    elsewhere: bool,
    stop: &mut Stop,
) -> Result<Arc<Record>, CommandError> {
    let closed = async {
        match &mut seat {
            Some(seat) => seat.closed().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        ended = client.wait_answer(id.clone()) => drop(ended?),
        () = stop.told() => drop(end(client, id, WhyCancelled::Withdrawn).await?),
        () = closed, if !elsewhere => drop(end(client, id, WhyCancelled::Unavailable).await?),
    }
    if let Some(seat) = seat {
        seat.leave().await;
    }
    found(client, id).await
}

/// Ends an Ask of ours. An answer that came first stands: the Record tells.
pub(super) async fn end(
    client: &Client,
    id: &RecordId,
    why: WhyCancelled,
) -> Result<Arc<Record>, CommandError> {
    let record = found(client, id).await?;
    if record.state.is_pending() {
        match client.resolve(resolution(&record, ResolveAct::Cancel { why: Some(why) })).await {
            Ok(_) | Err(CallError::Refused(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    found(client, id).await
}

/// The secret with which this terminal answers. With an id of its own, the same ask has the same secret at every terminal of
/// this user, so that asking again is the same request; else it is nobody else's.
fn terminal_secret(home: &Home, id: Option<&RecordId>) -> Result<String, CommandError> {
    let Some(id) = id else { return Ok(clock::fresh_hex()) };
    let key = home.terminal_key().map_err(CommandError::TerminalKey)?;
    Ok(sha256_hex([key.as_ref(), id.as_str().as_bytes()]))
}

/// The gateway's refusal of an id that names another ask, in plain words.
fn id_in_use(error: CallError, id: Option<&RecordId>) -> CommandError {
    match (error, id) {
        (CallError::Refused(why), Some(id)) if why.details.reason == Some(Reason::IdInUse) => {
            CommandError::IdInUse(one_line(id.as_str()))
        }
        (error, _) => error.into(),
    }
}

/// What the gateway keeps of the secret with which this terminal answers.
fn proof(secret: &str) -> String {
    sha256_hex([secret])
}
