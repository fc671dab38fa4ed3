//! A stand-in gateway around the real ledger: first accepted answer wins, a repeated attempt changes nothing, events are lost
//! while the connection is down, a snapshot in pages follows it. One of the two forgets everything on a restart.

use std::sync::Arc;

use askrelay_core::answer::{Actor, Answers, Way};
use askrelay_core::ask::Ask;
use askrelay_core::id::{GatewayId, RecordId};
use askrelay_core::ledger::{
    Answering, CancelVerdict, Cancelling, Fact, Ledger, OpenVerdict, ResolveVerdict, Standing,
};
use askrelay_core::permit::Caller;
use askrelay_core::person::People;
use askrelay_core::port::{Command, CommandAct, Notice, Rejection};
use askrelay_core::record::{Record, WhyCancelled};
use askrelay_core::time::Time;

/// Most Records of a page; small, so that snapshots have several.
const PAGE: usize = 4;

/// One gateway.
#[derive(Debug)]
pub struct Gateway {
    /// Its name.
    pub id: GatewayId,
    /// Connected with the relay.
    pub up: bool,
    /// Counts connections.
    pub session: u64,
    /// When the last notice of this connection arrives: they keep their order.
    pub last_arrival: u64,
    /// How many Asks it opened.
    pub opened: u64,
    /// Which start of it this is, once one has forgotten what was before.
    boot: u64,
    ledger: Ledger,
    people: Arc<People>,
}

impl Gateway {
    /// A gateway without Records.
    #[must_use]
    pub fn new(name: &str, people: Arc<People>) -> Self {
        let id: GatewayId = name.into();
        let ledger = Ledger::new(id.clone());
        Self { id, up: false, session: 0, last_arrival: 0, opened: 0, boot: 0, ledger, people }
    }

    /// The Record of that id as it is now.
    #[must_use]
    pub fn record(&self, id: &RecordId) -> Option<&Arc<Record>> {
        self.ledger.get(id)
    }

    /// The present rights.
    #[must_use]
    pub const fn people(&self) -> &Arc<People> {
        &self.people
    }

    /// Rights changed.
    pub fn change_people(&mut self, people: Arc<People>) -> Notice {
        self.people = Arc::clone(&people);
        Notice::People(people)
    }

    /// A restart that forgets every Record.
    pub fn forget(&mut self) {
        self.ledger = Ledger::new(self.id.clone());
        self.boot += 1;
    }

    /// Opens an Ask.
    pub fn open(&mut self, now: Time, id: RecordId, ask: Ask) -> Option<Arc<Record>> {
        match self.ledger.open(now, id, ask, usize::MAX) {
            OpenVerdict::Opened(record) => Some(record),
            _ => None,
        }
    }

    /// What a fresh connection brings: rights, then everything pending in pages, with what ended lately.
    #[must_use]
    pub fn snapshot(&self, ended: &[RecordId]) -> Vec<Notice> {
        let pending = self.ledger.pending(None).cloned();
        let ended =
            ended.iter().filter_map(|id| self.ledger.get(id)).filter(|r| !r.state.is_pending()).cloned();
        let all: Vec<Arc<Record>> = pending.chain(ended).collect();
        let boot = Some(format!("boot-{}", self.boot).into());
        let mut notices = vec![Notice::Online { boot }, Notice::People(Arc::clone(&self.people))];
        let mut pages: Vec<Vec<Arc<Record>>> = all.chunks(PAGE).map(<[_]>::to_vec).collect();
        if pages.is_empty() {
            pages.push(Vec::new());
        }
        let count = pages.len();
        let page = |(index, records)| Notice::Snapshot { records, last: index + 1 == count };
        notices.extend(pages.into_iter().enumerate().map(page));
        notices
    }

    /// Ends what is overdue; what everybody is told.
    pub fn expire(&mut self, now: Time) -> Vec<Arc<Record>> {
        self.ledger.expire(now, usize::MAX);
        self.ended()
    }

