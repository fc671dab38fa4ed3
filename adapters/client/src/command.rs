//! A Command as a call, and what the call's refusal or a plain end mean for it. Carries nothing: that is [`crate::feed`]'s.

use askrelay_core::answer::{Actor, Answered, Notes, Way};
use askrelay_core::permit::Refused;
use askrelay_core::port::{Command, CommandAct, Rejection};
use askrelay_core::record::{Cancelled, Record, State, WhyCancelled};
use askrelay_protocol::call::{ResolveAct, ResolveParams};
use askrelay_protocol::error::{Code, Reason, WireError};
use askrelay_protocol::reply::PlainEnd;
use askrelay_protocol::secret::Secret;

use crate::client::{Client, is};
use crate::error::CallError;
use crate::handshake::now;

/// What is sent for the Command.
pub(crate) fn params(command: &Command, terminal_secret: Option<&Secret>) -> ResolveParams {
    let (act, actor) = match &command.act {
        CommandAct::Resolve { answers, notes, words, actor } => {
            let act =
                ResolveAct::Answer { answers: answers.clone(), notes: notes.clone(), words: words.clone() };
            (act, Some(actor))
        }
        CommandAct::Cancel { why, actor } => (ResolveAct::Cancel { why: Some(why.clone()) }, actor.as_ref()),
    };
    let at_terminal = actor.is_some_and(|actor| actor.way == Way::AskingTerminal);
    let terminal_secret = terminal_secret.filter(|_| at_terminal).cloned();
    ResolveParams {
        id: command.key.id.clone(),
        created_at: Some(command.key.created_at),
        act,
        resolved_by: actor.and_then(resolver),
        resolution: Some(command.resolution.clone()),
        actor: actor.filter(|_| terminal_secret.is_none()).cloned(),
        terminal_secret,
    }
}

/// The plain shape's one text about who it was.
fn resolver(actor: &Actor) -> Option<String> {
    let person = actor.person.as_ref().map(ToString::to_string);
    person.or_else(|| actor.identity.as_ref().map(|identity| identity.user.to_string()))
}

/// Why the Command never took effect.
pub(crate) async fn rejection(client: &Client, command: &Command, error: CallError) -> Rejection {
    let error = match error {
        CallError::Refused(error) => error,
        other => return Rejection::Invalid(other.to_string()),
    };
    if is(&error, &Reason::NotFound) {
        Rejection::Unknown
    } else if is(&error, &Reason::AlreadyTerminal) {
        let record = client.state_of(command.key.id.clone(), &error).await;
        let record = record.filter(|record| record.key == command.key && !record.state.is_pending());
        Rejection::Ended(record.map(|record| Box::new(record.state.clone())))
    } else if error.code == Code::Forbidden {
        Rejection::NotPermitted(refused(&error))
    } else {
        Rejection::Invalid(error.message)
    }
}

fn refused(error: &WireError) -> Refused {
    error.details.refused.unwrap_or(Refused::NoRight)
}

/// The Record with the end that a plain gateway told.
pub(crate) fn with_end(record: &Record, end: PlainEnd, command: Option<&Command>) -> Record {
    let at = now();
    let state = match end {
        PlainEnd::Expired => State::Expired { at: record.expires_at },
        PlainEnd::Cancelled => {
            let (why, by) = match command.map(|command| &command.act) {
                Some(CommandAct::Cancel { why, actor }) => (why.clone(), actor.clone()),
                Some(CommandAct::Resolve { .. }) | None => (WhyCancelled::Withdrawn, None),
            };
            State::Cancelled(Cancelled { at, why, by, by_name: None })
        }
        PlainEnd::Answered { answers, resolution } => {
            let (notes, words, by) = match command.map(|command| &command.act) {
                Some(CommandAct::Resolve { notes, words, actor, .. }) => {
                    (notes.clone(), words.clone(), actor.clone())
                }
                Some(CommandAct::Cancel { .. }) | None => (Notes::new(), None, SOMEBODY),
            };
            let ours = command.map(|command| command.resolution.clone());
            let resolution = resolution.or(ours).unwrap_or_else(|| "".into());
            State::Answered(Box::new(Answered { answers, notes, words, by, by_name: None, at, resolution }))
        }
    };
    Record { state, ..record.clone() }
}

/// Somebody whom another gateway let answer.
const SOMEBODY: Actor = Actor::new(None, Way::Call);
