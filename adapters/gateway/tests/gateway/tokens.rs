//! Tokens and people: who gets in, with what, and for how long.

use serde_json::{Value, json};

use crate::world::{START, World, ask, fault, local};

#[tokio::test(start_paused = true)]
async fn the_owner_is_there_from_the_first_use() {
    let world = World::new().await;
    let people = world.local().await.ok("people.list", json!({})).await;
    let owner = &people["people"][0];
    assert_eq!(owner["id"], "owner");
    assert_eq!(owner["scopes"], json!(["questions.answer", "sessions.write", "questions.admin"]));
}

#[tokio::test(start_paused = true)]
async fn the_ring_hears_of_people_and_nobody_else_does() {
    let world = World::new().await;
    let (mut ring, mut other) = (world.ring().await, world.local().await);
    assert_eq!(ring.event().await["payload"]["people"].as_array().map(Vec::len), Some(1));
    world.person("ann", &["questions.answer"]).await;
    let event = ring.event().await;
    assert_eq!(event["event"], "people.changed");
    assert_eq!(event["payload"]["people"].as_array().map(Vec::len), Some(2));
    other.ok("people.remove", json!({"id": "ann"})).await;
    assert_eq!(ring.event().await["payload"]["people"].as_array().map(Vec::len), Some(1));
    assert_eq!(other.heard().await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_handshake_is_judged() {
    let world = World::new().await;
    let token = world.token(Some("owner"), &["operator.questions", "operator.sessions.write"]).await;
    let all = json!(["operator.questions", "operator.admin", "operator.read"]);
    let questions = json!(["operator.questions"]);
    let rows: [(&str, Value, Result<Value, &str>); 9] = [
        ("token", json!({"auth": {"token": token}, "scopes": all}), Ok(questions.clone())),
        ("as password", json!({"auth": {"password": token}, "scopes": all}), Ok(questions.clone())),
        ("as device token", json!({"auth": {"deviceToken": token}, "scopes": all}), Ok(questions.clone())),
        ("no scopes asked for", json!({"auth": {"token": token}, "scopes": []}), Ok(json!([]))),
        ("local", json!({"scopes": all}), Ok(questions)),
        ("wrong token", json!({"auth": {"token": "askrelay_x_y"}}), Err("AUTH_TOKEN_MISMATCH")),
        ("older protocol", json!({"minProtocol": 2, "maxProtocol": 3}), Err("INVALID_REQUEST")),
        ("another role", json!({"role": "node"}), Err("INVALID_REQUEST")),
        ("unknown member", json!({"x": 1}), Err("INVALID_REQUEST")),
    ];
    for (row, extra, expected) in rows {
        let mut peer = world.knock(local(), &extra);
        match (peer.connect(extra).await, expected) {
            (Ok(hello), Ok(scopes)) => {
                assert_eq!(hello["auth"]["scopes"], scopes, "{row}");
                assert_eq!(hello["type"], "hello-ok", "{row}");
                assert_eq!(hello["policy"]["tickIntervalMs"], 30_000, "{row}");
            }
            (Err(error), Err(code)) => {
                assert_eq!(fault(&error), code, "{row}");
                assert!(peer.closed().await, "{row}");
            }
            (got, _) => panic!("{row}: {got:?}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_token_ends_when_it_is_revoked_or_over() {
    let world = World::new().await;
    let mut admin = world.local().await;
    let expires = json!({"scopes": ["operator.questions"], "label": "ci", "expiresAtMs": START + 40_000});
    let short = admin.ok("tokens.create", expires).await;
    let long = admin.ok("tokens.create", json!({"scopes": ["operator.questions"]})).await;
    let listed = admin.ok("tokens.list", json!({})).await;
    assert_eq!(listed["tokens"].as_array().map(Vec::len), Some(2));
    for made in [&short, &long] {
        let secret = made["token"].as_str().expect("a token");
        assert!(!listed.to_string().contains(secret), "shown once only");
    }
    let mut peers = Vec::new();
    for made in [&short, &long] {
        let extra = json!({"auth": {"token": made["token"]}});
        let mut peer = world.peer(local(), extra).await;
        peer.ok("question.list", json!({})).await;
        peers.push(peer);
    }
    admin.ok("tokens.revoke", json!({"id": long["id"]})).await;
    assert!(peers.pop().expect("long").closed().await);
    assert!(peers.pop().expect("short").closed().await, "after at most a tick");
    for made in [&short, &long] {
        let extra = json!({"auth": {"token": made["token"]}});
        let error = world.knock(local(), &extra).connect(extra).await.expect_err("it is over");
        assert!(fault(&error).starts_with("AUTH_TOKEN_"), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn too_much_is_refused_in_plain_words() {
    let world = World::with(|config| {
        config.bounds.open_asks = 2;
        config.bounds.waiting = 3;
    })
    .await;
    let mut asker = world.local().await;
    for id in ["a", "b"] {
        asker.ok("question.request", ask(id)).await;
    }
    assert_eq!(asker.err("question.request", ask("c")).await, "QUESTION_TOO_MANY_OPEN");
    let mut other = world.bearer(None, &["operator.questions"], &[]).await;
    other.ok("question.request", ask("d")).await;
    asker.ok("question.resolve", json!({"id": "a", "cancel": true})).await;
    asker.ok("question.request", ask("c")).await;
    for _ in 0..3 {
        asker.begin("question.waitAnswer", json!({"id": "b"})).await;
    }
    let error = asker.call("question.waitAnswer", json!({"id": "b"})).await.expect_err("too many");
    assert_eq!((&error["code"], &error["retryable"]), (&json!("UNAVAILABLE"), &json!(true)));
}
