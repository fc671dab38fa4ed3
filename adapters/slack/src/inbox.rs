//! Brings events and interactions in, by a socket or by a webhook, and tells whether the platform is in reach. Sees to it that
//! every one is acknowledged in time; what one means is the decoder's business.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use askrelay_core::id::{Account, AckId};
use askrelay_core::port::Report;
use askrelay_core::reply::Bot;
use askrelay_core::time::Time;
use futures_util::future::{BoxFuture, OptionFuture};
use secrecy::SecretString;
use serde_json::Value;
use tokio::sync::mpsc::Sender;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep, sleep_until};

use crate::client::Client;
use crate::config::{Mode, Policy};
use crate::decode::{self, Context, Interaction, Me};
use crate::error::CallError;
use crate::limits::LIMITS;
use crate::link::Link;
use crate::place::{Room, Spot};
use crate::presses::Answer;
use crate::shared::Shared;
use crate::webhook::Webhook;

/// One payload that the platform brought.
pub(crate) struct Delivery {
    pub(crate) payload: Value,
    /// Ends the platform's request.
    pub(crate) answer: oneshot::Sender<Answer>,
}

/// No more than its kind: a payload has what people said, and addresses that are as good as tokens.
impl fmt::Debug for Delivery {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.payload.get("type").and_then(Value::as_str);
        formatter.debug_struct("Delivery").field("type", &kind).finish_non_exhaustive()
    }
}

/// A look at who we are, which tells too whether our calls arrive.
pub(crate) type Look = BoxFuture<'static, Result<Me, CallError>>;

pub(crate) fn look_at(client: &Arc<Client>) -> Look {
    let client = Arc::clone(client);
    Box::pin(async move { client.me().await.map(|(me, _)| me) })
}

/// The next refusal of the bot's token.
pub(crate) async fn refused(refusals: &mut watch::Receiver<Option<String>>) -> CallError {
    loop {
        if refusals.changed().await.is_err() {
            // Nobody calls any more.
            std::future::pending::<()>().await;
        }
        if let Some(error) = refusals.borrow_and_update().clone() {
            return CallError::Refused { error, needed: None, details: Vec::new() };
        }
    }
}

/// What happens next where the platform calls us.
enum Next {
    Brought(Option<Delivery>),
    /// It is time to see whether our calls arrive.
    Look,
    Looked(Result<Me, CallError>),
    Refused(CallError),
}

/// The incoming side of one Account.
pub(crate) struct Inbox {
    pub(crate) account: Account,
    pub(crate) client: Arc<Client>,
    pub(crate) policy: Policy,
    pub(crate) shared: Arc<Shared>,
    pub(crate) reports: Sender<Report>,
    pub(crate) now: fn() -> Time,
    pub(crate) link: Link,
    /// Refusals of the bot's token in what was ordered.
    pub(crate) refusals: watch::Receiver<Option<String>>,
    /// It is refused, as far as we know: until a look finds it good again, the Account is offline whatever else stands.
    pub(crate) refused: bool,
    /// Reports on their way to the relay.
    pub(crate) filed: VecDeque<Report>,
    /// Modals that wait for their answer, and until when; the next one first.
    pub(crate) due: VecDeque<(Instant, AckId)>,
}

/// Nobody takes Reports any more.
#[derive(Debug)]
pub(crate) struct Gone;

impl Inbox {
    /// Runs until nobody takes Reports.
    pub(crate) async fn run(mut self, mode: Mode) -> Result<(), Gone> {
        let me = self.meet().await?;
        match mode {
            Mode::Socket(app_token) => self.connect(me, app_token).await,
            Mode::Webhook(webhook) => self.listen(me, webhook).await,
        }
    }

    /// Learns who the bot is.
    async fn meet(&mut self) -> Result<Me, Gone> {
        let client = Arc::clone(&self.client);
        let (me, lacks) = loop {
            match self.meanwhile(client.me()).await? {
                Ok(me) => break me,
                Err(error) => {
                    let wait = self.lost(&error);
                    self.meanwhile(sleep(wait)).await?;
                }
            }
        };
        let handle = me.handle.as_deref().unwrap_or_default();
        tracing::info!(account = %self.account, handle, team = me.team, enterprise = me.enterprise, "this is the bot");
        if !lacks.is_empty() {
            let scopes = lacks.join(", ");
            tracing::warn!(account = %self.account, scopes, "the app lacks scopes: {}", crate::ADD_SCOPES);
        }
        // Whatever was refused before is mended.
        self.refusals.mark_unchanged();
        self.shared.meet(&me);
        let bot = Bot { handle: me.handle.clone(), id: Some(me.user.clone()), prefix: LIMITS.command_prefix };
        self.filed.push_back(Report::Named { account: self.account.clone(), bot });
        Ok(me)
    }

    async fn connect(self, me: Me, app_token: SecretString) -> Result<(), Gone> {
        crate::socket::Sockets::new(self, me, app_token).run().await
    }

