//! What is to be brought to apps: events and interactions, over sockets or HTTP, what becomes of them, and what is tried again.
//! An event that is not taken within three seconds comes again up to three times; an interaction never does by itself.

use serde_json::{Value, json};

use super::socket::Out;
use super::state::World;

/// Seconds within which what was brought must be taken.
pub(super) const TAKE_SECONDS: i64 = 3;
/// Seconds to wait before each further try of an event.
const RETRY_SECONDS: [i64; 3] = [0, 60, 300];
/// Seconds for which an event waits for a socket.
const PATIENCE_SECONDS: i64 = 360;

/// How an app is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Door {
    Sockets,
    Http { events: String, interactions: String },
}

/// How a delivery over HTTP is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signing {
    /// With the secret, now.
    Right,
    /// With another secret.
    Wrong,
    /// With the secret, so many seconds ago.
    Late(i64),
    /// Not at all.
    Missing,
    /// Rightly, and the body is changed afterwards.
    Tampered,
}

/// One thing to bring.
#[derive(Clone, Debug)]
pub(super) struct Parcel {
    pub(super) id: u64,
    pub(super) app: String,
    pub(super) envelope: String,
    /// An event; else an interaction.
    pub(super) is_event: bool,
    pub(super) payload: Value,
    /// The press or form that waits for it.
    pub(super) tap: Option<u64>,
    born_at: i64,
    pub(super) state: State,
    /// Tries after the first.
    pub(super) retries: usize,
    pub(super) reason: Option<&'static str>,
    sockets: Vec<u64>,
    statuses: Vec<u16>,
    answers: Vec<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// To be brought from then on.
    Waiting(i64),
    /// Brought over this socket, or over HTTP, then.
    Brought {
        socket: Option<u64>,
        at: i64,
    },
    Taken,
    Lost,
}

/// A delivery as a test sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The id by which it is acknowledged over a socket.
    pub envelope_id: String,
    /// `events_api` or `interactive`.
    pub kind: &'static str,
    /// What is in it.
    pub payload: Value,
    /// How often it was tried again.
    pub retries: usize,
    /// The sockets over which it went, in the order in which it did.
    pub sockets: Vec<u64>,
    /// What its receiver answered over HTTP; 0 where the connection failed.
    pub statuses: Vec<u16>,
    /// It was taken.
    pub taken: bool,
    /// It will not be tried again, and was not taken.
    pub lost: bool,
    /// What it was acknowledged with, each time; null where there was nothing.
    pub answers: Vec<Value>,
}

/// Whence an event is, as the platform tells it.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// The team in whose name the app is told.
    pub(super) team: String,
    /// The team that the whole event is said to belong to: that of a message's author, else the app's.
    pub(super) author: String,
    /// Others than the app's own organisation or team are there too.
    pub(super) abroad: bool,
}

impl World {
    /// Brings an event to an app.
    pub(super) fn bring_event(&mut self, app: &str, origin: &Origin, event: Value) {
        let event_id = self.new_id("Ev");
        let state = self.app(app);
        let Origin { team, author, abroad } = origin;
        let enterprise = state.enterprise.as_ref().map(|(id, _)| id.clone());
        let theirs = self.team(author).enterprise.as_ref().map(|(id, _)| id.clone());
        let is_org = state.team.is_none();
        let authorization = json!({
            "enterprise_id": enterprise, "team_id": if is_org { None } else { Some(team) }, "user_id": state.user,
            "is_bot": true, "is_enterprise_install": is_org,
        });
        let payload = json!({
            "token": state.verification,
            "team_id": author,
            "enterprise_id": theirs,
            "context_team_id": team,
            "context_enterprise_id": enterprise,
            "api_app_id": app,
            "event": event,
            "type": "event_callback",
            "event_id": event_id,
            "event_time": self.now,
            "authorizations": [authorization],
            "is_ext_shared_channel": abroad,
            "event_context": format!("4-{event_id}"),
        });
        self.bring(app, true, payload, None);
    }

    /// Brings an interaction to an app.
    pub(super) fn bring_interaction(&mut self, app: &str, payload: Value, tap: u64) {
        self.bring(app, false, payload, Some(tap));
    }

    fn bring(&mut self, app: &str, is_event: bool, payload: Value, tap: Option<u64>) {
        let id = self.next();
        let parcel = Parcel {
            id,
            app: app.to_owned(),
            envelope: format!("00000000-0000-4000-8000-{id:0>12}"),
            is_event,
            payload,
            tap,
            born_at: self.now,
            state: State::Waiting(self.now),
            retries: 0,
            reason: None,
            sockets: Vec::new(),
            statuses: Vec::new(),
            answers: Vec::new(),
        };
        self.parcels.push(parcel);
        self.dispatch();
    }

