//! Goldens of every frame in both shapes, and what becomes of them when they are read back.

use std::fmt::Write;
use std::sync::Arc;

use askrelay_core::answer::Answered;
use askrelay_core::audit::Entry;
use askrelay_core::id::GatewayId;
use askrelay_core::permit::{Refused, WireScope};
use askrelay_core::person::{People, Scope};
use askrelay_core::port::Welcome;
use askrelay_core::record::{Record, State, WhyCancelled};
use askrelay_core::time::{Span, Time};

use super::samples;
use crate::call::{
    Approval, AuditParams, Cursor, InviteCall, ListParams, NewInvite, NewToken, NotifyCall, PairingCall,
    PeopleCall, ResolveAct, ResolveParams, TokenCall, WaitParams,
};
use crate::check::plain_can_express;
use crate::decode::Reading;
use crate::device::{LineVersion, line};
use crate::encode::encode_request;
use crate::error::{Reason, WireError};
use crate::frame::{CAP, Call, Caps, Challenge, ClientFrame, Event, Method, ServerFrame};
use crate::reply::{Ending, PlainEnd, Reply, TokenInfo, Waited};

fn response(result: Result<Reply, WireError>) -> ServerFrame {
    ServerFrame::Response { id: "7".to_owned(), result }
}

fn event(event: Event) -> ServerFrame {
    ServerFrame::Event { seq: Some(3), event }
}

fn pending() -> Arc<Record> {
    samples::record(samples::ask(samples::plain_questions()), State::Pending)
}

fn wide_pending() -> Arc<Record> {
    samples::record(samples::wide_ask(), State::Pending)
}

fn answered() -> Arc<Record> {
    samples::record(samples::ask(samples::plain_questions()), samples::answered_state())
}

fn cancelled(why: WhyCancelled) -> Arc<Record> {
    samples::record(samples::ask(samples::plain_questions()), samples::cancelled(why))
}

fn expired_with_late() -> Arc<Record> {
    let mut record = (*pending()).clone();
    record.state = State::Expired { at: record.expires_at };
    let by_roles = Answered {
        by: samples::let_in_by_roles(),
        by_name: Some("Grace H.".to_owned()),
        ..samples::answered()
    };
    record.late = vec![samples::answered(), by_roles];
    record.collected = Some(samples::CREATED);
    Arc::new(record)
}

fn events() -> Vec<(&'static str, ServerFrame)> {
    let challenge = Challenge {
        nonce: "5b104da2".to_owned(),
        ts: samples::CREATED,
        capabilities: vec!["model-catalog-snapshot".to_owned(), CAP.to_owned()],
    };
    let people: People = [samples::person()].into_iter().collect();
    let detail = "telegram: blocked by the user".to_owned();
    let welcome = Welcome::In { person: "ada".into(), display_name: "Ada".to_owned() };
    let knocked = Event::Knocked { place: samples::place(), identity: samples::identity(), welcome };
    let plain = Ending::Plain { id: Some("ask_9".into()), end: PlainEnd::Expired };
    vec![
        ("challenge", ServerFrame::Event { seq: None, event: Event::Challenge(challenge) }),
        ("requested", event(Event::QuestionRequested(pending()))),
        ("requested, wide ask", event(Event::QuestionRequested(wide_pending()))),
        ("answered", event(Event::QuestionResolved(Ending::Record(answered())))),
        ("declined", event(Event::QuestionResolved(Ending::Record(cancelled(WhyCancelled::Declined))))),
        (
            "not delivered",
            event(Event::QuestionResolved(Ending::Record(cancelled(WhyCancelled::NotDelivered { detail })))),
        ),
        ("expired, answered late", event(Event::QuestionResolved(Ending::Record(expired_with_late())))),
        ("expired elsewhere", event(Event::QuestionResolved(plain))),
        ("people", event(Event::People(Arc::new(people)))),
        ("let in", event(knocked)),
        ("notify", event(Event::Notify(samples::notification()))),
        ("tick", event(Event::Tick { ts: samples::CREATED })),
        (
            "shutdown",
            event(Event::Shutdown { reason: "gateway stopping".to_owned(), restart_expected_ms: Some(1500) }),
        ),
    ]
}