    async fn listen(&mut self, mut me: Me, mut webhook: Webhook) -> Result<(), Gone> {
        self.found();
        let mut look = Instant::now() + self.policy.retry_slowly;
        let mut looking: Option<Look> = None;
        let mut refusals = self.refusals.clone();
        loop {
            let has_room = self.has_room();
            let next = async {
                tokio::select! {
                    delivery = webhook.deliveries.recv(), if has_room => Next::Brought(delivery),
                    () = sleep_until(look), if looking.is_none() => Next::Look,
                    refused = refused(&mut refusals) => Next::Refused(refused),
                    Some(seen) = async { OptionFuture::from(looking.as_mut()).await }, if looking.is_some() => {
                        Next::Looked(seen)
                    }
                }
            };
            match self.meanwhile(next).await? {
                Next::Brought(Some(delivery)) => self.take(delivery, &me),
                Next::Brought(None) => self.meanwhile(std::future::pending()).await?,
                // Events come by themselves; that our calls still arrive has to be looked at, while presses come in.
                Next::Look => {
                    looking = Some(look_at(&self.client));
                }
                Next::Looked(seen) => {
                    looking = None;
                    let wait = match seen {
                        Ok(newer) => {
                            me.renew(newer);
                            self.refused = false;
                            self.found();
                            self.policy.retry_slowly
                        }
                        Err(error) => {
                            self.refused |= error.is_lasting();
                            self.lost(&error)
                        }
                    };
                    look = Instant::now() + wait;
                }
                Next::Refused(error) => {
                    if let Some(wait) = self.refuse(&error) {
                        // One that began before may not know yet.
                        looking = None;
                        look = Instant::now() + wait;
                    }
                }
            }
        }
    }

    /// Takes what the platform brought. It is acknowledged before anything else is done, or by the relay in time where the answer
    /// can say something.
    pub(crate) fn take(&mut self, delivery: Delivery, me: &Me) {
        let Delivery { payload, answer } = delivery;
        let shared = Arc::clone(&self.shared);
        let is_ours = |channel: &str, ts: &str| shared.is_ours(channel, ts);
        let (account, now) = (self.account.clone(), (self.now)());
        let context = Context { account: &account, me, now, is_ours: &is_ours };
        let Some(Interaction { mut reply, press }) = decode::interaction(&payload, &context) else {
            // Whoever asked may be gone.
            let _ = answer.send(None);
            return self.hear(&payload, &context);
        };
        if let (Room::Person(user), Some(channel)) = (&press.spot.room, &press.channel) {
            shared.learn_direct(user, channel);
        }
        let request = match press.modal {
            Some(_) => Some(answer),
            None => {
                let _ = answer.send(None);
                None
            }
        };
        let waits = request.is_some();
        reply.ack = shared.press_came(reply.update.as_str(), press, request);
        if let Some(ack) = reply.ack.filter(|_| waits) {
            self.due.push_back((Instant::now() + self.policy.acknowledge_after, ack));
        }
        self.filed.push_back(Report::Replied(Box::new(reply)));
    }

    fn hear(&mut self, payload: &Value, context: &Context<'_>) {
        let Some(heard) = decode::event(payload, context) else {
            return self.filed.extend(decode::moved(payload, context));
        };
        let conversation = &heard.reply.place.conversation;
        if let Some(Spot { room: Room::Person(user), .. }) = Spot::parse(conversation) {
            self.shared.learn_direct(&user, &heard.channel);
        }
        if let (Some(thread), Some(message)) = (&heard.thread, &heard.reply.message) {
            self.shared.learn_thread(conversation.as_str(), message.as_str(), thread);
        }
        self.filed.push_back(Report::Replied(Box::new(heard.reply)));
    }

    /// More may be taken.
    pub(crate) fn has_room(&self) -> bool {
        self.filed.len() < self.policy.queue
    }

    pub(crate) fn found(&mut self) {
        if self.link.found() {
            self.filed.push_back(Report::Online { account: self.account.clone() });
        }
    }

    /// How long to wait before the platform is tried again.
    pub(crate) fn lost(&mut self, error: &CallError) -> std::time::Duration {
        let (news, wait) = self.link.lost(error, Instant::now());
        tracing::debug!(account = %self.account, %error, "the platform is out of reach");
        if let Some(why) = news {
            tracing::warn!(account = %self.account, %error, "offline");
            self.filed.push_back(Report::Offline { account: self.account.clone(), why });
        }
        wait
    }

    /// A call was refused for the token: how long to wait before it is looked at, if that is news.
    pub(crate) fn refuse(&mut self, error: &CallError) -> Option<std::time::Duration> {
        let is_news = !std::mem::replace(&mut self.refused, true);
        is_news.then(|| self.lost(error))
    }

    /// Does what is due until this is over.
    pub(crate) async fn meanwhile<T>(&mut self, what: impl Future<Output = T>) -> Result<T, Gone> {
        tokio::pin!(what);
        loop {
            tokio::select! {
                result = &mut what => return Ok(result),
                done = self.step() => done?,
            }
        }
    }

    /// Files one Report, or ends a modal in silence whose time is over; waits for either. Given up half-way, it has done nothing.
    pub(crate) async fn step(&mut self) -> Result<(), Gone> {
        let due = self.due.front().map(|(due, _)| *due);
        tokio::select! {
            permit = self.reports.reserve(), if !self.filed.is_empty() => {
                let permit = permit.map_err(|_| Gone)?;
                if let Some(report) = self.filed.pop_front() {
                    permit.send(report);
                }
                Ok(())
            }
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                if let Some((_, ack)) = self.due.pop_front() {
                    self.shared.answer(ack, None);
                }
                Ok(())
            }
            () = self.reports.closed() => Err(Gone),
        }
    }
}
