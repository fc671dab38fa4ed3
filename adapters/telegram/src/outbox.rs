//! Carries out Orders: what goes when is the queue's to say, what an error means the errors'. Remembers what it carried out, and
//! repeats a call only where the platform said that the first one did not happen.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use askrelay_core::id::{Account, AckId, SendId};
use askrelay_core::port::{Acknowledgement, Failure, FailureKind, Order, Receipt, Report};
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
    /// Presses held for the words that may follow, until then.
    held: BTreeMap<AckId, Held>,
    /// Orders that still owe their Report.
    owed: BTreeSet<SendId>,
    done: BTreeMap<SendId, Report>,
    done_in_order: VecDeque<SendId>,
    /// Reports on their way to the relay.
    filed: VecDeque<Report>,
}

struct Held {
    press: String,
    until: Instant,
}

/// A call that is over.
enum Made {
    Job(Box<Job>, Result<Option<i32>, CallError>),
    /// The end of a press, and what to do where its words could not be shown.
    Press(Option<Box<Order>>, Result<Option<i32>, CallError>),
}

/// What is tried again while the platform wants to be left alone for long or too much waits. Own choice, 2026-11.
const FULL_LATER: Span = Span::seconds(30);
/// After a group moved, its Prompts are shown under the new id. Own choice, 2026-11.
const MOVED_LATER: Span = Span::seconds(1);

impl Outbox {
    pub(crate) fn new(account: Account, client: Arc<Client>, policy: Policy, shared: Arc<Shared>) -> Self {
        Self {
            account,
            client,
            policy,
            shared,
            queue: Queue::new(policy),
            calls: FuturesUnordered::new(),
            held: BTreeMap::new(),
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
            self.release(now);
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
                    None => {
                        last_until = Some(Instant::now() + self.policy.end_wait);
                        self.let_go();
                    }
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
        let held = self.held.values().map(|held| held.until).min();
        held.into_iter().chain(self.queue.due(now)).chain(last_until).min()
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
                let calls = encode::spot(&place.conversation)
                    .and_then(|spot| encode::show(spot, &prompt).map(|calls| (spot, calls)));
                let job = calls.map(|(spot, calls)| Job::new(Class::Prompt, place, spot, None, calls));
                self.push(Some(send), job);
            }
            Order::Edit { send, receipt, prompt } => {
                self.push(Some(send), redraw(Class::Look, &receipt, &prompt));
            }
            Order::Retire { send, receipt, prompt } => {
                self.push(Some(send), redraw(Class::Outcome, &receipt, &prompt));
            }
            Order::AskForText { send, place, to, text, placeholder, receipt } => {
                let job = encode::spot(&place.conversation).map(|spot| {
                    let call = encode::ask(spot, &to, &text, placeholder.as_deref(), &receipt);
                    Job::new(Class::Outcome, place, spot, None, vec![Call::Send(Box::new(call))])
                });
                self.push(Some(send), job);
            }
            Order::Say { place, to, reply_to, text } => {
                let job = encode::spot(&place.conversation).map(|spot| {
                    let call = encode::say(spot, to.as_ref(), reply_to.as_ref(), &text);
                    Job::new(Class::Outcome, place, spot, None, vec![Call::Send(Box::new(call))])
                });
                self.push(None, job);
            }
            Order::Acknowledge { ack, with } => self.acknowledge(ack, with),
            Order::Toast { ack, text, otherwise } => self.toast(ack, &text, otherwise),
            Order::Saved { update, .. } => self.shared.saved(&update),
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
        let client = Arc::clone(&self.client);
        let Some(call) = job.calls.front().cloned() else { return self.queue.made(job.spot, None) };
        self.calls.push(Box::pin(async move {
            let result = client.carry(&call).await;
            Made::Job(Box::new(job), result)
        }));
    }

    fn made(&mut self, made: Made) {
        match made {
            Made::Job(job, result) => self.called(*job, result),
            Made::Press(otherwise, Ok(_)) => drop(otherwise),
            Made::Press(otherwise, Err(error)) => {
                tracing::debug!(account = %self.account, %error, "a press was not acknowledged");
                if let Some(order) = otherwise {
                    self.order(*order);
                }
            }
        }
    }