fn responses() -> Vec<(&'static str, Method, ServerFrame)> {
    let ended = |include_resolution| Waited::Ended { ending: Ending::Record(answered()), include_resolution };
    let page = Reply::Questions {
        records: vec![pending(), wide_pending()],
        next: Some(Cursor { created_at: samples::CREATED, id: "ask_7f3a".into() }),
    };
    let token = TokenInfo {
        id: "tok_1".into(),
        person: Some("ada".into()),
        scopes: [WireScope::Questions].into(),
        label: Some("laptop".to_owned()),
        created_at: samples::CREATED,
        expires_at: None,
    };
    let people: People = [samples::person()].into_iter().collect();
    let requested = |was_there| Reply::Requested {
        id: "ask_7f3a".into(),
        expires_at: Time(1_796_058_611_239),
        was_there,
    };
    vec![
        ("hello", Method::Connect, response(Ok(Reply::HelloOk(Box::new(samples::hello()))))),
        ("requested", Method::Request, response(Ok(requested(false)))),
        ("requested again", Method::Request, response(Ok(requested(true)))),
        ("still pending", Method::WaitAnswer, response(Ok(Reply::Waited(Waited::Pending)))),
        ("waited", Method::WaitAnswer, response(Ok(Reply::Waited(ended(false))))),
        ("waited, resolution wanted", Method::WaitAnswer, response(Ok(Reply::Waited(ended(true))))),
        ("resolved", Method::Resolve, response(Ok(Reply::Resolved(Ending::Record(answered()))))),
        (
            "cancelled",
            Method::Resolve,
            response(Ok(Reply::Resolved(Ending::Record(cancelled(WhyCancelled::Withdrawn))))),
        ),
        ("got", Method::Get, response(Ok(Reply::Question(answered())))),
        (
            "got a cancelled one",
            Method::Get,
            response(Ok(Reply::Question(cancelled(WhyCancelled::Unavailable)))),
        ),
        ("listed", Method::List, response(Ok(page))),
        ("people", Method::PeopleList, response(Ok(Reply::People(Arc::new(people))))),
        (
            "token made",
            Method::TokensCreate,
            response(Ok(Reply::TokenCreated { id: "tok_1".into(), token: "t0k".into() })),
        ),
        ("tokens", Method::TokensList, response(Ok(Reply::Tokens(vec![token])))),
        ("done", Method::PeoplePut, response(Ok(Reply::Done))),
        ("notified", Method::NotifySend, response(Ok(Reply::Notified { places: 2 }))),
    ]
    .into_iter()
    .chain(doors())
    .collect()
}

/// What is said about who is let in, and the trail.
fn doors() -> Vec<(&'static str, Method, ServerFrame)> {
    let code = Welcome::Code { code: "7K2M9QXZ".to_owned(), good_for: Span(3_600_000) };
    let entries = vec![(8, samples::entry()), (7, Entry::new(samples::CREATED, "ask.expired"))];
    let replies = [
        ("added", Method::PeopleAdd, Reply::Person(Box::new(samples::person()))),
        ("a code", Method::PairingsKnock, Reply::Knocked(code)),
        ("an invite refused", Method::PairingsKnock, Reply::Knocked(Welcome::InviteRefused)),
        ("the door closed", Method::PairingsKnock, Reply::Knocked(Welcome::Closed)),
        ("who waits", Method::PairingsList, Reply::Pairings(vec![samples::pairing()])),
        (
            "invite made",
            Method::InvitesCreate,
            Reply::InviteCreated { invite: samples::invite(), code: "3f2a-c0de".into() },
        ),
        ("invites", Method::InvitesList, Reply::Invites(vec![samples::invite()])),
        ("the trail", Method::AuditList, Reply::Trail { entries, next: Some(7) }),
    ];
    replies.into_iter().map(|(name, method, reply)| (name, method, response(Ok(reply)))).collect()
}

fn errors() -> Vec<(&'static str, Method, ServerFrame)> {
    let fault =
        askrelay_core::ask::Fault { path: "/questions".to_owned(), what: "must be an array".to_owned() };
    vec![
        ("bad params", WireError::invalid_params("question.request", vec![fault])),
        ("not found", WireError::not_found("ask_1")),
        ("already answered", WireError::already_terminal(answered())),
        ("no answer", WireError::question(Reason::InvalidAnswer, "question 'target' requires an answer")),
        ("not permitted", WireError::not_permitted(Refused::NotAnAnswerer)),
        ("missing scope", WireError::missing_scope("operator.questions")),
        ("busy", WireError::unavailable("server is busy", None)),
        ("restarting", WireError::restarting("question.list")),
    ]
    .into_iter()
    .map(|(name, error)| (name, Method::Resolve, response(Err(error))))
    .collect()
}

