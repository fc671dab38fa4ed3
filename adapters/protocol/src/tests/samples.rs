//! One of everything, with all its members, for the goldens. Random values are [`super::strategies`]'s.

use std::collections::BTreeMap;
use std::sync::Arc;

use askrelay_core::answer::{Actor, Answered, Answers, Way};
use askrelay_core::ask::{
    Ask, Binding, Choice, Constraint, Creator, Format, Origin, Question, WhenUnanswered,
};
use askrelay_core::audit::Entry;
use askrelay_core::id::{Account, Identity, Place, RecordKey};
use askrelay_core::invite::Invite;
use askrelay_core::pairing::{Code, Pairing};
use askrelay_core::person::{Change, Person, Scope};
use askrelay_core::port::{Knock, Notification};
use askrelay_core::record::{Cancelled, Record, State, WhyCancelled};
use askrelay_core::time::{Span, Time};

use crate::call::{AskParams, NotifyParams, ResolveAct, ResolveParams};
use crate::connect::{Auth, ClientInfo, Connect, Device, Granted, HelloOk, Policy, ServerInfo};

pub(super) const CREATED: Time = Time(1_796_057_711_239);

fn choice(label: &str, description: Option<&str>) -> Choice {
    Choice { description: description.map(str::to_owned), ..Choice::new(label) }
}

/// What OpenClaw's own shape can express.
pub(super) fn plain_questions() -> Vec<Question> {
    vec![
        Question {
            id: "target".into(),
            header: "Target".to_owned(),
            text: "Where should this release go?".to_owned(),
            url: Some("https://ci.example.org/run/7".to_owned()),
            choices: vec![choice("Staging (Recommended)", Some("safe first")), choice("Production", None)],
            other: true,
            ..Question::default()
        },
        Question {
            id: "checks".into(),
            text: "Which checks must pass?".to_owned(),
            choices: vec![choice("Lint", None), choice("Unit, integration", None)],
            multi_select: true,
            ..Question::default()
        },
    ]
}

/// What only the extension can express.
pub(super) fn wide_questions() -> Vec<Question> {
    let mut questions = plain_questions();
    questions[0].choices[1].destructive = true;
    questions.push(Question {
        id: "notify".into(),
        header: "Whom to notify afterwards".to_owned(),
        text: "Who should hear of it?".to_owned(),
        constraint: Some(Constraint::Text {
            min_length: Some(3),
            max_length: None,
            format: Some(Format::Email),
        }),
        placeholder: Some("name@example.org".to_owned()),
        default: vec!["team@example.org".to_owned()],
        ..Question::default()
    });
    questions.push(Question {
        id: "regions".into(),
        header: "Regions".to_owned(),
        text: "Where first?".to_owned(),
        choices: ["eu", "us", "ap"].map(|label| choice(label, None)).to_vec(),
        multi_select: true,
        min: Some(1),
        max: Some(2),
        ..Question::default()
    });
    questions
}

pub(super) fn ask(questions: Vec<Question>) -> Ask {
    Ask {
        questions,
        wait: Span::seconds(900),
        origin: Origin {
            agent_id: Some("main".to_owned()),
            session_key: Some("agent:main:main".to_owned()),
            run_id: Some("run-7".to_owned()),
            label: None,
        },
        creator: Creator {
            person: Some("ada".into()),
            token: Some("tok_1".into()),
            binding: Binding::Run,
            scopes: [Scope::QuestionsAnswer, Scope::SessionsWrite].into(),
        },
        answerers: Vec::new(),
        places: Vec::new(),
        needs_surface: false,
        when_unanswered: WhenUnanswered::Fail,
        terminal_proof: None,
    }
}

pub(super) fn wide_ask() -> Ask {
    let mut ask = ask(wide_questions());
    ask.origin.label = Some("release".to_owned());
    ask.answerers = vec!["ada".into(), "grace".into()];
    ask.places = vec!["ops".to_owned()];
    ask.needs_surface = true;
    let values = [("target", "Production"), ("checks", "Lint"), ("notify", "a@b.org"), ("regions", "eu")];
    let defaults = values.map(|(id, value)| (id.into(), vec![value.to_owned()]));
    ask.when_unanswered = WhenUnanswered::Default(BTreeMap::from(defaults));
    ask
}

pub(super) fn record(ask: Ask, state: State) -> Arc<Record> {
    let key = RecordKey { gateway: "local".into(), id: "ask_7f3a".into(), created_at: CREATED };
    Arc::new(Record {
        expires_at: CREATED.after(ask.wait),
        key,
        ask,
        state,
        late: Vec::new(),
        collected: None,
    })
}

pub(super) fn actor() -> Actor {
    let account = Account { surface: "telegram".into(), name: "main".into() };
    Actor {
        identity: Some(Identity { surface: "telegram".into(), user: "4711".into() }),
        place: Some(Place { account, conversation: "-100:7".into() }),
        ..Actor::new(Some("grace".into()), Way::Control)
    }
}

/// Somebody for whom no Person is stored.
pub(super) fn let_in_by_roles() -> Actor {
    let actor = actor();
    Actor {
        person: actor.identity.as_ref().map(Identity::person),
        granted: [Scope::QuestionsAnswer, Scope::SessionsWrite].into(),
        name: Some("Grace H.".to_owned()),
        ..actor
    }
}

pub(super) fn answers() -> Answers {
    let target = ("target".into(), vec!["Production".to_owned()]);
    let checks = ("checks".into(), vec!["Lint".to_owned(), "Unit, integration".to_owned()]);
    Answers(BTreeMap::from([target, checks]))
}

