//! What every connection does, whatever carries its frames: challenge, handshake, then frames both ways until one side
//! ends. Carriers (memory here, sockets in [`crate::websocket`]) only move frames.

use std::sync::Arc;

use askrelay_core::permit::Caller;
use askrelay_protocol::connect::Connect;
use askrelay_protocol::error::{Code, WireError};
use askrelay_protocol::frame::{CAP, Call, Challenge, ClientFrame, Event, PROTOCOL, ServerFrame};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::desk::{Input, Join, Joined};
use crate::device::verify;
use crate::outbox::{Close, Outbox, Outgoing, Outlet, outbox};
use crate::shared::Shared;

/// Frames moved at one wake-up.
const FRAMES: usize = 64;

/// Frames that wait between a client inside the process and its carrier, each way.
const MEMORY_FRAMES: usize = 256;

/// A handshake that did not succeed: what to answer, and how to close.
#[derive(Debug)]
pub(crate) struct Turned {
    /// The answer; none where nothing sensible was said.
    pub(crate) answer: Option<ServerFrame>,
    pub(crate) close: Close,
}

/// A handshake under way.
#[derive(Debug)]
pub(crate) struct Handshake {
    nonce: String,
    base: Option<Caller>,
}

impl Close {
    pub(crate) fn new(code: u16, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into() }
    }
}

impl Handshake {
    /// Begins one with the challenge to send. `base` is who the peer is without a token.
    pub(crate) fn begin(shared: &Shared, base: Option<Caller>) -> (Self, ServerFrame) {
        let nonce = shared.dice.uuid();
        let challenge =
            Challenge { nonce: nonce.clone(), ts: shared.clock.now(), capabilities: vec![CAP.to_owned()] };
        (Self { nonce, base }, ServerFrame::Event { seq: None, event: Event::Challenge(challenge) })
    }

    /// Judges the first frame; whoever passes is let in by the desk, and its hello is in `outbox`.
    pub(crate) async fn finish(
        self,
        shared: &Shared,
        first: ClientFrame,
        outbox: Outbox,
    ) -> Result<Joined, Box<Turned>> {
        let (request, connect) = connect_of(first)?;
        let checked = self.check(shared, &connect);
        if let Err((error, code)) = checked {
            return Err(turned(request, error, code));
        }
        let (reply, joined) = oneshot::channel();
        let join = Join { base: self.base, connect, request: request.clone(), outbox, reply };
        let sent = shared.inbox.send(Input::Join(join)).await;
        match joined.await {
            Ok(Ok(joined)) if sent.is_ok() => Ok(joined),
            Ok(Err(error)) if error.code == Code::Unavailable => Err(turned(request, error, 1012)),
            Ok(Err(error)) => Err(turned(request, error, 1008)),
            Ok(Ok(_)) | Err(_) => Err(turned(request, WireError::restarting("connect"), 1012)),
        }
    }

    fn check(&self, shared: &Shared, connect: &Connect) -> Result<(), (WireError, u16)> {
        if connect.min_protocol > PROTOCOL || connect.max_protocol < PROTOCOL {
            let words = format!("protocol mismatch: this gateway speaks {PROTOCOL}");
            return Err((WireError::new(Code::InvalidRequest, words), 1002));
        }
        if connect.role.as_deref().is_some_and(|role| role != "operator") {
            return Err((WireError::new(Code::InvalidRequest, "invalid role"), 1008));
        }
        match &connect.device {
            Some(device) => {
                verify(connect, device, &self.nonce, shared.clock.now()).map_err(|error| (error, 1008))
            }
            None => Ok(()),
        }
    }
}

fn connect_of(first: ClientFrame) -> Result<(String, Box<Connect>), Box<Turned>> {
    match first {
        ClientFrame::Request { id, call: Call::Connect(connect) } => Ok((id, connect)),
        ClientFrame::Request { id, .. } => {
            let words = "invalid handshake: first request must be connect";
            Err(turned(id, WireError::new(Code::InvalidRequest, words), 1008))
        }
        ClientFrame::Invalid { id, error } => {
            Err(turned(id.unwrap_or_else(|| "invalid".to_owned()), error, 1008))
        }
    }
}

fn turned(id: String, error: WireError, code: u16) -> Box<Turned> {
    let reason = shortened(&error.message);
    let answer = Some(ServerFrame::Response { id, result: Err(error) });
    Box::new(Turned { answer, close: Close::new(code, reason) })
}

/// The text within the 123 bytes that a close frame has for it.
fn shortened(text: &str) -> String {
    text.char_indices().take_while(|(at, c)| at + c.len_utf8() <= 123).map(|(_, c)| c).collect()
}

/// The two ends that a client inside the process holds.
pub(crate) type MemoryLink = (mpsc::Sender<ClientFrame>, mpsc::Receiver<ServerFrame>);

/// A connection inside the process: the client's ends, and the work that carries its frames.
pub(crate) fn memory(shared: Arc<Shared>, caller: Caller) -> (MemoryLink, impl Future<Output = ()> + Send) {
    let (requests, inward) = mpsc::channel(MEMORY_FRAMES);
    let (outward, frames) = mpsc::channel(MEMORY_FRAMES);
    ((requests, frames), carry(shared, caller, inward, outward))
}

async fn carry(
    shared: Arc<Shared>,
    caller: Caller,
    mut inward: mpsc::Receiver<ClientFrame>,
    outward: mpsc::Sender<ServerFrame>,
) {
    let (handshake, challenge) = Handshake::begin(&shared, Some(caller));
    // Whoever drops its end at once has no need of anything that follows.
    let _ = outward.send(challenge).await;
    let first = match timeout(shared.config.delays.connect, inward.recv()).await {
        Ok(Some(first)) => first,
        Ok(None) | Err(_) => return,
    };
    let (outbox, outlet) = outbox(shared.config.bounds.buffered_bytes);
    let joined = match handshake.finish(&shared, first, outbox).await {
        Ok(joined) => joined,
        Err(turned) => {
            if let Some(answer) = turned.answer {
                let _ = outward.send(answer).await;
            }
            return;
        }
    };
    tokio::select! {
        () = inwards(&shared, joined, &mut inward) => {}
        () = outwards(outlet, &outward) => {}
    }
    shared.leave(joined.connection).await;
}

async fn inwards(shared: &Shared, joined: Joined, inward: &mut mpsc::Receiver<ClientFrame>) {
    while let Some(frame) = inward.recv().await {
        if shared.inbox.send(Input::Frame(joined.connection, frame)).await.is_err() {
            return;
        }
    }
}

async fn outwards(mut outlet: Outlet, outward: &mpsc::Sender<ServerFrame>) {
    let cut = outlet.cut();
    let mut batch = Vec::new();
    while !cut.is_cancelled() && outlet.take(&mut batch, FRAMES).await > 0 {
        for outgoing in batch.drain(..) {
            let Outgoing::Frame(frame, weight) = outgoing else { return };
            tokio::select! {
                sent = outward.send(frame) => if sent.is_err() { return },
                () = cut.cancelled() => return,
            }
            outlet.sent(weight);
        }
    }
}
