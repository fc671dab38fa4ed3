//! A gateway with a virtual clock and a fake store, and peers that speak JSON to it. Checks nothing itself.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use askrelay_core::id::{Fresh, PersonId};
use askrelay_core::permit::Caller;
use askrelay_core::time::Time;
use askrelay_gateway::{Clock, Config, Gateway, Parts};
use askrelay_protocol::frame::{Caps, ClientFrame, ServerFrame};
use askrelay_store::{MemoryStore, Store};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// When every test begins.
pub(crate) const START: i64 = 1_796_000_000_000;

/// No test waits longer for anything, in virtual time.
const PATIENCE: Duration = Duration::from_secs(60);

/// Follows the runtime's paused clock.
#[derive(Debug)]
struct VirtualClock {
    begins: Time,
    since: Instant,
}

/// Counts.
struct Numbers(u64);

/// A gateway and what is behind it.
pub(crate) struct World {
    pub(crate) gateway: Gateway,
    pub(crate) store: Arc<MemoryStore>,
}

/// One connection that speaks JSON.
pub(crate) struct Peer {
    requests: mpsc::Sender<ClientFrame>,
    frames: mpsc::Receiver<ServerFrame>,
    caps: Caps,
    next: u64,
    responses: VecDeque<Value>,
    events: VecDeque<Value>,
}

impl Clock for VirtualClock {
    fn now(&self) -> Time {
        Time(self.begins.0 + i64::try_from(self.since.elapsed().as_millis()).unwrap_or_default())
    }
}

impl Fresh for Numbers {
    fn bytes(&mut self) -> [u8; 16] {
        self.0 += 1;
        u128::from(self.0).to_le_bytes()
    }
}

pub(crate) async fn start_at(store: Arc<dyn Store>, config: Config, begins: Time) -> Gateway {
    let clock = Arc::new(VirtualClock { begins, since: Instant::now() });
    let parts = Parts { config, store, clock, fresh: Box::new(Numbers(0)) };
    Gateway::start(parts).await.expect("it starts")
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let store = Arc::new(MemoryStore::default());
        let mut config = Config::default();
        change(&mut config);
        let gateway = start_at(Arc::clone(&store) as Arc<dyn Store>, config, Time(START)).await;
        Self { gateway, store }
    }

    /// The ring's own connection, in the wide shape.
    pub(crate) async fn ring(&self) -> Peer {
        self.peer(Caller::Ring, json!({"caps": ["askrelay/1"]})).await
    }

    /// A local process, in the wide shape.
    pub(crate) async fn local(&self) -> Peer {
        self.peer(local(), json!({"caps": ["askrelay/1"]})).await
    }

    /// A connection that has joined; `extra` goes into its `connect`.
    pub(crate) async fn peer(&self, caller: Caller, extra: Value) -> Peer {
        peer_of(&self.gateway, caller, extra).await
    }

    /// The bearer of a new token.
    pub(crate) async fn bearer(&self, person: Option<&str>, scopes: &[&str], caps: &[&str]) -> Peer {
        let token = self.token(person, scopes).await;
        self.peer(local(), json!({"auth": {"token": token}, "scopes": scopes, "caps": caps})).await
    }

    pub(crate) async fn token(&self, person: Option<&str>, scopes: &[&str]) -> String {
        let mut new = json!({"scopes": scopes});
        if let Some(person) = person {
            new["person"] = json!(person);
        }
        let made = self.local().await.ok("tokens.create", new).await;
        made["token"].as_str().expect("a token").to_owned()
    }

    /// Adds a person.
    pub(crate) async fn person(&self, id: &str, scopes: &[&str]) {
        let person = json!({"person": {"id": id, "displayName": id, "scopes": scopes, "identities": []}});
        self.local().await.ok("people.put", person).await;
    }

    /// A connection that has not joined yet.
    pub(crate) fn knock(&self, caller: Caller, extra: &Value) -> Peer {
        knock_at(&self.gateway, caller, extra)
    }
}

/// A connection of the gateway that has joined.
pub(crate) async fn peer_of(gateway: &Gateway, caller: Caller, extra: Value) -> Peer {
    let mut peer = knock_at(gateway, caller, &extra);
    let hello = peer.connect(extra).await;
    hello.expect("it may join");
    peer
}

