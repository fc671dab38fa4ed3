//! Sockets for tests: a gateway on a real TCP or Unix listener, and a WebSocket client that shows every frame and close.

use std::time::Duration;

use askrelay_gateway::{Config, Gateway};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::world::{World, fault};

/// No test waits longer for anything that comes over a socket.
const PATIENCE: Duration = Duration::from_secs(20);

/// A gateway with a TCP listener.
pub(crate) struct Server {
    pub(crate) world: World,
    pub(crate) address: std::net::SocketAddr,
}

/// A client of one socket.
pub(crate) struct Client<S> {
    pub(crate) socket: WebSocketStream<S>,
    next: u64,
}

/// How a socket ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With a close frame.
    Closed(u16, String),
    /// Without one.
    Cut,
}

impl Server {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let world = World::with(change).await;
        let address = listen(&world.gateway).await;
        Self { world, address }
    }

    /// A socket with the challenge read.
    pub(crate) async fn knock(&self) -> Client<TcpStream> {
        let mut client = self.open().await.expect("it opens");
        assert_eq!(client.frame().await["event"], "connect.challenge");
        client
    }

    pub(crate) async fn open(&self) -> Result<Client<TcpStream>, Error> {
        let socket = TcpStream::connect(self.address).await.map_err(Error::Io)?;
        upgrade(socket).await
    }

    /// A joined client: the owner's, with all scopes, in the wide shape.
    pub(crate) async fn owner(&self) -> Client<TcpStream> {
        let scopes = ["operator.questions", "operator.admin"];
        let token = self.world.token(Some("owner"), &scopes).await;
        let mut client = self.knock().await;
        let extra = json!({"auth": {"token": token}, "scopes": scopes, "caps": ["askrelay/1"]});
        client.connect(extra).await.expect("it may join");
        client
    }
}

pub(crate) async fn listen(gateway: &Gateway) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    gateway.serve_tcp(listener, gateway.websocket());
    address
}

/// A client of a gateway that listens on this Unix socket.
pub(crate) async fn over_unix(gateway: &Gateway, path: &std::path::Path) -> Client<UnixStream> {
    let listener = UnixListener::bind(path).expect("a free path");
    gateway.serve_unix(listener, gateway.websocket());
    let socket = UnixStream::connect(path).await.expect("it listens");
    let mut client = upgrade(socket).await.expect("it opens");
    assert_eq!(client.frame().await["event"], "connect.challenge");
    client
}

async fn upgrade<S: AsyncRead + AsyncWrite + Unpin>(socket: S) -> Result<Client<S>, Error> {
    let (socket, _) = tokio_tungstenite::client_async("ws://localhost/", socket).await?;
    Ok(Client { socket, next: 0 })
}

impl<S: AsyncRead + AsyncWrite + Unpin> Client<S> {
    pub(crate) async fn say(&mut self, text: impl Into<String>) {
        self.socket.send(Message::text(text.into())).await.expect("it is sent");
    }

    /// The next frame, or how the socket ended.
    pub(crate) async fn read(&mut self) -> Result<Value, End> {
        loop {
            match timeout(PATIENCE, self.socket.next()).await.expect("something comes") {
                Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).expect("JSON")),
                Some(Ok(Message::Close(Some(close)))) => {
                    return Err(End::Closed(close.code.into(), close.reason.to_string()));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(_) | Err(_)) | None => return Err(End::Cut),
            }
        }
    }

    pub(crate) async fn frame(&mut self) -> Value {
        self.read().await.expect("a frame")
    }

    /// How the socket ends, whatever comes before.
    pub(crate) async fn end(&mut self) -> End {
        loop {
            if let Err(end) = self.read().await {
                return end;
            }
        }
    }

    pub(crate) async fn connect(&mut self, extra: Value) -> Result<Value, Value> {
        let text = self.connect_text(extra);
        self.say(text).await;
        let frame = self.frame().await;
        if frame["ok"] == true { Ok(frame["payload"].clone()) } else { Err(frame["error"].clone()) }
    }

    pub(crate) fn connect_text(&self, extra: Value) -> String {
        let mut params = json!({
            "minProtocol": 4, "maxProtocol": 4, "role": "operator", "scopes": ["operator.questions"],
            "client": {"id": "gateway-client", "mode": "backend", "version": "1", "platform": "linux"},
        });
        for (name, value) in extra.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        json!({"type": "req", "id": "hello", "method": "connect", "params": params}).to_string()
    }

    /// Sends a request and gives its id.
    pub(crate) async fn begin(&mut self, method: &str, params: Value) -> String {
        self.next += 1;
        let id = format!("c{}", self.next);
        self.say(json!({"type": "req", "id": id, "method": method, "params": params}).to_string()).await;
        id
    }

    /// One call; the frames before its response are dropped.
    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.begin(method, params).await;
        loop {
            let frame = self.frame().await;
            if frame["id"] == id.as_str() {
                return if frame["ok"] == true {
                    Ok(frame["payload"].clone())
                } else {
                    Err(frame["error"].clone())
                };
            }
        }
    }

    pub(crate) async fn ok(&mut self, method: &str, params: Value) -> Value {
        self.call(method, params).await.unwrap_or_else(|error| panic!("{method}: {}", fault(&error)))
    }
}
