//! The gateway's side of the ring: its events become Notices, Commands become calls that are repeated until the gateway
//! closed or refused the Record. Keeps only what waits, and decides nothing.

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, watch};

use askrelay_core::answer::{Actor, Answered, Notes, Way};
use askrelay_core::id::{GatewayId, RecordId, RecordKey, ResolutionId};
use askrelay_core::permit::Refused;
use askrelay_core::port::{Command, CommandAct, Errand, Knock, Notice, Rejection, Welcome};
use askrelay_core::record::{Cancelled, Record, State, WhyCancelled};
use askrelay_protocol::call::{ResolveAct, ResolveParams};
use askrelay_protocol::error::{Code, Reason, WireError};
use askrelay_protocol::frame::Event;
use askrelay_protocol::reply::{Ending, PlainEnd};
use askrelay_protocol::secret::Secret;

use crate::client::{Client, is};
use crate::driver::{Happening, Online};
use crate::error::CallError;
use crate::handshake::now;
use crate::snapshot::{Notices, Open, read, read_one};

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
}

impl Default for Feed {
    /// Of a relay that remembers nothing and never begins again.
    fn default() -> Self {
        Self { shown: watch::channel(Vec::new()).1, only: None, terminal_secret: None }
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
    if let crate::driver::Status::Online(online) = client.status() {
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
            Some(open) = feed.reading.next() => feed.read(open?).await,
            Some(carried) = feed.carrying.next() => feed.carried(carried).await,
            Some((knock, welcome)) = feed.knocking.next() => feed.welcome(knock, welcome).await,
            errand = errands.recv(), if feed.carrying.len() < CARRYING_MAX => match errand {
                Some(Errand::Command(command)) => feed.carry(command),
                Some(Errand::Knock(knock)) => feed.knock(knock).await,
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
    knocking: FuturesUnordered<BoxFuture<'static, (Knock, Welcome)>>,
    /// Records that Commands are under way for, and a plain end that came meanwhile: the Command's own answer tells more.
    ends: HashMap<RecordId, Option<PlainEnd>>,
    /// The Commands under way: one that comes twice is carried once.
    resolutions: HashSet<ResolutionId>,
}

struct Carried {
    command: Command,
    /// How the gateway ended the Record, or why it never will; none when there is no gateway any more.
    outcome: Option<Result<Ending, Rejection>>,
}

impl Feeding {
    fn new(client: Client, notices: Notices, feed: Feed) -> Self {
        let Feed { shown: mut beginnings, only, terminal_secret } = feed;
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
            knocking: FuturesUnordered::new(),
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
            Happening::Online(Online { number, .. }) => self.begin(number).await,
            Happening::Offline => self.offline().await,
            Happening::Gap => self.again().await,
            Happening::Event(event) if self.reading.is_empty() => self.event(event).await,
            Happening::Event(event) if self.held.len() < HELD_MAX => self.held.push_back(event),
            Happening::Event(_) => self.again().await,
        }
    }

    /// Tells everything from the beginning.
    async fn again(&mut self) {
        if let Some(number) = self.online {
            self.offline().await;
            self.begin(number).await;
        }
    }

    /// The relay is another one, which knows only what was saved.
    async fn begun_again(&mut self) {
        self.shown = self.beginnings.borrow().clone();
        self.again().await;
    }

    async fn begin(&mut self, number: u64) {
        self.online = Some(number);
        self.tell(Notice::Online).await;
        // The one that hears this may have begun meanwhile. Not taken as heard, since it may also have begun after this.
        if self.beginnings.has_changed().unwrap_or(false) {
            self.shown = self.beginnings.borrow().clone();
        }
        self.held.clear();
        self.reading.clear();
        let (client, notices) = (self.client.clone(), self.notices.clone());
        self.reading.push(match &self.only {
            Some(id) => Box::pin(read_one(client, notices, id.clone())),
            None => {
                let open = self.open.values().map(|record| record.key.clone());
                Box::pin(read(client, notices, self.shown.iter().cloned().chain(open).collect()))
            }
        });
    }

    async fn offline(&mut self) {
        self.reading.clear();
        self.held.clear();
        if self.online.take().is_some() {
            self.tell(Notice::Offline).await;
        }
    }

    /// The snapshot is told: what happened since it began comes after it, because it is newer.
    async fn read(&mut self, open: Open) {
        self.open = open;
        self.shown.clear();
        while let Some(event) = self.held.pop_front() {
            self.event(event).await;
        }
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
                None => self.close(&id, end, None).await,
            },
            Event::People(people) => self.tell(Notice::People(people)).await,
            Event::Knocked { place, identity, welcome } => {
                self.tell(Notice::Knocked { place, identity, welcome }).await;
            }
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

    /// Tells the end of a Record whose gateway says no more than `end`; `command` is what we ended it with.
    async fn close(&mut self, id: &RecordId, end: PlainEnd, command: Option<&Command>) {
        if let Some(record) = self.open.remove(id) {
            self.tell(Notice::Closed(Arc::new(ended(&record, end, command)))).await;
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
                if let Some(end) = held {
                    self.close(id, end, None).await;
                }
                let Command { resolution, key, .. } = command;
                self.tell(Notice::Refused { resolution, key, why }).await;
            }
        }
    }
}

fn params(command: &Command, terminal_secret: Option<&Secret>) -> ResolveParams {
    let (act, actor) = match &command.act {
        CommandAct::Resolve { answers, notes, words, actor } => {
            let act =
                ResolveAct::Answer { answers: answers.clone(), notes: notes.clone(), words: words.clone() };
            (act, Some(actor))
        }
        CommandAct::Cancel { why, actor } => (ResolveAct::Cancel { why: Some(why.clone()) }, actor.as_ref()),
    };
    let at_terminal = actor.is_some_and(|actor| actor.way == Way::AskingTerminal);
    let terminal_secret = terminal_secret.filter(|_| at_terminal).cloned();
    ResolveParams {
        id: command.key.id.clone(),
        created_at: Some(command.key.created_at),
        act,
        resolved_by: actor.and_then(resolver),
        resolution: Some(command.resolution.clone()),
        actor: actor.filter(|_| terminal_secret.is_none()).cloned(),
        terminal_secret,
    }
}

/// The plain shape's one text about who it was.
fn resolver(actor: &Actor) -> Option<String> {
    let person = actor.person.as_ref().map(ToString::to_string);
    person.or_else(|| actor.identity.as_ref().map(|identity| identity.user.to_string()))
}

async fn rejection(client: &Client, command: &Command, error: CallError) -> Rejection {
    let error = match error {
        CallError::Refused(error) => error,
        other => return Rejection::Invalid(other.to_string()),
    };
    if is(&error, &Reason::NotFound) {
        Rejection::Unknown
    } else if is(&error, &Reason::AlreadyTerminal) {
        let record = client.state_of(command.key.id.clone(), &error).await;
        let record = record.filter(|record| record.key == command.key && !record.state.is_pending());
        Rejection::Ended(record.map(|record| Box::new(record.state.clone())))
    } else if error.code == Code::Forbidden {
        Rejection::NotPermitted(refused(&error))
    } else {
        Rejection::Invalid(error.message)
    }
}

fn refused(error: &WireError) -> Refused {
    error.details.refused.unwrap_or(Refused::NoRight)
}

/// The Record with the end that a plain gateway told.
fn ended(record: &Record, end: PlainEnd, command: Option<&Command>) -> Record {
    let at = now();
    let state = match end {
        PlainEnd::Expired => State::Expired { at: record.expires_at },
        PlainEnd::Cancelled => {
            let (why, by) = match command.map(|command| &command.act) {
                Some(CommandAct::Cancel { why, actor }) => (why.clone(), actor.clone()),
                Some(CommandAct::Resolve { .. }) | None => (WhyCancelled::Withdrawn, None),
            };
            State::Cancelled(Cancelled { at, why, by, by_name: None })
        }
        PlainEnd::Answered { answers, resolution } => {
            let (notes, words, by) = match command.map(|command| &command.act) {
                Some(CommandAct::Resolve { notes, words, actor, .. }) => {
                    (notes.clone(), words.clone(), actor.clone())
                }
                Some(CommandAct::Cancel { .. }) | None => (Notes::new(), None, SOMEBODY),
            };
            let ours = command.map(|command| command.resolution.clone());
            let resolution = resolution.or(ours).unwrap_or_else(|| "".into());
            State::Answered(Box::new(Answered { answers, notes, words, by, by_name: None, at, resolution }))
        }
    };
    Record { state, ..record.clone() }
}

/// Somebody whom another gateway let answer.
const SOMEBODY: Actor = Actor::new(None, Way::Call);