    /// Gives sockets what waits. What nobody can take is lost at once, if it is an interaction.
    pub(super) fn dispatch(&mut self) {
        let now = self.now;
        for at in 0..self.parcels.len() {
            let Some(parcel) = self.parcels.get(at) else { return };
            let due = matches!(parcel.state, State::Waiting(from) if from <= now);
            if !due || self.app(&parcel.app).door != Door::Sockets {
                continue;
            }
            let (app, is_event, tap) = (parcel.app.clone(), parcel.is_event, parcel.tap);
            match self.next_socket(&app) {
                Some(socket) => self.send_over(at, socket),
                None if is_event => {}
                None => {
                    self.set_state(at, State::Lost);
                    self.fail_tap(tap, "the app is not connected");
                }
            }
        }
    }

    fn set_state(&mut self, at: usize, state: State) {
        if let Some(parcel) = self.parcels.get_mut(at) {
            parcel.state = state;
        }
    }

    fn send_over(&mut self, at: usize, socket: u64) {
        let now = self.now;
        let Some(parcel) = self.parcels.get_mut(at) else { return };
        parcel.state = State::Brought { socket: Some(socket), at: now };
        parcel.sockets.push(socket);
        let kind = if parcel.is_event { "events_api" } else { "interactive" };
        let mut frame = json!({
            "envelope_id": parcel.envelope,
            "type": kind,
            "payload": parcel.payload,
            "accepts_response_payload": !parcel.is_event,
        });
        if let Some(frame) = frame.as_object_mut().filter(|_| parcel.is_event) {
            frame.insert("retry_attempt".to_owned(), parcel.retries.into());
            frame.insert("retry_reason".to_owned(), parcel.reason.unwrap_or_default().into());
        }
        self.put(socket, Out::Text(frame.to_string()));
    }

    /// What came over a socket: an acknowledgement, or nothing that the platform understands.
    pub(super) fn acknowledge(&mut self, socket: u64, text: &str) {
        let Some(app) = self.sockets.get(&socket).map(|socket| socket.app.clone()) else { return };
        let frame: Value = serde_json::from_str(text).unwrap_or_default();
        let envelope = frame.get("envelope_id").and_then(Value::as_str).unwrap_or_default();
        let answer = frame.get("payload").cloned().unwrap_or_default();
        let sent = |parcel: &Parcel| parcel.envelope == envelope && parcel.sockets.contains(&socket);
        let Some(at) = self.parcels.iter().position(sent) else {
            self.app_mut(&app).complaints.push(format!("acknowledged what was not sent over it: {text}"));
            return;
        };
        if let Some(parcel) = self.parcels.get(at)
            && parcel.is_event
            && !answer.is_null()
        {
            let words = format!("answered an event, which takes no answer: {text}");
            self.app_mut(&app).complaints.push(words);
        }
        self.take(at, answer);
    }

    fn take(&mut self, at: usize, answer: Value) {
        let Some(parcel) = self.parcels.get_mut(at) else { return };
        parcel.state = State::Taken;
        parcel.answers.push(answer.clone());
        if let Some(tap) = parcel.tap {
            self.answer_tap(tap, answer);
        }
    }

    /// What follows when a socket is gone: what it carried and was not acknowledged goes another way, if it is an event.
    pub(super) fn lose_socket(&mut self, socket: u64) {
        self.sockets.remove(&socket);
        for at in 0..self.parcels.len() {
            let carried = self.parcels.get(at).is_some_and(|parcel| {
                parcel.is_event
                    && matches!(parcel.state, State::Brought { socket: Some(by), .. } if by == socket)
            });
            if carried {
                self.try_again(at, self.now, "timeout");
            }
        }
        self.dispatch();
    }

    /// Plans the next try, so many seconds after this one failed.
    fn try_again(&mut self, at: usize, failed_at: i64, reason: &'static str) {
        let Some(parcel) = self.parcels.get_mut(at) else { return };
        parcel.state = match RETRY_SECONDS.get(parcel.retries).filter(|_| parcel.is_event) {
            Some(seconds) => State::Waiting(failed_at + seconds),
            None => State::Lost,
        };
        if parcel.is_event {
            parcel.retries += 1;
            parcel.reason = Some(reason);
        }
    }

