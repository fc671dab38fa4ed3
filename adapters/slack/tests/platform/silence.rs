//! A connection that still stands and says nothing any more. The stand-in always answers, so this server is the test's own.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use askrelay_core::port::Report;
use askrelay_slack::{Config, Mode};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::routing::{any, post};
use axum::{Json, Router};
use serde_json::json;
use tokio::sync::mpsc::channel;

use crate::room::{now, quick};

/// The first connection is not read from after its greeting, every later one is.
async fn connection(mut socket: WebSocket, earlier: usize) {
    let hello = json!({ "type": "hello", "num_connections": 1 }).to_string();
    if socket.send(Message::text(hello)).await.is_err() {
        return;
    }
    if earlier == 0 {
        return std::future::pending().await;
    }
    while socket.recv().await.is_some_and(|frame| frame.is_ok()) {}
}

#[tokio::test]
async fn a_connection_that_says_nothing_is_given_up() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let me = json!({ "ok": true, "user_id": "U0BOT", "team_id": "T0ACME", "user": "askbot" });
    let way = json!({ "ok": true, "url": format!("ws://{address}/link") });
    let count = Arc::new(AtomicUsize::new(0));
    let upgrade = move |upgrade: WebSocketUpgrade| async move {
        let earlier = count.fetch_add(1, Ordering::SeqCst);
        upgrade.on_upgrade(move |socket| connection(socket, earlier))
    };
    let routes = Router::new()
        .route("/api/auth.test", post(move || async move { Json(me) }))
        .route("/api/apps.connections.open", post(move || async move { Json(way) }))
        .route("/link", any(upgrade));
    tokio::spawn(async move { axum::serve(listener, routes).await });

    let mode = Mode::Socket("xapp-1-test".into());
    let mut config = Config::new("main".into(), "xoxb-1-test".into(), mode, now).unwrap();
    config.api_url = format!("http://{address}/api").parse().unwrap();
    config.policy = quick();
    config.policy.quiet = Duration::from_millis(100);
    let (_orders, surface_orders) = channel(1);
    let (surface_reports, mut reports) = channel(1);
    let _task = tokio::spawn(askrelay_slack::run(config, surface_orders, surface_reports));
    let mut told = Vec::new();
    while told.len() < 3 {
        match reports.recv().await.unwrap() {
            Report::Named { .. } => {}
            Report::Online { .. } => told.push("online".to_owned()),
            Report::Offline { why, .. } => told.push(why),
            other => panic!("nothing else happens: {other:?}"),
        }
    }
    assert_eq!(told[0], "online");
    assert!(told[1].contains("says nothing"), "{told:?}");
    assert_eq!(told[2], "online");
}
