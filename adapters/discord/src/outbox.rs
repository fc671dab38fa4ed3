//! Carries out Orders: what goes when is the queue's to say, what an error means the errors'. Remembers what it carried out, and
//! repeats a call only where that changes nothing. Answers to interactions are `answers.rs`'s.

mod answers;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use askrelay_core::id::{Account, SendId};
use askrelay_core::port::{Failure, FailureKind, Order, Receipt, Report};
use askrelay_core::time::Span;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::{Instant, sleep_until};

use crate::client::{Carried, Client};
use crate::config::Policy;
use crate::encode::{self, Call, What};
use crate::error::{CallError, EncodeError, Meaning};
use crate::place::{Snowflake, Spot};
use crate::queue::{Class, Job, Queue};
use crate::shared::Shared;
use answers::Labels;

/// The outgoing side of one Account.
pub(crate) struct Outbox {
    account: Account,
    client: Arc<Client>,
    policy: Policy,
    shared: Arc<Shared>,
    queue: Queue,
    /// Calls on their way.
    calls: FuturesUnordered<BoxFuture<'static, Made>>,
    /// What the fields of open forms are called.
    labels: Labels,
    /// Orders that still owe their Report.
    owed: BTreeSet<SendId>,
    done: BTreeMap<SendId, Report>,
    done_in_order: VecDeque<SendId>,
    /// Reports on their way to the relay.
    filed: VecDeque<Report>,
}

