//! The loop when a surface does not keep up: nothing is lost for good. The test plays gateway and surface; time is virtual.

use std::sync::Arc;
use std::time::Duration;

use askrelay::driver::{Driver, Ports};
use askrelay_core::id::{AckId, GatewayId, Identity};
use askrelay_core::person::People;
use askrelay_core::port::{Act, Notice, Order, Reply, Report, Sender, SenderKind};
use askrelay_core::record::Record;
use askrelay_gateway::metrics::Metrics;
use askrelay_store::MemoryStore;
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, yield_now};
use tokio::time::{advance, timeout};

use crate::paper::{config, place, record};

/// Nothing takes longer, in virtual time.
const PATIENCE: Duration = Duration::from_secs(120);

/// A loop between a gateway and a surface that the test plays.
struct Ring {
    notices: mpsc::Sender<(GatewayId, Notice)>,
    reports: mpsc::Sender<Report>,
    orders: mpsc::Receiver<Order>,
    driver: JoinHandle<()>,
}

impl Ring {
    /// One whose surface has room for so many orders, and whose gateway has nothing yet.
    async fn start(room: usize) -> Self {
        let (notices, noticed) = mpsc::channel(64);
        let (reports, reported) = mpsc::channel(64);
        let (orders, ordered) = mpsc::channel(room);
        let (beginnings, _) = watch::channel(Vec::new());
        let ports = Ports {
            notices: noticed,
            errands: [].into(),
            reports: reported,
            orders: [(place().account, orders)].into(),
            beginnings,
            metrics: Metrics::new(),
        };
        let driver = Driver::recover(config(), Arc::new(MemoryStore::default()), ports).unwrap();
        let driver = tokio::spawn(async move { driver.run().await.unwrap() });
        let ring = Self { notices, reports, orders: ordered, driver };
        ring.report(Report::Online { account: place().account }).await;
        ring.tells_all(Vec::new()).await;
        ring
    }

    async fn report(&self, report: Report) {
        self.reports.send(report).await.unwrap();
        self.settle().await;
    }

    async fn tell(&self, notice: Notice) {
        self.notices.send(("local".into(), notice)).await.unwrap();
        self.settle().await;
    }

    /// What a feed tells a relay that begins.
    async fn tells_all(&self, records: Vec<Arc<Record>>) {
        self.tell(Notice::Offline).await;
        self.tell(Notice::Online).await;
        self.tell(Notice::People(Arc::new(People::default()))).await;
        self.tell(Notice::Snapshot { records, last: true }).await;
    }

    /// The loop has done what it can do without time passing.
    async fn settle(&self) {
        for _ in 0..20 {
            yield_now().await;
        }
    }

    /// Time passes, second by second.
    async fn passes(&self, seconds: u64) {
        for _ in 0..seconds {
            advance(Duration::from_secs(1)).await;
            self.settle().await;
        }
    }

    async fn order(&mut self) -> Order {
        timeout(PATIENCE, self.orders.recv()).await.expect("an order comes").expect("the loop runs")
    }

    async fn stops(self) {
        drop(self.notices);
        timeout(PATIENCE, self.driver).await.expect("it stops").unwrap();
    }
}

/// A press on a control that nobody knows any more.
fn press(number: u64) -> Report {
    let identity = Identity { surface: "paper".into(), user: "7".into() };
    Report::Replied(Box::new(Reply {
        update: number.to_string().as_str().into(),
        place: place(),
        sender: Sender { identity, display_name: "Ann".to_owned(), kind: SenderKind::Human },
        at: askrelay::clock::now(),
        position: None,
        private: true,
        message: None,
        ack: Some(AckId(number)),
        act: Act::Press { token: "gone".to_owned(), values: Vec::new() },
    }))
}

#[tokio::test(start_paused = true)]
async fn a_surface_that_falls_behind_gets_every_acknowledgement_and_prompt() {
    let mut ring = Ring::start(1).await;
    for number in 1..=20 {
        ring.report(press(number)).await;
    }
    ring.tell(Notice::Opened(record("a"))).await;
    let (mut acks, mut saved, mut shown) = (Vec::new(), Vec::new(), 0);
    while acks.len() < 20 || saved.len() < 20 || shown == 0 {
        match ring.order().await {
            Order::Acknowledge { ack, .. } => acks.push(ack.0),
            Order::Saved { update, .. } => saved.push(update.as_str().to_owned()),
            Order::Show { .. } => shown += 1,
            _ => {}
        }
    }
    assert_eq!(acks, (1..=20).collect::<Vec<_>>());
    assert_eq!(saved, (1..=20).map(|number| number.to_string()).collect::<Vec<_>>());
    ring.stops().await;
}

#[tokio::test(start_paused = true)]
async fn a_surface_that_never_reads_does_not_stop_the_loop() {
    let mut ring = Ring::start(1).await;
    let silent = std::mem::replace(&mut ring.orders, mpsc::channel(1).1);
    for number in 1..=3000 {
        ring.report(press(number)).await;
    }
    ring.passes(5).await;
    ring.stops().await;
    drop(silent);
}
