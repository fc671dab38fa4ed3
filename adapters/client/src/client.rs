//! The handle through which everybody asks, waits, answers and reads. Its calls outlive a connection: what may or may not
//! have taken effect is asked again in a way that cannot take effect twice.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::time::sleep;

use askrelay_core::id::{GatewayId, RecordId};
use askrelay_core::record::Record;
use askrelay_core::time::Time;
use askrelay_protocol::call::{AskParams, Cursor, ListParams, NotifyCall, NotifyParams, WaitParams};
use askrelay_protocol::error::{Reason, WireError};
use askrelay_protocol::frame::{Call, Caps};
use askrelay_protocol::reply::{Ending, Reply, Waited};

use crate::driver::{Happening, Job, Online, Status};
use crate::error::{CallError, ConnectError, RETRY_AFTER_MAX};
use crate::settings::{Backoff, Settings};

/// A handle on one gateway; cheap to clone. The connection ends when the last one is dropped.
#[derive(Clone, Debug)]
pub struct Client {
    gateway: GatewayId,
    jobs: mpsc::Sender<Job>,
    status: watch::Receiver<Status>,
    happenings: broadcast::Sender<Happening>,
    busy: Backoff,
}

/// An Ask that the gateway took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requested {
    /// Its id.
    pub id: RecordId,
    /// When waiting ends.
    pub expires_at: Time,
    /// The same was asked under this id before, as far as the gateway says so.
    pub was_there: bool,
}

/// One page of a list, oldest first.
#[derive(Clone, Debug)]
pub struct Page {
    /// The Records.
    pub records: Vec<Arc<Record>>,
    /// Where the next page starts; none after the last.
    pub next: Option<Cursor>,
}

/// The tries of one call.
pub(crate) struct Tries {
    busy: Backoff,
    refusals: u32,
    /// An earlier try may have taken effect.
    pub(crate) lost: bool,
}

impl Client {
    pub(crate) fn new(
        settings: &Settings,
        jobs: mpsc::Sender<Job>,
        status: watch::Receiver<Status>,
        happenings: broadcast::Sender<Happening>,
    ) -> Self {
        Self { gateway: settings.gateway.clone(), jobs, status, happenings, busy: settings.busy }
    }

    /// The gateway, as the configuration names it.
    #[must_use]
    pub const fn gateway(&self) -> &GatewayId {
        &self.gateway
    }