/// A call that is over.
enum Made {
    Job(Box<Job>, Carried),
    /// The first answer to an interaction, and what to do where its words could not be shown.
    Answer(Option<Box<Order>>, Result<(), CallError>),
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
            queue: Queue::new(policy.overall),
            calls: FuturesUnordered::new(),
            labels: Labels::default(),
            owed: BTreeSet::new(),
            done: BTreeMap::new(),
            done_in_order: VecDeque::new(),
            filed: VecDeque::new(),
        }
    }

    /// Carries out Orders until they end and all of them are carried out, or given back after a while, or nobody takes Reports.
    pub(crate) async fn run(mut self, mut orders: Receiver<Order>, reports: Sender<Report>) {
        let mut last_until: Option<Instant> = None;
        let shared = Arc::clone(&self.shared);
        loop {
            let now = Instant::now();
            if last_until.is_some_and(|until| until <= now) {
                return self.give_up(&reports);
            }
            // Nobody says any more how an interaction is to be answered.
            let patience = if last_until.is_some() { Duration::ZERO } else { self.policy.acknowledge_after };
            self.answer_overdue(now, patience);
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
                // How long it may wait is looked at above.
                () = shared.another_came() => {}
                () = sleep_until(wake.unwrap_or(now)), if wake.is_some() => {}
                () = reports.closed() => return,
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.queue.len() == 0 && self.calls.is_empty() && self.filed.is_empty()
    }

    /// When there is something to do that nobody tells us of.
    fn wake(&mut self, now: Instant, last_until: Option<Instant>) -> Option<Instant> {
        let owed = self.shared.acknowledgement_due(self.policy.acknowledge_after);
        owed.into_iter().chain(self.queue.due(now)).chain(last_until).min()
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
                let job = encode::spot(&place.conversation)
                    .and_then(|spot| Ok(Job::new(Class::Prompt, place, spot, encode::show(&send, &prompt)?)));
                self.push(Some(send), job);
            }
            Order::Edit { send, receipt, prompt } => {
                let job = redraw(Class::Look, &send, &receipt, &prompt);
                self.push(Some(send), job);
            }
            Order::Retire { send, receipt, prompt } => {
                let job = redraw(Class::Outcome, &send, &receipt, &prompt);
                self.push(Some(send), job);
            }
            Order::AskForText { send, place, to, text, receipt, .. } => {
                let job = encode::spot(&place.conversation).and_then(|spot| {
                    let call = encode::ask(&send, spot, &to, &text, &receipt)?;
                    Ok(Job::new(Class::Outcome, place, spot, vec![call]))
                });
                self.push(Some(send), job);
            }
            Order::Say { place, to, reply_to, text } => {
                let job = encode::spot(&place.conversation).and_then(|spot| {
                    let call = encode::say(spot, to.as_ref(), reply_to.as_ref(), &text)?;
                    Ok(Job::new(Class::Outcome, place, spot, vec![call]))
                });
                self.push(None, job);
            }
            Order::Acknowledge { ack, with } => self.acknowledge(ack, with),
            Order::Toast { ack, text, otherwise } => self.toast(ack, &text, otherwise),
            // The gateway knows no confirmation.
            Order::Saved { .. } => {}
        }
    }

    fn push(&mut self, send: Option<SendId>, job: Result<Job, EncodeError>) {
        match job {
            Ok(job) if self.queue.len() >= self.policy.queue => {
                let why = "too much waits to be sent".to_owned();
                self.fail(job, send, &Failure { kind: FailureKind::Later(FULL_LATER), why });
            }
            Ok(mut job) => {
                self.owed.extend(send.clone());
                job.sends.extend(send);
                let is_open = |user| self.shared.channel_of(user).is_some();
                if let Spot::Person(user) = job.spot
                    && !is_open(user)
                    && !matches!(job.calls.front(), Some(Call { what: What::Follow(_), .. }))
                {
                    job.calls.push_front(encode::open(user));
                }
                self.queue.push(job);
            }
            Err(error) => match send {
                Some(send) => self.filed.push_back(Report::Failed { send, failure: error.failure() }),
                None => tracing::info!(account = %self.account, %error, "something was not said"),
            },
        }
    }

    fn start(&mut self, mut job: Job) {
        // Another Order may have opened it meanwhile.
        let channel = self.channel_of(&job);
        if channel.is_some() && matches!(job.calls.front(), Some(Call { what: What::Open, .. })) {
            job.calls.pop_front();
        }
        let Some(call) = job.calls.front().cloned() else { return self.proceed(job) };
        let client = Arc::clone(&self.client);
        // Neither stands in the path of a call that is made without it.
        let nobody = Snowflake(0);
        let application = self.shared.application().unwrap_or(nobody);
        let after = job.after.take();
        self.calls.push(Box::pin(async move {
            if let Some(mut after) = after {
                // If nobody tells any more, it is over too.
                let _ = after.wait_for(|over| *over).await;
            }
            let carried = client.carry(&call, channel.unwrap_or(nobody), application).await;
            Made::Job(Box::new(job), carried)
        }));
    }

    fn channel_of(&self, job: &Job) -> Option<Snowflake> {
        match job.spot {
            Spot::Channel(channel) => Some(channel),
            Spot::Person(user) => self.shared.channel_of(user),
        }
    }

    fn made(&mut self, made: Made) {
        match made {
            Made::Job(job, carried) => self.called(*job, carried),
            Made::Answer(_, Ok(())) => {}
            Made::Answer(otherwise, Err(error)) => {
                tracing::debug!(account = %self.account, %error, "an interaction was not answered");
                if let Some(order) = otherwise {
                    self.order(*order);
                }
            }
        }
    }

    /// A call of a job is over.
    fn called(&mut self, mut job: Job, Carried { result, told }: Carried) {
        let (spot, now) = (job.spot, Instant::now());
        let Some(call) = job.calls.front().cloned() else { return self.proceed(job) };
        self.queue.told(&call.what, spot, &told, now);
        let meaning = match result {
            Ok(answer) => match took_effect(&mut job, &call, &answer) {
                Some(opened) => {
                    if let (Spot::Person(user), Some(channel)) = (spot, opened) {
                        self.shared.opened(user, channel);
                    }
                    job.tries = 0;
                    return self.proceed(job);
                }
                None => CallError::Garbled { status: 200 }.meaning(spot),
            },
            Err(error) => error.meaning(spot),
        };
        match meaning {
            Meaning::Wait { wait, global } => {
                self.queue.limited(&call.what, spot, now + wait, global);
                self.queue.made(spot, Some(job));
            }
            Meaning::Archived if !job.reopened => {
                job.reopened = true;
                job.calls.push_front(encode::reopen());
                self.queue.made(spot, Some(job));
            }
            Meaning::Archived => self.failed(job, &archived()),
            Meaning::Unknown(failure) => {
                job.tries += 1;
                if !call.is_repeatable() || job.tries >= self.policy.tries {
                    return self.failed(job, &failure);
                }
                job.not_before = Some(now + self.policy.send_again);
                self.queue.made(spot, Some(job));
            }
            Meaning::Failed(failure) if call.what == What::Reopen => {
                let why = format!("{}: {}", archived().why, failure.why);
                self.failed(job, &Failure { why, ..failure });
            }
            Meaning::Failed(failure) => self.failed(job, &failure),
        }
    }

    fn proceed(&mut self, job: Job) {
        if !job.calls.is_empty() {
            return self.queue.made(job.spot, Some(job));
        }
        self.queue.made(job.spot, None);
        let ids = job.messages.iter().filter_map(|id| Snowflake::parse(id.as_str()));
        let position = ids.filter_map(crate::decode::position).max();
        let receipt = Receipt { place: job.place, messages: job.messages };
        for send in job.sends {
            let report = Report::Shown { send: send.clone(), receipt: receipt.clone(), position };
            self.owed.remove(&send);
            self.remember(send, &report);
            self.filed.push_back(report);
        }
    }

    fn failed(&mut self, job: Job, failure: &Failure) {
        self.queue.made(job.spot, None);
        self.fail(job, None, failure);
    }

    fn fail(&mut self, mut job: Job, send: Option<SendId>, failure: &Failure) {
        job.sends.extend(send);
        if job.sends.is_empty() {
            tracing::info!(account = %self.account, why = %failure.why, "something was not said");
        }
        for send in job.sends {
            self.owed.remove(&send);
            self.filed.push_back(Report::Failed { send, failure: failure.clone() });
        }
        if let Some(order) = job.otherwise {
            self.order(*order);
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

    /// What could not be carried out before the end is given back: what waits still, and what is on its way. Waits for nobody.
    fn give_up(&mut self, reports: &Sender<Report>) {
        let failure = Failure {
            kind: FailureKind::Later(FULL_LATER),
            why: "askrelay ends before it could be sent".to_owned(),
        };
        for mut job in self.queue.drain() {
            job.otherwise = None;
            self.fail(job, None, &failure);
        }
        self.calls.clear();
        let failure = Failure {
            kind: FailureKind::Unknown,
            why: "askrelay ends before Discord said whether it was sent".to_owned(),
        };
        for send in std::mem::take(&mut self.owed) {
            self.filed.push_back(Report::Failed { send, failure: failure.clone() });
        }
        for report in self.filed.drain(..) {
            // Who takes none now finds out at the next start.
            if reports.try_send(report).is_err() {
                return;
            }
        }
    }
}

/// Takes a call that took effect off its job; the channel that it opened, if it opened one. Nothing where the answer makes no sense.
fn took_effect(job: &mut Job, call: &Call, answer: &Value) -> Option<Option<Snowflake>> {
    let id = answer.get("id").and_then(Value::as_str).and_then(Snowflake::parse);
    let mut opened = None;
    match &call.what {
        What::Open => opened = Some(id?),
        What::Post => {
            let id = id?;
            job.messages.push(id.to_string().into());
            job.calls.pop_front();
            if encode::is_another(call, answer) {
                // An earlier try of this Order, with an older look.
                job.messages.pop();
                job.calls.push_front(encode::edit_of(call, id));
            }
            return Some(None);
        }
        What::Edit(message) => job.messages.push(message.to_string().into()),
        What::Reopen | What::Follow(_) => {}
    }
    job.calls.pop_front();
    Some(opened)
}

fn archived() -> Failure {
    let why =
        "this thread is archived, and the bot may not open it again: give it the permission Manage Threads";
    Failure { kind: FailureKind::Unreachable, why: why.to_owned() }
}

fn redraw(
    class: Class,
    send: &SendId,
    receipt: &Receipt,
    prompt: &askrelay_core::prompt::Prompt,
) -> Result<Job, EncodeError> {
    let spot = encode::spot(&receipt.place.conversation)?;
    let (kept, calls) = encode::redraw(send, receipt, prompt)?;
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