fn knock_at(gateway: &Gateway, caller: Caller, extra: &Value) -> Peer {
    let caps: Vec<&str> = extra["caps"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let (requests, frames) = gateway.connect(caller);
    Peer {
        requests,
        frames,
        caps: Caps::named(&caps),
        next: 0,
        responses: VecDeque::new(),
        events: VecDeque::new(),
    }
}

impl Peer {
    /// The handshake.
    pub(crate) async fn connect(&mut self, extra: Value) -> Result<Value, Value> {
        assert_eq!(self.event().await["event"], "connect.challenge");
        let mut params = json!({
            "minProtocol": 4, "maxProtocol": 4, "role": "operator", "scopes": ["operator.questions"],
            "client": {"id": "gateway-client", "mode": "test", "version": "1", "platform": "linux"},
        });
        for (name, value) in extra.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        self.call("connect", params).await
    }

    /// Sends a request and gives its id.
    pub(crate) async fn begin(&mut self, method: &str, params: Value) -> String {
        self.next += 1;
        let id = self.next.to_string();
        let text = json!({"type": "req", "id": id, "method": method, "params": params}).to_string();
        self.say(&text).await;
        id
    }

    /// Sends any text.
    pub(crate) async fn say(&mut self, text: &str) {
        let frame = ClientFrame::parse(text, self.caps).expect("JSON");
        self.requests.send(frame).await.expect("the gateway listens");
    }

    /// The response to one request: its payload or its error.
    pub(crate) async fn reply(&mut self, id: &str) -> Result<Value, Value> {
        let began = Instant::now();
        loop {
            assert!(began.elapsed() < PATIENCE, "no reply to request {id}");
            if let Some(at) = self.responses.iter().position(|frame| frame["id"] == id) {
                let frame = self.responses.remove(at).expect("it is there");
                return if frame["ok"] == true {
                    Ok(frame["payload"].clone())
                } else {
                    Err(frame["error"].clone())
                };
            }
            self.read().await;
        }
    }

    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.begin(method, params).await;
        self.reply(&id).await
    }

    /// The payload of a call that must succeed.
    pub(crate) async fn ok(&mut self, method: &str, params: Value) -> Value {
        self.call(method, params).await.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// What went wrong, in one line: the finest word that programs branch on.
    pub(crate) async fn err(&mut self, method: &str, params: Value) -> String {
        match self.call(method, params).await {
            Ok(payload) => format!("ok {payload}"),
            Err(error) => fault(&error),
        }
    }

    /// The next event; a tick may take its time.
    pub(crate) async fn event(&mut self) -> Value {
        loop {
            if let Some(event) = self.events.pop_front() {
                return event;
            }
            self.read().await;
        }
    }

    /// The events that came so far, as their names and the ids in them; every earlier call has been answered.
    pub(crate) async fn heard(&mut self) -> Vec<String> {
        self.call("question.list", json!({})).await.ok();
        self.events.drain(..).map(|event| heard(&event)).collect()
    }

    /// Everything sent on this connection so far has been looked at, saved or not.
    pub(crate) async fn settle(&mut self) {
        self.err("question.get", json!({"id": "nonexistent"})).await;
    }

    /// Memory is as the store has it, after a failed commit.
    pub(crate) async fn recovered(&mut self) {
        while self.err("question.get", json!({"id": "nonexistent"})).await == "UNAVAILABLE" {
            tokio::task::yield_now().await;
        }
    }

    /// Whether the gateway has closed the connection, after everything it still said.
    pub(crate) async fn closed(&mut self) -> bool {
        while let Some(frame) = self.frames.recv().await {
            self.keep(&frame);
        }
        true
    }

    async fn read(&mut self) {
        let frame = self.frames.recv().await;
        let frame = frame.expect("the gateway is there");
        self.keep(&frame);
    }

    fn keep(&mut self, frame: &ServerFrame) {
        let value: Value = serde_json::from_str(&frame.encode(self.caps)).expect("frames are JSON");
        if value["type"] == "res" { self.responses.push_back(value) } else { self.events.push_back(value) }
    }
}

pub(crate) fn local() -> Caller {
    Caller::Local { owner: PersonId::from("owner") }
}

fn heard(event: &Value) -> String {
    let payload = &event["payload"];
    let name = event["event"].as_str().unwrap_or_default();
    match (payload["id"].as_str(), payload["status"].as_str()) {
        (Some(id), Some(status)) => format!("{name} {id} {status}"),
        _ => name.to_owned(),
    }
}

/// The finest word that programs branch on.
pub(crate) fn fault(error: &Value) -> String {
    let details = &error["details"];
    let word = [&details["reason"], &details["code"], &error["code"]];
    word.into_iter().find_map(Value::as_str).unwrap_or_default().to_owned()
}

/// One question with two choices, under this id.
pub(crate) fn ask(id: &str) -> Value {
    json!({
        "id": id,
        "sessionKey": "agent:main:main",
        "questions": [{
            "questionId": "q", "header": "Target", "question": "Where?",
            "options": [{"label": "Staging"}, {"label": "Production"}],
        }],
    })
}

/// An answer to [`ask`].
pub(crate) fn answer(id: &str, value: &str) -> Value {
    json!({"id": id, "answers": {"answers": {"q": [value]}}})
}

/// An answer that the ring forwards for a person.
pub(crate) fn answer_by(id: &str, value: &str, person: &str) -> Value {
    let mut params = answer(id, value);
    params["actor"] = json!({"person": person, "way": "control"});
    params
}