fn calls() -> Vec<(&'static str, Call)> {
    let wait = WaitParams { id: "ask_7f3a".into(), wait: Some(Span(20_000)), include_resolution: true };
    let list = ListParams {
        after: Cursor::parse("1796057711239:ask_7f3a"),
        limit: Some(100),
        ended_since: Some(samples::CREATED),
        id_prefix: Some("mcp-7f3a-".to_owned()),
    };
    let cancel = |why| Call::Resolve(Box::new(samples::resolve(ResolveAct::Cancel { why })));
    let by_roles =
        ResolveParams { actor: Some(samples::let_in_by_roles()), ..samples::resolve(samples::answer_act()) };
    let detail = "telegram: kicked".to_owned();
    let token = NewToken {
        person: Some("ada".into()),
        scopes: [WireScope::Questions, WireScope::SessionsWrite].into(),
        label: Some("laptop".to_owned()),
        expires_at: Some(samples::CREATED),
    };
    let answers = Some([Scope::QuestionsAnswer].into());
    let approval =
        Approval { code: samples::pairing().code, person: "grace".into(), scopes: answers.clone() };
    let invite = NewInvite { person: "ada".into(), scopes: answers, expires_at: Some(samples::CREATED) };
    let trail = AuditParams {
        ask: Some("ask_7f3a".into()),
        person: Some("ada".into()),
        after: Some(7),
        limit: Some(100),
    };
    vec![
        ("connect", Call::Connect(Box::new(samples::connect()))),
        ("request", Call::Request(Box::new(samples::ask_params()))),
        ("wait", Call::WaitAnswer(wait)),
        ("answer", Call::Resolve(Box::new(samples::resolve(samples::answer_act())))),
        ("withdraw", cancel(None)),
        ("decline", cancel(Some(WhyCancelled::Declined))),
        ("answer by roles", Call::Resolve(Box::new(by_roles))),
        ("not delivered", cancel(Some(WhyCancelled::NotDelivered { detail }))),
        ("get", Call::Get { id: "ask_7f3a".into() }),
        ("list", Call::List(list)),
        ("collect", Call::Collect { id: "ask_7f3a".into() }),
        ("people", Call::People(PeopleCall::List)),
        ("put a person", Call::People(PeopleCall::Put(samples::person()))),
        ("remove a person", Call::People(PeopleCall::Remove("grace".into()))),
        ("make a token", Call::Tokens(TokenCall::Create(token))),
        ("tokens", Call::Tokens(TokenCall::List)),
        ("revoke a token", Call::Tokens(TokenCall::Revoke("tok_1".into()))),
        ("add a person", Call::People(PeopleCall::Add(samples::person()))),
        ("change a person", Call::People(PeopleCall::Change(samples::change()))),
        ("knock", Call::Pairings(PairingCall::Knock(samples::knock()))),
        ("who waits", Call::Pairings(PairingCall::List)),
        ("let somebody in", Call::Pairings(PairingCall::Approve(approval))),
        ("turn somebody away", Call::Pairings(PairingCall::Reject(samples::pairing().code))),
        ("make an invite", Call::Invites(InviteCall::Create(invite))),
        ("invites", Call::Invites(InviteCall::List)),
        ("revoke an invite", Call::Invites(InviteCall::Revoke("3f2a".into()))),
        ("the trail", Call::Audit(trail)),
        ("notify", Call::Notify(NotifyCall::Send(samples::notify_params()))),
        ("notified", Call::Notify(NotifyCall::Sent { number: 7, places: 2 })),
        ("unknown", Call::Unknown { method: "chat.send".to_owned() }),
    ]
}

