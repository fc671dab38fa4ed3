//! The WebSocket protocol over real sockets: handshakes, how connections end, and what one peer may cost.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::wire::{End, Server, over_unix};
use crate::world::{World, answer, ask, fault};

#[tokio::test]
async fn the_round_trip_over_tcp() {
    let server = Server::new().await;
    let (mut asker, mut owner) = (server.owner().await, server.owner().await);
    let asked = asker.ok("question.request", ask("a")).await;
    let event = owner.frame().await;
    assert_eq!((&event["event"], &event["seq"]), (&json!("question.requested"), &json!(1)));
    assert_eq!(event["payload"]["expiresAtMs"], asked["expiresAtMs"]);
    let waiting = asker.begin("question.waitAnswer", json!({"id": "a"})).await;
    owner.ok("question.resolve", answer("a", "Production")).await;
    loop {
        let frame = asker.frame().await;
        if frame["id"] == waiting.as_str() {
            assert_eq!(frame["payload"]["answers"]["answers"]["q"], json!(["Production"]));
            break;
        }
    }
}

#[tokio::test]
async fn a_wait_tells_nothing_to_one_who_lost_the_right_meanwhile() {
    let server = Server::new().await;
    server.world.person("ann", &["questions.answer"]).await;
    let token = server.world.token(Some("ann"), &["operator.questions"]).await;
    let mut ann = server.knock().await;
    let connect = json!({"auth": {"token": token}, "caps": ["askrelay/1"]});
    ann.connect(connect).await.expect("she may join");
    let mut owner = server.owner().await;
    owner.ok("question.request", ask("a")).await;
    let waiting = ann.begin("question.waitAnswer", json!({"id": "a"})).await;
    ann.ok("question.list", json!({})).await;
    server.world.person("ann", &[]).await;
    owner.ok("question.resolve", answer("a", "Production")).await;
    loop {
        let frame = ann.frame().await;
        if frame["id"] == waiting.as_str() {
            assert_eq!(fault(&frame["error"]), "QUESTION_NOT_FOUND");
            break;
        }
    }
}

#[tokio::test]
async fn a_local_process_needs_no_token_on_the_unix_socket() {
    let world = World::new().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut client = over_unix(&world.gateway, &folder.path().join("ring.sock")).await;
    let hello = client.connect(json!({})).await.expect("the same user");
    assert_eq!(hello["auth"]["method"], "local");
    client.ok("question.request", ask("a")).await;
    assert_eq!(
        fault(&client.call("question.resolve", answer("a", "Staging")).await.expect_err("it may not")),
        "QUESTION_NOT_PERMITTED"
    );
}

#[tokio::test]
async fn a_device_may_show_its_identity() {
    let server = Server::new().await;
    let token = server.world.token(Some("owner"), &["operator.questions"]).await;
    for (right, expected) in [(true, None), (false, Some("DEVICE_AUTH_SIGNATURE_INVALID"))] {
        let mut client = server.open().await.expect("it opens");
        let challenge = client.frame().await;
        let device = device(&challenge["payload"], if right { &token } else { "another" });
        let got = client.connect(json!({"auth": {"token": token}, "device": device})).await;
        assert_eq!(got.err().as_ref().map(fault).as_deref(), expected);
        if !right {
            assert!(matches!(client.end().await, End::Closed(1008, _)));
        }
    }
}

fn device(challenge: &Value, token: &str) -> Value {
    let key = SigningKey::from_bytes(&[7; 32]);
    let public = key.verifying_key().to_bytes();
    let id: String = Sha256::digest(public).iter().map(|byte| format!("{byte:02x}")).collect();
    let (nonce, ts) = (challenge["nonce"].as_str().expect("a nonce"), &challenge["ts"]);
    let line =
        format!("v3|{id}|gateway-client|backend|operator|operator.questions|{ts}|{token}|{nonce}|linux|");
    json!({
        "id": id, "nonce": nonce, "signedAt": ts,
        "publicKey": URL_SAFE_NO_PAD.encode(public),
        "signature": URL_SAFE_NO_PAD.encode(key.sign(line.as_bytes()).to_bytes()),
    })
}

#[tokio::test]
async fn each_wrong_beginning_ends_in_its_own_way() {
    let server = Server::with(|config| config.delays.connect = Duration::from_millis(300)).await;
    let connect = |extra: Value| -> String {
        let mut params = json!({
            "minProtocol": 4, "maxProtocol": 4,
            "client": {"id": "gateway-client", "mode": "backend", "version": "1", "platform": "linux"},
        });
        for (name, value) in extra.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        json!({"type": "req", "id": "1", "method": "connect", "params": params}).to_string()
    };
    let rows = [
        // what is said; whether there is an answer; how the socket ends
        ("garbage", Some("}{".to_owned()), None, 1000),
        ("nothing", None, None, 1000),
        (
            "another request",
            Some(json!({"type": "req", "id": "1", "method": "question.list"}).to_string()),
            Some("INVALID_REQUEST"),
            1008,
        ),
        ("no request", Some(json!({"x": 1}).to_string()), Some("INVALID_REQUEST"), 1008),
        ("an unknown member", Some(connect(json!({"x": 1}))), Some("INVALID_REQUEST"), 1008),
        ("no token", Some(connect(json!({}))), Some("DEVICE_IDENTITY_REQUIRED"), 1008),
        (
            "a wrong token",
            Some(connect(json!({"auth": {"token": "askrelay_1_2"}}))),
            Some("AUTH_TOKEN_MISMATCH"),
            1008,
        ),
        (
            "an old protocol",
            Some(connect(json!({"minProtocol": 1, "maxProtocol": 3}))),
            Some("INVALID_REQUEST"),
            1002,
        ),
        ("too much", Some(connect(json!({"userAgent": "x".repeat(70_000)}))), None, 1009),
        ("far too much", Some("x".repeat(3_000_000)), None, 1009),
    ];
    for (row, text, answered, code) in rows {
        let mut client = server.knock().await;
        if let Some(text) = text {
            // A gateway that has heard enough may not take all of it.
            let _ = futures_util::SinkExt::send(
                &mut client.socket,
                tokio_tungstenite::tungstenite::Message::text(text),
            )
            .await;
        }
        let (answer, end) = match client.read().await {
            Ok(frame) => (Some(fault(&frame["error"])), client.end().await),
            Err(end) => (None, end),
        };
        assert_eq!(answer.as_deref(), answered, "{row}");
        match end {
            End::Closed(got, _) => assert_eq!(got, code, "{row}"),
            // A close frame may be lost behind what was sent and never read.
            End::Cut => assert_eq!(row, "far too much"),
        }
    }
}

