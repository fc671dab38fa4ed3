//! What another gateway really sends (shapes observed, values our own): read openly, kept as what it says and no more.

use askrelay_core::answer::Way;
use askrelay_core::ask::Binding;
use askrelay_core::id::GatewayId;
use askrelay_core::record::State;
use askrelay_core::time::{Span, Time};

use crate::decode::{NotAFrame, Reading};
use crate::error::{Code, DetailCode, Reason};
use crate::frame::{Event, Method, ServerFrame};
use crate::reply::{Ending, PlainEnd, Reply, Waited};

const NOW: Time = Time(1_796_057_999_000);

fn read(text: &str, method: Option<Method>) -> Result<ServerFrame, NotAFrame> {
    let gateway = GatewayId::from("openclaw");
    ServerFrame::parse(text, &Reading { gateway: &gateway, now: NOW, method_of: &|_| method })
}

fn event(text: &str) -> Event {
    match read(text, None).unwrap() {
        ServerFrame::Event { event, .. } => event,
        ServerFrame::Response { .. } => panic!("{text} is no event"),
    }
}

fn reply(method: Method, payload: &str) -> Reply {
    let text = format!(r#"{{"type":"res","id":"1","ok":true,"payload":{payload}}}"#);
    match read(&text, Some(method)).unwrap() {
        ServerFrame::Response { result, .. } => result.unwrap(),
        ServerFrame::Event { .. } => panic!("{text} is no response"),
    }
}

#[test]
fn the_challenge_and_the_hello_with_members_we_do_not_know() {
    let text = r#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n-1","ts":1796057711239,"capabilities":["model-catalog-snapshot"],"later":{}}}"#;
    let Event::Challenge(challenge) = event(text) else { panic!("{text}") };
    assert_eq!((challenge.nonce.as_str(), challenge.ts), ("n-1", Time(1_796_057_711_239)));
    let hello = r#"{"type":"hello-ok","protocol":4,"server":{"version":"2026.9.6","bootId":"b-1","controlUiBuildSource":"x","connId":"c-1"},
        "features":{"methods":["question.list"],"events":["tick"],"capabilities":[]},"snapshot":{"presence":[1]},
        "auth":{"method":"token","role":"operator","scopes":["operator.questions"],"recoveryScope":"r","deviceToken":"d-1","issuedAtMs":5},
        "policy":{"maxPayload":26214400,"maxBufferedBytes":52428800,"tickIntervalMs":15000,"attachments":{}}}"#;
    let Reply::HelloOk(hello) = reply(Method::Connect, hello) else { panic!("no hello") };
    assert_eq!((hello.server.boot_id.as_str(), hello.policy.tick_interval_ms), ("b-1", 15_000));
    assert_eq!(hello.auth.device_token.map(|token| token.expose().to_owned()), Some("d-1".to_owned()));
}

#[test]
fn a_record_of_an_agent_run() {
    let text = r#"{"type":"event","event":"question.requested","seq":12,"recipientProfileId":"gateway-owner","payload":{
        "id":"ask_00112233445566778899aabbccddeeff","createdAtMs":1796057800000,"expiresAtMs":1796058700000,"status":"pending",
        "sessionKey":"agent:main:main","agentId":"main","runId":"r-1","visibility":"all","questions":[
        {"questionId":"target","header":"Target","question":"Where?","options":[{"label":"Staging","icon":"x"},{"label":"Production"}],"isOther":true},
        {"questionId":"key","header":"Key","question":"Key?","options":[],"isSecret":true,"secretStore":{"name":"K","kind":"env"},"secretStoreExisting":{"updatedAtMs":1}}]}}"#;
    let Event::QuestionRequested(record) = event(text) else { panic!("{text}") };
    assert_eq!(record.key.gateway.as_str(), "openclaw");
    assert_eq!(record.ask.wait, Span::seconds(900));
    assert_eq!((record.ask.creator.binding, &record.ask.creator.person), (Binding::Attached, &None));
    assert!(record.ask.questions[0].other && record.ask.questions[1].secret);
    assert_eq!(record.ask.questions[0].choices[1].label, "Production");
}

