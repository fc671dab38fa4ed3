//! What holds of every value and every text: reading never panics, what was written reads back, and the two readings of a
//! request agree.

use proptest::prelude::*;
use serde_json::{Value, json};

use askrelay_core::id::GatewayId;
use askrelay_core::time::Time;

use super::strategies;
use crate::call::{
    Approval, AskParams, AuditParams, InviteCall, NewInvite, NotifyCall, PairingCall, PeopleCall, ResolveAct,
    ResolveParams,
};
use crate::decode::{Reading, readings_agree};
use crate::encode::encode_request;
use crate::frame::{Call, Caps, ClientFrame, Event, Method, ServerFrame};
use crate::reply::Ending;

fn read(text: &str, method: Method) -> Option<ServerFrame> {
    let gateway = GatewayId::from("local");
    ServerFrame::parse(text, &Reading { gateway: &gateway, now: Time(1), method_of: &|_| Some(method) }).ok()
}

/// Frames whose parts are right, wrong, or of the wrong kind.
fn near_frames() -> impl Strategy<Value = Value> {
    let method = prop::sample::select(Method::ALL.map(Method::name).to_vec());
    let word = prop::sample::select(vec!["req", "res", "event", ""]);
    (word, junk(), method, junk()).prop_map(|(kind, id, method, params)| {
        json!({ "type": kind, "id": id, "method": method, "event": method, "ok": true, "params": params, "payload": params })
    })
}

/// Any small JSON value, with the protocol's own words as names and texts so that it often comes close.
fn junk() -> impl Strategy<Value = Value> {
    let words = vec![
        "id",
        "questions",
        "questionId",
        "header",
        "question",
        "options",
        "label",
        "description",
        "answers",
        "status",
        "answered",
        "pending",
        "cancel",
        "timeoutMs",
        "actor",
        "way",
        "control",
        "constraint",
        "type",
        "text",
        "default",
        "client",
        "mode",
        "ui",
        "after",
        "limit",
        "whenUnanswered",
        "fail",
        "createdAtMs",
        "expiresAtMs",
        "person",
        "scopes",
        "operator.questions",
        "places",
        "min",
        "questions.answer",
    ];
    let word = prop::sample::select(words);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
        strategies::text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        let members = proptest::collection::vec((word.clone(), inner.clone()), 0..6);
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(Value::Array),
            members.prop_map(|members| members.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
        ]
    })
}

fn ask_params() -> impl Strategy<Value = AskParams> {
    (proptest::option::of(strategies::filled()), strategies::ask()).prop_map(|(id, ask)| AskParams {
        id: id.map(Into::into),
        questions: ask.questions,
        origin: ask.origin,
        wait: Some(ask.wait),
        answerers: ask.answerers,
        places: ask.places,
        needs_surface: ask.needs_surface,
        when_unanswered: ask.when_unanswered,
        terminal_proof: ask.terminal_proof,
    })
}

fn calls() -> impl Strategy<Value = Call> {
    let answer = strategies::values().prop_map(|answers| ResolveAct::Answer {
        answers,
        notes: Default::default(),
        words: Some("2".to_owned()),
    });
    let cancel = proptest::option::of(strategies::why()).prop_map(|why| ResolveAct::Cancel { why });
    let act = prop_oneof![answer, cancel];
    let resolve = (strategies::filled(), act, proptest::option::of(strategies::actor())).prop_map(
        |(id, act, actor)| ResolveParams {
            id: id.into(),
            created_at: Some(Time(5)),
            act,
            resolved_by: None,
            resolution: Some("res_1".into()),
            actor,
            terminal_secret: None,
        },
    );
    let administration = [
        Method::PeoplePut,
        Method::PeopleChange,
        Method::PairingsKnock,
        Method::PairingsApprove,
        Method::InvitesCreate,
        Method::AuditList,
        Method::NotifySend,
        Method::NotifySent,
    ];
    let methods: Vec<Method> = [Method::Connect, Method::List].into_iter().chain(administration).collect();
    let fixed = prop::sample::select(methods).prop_map(fixed);
    prop_oneof![
        4 => ask_params().prop_map(|params| Call::Request(Box::new(params))),
        2 => resolve.prop_map(|params| Call::Resolve(Box::new(params))),
        2 => fixed,
    ]
}

