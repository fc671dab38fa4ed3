//! Carries out Orders: what goes when is the queue's to say, what an error means the errors', how a press is answered the notes'.
//! Remembers what it carried out, and repeats a call only where the platform said that the first one did not happen.

mod notes;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use askrelay_core::id::{Account, MessageId, Place, SendId};
use askrelay_core::port::{Failure, FailureKind, Order, Receipt, Report};
use askrelay_core::time::Span;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::{Instant, sleep_until};

use crate::client::Client;
use crate::config::Policy;
use crate::encode::{self, Call};
use crate::error::{CallError, EncodeError, Meaning};
use crate::place::{Room, Spot, position};
use crate::queue::{Class, Job, Queue};
use crate::shared::Shared;

/// The outgoing side of one Account.
pub(crate) struct Outbox {
    account: Account,
    client: Arc<Client>,
    policy: Policy,
    shared: Arc<Shared>,
    queue: Queue,
    /// Calls on their way.
    calls: FuturesUnordered<BoxFuture<'static, Made>>,
    /// Orders that still owe their Report.
    owed: BTreeSet<SendId>,
    done: BTreeMap<SendId, Report>,
    done_in_order: VecDeque<SendId>,
    /// Reports on their way to the relay.
    filed: VecDeque<Report>,
}

/// A call that is over.
enum Made {
    Job(Box<Job>, Result<Option<String>, CallError>),
    /// The answer to a press, and what to do where it could not be given.
    Press(Option<Box<Order>>, Result<(), CallError>),
}

/// What is tried again while too much waits. Own choice, 2026-11.
const FULL_LATER: Span = Span::seconds(30);

impl Outbox {
    pub(crate) fn new(account: Account, client: Arc<Client>, policy: Policy, shared: Arc<Shared>) -> Self {
        Self {
            account,
            client,
            policy,
            shared,
            queue: Queue::new(policy),
            calls: FuturesUnordered::new(),
            owed: BTreeSet::new(),
            done: BTreeMap::new(),
            done_in_order: VecDeque::new(),
            filed: VecDeque::new(),
        }
    }

