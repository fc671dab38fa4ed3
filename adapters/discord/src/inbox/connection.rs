//! One connection to the gateway, from its greeting to its end: heartbeats, the session, events to Reports. Never waits for the relay
//! without listening to the platform.

use std::collections::VecDeque;
use std::time::Duration;

use askrelay_core::port::Report;
use futures_util::{SinkExt, StreamExt};
use reqwest::Url;
use serde::Deserialize;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::link::{Fault, Link, chance};
use super::{Gone, Inbox, State};
use crate::decode::{self, Context};
use crate::error::gateway_fault;
use crate::gateway::{self, Ended, Frame, Session, op};
use crate::limits::WAITING;
use crate::place::{Snowflake, Spot};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Reports on their way to the relay.
pub(super) struct Filing {
    reports: Sender<Report>,
    waiting: VecDeque<Report>,
}

impl Filing {
    pub(super) const fn new(reports: Sender<Report>) -> Self {
        Self { reports, waiting: VecDeque::new() }
    }

    /// One more waits.
    pub(super) fn push(&mut self, report: Report) {
        self.waiting.push_back(report);
    }

    /// One more, once all before it are taken.
    pub(super) async fn file(&mut self, report: Report) -> Result<(), Gone> {
        self.push(report);
        while !self.waiting.is_empty() {
            self.next().await?;
        }
        Ok(())
    }

    /// Waits this long, and files what waits meanwhile.
    pub(super) async fn flush_for(&mut self, wait: Duration) -> Result<(), Gone> {
        let (until, reports) = (Instant::now() + wait, self.reports.clone());
        loop {
            tokio::select! {
                filed = self.next(), if !self.waiting.is_empty() => filed?,
                () = sleep_until(until) => return Ok(()),
                () = reports.closed() => return Err(Gone),
            }
        }
    }

    /// Files the oldest.
    async fn next(&mut self) -> Result<(), Gone> {
        let permit = self.reports.reserve().await.map_err(|_| Gone)?;
        if let Some(report) = self.waiting.pop_front() {
            permit.send(report);
        }
        Ok(())
    }
}

/// A connection that was greeted.
struct Open {
    socket: Socket,
    beat: Interval,
    /// The last heartbeat was answered.
    answered: bool,
    /// The session began, or goes on.
    in_session: bool,
}

/// What a frame leads to.
enum Next {
    GoOn,
    Ended(Ended),
}

impl Inbox {
    /// Connects and brings in what comes, until the connection ends.
    pub(super) async fn connect(
        &self,
        url: &Url,
        state: &mut State,
        link: &mut Link,
    ) -> Result<Result<Ended, Fault>, Gone> {
        let opened = timeout(self.policy.hello_wait, self.open(url));
        let opened = opened.await.unwrap_or_else(|_| Err(Fault::new(gateway_fault::SILENT)));
        let mut open = match opened {
            Ok(open) => open,
            Err(fault) => return Ok(Err(fault)),
        };
        let greeting = match &state.session {
            Some(session) => session.resume(&self.token),
            None => gateway::identify(&self.token, gateway::intents(state.reads_texts)),
        };
        if open.say(&greeting).await.is_err() {
            return Ok(Err(Fault::new(gateway_fault::ENDED)));
        }
        let ended = self.listen(&mut open, state, link).await?;
        // The session stays for the next connection, unless the platform ended it; its socket may be gone already.
        let close = CloseFrame { code: 4000.into(), reason: "".into() };
        let _ = timeout(self.policy.retry_first, open.socket.close(Some(close))).await;
        Ok(ended)
    }

    /// Opens a connection and takes its greeting.
    async fn open(&self, url: &Url) -> Result<Open, Fault> {
        let address = gateway::address(url);
        let (mut socket, _) = connect_async(address.as_str()).await.map_err(|error| {
            tracing::debug!(account = %self.account, %error, "no connection to the gateway");
            Fault::new(gateway_fault::OUT_OF_REACH)
        })?;
        let silent = || Fault::new(gateway_fault::SILENT);
        loop {
            let text = match socket.next().await {
                Some(Ok(Message::Text(text))) => text,
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => continue,
                Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => return Err(silent()),
            };
            let frame: Frame<'_> = serde_json::from_str(&text).map_err(|_| silent())?;
            if frame.op == op::HELLO {
                let interval = gateway::heartbeat_interval(frame.data()).ok_or_else(silent)?;
                let interval = Duration::from_millis(interval);
                let mut beat = interval_at(Instant::now() + interval.mul_f64(chance()), interval);
                beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
                return Ok(Open { socket, beat, answered: true, in_session: false });
            }
        }
    }

