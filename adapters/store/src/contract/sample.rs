//! Values to store, small and large, for the contract and for whoever tests with a store. Fixed: no chance, no clock.

use askrelay_core::answer::{Actor, Answered, Answers, Way};
use askrelay_core::ask::{
    Ask, Binding, Choice, Constraint, Creator, Format, Origin, Question, WhenUnanswered,
};
use askrelay_core::id::{Account, Identity, Place, RecordKey};
use askrelay_core::invite::Invite;
use askrelay_core::pairing::{Code, Pairing};
use askrelay_core::person::{Person, Scope};
use askrelay_core::record::{Cancelled, Record, State, WhyCancelled};
use askrelay_core::time::{Span, Time};
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fact::{InviteRow, TokenHash};

/// The identity of a Record of the embedded gateway.
#[must_use]
pub fn key(id: &str, created_at: i64) -> RecordKey {
    RecordKey { gateway: "local".into(), id: id.into(), created_at: Time(created_at) }
}

/// A pending Record: one question, two choices.
#[must_use]
pub fn record(id: &str, created_at: i64) -> Arc<Record> {
    let choice = |label: &str| Choice::new(label);
    let question = Question {
        id: "target".into(),
        header: "Release".to_owned(),
        text: "Where should this release go?".to_owned(),
        choices: vec![choice("Staging"), choice("Production")],
        other: true,
        ..Question::default()
    };
    let creator = Creator {
        person: Some("owner".into()),
        token: None,
        binding: Binding::Run,
        scopes: [Scope::QuestionsAnswer].into(),
    };
    let ask = Ask {
        questions: vec![question],
        wait: Span::seconds(900),
        origin: Origin::default(),
        creator,
        answerers: Vec::new(),
        places: Vec::new(),
        needs_surface: false,
        when_unanswered: WhenUnanswered::Fail,
        terminal_proof: None,
    };
    Arc::new(Record {
        key: key(id, created_at),
        expires_at: Time(created_at).after(ask.wait),
        ask,
        state: State::Pending,
        late: Vec::new(),
        collected: None,
    })
}

/// A pending Record that uses everything an Ask can have.
#[must_use]
pub fn rich_record(id: &str, created_at: i64) -> Arc<Record> {
    let mut record = Arc::unwrap_or_clone(record(id, created_at));
    let ask = &mut record.ask;
    ask.questions.push(Question {
        id: "when".into(),
        text: "Wann? 今すぐ? \u{202e}\u{0}\u{1f469}\u{200d}\u{1f680} \"'\\".to_owned(),
        url: Some("https://example.org/?a=1&b=2".to_owned()),
        secret: true,
        constraint: Some(Constraint::Text {
            min_length: Some(1),
            max_length: Some(10),
            format: Some(Format::DateTime),
        }),
        placeholder: Some("2026-11-30T12:00:00Z".to_owned()),
        default: vec!["now".to_owned()],
        ..Question::default()
    });
    ask.questions.push(Question {
        id: "share".into(),
        text: "How much?".to_owned(),
        constraint: Some(Constraint::Number { minimum: Some(0.1), maximum: Some(1e300) }),
        ..Question::default()
    });
    ask.origin = Origin {
        agent_id: Some("agent".to_owned()),
        session_key: Some("session".to_owned()),
        run_id: Some("run".to_owned()),
        label: Some("label".to_owned()),
    };
    ask.creator.token = Some("token".into());
    ask.answerers = vec!["owner".into(), "ops".into()];
    ask.places = vec!["ops-room".to_owned()];
    ask.needs_surface = true;
    ask.when_unanswered =
        WhenUnanswered::Default(BTreeMap::from([("target".into(), vec!["Staging".to_owned()])]));
    ask.terminal_proof = Some("proof".to_owned());
    Arc::new(record)
}

/// A Person's act in a chat.
#[must_use]
pub fn actor(person: &str) -> Actor {
    Actor {
        identity: Some(Identity { surface: "telegram".into(), user: "42".into() }),
        place: Some(Place {
            account: Account { surface: "telegram".into(), name: "main".into() },
            conversation: "-100123/7".into(),
        }),
        ..Actor::new(Some(person.into()), Way::Control)
    }
}

/// An act in a chat of somebody whom only roles let in.
#[must_use]
pub fn act_by_roles() -> Actor {
    Actor { granted: [Scope::QuestionsAnswer].into(), name: Some("Ünï".to_owned()), ..actor("telegram:42") }
}

/// An answer with everything that may be known about it.
#[must_use]
pub fn answered(label: &str, at: i64) -> Answered {
    Answered {
        answers: Answers(BTreeMap::from([("target".into(), vec![label.to_owned()])])),
        notes: BTreeMap::from([("target".into(), "but carefully".to_owned())]),
        words: Some(format!("{label}, but carefully")),
        by: actor("owner"),
        by_name: Some("The Owner".to_owned()),
        at: Time(at),
        resolution: format!("resolution-{at}").into(),
    }
}

/// The state of a Record that was answered then.
#[must_use]
pub fn ended(at: i64) -> State {
    State::Answered(Box::new(answered("Staging", at)))
}

/// The state of a Record that was withdrawn then.
#[must_use]
pub const fn withdrawn(at: i64) -> State {
    State::Cancelled(Cancelled { at: Time(at), why: WhyCancelled::Withdrawn, by: None, by_name: None })
}

/// A Person with these Telegram users.
#[must_use]
pub fn person(id: &str, users: &[&str]) -> Person {
    Person {
        id: id.into(),
        display_name: format!("The {id}"),
        scopes: [Scope::QuestionsAnswer, Scope::SessionsWrite].into(),
        identities: users
            .iter()
            .map(|user| Identity { surface: "telegram".into(), user: (*user).into() })
            .collect(),
    }
}

/// Somebody who waits with this code.
#[must_use]
pub fn pairing(code: &str, user: &str) -> Pairing {
    let account = Account { surface: "telegram".into(), name: "main".into() };
    Pairing {
        code: Code::typed(code),
        identity: Identity { surface: "telegram".into(), user: user.into() },
        place: Place { account, conversation: user.into() },
        display_name: "Ünï \u{202e}\u{0} \"'".to_owned(),
        since: Time(1),
        expires_at: Time(3_600_001),
        rejected: false,
    }
}

/// An invite and the hash of its code.
#[must_use]
pub fn invite(id: &str, byte: u8) -> InviteRow {
    let invite = Invite {
        id: id.into(),
        person: "ann".into(),
        scopes: Some([Scope::QuestionsAnswer].into()),
        created_at: Time(1),
        expires_at: Time(2),
    };
    InviteRow { invite, hash: TokenHash([byte; 32]) }
}
