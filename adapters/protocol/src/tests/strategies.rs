//! Random values for the properties. What must hold of them is [`super::properties`]'s.

use std::sync::Arc;

use proptest::collection::{btree_map, btree_set, vec};
use proptest::option::of;
use proptest::prelude::*;

use askrelay_core::answer::{Actor, Answered, Answers, Way};
use askrelay_core::ask::{
    Ask, Binding, Choice, Constraint, Creator, Format, Origin, Question, WhenUnanswered,
};
use askrelay_core::id::{Account, Identity, Place, QuestionId, RecordKey};
use askrelay_core::person::Scope;
use askrelay_core::record::{Cancelled, Record, State, WhyCancelled};
use askrelay_core::time::Time;

pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof![".{0,12}", "[a-z_]{1,8}", Just("\u{0}\"\\\u{202e}\n🦀".to_owned())]
}

pub(super) fn filled() -> impl Strategy<Value = String> {
    text().prop_map(|text| if text.is_empty() { "x".to_owned() } else { text })
}

fn time() -> impl Strategy<Value = Time> {
    (0..4_000_000_000_000_i64).prop_map(Time)
}

fn constraint() -> impl Strategy<Value = Constraint> {
    let format =
        prop_oneof![Just(Format::Email), Just(Format::Uri), Just(Format::Date), Just(Format::DateTime)];
    let number = || of(prop_oneof![Just(0.1), Just(-2.5e10), Just(3.0), Just(1e-7)]);
    prop_oneof![
        (of(0..9_usize), of(9..99_usize), of(format)).prop_map(|(min_length, max_length, format)| {
            Constraint::Text { min_length, max_length, format }
        }),
        (of(any::<i64>()), of(any::<i64>()))
            .prop_map(|(minimum, maximum)| Constraint::Integer { minimum, maximum }),
        (number(), number()).prop_map(|(minimum, maximum)| Constraint::Number { minimum, maximum }),
        vec(text(), 0..3).prop_map(|values| Constraint::OneOf { values }),
    ]
}

fn choice() -> impl Strategy<Value = Choice> {
    (text(), of(text()), any::<bool>()).prop_map(|(label, description, destructive)| Choice {
        label,
        description,
        destructive,
    })
}

pub(super) fn question() -> impl Strategy<Value = Question> {
    let texts = (filled(), text(), text(), of(text()), of(text()));
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let bounds = (of(0..5_usize), of(0..9_usize), of(constraint()), vec(text(), 0..2));
    (texts, vec(choice(), 0..4), flags, bounds).prop_map(|(texts, choices, flags, bounds)| {
        let (id, header, text, url, placeholder) = texts;
        let (multi_select, other, secret) = flags;
        let (min, max, constraint, default) = bounds;
        let id = id.into();
        Question {
            id,
            header,
            text,
            url,
            choices,
            multi_select,
            min,
            max,
            other,
            secret,
            constraint,
            placeholder,
            default,
        }
    })
}

fn scopes() -> impl Strategy<Value = std::collections::BTreeSet<Scope>> {
    btree_set(prop::sample::select(Scope::ALL.to_vec()), 0..3)
}

fn creator() -> impl Strategy<Value = Creator> {
    let binding = prop_oneof![Just(Binding::Run), Just(Binding::Attached), Just(Binding::None)];
    (of(filled()), of(filled()), binding, scopes()).prop_map(|(person, token, binding, scopes)| Creator {
        person: person.map(Into::into),
        token: token.map(Into::into),
        binding,
        scopes,
    })
}

pub(super) fn values() -> impl Strategy<Value = Answers> {
    btree_map(filled().prop_map(QuestionId::from), vec(text(), 0..3), 0..3).prop_map(Answers)
}

fn origin() -> impl Strategy<Value = Origin> {
    (of(text()), of(text()), of(text()), of(text()))
        .prop_map(|(agent_id, session_key, run_id, label)| Origin { agent_id, session_key, run_id, label })
}

pub(super) fn ask() -> impl Strategy<Value = Ask> {
    let when = prop_oneof![
        Just(WhenUnanswered::Fail),
        values().prop_map(|values| WhenUnanswered::Default(values.0)),
    ];
    let routing = (vec(filled(), 0..3), vec(filled(), 0..3), any::<bool>(), when);
    let wait = (1..3_000_000_000_u64).prop_map(askrelay_core::time::Span);
    (vec(question(), 0..3), wait, origin(), creator(), routing).prop_map(
        |(questions, wait, origin, creator, (answerers, places, needs_surface, when_unanswered))| Ask {
            questions,
            wait,
            origin,
            creator,
            answerers: answerers.into_iter().map(Into::into).collect(),
            places,
            needs_surface,
            when_unanswered,
            terminal_proof: None,
        },
    )
}

pub(super) fn actor() -> impl Strategy<Value = Actor> {
    let way = prop_oneof![
        Just(Way::Control),
        Just(Way::Text),
        Just(Way::AskingTerminal),
        Just(Way::Call),
        Just(Way::Elicitation)
    ];
    let identity = (filled(), filled())
        .prop_map(|(surface, user)| Identity { surface: surface.into(), user: user.into() });
    let place = (filled(), filled(), filled()).prop_map(|(surface, name, conversation)| Place {
        account: Account { surface: surface.into(), name: name.into() },
        conversation: conversation.into(),
    });
    (of(filled()), of(identity), of(place), way, scopes(), of(filled())).prop_map(
        |(person, identity, place, way, granted, name)| Actor {
            person: person.map(Into::into),
            identity,
            place,
            way,
            granted,
            name,
        },
    )
}

fn answered() -> impl Strategy<Value = Answered> {
    let notes = btree_map(filled().prop_map(QuestionId::from), text(), 0..2);
    (values(), notes, of(text()), actor(), of(text()), time(), filled()).prop_map(
        |(answers, notes, words, by, by_name, at, resolution)| Answered {
            answers,
            notes,
            words,
            by,
            by_name,
            at,
            resolution: resolution.into(),
        },
    )
}

pub(super) fn why() -> impl Strategy<Value = WhyCancelled> {
    prop_oneof![
        Just(WhyCancelled::Declined),
        Just(WhyCancelled::Withdrawn),
        Just(WhyCancelled::Unavailable),
        text().prop_map(|detail| WhyCancelled::NotDelivered { detail }),
    ]
}

fn state() -> impl Strategy<Value = State> {
    prop_oneof![
        Just(State::Pending),
        answered().prop_map(|answered| State::Answered(Box::new(answered))),
        (time(), why(), of(actor()), of(text()))
            .prop_map(|(at, why, by, by_name)| State::Cancelled(Cancelled { at, why, by, by_name })),
        time().prop_map(|at| State::Expired { at }),
    ]
}

pub(super) fn record() -> impl Strategy<Value = Arc<Record>> {
    (filled(), time(), ask(), state(), vec(answered(), 0..2), of(time())).prop_map(
        |(id, created_at, ask, state, late, collected)| {
            let key = RecordKey { gateway: "local".into(), id: id.into(), created_at };
            Arc::new(Record { expires_at: created_at.after(ask.wait), key, ask, state, late, collected })
        },
    )
}
