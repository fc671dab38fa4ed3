//! What holds at a gateway that is not ours: which secret proves the client, whatever refuses it, and how the ends of Records are
//! told that it says next to nothing of.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use askrelay_core::answer::{Actor, Answered};
use askrelay_core::record::{Record, State};
use askrelay_protocol::connect::{Auth, Connect, Granted, HelloOk};
use askrelay_protocol::error::{Code, DetailCode, Reason, WireError};
use askrelay_protocol::frame::{Call, Event};
use askrelay_protocol::reply::{PlainEnd, Reply, Waited};
use askrelay_protocol::secret::Secret;

use super::feed::{Relay, command, opened, page, plain_end, running};
use super::peer::{Connection, Peer, answered, answers, record, settings, soon, subject};
use crate::{CallError, Feed, Settings, Vault};

/// Secrets in memory: the shared one, and the device token.
#[derive(Debug)]
struct Memory(Mutex<(Option<Secret>, Option<Secret>)>);

impl Memory {
    fn with(shared: Option<&str>, device: Option<&str>) -> Arc<Self> {
        Arc::new(Self(Mutex::new((shared.map(Into::into), device.map(Into::into)))))
    }
}

impl Vault for Memory {
    fn shared(&self) -> io::Result<Auth> {
        Ok(Auth { token: self.0.lock().unwrap().0.clone(), ..Auth::default() })
    }

    fn device_token(&self) -> Option<Secret> {
        self.0.lock().unwrap().1.clone()
    }

    fn keep(&self, token: Option<&Secret>) {
        self.0.lock().unwrap().1 = token.cloned();
    }
}

fn joined_by(vault: &Arc<Memory>) -> Settings {
    Settings { vault: Some(Arc::clone(vault) as _), persistent: true, extends: false, ..settings() }
}

/// The secret of a handshake, as `shared T`, `device T` or `none`.
fn proof(connect: &Connect) -> String {
    match (&connect.auth.token, &connect.auth.device_token) {
        (Some(token), None) => format!("shared {}", token.expose()),
        (None, Some(token)) => format!("device {}", token.expose()),
        (None, None) => "none".to_owned(),
        (Some(_), Some(_)) => "both".to_owned(),
    }
}

fn refusal(code: DetailCode) -> WireError {
    let mut error = WireError::new(Code::InvalidRequest, "no");
    error.details.code = Some(code);
    error
}

fn taken(peer: &Peer, scope: &str, token: Option<&str>) -> Reply {
    let auth =
        Granted { scopes: vec![scope.to_owned()], device_token: token.map(Into::into), ..Granted::default() };
    Reply::HelloOk(Box::new(HelloOk { auth, ..peer.hello() }))
}

#[tokio::test]
async fn the_device_token_proves_it_until_the_gateway_takes_it_no_more() {
    use DetailCode::{AuthDeviceTokenMismatch, AuthScopeMismatch, AuthTokenMismatch, PairingRequired};
    let rows: [(&str, Option<&str>, DetailCode, &str, &str); 6] = [
        ("rotated or revoked", Some("d1"), AuthDeviceTokenMismatch, "device d1", "shared s1"),
        ("for other scopes", Some("d1"), AuthScopeMismatch, "device d1", "shared s1"),
        ("unknown there", Some("d1"), AuthTokenMismatch, "device d1", "shared s1"),
        ("not approved again yet", Some("d1"), PairingRequired, "device d1", "device d1"),
        ("not approved yet", None, PairingRequired, "shared s1", "shared s1"),
        ("the shared one is wrong", None, AuthTokenMismatch, "shared s1", "shared s1"),
    ];
    for (name, kept, code, first, then) in rows {
        let peer = Peer::plain().await;
        let vault = Memory::with(Some("s1"), kept);
        let subject = subject(joined_by(&vault), peer.link());
        let (mut connection, id, connect) = peer.challenge().await;
        assert_eq!(proof(&connect), first, "{name}");
        connection.refuse(id, refusal(code)).await;
        drop(connection);
        let (mut connection, id, connect) = peer.challenge().await;
        assert_eq!(proof(&connect), then, "{name}");
        connection.reply(id, taken(&peer, "operator.questions", Some("d2"))).await;
        soon(subject.client.online()).await.unwrap();
        assert_eq!(vault.device_token().unwrap().expose(), "d2", "{name}");
    }
}

