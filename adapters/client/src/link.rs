//! The three ways to a gateway: typed frames inside the process, and JSON text over a WebSocket on TCP or on a Unix
//! socket. Opens and moves frames; what they mean is [`crate::session`]'s.

use futures_util::future::BoxFuture;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async_tls_with_config};

use askrelay_protocol::decode::NotAFrame;
use askrelay_protocol::encode::encode_request;
use askrelay_protocol::frame::{Call, Caps, ClientFrame, ServerFrame};

use crate::error::ConnectError;
use crate::tls::{self, Fingerprint};

/// The two ends of a connection inside the process.
pub type MemoryEnds = (mpsc::Sender<ClientFrame>, mpsc::Receiver<ServerFrame>);

/// A connection that a [`Connector`] opened.
#[derive(Debug)]
pub enum Opened {
    /// Inside the process.
    Memory(MemoryEnds),
    /// A Unix socket, before its WebSocket handshake.
    #[cfg(unix)]
    Unix(tokio::net::UnixStream),
}

/// Finds the gateway anew each time: it may have moved to another process, or into this one.
pub trait Connector: Send + Sync + 'static {
    /// Opens one connection.
    fn connect(&self) -> BoxFuture<'_, Result<Opened, ConnectError>>;
}

/// The way to a gateway; opened again after each loss.
#[derive(Clone)]
pub enum Link {
    /// Wherever the connector finds the gateway at that moment.
    Found(Arc<dyn Connector>),
    /// Inside the process: asks the gateway for a new pair of ends.
    Memory(Arc<dyn Fn() -> MemoryEnds + Send + Sync>),
    /// A WebSocket over TCP, `ws://HOST:PORT[/PATH]`, or over TLS, `wss://HOST[:PORT][/PATH]`.
    Tcp(String),
    /// A WebSocket over TLS to whoever holds the certificate of this fingerprint.
    Pinned(String, Fingerprint),
    /// A WebSocket over a Unix socket.
    #[cfg(unix)]
    Unix(PathBuf),
}

/// Longest frame taken from a gateway, in bytes: lists of a plain gateway come in one.
const FRAME_BYTES_MAX: usize = 256 << 20;

/// How an address over TLS begins.
const SECURE: &str = "wss://";

/// What a WebSocket over a Unix socket says it asks for: the Host allow-lists of gateways know this name.
#[cfg(unix)]
const UNIX_URL: &str = "ws://localhost/";

pub(crate) trait Pipe: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Pipe for T {}

type Socket = WebSocketStream<MaybeTlsStream<Box<dyn Pipe>>>;

/// The sending half of an open link.
pub(crate) enum Sending {
    Memory(mpsc::Sender<ClientFrame>),
    Socket(SplitSink<Socket, Message>),
}

/// Whether a request was queued.
pub(crate) enum Fed {
    Yes,
    /// It has so many bytes.
    TooLarge(u64),
}

/// The receiving half of an open link.
pub(crate) enum Receiving {
    Memory(mpsc::Receiver<ServerFrame>),
    Socket(SplitStream<Socket>),
}

impl Link {
    /// Opens the link. Cancelling it leaves nothing behind.
    pub(crate) async fn connect(&self) -> Result<(Sending, Receiving), ConnectError> {
        let unreachable = |source| ConnectError::Unreachable { link: self.to_string(), source };
        let (pipe, url): (Box<dyn Pipe>, &str) = match self {
            Self::Found(connector) => match connector.connect().await? {
                Opened::Memory(ends) => return Ok(halves(ends)),
                #[cfg(unix)]
                Opened::Unix(stream) => (Box::new(stream), UNIX_URL),
            },
            Self::Memory(connect) => return Ok(halves(connect())),
            Self::Tcp(url) | Self::Pinned(url, _) => {
                let stream = TcpStream::connect(self.host_and_port()?).await.map_err(unreachable)?;
                stream.set_nodelay(true).map_err(unreachable)?;
                (Box::new(stream), url)
            }
            #[cfg(unix)]
            Self::Unix(path) => {
                let stream = tokio::net::UnixStream::connect(path).await.map_err(unreachable)?;
                (Box::new(stream), UNIX_URL)
            }
        };
        let config = WebSocketConfig::default()
            .max_message_size(Some(FRAME_BYTES_MAX))
            .max_frame_size(Some(FRAME_BYTES_MAX));
        let tls = self.tls()?;
        let opened = client_async_tls_with_config(url, pipe, Some(config), tls).await;
        let (socket, _) = opened.map_err(|error| {
            let status = match &error {
                Error::Http(response) => Some(response.status().as_u16()),
                _ => None,
            };
            ConnectError::Upgrade { link: self.to_string(), status, source: Box::new(error) }
        })?;
        let (sending, receiving) = socket.split();
        Ok((Sending::Socket(sending), Receiving::Socket(receiving)))
    }

