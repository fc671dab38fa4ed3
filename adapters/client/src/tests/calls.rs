//! Calls to a gateway with the cap: matching, repeating, surviving.

use std::sync::Arc;

use askrelay_core::id::RecordId;
use askrelay_core::record::State;
use askrelay_core::time::Time;
use askrelay_protocol::call::{AskParams, Cursor, ResolveAct, ResolveParams};
use askrelay_protocol::error::{Reason, WireError};
use askrelay_protocol::frame::Call;
use askrelay_protocol::reply::{Ending, Reply, Waited};

use super::peer::{Peer, actor, answered, answers, question, record, soon};
use crate::CallError;

pub(super) fn ask_params() -> AskParams {
    AskParams { questions: vec![question()], ..AskParams::default() }
}

pub(super) fn resolve_params(id: &str, resolution: &str) -> ResolveParams {
    ResolveParams {
        id: id.into(),
        created_at: Some(record(id, 0).key.created_at),
        act: ResolveAct::Answer { answers: answers(), notes: Default::default(), words: None },
        resolved_by: Some("ada".to_owned()),
        resolution: Some(resolution.into()),
        actor: Some(actor()),
        terminal_secret: None,
    }
}

pub(super) fn ended(ending: Ending) -> Reply {
    Reply::Waited(Waited::Ended { ending, include_resolution: true })
}

#[tokio::test]
async fn responses_find_their_requests_in_any_order() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let mut connection = peer.accept().await;
    let calls = ["a", "b", "c"].map(|id| {
        let client = subject.client.clone();
        tokio::spawn(async move { client.get(id.into()).await.unwrap().map(|record| record.key.id.clone()) })
    });
    let mut asked = Vec::new();
    for _ in 0..3 {
        match connection.call().await {
            (id, Call::Get { id: wanted }) => asked.push((id, wanted)),
            (_, other) => panic!("{other:?}"),
        }
    }
    connection.text("garbage").await;
    connection.text(r#"{"type":"res","id":"99","ok":true,"payload":{}}"#).await;
    for (id, wanted) in asked.into_iter().rev() {
        let reply = || Reply::Question(Arc::new(record(wanted.as_str(), 0)));
        connection.reply(id.clone(), reply()).await;
        connection.reply(id, reply()).await;
    }
    for (call, id) in calls.into_iter().zip(["a", "b", "c"]) {
        assert_eq!(soon(call).await.unwrap(), Some(RecordId::from(id)));
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_fails_its_call_only() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let mut connection = peer.accept().await;
    let get = |id: &'static str| {
        let client = subject.client.clone();
        tokio::spawn(async move { client.get(id.into()).await })
    };
    let first = get("a");
    let (id, _) = connection.call().await;
    connection.text(&format!(r#"{{"type":"res","id":"{id}","ok":true,"payload":{{"question":7}}}}"#)).await;
    assert!(matches!(soon(first).await.unwrap(), Err(CallError::Unreadable(_))));
    let second = get("a");
    let (id, _) = connection.call().await;
    let text = format!(
        r#"{{"type":"res","id":"{id}","ok":false,"error":{{"code":"INVALID_REQUEST","message":"m","details":{{"reason":"QUESTION_NOT_FOUND"}}}}}}"#
    );
    connection.binary(&text).await;
    assert!(soon(second).await.unwrap().unwrap().is_none());
}

#[tokio::test]
async fn a_request_whose_answer_got_lost_is_repeated_under_its_id() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.request(ask_params()).await });
    let mut connection = peer.accept().await;
    let (_, Call::Request(first)) = connection.call().await else { panic!("no request") };
    drop(connection);
    let mut connection = peer.accept().await;
    let (id, Call::Request(second)) = connection.call().await else { panic!("no request") };
    assert_eq!(first, second);
    let made = second.id.clone().unwrap();
    assert!(made.as_str().len() == 36 && made.as_str().starts_with("ask_"), "{made}");
    connection.reply(id, Reply::Requested { id: made.clone(), expires_at: Time(9), was_there: false }).await;
    assert_eq!(soon(call).await.unwrap().unwrap().id, made);
}