    /// Where the connection stands.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status.borrow().clone()
    }

    /// Follows where the connection stands.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Status> {
        self.status.clone()
    }

    /// Waits for a standing connection.
    ///
    /// # Errors
    /// Why there will be none.
    pub async fn online(&self) -> Result<Online, Arc<ConnectError>> {
        let mut status = self.status.clone();
        loop {
            match &*status.borrow_and_update() {
                Status::Online(online) => return Ok(online.clone()),
                Status::Ended(why) => return Err(Arc::clone(why)),
                Status::Connecting | Status::Offline(_) => {}
            }
            if status.changed().await.is_err() {
                return Err(Arc::new(ConnectError::Dropped));
            }
        }
    }

    /// Waits until there will be no connection any more; says why.
    pub(crate) fn ended(&self) -> impl Future<Output = Arc<ConnectError>> + use<> {
        let mut status = self.status.clone();
        async move {
            let ended = status.wait_for(|status| matches!(status, Status::Ended(_))).await;
            match ended.as_deref() {
                Ok(Status::Ended(why)) => Arc::clone(why),
                _ => Arc::new(ConnectError::Dropped),
            }
        }
    }

    /// Events and connections from now on, in order. One who falls too far behind is told, and lists again.
    #[must_use]
    pub fn happenings(&self) -> broadcast::Receiver<Happening> {
        self.happenings.subscribe()
    }

    /// One request, sent once: waits for a connection, then for the answer.
    ///
    /// # Errors
    /// Why there is no result; [`CallError::Lost`] may have taken effect.
    pub async fn call(&self, call: Call) -> Result<Reply, CallError> {
        let (answer, result) = oneshot::channel();
        if self.jobs.send(Job { call, answer }).await.is_err() {
            return Err(self.gone());
        }
        result.await.unwrap_or_else(|_| Err(self.gone()))
    }

    fn gone(&self) -> CallError {
        match &*self.status.borrow() {
            Status::Ended(why) => CallError::Ended(Arc::clone(why)),
            Status::Connecting | Status::Offline(_) | Status::Online(_) if self.jobs.is_closed() => {
                CallError::Ended(Arc::new(ConnectError::Dropped))
            }
            Status::Connecting | Status::Offline(_) | Status::Online(_) => CallError::Lost,
        }
    }

    pub(crate) fn tries(&self) -> Tries {
        Tries { busy: self.busy, refusals: 0, lost: false }
    }

    /// A request that changes nothing, until it is answered.
    pub(crate) async fn read(&self, call: Call) -> Result<Reply, CallError> {
        let mut tries = self.tries();
        loop {
            match self.call(call.clone()).await {
                Err(error) => tries.again(error).await?,
                reply => return reply,
            }
        }
    }

    /// Creates an Ask. Without an id it gets a fresh one here, so that a repeated request names the same Record.
    ///
    /// # Errors
    /// The gateway refused it, or there will be no connection.
    pub async fn request(&self, mut params: AskParams) -> Result<Requested, CallError> {
        let id = match params.id.take() {
            Some(id) => id,
            None => fresh_id()?,
        };
        params.id = Some(id.clone());
        let questions = params.questions.clone();
        let call = Call::Request(Box::new(params));
        let mut tries = self.tries();
        loop {
            match self.call(call.clone()).await {
                Ok(Reply::Requested { id, expires_at, was_there }) => {
                    return Ok(Requested { id, expires_at, was_there });
                }
                Ok(other) => return Err(unexpected(&other)),
                Err(CallError::Refused(error)) if tries.lost && is(&error, &Reason::IdInUse) => {
                    // A gateway that does not know repeats: the first try took effect if its questions stand there.
                    let record = self.get(id.clone()).await?;
                    let ours = record.filter(|record| record.ask.questions == questions);
                    let ours =
                        ours.map(|record| Requested { id, expires_at: record.expires_at, was_there: true });
                    return ours.ok_or(CallError::Refused(error));
                }
                Err(error) => tries.again(error).await?,
            }
        }
    }

    /// Waits until the Record ended, through lost connections and restarts.
    ///
    /// # Errors
    /// The gateway does not know it (any more), or there will be no connection.
    pub async fn wait_answer(&self, id: RecordId) -> Result<Ending, CallError> {
        let mut tries = self.tries();
        loop {
            match self.wait_once(id.clone(), None).await {
                Ok(Some(ending)) => return Ok(ending),
                // A gateway that stops says so to those who wait, and is back soon.
                Ok(None) => tries.pause(None).await,
                Err(error) => tries.again(error).await?,
            }
        }
    }

    /// Waits at most `wait`; nothing when the Record still waits then.
    ///
    /// # Errors
    /// Why there is no result.
    pub async fn wait_once(&self, id: RecordId, wait: Option<Duration>) -> Result<Option<Ending>, CallError> {
        let wait =
            wait.map(|wait| askrelay_core::time::Span(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)));
        let params = WaitParams { id, wait, include_resolution: true };
        let mut reply = self.call(Call::WaitAnswer(params.clone())).await;
        if let Err(CallError::Refused(error)) = &reply
            && self.is_too_old(error)
        {
            reply = self.call(Call::WaitAnswer(WaitParams { include_resolution: false, ..params })).await;
        }
        match reply? {
            Reply::Waited(Waited::Pending) => Ok(None),
            Reply::Waited(Waited::Ended { ending, .. }) => Ok(Some(ending)),
            other => Err(unexpected(&other)),
        }
    }

    /// One Record; nothing when the gateway does not know it or does not show it.
    ///
    /// # Errors
    /// The gateway refused otherwise, or there will be no connection.
    pub async fn get(&self, id: RecordId) -> Result<Option<Arc<Record>>, CallError> {
        match self.read(Call::Get { id }).await {
            Ok(Reply::Question(record)) => Ok(Some(record)),
            Ok(other) => Err(unexpected(&other)),
            Err(CallError::Refused(error)) if is(&error, &Reason::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Says that the end of an Ask is in hand: the same asked again is a new Ask from then on. Repeating it changes nothing.
    ///
    /// # Errors
    /// The gateway refused it or does not know how, or there will be no connection.
    pub async fn collect(&self, id: RecordId) -> Result<(), CallError> {
        self.done(Call::Collect { id }).await
    }

    /// Tells people something that asks for no answer, where the routes say; gives in how many Places it was said. Never repeated: after
    /// an error nobody knows whether it was said.
    ///
    /// # Errors
    /// The gateway refused it or does not know how, its answer was lost, or there will be no connection.
    pub async fn notify(&self, params: NotifyParams) -> Result<usize, CallError> {
        match self.call(Call::Notify(NotifyCall::Send(params))).await? {
            Reply::Notified { places } => Ok(places),
            other => Err(unexpected(&other)),
        }
    }

    /// Says in how many Places a notification was said.
    pub(crate) async fn notified(&self, number: u64, places: usize) -> Result<(), CallError> {
        match self.call(Call::Notify(NotifyCall::Sent { number, places })).await? {
            Reply::Done => Ok(()),
            other => Err(unexpected(&other)),
        }
    }

    /// One page of what waits. A plain gateway gives all of it at once.
    ///
    /// # Errors
    /// The gateway refused, or there will be no connection.
    pub async fn list(&self, params: ListParams) -> Result<Page, CallError> {
        match self.read(Call::List(params)).await? {
            Reply::Questions { records, next } => Ok(Page { records, next }),
            other => Err(unexpected(&other)),
        }
    }

    /// Everything that waits, oldest first, and under the cap what ended at `ended_since` or later.
    ///
    /// # Errors
    /// The gateway refused, or there will be no connection.
    pub async fn list_all(&self, ended_since: Option<Time>) -> Result<Vec<Arc<Record>>, CallError> {
        let mut page = self.list(ListParams { ended_since, ..ListParams::default() }).await?;
        let mut records = page.records;
        while let Some(after) = page.next.take() {
            let params = ListParams { after: Some(after), ended_since, ..ListParams::default() };
            page = self.list(params).await?;
            records.append(&mut page.records);
        }
        Ok(records)
    }

    /// A change that may be made twice without harm.
    pub(crate) async fn done(&self, call: Call) -> Result<(), CallError> {
        match self.read(call).await? {
            Reply::Done => Ok(()),
            other => Err(unexpected(&other)),
        }
    }

    /// What the standing connection understands; plain when there is none.
    pub(crate) fn caps(&self) -> Caps {
        match &*self.status.borrow() {
            Status::Online(online) => online.caps,
            Status::Connecting | Status::Offline(_) | Status::Ended(_) => Caps::PLAIN,
        }
    }
}

impl Tries {
    /// Prepares another try after `error`, or hands the error back when none can help.
    pub(crate) async fn again(&mut self, error: CallError) -> Result<(), CallError> {
        match error {
            CallError::Lost => {
                self.lost = true;
                Ok(())
            }
            CallError::Refused(error) if error.retryable => {
                let wait = error.retry_after_ms.map(Duration::from_millis);
                self.pause(wait.map(|wait| wait.min(RETRY_AFTER_MAX))).await;
                Ok(())
            }
            error => Err(error),
        }
    }

    async fn pause(&mut self, wanted: Option<Duration>) {
        self.refusals = self.refusals.saturating_add(1);
        sleep(wanted.unwrap_or_else(|| self.busy.after(self.refusals))).await;
    }
}

/// Whether a rule refused for this reason.
pub(crate) fn is(error: &WireError, reason: &Reason) -> bool {
    error.details.reason.as_ref() == Some(reason)
}

pub(crate) fn unexpected(reply: &Reply) -> CallError {
    let kind = match reply {
        Reply::HelloOk(_) => "a hello",
        Reply::Requested { .. } => "a new question",
        Reply::Waited(_) => "the end of a wait",
        Reply::Resolved(_) => "the end of a question",
        Reply::Question(_) => "a question",
        Reply::Questions { .. } => "a list of questions",
        Reply::People(_) => "people",
        Reply::Person(_) => "a person",
        Reply::Knocked(_) => "a welcome",
        Reply::Notified { .. } => "a number of places",
        Reply::Pairings(_) => "pairings",
        Reply::InviteCreated { .. } => "an invite",
        Reply::Invites(_) => "invites",
        Reply::Trail { .. } => "the audit trail",
        Reply::TokenCreated { .. } => "a token",
        Reply::Tokens(_) => "tokens",
        Reply::Done => "nothing",
    };
    CallError::Unreadable(format!("it is {kind}, which was not asked for"))
}

/// A fresh id in the form that other gateways' own prompts use.
fn fresh_id() -> Result<RecordId, CallError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| CallError::NoRandomness(error.to_string()))?;
    Ok(format!("ask_{:032x}", u128::from_be_bytes(bytes)).into())
}