    /// How the gateway's certificate is judged; nothing where the usual authorities do, or where there is none.
    fn tls(&self) -> Result<Option<tokio_tungstenite::Connector>, ConnectError> {
        let Self::Pinned(_, pin) = self else { return Ok(None) };
        let config = tls::config(*pin).map_err(|error| ConnectError::Tls(Box::new(error)))?;
        Ok(Some(tokio_tungstenite::Connector::Rustls(Arc::new(config))))
    }

    fn host_and_port(&self) -> Result<String, ConnectError> {
        let link = self.to_string();
        let open = link.strip_prefix("ws://").filter(|_| !matches!(self, Self::Pinned(..)));
        let secure = link.strip_prefix(SECURE);
        let port = if secure.is_some() { 443 } else { 80 };
        let Some(rest) = open.or(secure) else { return Err(ConnectError::Address { link }) };
        let host = rest.split(['/', '?']).next().unwrap_or_default();
        let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        match (host.is_empty(), has_port) {
            (true, _) => Err(ConnectError::Address { link }),
            (false, true) => Ok(host.to_owned()),
            (false, false) => Ok(format!("{host}:{port}")),
        }
    }
}

fn halves((requests, frames): MemoryEnds) -> (Sending, Receiving) {
    (Sending::Memory(requests), Receiving::Memory(frames))
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found(_) => f.write_str("the ring"),
            Self::Memory(_) => f.write_str("this process"),
            Self::Tcp(url) | Self::Pinned(url, _) => f.write_str(url),
            #[cfg(unix)]
            Self::Unix(path) => write!(f, "{}", path.display()),
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Link({self})")
    }
}

impl Sending {
    /// Queues one request of at most so many bytes; [`Sending::flush`] sends what is queued.
    pub(crate) async fn feed(
        &mut self,
        id: String,
        call: Call,
        caps: Caps,
        most: u64,
    ) -> Result<Fed, ConnectError> {
        match self {
            Self::Memory(requests) => {
                let frame = ClientFrame::Request { id, call };
                requests.send(frame).await.map_err(|_| ConnectError::Closed { reason: None })?;
            }
            Self::Socket(socket) => {
                let text = encode_request(&id, &call, caps);
                let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
                if bytes > most {
                    return Ok(Fed::TooLarge(bytes));
                }
                socket.feed(Message::text(text)).await.map_err(closed)?;
            }
        }
        Ok(Fed::Yes)
    }

    /// Sends what is queued.
    pub(crate) async fn flush(&mut self) -> Result<(), ConnectError> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Socket(socket) => socket.flush().await.map_err(closed),
        }
    }

    /// Says goodbye, as far as the other side still listens.
    pub(crate) async fn close(&mut self) {
        if let Self::Socket(socket) = self {
            // A side that is gone needs no goodbye.
            let _ = socket.close().await;
        }
    }
}

impl Receiving {
    /// The next frame, or text that is none. Ends with the reason when the connection is closed, or when a network stays
    /// silent for `patience`.
    pub(crate) async fn next(
        &mut self,
        patience: Duration,
        read: impl Fn(&str) -> Result<ServerFrame, NotAFrame>,
    ) -> Result<Result<ServerFrame, NotAFrame>, ConnectError> {
        let socket = match self {
            Self::Memory(frames) => {
                return frames.recv().await.map(Ok).ok_or(ConnectError::Closed { reason: None });
            }
            Self::Socket(socket) => socket,
        };
        loop {
            let message = timeout(patience, socket.next()).await;
            match message.map_err(|_| ConnectError::Silent(patience))? {
                Some(Ok(Message::Text(text))) => return Ok(read(&text)),
                Some(Ok(Message::Binary(bytes))) => {
                    let text = std::str::from_utf8(&bytes);
                    return Ok(text.map_err(|error| NotAFrame::Form(error.to_string())).and_then(read));
                }
                Some(Ok(Message::Close(frame))) => {
                    let reason = frame.map(|frame| format!("{} {}", frame.code, frame.reason));
                    return Err(ConnectError::Closed { reason });
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Err(error)) => return Err(closed(error)),
                None => return Err(ConnectError::Closed { reason: None }),
            }
        }
    }
}

fn closed(error: Error) -> ConnectError {
    ConnectError::Closed { reason: Some(error.to_string()) }
}
