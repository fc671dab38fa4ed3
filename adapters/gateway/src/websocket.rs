//! The WebSocket carrier: text frames of one socket to the desk and back. Reads and writes side by side, so that a client
//! that sends much before it reads is not held up; everything queued at one wake-up goes out in one flush.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use askrelay_protocol::frame::{Caps, ClientFrame, ServerFrame};
use axum::Router;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::time::{Instant, sleep_until, timeout};

use crate::desk::{Input, Joined};
use crate::outbox::{Close, Outgoing, Outlet, outbox};
use crate::peer::{Peer, Proving};
use crate::session::{Handshake, Turned};
use crate::shared::Shared;

/// Frames written at one wake-up.
const FRAMES: usize = 256;

/// What is read at one go; a frame larger than it takes several.
const READ_BYTES: usize = 8 << 10;

/// What is gathered before the socket is written to without a flush being asked for.
const WRITE_BYTES: usize = 64 << 10;

/// A frame's own bytes before its text, at most.
const FRAME_HEAD_BYTES: usize = 14;

type Sink = SplitSink<WebSocket, Message>;
type Source = SplitStream<WebSocket>;

/// The route of the gateway protocol.
pub(crate) fn route(shared: Arc<Shared>) -> Router {
    Router::new().route("/", any(upgrade)).with_state(shared)
}

async fn upgrade(
    State(shared): State<Arc<Shared>>,
    peer: Option<Extension<Peer>>,
    socket: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(socket) = socket else {
        let says = [(header::UPGRADE, "websocket")];
        return (StatusCode::UPGRADE_REQUIRED, says, "this path speaks WebSocket only").into_response();
    };
    let bounds = &shared.config.bounds;
    // Without a listener that knows the peer there is no bound on it either.
    let Some(Extension(peer)) = peer else { return StatusCode::NOT_FOUND.into_response() };
    let proving = match peer.address.map(|address| shared.unproven.enter(address, bounds)) {
        Some(None) => {
            let words = "too many connections of this address have not proved themselves yet";
            return (StatusCode::TOO_MANY_REQUESTS, words).into_response();
        }
        Some(proving) => proving,
        None => None,
    };
    if shared.stopping.is_cancelled() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    peer.budget.limit(bounds.unproven_bytes + FRAME_HEAD_BYTES);
    let tasks = shared.tasks.clone();
    socket
        .read_buffer_size(READ_BYTES)
        .write_buffer_size(WRITE_BYTES)
        .max_frame_size(bounds.frame_bytes)
        .max_message_size(bounds.frame_bytes)
        .on_upgrade(move |socket| tasks.track_future(carry(shared, peer, proving, socket)))
}

async fn carry(shared: Arc<Shared>, peer: Peer, proving: Option<Proving>, socket: WebSocket) {
    let (mut sink, mut source) = socket.split();
    let grace = shared.config.delays.close_grace;
    let (joined, outlet) = match greet(&shared, &peer, &mut sink, &mut source).await {
        Ok(joined) => joined,
        Err(turned) => {
            let sent = async {
                if let Some(answer) = turned.answer {
                    sink.send(text(&answer, Caps::PLAIN)).await?;
                }
                sink.send(close(turned.close)).await
            };
            // A peer that does not read its close frame in time is dropped without it.
            let _ = timeout(grace, sent).await;
            return;
        }
    };
    peer.budget.lift();
    drop(proving);
    let heard = AtomicBool::new(true);
    let closing = tokio::select! {
        () = read(&shared, joined, &heard, &mut source) => None,
        closing = write(&shared, joined.caps, &heard, outlet, &mut sink) => closing,
    };
    shared.leave(joined.connection).await;
    if let Some(closing) = closing {
        let _ = timeout(grace, async {
            if sink.send(close(closing)).await.is_ok() {
                while let Some(Ok(_)) = source.next().await {}
            }
        })
        .await;
    }
}