#[test]
fn ends_as_the_plain_shape_tells_them() {
    let answered = r#"{"id":"a","status":"answered","answers":{"answers":{"target":["Production"]}}}"#;
    for (name, payload, expected) in [
        ("answered", answered, "answered"),
        ("cancelled", r#"{"id":"a","status":"cancelled"}"#, "cancelled"),
        ("expired", r#"{"id":"a","status":"expired"}"#, "expired"),
    ] {
        let text = format!(r#"{{"type":"event","event":"question.resolved","payload":{payload},"seq":1}}"#);
        let Event::QuestionResolved(Ending::Plain { id, end }) = event(&text) else { panic!("{name}") };
        assert_eq!(id, Some("a".into()), "{name}");
        let end = match end {
            PlainEnd::Answered { answers, .. } => {
                assert_eq!(answers.of(&"target".into()), ["Production"]);
                "answered"
            }
            PlainEnd::Cancelled => "cancelled",
            PlainEnd::Expired => "expired",
        };
        assert_eq!(end, expected, "{name}");
    }
    assert!(matches!(reply(Method::WaitAnswer, r#"{"status":"pending"}"#), Reply::Waited(Waited::Pending)));
    let waited = r#"{"status":"answered","answers":{"answers":{"target":["A"]}},"resolutionId":"r-9"}"#;
    let Reply::Waited(Waited::Ended { ending: Ending::Plain { end, .. }, .. }) =
        reply(Method::WaitAnswer, waited)
    else {
        panic!("{waited}")
    };
    assert!(matches!(end, PlainEnd::Answered { resolution: Some(id), .. } if id.as_str() == "r-9"));
}

#[test]
fn an_answered_record_is_known_by_its_free_text_only() {
    let payload = r#"{"question":{"id":"a","questions":[],"createdAtMs":1,"expiresAtMs":2,"status":"answered",
        "answers":{"answers":{"target":["A"]}},"resolvedBy":"12345"}}"#;
    let Reply::Question(record) = reply(Method::Get, payload) else { panic!("{payload}") };
    let State::Answered(answered) = &record.state else { panic!("{payload}") };
    assert_eq!((answered.by_name.as_deref(), answered.by.way, answered.at), (Some("12345"), Way::Call, NOW));
}

#[test]
fn errors_by_code_details_and_reason() {
    let error = |error: &str| {
        let text = format!(r#"{{"type":"res","id":"1","ok":false,"error":{error}}}"#);
        match read(&text, Some(Method::Resolve)).unwrap() {
            ServerFrame::Response { result: Err(error), .. } => error,
            other => panic!("{other:?}"),
        }
    };
    let busy = error(r#"{"code":"UNAVAILABLE","message":"busy","retryable":true}"#);
    assert_eq!((busy.code, busy.retryable, busy.retry_after_ms), (Code::Unavailable, true, None));
    let draining = error(
        r#"{"code":"UNAVAILABLE","message":"m","retryable":true,"retryAfterMs":1000,"details":{"method":"question.list","reason":"gateway-restarting","phase":"drain"}}"#,
    );
    assert_eq!(
        (draining.details.reason, draining.retry_after_ms),
        (Some(Reason::GatewayRestarting), Some(1000))
    );
    let pairing = error(
        r#"{"code":"NOT_PAIRED","message":"m","details":{"code":"PAIRING_REQUIRED","reason":"not-paired","requestId":"p-1","recommendedNextStep":"wait_then_retry","requestedScopes":[]}}"#,
    );
    assert_eq!(pairing.code, Code::NotPaired);
    assert_eq!(pairing.details.code, Some(DetailCode::PairingRequired));
    assert_eq!((pairing.details.request_id.as_deref(), pairing.details.wait_then_retry), (Some("p-1"), true));
    let strange = error(r#"{"code":"TEAPOT","message":"m","details":"short and stout"}"#);
    assert_eq!(strange.code, Code::Other("TEAPOT".to_owned()));
}

#[test]
fn what_cannot_be_read_says_where() {
    for (name, text, expected) in [
        ("no JSON", "{", "not a frame: EOF while parsing an object at line 1 column 1"),
        ("no frame", r#"{"type":"req","id":"1"}"#, "not a frame: neither an event nor a response"),
        (
            "a stray response",
            r#"{"type":"res","id":"9","ok":true}"#,
            "a response to '9', which was not asked or is answered already",
        ),
        (
            "a record with a wrong part",
            r#"{"type":"event","event":"question.requested","payload":{"id":"a","questions":[{"questionId":"q","question":7}],"createdAtMs":1,"expiresAtMs":2,"status":"pending"}}"#,
            "question.requested cannot be read: /questions/0/question: must be a string",
        ),
        (
            "an end without one",
            r#"{"type":"event","event":"question.resolved","payload":{"id":"a","status":"pending"}}"#,
            "question.resolved cannot be read: a pending question did not end",
        ),
    ] {
        assert_eq!(read(text, None).unwrap_err().to_string(), expected, "{name}");
    }
    let unknown = r#"{"type":"event","event":"health","payload":[1],"seq":4}"#;
    assert_eq!(event(unknown), Event::Unknown { name: "health".to_owned() });
}