    /// A call of a job is over.
    fn called(&mut self, mut job: Job, result: Result<Option<i32>, CallError>) {
        let spot = job.spot;
        let meaning = match result {
            Ok(id) => {
                let edited = job.calls.pop_front();
                job.messages
                    .extend(id.map_or_else(|| edited_message(edited), |id| Some(id.to_string().into())));
                return self.proceed(job);
            }
            Err(error) => error.meaning(spot, self.shared.handle().as_deref()),
        };
        match meaning {
            Meaning::Done => {
                let edited = job.calls.pop_front();
                job.messages.extend(edited_message(edited));
                self.proceed(job);
            }
            Meaning::Wait(wait) => {
                self.queue.flood(spot, Instant::now() + wait);
                self.queue.made(spot, Some(job));
            }
            Meaning::Moved(to) => {
                let to = crate::place::conversation(to, None);
                self.filed.push_back(Report::Moved { from: job.place.clone(), to });
                let why = "the group has another id now".to_owned();
                self.failed(job, Failure { kind: FailureKind::Later(MOVED_LATER), why });
            }
            Meaning::Failed(failure) => self.failed(job, failure),
        }
    }

    fn proceed(&mut self, job: Job) {
        if !job.calls.is_empty() {
            return self.queue.made(job.spot, Some(job));
        }
        self.queue.made(job.spot, None);
        let position = job.messages.iter().filter_map(|id| id.as_str().parse().ok()).max();
        let receipt = Receipt { place: job.place, messages: job.messages };
        for send in job.sends {
            let report = Report::Shown { send: send.clone(), receipt: receipt.clone(), position };
            self.owed.remove(&send);
            self.remember(send, &report);
            self.filed.push_back(report);
        }
    }

    fn failed(&mut self, job: Job, failure: Failure) {
        self.queue.made(job.spot, None);
        self.give_back(job, &failure);
    }

    fn give_back(&mut self, job: Job, failure: &Failure) {
        if job.sends.is_empty() {
            tracing::info!(account = %self.account, why = %failure.why, "something was not said");
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

    fn acknowledge(&mut self, ack: AckId, with: Acknowledgement) {
        let Some(press) = self.shared.end_press(ack) else { return };
        match with {
            Acknowledgement::Later => {
                self.held.insert(ack, Held { press, until: Instant::now() + self.policy.toast_wait });
            }
            Acknowledgement::Toast(text) => self.answer(&press, Some(&text), None),
            Acknowledgement::Errors(errors) => {
                let words: Vec<String> = errors.into_iter().map(|(_, what)| what).collect();
                self.answer(&press, Some(&words.join(" ")), None);
            }
            // The input comes as a message of its own.
            Acknowledgement::Silent | Acknowledgement::Form { .. } => self.answer(&press, None, None),
        }
    }

    fn toast(&mut self, ack: AckId, text: &str, otherwise: Option<Box<Order>>) {
        let held = self.held.remove(&ack).map(|held| held.press);
        match held.or_else(|| self.shared.end_press(ack)) {
            Some(press) => self.answer(&press, Some(text), otherwise),
            None => {
                if let Some(order) = otherwise {
                    self.order(*order);
                }
            }
        }
    }

    /// Ends a press, whatever waits.
    fn answer(&mut self, press: &str, text: Option<&str>, otherwise: Option<Box<Order>>) {
        let (client, call) = (Arc::clone(&self.client), encode::answer(press, text));
        self.queue.spend(Instant::now());
        self.calls.push(Box::pin(async move {
            let result = match client.carry(&call).await {
                // It never left us, and the person looks at it.
                Err(CallError::NotSent(_)) => client.carry(&call).await,
                result => result,
            };
            Made::Press(otherwise, result)
        }));
    }

    /// Presses held long enough.
    fn release(&mut self, now: Instant) {
        let over = self.held.extract_if(.., |_, held| held.until <= now);
        for (_, held) in over.collect::<Vec<_>>() {
            self.answer(&held.press, None, None);
        }
    }

    /// No words will follow.
    fn let_go(&mut self) {
        for held in std::mem::take(&mut self.held).into_values() {
            self.answer(&held.press, None, None);
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

fn redraw(
    class: Class,
    receipt: &Receipt,
    prompt: &askrelay_core::prompt::Prompt,
) -> Result<Job, EncodeError> {
    let spot = encode::spot(&receipt.place.conversation)?;
    let (kept, calls) = encode::redraw(receipt, prompt)?;
    let mut job = Job::new(class, receipt.place.clone(), spot, None, calls);
    job.messages = kept;
    job.redraws = receipt.messages.last().cloned();
    Ok(job)
}

fn edited_message(call: Option<Call>) -> Option<askrelay_core::id::MessageId> {
    match call? {
        Call::Edit(edit) => Some(edit.message_id.0.to_string().into()),
        Call::Send(_) | Call::Answer(_) => None,
    }
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
