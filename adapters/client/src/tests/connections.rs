//! Connecting, losing and coming back, over every link.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;

use askrelay_core::time::Time;
use askrelay_protocol::connect::Auth;
use askrelay_protocol::error::{Code, DetailCode, WireError};
use askrelay_protocol::frame::{Call, Challenge, ClientFrame, Event, ServerFrame};
use askrelay_protocol::reply::Reply;
use futures_util::future::BoxFuture;

use super::peer::{Peer, record, settings, soon, subject};
use crate::{
    Backoff, CallError, Client, ConnectError, Connector, DeviceKey, Link, MemoryEnds, Opened, Settings,
    Status,
};

#[tokio::test]
async fn the_cap_is_offered_only_to_a_gateway_that_names_it() {
    for (peer, caps, wide) in
        [(Peer::wide().await, vec!["askrelay/1".to_owned()], true), (Peer::plain().await, Vec::new(), false)]
    {
        let subject = peer.subject();
        let (mut connection, id, connect) = peer.challenge().await;
        assert_eq!(connect.caps, caps);
        assert_eq!(connect.scopes, ["operator.questions"]);
        connection.reply(id, Reply::HelloOk(Box::new(peer.hello()))).await;
        assert_eq!(soon(subject.client.online()).await.unwrap().caps.wide, wide);
    }
}

#[tokio::test]
async fn a_token_and_a_device_prove_who_it_is() {
    let peer = Peer::plain().await;
    let auth = Auth { token: Some("t0k".into()), ..Auth::default() };
    let device = Some(DeviceKey::from_seed(&[3; 32]));
    let _subject = subject(Settings { auth, device: device.clone(), ..settings() }, peer.link());
    let (_connection, _, connect) = peer.challenge().await;
    assert_eq!(connect.auth.token.as_ref().map(|token| token.expose()), Some("t0k"));
    let challenge =
        Challenge { nonce: "nonce-1".to_owned(), ts: Time(1_796_057_711_239), capabilities: Vec::new() };
    assert_eq!(connect.device, device.map(|key| key.sign(&connect, &challenge)));
}

/// Waits for the connection of that number.
async fn online(client: &Client, number: u64) {
    while !matches!(client.status(), Status::Online(online) if online.number == number) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_lost_connection_comes_back_until_the_last_handle_is_dropped() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let mut connection = peer.accept().await;
    for number in 2..=4 {
        drop(connection);
        connection = peer.accept().await;
        soon(online(&subject.client, number)).await;
    }
    drop(subject.client);
    assert!(connection.is_closed().await);
    assert!(matches!(*soon(subject.driver).await.unwrap(), ConnectError::Dropped));
}

#[tokio::test]
async fn a_gateway_that_is_not_up_yet_is_tried_again() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    drop(peer.raw().await);
    let mut stream = peer.raw().await;
    let mut request = [0; 64];
    assert_ne!(stream.read(&mut request).await.unwrap(), 0);
    stream.write_all(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n").await.unwrap();
    drop(stream);
    let (mut connection, id, _) = peer.challenge().await;
    connection.refuse(id, WireError::unavailable("gateway starting", Some(2))).await;
    drop(connection);
    let _connection = peer.accept().await;
    assert_eq!(soon(subject.client.online()).await.unwrap().number, 1);
}

#[tokio::test]
async fn what_the_gateway_says_of_when_to_come_back_counts_more_than_our_own_patience() {
    let peer = Peer::plain().await;
    let patient = Backoff { first: Duration::from_secs(3600), most: Duration::from_secs(3600) };
    let _subject = subject(Settings { backoff: patient, ..settings() }, peer.link());
    let (mut connection, id, _) = peer.challenge().await;
    connection.refuse(id, WireError::unavailable("gateway starting", Some(2))).await;
    peer.accept().await;
}

#[tokio::test]
async fn a_ping_is_answered_while_there_is_nothing_to_say() {
    let peer = Peer::plain().await;
    let _subject = peer.subject();
    let mut connection = peer.accept().await;
    assert_eq!(connection.ping(b"are you there").await, b"are you there");
}

#[tokio::test]
async fn a_refusal_for_good_ends_the_client_and_every_call() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.get("a".into()).await });
    let (mut connection, id, _) = peer.challenge().await;
    let mut error = WireError::new(Code::InvalidRequest, "token mismatch");
    error.details.code = Some(DetailCode::AuthTokenMismatch);
    connection.refuse(id, error.clone()).await;
    assert!(matches!(&*soon(subject.driver).await.unwrap(), ConnectError::Refused(why) if *why == error));
    for result in [soon(call).await.unwrap(), subject.client.get("a".into()).await] {
        assert!(matches!(result, Err(CallError::Ended(why)) if matches!(&*why, ConnectError::Refused(_))));
    }
}

#[tokio::test]
async fn a_device_that_waits_for_approval_keeps_asking() {
    let peer = Peer::plain().await;
    let _subject = peer.subject();
    let (mut connection, id, _) = peer.challenge().await;
    let mut error = WireError::new(Code::NotPaired, "pairing required");
    error.details.code = Some(DetailCode::PairingRequired);
    error.details.wait_then_retry = true;
    connection.refuse(id, error).await;
    drop(connection);
    peer.accept().await;
}

