//! A small program at the other end of a socket: it takes envelopes and acknowledges them.

use std::time::Duration;

use askrelay_kit::slack::{App, StandIn};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// One socket.
pub(crate) struct Listener {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub(crate) hello: Value,
}

impl Listener {
    pub(crate) async fn connect(platform: &StandIn, app: &App) -> Self {
        Self::connect_to(&address(platform, app).await).await.unwrap()
    }

    pub(crate) async fn connect_to(url: &str) -> Result<Self, String> {
        let (socket, _) = connect_async(url).await.map_err(|error| error.to_string())?;
        let mut listener = Self { socket, hello: Value::Null };
        listener.hello = listener.frame().await.ok_or("no first frame")?;
        Ok(listener)
    }

    /// The next frame; `None` when the socket ended.
    pub(crate) async fn frame(&mut self) -> Option<Value> {
        loop {
            let waited = tokio::time::timeout(Duration::from_secs(30), self.socket.next()).await;
            match waited.expect("a frame, or the end") {
                Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).ok(),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// The next envelope, which is acknowledged; what is in it.
    pub(crate) async fn take(&mut self) -> Value {
        let frame = self.frame().await.expect("an envelope");
        self.acknowledge(&frame, None).await;
        frame["payload"].clone()
    }

    /// The next event, which is acknowledged; what is in it.
    pub(crate) async fn event(&mut self) -> Value {
        self.take().await["event"].clone()
    }

    pub(crate) async fn acknowledge(&mut self, frame: &Value, payload: Option<Value>) {
        let mut answer = json!({ "envelope_id": frame["envelope_id"] });
        if let Some(payload) = payload {
            answer["payload"] = payload;
        }
        self.send(&answer.to_string()).await;
    }

    pub(crate) async fn send(&mut self, text: &str) {
        self.socket.send(Message::Text(text.into())).await.unwrap();
    }
}

/// An address for one socket.
pub(crate) async fn address(platform: &StandIn, app: &App) -> String {
    let (_, body) = platform.call(&app.app_token(), "apps.connections.open", &json!({})).await.unwrap();
    body["url"].as_str().unwrap_or_else(|| panic!("no address: {body}")).to_owned()
}
