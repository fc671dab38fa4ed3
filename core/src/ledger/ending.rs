//! How a Record ends: answered, cancelled or expired, whichever comes first, and answers that come after. The permission
//! check runs inside the step that ends it, with the rights of that moment.

use std::sync::Arc;

use super::{Fact, Ledger, opener};
use crate::answer::{Actor, AnswerFault, Answered, Answers, Notes, Way, canonical};
use crate::id::{RecordId, ResolutionId};
use crate::permit::{Caller, Permit, Refused, permit};
use crate::person::People;
use crate::record::{Cancelled, Record, State, WhyCancelled};
use crate::time::Time;

/// Most late answers kept on one Record; more of them would only grow it.
pub const LATE_MAX: usize = 16;

/// In whose name a caller acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its own: the Person of its token.
    Own,
    /// Somebody it vouches for; only the ring's own connection may.
    Asserted(Actor),
    /// The terminal that asked, which has proved itself.
    Terminal,
}

/// One attempt to answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answering {
    /// Which Record.
    pub id: RecordId,
    /// Names the attempt: repeating it changes nothing.
    pub resolution: ResolutionId,
    /// The values, not yet canonical.
    pub answers: Answers,
    /// Remarks beside choices.
    pub notes: Notes,
    /// The exact words of a typed reply.
    pub words: Option<String>,
    /// In whose name.
    pub standing: Standing,
}

/// One attempt to end a Record without an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Cancelling {
    /// Which Record.
    pub id: RecordId,
    /// Why.
    pub why: WhyCancelled,
    /// In whose name; the ring may act in nobody's.
    pub standing: Standing,
    /// A free text of the caller about who or what took it back; a Person's own name goes before it.
    pub said_by: Option<String>,
}

/// What became of an attempt to answer.
#[derive(Clone, Debug, PartialEq)]
pub enum ResolveVerdict {
    /// It is the answer.
    Recorded(Arc<Record>),
    /// This very attempt was recorded before.
    Repeated(Arc<Record>),
    /// The Record had ended otherwise.
    Ended {
        /// How, for the one who came late.
        record: Arc<Record>,
        /// The answer is kept as a late one.
        kept: bool,
    },
    /// The values are no answer; the Record stays as it is.
    Invalid(AnswerFault),
    /// Not this actor; the Record stays as it is.
    Refused(Refused),
    /// No such Record is held, or the caller may not know of it.
    Unknown,
}

/// What became of an attempt to cancel.
#[derive(Clone, Debug, PartialEq)]
pub enum CancelVerdict {
    /// It has ended now.
    Cancelled(Arc<Record>),
    /// It had ended in the very same way.
    Repeated(Arc<Record>),
    /// It had ended otherwise.
    Ended(Arc<Record>),
    /// Not this actor; the Record stays as it is.
    Refused(Refused),
    /// No such Record is held, or the caller may not know of it.
    Unknown,
}

impl Ledger {
    /// Answers a Record that still waits, if the actor may and the values are an answer; the first one wins. A valid answer
    /// to one that ended is kept beside it.
    pub fn resolve(
        &mut self,
        now: Time,
        people: &People,
        caller: &Caller,
        answering: Answering,
    ) -> ResolveVerdict {
        self.expire_if_due(&answering.id, now);
        let Some(record) = self.see(&answering.id, caller, people) else {
            return ResolveVerdict::Unknown;
        };
        if let State::Answered(answered) = &record.state
            && answered.resolution == answering.resolution
        {
            return ResolveVerdict::Repeated(Arc::clone(record));
        }
        let id = record.key.id.clone();
        let pending = record.state.is_pending();
        match judge(now, people, caller, record, answering) {
            Ok(answered) if pending => {
                self.close(&id, End::Answered(answered));
                self.get(&id)
                    .map_or(ResolveVerdict::Unknown, |record| ResolveVerdict::Recorded(Arc::clone(record)))
            }
            Ok(answered) => self.keep_late(&id, answered),
            Err(NoAnswer::Refused(refused)) if pending => ResolveVerdict::Refused(refused),
            Err(NoAnswer::Invalid(fault)) if pending => ResolveVerdict::Invalid(fault),
            Err(_) => ResolveVerdict::Ended { record: Arc::clone(record), kept: false },
        }
    }

    /// Ends a Record that still waits without an answer: whoever asked takes it back, a person who may answer declines it,
    /// and the ring says that it reached nobody.
    pub fn cancel(
        &mut self,
        now: Time,
        people: &People,
        caller: &Caller,
        cancelling: Cancelling,
    ) -> CancelVerdict {
        self.expire_if_due(&cancelling.id, now);
        let Some(record) = self.see(&cancelling.id, caller, people) else {
            return CancelVerdict::Unknown;
        };
        let by = match may_cancel(record, people, caller, &cancelling) {
            Ok(by) => by,
            Err(_) if !record.state.is_pending() => return CancelVerdict::Ended(Arc::clone(record)),
            Err(refused) => return CancelVerdict::Refused(refused),
        };
        match &record.state {
            State::Pending => {}
            State::Cancelled(before) if before.why == cancelling.why && before.by == by => {
                return CancelVerdict::Repeated(Arc::clone(record));
            }
            _ => return CancelVerdict::Ended(Arc::clone(record)),
        }
        let name = by.as_ref().and_then(|actor| actor.display_name(people));
        let by_name = match cancelling.why {
            WhyCancelled::Withdrawn => cancelling.said_by.or(name),
            _ => name.or(cancelling.said_by),
        };
        let end = End::Cancelled(Cancelled { at: now, why: cancelling.why, by, by_name });
        let id = cancelling.id;
        self.close(&id, end);
        self.get(&id).map_or(CancelVerdict::Unknown, |record| CancelVerdict::Cancelled(Arc::clone(record)))
    }

