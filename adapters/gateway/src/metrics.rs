//! The gateway's numbers: a small typed recorder that whoever has something to count is handed, and their text for
//! Prometheus. Numbers only: no question, answer, person, conversation or token ever becomes a label.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use askrelay_core::id::SurfaceName;
use askrelay_core::record::{Record, State};
use askrelay_store::{Health, Observer};
use metrics::{
    Counter, Gauge, Histogram, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge,
    histogram,
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use tokio::sync::mpsc::WeakSender;

const ASKED: &str = "askrelay_asks_total";
const PENDING: &str = "askrelay_asks_pending";
const ENDED: &str = "askrelay_asks_ended_total";
const ANSWER_SECONDS: &str = "askrelay_answer_seconds";
const DELIVERIES: &str = "askrelay_deliveries_total";
const FAILURES: &str = "askrelay_delivery_failures_total";
const QUEUE: &str = "askrelay_queue_depth";
const COMMIT_SECONDS: &str = "askrelay_commit_seconds";
const COMMIT_FACTS: &str = "askrelay_commit_facts";
const WRITABLE: &str = "askrelay_store_writable";

/// People take from seconds to days.
const ANSWER_BUCKETS: [f64; 10] = [1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 86_400.0, 604_800.0];

/// Disks take from a tenth of a millisecond to, when something is wrong, seconds.
const COMMIT_BUCKETS: [f64; 10] = [0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 2.5];

/// One commit carries from one fact to some thousands.
const FACT_BUCKETS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0, 1024.0];

/// Samples between two rounds of adding them up: what nobody fetches must not grow without end.
const SAMPLES: usize = 4096;

/// Counts. Clones count into the same numbers.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    /// Samples since they were last added up.
    samples: AtomicUsize,
    watched: Mutex<Vec<(Queue, Depth)>>,
    asked: Counter,
    answered: Counter,
    pending: Gauge,
    answer_seconds: Histogram,
    commit_seconds: Histogram,
    commit_facts: Histogram,
    writable: Gauge,
}

/// How many wait in one line now.
type Depth = Box<dyn Fn() -> usize + Send + Sync>;

/// What waits in line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Queue {
    /// Requests for the gateway.
    Requests,
    /// Facts for the store.
    Facts,
    /// Calls that wait for the end of an Ask.
    Waits,
    /// Notices for the relay.
    Notices,
    /// Reports for the relay.
    Reports,
    /// Orders for surfaces.
    Orders,
}

/// Why a surface could not do what it was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryFailure {
    /// It will never work like this.
    Refused,
    /// The platform asked to wait.
    Limited,
    /// The platform could not be reached or did not answer.
    Unreachable,
}

impl Queue {
    const fn name(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::Facts => "facts",
            Self::Waits => "waits",
            Self::Notices => "notices",
            Self::Reports => "reports",
            Self::Orders => "orders",
        }
    }
}

