//! A bot's program at the gateway, as small as it can be: it says what it is told to and shows what it hears. It does nothing by
//! itself, not even heartbeats.

use askrelay_kit::discord::{Bot, StandIn};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Guilds, their messages, and direct messages.
pub(crate) const INTENTS: u64 = 1 | 1 << 9 | 1 << 12;
/// The same with message content.
pub(crate) const WITH_CONTENT: u64 = INTENTS | 1 << 15;

/// One open gateway.
pub(crate) struct Program(WebSocketStream<MaybeTlsStream<TcpStream>>);

/// What a gateway said, or how it ended: the code of its close, if there was one.
#[derive(Debug, PartialEq)]
pub(crate) enum Heard {
    Payload(Value),
    Closed(Option<u16>),
}

impl Program {
    /// Opens a gateway and takes its HELLO.
    pub(crate) async fn open(platform: &StandIn) -> Self {
        Self::open_at(&format!("{}/?v=10&encoding=json", platform.gateway_url())).await
    }

    pub(crate) async fn open_at(url: &str) -> Self {
        let (socket, _) = connect_async(url).await.unwrap();
        let mut program = Self(socket);
        assert_eq!(program.payload().await["op"], 10);
        program
    }

    /// A gateway that was opened in another way; its HELLO was not taken.
    pub(crate) fn over(socket: WebSocketStream<MaybeTlsStream<TcpStream>>) -> Self {
        Self(socket)
    }

    /// Opens a gateway and identifies itself; the READY too.
    pub(crate) async fn start(platform: &StandIn, bot: &Bot, intents: u64) -> (Self, Value) {
        let mut program = Self::open(platform).await;
        program.identify(&bot.token(), intents).await;
        let ready = program.event("READY").await;
        (program, ready)
    }

    pub(crate) async fn identify(&mut self, token: &str, intents: u64) {
        let properties = json!({ "os": "linux", "browser": "test", "device": "test" });
        self.say(2, json!({ "token": token, "intents": intents, "properties": properties })).await;
    }

    pub(crate) async fn resume(&mut self, token: &str, session: &Value, seq: u64) {
        self.say(6, json!({ "token": token, "session_id": session, "seq": seq })).await;
    }

    pub(crate) async fn say(&mut self, op: u64, data: Value) {
        self.say_raw(json!({ "op": op, "d": data }).to_string()).await;
    }

    pub(crate) async fn say_raw(&mut self, text: String) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    pub(crate) async fn close(mut self, code: u16) {
        use tokio_tungstenite::tungstenite::protocol::CloseFrame;
        let frame = CloseFrame { code: code.into(), reason: "".into() };
        // One that the platform has closed already stays so.
        let _ = self.0.close(Some(frame)).await;
        while self.0.next().await.is_some_and(|heard| heard.is_ok()) {}
    }

    pub(crate) async fn hear(&mut self) -> Heard {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => {
                    return Heard::Payload(serde_json::from_str(text.as_str()).unwrap());
                }
                Some(Ok(Message::Close(frame))) => {
                    return Heard::Closed(frame.map(|frame| frame.code.into()));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Heard::Closed(None),
            }
        }
    }

    pub(crate) async fn payload(&mut self) -> Value {
        match self.hear().await {
            Heard::Payload(value) => value,
            Heard::Closed(code) => panic!("the gateway was closed: {code:?}"),
        }
    }

    /// The next event, which is of this kind: its data.
    pub(crate) async fn event(&mut self, kind: &str) -> Value {
        let mut payload = self.payload().await;
        assert_eq!(payload["t"], kind, "{payload}");
        payload["d"].take()
    }

    /// The code with which the gateway closes next, whatever it says before.
    pub(crate) async fn closed(&mut self) -> Option<u16> {
        loop {
            if let Heard::Closed(code) = self.hear().await {
                return code;
            }
        }
    }

    /// A gateway that was told everything says nothing more before this.
    pub(crate) async fn nothing_more(&mut self) {
        self.say(1, Value::Null).await;
        let payload = self.payload().await;
        assert_eq!(payload["op"], 11, "{payload}");
    }
}