fn golden(rows: impl IntoIterator<Item = (&'static str, [String; 2])>) -> String {
    let mut text = String::new();
    for (name, [plain, wide]) in rows {
        writeln!(text, "# {name}\nplain {plain}\nwide  {wide}\n").unwrap();
    }
    text
}

#[test]
fn what_a_gateway_sends() {
    let both = |frame: &ServerFrame| [frame.encode(Caps::PLAIN), frame.encode(Caps::WIDE)];
    insta::assert_snapshot!("events", golden(events().iter().map(|(name, frame)| (*name, both(frame)))));
    insta::assert_snapshot!(
        "responses",
        golden(responses().iter().map(|(name, _, frame)| (*name, both(frame))))
    );
    insta::assert_snapshot!("errors", golden(errors().iter().map(|(name, _, frame)| (*name, both(frame)))));
}

#[test]
fn what_a_client_sends() {
    let both = |call: &Call| [encode_request("7", call, Caps::PLAIN), encode_request("7", call, Caps::WIDE)];
    insta::assert_snapshot!("requests", golden(calls().iter().map(|(name, call)| (*name, both(call)))));
}

fn parse(text: &str, method: Method) -> ServerFrame {
    let gateway = GatewayId::from("local");
    let reading = Reading { gateway: &gateway, now: Time(1), method_of: &|_| Some(method) };
    ServerFrame::parse(text, &reading).unwrap()
}

#[test]
fn every_wide_frame_reads_back_as_it_was() {
    let frames = events().into_iter().map(|(name, frame)| (name, Method::Get, frame));
    for (name, method, frame) in frames.chain(responses()).chain(errors()) {
        let text = frame.encode(Caps::WIDE);
        assert_eq!(parse(&text, method).encode(Caps::WIDE), text, "{name}");
    }
    for (name, call) in calls() {
        let text = encode_request("7", &call, Caps::WIDE);
        match ClientFrame::parse(&text, Caps::WIDE).unwrap() {
            ClientFrame::Request { id, call: read } => {
                assert_eq!(encode_request(&id, &read, Caps::WIDE), text, "{name}");
            }
            ClientFrame::Invalid { error, .. } => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn what_a_client_sends_to_a_plain_gateway_is_plain() {
    for (name, call) in calls() {
        let text = encode_request("7", &call, Caps::PLAIN);
        let extension = call.method().is_none_or(Method::is_extension);
        match ClientFrame::parse(&text, Caps::PLAIN).unwrap() {
            ClientFrame::Request { call: Call::Unknown { .. }, .. } => assert!(extension, "{name}"),
            ClientFrame::Request { call: read, .. } => assert_eq!(read.method(), call.method(), "{name}"),
            ClientFrame::Invalid { error, .. } => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn a_wide_record_comes_back_whole() {
    for record in
        [pending(), wide_pending(), answered(), cancelled(WhyCancelled::Declined), expired_with_late()]
    {
        let text = event(Event::QuestionRequested(record.clone())).encode(Caps::WIDE);
        match parse(&text, Method::Get) {
            ServerFrame::Event { event: Event::QuestionRequested(read), seq: Some(3) } => {
                assert_eq!(read, record);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn only_what_the_plain_shape_expresses_goes_to_plain_peers() {
    let check = |name: &str, change: fn(&mut Record), expected: bool| {
        let mut record = (*pending()).clone();
        change(&mut record);
        assert_eq!(plain_can_express(&record.ask), expected, "{name}");
    };
    check("as it is", |_| {}, true);
    check("hints may be left out", |r| r.ask.questions[0].placeholder = Some("hint".to_owned()), true);
    check("of a choice too", |r| r.ask.questions[0].choices[1].destructive = true, true);
    check("answerers bind whoever answers", |r| r.ask.answerers.push("ada".into()), true);
    check("bounds", |r| r.ask.questions[1].min = Some(2), false);
    check(
        "a constraint",
        |r| r.ask.questions[0].constraint = samples::wide_questions()[2].constraint.clone(),
        false,
    );
    check("a long header", |r| r.ask.questions[0].header = "x".repeat(13), false);
    check("one option", |r| r.ask.questions[0].choices.truncate(1), false);
    check("labels differing in case", |r| r.ask.questions[1].choices[1].label = "lint".to_owned(), false);
    check("too many questions", |r| r.ask.questions = vec![r.ask.questions[0].clone(); 4], false);
}

#[test]
fn the_device_line_is_the_observed_one() {
    let mut connect = samples::connect();
    let at = samples::CREATED;
    let v3 = line(LineVersion::V3, &connect, "a132", at, "5b10");
    assert_eq!(
        v3,
        "v3|a132|gateway-client|ui|operator|operator.questions,operator.admin|1796057711239|t0k|5b10|linux|"
    );
    let v2 = line(LineVersion::V2, &connect, "a132", at, "5b10");
    assert_eq!(
        v2,
        "v2|a132|gateway-client|ui|operator|operator.questions,operator.admin|1796057711239|t0k|5b10"
    );
    connect.auth = crate::connect::Auth { device_token: Some("d3v".into()), ..Default::default() };
    connect.client.device_family = Some(" Phone".to_owned());
    connect.scopes.clear();
    let v3 = line(LineVersion::V3, &connect, "a132", at, "");
    assert_eq!(v3, "v3|a132|gateway-client|ui|operator||1796057711239|d3v||linux|phone");
}

#[test]
fn secrets_do_not_show_in_debug_output() {
    let shown = format!(
        "{:?} {:?} {:?}",
        samples::connect(),
        samples::hello(),
        samples::resolve(samples::answer_act())
    );
    for secret in ["t0k", "p4ss", "d3v", "s3cret"] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
}
