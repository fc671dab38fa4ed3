//! Socket Mode: connections that we open and the platform writes to. One that is about to end is listened to until the next one
//! stands. Not slack-morphism's own client: that ends the old connection before it opens the new one, handles the frames of one
//! connection one after the other, so that a modal that waits holds up every other press, and tells nobody that it is out of reach.

use std::task::Poll;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{SinkExt, StreamExt};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::client::Client;
use crate::decode::Me;
use crate::error::CallError;
use crate::inbox::{Delivery, Gone, Inbox, Look, look_at, refused};
use crate::presses::Answer;

pub(crate) type Stream = Box<WebSocketStream<MaybeTlsStream<TcpStream>>>;
type Frame = Option<Result<Message, Error>>;

/// The connections of one Account.
pub(crate) struct Sockets {
    inbox: Inbox,
    me: Me,
    app_token: SecretString,
    open: Vec<Socket>,
    connecting: Option<BoxFuture<'static, Result<Stream, CallError>>>,
    /// When the next one is to be opened.
    connect_at: Option<Instant>,
    /// Acknowledgements that wait for their answer.
    answers: FuturesUnordered<BoxFuture<'static, Owed>>,
    /// Whether the bot's own token is still good: a connection stands by the app's.
    looking: Option<Look>,
    look_at: Instant,
    refusals: watch::Receiver<Option<String>>,
    count: u64,
}

struct Socket {
    number: u64,
    stream: Stream,
    /// Until then it must say something.
    quiet_until: Instant,
    /// It said nothing for long, and was asked whether it is still there.
    tried: bool,
    /// It is about to end; until then it is listened to.
    ends: Option<Instant>,
}

/// An answer, by the connection and the envelope that it belongs to.
struct Owed {
    number: u64,
    envelope: String,
    answer: Answer,
}

enum Event {
    Connected(Result<Stream, CallError>),
    Heard(usize, Frame),
    Answered(Owed),
    Looked(Result<Me, CallError>),
    Refused(CallError),
    Due,
}

impl Sockets {
    pub(crate) fn new(inbox: Inbox, me: Me, app_token: SecretString) -> Self {
        Self {
            looking: None,
            look_at: Instant::now() + inbox.policy.retry_slowly,
            refusals: inbox.refusals.clone(),
            inbox,
            me,
            app_token,
            open: Vec::new(),
            connecting: None,
            connect_at: Some(Instant::now()),
            answers: FuturesUnordered::new(),
            count: 0,
        }
    }

    /// Runs until nobody takes Reports.
    pub(crate) async fn run(mut self) -> Result<(), Gone> {
        loop {
            match self.next().await? {
                Event::Connected(Ok(stream)) => self.connected(stream),
                Event::Connected(Err(error)) => self.not_connected(&error),
                Event::Heard(index, frame) => self.heard(index, frame).await,
                Event::Answered(owed) => self.acknowledge(owed).await,
                Event::Looked(seen) => self.looked(seen),
                Event::Refused(error) => self.was_refused(&error),
                Event::Due => self.due().await,
            }
        }
    }

    async fn next(&mut self) -> Result<Event, Gone> {
        let Self { inbox, open, connecting, connect_at, answers, looking, look_at, refusals, .. } = self;
        let wake = open.iter().flat_map(|socket| socket.ends.into_iter().chain([socket.quiet_until]));
        let look = looking.is_none().then_some(*look_at);
        let wake = wake.chain(*connect_at).chain(look).min();
        let reads = inbox.has_room();
        let connecting = async {
            match connecting {
                Some(connecting) => connecting.await,
                None => std::future::pending().await,
            }
        };
        let seen = async {
            match looking {
                Some(looking) => looking.await,
                None => std::future::pending().await,
            }
        };
        let event = async {
            tokio::select! {
                seen = seen => Event::Looked(seen),
                error = refused(refusals) => Event::Refused(error),
                result = connecting => Event::Connected(result),
                (index, frame) = read(open), if reads => Event::Heard(index, frame),
                Some(owed) = answers.next(), if !answers.is_empty() => Event::Answered(owed),
                () = sleep_until(wake.unwrap_or_else(Instant::now)), if wake.is_some() => Event::Due,
            }
        };
        inbox.meanwhile(event).await
    }

