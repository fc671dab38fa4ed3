//! A gateway that does what a test says, frame by frame, and the settings of a client that is quick to come back.

use futures_util::{SinkExt, StreamExt};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, accept_async};

use askrelay_core::answer::{Actor, Answered, Answers, Way};
use askrelay_core::ask::{Ask, Binding, Choice, Creator, Origin, Question, WhenUnanswered};
use askrelay_core::id::RecordKey;
use askrelay_core::person::Scopes;
use askrelay_core::record::{Record, State};
use askrelay_core::time::{Span, Time};
use askrelay_protocol::connect::{Connect, HelloOk, Policy};
use askrelay_protocol::error::WireError;
use askrelay_protocol::frame::{CAP, Call, Caps, Challenge, ClientFrame, Event, PROTOCOL, ServerFrame};
use askrelay_protocol::reply::Reply;

use crate::{Backoff, Client, ConnectError, Link, Settings, open};

/// Longer than any step of a script takes; reached only when something hangs.
const HANG: Duration = Duration::from_secs(20);

/// A client under test and the work behind it.
pub(super) struct Subject {
    pub(super) client: Client,
    pub(super) driver: JoinHandle<std::sync::Arc<ConnectError>>,
}

/// A listening gateway.
pub(super) struct Peer {
    listener: TcpListener,
    caps: Caps,
    tick_interval_ms: u64,
}

/// One accepted connection.
pub(super) struct Connection {
    socket: WebSocketStream<TcpStream>,
    caps: Caps,
    seq: u64,
}

/// Fails instead of hanging.
pub(super) async fn soon<T>(future: impl Future<Output = T>) -> T {
    timeout(HANG, future).await.expect("the script hangs here")
}

pub(super) fn settings() -> Settings {
    let quick = Backoff { first: Duration::from_millis(1), most: Duration::from_millis(5) };
    Settings { backoff: quick, busy: quick, ..Settings::new("gate".into()) }
}

pub(super) fn subject(settings: Settings, link: Link) -> Subject {
    let (client, driver) = open(settings, link);
    Subject { client, driver: tokio::spawn(driver.run()) }
}

impl Peer {
    /// One that speaks the extension.
    pub(super) async fn wide() -> Self {
        Self::listening(Caps::WIDE).await
    }

    /// One that speaks the plain protocol only.
    pub(super) async fn plain() -> Self {
        Self::listening(Caps::PLAIN).await
    }

    async fn listening(caps: Caps) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self { listener, caps, tick_interval_ms: 60_000 }
    }

    pub(super) fn ticking(mut self, tick_interval_ms: u64) -> Self {
        self.tick_interval_ms = tick_interval_ms;
        self
    }

    pub(super) fn link(&self) -> Link {
        Link::Tcp(format!("ws://{}", self.listener.local_addr().unwrap()))
    }

    pub(super) fn subject(&self) -> Subject {
        subject(settings(), self.link())
    }

    /// The next TCP connection, before anything was said on it.
    pub(super) async fn raw(&self) -> TcpStream {
        soon(self.listener.accept()).await.unwrap().0
    }

    /// The next connection up to its connect request, which the script answers.
    pub(super) async fn challenge(&self) -> (Connection, String, Connect) {
        let stream = self.raw().await;
        let socket = soon(accept_async(stream)).await.unwrap();
        let mut connection = Connection { socket, caps: self.caps, seq: 0 };
        let capabilities = if self.caps.wide { vec![CAP.to_owned()] } else { vec!["other".to_owned()] };
        let challenge = Challenge { nonce: "nonce-1".to_owned(), ts: Time(1_796_057_711_239), capabilities };
        connection.send(ServerFrame::Event { seq: None, event: Event::Challenge(challenge) }).await;
        match connection.call().await {
            (id, Call::Connect(connect)) => (connection, id, *connect),
            (_, other) => panic!("the first request is {other:?}"),
        }
    }

    /// The next connection, let in.
    pub(super) async fn accept(&self) -> Connection {
        let (mut connection, id, _) = self.challenge().await;
        let hello = self.hello();
        connection.reply(id, Reply::HelloOk(Box::new(hello))).await;
        connection
    }

    pub(super) fn hello(&self) -> HelloOk {
        let capabilities = if self.caps.wide { vec![CAP.to_owned()] } else { Vec::new() };
        let policy = Policy { tick_interval_ms: self.tick_interval_ms, ..Policy::default() };
        HelloOk { protocol: PROTOCOL, capabilities, policy, ..HelloOk::default() }
    }
}