#[tokio::test]
async fn a_busy_gateway_is_asked_again_and_a_refusal_is_handed_on() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.request(ask_params()).await });
    let mut connection = peer.accept().await;
    for error in [WireError::unavailable("busy", None), WireError::restarting("question.request")] {
        let error = WireError { retry_after_ms: error.retry_after_ms.map(|_| 1), ..error };
        let (id, _) = connection.call().await;
        connection.refuse(id, error).await;
    }
    let (id, _) = connection.call().await;
    connection.refuse(id, WireError::question(Reason::TooManyOpen, "too many")).await;
    let Err(CallError::Refused(error)) = soon(call).await.unwrap() else { panic!("not refused") };
    assert_eq!(error.details.reason, Some(Reason::TooManyOpen));
}

#[tokio::test]
async fn waiting_outlives_connections_and_gateways_that_stop() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.wait_answer("a".into()).await });
    let mut connection = peer.accept().await;
    connection.call().await;
    drop(connection);
    let mut connection = peer.accept().await;
    let (id, _) = connection.call().await;
    connection.reply(id, Reply::Waited(Waited::Pending)).await;
    let (_, Call::WaitAnswer(params)) = connection.call().await else { panic!("no wait") };
    assert_eq!((params.id.as_str(), params.wait), ("a", None));
    drop(connection);
    let mut connection = peer.accept().await;
    let (id, _) = connection.call().await;
    let end = Arc::new(answered(&record("a", 0), "res_1"));
    connection.reply(id, ended(Ending::Record(end.clone()))).await;
    assert_eq!(soon(call).await.unwrap().unwrap(), Ending::Record(end));
}

#[tokio::test]
async fn waiting_ends_when_the_gateway_forgot() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.wait_answer("a".into()).await });
    let mut connection = peer.accept().await;
    let (id, _) = connection.call().await;
    connection.refuse(id, WireError::not_found("a")).await;
    assert!(matches!(soon(call).await.unwrap(), Err(CallError::Refused(_))));
}

#[tokio::test]
async fn a_resolve_whose_answer_got_lost_is_repeated_as_the_same_resolution() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.resolve(resolve_params("a", "res_1")).await });
    let mut resolutions = Vec::new();
    let mut connection = peer.accept().await;
    for last in [false, true] {
        let (id, Call::Resolve(params)) = connection.call().await else { panic!("no resolve") };
        resolutions.push(params.resolution.clone().unwrap());
        assert_eq!(params.actor, Some(actor()));
        if last {
            let end = Arc::new(answered(&record("a", 0), "res_1"));
            connection.reply(id, Reply::Resolved(Ending::Record(end))).await;
        } else {
            drop(connection);
            connection = peer.accept().await;
        }
    }
    assert_eq!(resolutions[0], resolutions[1]);
    let Ending::Record(record) = soon(call).await.unwrap().unwrap() else { panic!("no record") };
    assert!(matches!(record.state, State::Answered(_)));
}

#[tokio::test]
async fn all_pages_are_one_list() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.list_all(Some(Time(7))).await });
    let mut connection = peer.accept().await;
    for (id, next) in [("a", Some("1:a")), ("b", Some("2:b")), ("c", None)] {
        let (request, Call::List(params)) = connection.call().await else { panic!("no list") };
        assert_eq!(params.ended_since, Some(Time(7)));
        let next = next.and_then(Cursor::parse);
        connection.reply(request, Reply::Questions { records: vec![Arc::new(record(id, 0))], next }).await;
    }
    let ids: Vec<_> = soon(call).await.unwrap().unwrap().iter().map(|r| r.key.id.to_string()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
}

#[tokio::test]
async fn a_caller_that_leaves_leaves_nothing_behind() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let mut connection = peer.accept().await;
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.wait_answer("a".into()).await });
    let (id, _) = connection.call().await;
    call.abort();
    assert!(soon(call).await.unwrap_err().is_cancelled());
    connection.reply(id, Reply::Waited(Waited::Pending)).await;
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.get("b".into()).await });
    let (id, Call::Get { .. }) = connection.call().await else { panic!("the wait goes on") };
    connection.reply(id, Reply::Question(Arc::new(record("b", 0)))).await;
    assert!(soon(call).await.unwrap().unwrap().is_some());
}