    /// Ends Records whose deadline has come, earliest first, `most` of them at most; [`Self::next_expiry`] tells whether
    /// more are due.
    pub fn expire(&mut self, now: Time, most: usize) {
        for _ in 0..most {
            match self.deadlines.first() {
                Some((at, id)) if *at <= now => {
                    let id = id.clone();
                    self.close(&id, End::Expired(now));
                }
                _ => return,
            }
        }
    }

    /// Ends this Record if its deadline has come: the deadline counts even when nobody looked at the clock.
    fn expire_if_due(&mut self, id: &RecordId, now: Time) {
        if self.get(id).is_some_and(|record| record.state.is_pending() && record.expires_at <= now) {
            self.close(id, End::Expired(now));
        }
    }

    /// Takes a pending Record to its end. The only place that does.
    fn close(&mut self, id: &RecordId, end: End) {
        let Some(record) = self.records.get_mut(id) else { return };
        self.pending.remove(&(record.key.created_at, id.clone()));
        self.deadlines.remove(&(record.expires_at, id.clone()));
        if let Some(open) = self.open_by.get_mut(&opener(&record.ask.creator)) {
            *open -= 1;
        }
        let state = match end {
            End::Answered(permitted) => State::Answered(Box::new(permitted.answered)),
            End::Cancelled(cancelled) => State::Cancelled(cancelled),
            End::Expired(at) => State::Expired { at },
        };
        self.facts.push(Fact::Closed { key: record.key.clone(), state: state.clone() });
        Arc::make_mut(record).state = state;
    }

    /// The asker of an ended Record has its end in hand; the first time counts. One that waits, or is not held, stays as it is.
    pub fn collect(&mut self, now: Time, id: &RecordId) {
        let ended = self.records.get_mut(id).filter(|record| !record.state.is_pending());
        let Some(record) = ended.filter(|record| record.collected.is_none()) else { return };
        self.facts.push(Fact::Collected { key: record.key.clone(), at: now });
        Arc::make_mut(record).collected = Some(now);
    }

    fn keep_late(&mut self, id: &RecordId, Permitted { answered, .. }: Permitted) -> ResolveVerdict {
        let Some(record) = self.records.get_mut(id) else { return ResolveVerdict::Unknown };
        let known = record.late.iter().any(|late| late.resolution == answered.resolution);
        let kept = known || record.late.len() < LATE_MAX;
        if kept && !known {
            self.facts.push(Fact::Late { key: record.key.clone(), answered: answered.clone() });
            Arc::make_mut(record).late.push(answered);
        }
        ResolveVerdict::Ended { record: Arc::clone(record), kept }
    }
}

/// An answer with the permit it was given under. Nothing ends a Record with an answer without one.
struct Permitted {
    answered: Answered,
    _permit: Permit,
}

/// How a Record ends.
enum End {
    Answered(Permitted),
    Cancelled(Cancelled),
    Expired(Time),
}

/// Why an attempt is no answer.
enum NoAnswer {
    Refused(Refused),
    Invalid(AnswerFault),
}

fn judge(
    now: Time,
    people: &People,
    caller: &Caller,
    record: &Record,
    answering: Answering,
) -> Result<Permitted, NoAnswer> {
    let (by, permit) = may_answer(record, people, caller, &answering.standing).map_err(NoAnswer::Refused)?;
    let answers = canonical(&record.ask.questions, &answering.answers).map_err(NoAnswer::Invalid)?;
    let by_name = by.display_name(people);
    let Answering { notes, words, resolution, .. } = answering;
    let answered = Answered { answers, notes, words, by, by_name, at: now, resolution };
    Ok(Permitted { answered, _permit: permit })
}

/// Who answers, with the permit, if that actor may answer now.
fn may_answer(
    record: &Record,
    people: &People,
    caller: &Caller,
    standing: &Standing,
) -> Result<(Actor, Permit), Refused> {
    let actor = match (standing, caller) {
        (Standing::Asserted(actor), Caller::Ring) => actor.clone(),
        (Standing::Asserted(_), _) => return Err(Refused::Unknown),
        (Standing::Terminal, _) => Actor::new(record.ask.creator.person.clone(), Way::AskingTerminal),
        (Standing::Own, _) => {
            let permit = caller.permit(record, people)?;
            return Ok((Actor::new(Some(permit.person().clone()), Way::Call), permit));
        }
    };
    let permit = permit(record, people, &actor)?;
    Ok((actor, permit))
}

fn may_cancel(
    record: &Record,
    people: &People,
    caller: &Caller,
    cancelling: &Cancelling,
) -> Result<Option<Actor>, Refused> {
    let standing = &cancelling.standing;
    match (&cancelling.why, caller) {
        (WhyCancelled::Declined, _) => {
            may_answer(record, people, caller, standing).map(|(actor, _)| Some(actor))
        }
        (_, Caller::Ring) => Ok(match standing {
            Standing::Asserted(actor) => Some(actor.clone()),
            Standing::Own | Standing::Terminal => None,
        }),
        // Whoever asked may also say that nobody could be asked where it runs.
        (WhyCancelled::Withdrawn | WhyCancelled::Unavailable, _) if caller.may_withdraw(record, people) => {
            Ok(caller.person().map(|person| Actor::new(Some(person.clone()), Way::Call)))
        }
        _ => Err(Refused::NoRight),
    }
}
