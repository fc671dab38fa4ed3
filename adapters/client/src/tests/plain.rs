//! Calls to a gateway without the cap, whose resolutions are not idempotent and whose objects are closed.

use std::sync::Arc;

use askrelay_core::ask::Fault;
use askrelay_core::record::{Cancelled, Record, State, WhyCancelled};
use askrelay_core::time::Time;
use askrelay_protocol::call::{AskParams, ResolveAct};
use askrelay_protocol::error::{Code, Reason, WireError};
use askrelay_protocol::frame::Call;
use askrelay_protocol::reply::{Ending, PlainEnd, Reply};

use super::calls::{ask_params, ended, resolve_params};
use super::peer::{Connection, Peer, answers, record, soon};
use crate::CallError;

fn answered_by(resolution: &str) -> Ending {
    let end = PlainEnd::Answered { answers: answers(), resolution: Some(resolution.into()) };
    Ending::Plain { id: None, end }
}

/// Answers the look at the Record that comes before each resolve.
async fn looked_at(connection: &mut Connection, record: Record) {
    let (id, Call::Get { .. }) = connection.call().await else { panic!("no look at the record") };
    connection.reply(id, Reply::Question(Arc::new(record))).await;
}

fn already() -> WireError {
    WireError::question(Reason::AlreadyTerminal, "already answered")
}

#[tokio::test]
async fn after_a_lost_answer_the_winning_resolution_is_asked_for() {
    for (name, winner, ours) in [("ours", "res_1", true), ("another's", "res_2", false)] {
        let peer = Peer::plain().await;
        let subject = peer.subject();
        let client = subject.client.clone();
        let call = tokio::spawn(async move { client.resolve(resolve_params("a", "res_1")).await });
        let mut connection = peer.accept().await;
        looked_at(&mut connection, record("a", 0)).await;
        let (_, Call::Resolve(params)) = connection.call().await else { panic!("no resolve") };
        assert!(params.actor.is_none() && params.resolved_by.as_deref() == Some("ada"));
        drop(connection);
        let mut connection = peer.accept().await;
        looked_at(&mut connection, record("a", 0)).await;
        let (id, Call::Resolve(_)) = connection.call().await else { panic!("no resolve") };
        connection.refuse(id, already()).await;
        let (id, Call::WaitAnswer(params)) = connection.call().await else { panic!("no question who won") };
        assert!(params.include_resolution);
        connection.reply(id, ended(answered_by(winner))).await;
        assert_eq!(soon(call).await.unwrap().is_ok(), ours, "{name}");
    }
}

#[tokio::test]
async fn an_id_that_names_another_record_by_now_is_left_alone() {
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.resolve(resolve_params("a", "res_1")).await });
    let mut connection = peer.accept().await;
    looked_at(&mut connection, record("a", 77)).await;
    let Err(CallError::Refused(error)) = soon(call).await.unwrap() else { panic!("not refused") };
    assert_eq!(error.details.reason, Some(Reason::NotFound));
}

#[tokio::test]
async fn a_cancel_whose_answer_got_lost_is_done_when_it_is_cancelled() {
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let client = subject.client.clone();
    let act = ResolveAct::Cancel { why: Some(WhyCancelled::Declined) };
    let params =
        askrelay_protocol::call::ResolveParams { act, created_at: None, ..resolve_params("a", "res_1") };
    let call = tokio::spawn(async move { client.resolve(params).await });
    let mut connection = peer.accept().await;
    connection.call().await;
    drop(connection);
    let mut connection = peer.accept().await;
    let (id, _) = connection.call().await;
    connection.refuse(id, already()).await;
    let cancelled = Cancelled { at: Time(1), why: WhyCancelled::Withdrawn, by: None, by_name: None };
    looked_at(&mut connection, Record { state: State::Cancelled(cancelled), ..record("a", 0) }).await;
    assert!(matches!(soon(call).await.unwrap(), Ok(Ending::Record(record)) if !record.state.is_pending()));
}

#[tokio::test]
async fn an_older_gateway_is_asked_without_what_it_does_not_know() {
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.resolve(resolve_params("a", "res_1")).await });
    let mut connection = peer.accept().await;
    looked_at(&mut connection, record("a", 0)).await;
    let (id, _) = connection.call().await;
    let words = "invalid question.resolve params: at root: unexpected property 'resolutionId'";
    connection.refuse(id, WireError::new(Code::InvalidRequest, words)).await;
    looked_at(&mut connection, record("a", 0)).await;
    let (id, Call::Resolve(params)) = connection.call().await else { panic!("no resolve") };
    assert_eq!(params.resolution, None);
    let end = PlainEnd::Answered { answers: answers(), resolution: None };
    connection.reply(id, Reply::Resolved(Ending::Plain { id: None, end })).await;
    assert!(soon(call).await.unwrap().is_ok());
}

#[tokio::test]
async fn a_request_that_took_effect_is_recognised_by_its_questions() {
    for (name, mine) in [("ours", true), ("another's", false)] {
        let peer = Peer::plain().await;
        let subject = peer.subject();
        let client = subject.client.clone();
        let call = tokio::spawn(async move { client.request(ask_params()).await });
        let mut connection = peer.accept().await;
        connection.call().await;
        drop(connection);
        let mut connection = peer.accept().await;
        let (id, Call::Request(params)) = connection.call().await else { panic!("no request") };
        connection.refuse(id, WireError::question(Reason::IdInUse, "in use")).await;
        let (id, Call::Get { .. }) = connection.call().await else { panic!("no look at the record") };
        let mut stands = record(params.id.as_ref().unwrap().as_str(), 0);
        if !mine {
            stands.ask.questions[0].text = "Another question".to_owned();
        }
        let expires_at = stands.expires_at;
        connection.reply(id, Reply::Question(Arc::new(stands))).await;
        let result = soon(call).await.unwrap();
        assert_eq!(result.ok().map(|requested| requested.expires_at), mine.then_some(expires_at), "{name}");
    }
}

#[tokio::test]
async fn what_it_cannot_carry_is_not_sent() {
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let mut question = super::peer::question();
    question.header = "a long header".to_owned();
    question.min = Some(1);
    question.multi_select = true;
    let params =
        AskParams { questions: vec![question], places: vec!["ops".to_owned()], ..AskParams::default() };
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.request(params).await });
    let _connection = peer.accept().await;
    let Err(CallError::NotExpressible(faults)) = soon(call).await.unwrap() else { panic!("sent") };
    let faults: Vec<String> = faults.iter().map(Fault::to_string).collect();
    assert_eq!(
        faults,
        [
            "/questions/0/header: must be at most 12 characters",
            "/places: needs a gateway that speaks askrelay/1",
            "/questions/0: needs a gateway that speaks askrelay/1",
        ]
    );
}