#[tokio::test]
async fn one_that_may_not_come_back_ends_at_the_first_loss() {
    let peer = Peer::wide().await;
    let subject = subject(Settings { attempts: Some(1), ..settings() }, peer.link());
    let mut connection = peer.accept().await;
    let client = subject.client.clone();
    let call = tokio::spawn(async move { client.wait_answer("a".into()).await });
    connection.call().await;
    drop(connection);
    assert!(matches!(*soon(subject.driver).await.unwrap(), ConnectError::Closed { .. }));
    assert!(matches!(soon(call).await.unwrap(), Err(CallError::Ended(_))));
}

#[tokio::test]
async fn another_version_ends_it() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let (mut connection, id, _) = peer.challenge().await;
    let hello = askrelay_protocol::connect::HelloOk { protocol: 5, ..peer.hello() };
    connection.reply(id, Reply::HelloOk(Box::new(hello))).await;
    assert!(matches!(*soon(subject.driver).await.unwrap(), ConnectError::Version { ours: 4, theirs: 5 }));
}

#[tokio::test]
async fn a_silent_connection_is_given_up() {
    let peer = Peer::wide().await.ticking(1);
    let _subject = peer.subject();
    let mut silent = peer.accept().await;
    let _next = peer.accept().await;
    assert!(silent.is_closed().await);
}

#[tokio::test]
async fn addresses_that_cannot_be_used() {
    for url in ["https://gate.example.org", "gate.example.org:18789", "ws://"] {
        let subject = subject(settings(), Link::Tcp(url.to_owned()));
        let why = soon(subject.driver).await.unwrap();
        assert!(matches!(&*why, ConnectError::Address { link } if link == url), "{url}: {why}");
    }
}

/// A gateway inside the process: lets everybody in, answers so many `get`s and ends.
fn memory_gateway(mut answers: usize) -> MemoryEnds {
    let (requests, mut asked) = mpsc::channel::<ClientFrame>(4);
    let (frames, told) = mpsc::channel(4);
    tokio::spawn(async move {
        let challenge = Challenge { capabilities: vec!["askrelay/1".to_owned()], ..Challenge::default() };
        let _ = frames.send(ServerFrame::Event { seq: None, event: Event::Challenge(challenge) }).await;
        while answers > 0
            && let Some(ClientFrame::Request { id, call }) = asked.recv().await
        {
            let reply = match call {
                Call::Connect(_) => {
                    let capabilities = vec!["askrelay/1".to_owned()];
                    let hello = askrelay_protocol::connect::HelloOk {
                        protocol: 4,
                        capabilities,
                        ..Default::default()
                    };
                    Reply::HelloOk(Box::new(hello))
                }
                _ => {
                    answers -= 1;
                    Reply::Question(Arc::new(record("a", 0)))
                }
            };
            let _ = frames.send(ServerFrame::Response { id, result: Ok(reply) }).await;
        }
    });
    (requests, told)
}

#[tokio::test]
async fn frames_inside_the_process_go_the_same_way() {
    let subject = subject(settings(), Link::Memory(Arc::new(|| memory_gateway(9))));
    let got = soon(subject.client.get("a".into())).await.unwrap();
    assert_eq!(got.as_deref(), Some(&record("a", 0)));
}

/// Finds the gateway elsewhere each time, and at last nowhere.
struct Moving(AtomicUsize, std::path::PathBuf);

impl Connector for Moving {
    fn connect(&self) -> BoxFuture<'_, Result<Opened, ConnectError>> {
        Box::pin(async move {
            match self.0.fetch_add(1, Ordering::Relaxed) {
                0 => Err(ConnectError::Route { again: true, source: "it is moving".into() }),
                1 => Ok(Opened::Memory(memory_gateway(1))),
                2 => {
                    let stream = tokio::net::UnixStream::connect(&self.1).await;
                    stream
                        .map(Opened::Unix)
                        .map_err(|why| ConnectError::Route { again: false, source: why.into() })
                }
                _ => Err(ConnectError::Route { again: false, source: "another configuration".into() }),
            }
        })
    }
}

#[tokio::test]
async fn a_gateway_that_moves_is_followed() {
    let path = std::env::temp_dir().join(format!("askrelay-client-{}.sock", std::process::id()));
    // Left behind by a test run that was killed.
    let _ = std::fs::remove_file(&path);
    let listener = tokio::net::UnixListener::bind(&path).unwrap();
    let connector = Arc::new(Moving(AtomicUsize::new(0), path.clone()));
    let subject = subject(settings(), Link::Found(connector));
    let got = soon(subject.client.get("a".into())).await.unwrap();
    assert!(got.is_some());
    let (stream, _) = soon(listener.accept()).await.unwrap();
    drop(stream);
    assert!(matches!(&*soon(subject.driver).await.unwrap(), ConnectError::Route { again: false, .. }));
    std::fs::remove_file(&path).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_unix_socket_is_a_websocket_too() {
    let path = std::env::temp_dir().join(format!("askrelay-client-unix-{}.sock", std::process::id()));
    // Left behind by a test run that was killed.
    let _ = std::fs::remove_file(&path);
    let listener = tokio::net::UnixListener::bind(&path).unwrap();
    let _subject = subject(settings(), Link::Unix(path.clone()));
    let (stream, _) = soon(listener.accept()).await.unwrap();
    let socket = soon(tokio_tungstenite::accept_async(stream)).await;
    assert!(socket.is_ok());
    std::fs::remove_file(&path).unwrap();
}
