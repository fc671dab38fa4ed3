//! The gateway's side of the ring: its events become Notices, Commands become calls that are repeated until the gateway
//! closed or refused the Record. Keeps only what waits, and decides nothing.

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

use askrelay_core::id::{GatewayId, RecordId, RecordKey, ResolutionId};
use askrelay_core::port::{Command, Errand, Knock, Notice, Rejection, Welcome};
use askrelay_core::record::Record;
use askrelay_protocol::frame::Event;
use askrelay_protocol::reply::{Ending, PlainEnd};
use askrelay_protocol::secret::Secret;

use crate::client::Client;
use crate::command::{params, rejection, with_end};
use crate::driver::{Happening, Online, Status};
use crate::error::CallError;
use crate::snapshot::{Notices, Open, ended, read, read_one};

/// Commands under way at once; more wait in their channel.
const CARRYING_MAX: usize = 64;

/// Knocks under way at once; whoever comes then is told to come later.
const KNOCKING_MAX: usize = 32;

/// Events held while a snapshot is read, before it is begun again.
const HELD_MAX: usize = 65_536;

/// What one feed is for.
#[derive(Clone, Debug)]
pub struct Feed {
    /// The Records that the relay remembered when it began. A new value means that the relay began again with these, and is
    /// to be told everything again: what it had heard of them since may be lost.
    pub shown: watch::Receiver<Vec<RecordKey>>,
    /// Tell of this Record only: an asking terminal's own.
    pub only: Option<RecordId>,
    /// The secret with which Commands of the asking terminal are sent, instead of asserting who acts.
    pub terminal_secret: Option<Secret>,
    /// A gateway that refuses to list is asked again after so long, instead of ending the feed.
    pub persistent: Option<Duration>,
}

impl Default for Feed {
    /// Of a relay that remembers nothing and never begins again.
    fn default() -> Self {
        Self { shown: watch::channel(Vec::new()).1, only: None, terminal_secret: None, persistent: None }
    }
}

/// Feeds the relay from one gateway. Ends when the Commands or the Notices do.
///
/// # Errors
/// The gateway does not let this client list, or there will be no connection.
pub async fn relay_feed(
    client: Client,
    feed: Feed,
    mut errands: mpsc::Receiver<Errand>,
    notices: mpsc::Sender<(GatewayId, Notice)>,
) -> Result<(), CallError> {
    let mut happenings = client.happenings();
    let ended = client.ended();
    tokio::pin!(ended);
    let mut feed = Feeding::new(client.clone(), notices, feed);
    if let Status::Online(online) = client.status() {
        feed.heard(Happening::Online(online)).await;
    }
    loop {
        tokio::select! {
            // What came before the connection's end is told before it.
            biased;
            happening = happenings.recv() => match happening {
                Ok(happening) => feed.heard(happening).await,
                Err(RecvError::Lagged(_)) => feed.heard(Happening::Gap).await,
                Err(RecvError::Closed) => return Ok(()),
            },
            Some(open) = feed.reading.next() => feed.read(open).await?,
            Some(carried) = feed.carrying.next() => feed.carried(carried).await,
            Some(learned) = feed.learning.next() => feed.learned(learned?).await,
            Some(()) = feed.saying.next() => {}
            Some((knock, welcome)) = feed.knocking.next() => feed.welcome(knock, welcome).await,
            errand = errands.recv(), if feed.carrying.len() < CARRYING_MAX => match errand {
                // The relay sends it again once it knows that the connection was away, if its author still may.
                Some(Errand::Command(_)) if feed.online.is_none() && feed.is_plain => {}
                Some(Errand::Command(command)) => feed.carry(command),
                Some(Errand::Knock(knock)) => feed.knock(knock).await,
                Some(Errand::Notified { number, places }) => feed.notified(number, places),
                None => return Ok(()),
            },
            Ok(()) = feed.beginnings.changed() => feed.begun_again().await,
            why = &mut ended => return Err(CallError::Ended(why)),
            () = feed.notices.closed() => return Ok(()),
        }
    }
}

