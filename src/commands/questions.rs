//! The commands on asks that exist: list, show, wait, answer, cancel. Each asks the gateway; none knows rights by itself.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use askrelay_client::{CallError, Client};
use askrelay_core::id::{RecordId, ResolutionId};
use askrelay_core::prompt::{one_line, wording};
use askrelay_core::record::{Record, State, WhyCancelled};
use askrelay_core::reply::{Bot, Reading, read};
use askrelay_core::time::Time;
use askrelay_protocol::call::{ListParams, ResolveAct, ResolveParams};
use askrelay_protocol::error::Reason;

use super::CommandError;
use super::outcome::{Outcome, Shape, record_json};
use crate::args::{AnswerArgs, CancelArgs, ListArgs, ShowArgs, StateArg, WaitArgs};
use crate::clock;
use crate::span;

/// `askrelay list`.
///
/// # Errors
/// The gateway's.
pub async fn list(client: &Client, args: &ListArgs) -> Result<Outcome, CommandError> {
    let records = listed(client, args.state != StateArg::Pending).await?;
    let mut text = String::new();
    for record in records.iter().filter(|record| is_wanted(record, args.state)) {
        let line = if args.json { record_json(record).to_string() } else { line(record) };
        text.push_str(&line);
        text.push('\n');
    }
    if text.is_empty() && !args.json {
        text.push_str("No asks.\n");
    }
    Ok(Outcome::Said(text))
}

/// Every Record, page by page, oldest first.
async fn listed(client: &Client, with_ended: bool) -> Result<Vec<Arc<Record>>, CommandError> {
    let mut records = Vec::new();
    let mut after = None;
    loop {
        let ended_since = with_ended.then_some(Time(0));
        let page = client.list(ListParams { after, ended_since, ..ListParams::default() }).await?;
        records.extend(page.records);
        match page.next {
            None => return Ok(records),
            next => after = next,
        }
    }
}

/// The Record of that id.
///
/// # Errors
/// There is none that this caller may see.
pub async fn found(client: &Client, id: &RecordId) -> Result<Arc<Record>, CommandError> {
    client.get(id.clone()).await?.ok_or_else(|| no_such(id))
}

fn no_such(id: &RecordId) -> CommandError {
    CommandError::NoSuchAsk(one_line(id.as_str()))
}

fn is_wanted(record: &Record, state: StateArg) -> bool {
    match state {
        StateArg::All => true,
        StateArg::Pending => record.state.is_pending(),
        StateArg::Answered => matches!(record.state, State::Answered(_)),
        StateArg::Cancelled => matches!(record.state, State::Cancelled(_)),
        StateArg::Expired => matches!(record.state, State::Expired { .. }),
    }
}

/// One ask on one line: id, state, how long is left, the first question.
fn line(record: &Record) -> String {
    let state = match (&record.state, record.state.no_answer()) {
        (State::Pending, _) => format!("pending {}", span::show(record.expires_at.since(clock::now()))),
        (_, Some(why)) => why.name().to_owned(),
        (state, None) => state.name().to_owned(),
    };
    let question = record.ask.questions.first().map_or("", |question| question.text.as_str());
    let more = record.ask.questions.len().saturating_sub(1);
    let more = if more == 0 { String::new() } else { format!(" (+{more})") };
    format!("{}  {state}  {}{more}", one_line(record.key.id.as_str()), one_line(question))
}

/// `askrelay show`.
///
/// # Errors
/// The gateway's; what the caller may not see does not exist.
pub async fn show(client: &Client, args: &ShowArgs) -> Result<Outcome, CommandError> {
    let record = found(client, &RecordId::from(args.id.as_str())).await?;
    if args.json {
        return Ok(Outcome::Said(format!("{}\n", record_json(&record))));
    }
    let mut text = format!("{}\n", line(&record));
    for question in &record.ask.questions {
        let _ = writeln!(text, "\n{}: {}", one_line(question.id.as_str()), one_line(&question.text));
        for (index, choice) in question.choices.iter().enumerate() {
            let _ = writeln!(text, "  {}. {}", index + 1, one_line(&choice.label));
        }
        if let State::Answered(answered) = &record.state {
            for value in answered.answers.of(&question.id) {
                let _ = writeln!(text, "  -> {}", one_line(value));
            }
        }
    }
    Ok(Outcome::Said(text))
}

