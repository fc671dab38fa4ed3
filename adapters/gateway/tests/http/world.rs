//! A gateway on a real socket, and the smallest HTTP client that shows what went over it. Time is tokio's and paused: it
//! moves only when everybody waits.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use askrelay_core::id::Fresh;
use askrelay_core::permit::{Caller, WireScope};
use askrelay_core::person::{Person, Scope};
use askrelay_core::time::Time;
use askrelay_gateway::{Clock, Config, Gateway, Parts, http};
use askrelay_protocol::call::{NewToken, PeopleCall, TokenCall};
use askrelay_protocol::connect::Connect;
use askrelay_protocol::frame::{CAP, Call, ClientFrame, ServerFrame};
use askrelay_protocol::reply::Reply;
use askrelay_store::MemoryStore;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// When every world begins, milliseconds since 1970.
pub(crate) const BEGIN: i64 = 1_800_000_000_000;

/// A host that the guard lets through.
pub(crate) const HOST: (&str, &str) = ("Host", "localhost");

pub(crate) struct World {
    pub(crate) gateway: Gateway,
    pub(crate) store: Arc<MemoryStore>,
    /// Where everybody needs a token.
    pub(crate) open: To,
    /// Where callers without a token are local processes of the owner.
    pub(crate) local: To,
    _folder: TempDir,
    link: (mpsc::Sender<ClientFrame>, mpsc::Receiver<ServerFrame>),
}

/// Where to send a request.
#[derive(Clone)]
pub(crate) enum To {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

trait Socket: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Socket for S {}
type Lines = BufReader<Box<dyn Socket>>;

/// What came back.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

/// A response that has no end.
pub(crate) struct Stream {
    pub(crate) head: Response,
    lines: Lines,
}

#[derive(Debug)]
struct TokioClock(Instant);

struct Counting(u128);

impl Clock for TokioClock {
    fn now(&self) -> Time {
        Time(BEGIN + i64::try_from(self.0.elapsed().as_millis()).expect("a short test"))
    }
}

impl Fresh for Counting {
    fn bytes(&mut self) -> [u8; 16] {
        self.0 += 1;
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).to_be_bytes()
    }
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(Config::default()).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        let store = Arc::new(MemoryStore::new(Arc::new(config.metrics.clone())));
        let parts = Parts {
            config: config.clone(),
            store: Arc::<MemoryStore>::clone(&store),
            clock: Arc::new(TokioClock(Instant::now())),
            fresh: Box::new(Counting(0)),
        };
        let gateway = Gateway::start(parts).await.expect("it starts");
        let router = http::guarded(http::router(&gateway).merge(gateway.websocket()), &gateway);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let open = To::Tcp(listener.local_addr().expect("bound"));
        gateway.serve_tcp(listener, router.clone());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("socket");
        gateway.serve_unix(UnixListener::bind(&path).expect("bound"), router);
        let local = To::Unix(path);
        let link = gateway.connect(Caller::Local { owner: config.owner.clone() });
        let mut world = Self { gateway, store, open, local, _folder: folder, link };
        let connect = Connect {
            min_protocol: 4,
            max_protocol: 4,
            scopes: vec!["operator.questions".to_owned()],
            caps: vec![CAP.to_owned()],
            ..Connect::default()
        };
        world.call(Call::Connect(Box::new(connect))).await;
        world
    }

    /// One call of the owner's own process, past HTTP: what HTTP has no routes for.
    pub(crate) async fn call(&mut self, call: Call) -> Reply {
        self.link.0.send(ClientFrame::Request { id: "1".to_owned(), call }).await.expect("it runs");
        loop {
            match self.link.1.recv().await.expect("it runs") {
                ServerFrame::Response { result, .. } => return result.expect("it is done"),
                ServerFrame::Event { .. } => {}
            }
        }
    }

    /// Adds a Person.
    pub(crate) async fn person(&mut self, id: &str, scopes: &[Scope]) {
        let person = Person {
            id: id.into(),
            display_name: id.to_uppercase(),
            scopes: scopes.iter().copied().collect(),
            identities: BTreeSet::new(),
        };
        self.call(Call::People(PeopleCall::Put(person))).await;
    }

    /// A new token.
    pub(crate) async fn token(&mut self, person: Option<&str>, scopes: &[WireScope]) -> String {
        let token = NewToken {
            person: person.map(Into::into),
            scopes: scopes.iter().copied().collect(),
            label: None,
            expires_at: None,
        };
        match self.call(Call::Tokens(TokenCall::Create(token))).await {
            Reply::TokenCreated { token, .. } => token.expose().to_owned(),
            other => panic!("no token: {other:?}"),
        }
    }

    /// The owner's own token, with all rights.
    pub(crate) async fn owner(&mut self) -> String {
        self.token(Some("owner"), &[WireScope::Questions, WireScope::SessionsWrite, WireScope::Admin]).await
    }

    /// One request with a token, and perhaps a JSON body.
    pub(crate) async fn send(&self, token: &str, method: &str, path: &str, body: Option<Value>) -> Response {
        let bearer = format!("Bearer {token}");
        send(&self.open, method, path, &[HOST, ("Authorization", &bearer)], body.map(|body| body.to_string()))
            .await
    }

    /// The same from a local process without a token.
    pub(crate) async fn send_local(&self, method: &str, path: &str, body: Option<Value>) -> Response {
        send(&self.local, method, path, &[HOST], body.map(|body| body.to_string())).await
    }

    /// Asks what `question` gives and returns the id.
    pub(crate) async fn ask(&self, token: &str, body: Value) -> String {
        let asked = self.send(token, "POST", "/v1/asks", Some(body)).await;
        assert_eq!(asked.status, 201, "{asked:?}");
        asked.json()["id"].as_str().expect("an id").to_owned()
    }

    /// Opens an event stream.
    pub(crate) async fn listen(&self, token: &str, heard: Option<&str>) -> Stream {
        let bearer = format!("Bearer {token}");
        let mut headers = vec![HOST, ("Authorization", bearer.as_str())];
        headers.extend(heard.map(|heard| ("Last-Event-ID", heard)));
        let mut lines = BufReader::new(open(&self.open, "GET", "/v1/events", &headers, None).await);
        let head = head(&mut lines).await;
        Stream { head, lines }
    }
}

