//! Socket Mode: addresses that are good for one socket, up to ten sockets of an app, and how they end.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::IntoResponse;
use hyper::Request;
use serde_json::{Value, json};

use super::refusal::Refusal;
use super::state::{Shared, World};

/// Most sockets of one app.
const SOCKETS_MAX: usize = 10;
/// Seconds for which an address that was not used is good.
const TICKET_LIFE_SECONDS: i64 = 30;
/// Seconds between the word that a socket will end and its end.
const WARNING_SECONDS: i64 = 10;

/// Why the platform ends a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disconnect {
    /// It will end in about ten seconds.
    Warning,
    /// It is to be opened anew; it ends in about ten seconds.
    RefreshRequested,
    /// Sockets were switched off for this app: no new one is opened either.
    LinkDisabled,
    /// There are too many.
    TooManyWebsockets,
}

#[derive(Debug)]
pub(super) struct SocketState {
    pub(super) app: String,
    outbox: VecDeque<Out>,
    /// When it ends, once that was said.
    ends_at: Option<i64>,
}

/// What goes out over a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Out {
    Text(String),
    /// A closing frame, and the end.
    Close,
    /// The end.
    Drop,
}

impl World {
    /// A new address for one socket.
    pub(super) fn open_connection(&mut self, app: &str) -> Result<Value, Refusal> {
        if self.app(app).sockets_off {
            return Err(Refusal::new("link_disabled"));
        }
        let ticket = format!("ticket-{}", self.next());
        let url = format!("ws://{}/link/?ticket={ticket}&app_id={app}", self.address);
        let ends_at = self.now + TICKET_LIFE_SECONDS;
        self.app_mut(app).tickets.insert(ticket, ends_at);
        Ok(json!({ "url": url }))
    }

    /// Whose address this is. It is good once.
    fn redeem(&mut self, query: &str) -> Option<String> {
        let now = self.now;
        let ticket = query.split('&').find_map(|pair| pair.strip_prefix("ticket="))?;
        let good = self.apps.iter_mut().find_map(|(app, state)| {
            let ends_at = state.tickets.remove(ticket)?;
            (ends_at >= now && !state.sockets_off).then(|| app.clone())
        });
        good.filter(|_| !self.cut)
    }

    fn open_socket(&mut self, app: &str) -> u64 {
        let id = self.next();
        let full = self.sockets_of(app).len() >= SOCKETS_MAX;
        let state = SocketState { app: app.to_owned(), outbox: VecDeque::new(), ends_at: None };
        self.sockets.insert(id, state);
        if full {
            self.tell_end(id, Disconnect::TooManyWebsockets);
            return id;
        }
        let hello = json!({
            "type": "hello",
            "num_connections": self.sockets_of(app).len(),
            "connection_info": { "app_id": app },
            "debug_info": { "host": "stand-in", "build_number": 1, "approximate_connection_time": 18_060 },
        });
        self.put(id, Out::Text(hello.to_string()));
        self.dispatch();
        id
    }

    /// The sockets of an app, the oldest first.
    pub(super) fn sockets_of(&self, app: &str) -> Vec<u64> {
        self.sockets.iter().filter(|(_, socket)| socket.app == app).map(|(id, _)| *id).collect()
    }

    /// The socket that gets the next delivery: one that was not told to end, if there is any.
    pub(super) fn next_socket(&mut self, app: &str) -> Option<u64> {
        let all = self.sockets_of(app);
        let is_to_stay = |id: &&u64| self.sockets.get(id).is_some_and(|socket| socket.ends_at.is_none());
        let stay: Vec<u64> = all.iter().filter(is_to_stay).copied().collect();
        let state = self.app_mut(app);
        if let Some(preferred) = state.preferred.take().and_then(|at| all.get(at).copied()) {
            return Some(preferred);
        }
        let able = if stay.is_empty() { all } else { stay };
        state.turn += 1;
        able.get(state.turn % able.len().max(1)).copied()
    }

    pub(super) fn put(&mut self, socket: u64, out: Out) {
        if let Some(socket) = self.sockets.get_mut(&socket) {
            socket.outbox.push_back(out);
        }
    }

    /// Tells a socket that it is to end.
    pub(super) fn tell_end(&mut self, socket: u64, reason: Disconnect) {
        let now = self.now;
        let (word, seconds) = match reason {
            Disconnect::Warning => ("warning", WARNING_SECONDS),
            Disconnect::RefreshRequested => ("refresh_requested", WARNING_SECONDS),
            Disconnect::LinkDisabled => ("link_disabled", 0),
            Disconnect::TooManyWebsockets => ("too_many_websockets", 0),
        };
        let frame = json!({ "type": "disconnect", "reason": word, "debug_info": { "host": "stand-in" } });
        self.put(socket, Out::Text(frame.to_string()));
        if let Some(state) = self.sockets.get_mut(&socket) {
            state.ends_at = Some(now + seconds);
        }
        if seconds == 0 {
            self.put(socket, Out::Close);
        }
    }

    /// Ends the sockets whose time has come.
    pub(super) fn end_sockets_in_time(&mut self) {
        let now = self.now;
        for socket in self.sockets.values_mut() {
            if socket.ends_at.is_some_and(|at| at <= now) && !socket.outbox.contains(&Out::Close) {
                socket.outbox.push_back(Out::Close);
            }
        }
    }

    /// What is to go out next. A socket that is not known any more ends.
    fn next_out(&mut self, socket: u64) -> Option<Out> {
        match self.sockets.get_mut(&socket) {
            Some(_) if self.cut => Some(Out::Drop),
            Some(socket) => socket.outbox.pop_front(),
            None => Some(Out::Drop),
        }
    }
}

/// Makes a socket of a request, if its address is good.
pub(super) async fn accept(
    shared: Arc<Shared>,
    request: Request<axum::body::Body>,
) -> axum::response::Response {
    let query = request.uri().query().unwrap_or_default().to_owned();
    let (mut parts, _) = request.into_parts();
    let upgrade = match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => upgrade,
        Err(refused) => return refused.into_response(),
    };
    let Some(app) = shared.change(|world| world.redeem(&query)) else {
        return (hyper::StatusCode::FORBIDDEN, "the address was used, or is too old").into_response();
    };
    upgrade.on_upgrade(move |socket| run(shared, socket, app))
}

async fn run(shared: Arc<Shared>, mut socket: WebSocket, app: String) {
    let mut news = shared.news();
    let id = shared.change(|world| world.open_socket(&app));
    loop {
        while let Some(out) = shared.look(|world| world.next_out(id)) {
            let sent = match out {
                Out::Text(text) => socket.send(Message::Text(text.into())).await.is_ok(),
                Out::Close => {
                    let _ = socket.send(Message::Close(None)).await;
                    false
                }
                Out::Drop => false,
            };
            if !sent {
                shared.change(|world| world.lose_socket(id));
                return;
            }
        }
        tokio::select! {
            changed = news.changed() => if changed.is_err() { return },
            frame = socket.recv() => match frame {
                Some(Ok(Message::Text(text))) => shared.change(|world| world.acknowledge(id, &text)),
                Some(Ok(Message::Close(_)) | Err(_)) | None => {
                    shared.change(|world| world.lose_socket(id));
                    return;
                }
                Some(Ok(_)) => {}
            }
        }
    }
}