#[tokio::test]
async fn a_gateway_that_grants_nothing_is_not_joined() {
    let peer = Peer::plain().await;
    let vault = Memory::with(Some("s1"), Some("d1"));
    let subject = subject(joined_by(&vault), peer.link());
    for (by, scope) in [("device d1", "operator.read"), ("shared s1", "operator.admin")] {
        let (mut connection, id, connect) = peer.challenge().await;
        assert_eq!(proof(&connect), by);
        connection.reply(id, taken(&peer, scope, None)).await;
        if scope == "operator.admin" {
            assert_eq!(soon(subject.client.online()).await.unwrap().number, 1);
        }
    }
}

#[tokio::test]
async fn the_extension_is_not_offered_to_it() {
    let peer = Peer::wide().await;
    let subject = subject(joined_by(&Memory::with(Some("s1"), None)), peer.link());
    let (mut connection, id, connect) = peer.challenge().await;
    assert_eq!(connect.caps, Vec::<String>::new());
    connection.reply(id, taken(&peer, "operator.questions", None)).await;
    assert!(!soon(subject.client.online()).await.unwrap().caps.wide);
}

#[tokio::test]
async fn more_requests_than_may_wait_at_once_follow_one_by_one() {
    let peer = Peer::plain().await;
    let subject = subject(Settings { in_flight: 2, ..settings() }, peer.link());
    let mut connection = peer.accept().await;
    let get = |number| {
        let client = subject.client.clone();
        tokio::spawn(async move { client.get(format!("q{number}").into()).await })
    };
    let calls: Vec<_> = (0..6).map(get).collect();
    let mut waiting = vec![connection.call().await.0, connection.call().await.0];
    for left in (0..6).rev() {
        connection.reply(waiting.remove(0), Reply::Question(Arc::new(record("a", 0)))).await;
        if left >= 2 {
            waiting.push(connection.call().await.0);
        }
    }
    for call in calls {
        assert!(soon(call).await.unwrap().unwrap().is_some());
    }
}

#[tokio::test]
async fn a_frame_that_the_gateway_would_not_take_is_not_sent() {
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let (mut connection, id, _) = peer.challenge().await;
    let mut hello = peer.hello();
    hello.policy.max_payload = 200;
    connection.reply(id, Reply::HelloOk(Box::new(hello))).await;
    let long = "x".repeat(200);
    let refused = soon(subject.client.get(long.as_str().into())).await;
    assert!(matches!(refused, Err(CallError::TooLarge { most: 200, .. })), "{refused:?}");
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.get("a".into()).await });
    let (id, _) = connection.call().await;
    connection.reply(id, Reply::Question(Arc::new(record("a", 0)))).await;
    assert!(soon(call).await.unwrap().unwrap().is_some(), "the connection stands");
}

#[tokio::test]
async fn an_older_gateway_is_asked_without_the_resolution() {
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.wait_answer("a".into()).await });
    let mut connection = peer.accept().await;
    let (id, Call::WaitAnswer(params)) = connection.call().await else { panic!("no wait") };
    assert!(params.include_resolution);
    let words = "invalid question.waitAnswer params: at root: unexpected property 'includeResolutionId'";
    connection.refuse(id, WireError::new(Code::InvalidRequest, words)).await;
    let (id, Call::WaitAnswer(params)) = connection.call().await else { panic!("no wait") };
    assert!(!params.include_resolution);
    connection.reply(id, waited(None)).await;
    assert!(soon(call).await.unwrap().is_ok());
}

fn waited(resolution: Option<&str>) -> Reply {
    Reply::Waited(Waited::Ended { ending: plain_end("a", resolution), include_resolution: true })
}

/// The Record as a plain gateway tells it once it was answered: by a free text, and with no resolution.
fn told(record: &Record, by: &str) -> Record {
    let mut told = answered(record, "");
    let State::Answered(end) = &mut told.state else { panic!("answered") };
    **end = Answered {
        by: Actor::new(None, askrelay_core::answer::Way::Call),
        by_name: Some(by.to_owned()),
        ..(**end).clone()
    };
    told
}

/// Answers the two questions about how a Record ended.
async fn asked_how(connection: &mut Connection, told: Record, resolution: &str) {
    let (id, Call::Get { .. }) = connection.call().await else { panic!("not asked for the record") };
    connection.reply(id, Reply::Question(Arc::new(told))).await;
    let (id, Call::WaitAnswer(params)) = connection.call().await else { panic!("not asked who won") };
    assert!(params.include_resolution);
    connection.reply(id, waited(Some(resolution))).await;
}

