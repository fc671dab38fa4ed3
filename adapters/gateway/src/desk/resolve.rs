//! `question.resolve`: answers, refusals and withdrawals. The ledger judges them; here it is established in whose name the
//! caller acts.

use askrelay_core::id::{RecordId, ResolutionId};
use askrelay_core::ledger::{Answering, CancelVerdict, Cancelling, ResolveVerdict, Standing};
use askrelay_core::permit::{Caller, Refused};
use askrelay_core::record::{Record, WhyCancelled};
use askrelay_protocol::call::{ResolveAct, ResolveParams};
use askrelay_protocol::error::{Reason, WireError};
use askrelay_protocol::frame::Method;
use askrelay_protocol::reply::{Ending, Reply};

use super::failure::not_saved;
use super::{Desk, ReplyTo, Seat};
use crate::token::proves;
use crate::weight::answer_weight;

impl Desk {
    pub(super) fn resolve(&mut self, seat: &Seat, params: ResolveParams, to: ReplyTo) {
        let ResolveParams { id, created_at, act, resolved_by, resolution, actor, terminal_secret } = params;
        let visible = self.visible(seat, &id);
        let meant = visible.filter(|record| created_at.is_none_or(|at| record.key.created_at == at));
        let Some(record) = meant else {
            self.note_unseen(seat, &id);
            return self.respond_about(&id, to, Err(WireError::not_found(id.as_str())));
        };
        if !self.is_writable() {
            return self.respond(to, Err(not_saved()));
        }
        if let ResolveAct::Answer { answers, notes, words } = &act
            && answer_weight(answers, notes, words.as_deref()) > self.config.bounds.text_bytes
        {
            return self.respond(to, Err(self.too_large(Method::Resolve)));
        }
        let standing = match (actor, terminal_secret) {
            (Some(actor), _) => Standing::Asserted(actor),
            (None, Some(secret)) => {
                let proof = record.ask.terminal_proof.as_deref();
                if !proof.is_some_and(|proof| proves(&secret, proof)) {
                    self.note_refusal(&seat.caller, &Standing::Own, &record.key, Refused::Unknown);
                    return self.respond_about(&id, to, Err(WireError::not_permitted(Refused::Unknown)));
                }
                Standing::Terminal
            }
            (None, None) => Standing::Own,
        };
        let now = self.clock.now();
        let (key, stands) = (record.key.clone(), standing.clone());
        let outcome = match act {
            ResolveAct::Answer { answers, notes, words } => {
                let resolution = resolution.unwrap_or_else(|| ResolutionId::from(self.dice.uuid()));
                let answering = Answering { id: id.clone(), resolution, answers, notes, words, standing };
                // The ledger changes the Record in place when nobody else holds it.
                drop(record);
                answered(id.as_str(), self.ledger.resolve(now, &self.people, &seat.caller, answering))
            }
            ResolveAct::Cancel { why } => {
                let why = why.unwrap_or_else(|| self.plain_reason(seat, &record, &standing));
                let cancelling = Cancelling { id: id.clone(), why, standing, said_by: resolved_by };
                drop(record);
                cancelled(id.as_str(), self.ledger.cancel(now, &self.people, &seat.caller, cancelling))
            }
        };
        self.gather();
        if let Some(why) = outcome.as_ref().err().and_then(|error| error.details.refused) {
            self.note_refusal(&seat.caller, &stands, &key, why);
        }
        self.respond_about(&id, to, outcome);
    }

    /// Somebody tried to end a Record that they may not even see; to them it does not exist, in the trail it does.
    fn note_unseen(&mut self, seat: &Seat, id: &RecordId) {
        let Some(record) = self.ledger.get(id).cloned() else { return };
        if seat.caller.may_see(&record, &self.people) {
            return;
        }
        let why = seat.caller.permit(&record, &self.people).err().unwrap_or(Refused::NoRight);
        self.note_refusal(&seat.caller, &Standing::Own, &record.key, why);
    }

    /// Why a caller cancels that does not say: whoever asked takes it back, anybody else declines if that one may.
    fn plain_reason(&self, seat: &Seat, record: &Record, standing: &Standing) -> WhyCancelled {
        let caller = &seat.caller;
        let declines = match standing {
            Standing::Terminal => true,
            Standing::Asserted(actor) => actor.person.is_some(),
            Standing::Own => !asked(caller, record) && caller.permit(record, &self.people).is_ok(),
        };
        if declines { WhyCancelled::Declined } else { WhyCancelled::Withdrawn }
    }
}

/// Whether the caller, or its Person, created the Record.
pub(super) fn asked(caller: &Caller, record: &Record) -> bool {
    let creator = &record.ask.creator;
    let same_token = matches!(caller, Caller::Token { id, .. } if creator.token.as_ref() == Some(id));
    same_token || (creator.person.is_some() && creator.person.as_ref() == caller.person())
}

fn answered(id: &str, verdict: ResolveVerdict) -> Result<Reply, WireError> {
    match verdict {
        ResolveVerdict::Recorded(record) | ResolveVerdict::Repeated(record) => {
            Ok(Reply::Resolved(Ending::Record(record)))
        }
        ResolveVerdict::Ended { record, .. } => Err(WireError::already_terminal(record)),
        ResolveVerdict::Invalid(fault) => Err(WireError::question(Reason::InvalidAnswer, fault.to_string())),
        ResolveVerdict::Refused(refused) => Err(WireError::not_permitted(refused)),
        ResolveVerdict::Unknown => Err(WireError::not_found(id)),
    }
}

fn cancelled(id: &str, verdict: CancelVerdict) -> Result<Reply, WireError> {
    match verdict {
        CancelVerdict::Cancelled(record) | CancelVerdict::Repeated(record) => {
            Ok(Reply::Resolved(Ending::Record(record)))
        }
        CancelVerdict::Ended(record) => Err(WireError::already_terminal(record)),
        CancelVerdict::Refused(refused) => Err(WireError::not_permitted(refused)),
        CancelVerdict::Unknown => Err(WireError::not_found(id)),
    }
}