/// A question with two choices and room for own words.
pub(crate) fn question() -> Value {
    json!({"questions": [{
        "questionId": "target",
        "question": "Where to?",
        "options": [{"label": "Staging"}, {"label": "Production"}],
    }]})
}

/// `question` and more members.
pub(crate) fn question_with(extra: Value) -> Value {
    let mut body = question();
    body.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
    body
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The code of an error.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

impl Stream {
    /// The next event: its name, id and data; comments are `:` events.
    pub(crate) async fn next(&mut self) -> Option<(String, String, Value)> {
        let (mut name, mut id, mut data) = (String::new(), String::new(), Value::Null);
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            match line.trim_end_matches(['\r', '\n']).split_once(':') {
                Some(("event", value)) => name = value.trim_start().to_owned(),
                Some(("id", value)) => id = value.trim_start().to_owned(),
                Some(("data", value)) => data = serde_json::from_str(value).expect("JSON"),
                Some(("", _)) => name = ":".to_owned(),
                // The sizes of chunks stand on lines of their own.
                Some(_) => {}
                None if line.trim().is_empty() && !(name.is_empty() && id.is_empty()) => {
                    return Some((name, id, data));
                }
                None => {}
            }
        }
    }
}

/// One request and its whole response.
pub(crate) async fn send(
    to: &To,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<String>,
) -> Response {
    let mut lines = BufReader::new(open(to, method, path, headers, body).await);
    let mut response = head(&mut lines).await;
    lines.read_to_string(&mut response.body).await.expect("a body");
    response
}

async fn open(
    to: &To,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<String>,
) -> Box<dyn Socket> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Some(body) = &body {
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            text.push_str("Content-Type: application/json\r\n");
        }
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-length")) {
            text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
    }
    text.push_str("\r\n");
    text.push_str(body.as_deref().unwrap_or_default());
    let mut stream: Box<dyn Socket> = match to {
        To::Tcp(address) => Box::new(TcpStream::connect(address).await.expect("it listens")),
        To::Unix(path) => Box::new(UnixStream::connect(path).await.expect("it listens")),
    };
    stream.write_all(text.as_bytes()).await.expect("it reads");
    stream
}

async fn head(lines: &mut Lines) -> Response {
    let mut first = String::new();
    lines.read_line(&mut first).await.expect("a head");
    let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        lines.read_line(&mut line).await.expect("a head");
        match line.trim_end().split_once(':') {
            Some((name, value)) => headers.insert(name.to_ascii_lowercase(), value.trim().to_owned()),
            None => break,
        };
    }
    Response {
        status: status.unwrap_or_else(|| panic!("no status: {first:?}")),
        headers,
        body: String::new(),
    }
}