    /// When the next deadline is.
    #[must_use]
    pub fn next_expiry(&self) -> Option<Time> {
        self.ledger.next_expiry()
    }

    /// A panel answers, as the Person of a token.
    pub fn answer_elsewhere(
        &mut self,
        now: Time,
        id: &RecordId,
        values: Answers,
        who: &str,
    ) -> Vec<Arc<Record>> {
        let actor = Actor::new(Some(who.into()), Way::Call);
        let answering = Answering {
            id: id.clone(),
            resolution: format!("call-{id}-{who}").into(),
            answers: values,
            notes: Default::default(),
            words: None,
            standing: Standing::Asserted(actor),
        };
        self.ledger.resolve(now, &self.people, &Caller::Ring, answering);
        self.ended()
    }

    /// The asker takes an Ask back.
    pub fn withdraw(&mut self, now: Time, id: &RecordId) -> Vec<Arc<Record>> {
        let cancelling = Cancelling {
            id: id.clone(),
            why: WhyCancelled::Withdrawn,
            standing: Standing::Own,
            said_by: None,
        };
        self.ledger.cancel(now, &self.people, &Caller::Ring, cancelling);
        self.ended()
    }

    /// Carries out a Command: what everybody is told, and what only its sender is told.
    pub fn command(&mut self, now: Time, command: Command) -> (Vec<Arc<Record>>, Option<Notice>) {
        let Command { resolution, key, act } = command;
        let known = self.ledger.get(&key.id).is_some_and(|record| record.key == key);
        let refused = |why| Some(Notice::Refused { resolution: resolution.clone(), key: key.clone(), why });
        if !known {
            return (self.ended(), refused(Rejection::Unknown));
        }
        let answer = match act {
            CommandAct::Resolve { answers, notes, words, actor } => {
                let standing = Standing::Asserted(actor);
                let id = key.id.clone();
                let resolution = resolution.clone();
                let answering = Answering { id, resolution, answers, notes, words, standing };
                match self.ledger.resolve(now, &self.people, &Caller::Ring, answering) {
                    ResolveVerdict::Recorded(_) => None,
                    ResolveVerdict::Repeated(record) => Some(Notice::Closed(record)),
                    ResolveVerdict::Ended { kept: true, record } => Some(Notice::Closed(record)),
                    ResolveVerdict::Ended { record, .. } => refused(ended(&record)),
                    ResolveVerdict::Invalid(fault) => refused(Rejection::Invalid(fault.to_string())),
                    ResolveVerdict::Refused(why) => refused(Rejection::NotPermitted(why)),
                    ResolveVerdict::Unknown => refused(Rejection::Unknown),
                }
            }
            CommandAct::Cancel { why, actor } => {
                let standing = actor.map_or(Standing::Own, Standing::Asserted);
                let cancelling = Cancelling { id: key.id.clone(), why, standing, said_by: None };
                match self.ledger.cancel(now, &self.people, &Caller::Ring, cancelling) {
                    CancelVerdict::Cancelled(_) => None,
                    CancelVerdict::Repeated(record) => Some(Notice::Closed(record)),
                    CancelVerdict::Ended(record) => refused(ended(&record)),
                    CancelVerdict::Refused(why) => refused(Rejection::NotPermitted(why)),
                    CancelVerdict::Unknown => refused(Rejection::Unknown),
                }
            }
        };
        (self.ended(), answer)
    }

    /// What ended since the last look, as everybody is told.
    fn ended(&mut self) -> Vec<Arc<Record>> {
        let facts = self.ledger.take_facts();
        let closed = facts.iter().filter_map(|fact| match fact {
            Fact::Closed { key, .. } => self.ledger.get(&key.id).cloned(),
            _ => None,
        });
        closed.collect()
    }
}

fn ended(record: &Record) -> Rejection {
    Rejection::Ended(Some(Box::new(record.state.clone())))
}