impl DeliveryFailure {
    const fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Limited => "limited",
            Self::Unreachable => "unreachable",
        }
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    /// All numbers at zero, and a store that saves.
    #[must_use]
    pub fn new() -> Self {
        let recorder = builder().build_recorder();
        let handle = recorder.handle();
        let often = metrics::with_local_recorder(&recorder, || {
            describe();
            let writable = gauge!(WRITABLE);
            writable.set(1.0);
            (
                counter!(ASKED),
                counter!(ENDED, "state" => "answered", "reason" => "none"),
                gauge!(PENDING),
                histogram!(ANSWER_SECONDS),
                histogram!(COMMIT_SECONDS),
                histogram!(COMMIT_FACTS),
                writable,
            )
        });
        let (asked, answered, pending, answer_seconds, commit_seconds, commit_facts, writable) = often;
        let samples = AtomicUsize::new(0);
        Self(Arc::new(Inner {
            recorder,
            handle,
            samples,
            watched: Mutex::default(),
            asked,
            answered,
            pending,
            answer_seconds,
            commit_seconds,
            commit_facts,
            writable,
        }))
    }

    /// An Ask was made.
    pub fn asked(&self) {
        self.0.asked.increment(1);
    }

    /// So many Asks wait for an answer.
    pub fn pending(&self, count: usize) {
        self.0.pending.set(count as f64);
    }

    /// An Ask ended.
    pub fn ended(&self, record: &Record) {
        let state = &record.state;
        match state.no_answer() {
            Some(why) => {
                let labels = [("state", state.name()), ("reason", why.name())];
                self.record(|| counter!(ENDED, &labels).increment(1));
            }
            None => self.0.answered.increment(1),
        }
        if let State::Answered(answered) = state {
            let after = answered.at.since(record.key.created_at);
            self.0.answer_seconds.record(after.0 as f64 / 1000.0);
            self.sampled(1);
        }
    }

    /// A surface did what it was told.
    pub fn delivered(&self, surface: &SurfaceName) {
        self.record(|| counter!(DELIVERIES, "surface" => surface.to_string()).increment(1));
    }

    /// A surface could not.
    pub fn failed(&self, surface: &SurfaceName, why: DeliveryFailure) {
        self.record(|| {
            counter!(FAILURES, "surface" => surface.to_string(), "reason" => why.name()).increment(1);
        });
    }

    /// So many wait in this line.
    pub fn queued(&self, queue: Queue, depth: usize) {
        self.record(|| gauge!(QUEUE, "queue" => queue.name()).set(depth as f64));
    }

    /// Looks into this channel whenever the numbers are read, and keeps it open for nobody. Several of one queue are added up.
    pub fn watch<T: Send + 'static>(&self, queue: Queue, channel: WeakSender<T>) {
        let depth = move || channel.upgrade().map_or(0, |open| open.max_capacity() - open.capacity());
        self.0.watched.lock().unwrap_or_else(PoisonError::into_inner).push((queue, Box::new(depth)));
    }

    /// Everything, in the text format of Prometheus.
    #[must_use]
    pub fn render(&self) -> String {
        let mut depths: BTreeMap<Queue, usize> = BTreeMap::new();
        for (queue, depth) in &*self.0.watched.lock().unwrap_or_else(PoisonError::into_inner) {
            *depths.entry(*queue).or_default() += depth();
        }
        depths.into_iter().for_each(|(queue, depth)| self.queued(queue, depth));
        self.0.handle.render()
    }

    fn record(&self, count: impl FnOnce()) {
        metrics::with_local_recorder(&self.0.recorder, count);
    }

    fn sampled(&self, count: usize) {
        if self.0.samples.fetch_add(count, Ordering::Relaxed) >= SAMPLES {
            self.0.samples.store(0, Ordering::Relaxed);
            self.0.handle.run_upkeep();
        }
    }
}

impl Observer for Metrics {
    fn committed(&self, facts: usize, elapsed_us: u64) {
        self.0.commit_seconds.record(elapsed_us as f64 / 1_000_000.0);
        self.0.commit_facts.record(facts as f64);
        self.sampled(2);
    }

    fn health_changed(&self, health: &Health) {
        self.0.writable.set(if health.is_writable() { 1.0 } else { 0.0 });
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}

/// The buckets; an empty list of them, which none of these is, would be refused.
fn builder() -> PrometheusBuilder {
    let buckets: [(&str, &[f64]); 3] =
        [(ANSWER_SECONDS, &ANSWER_BUCKETS), (COMMIT_SECONDS, &COMMIT_BUCKETS), (COMMIT_FACTS, &FACT_BUCKETS)];
    buckets.into_iter().fold(PrometheusBuilder::new(), |builder, (name, buckets)| {
        builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), buckets).unwrap_or_default()
    })
}

fn describe() {
    describe_counter!(ASKED, Unit::Count, "Asks made.");
    describe_gauge!(PENDING, Unit::Count, "Asks that wait for an answer.");
    describe_counter!(ENDED, Unit::Count, "Asks ended, by state, and by reason where nobody answered.");
    describe_histogram!(ANSWER_SECONDS, Unit::Seconds, "From an ask to its answer, in seconds.");
    describe_counter!(DELIVERIES, Unit::Count, "Orders that surfaces carried out, by surface.");
    describe_counter!(
        FAILURES,
        Unit::Count,
        "Orders that surfaces could not carry out, by surface and reason."
    );
    describe_gauge!(QUEUE, Unit::Count, "What waits in line, by queue.");
    describe_histogram!(
        COMMIT_SECONDS,
        Unit::Seconds,
        "One commit of the store, syncing included, in seconds."
    );
    describe_histogram!(COMMIT_FACTS, Unit::Count, "Facts saved together in one commit.");
    describe_gauge!(WRITABLE, Unit::Count, "1 while the store saves, else 0.");
}

