//! One WebSocket of the gateway: carries what the session has to say, and what the bot's program says.

use std::sync::Arc;

use axum::extract::ws::{CloseFrame, Message, WebSocket};

use super::session::Out;
use super::state::Shared;

/// Talks until one of the two ends it. Of all versions of the gateway only one is known.
pub(super) async fn talk(shared: Arc<Shared>, mut socket: WebSocket, is_known: bool) {
    if !is_known {
        let frame = CloseFrame { code: 4012, reason: "Invalid API version.".into() };
        let _ = socket.send(Message::Close(Some(frame))).await;
        return;
    }
    let connection = shared.change(super::state::World::open_connection);
    let code = exchange(&shared, &mut socket, connection).await;
    shared.change(|world| world.close_connection(connection, code));
}

/// The code with which the bot's program closed it, if it did.
async fn exchange(shared: &Shared, socket: &mut WebSocket, connection: u64) -> Option<u16> {
    let mut news = shared.news();
    loop {
        while let Some(out) = shared.look(|world| world.next_out(connection)) {
            let message = match out {
                Out::Frame(value) => Message::Text(value.to_string().into()),
                Out::Close(code, reason) => {
                    let frame = CloseFrame { code, reason: reason.into() };
                    let _ = socket.send(Message::Close(Some(frame))).await;
                    // The other side answers the close; what it says is of no interest any more.
                    while let Some(Ok(_)) = socket.recv().await {}
                    return None;
                }
                Out::Drop => return None,
            };
            if socket.send(message).await.is_err() {
                return None;
            }
            // Who waits until everything was told looks again.
            shared.wake();
        }
        tokio::select! {
            changed = news.changed() => changed.ok()?,
            received = socket.recv() => match received {
                Some(Ok(Message::Text(text))) => shared.change(|world| world.receive(connection, text.as_str())),
                Some(Ok(Message::Binary(bytes))) => {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    shared.change(|world| world.receive(connection, &text));
                }
                Some(Ok(Message::Close(frame))) => return frame.map(|frame| frame.code),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Err(_)) | None => return None,
            },
        }
    }
}