    /// Carries out Orders until they end and all of them are carried out, for a while, or nobody takes Reports.
    pub(crate) async fn run(mut self, mut orders: Receiver<Order>, reports: Sender<Report>) {
        let mut last_until: Option<Instant> = None;
        loop {
            let now = Instant::now();
            while let Some(job) = self.queue.take(now) {
                self.start(job);
            }
            if last_until.is_some() && self.is_empty() {
                return;
            }
            let wake = self.wake(now, last_until);
            let takes_orders = last_until.is_none() && self.filed.len() < self.policy.queue;
            tokio::select! {
                order = orders.recv(), if takes_orders => match order {
                    Some(order) => self.order(order),
                    None => last_until = Some(Instant::now() + self.policy.end_wait),
                },
                Some(made) = self.calls.next(), if !self.calls.is_empty() => self.made(made),
                permit = reports.reserve(), if !self.filed.is_empty() => match permit {
                    Ok(permit) => if let Some(report) = self.filed.pop_front() { permit.send(report) },
                    Err(_) => return,
                },
                () = sleep_until(wake.unwrap_or(now)), if wake.is_some() => {
                    if last_until.is_some_and(|until| until <= Instant::now()) {
                        return self.give_up(&reports);
                    }
                }
                () = reports.closed() => return,
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.queue.len() == 0 && self.calls.is_empty() && self.filed.is_empty()
    }

    /// When there is something to do that nobody tells us of.
    fn wake(&mut self, now: Instant, last_until: Option<Instant>) -> Option<Instant> {
        self.queue.due(now).into_iter().chain(last_until).min()
    }

    fn order(&mut self, order: Order) {
        if let Some(send) = owes_report(&order) {
            if let Some(report) = self.done.get(send) {
                return self.filed.push_back(report.clone());
            }
            if self.owed.contains(send) {
                return;
            }
        }
        match order {
            Order::Show { send, place, prompt } => {
                let job = encode::spot(&place.conversation).and_then(|spot| {
                    let calls = encode::show(&spot, &prompt)?;
                    Ok(Job::new(Class::Prompt, place, spot, calls))
                });
                self.push(Some(send), job);
            }
            Order::Edit { send, receipt, prompt } => {
                self.push(Some(send), redraw(Class::Look, &receipt, &prompt));
            }
            Order::Retire { send, receipt, prompt } => {
                self.push(Some(send), redraw(Class::Outcome, &receipt, &prompt));
            }
            Order::AskForText { send, place, to, text, placeholder: _, receipt } => {
                let job = encode::spot(&place.conversation).map(|spot| {
                    let call = encode::ask(&spot, &to, &text, &receipt);
                    Job::new(Class::Outcome, place, spot, vec![call])
                });
                self.push(Some(send), job);
            }
            Order::Say { place, to, reply_to, text } => {
                let job = encode::spot(&place.conversation)
                    .map(|spot| self.say(place, spot, to.as_ref(), reply_to.as_ref(), &text));
                self.push(None, job);
            }
            Order::Acknowledge { ack, with } => self.acknowledge(ack, with),
            Order::Toast { ack, text, otherwise } => self.toast(ack, &text, otherwise),
            // The platform has its acknowledgement long before anything is on disk.
            Order::Saved { .. } => {}
        }
    }

    /// To one person where others are, it is said to them alone; where that is refused, in the thread of what it is about.
    fn say(
        &self,
        place: Place,
        spot: Spot,
        to: Option<&askrelay_core::id::Identity>,
        reply_to: Option<&MessageId>,
        text: &str,
    ) -> Job {
        let about = reply_to.map(MessageId::as_str).filter(|ts| position(ts).is_some());
        let heard_in = about.and_then(|ts| self.shared.thread(&spot, ts));
        let inside = spot.thread.clone().or(heard_in);
        // A direct conversation needs no threads where nobody opened one.
        let below = inside.clone().or_else(|| about.filter(|_| !spot.is_private()).map(str::to_owned));
        let aloud = encode::say(&spot, to, below.as_deref(), text);
        match to.filter(|_| !spot.is_private()) {
            Some(to) => {
                let whisper = encode::whisper(&spot, encode::user(to), inside.as_deref(), text);
                let mut job = Job::new(Class::Outcome, place, spot, vec![whisper]);
                job.instead = Some(aloud);
                job
            }
            None => Job::new(Class::Outcome, place, spot, vec![aloud]),
        }
    }

    fn push(&mut self, send: Option<SendId>, job: Result<Job, EncodeError>) {
        match job {
            Ok(_) if self.queue.len() >= self.policy.queue => {
                let why = "too much waits to be sent".to_owned();
                self.fail(send, &Failure { kind: FailureKind::Later(FULL_LATER), why });
            }
            Ok(mut job) => {
                self.owed.extend(send.clone());
                job.sends.extend(send);
                self.queue.push(job, Instant::now());
            }
            Err(error) => self.fail(send, &error.failure()),
        }
    }

    fn start(&mut self, job: Job) {
        let (client, shared) = (Arc::clone(&self.client), Arc::clone(&self.shared));
        let Some(call) = job.calls.front().cloned() else { return self.queue.made(&job.spot, None) };
        self.calls.push(Box::pin(async move {
            let result = carry(&client, &shared, &job.spot, call).await;
            Made::Job(Box::new(job), result)
        }));
    }

    fn made(&mut self, made: Made) {
        match made {
            Made::Job(job, result) => self.called(*job, result),
            Made::Press(_, Ok(())) => {}
            Made::Press(otherwise, Err(error)) => {
                tracing::debug!(account = %self.account, %error, "a press was not answered");
                if let Some(order) = otherwise {
                    self.order(*order);
                }
            }
        }
    }

    /// A call of a job is over.
    fn called(&mut self, mut job: Job, result: Result<Option<String>, CallError>) {
        match result {
            Ok(ts) => {
                job.calls.pop_front();
                job.messages.extend(ts.map(|ts| ts.as_str().into()));
                self.proceed(job);
            }
            Err(CallError::Refused { .. }) if job.instead.is_some() => {
                job.calls = job.instead.take().into_iter().collect();
                self.proceed(job);
            }
            Err(error) => match error.meaning(&job.spot, self.shared.handle().as_deref()) {
                Meaning::Wait(wait) => {
                    self.queue.flood(&job, Instant::now() + wait);
                    let spot = job.spot.clone();
                    self.queue.made(&spot, Some(job));
                }
                Meaning::Failed(failure) => {
                    self.queue.made(&job.spot, None);
                    self.give_back(job, &failure);
                }
            },
        }
    }

    fn proceed(&mut self, job: Job) {
        let spot = job.spot.clone();
        if !job.calls.is_empty() {
            return self.queue.made(&spot, Some(job));
        }
        self.queue.made(&spot, None);
        let position = job.messages.iter().filter_map(|id| position(id.as_str())).max();
        let receipt = Receipt { place: job.place, messages: job.messages };
        for send in job.sends {
            let report = Report::Shown { send: send.clone(), receipt: receipt.clone(), position };
            self.owed.remove(&send);
            self.remember(send, &report);
            self.filed.push_back(report);
        }
    }

    fn give_back(&mut self, job: Job, failure: &Failure) {
        if job.sends.is_empty() {
            tracing::info!(account = %self.account, why = %failure.why, "something was not said");
        } else if matches!(failure.kind, FailureKind::Later(_)) {
            tracing::warn!(account = %self.account, why = %failure.why, "a message waits, and is tried again later");
        }
        for send in job.sends {
            self.owed.remove(&send);
            self.fail(Some(send), failure);
        }
    }

    fn fail(&mut self, send: Option<SendId>, failure: &Failure) {
        if let Some(send) = send {
            self.filed.push_back(Report::Failed { send, failure: failure.clone() });
        }
    }

    fn remember(&mut self, send: SendId, report: &Report) {
        if self.done.insert(send.clone(), report.clone()).is_none() {
            self.done_in_order.push_back(send);
        }
        if self.done_in_order.len() > self.policy.remembered
            && let Some(oldest) = self.done_in_order.pop_front()
        {
            self.done.remove(&oldest);
        }
    }

    /// The end comes though something waits, or a call hangs: what waits is given back, and the call is let go. Whether it took effect
    /// is seen at the next start.
    fn give_up(mut self, reports: &Sender<Report>) {
        let failure = Failure {
            kind: FailureKind::Later(FULL_LATER),
            why: "askrelay ends before it could be sent".to_owned(),
        };
        for job in self.queue.drain() {
            self.give_back(job, &failure);
        }
        // Whoever takes no Reports now learns at the next start how things stand.
        for report in self.filed {
            if reports.try_send(report).is_err() {
                return;
            }
        }
    }
}

/// Makes a call where it is meant, whose channel is looked up where that is a person.
async fn carry(
    client: &Client,
    shared: &Shared,
    spot: &Spot,
    call: Call,
) -> Result<Option<String>, CallError> {
    let channel = match &spot.room {
        Room::Channel(channel) => channel.clone(),
        Room::Person(user) => match shared.direct(user) {
            Some(channel) => channel,
            None => {
                let channel = client.direct(user).await?;
                shared.learn_direct(user, &channel);
                channel
            }
        },
    };
    let is_message = matches!(call, Call::Post(_));
    let sent = client.carry(&call.to(&channel)).await?;
    if let Some(ts) = sent.as_deref().filter(|_| is_message) {
        shared.learn_ours(&channel, ts);
    }
    Ok(sent)
}

fn redraw(
    class: Class,
    receipt: &Receipt,
    prompt: &askrelay_core::prompt::Prompt,
) -> Result<Job, EncodeError> {
    let spot = encode::spot(&receipt.place.conversation)?;
    let (kept, calls) = encode::redraw(receipt, prompt)?;
    let mut job = Job::new(class, receipt.place.clone(), spot, calls);
    job.messages = kept;
    job.redraws = receipt.messages.last().cloned();
    Ok(job)
}

pub(crate) fn owes_report(order: &Order) -> Option<&SendId> {
    match order {
        Order::Show { send, .. }
        | Order::Edit { send, .. }
        | Order::Retire { send, .. }
        | Order::AskForText { send, .. } => Some(send),
        Order::Acknowledge { .. } | Order::Toast { .. } | Order::Say { .. } | Order::Saved { .. } => None,
    }
}