impl Connection {
    pub(super) async fn send(&mut self, frame: ServerFrame) {
        self.text(&frame.encode(self.caps)).await;
    }

    pub(super) async fn text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    pub(super) async fn binary(&mut self, text: &str) {
        self.socket.send(Message::binary(text.as_bytes().to_vec())).await.unwrap();
    }

    /// The next request.
    pub(super) async fn call(&mut self) -> (String, Call) {
        loop {
            match soon(self.socket.next()).await {
                Some(Ok(Message::Text(text))) => match ClientFrame::parse(&text, self.caps).unwrap() {
                    ClientFrame::Request { id, call } => return (id, call),
                    ClientFrame::Invalid { error, .. } => panic!("{text}: {error}"),
                },
                Some(Ok(_)) => {}
                other => panic!("instead of a request: {other:?}"),
            }
        }
    }

    /// Pings the client, which has nothing to say; what it pings back.
    pub(super) async fn ping(&mut self, word: &'static [u8]) -> Vec<u8> {
        self.socket.send(Message::Ping(word.into())).await.unwrap();
        match soon(self.socket.next()).await {
            Some(Ok(Message::Pong(word))) => word.to_vec(),
            other => panic!("instead of a pong: {other:?}"),
        }
    }

    /// Whether the client said goodbye.
    pub(super) async fn is_closed(&mut self) -> bool {
        loop {
            match soon(self.socket.next()).await {
                Some(Ok(Message::Close(_))) | None => return true,
                Some(Err(_)) => return false,
                Some(Ok(_)) => {}
            }
        }
    }

    pub(super) async fn reply(&mut self, id: String, reply: Reply) {
        self.send(ServerFrame::Response { id, result: Ok(reply) }).await;
    }

    pub(super) async fn refuse(&mut self, id: String, error: WireError) {
        self.send(ServerFrame::Response { id, result: Err(error) }).await;
    }

    pub(super) async fn event(&mut self, event: Event) {
        self.seq += 1;
        self.send(ServerFrame::Event { seq: Some(self.seq), event }).await;
    }

    /// Loses one event on the way.
    pub(super) fn skip(&mut self) {
        self.seq += 1;
    }
}

pub(super) fn question() -> Question {
    Question {
        id: "target".into(),
        text: "Where?".to_owned(),
        choices: ["A", "B"].map(Choice::new).to_vec(),
        ..Question::default()
    }
}

/// A pending Record; the later the number, the later it was created.
pub(super) fn record(id: &str, number: i64) -> Record {
    let creator = Creator { person: None, token: None, binding: Binding::Attached, scopes: Scopes::new() };
    let ask = Ask {
        questions: vec![question()],
        wait: Span::seconds(900),
        origin: Origin::default(),
        creator,
        answerers: Vec::new(),
        places: Vec::new(),
        needs_surface: false,
        when_unanswered: WhenUnanswered::Fail,
        terminal_proof: None,
    };
    let created_at = Time(1_796_057_711_000 + number);
    let key = RecordKey { gateway: "gate".into(), id: id.into(), created_at };
    Record {
        expires_at: created_at.after(ask.wait),
        key,
        ask,
        state: State::Pending,
        late: Vec::new(),
        collected: None,
    }
}

pub(super) fn answers() -> Answers {
    Answers([("target".into(), vec!["A".to_owned()])].into())
}

pub(super) fn actor() -> Actor {
    Actor::new(Some("ada".into()), Way::Control)
}

/// The same Record, answered by this resolution.
pub(super) fn answered(record: &Record, resolution: &str) -> Record {
    let answered = Answered {
        answers: answers(),
        notes: Default::default(),
        words: None,
        by: actor(),
        by_name: None,
        at: Time(record.key.created_at.0 + 5),
        resolution: resolution.into(),
    };
    Record { state: State::Answered(Box::new(answered)), ..record.clone() }
}
