//! Every documented error, by what causes it.

use askrelay_core::permit::WireScope;
use askrelay_gateway::{Bounds, Config};
use askrelay_store::TroubleKind;
use serde_json::json;

use crate::world::{HOST, World, question, question_with, send};

const JSON: (&str, &str) = ("Content-Type", "application/json");

#[tokio::test(start_paused = true)]
async fn wrong_requests() {
    let mut world = World::new().await;
    let token = world.owner().await;
    world.ask(&token, question_with(json!({"id": "x"}))).await;
    let asking = question().to_string();
    let text = ("Content-Type", "text/plain");
    let none = ("X-Nothing", "");
    let cases = [
        ("no such route", "GET", "/v1/nothing", none, None, 404, "not_found"),
        ("no such route below", "GET", "/v1/asks/x/y", none, None, 404, "not_found"),
        ("no such ask", "GET", "/v1/asks/y", none, None, 404, "not_found"),
        ("no such ask to wait for", "GET", "/v1/asks/y/answer?wait=1", none, None, 404, "not_found"),
        (
            "no such ask to answer",
            "POST",
            "/v1/asks/y/answer",
            JSON,
            Some(r#"{"text":"1"}"#),
            404,
            "not_found",
        ),
        ("no such ask to withdraw", "DELETE", "/v1/asks/y", none, None, 404, "not_found"),
        ("no such method", "PUT", "/v1/asks", none, None, 405, "method_not_allowed"),
        ("no cross-origin question", "OPTIONS", "/v1/asks", none, None, 405, "method_not_allowed"),
        ("an id that is no text", "GET", "/v1/asks/%FF", none, None, 400, "bad_request"),
        ("a query where none belongs", "GET", "/v1/asks/x?a=1", none, None, 400, "bad_request"),
        ("an unknown parameter", "GET", "/v1/asks?a=1", none, None, 400, "bad_request"),
        ("a parameter twice", "GET", "/v1/asks?limit=1&limit=2", none, None, 400, "bad_request"),
        ("an unknown state", "GET", "/v1/asks?state=open", none, None, 400, "bad_request"),
        ("a page of none", "GET", "/v1/asks?limit=0", none, None, 400, "bad_request"),
        ("a page too large", "GET", "/v1/asks?limit=1001", none, None, 400, "bad_request"),
        ("no cursor", "GET", "/v1/asks?after=x", none, None, 400, "bad_request"),
        ("too long a wait", "GET", "/v1/asks/x/answer?wait=61", none, None, 400, "bad_request"),
        ("a negative wait", "GET", "/v1/asks/x/answer?wait=-1", none, None, 400, "bad_request"),
        ("no JSON", "POST", "/v1/asks", JSON, Some("{"), 400, "bad_request"),
        ("no JSON answer", "POST", "/v1/asks/x/answer", JSON, Some(""), 400, "bad_request"),
        ("another type", "POST", "/v1/asks", text, Some(asking.as_str()), 415, "unsupported_media_type"),
        (
            "no type",
            "POST",
            "/v1/asks",
            ("Content-Type", ""),
            Some(asking.as_str()),
            415,
            "unsupported_media_type",
        ),
        ("no ask", "POST", "/v1/asks", JSON, Some("7"), 422, "invalid"),
        ("no questions", "POST", "/v1/asks", JSON, Some("{}"), 422, "invalid"),
    ];
    let bearer = format!("Bearer {token}");
    for (name, method, path, header, body, status, code) in cases {
        let headers = [HOST, ("Authorization", bearer.as_str()), header];
        let refused = send(&world.open, method, path, &headers, body.map(str::to_owned)).await;
        assert_eq!((refused.status, refused.code().as_str()), (status, code), "{name}: {refused:?}");
        assert_eq!(refused.headers["content-type"], "application/json", "{name}");
        assert_eq!(refused.headers.contains_key("allow"), status == 405, "{name}");
        assert!(!refused.headers.keys().any(|name| name.starts_with("access-control")), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn callers_who_are_nobody_or_lack_a_scope() {
    let mut world = World::new().await;
    let bare = format!("Bearer {}", world.token(Some("owner"), &[]).await);
    let sessions = format!("Bearer {}", world.token(Some("owner"), &[WireScope::SessionsWrite]).await);
    let nobody = format!("Bearer {}", world.token(None, &[WireScope::SessionsWrite]).await);
    let cases = [
        ("nobody", None, 401, "unauthorized"),
        ("an unknown token", Some("Bearer askrelay_000000000000_x"), 401, "unauthorized"),
        ("an empty token", Some("Bearer "), 401, "unauthorized"),
        ("a password", Some("Basic b3duZXI6eA=="), 401, "unauthorized"),
        ("no words", Some("Bearer"), 401, "unauthorized"),
        ("no scopes", Some(bare.as_str()), 403, "missing_scope"),
        ("sessions only, which do not ask", Some(sessions.as_str()), 403, "missing_scope"),
        ("sessions of nobody", Some(nobody.as_str()), 403, "missing_scope"),
    ];
    for (name, authorization, status, code) in cases {
        let mut headers = vec![HOST];
        headers.extend(authorization.map(|value| ("Authorization", value)));
        let refused = send(&world.open, "POST", "/v1/asks", &headers, Some(question().to_string())).await;
        assert_eq!((refused.status, refused.code().as_str()), (status, code), "{name}: {refused:?}");
        assert!(refused.headers["www-authenticate"].starts_with("Bearer "), "{name}");
    }
    let bearers = [HOST, ("Authorization", &bare), ("Authorization", &sessions)];
    let refused = send(&world.open, "GET", "/v1/asks", &bearers, None).await;
    assert_eq!(refused.status, 401, "two tokens at once");
    let read = send(&world.open, "GET", "/v1/asks", &[HOST, ("Authorization", &nobody)], None).await;
    assert_eq!((read.status, read.code().as_str()), (403, "not_permitted"), "{read:?}");
    let refused = send(&world.local, "GET", "/v1/asks", &[HOST, ("Authorization", "Bearer x")], None).await;
    assert_eq!(refused.status, 401, "a local process with a wrong token is not let in as local");
}

#[tokio::test(start_paused = true)]
async fn bodies_that_are_too_large_or_too_slow() {
    let config = Config { bounds: Bounds { body_bytes: 1000, ..Bounds::default() }, ..Config::default() };
    let mut world = World::with(config).await;
    let token = world.owner().await;
    let bearer = format!("Bearer {token}");
    let base = [HOST, ("Authorization", bearer.as_str()), JSON];
    let chunked = [("Transfer-Encoding", "chunked"), ("Content-Length", "")];
    let long = "x".repeat(2000);
    let chunks = format!("7d0\r\n{long}\r\n0\r\n\r\n");
    let cases = [
        ("announced", vec![], long.clone(), 413, "too_large"),
        ("not announced", vec![chunked[0]], chunks, 413, "too_large"),
        ("never sent", vec![("Content-Length", "500")], "{".to_owned(), 408, "too_slow"),
    ];
    for (name, extra, body, status, code) in cases {
        let headers: Vec<_> = base.into_iter().chain(extra).collect();
        let refused = send(&world.open, "POST", "/v1/asks", &headers, Some(body)).await;
        assert_eq!((refused.status, refused.code().as_str()), (status, code), "{name}: {refused:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_gateway_that_has_no_room_or_cannot_save() {
    let config = Config { bounds: Bounds { open_asks: 1, ..Bounds::default() }, ..Config::default() };
    let mut world = World::with(config).await;
    let token = world.owner().await;
    world.ask(&token, question_with(json!({"id": "x"}))).await;
    let refused = world.send(&token, "POST", "/v1/asks", Some(question())).await;
    assert_eq!((refused.status, refused.code().as_str()), (429, "too_many_open"));

    world.store.fail(TroubleKind::DiskFull);
    for (name, method, path, body) in [
        ("asking", "POST", "/v1/asks", Some(question())),
        ("answering", "POST", "/v1/asks/x/answer", Some(json!({"text": "1"}))),
        ("withdrawing", "DELETE", "/v1/asks/x", None),
        ("being ready", "GET", "/readyz", None),
    ] {
        let refused = world.send(&token, method, path, body).await;
        assert_eq!((refused.status, refused.code().as_str()), (503, "unavailable"), "{name}: {refused:?}");
        assert_eq!(refused.headers["retry-after"], "1", "{name}");
        assert_eq!(refused.json()["error"]["retryAfterMs"], 1000, "{name}");
    }
    assert_eq!(world.send(&token, "GET", "/v1/asks/x", None).await.status, 200, "reading goes on");
    world.store.heal();
    let answered = world.send(&token, "POST", "/v1/asks/x/answer", Some(json!({"text": "1"}))).await;
    assert_eq!(answered.status, 200, "{answered:?}");
}