    /// While the bot's token is refused the Account is offline, whatever connections stand.
    fn looked(&mut self, seen: Result<Me, CallError>) {
        self.looking = None;
        let mut wait = self.inbox.policy.retry_slowly;
        match seen {
            Ok(newer) => {
                self.me.renew(newer);
                if std::mem::take(&mut self.inbox.refused) && !self.open.is_empty() {
                    self.inbox.found();
                }
            }
            Err(error) if error.is_lasting() => {
                self.inbox.refused = true;
                wait = self.inbox.lost(&error);
            }
            // What passes by itself shows at the connections.
            Err(_) => {}
        }
        self.look_at = Instant::now() + wait;
    }

    /// Not only at the next look. One that began before may not know yet.
    fn was_refused(&mut self, error: &CallError) {
        if let Some(wait) = self.inbox.refuse(error) {
            self.looking = None;
            self.look_at = Instant::now() + wait;
        }
    }

    fn connected(&mut self, stream: Stream) {
        self.connecting = None;
        self.count += 1;
        let quiet_until = Instant::now() + self.inbox.policy.quiet;
        self.open.push(Socket { number: self.count, stream, quiet_until, tried: false, ends: None });
    }

    /// Nothing is lost as long as another one stands.
    fn not_connected(&mut self, error: &CallError) {
        self.connecting = None;
        let wait = if self.open.is_empty() { self.inbox.lost(error) } else { self.inbox.policy.retry_first };
        self.connect_at = Some(Instant::now() + wait);
    }

    async fn heard(&mut self, index: usize, frame: Frame) {
        let quiet_until = Instant::now() + self.inbox.policy.quiet;
        let Some(socket) = self.open.get_mut(index) else { return };
        (socket.quiet_until, socket.tried) = (quiet_until, false);
        match frame {
            Some(Ok(Message::Text(text))) => {
                // What is no JSON will not be when it is repeated.
                let Ok(frame) = serde_json::from_str::<Value>(&text) else { return };
                self.said(index, frame).await;
            }
            Some(Ok(Message::Close(_))) | None => self.ended(index, "it was closed"),
            // Pings are answered by the library.
            Some(Ok(_)) => {}
            Some(Err(error)) => self.ended(index, &error.to_string()),
        }
    }

    async fn said(&mut self, index: usize, mut frame: Value) {
        let envelope = frame.get("envelope_id").and_then(Value::as_str).map(str::to_owned);
        match frame.get("type").and_then(Value::as_str) {
            Some("hello") if self.inbox.refused => {}
            Some("hello") => self.inbox.found(),
            Some("disconnect") => {
                let reason = frame.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
                self.ending(index, reason);
            }
            // Whatever it is: it must be acknowledged, or it comes again.
            _ => {
                let Some((socket, envelope)) = self.open.get(index).zip(envelope) else { return };
                let (number, payload) = (socket.number, frame.get_mut("payload").map(Value::take));
                let (answer, mut answered) = oneshot::channel();
                self.inbox.take(Delivery { payload: payload.unwrap_or_default(), answer }, &self.me);
                match answered.try_recv() {
                    Ok(answer) => self.acknowledge(Owed { number, envelope, answer }).await,
                    Err(_) => self.answers.push(Box::pin(async move {
                        // Forgotten means: nothing is said.
                        let answer = answered.await.unwrap_or_default();
                        Owed { number, envelope, answer }
                    })),
                }
            }
        }
    }

    /// Acknowledges over the connection that brought it; where that ended, it is brought again.
    async fn acknowledge(&mut self, owed: Owed) {
        let Some(index) = self.open.iter().position(|socket| socket.number == owed.number) else { return };
        let frame = match owed.answer {
            Some(payload) => json!({ "envelope_id": owed.envelope, "payload": payload }),
            None => json!({ "envelope_id": owed.envelope }),
        };
        self.write(index, Message::text(frame.to_string())).await;
    }

