//! Keeps one connection: opens it, carries it, and opens it again after a while. The future is the caller's to run and to
//! drop; nothing is spawned here.

use std::sync::Arc;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::time::{sleep, timeout};

use askrelay_protocol::connect::HelloOk;
use askrelay_protocol::frame::{Call, Caps, Event};

use crate::client::Client;
use crate::error::ConnectError;
use crate::exchange::Answer;
use crate::handshake::shake;
use crate::link::{Link, Receiving, Sending};
use crate::session::carry;
use crate::settings::Settings;

/// A call on its way to the connection.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) call: Call,
    pub(crate) answer: Answer,
}

/// Where the connection stands.
#[derive(Clone, Debug)]
pub enum Status {
    /// Not connected yet.
    Connecting,
    /// Connected.
    Online(Online),
    /// Lost or refused; it will be tried again.
    Offline(Arc<ConnectError>),
    /// Ended; it will not be tried again.
    Ended(Arc<ConnectError>),
}

/// One standing connection.
#[derive(Clone, Debug)]
pub struct Online {
    /// Counts the connections of this client from 1.
    pub number: u64,
    /// What the gateway said.
    pub hello: Arc<HelloOk>,
    /// What both sides understand.
    pub caps: Caps,
}

/// What a subscriber hears, in order.
#[derive(Clone, Debug)]
pub enum Happening {
    /// The connection stands.
    Online(Online),
    /// The connection is gone.
    Offline,
    /// The gateway told something.
    Event(Event),
    /// Events were lost on the way: list again.
    Gap,
}

/// The work behind a [`Client`].
#[derive(Debug)]
pub struct Driver {
    settings: Settings,
    link: Link,
    jobs: mpsc::Receiver<Job>,
    status: watch::Sender<Status>,
    happenings: broadcast::Sender<Happening>,
    number: u64,
}

/// A client of the gateway behind `link`, and the work to run for it.
#[must_use]
pub fn open(settings: Settings, link: Link) -> (Client, Driver) {
    let (sender, jobs) = mpsc::channel(settings.queue.max(1));
    let (status, seen) = watch::channel(Status::Connecting);
    let (happenings, _) = broadcast::channel(settings.events.max(1));
    let client = Client::new(&settings, sender, seen, happenings.clone());
    (client, Driver { settings, link, jobs, status, happenings, number: 0 })
}

impl Driver {
    /// Keeps the connection until every handle is dropped or connecting again cannot help; says why it ended.
    pub async fn run(mut self) -> Arc<ConnectError> {
        let mut failures = 0;
        loop {
            let before = self.number;
            let why = self.connect_and_carry().await;
            failures = if self.number == before { failures + 1 } else { 1 };
            let why = Arc::new(why);
            let enough = self.settings.attempts.is_some_and(|most| failures >= most);
            let is_final = if self.settings.persistent { why.is_hopeless() } else { why.is_final() };
            if is_final || enough {
                self.status.send_replace(Status::Ended(Arc::clone(&why)));
                return why;
            }
            self.status.send_replace(Status::Offline(Arc::clone(&why)));
            let delay = why.retry_after().unwrap_or_else(|| self.settings.backoff.after(failures));
            tokio::select! {
                () = sleep(delay) => {}
                () = self.status.closed() => return Arc::new(ConnectError::Dropped),
            }
        }
    }

    async fn connect_and_carry(&mut self) -> ConnectError {
        let opened = tokio::select! {
            opened = connect(&self.settings, &self.link) => opened,
            () = self.status.closed() => return ConnectError::Dropped,
        };
        let (halves, hello, caps) = match opened {
            Ok(opened) => opened,
            Err(why) => return why,
        };
        self.number += 1;
        let hello = Arc::new(hello);
        let online = Online { number: self.number, hello: Arc::clone(&hello), caps };
        self.status.send_replace(Status::Online(online.clone()));
        self.tell(Happening::Online(online));
        let why = carry(&self.settings, (&hello, caps), halves, &mut self.jobs, &self.happenings).await;
        self.tell(Happening::Offline);
        why
    }

    fn tell(&self, happening: Happening) {
        // Nobody subscribed: nobody to tell.
        let _ = self.happenings.send(happening);
    }
}

type Opened = ((Sending, Receiving), HelloOk, Caps);

async fn connect(settings: &Settings, link: &Link) -> Result<Opened, ConnectError> {
    let slow = |_| ConnectError::Slow(settings.handshake);
    let (mut sending, mut receiving) = timeout(settings.handshake, link.connect()).await.map_err(slow)??;
    let (hello, caps) = shake(settings, &mut sending, &mut receiving).await?;
    Ok(((sending, receiving), hello, caps))
}