/// The handshake.
async fn greet(
    shared: &Shared,
    peer: &Peer,
    sink: &mut Sink,
    source: &mut Source,
) -> Result<(Joined, Outlet), Box<Turned>> {
    let silent = |close| Box::new(Turned { answer: None, close });
    let (handshake, challenge) = Handshake::begin(shared, peer.base.clone());
    let first = timeout(shared.config.delays.connect, async {
        sink.send(text(&challenge, Caps::PLAIN)).await.ok()?;
        next_text(source).await
    });
    let first = match first.await {
        Ok(Some(first)) => first,
        Ok(None) if peer.budget.is_spent() => return Err(silent(Close::new(1009, "message too big"))),
        Ok(None) | Err(_) => return Err(silent(Close::new(1000, ""))),
    };
    if first.len() > shared.config.bounds.unproven_bytes {
        return Err(silent(Close::new(1009, "message too big")));
    }
    let Ok(first) = ClientFrame::parse(&first, Caps::PLAIN) else {
        return Err(silent(Close::new(1000, "")));
    };
    let (outbox, outlet) = outbox(shared.config.bounds.buffered_bytes);
    Ok((handshake.finish(shared, first, outbox).await?, outlet))
}

/// The next text, whatever kind of frame it is in; none when the socket ends or breaks the WebSocket protocol.
async fn next_text(source: &mut Source) -> Option<String> {
    loop {
        match source.next().await? {
            Ok(Message::Text(text)) => return Some(text.as_str().to_owned()),
            Ok(Message::Binary(bytes)) => return Some(String::from_utf8_lossy(&bytes).into_owned()),
            Ok(Message::Ping(_) | Message::Pong(_)) => {}
            Ok(Message::Close(_)) | Err(_) => return None,
        }
    }
}

/// Frames of the client to the desk, until the socket ends.
async fn read(shared: &Shared, joined: Joined, heard: &AtomicBool, source: &mut Source) {
    while let Some(Ok(message)) = source.next().await {
        heard.store(true, Ordering::Relaxed);
        let parsed = match &message {
            Message::Text(text) => ClientFrame::parse(text, joined.caps),
            Message::Binary(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => ClientFrame::parse(text, joined.caps),
                Err(_) => continue,
            },
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Close(_) => return,
        };
        // What is no JSON is ignored, as OpenClaw does after its hello.
        let Ok(frame) = parsed else { continue };
        if shared.inbox.send(Input::Frame(joined.connection, frame)).await.is_err() {
            return;
        }
    }
}

/// Frames of the desk to the client, until either side ends. Gives the close frame that is due, if one is.
async fn write(
    shared: &Shared,
    caps: Caps,
    heard: &AtomicBool,
    mut outlet: Outlet,
    sink: &mut Sink,
) -> Option<Close> {
    let cut = outlet.cut();
    let every = shared.config.delays.ping;
    let mut ping = Instant::now() + every;
    let mut batch = Vec::new();
    loop {
        tokio::select! {
            biased;
            () = cut.cancelled() => return Some(Close::new(1008, "slow consumer")),
            taken = outlet.take(&mut batch, FRAMES) => {
                if taken == 0 {
                    return Some(Close::new(1012, "service restart"));
                }
                let closing = tokio::select! {
                    closing = send(&mut batch, caps, &outlet, sink) => closing,
                    () = cut.cancelled() => return Some(Close::new(1008, "slow consumer")),
                };
                match closing {
                    Ok(None) => {}
                    Ok(Some(close)) => return Some(close),
                    Err(_) => return None,
                }
            }
            () = sleep_until(ping) => {
                if !heard.swap(false, Ordering::Relaxed) || sink.send(Message::Ping(Default::default())).await.is_err() {
                    return None;
                }
                ping += every;
            }
        }
    }
}

/// Writes a batch and flushes once.
async fn send(
    batch: &mut Vec<Outgoing>,
    caps: Caps,
    outlet: &Outlet,
    sink: &mut Sink,
) -> Result<Option<Close>, axum::Error> {
    let mut weight = 0;
    let mut closing = None;
    for outgoing in batch.drain(..) {
        match outgoing {
            Outgoing::Frame(frame, frame_weight) => {
                weight += frame_weight;
                sink.feed(text(&frame, caps)).await?;
            }
            Outgoing::Close(close) => closing = Some(close),
        }
    }
    sink.flush().await?;
    outlet.sent(weight);
    Ok(closing)
}

fn text(frame: &ServerFrame, caps: Caps) -> Message {
    Message::Text(frame.encode(caps).into())
}

fn close(close: Close) -> Message {
    Message::Close(Some(CloseFrame { code: close.code, reason: close.reason.into() }))
}