pub(super) fn answered() -> Answered {
    Answered {
        answers: answers(),
        notes: BTreeMap::from([("target".into(), "after lunch".to_owned())]),
        words: Some("2, after lunch".to_owned()),
        by: actor(),
        by_name: Some("Grace".to_owned()),
        at: Time(CREATED.0 + 4_000),
        resolution: "res_1".into(),
    }
}

pub(super) fn answered_state() -> State {
    State::Answered(Box::new(answered()))
}

pub(super) fn cancelled(why: WhyCancelled) -> State {
    State::Cancelled(Cancelled { at: Time(CREATED.0 + 4_000), why, by: Some(actor()), by_name: None })
}

pub(super) fn person() -> Person {
    Person {
        id: "grace".into(),
        display_name: "Grace".to_owned(),
        scopes: [Scope::QuestionsAnswer, Scope::QuestionsAdmin].into(),
        identities: [Identity { surface: "telegram".into(), user: "4711".into() }].into(),
    }
}

pub(super) fn connect() -> Connect {
    Connect {
        min_protocol: 4,
        max_protocol: 4,
        client: ClientInfo {
            id: "gateway-client".to_owned(),
            mode: "ui".to_owned(),
            version: "0.1.0".to_owned(),
            platform: " Linux ".to_owned(),
            display_name: Some("askrelay".to_owned()),
            device_family: None,
            instance_id: Some("one".to_owned()),
        },
        role: Some("operator".to_owned()),
        scopes: vec!["operator.questions".to_owned(), "operator.admin".to_owned()],
        caps: vec!["askrelay/1".to_owned()],
        auth: Auth { token: Some("t0k".into()), password: Some("p4ss".into()), ..Auth::default() },
        device: Some(Device {
            id: "ab".repeat(32),
            public_key: "key".to_owned(),
            signature: "signature".to_owned(),
            signed_at: CREATED,
            nonce: "nonce".to_owned(),
        }),
    }
}

pub(super) fn hello() -> HelloOk {
    HelloOk {
        protocol: 4,
        server: ServerInfo {
            version: "0.1.0".to_owned(),
            boot_id: "boot".to_owned(),
            conn_id: "conn".to_owned(),
        },
        methods: vec!["question.request".to_owned()],
        events: vec!["tick".to_owned()],
        capabilities: vec!["askrelay/1".to_owned()],
        auth: Granted {
            method: "token".to_owned(),
            role: "operator".to_owned(),
            scopes: vec!["operator.questions".to_owned()],
            device_token: Some("d3v".into()),
        },
        policy: Policy::default(),
    }
}

pub(super) fn ask_params() -> AskParams {
    let ask = wide_ask();
    AskParams {
        id: Some("ask_7f3a".into()),
        questions: ask.questions,
        origin: ask.origin,
        wait: Some(ask.wait),
        answerers: ask.answerers,
        places: ask.places,
        needs_surface: ask.needs_surface,
        when_unanswered: ask.when_unanswered,
        terminal_proof: Some("0f".repeat(32)),
    }
}

pub(super) fn resolve(act: ResolveAct) -> ResolveParams {
    ResolveParams {
        id: "ask_7f3a".into(),
        created_at: Some(CREATED),
        act,
        resolved_by: Some("grace".to_owned()),
        resolution: Some("res_1".into()),
        actor: Some(actor()),
        terminal_secret: Some("s3cret".into()),
    }
}

pub(super) fn answer_act() -> ResolveAct {
    let answered = answered();
    ResolveAct::Answer { answers: answered.answers, notes: answered.notes, words: answered.words }
}

pub(super) fn place() -> Place {
    let account = Account { surface: "telegram".into(), name: "main".into() };
    Place { account, conversation: "700100".into() }
}

pub(super) fn identity() -> Identity {
    Identity { surface: "telegram".into(), user: "700100".into() }
}

pub(super) fn change() -> Change {
    Change {
        display_name: Some("Ada L.".to_owned()),
        grant: [Scope::QuestionsAnswer].into(),
        revoke: [Scope::QuestionsAdmin].into(),
        link: [identity()].into(),
        unlink: [Identity { user: "1".into(), ..identity() }].into(),
        ..Change::of("ada".into())
    }
}

pub(super) fn knock() -> Knock {
    let invite = Some("3f2a-c0de".to_owned());
    Knock { place: place(), identity: identity(), display_name: "Grace".to_owned(), invite }
}

pub(super) fn pairing() -> Pairing {
    Pairing {
        code: Code::typed("7K2M9QXZ"),
        identity: identity(),
        place: place(),
        display_name: "Grace".to_owned(),
        since: CREATED,
        expires_at: CREATED.after(askrelay_core::pairing::GOOD_FOR),
        rejected: false,
    }
}

pub(super) fn invite() -> Invite {
    Invite {
        id: "3f2a".into(),
        person: "ada".into(),
        scopes: Some([Scope::QuestionsAnswer].into()),
        created_at: CREATED,
        expires_at: CREATED.after(askrelay_core::invite::GOOD_FOR),
    }
}

pub(super) fn entry() -> Entry {
    Entry {
        actor: Some(actor()),
        token: Some("tok_1".into()),
        record: Some(RecordKey { gateway: "local".into(), id: "ask_7f3a".into(), created_at: CREATED }),
        place: Some(place()),
        answers: Some(answers()),
        words: Some("the second one".to_owned()),
        detail: Some("no_right".to_owned()),
        ..Entry::new(CREATED, "ask.answered")
    }
}

pub(crate) fn notify_params() -> NotifyParams {
    let origin = Origin { label: Some("release".to_owned()), ..Origin::default() };
    NotifyParams { message: "The release is out.".to_owned(), origin, places: vec!["ops".to_owned()] }
}

pub(crate) fn notification() -> Notification {
    let NotifyParams { message, origin, places } = notify_params();
    Notification { number: 7, message, origin, creator: Some("ada".into()), places }
}