    async fn listen(
        &self,
        open: &mut Open,
        state: &mut State,
        link: &mut Link,
    ) -> Result<Result<Ended, Fault>, Gone> {
        let greeted_by = Instant::now() + self.policy.hello_wait;
        loop {
            let has_room = state.filing.waiting.len() < WAITING;
            tokio::select! {
                message = open.socket.next(), if has_room => {
                    let next = match message {
                        Some(Ok(Message::Text(text))) => self.heard(&text, open, state, link).await,
                        Some(Ok(Message::Close(frame))) => {
                            Next::Ended(frame.map_or(Ended::Resume, |frame| gateway::closed(frame.code.into())))
                        }
                        Some(Ok(_)) => Next::GoOn,
                        Some(Err(_)) | None => Next::Ended(Ended::Resume),
                    };
                    match next {
                        Next::GoOn => {}
                        // A connection that brought no session is no better than none.
                        Next::Ended(Ended::Resume) if !open.in_session => {
                            return Ok(Err(Fault::new(gateway_fault::ENDED)));
                        }
                        Next::Ended(ended) => return Ok(Ok(ended)),
                    }
                }
                _ = open.beat.tick() => {
                    // While nothing is read, nobody knows what was answered.
                    if !open.answered && has_room {
                        tracing::info!(account = %self.account, "the gateway does not answer any more");
                        return Ok(Ok(Ended::Resume));
                    }
                    let newest = state.session.as_ref().map(|session| session.newest);
                    open.answered = false;
                    if open.say(&gateway::heartbeat(newest)).await.is_err() {
                        return Ok(Ok(Ended::Resume));
                    }
                }
                filed = state.filing.next(), if !state.filing.waiting.is_empty() => filed?,
                () = sleep_until(greeted_by), if !open.in_session => {
                    return Ok(Err(Fault::new(gateway_fault::SILENT)));
                }
                () = self.reports.closed() => return Err(Gone),
            }
        }
    }

    /// A frame came.
    async fn heard(&self, text: &str, open: &mut Open, state: &mut State, link: &mut Link) -> Next {
        let Ok(frame) = serde_json::from_str::<Frame<'_>>(text) else {
            tracing::warn!(account = %self.account, "something came that is no frame");
            return Next::GoOn;
        };
        match frame.op {
            op::DISPATCH => self.told(&frame, open, state, link),
            op::HEARTBEAT => {
                let newest = state.session.as_ref().map(|session| session.newest);
                if open.say(&gateway::heartbeat(newest)).await.is_err() {
                    return Next::Ended(Ended::Resume);
                }
            }
            op::HEARTBEAT_ACK => open.answered = true,
            op::RECONNECT => {
                // The platform asks for it, so it counts as a connection that was in order.
                open.in_session = true;
                return Next::Ended(Ended::Resume);
            }
            op::INVALID_SESSION => {
                open.in_session = true;
                let goes_on = frame.data() == "true";
                return Next::Ended(if goes_on { Ended::Resume } else { Ended::Anew });
            }
            _ => {}
        }
        Next::GoOn
    }

    /// An event came.
    fn told(&self, frame: &Frame<'_>, open: &mut Open, state: &mut State, link: &mut Link) {
        let (kind, data) = (frame.t.as_deref().unwrap_or_default(), frame.data());
        if !open.in_session && (state.session.is_some() || kind == "READY") {
            // What was missed comes before the word that the session goes on.
            open.in_session = true;
            link.succeeded(&mut state.filing, Instant::now());
            self.shared.came_online();
        }
        match kind {
            "READY" => state.session = Session::begun(data, frame.s.unwrap_or_default()),
            kind => {
                let context =
                    Context { account: &self.account, me: &state.me, roles: &self.roles, now: (self.now)() };
                let report =
                    decode::report(kind, data, &context, |owed, place| self.shared.press_came(owed, place));
                if let Some(report) = report {
                    self.learn(data, &report);
                    state.filing.push(report);
                }
            }
        }
        if let (Some(session), Some(newest)) = (&mut state.session, frame.s) {
            session.newest = newest;
        }
    }
}

/// Where something happened.
#[derive(Deserialize)]
struct Where {
    channel_id: String,
}

impl Inbox {
    /// A person who writes to the bot in private shows which channel is theirs.
    fn learn(&self, data: &str, report: &Report) {
        let Report::Replied(reply) = report else { return };
        let channel = serde_json::from_str::<Where>(data).ok();
        let channel = channel.and_then(|place| Snowflake::parse(&place.channel_id));
        if let (Some(Spot::Person(user)), Some(channel)) = (Spot::parse(&reply.place.conversation), channel)
            && reply.private
        {
            self.shared.opened(user, channel);
        }
    }
}

impl Open {
    async fn say(&mut self, what: &Value) -> Result<(), ()> {
        self.socket.send(Message::text(what.to_string())).await.map_err(|_| ())
    }
}
