//! A small town for ledger tests: three people, a service, and Asks made from a few letters. Checks nothing itself.

use askrelay_core::answer::{Actor, Answers, Way};
use askrelay_core::ask::{Ask, Choice, Origin, Question, WhenUnanswered};
use askrelay_core::id::{GatewayId, PersonId, QuestionId, RecordId, ResolutionId};
use askrelay_core::ledger::{Answering, Cancelling, Ledger, OpenVerdict, Standing};
use askrelay_core::permit::{Caller, WireScope};
use askrelay_core::person::{People, Person, Scope};
use askrelay_core::record::WhyCancelled;
use askrelay_core::time::{Span, Time};

pub(crate) const OPEN_MAX: usize = 3;
pub(crate) const START: Time = Time(1_000);

pub(crate) fn people() -> People {
    let person = |name: &str, scopes: &[Scope]| Person {
        id: PersonId::from(name),
        display_name: name.to_uppercase(),
        scopes: scopes.iter().copied().collect(),
        identities: [].into(),
    };
    [
        person("owner", &Scope::ALL),
        person("ann", &[Scope::QuestionsAnswer]),
        person("bob", &[Scope::SessionsWrite]),
    ]
    .into_iter()
    .collect()
}

/// `ring`, `local`, `service`, or a person's name: the bearer of that person's token with every wire scope.
pub(crate) fn caller(name: &str) -> Caller {
    match name {
        "ring" => Caller::Ring,
        "local" => Caller::Local { owner: PersonId::from("owner") },
        "service" => Caller::Token {
            id: "t-service".to_owned().into(),
            person: None,
            scopes: [WireScope::Questions].into(),
        },
        person => Caller::Token {
            id: format!("t-{person}").into(),
            person: Some(PersonId::from(person)),
            scopes: [WireScope::Questions, WireScope::SessionsWrite, WireScope::Admin].into(),
        },
    }
}

/// One question `q` with the choices `A` and `B`, without Other, for ten seconds, asked by the caller.
pub(crate) fn ask(by: &Caller) -> Ask {
    let choice = |label: &str| Choice::new(label);
    let question = Question {
        id: QuestionId::from("q"),
        text: "Which?".to_owned(),
        choices: vec![choice("A"), choice("B")],
        ..Question::default()
    };
    Ask {
        questions: vec![question],
        wait: Span::seconds(10),
        origin: Origin { session_key: Some("s".to_owned()), ..Origin::default() },
        creator: by.creator(&people(), true),
        answerers: Vec::new(),
        places: Vec::new(),
        needs_surface: false,
        when_unanswered: WhenUnanswered::Fail,
        terminal_proof: None,
    }
}

pub(crate) fn ledger() -> Ledger {
    Ledger::new(GatewayId::from("local"))
}

pub(crate) fn open(ledger: &mut Ledger, now: Time, id: &str, ask: Ask) -> OpenVerdict {
    ledger.open(now, RecordId::from(id), ask, OPEN_MAX)
}

pub(crate) fn answering(id: &str, resolution: &str, value: &str, standing: Standing) -> Answering {
    Answering {
        id: RecordId::from(id),
        resolution: ResolutionId::from(resolution),
        answers: Answers([(QuestionId::from("q"), vec![value.to_owned()])].into()),
        notes: [].into(),
        words: None,
        standing,
    }
}

pub(crate) fn cancelling(id: &str, why: WhyCancelled, standing: Standing) -> Cancelling {
    Cancelling { id: RecordId::from(id), why, standing, said_by: None }
}

pub(crate) fn asserted(person: &str, way: Way) -> Standing {
    Standing::Asserted(Actor::new(Some(PersonId::from(person)), way))
}