fn fixed(method: Method) -> Call {
    match method {
        Method::Connect => Call::Connect(Box::new(super::samples::connect())),
        Method::PeoplePut => Call::People(PeopleCall::Put(super::samples::person())),
        Method::PeopleChange => Call::People(PeopleCall::Change(super::samples::change())),
        Method::PairingsKnock => Call::Pairings(PairingCall::Knock(super::samples::knock())),
        Method::PairingsApprove => Call::Pairings(PairingCall::Approve(Approval {
            code: super::samples::pairing().code,
            person: "grace".into(),
            scopes: super::samples::invite().scopes,
        })),
        Method::InvitesCreate => Call::Invites(InviteCall::Create(NewInvite {
            person: "ada".into(),
            scopes: super::samples::invite().scopes,
            expires_at: Some(Time(5)),
        })),
        Method::NotifySend => Call::Notify(NotifyCall::Send(super::samples::notify_params())),
        Method::NotifySent => Call::Notify(NotifyCall::Sent { number: 7, places: 2 }),
        Method::AuditList => Call::Audit(AuditParams {
            ask: Some("a".into()),
            person: Some("ada".into()),
            after: Some(7),
            limit: Some(3),
        }),
        _ => Call::List(crate::call::ListParams { limit: Some(3), ..Default::default() }),
    }
}

/// Replaces, removes or adds one thing at the place that `path` leads to.
fn damage(value: &mut Value, path: &[prop::sample::Index], junk: &Value) {
    let Some((step, rest)) = path.split_first() else {
        *value = junk.clone();
        return;
    };
    match value {
        Value::Array(items) if !items.is_empty() => {
            let index = step.index(items.len());
            damage(&mut items[index], rest, junk);
        }
        Value::Object(members) if !members.is_empty() => {
            let name = members.keys().nth(step.index(members.len())).cloned().unwrap_or_default();
            match (rest.len(), junk) {
                (1, Value::Null) => drop(members.remove(&name)),
                (2, Value::Bool(_)) => drop(members.insert("extra".to_owned(), junk.clone())),
                _ => damage(&mut members[&name], rest, junk),
            }
        }
        _ => *value = junk.clone(),
    }
}

fn damaged_params(call: &Call, path: &[prop::sample::Index], junk: &Value) -> String {
    let frame: Value = serde_json::from_str(&encode_request("1", call, Caps::WIDE)).unwrap();
    let mut params = frame["params"].clone();
    damage(&mut params, path, junk);
    params.to_string()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_any_text_never_panics(text in ".{0,200}") {
        let _ = ClientFrame::parse(&text, Caps::WIDE);
        let _ = read(&text, Method::Get);
    }

    #[test]
    fn reading_any_near_frame_never_panics(frame in near_frames()) {
        let text = frame.to_string();
        let _ = ClientFrame::parse(&text, Caps::PLAIN);
        let _ = ClientFrame::parse(&text, Caps::WIDE);
        for method in Method::ALL {
            let _ = read(&text, method);
        }
    }

    #[test]
    fn a_record_reads_back_as_it_was(record in strategies::record()) {
        let frame = ServerFrame::Event { seq: Some(1), event: Event::QuestionResolved(Ending::Record(record.clone())) };
        let text = frame.encode(Caps::WIDE);
        let back = read(&text, Method::Get);
        if record.state.is_pending() {
            prop_assert!(back.is_none(), "a pending Record did not end");
        } else if let Some(ServerFrame::Event { event: Event::QuestionResolved(Ending::Record(back)), .. }) = back {
            prop_assert_eq!(back, record);
        } else {
            prop_assert!(false, "{} did not read back", text);
        }
    }

    #[test]
    fn a_plain_record_reads_back_in_its_plain_parts(record in strategies::record()) {
        let text = ServerFrame::Event { seq: Some(1), event: Event::QuestionRequested(record.clone()) }.encode(Caps::PLAIN);
        match read(&text, Method::Get) {
            Some(ServerFrame::Event { event: Event::QuestionRequested(back), .. }) => {
                prop_assert_eq!(&back.key, &record.key);
                prop_assert_eq!(back.state.name(), record.state.name());
                prop_assert_eq!(back.ask.questions.len(), record.ask.questions.len());
            }
            other => prop_assert!(false, "{} read as {:?}", text, other),
        }
    }

    #[test]
    fn a_request_reads_back_as_it_was(params in ask_params()) {
        let text = encode_request("1", &Call::Request(Box::new(params.clone())), Caps::WIDE);
        match ClientFrame::parse(&text, Caps::WIDE) {
            Ok(ClientFrame::Request { call: Call::Request(back), .. }) => prop_assert_eq!(*back, params),
            other => prop_assert!(false, "{} read as {:?}", text, other),
        }
    }

    #[test]
    fn the_two_readings_agree(
        call in calls(),
        path in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
        junk in junk(),
        wide in any::<bool>(),
    ) {
        let text = damaged_params(&call, &path, &junk);
        let method = call.method().unwrap_or(Method::Get);
        prop_assert!(readings_agree(method, &text, Caps { wide }), "{}", text);
    }
}