#[tokio::test]
async fn after_the_hello_nonsense_is_answered_or_ignored() {
    let server = Server::new().await;
    let mut owner = server.owner().await;
    owner.say("}{").await;
    owner.say(json!({"type": "req", "method": "question.list"}).to_string()).await;
    let frame = owner.frame().await;
    assert_eq!((&frame["id"], &frame["error"]["code"]), (&json!("invalid"), &json!("INVALID_REQUEST")));
    owner.say(json!({"type": "req", "id": "7", "method": "question.list", "x": 1}).to_string()).await;
    let frame = owner.frame().await;
    assert_eq!((&frame["id"], &frame["error"]["code"]), (&json!("7"), &json!("INVALID_REQUEST")));
    owner.ok("question.list", json!({})).await;
}

#[tokio::test]
async fn a_slow_reader_is_let_go_and_costs_nobody_else() {
    let server = Server::with(|config| {
        config.bounds.buffered_bytes = 1 << 20;
        config.delays.close_grace = Duration::from_secs(10);
    })
    .await;
    let (mut slow, mut quick) = (server.owner().await, server.owner().await);
    for index in 0..200 {
        let mut large = ask(&format!("a{index}"));
        large["questions"][0]["question"] = json!("?".repeat(100_000));
        quick.ok("question.request", large).await;
    }
    assert_eq!(slow.end().await, End::Closed(1008, "slow consumer".to_owned()));
}

#[tokio::test]
async fn a_peer_that_answers_no_ping_is_cut() {
    let server = Server::with(|config| config.delays.ping = Duration::from_millis(300)).await;
    let mut silent = server.owner().await;
    let mut answering = server.owner().await;
    // Reading beneath the WebSocket answers nothing; the end of what can be read is the cut.
    let cut = silent.socket.get_mut();
    let mut bytes = Vec::new();
    tokio::select! {
        read = tokio::io::AsyncReadExt::read_to_end(cut, &mut bytes) => { read.expect("it ends"); }
        end = answering.end() => panic!("the answering one is not cut: {end:?}"),
    }
    answering.ok("question.list", json!({})).await;
}

#[tokio::test]
async fn sockets_are_counted() {
    let server = Server::with(|config| {
        config.bounds.unproven_sockets_loopback = 2;
        config.bounds.sockets = 4;
    })
    .await;
    let first = server.knock().await;
    let _second = server.knock().await;
    let refused = server.open().await.err().map(|error| error.to_string());
    assert!(refused.is_some_and(|words| words.contains("429")), "the third has to wait");
    drop(first);
    // The gateway notices the end of the first when it reads; then there is room again.
    let mut owner = loop {
        match server.open().await {
            Ok(mut client) => {
                client.frame().await;
                break client;
            }
            Err(_) => tokio::task::yield_now().await,
        }
    };
    let token = server.world.token(Some("owner"), &["operator.questions"]).await;
    owner.connect(json!({"auth": {"token": token}})).await.expect("it joins");
    let _third = server.knock().await;
    let _fourth = server.open().await;
    assert!(server.open().await.is_err(), "no more sockets at all");
    owner.ok("question.list", json!({})).await;
}

#[tokio::test]
async fn stopping_says_so_and_closes() {
    let server = Server::new().await;
    let mut owner = server.owner().await;
    owner.ok("question.request", ask("a")).await;
    let waiting = owner.begin("question.waitAnswer", json!({"id": "a"})).await;
    owner.ok("question.list", json!({})).await;
    let stopping = tokio::spawn({
        let gateway = server.world.gateway.clone();
        async move { gateway.stop().await }
    });
    let mut seen = Vec::new();
    let end = loop {
        match owner.read().await {
            Ok(frame) if frame["id"] == waiting.as_str() => seen.push(frame["payload"]["status"].clone()),
            Ok(frame) => seen.push(frame["event"].clone()),
            Err(end) => break end,
        }
    };
    assert_eq!(seen, [json!("pending"), json!("shutdown")]);
    assert_eq!(end, End::Closed(1012, "service restart".to_owned()));
    stopping.await.expect("it stops");
    assert!(server.open().await.is_err(), "nobody listens any more");
}

#[tokio::test]
async fn a_plain_request_to_the_socket_is_told_what_to_do() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = Server::new().await;
    let mut socket = tokio::net::TcpStream::connect(server.address).await.expect("it opens");
    socket.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await.expect("sent");
    let mut text = String::new();
    socket.read_to_string(&mut text).await.expect("answered");
    assert!(text.starts_with("HTTP/1.1 426"), "{text}");
}