    /// What follows from the time that passed.
    pub(super) fn settle(&mut self) {
        let now = self.now;
        for at in 0..self.parcels.len() {
            let Some(parcel) = self.parcels.get(at) else { return };
            match parcel.state {
                State::Brought { socket, at: since } if parcel.is_event && since + TAKE_SECONDS < now => {
                    self.try_again(
                        at,
                        since + TAKE_SECONDS,
                        if socket.is_some() { "timeout" } else { "http_timeout" },
                    );
                }
                State::Waiting(_) if parcel.born_at + PATIENCE_SECONDS + TAKE_SECONDS < now => {
                    self.set_state(at, State::Lost);
                }
                _ => {}
            }
        }
        self.expire_taps();
        self.end_sockets_in_time();
        self.dispatch();
    }

    /// The next thing to bring over HTTP. Events of one app come one at a time.
    pub(super) fn next_request(&mut self) -> Option<(Parcel, String)> {
        let now = self.now;
        if self.cut {
            return None;
        }
        let is_busy = |app: &str| {
            let busy = |parcel: &Parcel| {
                parcel.app == app
                    && parcel.is_event
                    && matches!(parcel.state, State::Brought { socket: None, .. })
            };
            self.parcels.iter().any(busy)
        };
        let (at, url) = self.parcels.iter().enumerate().find_map(|(at, parcel)| {
            let due = matches!(parcel.state, State::Waiting(from) if from <= now);
            let Door::Http { events, interactions } = &self.app(&parcel.app).door else { return None };
            let free = !parcel.is_event || !is_busy(&parcel.app);
            (due && free).then(|| (at, if parcel.is_event { events } else { interactions }.clone()))
        })?;
        self.set_state(at, State::Brought { socket: None, at: now });
        Some((self.parcels.get(at)?.clone(), url))
    }

    /// What became of it: the status and body of the answer, or why there was none.
    pub(super) fn settle_request(&mut self, id: u64, answer: Result<(u16, bool, Value), String>) {
        let Some(at) = self.parcels.iter().position(|parcel| parcel.id == id) else { return };
        let Some(parcel) = self.parcels.get_mut(at) else { return };
        let tap = parcel.tap;
        parcel.statuses.push(answer.as_ref().map_or(0, |(status, ..)| *status));
        // What came too late was tried again already.
        let State::Brought { socket: None, at: since } = parcel.state else { return };
        let in_time = since + TAKE_SECONDS >= self.now;
        let (reason, no_retry) = match answer {
            Ok((200..300, _, body)) if in_time => return self.take(at, body),
            Ok((200..300, no_retry, _)) => ("http_timeout", no_retry),
            Ok((_, no_retry, _)) => ("http_error", no_retry),
            Err(_) => ("connection_failed", false),
        };
        self.try_again(at, since, reason);
        if no_retry {
            self.set_state(at, State::Lost);
        }
        self.fail_tap(tap, reason);
    }

    /// Brings the newest delivery of an app once more.
    pub(super) fn deliver_again(&mut self, app: &str) -> bool {
        let is_it =
            |parcel: &Parcel| parcel.app == app && !parcel.sockets.is_empty() | !parcel.statuses.is_empty();
        let Some(at) = self.parcels.iter().rposition(is_it) else { return false };
        let now = self.now;
        if let Some(parcel) = self.parcels.get_mut(at) {
            parcel.retries += 1;
            parcel.reason = Some("timeout");
            parcel.born_at = now;
            parcel.state = State::Waiting(now);
        }
        self.dispatch();
        true
    }

    pub(super) fn is_quiet(&self, app: &str) -> bool {
        let is_over = |parcel: &Parcel| matches!(parcel.state, State::Taken | State::Lost);
        self.parcels.iter().filter(|parcel| parcel.app == app).all(is_over)
    }

    pub(super) fn deliveries(&self, app: &str) -> Vec<Delivery> {
        let delivery = |parcel: &Parcel| Delivery {
            envelope_id: parcel.envelope.clone(),
            kind: if parcel.is_event { "events_api" } else { "interactive" },
            payload: parcel.payload.clone(),
            retries: parcel.retries,
            sockets: parcel.sockets.clone(),
            statuses: parcel.statuses.clone(),
            taken: parcel.state == State::Taken,
            lost: parcel.state == State::Lost,
            answers: parcel.answers.clone(),
        };
        self.parcels.iter().filter(|parcel| parcel.app == app).map(delivery).collect()
    }
}
