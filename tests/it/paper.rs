//! A surface that exists on paper only: its one Place, what it can show, and Records for it. Tests play it themselves.

use std::sync::Arc;

use askrelay_core::ask::{Ask, Binding, Choice, Creator, Origin, Question, WhenUnanswered};
use askrelay_core::id::{Account, Place, RecordKey};
use askrelay_core::limits::{Limits, Unit};
use askrelay_core::record::{Record, State};
use askrelay_core::relay::Config;
use askrelay_core::route::Routes;
use askrelay_core::time::{Span, Time};

pub(crate) fn place() -> Place {
    let account = Account { surface: "paper".into(), name: "main".into() };
    Place { account, conversation: "desk".into() }
}

pub(crate) fn config() -> Config {
    let limits = Limits {
        unit: Unit::CodePoints,
        message: 4000,
        messages: 3,
        line: None,
        controls: None,
        edits: true,
        private_notes: false,
        command_prefix: '/',
        shared: true,
        hears_all: true,
    };
    Config {
        accounts: [(place().account, limits)].into(),
        routes: Routes { always: vec![place()], ..Routes::default() },
        ..Config::default()
    }
}

pub(crate) fn record(id: &str) -> Arc<Record> {
    let choices = ["A", "B"].map(Choice::new);
    let question = Question {
        id: "q".into(),
        text: "Which?".to_owned(),
        choices: choices.into(),
        ..Question::default()
    };
    let creator = Creator { person: None, token: None, binding: Binding::None, scopes: [].into() };
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
    let created_at = askrelay::clock::now();
    let key = RecordKey { gateway: "local".into(), id: id.into(), created_at };
    let expires_at = Time(created_at.0 + 900_000);
    Arc::new(Record { key, ask, expires_at, state: State::Pending, late: Vec::new(), collected: None })
}
