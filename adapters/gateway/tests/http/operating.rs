//! For whoever runs it: health, numbers, the document.

use askrelay_core::permit::WireScope;
use serde_json::json;

use crate::world::{HOST, World, question, send};

#[tokio::test(start_paused = true)]
async fn anybody_may_look_whether_it_is_well() {
    let world = World::new().await;
    for path in ["/healthz", "/readyz"] {
        let well = send(&world.open, "GET", path, &[HOST], None).await;
        assert_eq!((well.status, well.json()), (200, json!({"status": "ok"})), "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn numbers_are_for_known_callers_and_tell_no_content() {
    let mut world = World::new().await;
    let token = world.owner().await;
    world.ask(&token, question()).await;
    let id = world.ask(&token, question()).await;
    world.send(&token, "DELETE", &format!("/v1/asks/{id}"), None).await;
    let bare = world.token(None, &[]).await;
    let numbers = world.send(&bare, "GET", "/metrics", None).await;
    assert_eq!(numbers.status, 200);
    assert!(numbers.headers["content-type"].starts_with("text/plain"));
    for line in [
        "askrelay_asks_total 2",
        "askrelay_asks_pending 1",
        r#"askrelay_asks_ended_total{state="cancelled",reason="withdrawn"} 1"#,
        r#"askrelay_queue_depth{queue="facts"} 0"#,
        r#"askrelay_queue_depth{queue="requests"} 0"#,
        r#"askrelay_queue_depth{queue="waits"} 0"#,
        "askrelay_store_writable 1",
    ] {
        assert!(numbers.body.lines().any(|found| found == line), "{line} in {}", numbers.body);
    }
    assert!(!numbers.body.contains("askrelay_commit_seconds_count 0"), "{}", numbers.body);
    for content in ["Staging", "Where to?", "owner", &token] {
        assert!(!numbers.body.contains(content), "{content}");
    }
    assert_eq!(send(&world.open, "GET", "/metrics", &[HOST], None).await.status, 401);
    assert_eq!(send(&world.local, "GET", "/metrics", &[HOST], None).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn the_document_names_every_route_and_every_error() {
    let mut world = World::new().await;
    let _ = world.token(None, &[WireScope::Questions]).await;
    let document = send(&world.open, "GET", "/openapi.json", &[HOST], None).await;
    assert_eq!((document.status, document.headers["content-type"].as_str()), (200, "application/json"));
    let document = document.json();
    let mut routes = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let responses = operation["responses"].as_object().expect("responses");
            let codes: Vec<&str> = responses.keys().map(String::as_str).collect();
            routes.push(format!("{method} {path}: {}", codes.join(" ")));
        }
    }
    let expected = [
        "get /healthz: 200 403 503",
        "delete /v1/invites/{id}: 204 400 401 403 404 503",
        "delete /v1/pairings/{code}: 204 400 401 403 404 503",
        "delete /v1/people/{id}: 204 400 401 403 404 409 503",
        "get /v1/audit: 200 400 401 403 503",
        "get /v1/invites: 200 400 401 403 503",
        "get /v1/pairings: 200 400 401 403 503",
        "get /v1/people: 200 400 401 403 503",
        "get /v1/people/{id}: 200 400 401 403 404 503",
        "patch /v1/people/{id}: 200 400 401 403 404 408 409 413 415 422 503",
        "post /v1/invites: 201 400 401 403 408 409 413 415 422 503",
        "post /v1/pairings/{code}: 200 400 401 403 404 408 409 413 415 422 503",
        "post /v1/people: 201 400 401 403 408 409 413 415 422 503",
        "get /metrics: 200 400 401 403 503",
        "get /openapi.json: 200 403 503",
        "get /readyz: 200 403 503",
        "get /v1/asks: 200 400 401 403 503",
        "post /v1/asks: 200 201 400 401 403 408 409 413 415 422 429 503",
        "delete /v1/asks/{id}: 200 400 401 403 404 409 503",
        "get /v1/asks/{id}: 200 400 401 403 404 503",
        "get /v1/asks/{id}/answer: 200 202 400 401 403 404 422 503",
        "post /v1/asks/{id}/answer: 200 400 401 403 404 408 409 413 415 422 503",
        "get /v1/events: 200 400 401 403 503",
    ];
    routes.sort();
    let mut expected = expected.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(routes, expected);
}