    async fn write(&mut self, index: usize, message: Message) {
        let Some(socket) = self.open.get_mut(index) else { return };
        match timeout(self.inbox.policy.call, socket.stream.send(message)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.ended(index, &error.to_string()),
            Err(_) => self.ended(index, "it takes nothing any more"),
        }
    }

    /// The platform ends a connection soon, or all of them for good.
    fn ending(&mut self, index: usize, reason: String) {
        let error = CallError::Closed { reason };
        if error.is_lasting() {
            self.open.clear();
            return self.not_connected(&error);
        }
        let ends = Instant::now() + self.inbox.policy.overlap;
        if let Some(socket) = self.open.get_mut(index) {
            socket.ends = Some(ends);
        }
        if self.connecting.is_none() && self.open.iter().all(|socket| socket.ends.is_some()) {
            self.connect_at = Some(Instant::now());
        }
    }

    /// A connection is gone.
    fn ended(&mut self, index: usize, why: &str) {
        if index < self.open.len() {
            self.open.remove(index);
        }
        let next_is_coming = self.connecting.is_some() || self.connect_at.is_some();
        if next_is_coming || self.open.iter().any(|socket| socket.ends.is_none()) {
            return;
        }
        let wait = match self.open.is_empty() {
            true => self.inbox.lost(&CallError::Socket { why: why.to_owned() }),
            // One that is about to end is still there.
            false => self.inbox.policy.retry_first,
        };
        self.connect_at = Some(Instant::now() + wait);
    }

    /// Something is due by the clock.
    async fn due(&mut self) {
        let now = Instant::now();
        if self.connect_at.is_some_and(|at| at <= now) {
            self.connect_at = None;
            let (client, app_token) = (self.inbox.client.clone(), self.app_token.clone());
            self.connecting = Some(Box::pin(connect(client, app_token, self.inbox.policy.call)));
        }
        if self.looking.is_none() && self.look_at <= now {
            self.looking = Some(look_at(&self.inbox.client));
        }
        self.open.retain(|socket| socket.ends.is_none_or(|ends| ends > now));
        let Some(index) = self.open.iter().position(|socket| socket.quiet_until <= now) else { return };
        let is_heard = self.inbox.has_room();
        let Some(socket) = self.open.get_mut(index) else { return };
        if !is_heard {
            // Nobody listens to it at the moment.
            socket.quiet_until = now + self.inbox.policy.quiet;
            return;
        }
        if socket.tried {
            return self.ended(index, "it says nothing any more");
        }
        (socket.tried, socket.quiet_until) = (true, now + self.inbox.policy.quiet);
        self.write(index, Message::Ping(Vec::new().into())).await;
    }
}

/// The next frame of any of these.
async fn read(open: &mut [Socket]) -> (usize, Frame) {
    std::future::poll_fn(|context| {
        for (index, socket) in open.iter_mut().enumerate() {
            if let Poll::Ready(frame) = socket.stream.poll_next_unpin(context) {
                return Poll::Ready((index, frame));
            }
        }
        Poll::Pending
    })
    .await
}

async fn connect(
    client: std::sync::Arc<Client>,
    app_token: SecretString,
    wait: Duration,
) -> Result<Stream, CallError> {
    let way = client.way_in(&app_token).await?;
    stand(&way, wait).await
}

/// A connection to this address, which no error names.
pub(crate) async fn stand(way: &SecretString, wait: Duration) -> Result<Stream, CallError> {
    let failed = |why: String| CallError::Socket { why };
    match timeout(wait, connect_async(way.expose_secret())).await {
        Ok(Ok((stream, _))) => Ok(Box::new(stream)),
        Ok(Err(error)) => Err(failed(error.to_string())),
        Err(_) => Err(failed("it does not stand in time".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The platform's addresses are `wss`. Nobody here can speak that, but that there is nobody must be all that is wrong.
    #[tokio::test]
    async fn encrypted_connections_can_be_opened() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("wss://{}/link", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { drop(listener.accept().await) });
        let refused = connect_async(&address).await.expect_err("nobody answers");
        assert!(matches!(refused, Error::Io(_)), "{refused:?}");
        server.await.unwrap();
    }
}
