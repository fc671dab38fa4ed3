//! The gateway's numbers: a small typed recorder that whoever has something to count is handed, and their text for
//! Prometheus. Numbers only: no question, answer, person, place or token ever becomes a label.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use askrelay_core::id::SurfaceName;
use askrelay_core::record::State;
use askrelay_core::time::Span;
use askrelay_store::{Health, Observer};
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

const ASKS: &str = "askrelay_asks_total";
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

/// One commit carries from one fact to a few hundred.
const FACT_BUCKETS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0, 1024.0];

/// Samples between two rounds of adding them up: what nobody fetches must not grow without end.
const SAMPLES: usize = 4096;

/// Counts. Clones count into the same numbers.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    samples: AtomicUsize,
}

/// What waits in line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Queue {
    /// Requests for the gateway.
    Requests,
    /// Facts for the store.
    Facts,
    /// Events for one relay.
    Notices,
    /// Orders for surfaces.
    Orders,
    /// Reports of surfaces.
    Reports,
}

/// Why a delivery failed, as a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureLabel {
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
            Self::Notices => "notices",
            Self::Orders => "orders",
            Self::Reports => "reports",
        }
    }
}

impl FailureLabel {
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
    /// All numbers at zero.
    #[must_use]
    pub fn new() -> Self {
        let recorder = builder().build_recorder();
        metrics::with_local_recorder(&recorder, describe);
        let handle = recorder.handle();
        Self(Arc::new(Inner { recorder, handle, samples: AtomicUsize::new(0) }))
    }

    /// An Ask was made.
    pub fn asked(&self) {
        self.record(|| counter!(ASKS).increment(1));
    }

    /// So many Asks wait for an answer.
    pub fn pending(&self, count: usize) {
        self.record(|| gauge!(PENDING).set(count as f64));
    }

    /// An Ask ended, after so long.
    pub fn ended(&self, state: &State, after: Span) {
        let reason = state.no_answer().map_or("none", |why| why.name());
        self.record(|| counter!(ENDED, "state" => state.name(), "reason" => reason).increment(1));
        if let State::Answered(_) = state {
            self.record(|| histogram!(ANSWER_SECONDS).record(after.0 as f64 / 1000.0));
            self.sampled(1);
        }
    }

    /// A surface showed, edited or retired something.
    pub fn delivered(&self, surface: &SurfaceName) {
        self.record(|| counter!(DELIVERIES, "surface" => surface.to_string()).increment(1));
    }

    /// A surface could not.
    pub fn failed(&self, surface: &SurfaceName, why: FailureLabel) {
        self.record(|| {
            counter!(FAILURES, "surface" => surface.to_string(), "reason" => why.name()).increment(1);
        });
    }

    /// So many wait in this line.
    pub fn queued(&self, queue: Queue, depth: usize) {
        self.record(|| gauge!(QUEUE, "queue" => queue.name()).set(depth as f64));
    }

    /// Everything, in the text format of Prometheus.
    #[must_use]
    pub fn render(&self) -> String {
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
        self.record(|| {
            histogram!(COMMIT_SECONDS).record(elapsed_us as f64 / 1_000_000.0);
            histogram!(COMMIT_FACTS).record(facts as f64);
        });
        self.sampled(2);
    }

    fn health_changed(&self, health: &Health) {
        let writable = if health.is_writable() { 1.0 } else { 0.0 };
        self.record(|| gauge!(WRITABLE).set(writable));
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}

/// Buckets that are no buckets are left out; none of ours are.
fn builder() -> PrometheusBuilder {
    let buckets: [(&str, &[f64]); 3] =
        [(ANSWER_SECONDS, &ANSWER_BUCKETS), (COMMIT_SECONDS, &COMMIT_BUCKETS), (COMMIT_FACTS, &FACT_BUCKETS)];
    buckets.into_iter().fold(PrometheusBuilder::new(), |builder, (name, buckets)| {
        builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), buckets).unwrap_or_default()
    })
}

/// What each number is, and the numbers that are there before anything happens.
fn describe() {
    describe_counter!(ASKS, Unit::Count, "Asks made.");
    describe_gauge!(PENDING, Unit::Count, "Asks that wait for an answer.");
    describe_counter!(ENDED, Unit::Count, "Asks ended, by state, and by reason where nobody answered.");
    describe_histogram!(ANSWER_SECONDS, Unit::Seconds, "From an ask to its answer, in seconds.");
    describe_counter!(DELIVERIES, Unit::Count, "What surfaces showed, edited and retired, by surface.");
    describe_counter!(FAILURES, Unit::Count, "What surfaces could not do, by surface and reason.");
    describe_gauge!(QUEUE, Unit::Count, "What waits in line, by queue.");
    describe_histogram!(
        COMMIT_SECONDS,
        Unit::Seconds,
        "One commit of the store, syncing included, in seconds."
    );
    describe_histogram!(COMMIT_FACTS, Unit::Count, "Facts saved together in one commit.");
    describe_gauge!(WRITABLE, "1 while the store saves, else 0.");
    counter!(ASKS).absolute(0);
    gauge!(PENDING).set(0.0);
    gauge!(WRITABLE).set(1.0);
}