#[cfg(test)]
mod tests {
    //! What each call does to the text.

    use super::*;
    use askrelay_core::ask::{Ask, Binding, Creator, Origin, WhenUnanswered};
    use askrelay_core::id::RecordKey;
    use askrelay_core::time::{Span, Time};

    fn record(state: State) -> Record {
        let creator = Creator { person: None, token: None, binding: Binding::None, scopes: [].into() };
        let ask = Ask {
            questions: Vec::new(),
            wait: Span(1),
            origin: Origin::default(),
            creator,
            answerers: Vec::new(),
            places: Vec::new(),
            needs_surface: false,
            when_unanswered: WhenUnanswered::Fail,
            terminal_proof: None,
        };
        let key = RecordKey { gateway: "local".into(), id: "x".into(), created_at: Time(0) };
        Record { key, ask, expires_at: Time(1), state, late: Vec::new(), collected: None }
    }

    fn expect(metrics: &Metrics, lines: &[&str]) {
        let text = metrics.render();
        for line in lines {
            assert!(text.lines().any(|found| found == *line), "{line} in:\n{text}");
        }
    }

    #[test]
    fn numbers_are_there_before_anything_happens() {
        let lines = ["askrelay_asks_total 0", "askrelay_asks_pending 0", "askrelay_store_writable 1"];
        expect(&Metrics::new(), &lines);
    }

    #[test]
    fn everything_is_counted_under_its_name() {
        let metrics = Metrics::new();
        let surface = SurfaceName::from("telegram");
        metrics.asked();
        metrics.clone().asked();
        metrics.pending(7);
        metrics.ended(&record(State::Expired { at: Time(1) }));
        metrics.delivered(&surface);
        metrics.failed(&surface, DeliveryFailure::Limited);
        metrics.queued(Queue::Facts, 3);
        metrics.committed(5, 300);
        let lines = [
            "askrelay_asks_total 2",
            "askrelay_asks_pending 7",
            r#"askrelay_asks_ended_total{state="expired",reason="expired"} 1"#,
            r#"askrelay_deliveries_total{surface="telegram"} 1"#,
            r#"askrelay_delivery_failures_total{surface="telegram",reason="limited"} 1"#,
            r#"askrelay_queue_depth{queue="facts"} 3"#,
            r#"askrelay_commit_seconds_bucket{le="0.00025"} 0"#,
            r#"askrelay_commit_seconds_bucket{le="0.0005"} 1"#,
            "askrelay_commit_facts_sum 5",
        ];
        expect(&metrics, &lines);
    }

    #[tokio::test]
    async fn a_watched_queue_is_looked_at_when_the_numbers_are_read() {
        let metrics = Metrics::new();
        let ((one, mut ones), (other, _others)) =
            (tokio::sync::mpsc::channel(4), tokio::sync::mpsc::channel(4));
        metrics.watch(Queue::Orders, one.downgrade());
        metrics.watch(Queue::Orders, other.downgrade());
        expect(&metrics, &[r#"askrelay_queue_depth{queue="orders"} 0"#]);
        for sender in [&one, &one, &other] {
            sender.send(()).await.unwrap();
        }
        expect(&metrics, &[r#"askrelay_queue_depth{queue="orders"} 3"#]);
        ones.recv().await.unwrap();
        expect(&metrics, &[r#"askrelay_queue_depth{queue="orders"} 2"#]);
        drop(one);
        ones.recv().await.unwrap();
        assert_eq!(ones.recv().await, None, "watching keeps nothing open");
        expect(&metrics, &[r#"askrelay_queue_depth{queue="orders"} 1"#]);
    }

    #[test]
    fn samples_that_nobody_fetches_are_added_up() {
        let metrics = Metrics::new();
        (0..3 * SAMPLES).for_each(|_| metrics.committed(1, 100));
        assert!(metrics.0.samples.load(Ordering::Relaxed) <= SAMPLES + 2);
        expect(&metrics, &["askrelay_commit_facts_count 12288"]);
    }
}