struct Feeding {
    client: Client,
    notices: Notices,
    only: Option<RecordId>,
    terminal_secret: Option<Secret>,
    /// The connection that Notices are from now.
    online: Option<u64>,
    /// What waits, as told so far.
    open: Open,
    /// What the relay began with, each time it did.
    beginnings: watch::Receiver<Vec<RecordKey>>,
    /// What it began with last, until a snapshot is through.
    shown: Vec<RecordKey>,
    /// The snapshot under way; at most one.
    reading: FuturesUnordered<BoxFuture<'static, Result<Open, CallError>>>,
    /// What happened since it began.
    held: VecDeque<Event>,
    carrying: FuturesUnordered<BoxFuture<'static, Carried>>,
    /// Ends of which the gateway told next to nothing: it is asked for more before the relay hears of them.
    learning: FuturesUnordered<BoxFuture<'static, Learned>>,
    /// The gateway tells no more than OpenClaw's does, and leaves it to the relay who may answer.
    is_plain: bool,
    /// How long to wait before a snapshot that was refused is read again.
    patience: Option<Duration>,
    knocking: FuturesUnordered<BoxFuture<'static, (Knock, Welcome)>>,
    /// Notifications of which the gateway is told where they went.
    saying: FuturesUnordered<BoxFuture<'static, ()>>,
    /// Records that Commands are under way for, and a plain end that came meanwhile: the Command's own answer tells more.
    ends: HashMap<RecordId, Option<PlainEnd>>,
    /// The Commands under way: one that comes twice is carried once.
    resolutions: HashSet<ResolutionId>,
}

/// What was learned of a Record's end: how the gateway told it, and the Record where it says more.
type Learned = Result<(RecordKey, PlainEnd, Option<Arc<Record>>), CallError>;

struct Carried {
    command: Command,
    /// How the gateway ended the Record, or why it never will; none when there is no gateway any more.
    outcome: Option<Result<Ending, Rejection>>,
}

impl Feeding {
    fn new(client: Client, notices: Notices, feed: Feed) -> Self {
        let Feed { shown: mut beginnings, only, terminal_secret, persistent } = feed;
        let shown = beginnings.borrow_and_update().clone();
        Self {
            client,
            notices,
            only,
            terminal_secret,
            online: None,
            open: Open::new(),
            beginnings,
            shown,
            reading: FuturesUnordered::new(),
            held: VecDeque::new(),
            carrying: FuturesUnordered::new(),
            learning: FuturesUnordered::new(),
            is_plain: false,
            patience: persistent,
            knocking: FuturesUnordered::new(),
            saying: FuturesUnordered::new(),
            ends: HashMap::new(),
            resolutions: HashSet::new(),
        }
    }

    /// Takes a knock to the gateway. Where none is there to say more, the door is closed: a code must not come when nobody
    /// expects one any more.
    async fn knock(&mut self, knock: Knock) {
        let is_there = self.online.is_some() && self.client.caps().wide;
        if !is_there || self.knocking.len() >= KNOCKING_MAX {
            return self.welcome(knock, Welcome::Closed).await;
        }
        let client = self.client.clone();
        self.knocking.push(Box::pin(async move {
            let welcome = client.knock(knock.clone()).await.unwrap_or(Welcome::Closed);
            (knock, welcome)
        }));
    }

    /// Tells the gateway where a notification went. One that is away by now, or that hears of too many at once, tells its asker that
    /// nobody knows.
    fn notified(&self, number: u64, places: usize) {
        if self.online.is_some() && self.saying.len() < CARRYING_MAX {
            let client = self.client.clone();
            self.saying.push(Box::pin(async move {
                // Nobody waits for it any more where it cannot be told.
                let _ = client.notified(number, places).await;
            }));
        }
    }

    async fn welcome(&mut self, knock: Knock, welcome: Welcome) {
        let Knock { place, identity, .. } = knock;
        self.tell(Notice::Knocked { place, identity, welcome }).await;
    }

