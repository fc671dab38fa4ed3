//! The WebSocket side: the challenge, the calls in the order in which they come, the faults that are planned, and the frames that
//! go out.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::header::ORIGIN;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::state::{Fault, Out, World};
use crate::faults::released;
use crate::world::Shared;

/// How often everybody who waits looks at the wall clock.
const TICK: Duration = Duration::from_secs(1);

pub(super) async fn serve(
    listener: TcpListener,
    shared: Arc<Shared<World>>,
    mut stop: oneshot::Receiver<Infallible>,
) {
    let router = Router::new().fallback(any(accept)).with_state(Arc::clone(&shared));
    let serving = axum::serve(listener, router).into_future();
    tokio::pin!(serving);
    let mut tick = tokio::time::interval(TICK);
    loop {
        tokio::select! {
            _ = &mut stop => return,
            _ = &mut serving => return,
            _ = tick.tick() => shared.wake(),
        }
    }
}

async fn accept(
    State(shared): State<Arc<Shared<World>>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    // The real one compares it with its panel's own address.
    if headers.contains_key(ORIGIN) {
        return (StatusCode::FORBIDDEN, "origin not allowed").into_response();
    }
    upgrade.on_upgrade(move |socket| run(shared, socket)).into_response()
}

async fn run(shared: Arc<Shared<World>>, mut socket: WebSocket) {
    let mut news = shared.news();
    let session = shared.change(|world| {
        let session = world.next();
        world.sessions.insert(session, Default::default());
        session
    });
    let nonce = format!("nonce-{session}");
    let challenge = json!({ "type": "event", "event": "connect.challenge",
        "payload": { "nonce": nonce, "ts": 1_796_057_711_239_i64, "capabilities": ["model-catalog-snapshot"] } });
    let mut alive = send(&mut socket, &challenge).await;
    let mut seq = 0;
    while alive {
        while let Some(out) = shared.look(|world| world.sessions.get_mut(&session)?.0.pop_front()) {
            alive &= match out {
                Out::Frame(mut frame) => {
                    if frame["type"] == "event" {
                        seq += 1;
                        frame["seq"] = seq.into();
                    }
                    send(&mut socket, &frame).await
                }
                Out::Close(code, reason) => {
                    let _ =
                        socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
                    false
                }
            };
        }
        if !alive {
            break;
        }
        tokio::select! {
            changed = news.changed() => alive = changed.is_ok(),
            frame = socket.recv() => match frame {
                Some(Ok(Message::Text(text))) => alive = taken(&shared, session, &nonce, &text),
                Some(Ok(Message::Close(_)) | Err(_)) | None => alive = false,
                Some(Ok(_)) => {}
            },
        }
    }
    shared.change(|world| world.sessions.remove(&session));
}

async fn send(socket: &mut WebSocket, frame: &Value) -> bool {
    socket.send(Message::Text(frame.to_string().into())).await.is_ok()
}

/// Does what a frame asks for; whether the connection goes on.
fn taken(shared: &Arc<Shared<World>>, session: u64, nonce: &str, text: &str) -> bool {
    let Ok(frame) = serde_json::from_str::<Value>(text) else { return false };
    let (id, method) = (frame["id"].clone(), frame["method"].as_str().unwrap_or_default().to_owned());
    let params = frame["params"].clone();
    let (fault, result) = shared.change(|world| {
        world.calls.push((method.clone(), params.clone()));
        world.waiting += 1;
        world.most_waiting = world.most_waiting.max(world.waiting);
        let fault = world.faults.next(&method);
        let result = match &fault {
            Some(Fault::Refuse(error)) => Err(error.clone()),
            _ if method == "connect" => world.connect(session, &params, nonce),
            _ => world.call(&method, &params),
        };
        (fault, result)
    });
    let is_refused = result.is_err();
    let response = match result {
        Ok(payload) => json!({ "type": "res", "id": id, "ok": true, "payload": payload }),
        Err(error) => json!({ "type": "res", "id": id, "ok": false, "error": error }),
    };
    match fault {
        Some(Fault::LoseAnswer) => {
            shared.change(|world| world.waiting -= 1);
            return false;
        }
        Some(Fault::Hold(hold)) => {
            let shared = Arc::clone(shared);
            tokio::spawn(async move {
                released(&shared, hold).await;
                answer(&shared, session, response);
            });
        }
        Some(Fault::Refuse(_)) | None => answer(shared, session, response),
    }
    if method == "connect" && is_refused {
        shared.change(|world| {
            if let Some((outbox, _)) = world.sessions.get_mut(&session) {
                outbox.push_back(Out::Close(1008, "refused".to_owned()));
            }
        });
    }
    true
}

fn answer(shared: &Arc<Shared<World>>, session: u64, response: Value) {
    shared.change(|world| {
        world.waiting -= 1;
        if let Some((outbox, _)) = world.sessions.get_mut(&session) {
            // An event about it may overtake it, as it does at the real one.
            outbox.push_back(Out::Frame(response));
        }
    });
}