#[tokio::test]
async fn who_answered_elsewhere_is_asked_for_before_it_is_told() {
    let a = record("a", 1);
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let (mut relay, mut connection) = running(&peer, &subject, &[&a], false).await;
    connection.event(Event::QuestionResolved(plain_end("a", None))).await;
    asked_how(&mut connection, told(&a, "kim"), "res_7").await;
    let closed = relay.hears_closed().await;
    let State::Answered(end) = &closed.state else { panic!("{closed:?}") };
    assert_eq!((end.by_name.as_deref(), end.resolution.as_str()), (Some("kim"), "res_7"));
}

#[tokio::test]
async fn an_end_that_is_forgotten_by_then_is_told_as_the_event_told_it() {
    let a = record("a", 1);
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let (mut relay, mut connection) = running(&peer, &subject, &[&a], false).await;
    connection.event(Event::QuestionResolved(plain_end("a", None))).await;
    let (id, Call::Get { .. }) = connection.call().await else { panic!("not asked for the record") };
    connection.refuse(id, WireError::question(Reason::NotFound, "gone")).await;
    assert_eq!(relay.hears().await, "closed a answered by somebody");
}

#[tokio::test]
async fn whose_answer_ended_what_was_open_is_known_before_the_snapshot_tells_it() {
    let a = record("a", 1);
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let (mut relay, connection) = running(&peer, &subject, &[&a], false).await;
    drop(connection);
    let mut connection = peer.accept().await;
    page(&mut connection, &[], None).await;
    asked_how(&mut connection, told(&a, "ada"), "res_1").await;
    relay.hears_all(&["offline", "online"]).await;
    let records = relay.hears_last_page().await;
    let State::Answered(end) = &records[0].state else { panic!("{records:?}") };
    assert_eq!(end.resolution.as_str(), "res_1");
}

#[tokio::test]
async fn a_command_under_way_when_the_connection_is_lost_is_the_relays_to_send_again() {
    let a = record("a", 1);
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let (mut relay, mut connection) = running(&peer, &subject, &[&a], false).await;
    relay.commands(&command(&a, "res_1")).await;
    let (_, Call::Get { .. }) = connection.call().await else { panic!("no look at the record") };
    drop(connection);
    let mut connection = peer.accept().await;
    page(&mut connection, &[&a], None).await;
    relay.hears_all(&["offline", "online", "last page [a pending]"]).await;
    // Its author may not any more, so nothing came of it; a newer one goes its way.
    connection.event(opened(&record("b", 2))).await;
    assert_eq!(relay.hears().await, "opened b");
    relay.commands(&command(&a, "res_2")).await;
    let (id, Call::Get { .. }) = connection.call().await else { panic!("no look at the record") };
    connection.reply(id, Reply::Question(Arc::new(a))).await;
    let (_, Call::Resolve(params)) = connection.call().await else { panic!("no resolve") };
    assert_eq!(params.resolution, Some("res_2".into()));
}

#[tokio::test]
async fn a_gateway_that_refuses_to_list_is_asked_again() {
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let feed = Feed { persistent: Some(Duration::from_millis(1)), ..Feed::default() };
    let mut relay = Relay::start(&subject, feed);
    let mut connection = peer.accept().await;
    for _ in 0..2 {
        let (id, Call::List(_)) = connection.call().await else { panic!("not asked for a list") };
        connection.refuse(id, WireError::new(Code::Forbidden, "no")).await;
    }
    page(&mut connection, &[], None).await;
    relay.hears_all(&["online", "last page []"]).await;
}

#[tokio::test]
async fn who_won_is_asked_until_it_is_answered() {
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.resolve(super::calls::resolve_params("a", "res_1")).await });
    let mut connection = peer.accept().await;
    let (id, Call::Get { .. }) = connection.call().await else { panic!("no look at the record") };
    connection.reply(id, Reply::Question(Arc::new(record("a", 0)))).await;
    let (id, Call::Resolve(_)) = connection.call().await else { panic!("no resolve") };
    connection.refuse(id, WireError::question(Reason::AlreadyTerminal, "already")).await;
    let (id, Call::WaitAnswer(_)) = connection.call().await else { panic!("no question who won") };
    connection.refuse(id, WireError::unavailable("busy", None)).await;
    connection.call().await;
    drop(connection);
    let mut connection = peer.accept().await;
    let (id, Call::WaitAnswer(_)) = connection.call().await else { panic!("no question who won") };
    let end = PlainEnd::Answered { answers: answers(), resolution: Some("res_1".into()) };
    let ending = askrelay_protocol::reply::Ending::Plain { id: None, end };
    connection.reply(id, Reply::Waited(Waited::Ended { ending, include_resolution: true })).await;
    assert!(soon(call).await.unwrap().is_ok());
}