    async fn tell(&mut self, notice: Notice) {
        // Whoever stopped listening needs no more; the loop ends by itself.
        let _ = self.notices.send((self.client.gateway().clone(), notice)).await;
    }

    async fn heard(&mut self, happening: Happening) {
        match happening {
            Happening::Online(Online { number, .. }) if self.online == Some(number) => {}
            Happening::Online(online) => self.begin(&online).await,
            Happening::Offline => self.offline().await,
            Happening::Gap => self.again().await,
            Happening::Event(event) if self.reading.is_empty() => self.event(event).await,
            Happening::Event(event) if self.held.len() < HELD_MAX => self.held.push_back(event),
            Happening::Event(_) => self.again().await,
        }
    }

    /// Tells everything from the beginning.
    async fn again(&mut self) {
        if let (Some(number), Status::Online(online)) = (self.online, self.client.status()) {
            self.offline().await;
            if online.number == number {
                self.begin(&online).await;
            }
        }
    }

    /// The relay is another one, which knows only what was saved.
    async fn begun_again(&mut self) {
        self.shown = self.beginnings.borrow().clone();
        self.again().await;
    }

    async fn begin(&mut self, online: &Online) {
        self.online = Some(online.number);
        self.is_plain = !online.caps.wide;
        let boot = &online.hello.server.boot_id;
        let boot = (self.is_plain && !boot.is_empty()).then(|| boot.as_str().into());
        self.tell(Notice::Online { boot }).await;
        // The one that hears this may have begun meanwhile. Not taken as heard, since it may also have begun after this.
        if self.beginnings.has_changed().unwrap_or(false) {
            self.shown = self.beginnings.borrow().clone();
        }
        self.held.clear();
        self.reading.clear();
        self.begin_reading(Duration::ZERO);
    }

    fn begin_reading(&mut self, after: Duration) {
        let (client, notices) = (self.client.clone(), self.notices.clone());
        let open = self.open.values().map(|record| record.key.clone());
        let before: Vec<RecordKey> = self.shown.iter().cloned().chain(open).collect();
        let only = self.only.clone();
        self.reading.push(Box::pin(async move {
            if !after.is_zero() {
                sleep(after).await;
            }
            match only {
                Some(id) => read_one(client, notices, id).await,
                None => read(client, notices, before).await,
            }
        }));
    }

    async fn offline(&mut self) {
        self.reading.clear();
        self.held.clear();
        self.learning.clear();
        if self.is_plain {
            // Whether their authors still may is the relay's to say when the gateway is back, and it sends them again then.
            self.carrying.clear();
            self.resolutions.clear();
            self.ends.clear();
        }
        if self.online.take().is_some() {
            self.tell(Notice::Offline).await;
        }
    }

    /// The snapshot is told: what happened since it began comes after it, because it is newer.
    async fn read(&mut self, open: Result<Open, CallError>) -> Result<(), CallError> {
        self.open = match (open, self.patience) {
            (Ok(open), _) => open,
            (Err(error @ CallError::Ended(_)), _) | (Err(error), None) => return Err(error),
            (Err(_), Some(patience)) => {
                self.begin_reading(patience);
                return Ok(());
            }
        };
        self.shown.clear();
        while let Some(event) = self.held.pop_front() {
            self.event(event).await;
        }
        Ok(())
    }

    async fn event(&mut self, event: Event) {
        if self.is_foreign(&event) {
            return;
        }
        match event {
            Event::QuestionRequested(record) => {
                let before = self.open.insert(record.key.id.clone(), Arc::clone(&record));
                if before.is_none_or(|before| before.key != record.key) {
                    self.tell(Notice::Opened(record)).await;
                }
            }
            Event::QuestionResolved(Ending::Record(record)) => {
                if self.open.get(&record.key.id).is_some_and(|open| open.key == record.key) {
                    self.open.remove(&record.key.id);
                }
                self.tell(Notice::Closed(record)).await;
            }
            Event::QuestionResolved(Ending::Plain { id: Some(id), end }) => match self.ends.get_mut(&id) {
                Some(held) => *held = Some(end),
                None => self.learn(&id, end),
            },
            Event::People(people) => self.tell(Notice::People(people)).await,
            Event::Knocked { place, identity, welcome } => {
                self.tell(Notice::Knocked { place, identity, welcome }).await;
            }
            Event::Notify(notification) => self.tell(Notice::Notify(notification)).await,
            Event::QuestionResolved(Ending::Plain { id: None, .. })
            | Event::Challenge(_)
            | Event::Tick { .. }
            | Event::Shutdown { .. }
            | Event::Unknown { .. } => {}
        }
    }

