//! One connection to a gateway in the plain protocol, with as little work per frame as possible: the machine's other core
//! belongs to the gateway.

use futures_util::{FutureExt, SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::json;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async};

/// Why a connection cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SocketError {
    /// Nothing listens there.
    #[error("cannot reach {url}")]
    Unreachable {
        /// Where.
        url: String,
        /// Why.
        source: std::io::Error,
    },
    /// It broke.
    #[error("the WebSocket broke")]
    WebSocket(#[from] Box<Error>),
    /// The gateway closed it.
    #[error("the gateway closed the connection: {0}")]
    Closed(String),
    /// It did not let us in.
    #[error("the gateway did not let us in: {0}")]
    Refused(String),
    /// It sent something else.
    #[error("the gateway sent something unexpected: {0}")]
    Unexpected(String),
}

/// What of a frame this program looks at. Ids are ours, so none needs unescaping.
#[derive(Debug, Deserialize)]
pub(crate) struct Frame<'a> {
    #[serde(default)]
    pub(crate) id: Option<&'a str>,
    #[serde(default)]
    pub(crate) event: Option<&'a str>,
    #[serde(default)]
    pub(crate) ok: bool,
    #[serde(borrow, default)]
    pub(crate) payload: Option<Payload<'a>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Payload<'a> {
    #[serde(default)]
    pub(crate) id: Option<std::borrow::Cow<'a, str>>,
    #[serde(default)]
    pub(crate) status: Option<&'a str>,
    #[serde(borrow, default)]
    pub(crate) questions: Option<Vec<Listed<'a>>>,
}

/// A question of a list, or of an ask: those have no id.
#[derive(Debug, Deserialize)]
pub(crate) struct Listed<'a> {
    #[serde(borrow, default)]
    pub(crate) id: Option<std::borrow::Cow<'a, str>>,
}

pub(crate) struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    /// Connects and shakes hands as OpenClaw's own back ends do.
    pub(crate) async fn connect(url: &str, token: &str) -> Result<Self, SocketError> {
        let host = url.trim_start_matches("ws://").split('/').next().unwrap_or_default();
        let unreachable = |source| SocketError::Unreachable { url: url.to_owned(), source };
        let stream = TcpStream::connect(host).await.map_err(unreachable)?;
        stream.set_nodelay(true).map_err(unreachable)?;
        let (socket, _) = client_async(url, stream).await.map_err(Box::new)?;
        let mut socket = Self(socket);
        // The challenge; without a device there is nothing in it to sign.
        socket.next().await?;
        let client =
            json!({ "id": "gateway-client", "mode": "backend", "version": "1.0.0", "platform": "linux" });
        let connect = json!({
            "minProtocol": 4, "maxProtocol": 4, "client": client, "role": "operator",
            "scopes": ["operator.questions", "operator.admin"], "caps": [], "auth": { "token": token },
        });
        socket.request("connect", "connect", &connect.to_string()).await?;
        socket.flush().await?;
        loop {
            let text = socket.next().await?;
            let frame = read(&text)?;
            match frame.id {
                Some("connect") if frame.ok => return Ok(socket),
                Some("connect") => return Err(SocketError::Refused(text.to_string())),
                _ => {}
            }
        }
    }

    /// Queues one request.
    pub(crate) async fn request(&mut self, id: &str, method: &str, params: &str) -> Result<(), SocketError> {
        let text = format!(r#"{{"type":"req","id":"{id}","method":"{method}","params":{params}}}"#);
        Ok(self.0.feed(Message::text(text)).await.map_err(Box::new)?)
    }

    /// Sends what is queued.
    pub(crate) async fn flush(&mut self) -> Result<(), SocketError> {
        Ok(self.0.flush().await.map_err(Box::new)?)
    }

    /// The next text.
    pub(crate) async fn next(&mut self) -> Result<Utf8Bytes, SocketError> {
        loop {
            if let Some(text) = text(self.0.next().await)? {
                return Ok(text);
            }
        }
    }

    /// The next text if one is there already.
    pub(crate) fn ready(&mut self) -> Result<Option<Utf8Bytes>, SocketError> {
        while let Some(message) = self.0.next().now_or_never() {
            if let Some(text) = text(message)? {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }
}

pub(crate) fn read(text: &str) -> Result<Frame<'_>, SocketError> {
    serde_json::from_str(text).map_err(|error| SocketError::Unexpected(format!("{error} in {text}")))
}

fn text(message: Option<Result<Message, Error>>) -> Result<Option<Utf8Bytes>, SocketError> {
    match message {
        Some(Ok(Message::Text(text))) => Ok(Some(text)),
        Some(Ok(Message::Close(frame))) => {
            Err(SocketError::Closed(frame.map(|frame| frame.reason.to_string()).unwrap_or_default()))
        }
        Some(Ok(_)) => Ok(None),
        Some(Err(error)) => Err(Box::new(error).into()),
        None => Err(SocketError::Closed("without a word".to_owned())),
    }
}