/// `askrelay wait`.
///
/// # Errors
/// The gateway's.
pub async fn wait(client: &Client, args: &WaitArgs) -> Result<Outcome, CommandError> {
    let limit = args.timeout.as_deref().map(span::parse).transpose();
    let limit = limit.map_err(|what| CommandError::Misused(vec![format!("--timeout: {what}")]))?;
    let id = RecordId::from(args.id.as_str());
    found(client, &id).await?;
    match limit {
        None => drop(client.wait_answer(id.clone()).await?),
        // A wait that ran out finds the Record pending, which is what is printed then.
        Some(limit) => {
            drop(tokio::time::timeout(Duration::from_millis(limit.0), client.wait_answer(id.clone())).await)
        }
    }
    let record = found(client, &id).await?;
    let shape = if args.json { Shape::Record } else { Shape::Lines };
    Ok(Outcome::Ended { record: Box::new(Arc::unwrap_or_clone(record)), shape })
}

/// `askrelay answer`: reads the text as any surface would, and sends what was understood as the token's Person.
///
/// # Errors
/// The text is not clear, or the gateway refuses it.
pub async fn answer(client: &Client, args: &AnswerArgs) -> Result<Outcome, CommandError> {
    let record = found(client, &RecordId::from(args.id.as_str())).await?;
    let questions = &record.ask.questions;
    let reader = wording::Reader { limits: &askrelay_terminal::LIMITS, now: clock::now(), zone_minutes: 0 };
    let act = match read(questions, &args.text, &Bot::default()) {
        Reading::Answer { answers, notes } => {
            ResolveAct::Answer { answers, notes, words: Some(args.text.clone()) }
        }
        Reading::Skip => ResolveAct::Cancel { why: Some(WhyCancelled::Declined) },
        Reading::Clarify(unclear) => {
            return Err(CommandError::Unclear(wording::reask(questions, &unclear, &reader)));
        }
        Reading::NotAnAnswer => {
            return Err(CommandError::Unclear("this is a command, but none of ours; /skip skips".to_owned()));
        }
    };
    resolved(client, &record, act).await?;
    let record = found(client, &record.key.id).await?;
    let said = match &record.state {
        State::Answered(answered) => {
            wording::recorded(questions, &answered.answers, &answered.notes, &reader)
        }
        _ => wording::recorded_skip(),
    };
    Ok(Outcome::Said(format!("{said}\n")))
}

/// `askrelay cancel`.
///
/// # Errors
/// The gateway's.
pub async fn cancel(client: &Client, args: &CancelArgs) -> Result<Outcome, CommandError> {
    let record = found(client, &RecordId::from(args.id.as_str())).await?;
    let act = ResolveAct::Cancel { why: Some(WhyCancelled::Withdrawn) };
    resolved(client, &record, act).await?;
    Ok(Outcome::Said(format!("{} is withdrawn.\n", one_line(record.key.id.as_str()))))
}

/// Ends the Record, or says how it ended before.
async fn resolved(client: &Client, record: &Record, act: ResolveAct) -> Result<(), CommandError> {
    let id = &record.key.id;
    match client.resolve(resolution(record, act)).await {
        Err(CallError::Refused(why)) if why.details.reason == Some(Reason::AlreadyTerminal) => {
            let now = found(client, id).await?;
            let reader =
                wording::Reader { limits: &askrelay_terminal::LIMITS, now: clock::now(), zone_minutes: 0 };
            let how = wording::late(&now, &reader);
            Err(CommandError::EndedBefore { id: one_line(id.as_str()), how })
        }
        Err(CallError::Refused(why)) if why.details.reason == Some(Reason::NotFound) => Err(no_such(id)),
        Err(error) => Err(error.into()),
        Ok(_) => Ok(()),
    }
}

/// One attempt to end this very Record, under an id of its own.
pub fn resolution(record: &Record, act: ResolveAct) -> ResolveParams {
    ResolveParams {
        id: record.key.id.clone(),
        created_at: Some(record.key.created_at),
        act,
        resolved_by: None,
        resolution: Some(ResolutionId::from(clock::fresh_hex())),
        actor: None,
        terminal_secret: None,
    }
}
