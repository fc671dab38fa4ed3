//! One connection from hello to its end: requests out, responses and events in, both at once so that neither side can
//! block the other.

use std::time::Duration;
use tokio::sync::{broadcast, mpsc};

use askrelay_protocol::connect::HelloOk;
use askrelay_protocol::decode::NotAFrame;
use askrelay_protocol::frame::{Call, Caps, Event, Method, ServerFrame};

use crate::driver::{Happening, Job};
use crate::error::{CallError, ConnectError};
use crate::exchange::Exchange;
use crate::handshake::read;
use crate::link::{Fed, Receiving, Sending};
use crate::settings::Settings;

/// Requests put on the wire before they are flushed together.
const BATCH: usize = 64;

/// Carries calls and events until the connection ends; says why it did. A call whose answer had not come is lost.
pub(crate) async fn carry(
    settings: &Settings,
    agreed: (&HelloOk, Caps),
    (mut sending, mut receiving): (Sending, Receiving),
    jobs: &mut mpsc::Receiver<Job>,
    happenings: &broadcast::Sender<Happening>,
) -> ConnectError {
    let (hello, caps) = agreed;
    let exchange = Exchange::of(settings.in_flight);
    let patience = Duration::from_millis(hello.policy.tick_interval_ms.saturating_mul(2));
    let end = tokio::select! {
        end = send(&mut sending, (caps, hello.policy.max_payload), jobs, &exchange) => end,
        end = receive(settings, &mut receiving, patience, &exchange, happenings) => end,
    };
    if matches!(end, ConnectError::Dropped | ConnectError::Silent(_)) {
        // A peer that reads nothing must not keep the goodbye waiting.
        let _ = tokio::time::timeout(settings.backoff.first, sending.close()).await;
    }
    end
}

async fn send(
    sending: &mut Sending,
    bounds: (Caps, u64),
    jobs: &mut mpsc::Receiver<Job>,
    exchange: &Exchange,
) -> ConnectError {
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        if jobs.recv_many(&mut batch, BATCH).await == 0 {
            return ConnectError::Dropped;
        }
        for job in batch.drain(..) {
            if let Err(end) = send_one(sending, bounds, job, exchange).await {
                return end;
            }
        }
        if let Err(end) = sending.flush().await {
            return end;
        }
    }
}

async fn send_one(
    sending: &mut Sending,
    (caps, most): (Caps, u64),
    job: Job,
    exchange: &Exchange,
) -> Result<(), ConnectError> {
    let Job { call, answer } = job;
    if answer.is_closed() {
        return Ok(());
    }
    let method = match admitted(&call, caps) {
        Ok(method) => method,
        Err(error) => {
            // A caller that left does not want it any more.
            let _ = answer.send(Err(error));
            return Ok(());
        }
    };
    let room = match exchange.room() {
        Some(room) => room,
        None => {
            // What waits must be on its way before anything can make room.
            sending.flush().await?;
            exchange.wait_for_room().await
        }
    };
    let id = exchange.begin(method, answer, room);
    match sending.feed(id.clone(), call, caps, most).await? {
        Fed::Yes => {}
        Fed::TooLarge(bytes) => exchange.too_large(&id, bytes, most),
    }
    Ok(())
}

/// The call's method, if this connection can carry it.
fn admitted(call: &Call, caps: Caps) -> Result<Method, CallError> {
    if let Call::Request(params) = call
        && !caps.wide
    {
        let faults = params.lost_on_plain();
        if !faults.is_empty() {
            return Err(CallError::NotExpressible(faults));
        }
    }
    let unknown = || CallError::Unreadable("an unknown method has no readable answer".to_owned());
    call.method().ok_or_else(unknown)
}

async fn receive(
    settings: &Settings,
    receiving: &mut Receiving,
    patience: Duration,
    exchange: &Exchange,
    happenings: &broadcast::Sender<Happening>,
) -> ConnectError {
    let method_of = |id: &str| exchange.method_of(id);
    let mut last_seq = 0;
    loop {
        match receiving.next(patience, |text| read(text, settings, &method_of)).await {
            Err(end) => return end,
            Ok(Ok(ServerFrame::Response { id, result })) => exchange.answer(&id, result),
            Ok(Ok(ServerFrame::Event { seq, event })) => {
                let seq = seq.unwrap_or(last_seq);
                if seq > last_seq.saturating_add(1) {
                    tell(happenings, Happening::Gap);
                }
                last_seq = seq;
                if !matches!(event, Event::Tick { .. } | Event::Unknown { .. } | Event::Challenge(_)) {
                    tell(happenings, Happening::Event(event));
                }
            }
            Ok(Err(NotAFrame::Payload { id: Some(id), why, .. })) => exchange.unreadable(&id, why),
            // What cannot be read and answers nothing is another version's: the rest of the connection stands.
            Ok(Err(_)) => {}
        }
    }
}

fn tell(happenings: &broadcast::Sender<Happening>, happening: Happening) {
    // Nobody subscribed: nobody to tell.
    let _ = happenings.send(happening);
}