    /// Whether it is about another Record than the only one wanted.
    fn is_foreign(&self, event: &Event) -> bool {
        let id = match event {
            Event::QuestionRequested(record) | Event::QuestionResolved(Ending::Record(record)) => {
                Some(&record.key.id)
            }
            Event::QuestionResolved(Ending::Plain { id, .. }) => id.as_ref(),
            _ => None,
        };
        matches!((&self.only, id), (Some(only), Some(id)) if only != id)
    }

    /// Asks who ended the Record and with which resolution, before the relay hears of it: the gateway's event says neither, and for
    /// all it says it may be an earlier try of our own.
    fn learn(&mut self, id: &RecordId, end: PlainEnd) {
        let Some(record) = self.open.get(id) else { return };
        let (client, key) = (self.client.clone(), record.key.clone());
        self.learning.push(Box::pin(async move {
            match ended(&client, &key).await {
                Err(error @ CallError::Ended(_)) => Err(error),
                Ok(Some(record)) if !record.state.is_pending() => Ok((key, end, Some(record))),
                Ok(_) | Err(_) => Ok((key, end, None)),
            }
        }));
    }

    async fn learned(&mut self, (key, end, record): (RecordKey, PlainEnd, Option<Arc<Record>>)) {
        if self.open.get(&key.id).is_none_or(|open| open.key != key) {
            return;
        }
        match record {
            Some(record) => self.event(Event::QuestionResolved(Ending::Record(record))).await,
            None => self.close(&key.id, end, None).await,
        }
    }

    /// Tells the end of a Record whose gateway says no more than `end`; `command` is what we ended it with.
    async fn close(&mut self, id: &RecordId, end: PlainEnd, command: Option<&Command>) {
        if let Some(record) = self.open.remove(id) {
            self.tell(Notice::Closed(Arc::new(with_end(&record, end, command)))).await;
        }
    }

    fn carry(&mut self, command: Command) {
        if !self.resolutions.insert(command.resolution.clone()) {
            return;
        }
        self.ends.entry(command.key.id.clone()).or_default();
        let client = self.client.clone();
        let params = params(&command, self.terminal_secret.as_ref());
        self.carrying.push(Box::pin(async move {
            let outcome = match client.resolve(params).await {
                Ok(ending) => Some(Ok(ending)),
                Err(CallError::Ended(_)) => None,
                Err(error) => Some(Err(rejection(&client, &command, error).await)),
            };
            Carried { command, outcome }
        }));
    }

    async fn carried(&mut self, carried: Carried) {
        let Carried { command, outcome } = carried;
        self.resolutions.remove(&command.resolution);
        let id = &command.key.id;
        let held = self.ends.remove(id).flatten();
        match outcome {
            // The event told it, unless that was lost on a relay that began again: its Command is repeated then.
            Some(Ok(ending @ Ending::Record(_))) => {
                self.heard(Happening::Event(Event::QuestionResolved(ending))).await;
            }
            // The next snapshot tells it.
            None => {}
            Some(Ok(Ending::Plain { end, .. })) => self.close(id, end, Some(&command)).await,
            Some(Err(why)) => {
                match (&why, held) {
                    // That says more.
                    (Rejection::Ended(Some(_)), _) => drop(self.open.remove(id)),
                    (_, Some(end)) => self.close(id, end, None).await,
                    (_, None) => {}
                }
                let Command { resolution, key, .. } = command;
                self.tell(Notice::Refused { resolution, key, why }).await;
            }
        }
    }
}
