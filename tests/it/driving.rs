//! The loop when its store fails and when a surface does not keep up: nothing is lost for good, platforms are acknowledged all the
//! same. The test plays gateway and surface; time is virtual.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use askrelay::accounts::Accounts;
use askrelay::driver::{Driver, Ports};
use askrelay_core::answer::{Actor, Answered, Answers, Notes, Way};
use askrelay_core::id::{AckId, GatewayId, Identity, RecordId, RecordKey};
use askrelay_core::person::People;
use askrelay_core::port::{Act, Notice, Order, Receipt, Reply, Report, Sender, SenderKind};
use askrelay_core::record::{Record, State};
use askrelay_core::relay;
use askrelay_gateway::metrics::Metrics;
use askrelay_store::{
    AuditPage, AuditQuery, CommitTicket, Fact, Health, Loaded, MemoryStore, ReadError, ReadTicket,
    RecordPage, RecordQuery, Store, Trouble, TroubleKind,
};
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, yield_now};
use tokio::time::{advance, timeout};

use crate::paper::{config, place, record};

/// Nothing takes longer, in virtual time.
const PATIENCE: Duration = Duration::from_secs(120);

/// A store in memory, of which one commit may fail alone, and which may be unreadable for a while.
#[derive(Default)]
struct Fragile {
    kept: MemoryStore,
    /// Takes the commit that is to fail.
    lost: MemoryStore,
    loses_next: AtomicBool,
    unreadable: AtomicUsize,
    reads: AtomicUsize,
}

impl Store for Fragile {
    fn commit(&self, facts: Vec<Fact>) -> CommitTicket {
        if self.loses_next.swap(false, SeqCst) { self.lost.commit(facts) } else { self.kept.commit(facts) }
    }

    fn load(&self) -> Result<Loaded, ReadError> {
        self.kept.load()
    }

    fn load_relay(&self) -> Result<Vec<relay::facts::Fact>, ReadError> {
        self.reads.fetch_add(1, SeqCst);
        if self.unreadable.load(SeqCst) > 0 {
            self.unreadable.fetch_sub(1, SeqCst);
            let kind = TroubleKind::Unreachable;
            return Err(ReadError::Trouble(Trouble { kind, path: "memory".into(), cause: None }));
        }
        self.kept.load_relay()
    }

    fn record(&self, gateway: &GatewayId, id: &RecordId) -> ReadTicket<Option<Arc<Record>>> {
        self.kept.record(gateway, id)
    }

    fn records(&self, query: RecordQuery) -> ReadTicket<RecordPage> {
        self.kept.records(query)
    }

    fn audit(&self, query: AuditQuery) -> ReadTicket<AuditPage> {
        self.kept.audit(query)
    }

    fn health(&self) -> Health {
        self.kept.health()
    }

    fn queued_facts(&self) -> usize {
        self.kept.queued_facts()
    }
}

/// A loop between a gateway and a surface that the test plays.
struct Ring {
    store: Arc<Fragile>,
    notices: mpsc::Sender<(GatewayId, Notice)>,
    reports: mpsc::Sender<Report>,
    orders: mpsc::Receiver<Order>,
    beginnings: watch::Receiver<Vec<RecordKey>>,
    driver: JoinHandle<()>,
}

impl Ring {
    /// One whose surface has room for so many orders, and whose gateway has nothing yet.
    async fn start(room: usize) -> Self {
        let store = Arc::new(Fragile::default());
        let (notices, noticed) = mpsc::channel(64);
        let (reports, reported) = mpsc::channel(64);
        let (orders, ordered) = mpsc::channel(room);
        let (began, mut beginnings) = watch::channel(Vec::new());
        let ports = Ports {
            notices: noticed,
            errands: [].into(),
            reports: reported,
            orders: [(place().account, orders)].into(),
            beginnings: began,
            metrics: Metrics::new(),
            accounts: Accounts::default(),
        };
        let driver = Driver::recover(config(), Arc::clone(&store) as Arc<dyn Store>, ports).unwrap();
        beginnings.mark_unchanged();
        let driver = tokio::spawn(driver.run());
        let ring = Self { store, notices, reports, orders: ordered, beginnings, driver };
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
        self.tell(Notice::Online { boot: None }).await;
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

    /// Shows the Record.
    async fn shows(&mut self, record: &Arc<Record>) -> Receipt {
        self.tell(Notice::Opened(Arc::clone(record))).await;
        let Order::Show { send, place, .. } = self.order().await else { panic!("not shown") };
        let receipt = Receipt { place, messages: vec!["m1".into()] };
        self.report(Report::Shown { send, receipt: receipt.clone(), position: None }).await;
        receipt
    }

    /// What the relay begins with, when it does.
    async fn begins(&mut self) -> Vec<RecordKey> {
        timeout(PATIENCE, self.beginnings.changed()).await.expect("it begins again").unwrap();
        self.beginnings.borrow().clone()
    }

    /// The commit of what the gateway tells next will fail, once `breaks` is called.
    fn loses_next(&self) {
        self.store.lost.hold();
        self.store.loses_next.store(true, SeqCst);
    }

    fn breaks(&self) {
        self.store.lost.fail(TroubleKind::Other);
    }

    async fn stops(self) {
        drop(self.notices);
        timeout(PATIENCE, self.driver).await.expect("it stops").unwrap();
    }
}

fn answered(record: &Record) -> Arc<Record> {
    let answered = Answered {
        answers: Answers([("q".into(), vec!["A".to_owned()])].into()),
        notes: Notes::new(),
        words: None,
        by: Actor::new(Some("ann".into()), Way::Call),
        by_name: Some("Ann".to_owned()),
        at: record.key.created_at,
        resolution: "res_1".into(),
    };
    Arc::new(Record { state: State::Answered(Box::new(answered)), ..record.clone() })
}

/// A press on a control that nobody knows any more.
fn press(number: u64) -> Report {
    let identity = Identity { surface: "paper".into(), user: "7".into() };
    Report::Replied(Box::new(Reply {
        update: number.to_string().as_str().into(),
        place: place(),
        sender: Sender {
            identity,
            display_name: "Ann".to_owned(),
            kind: SenderKind::Human,
            granted: Default::default(),
        },
        at: askrelay::clock::now(),
        position: None,
        private: true,
        message: None,
        ack: Some(AckId(number)),
        act: Act::Press { token: "gone".to_owned(), values: Vec::new(), fields: Vec::new() },
    }))
}

/// An answer comes while the store fails in some way: the outcome is shown in the end.
async fn check(row: &str, fails: impl AsyncFnOnce(&mut Ring, Arc<Record>)) {
    let mut ring = Ring::start(64).await;
    let open = record("a");
    let receipt = ring.shows(&open).await;
    let end = answered(&open);
    let before = ring.store.reads.load(SeqCst);
    fails(&mut ring, Arc::clone(&end)).await;
    assert!(ring.begins().await.contains(&open.key), "{row}: what was shown is asked for");
    assert!(ring.store.reads.load(SeqCst) > before, "{row}");
    while ring.orders.try_recv().is_ok() {}
    ring.tells_all(vec![end]).await;
    match ring.order().await {
        Order::Retire { receipt: retired, .. } => assert_eq!(retired, receipt, "{row}"),
        other => panic!("{row}: {other:?}"),
    }
    ring.stops().await;
}

#[tokio::test(start_paused = true)]
async fn a_failing_store_loses_no_outcome() {
    check("one commit fails", async |ring, end| {
        ring.loses_next();
        ring.tell(Notice::Closed(end)).await;
        ring.breaks();
    })
    .await;
    check("another commit is under way behind it", async |ring, end| {
        ring.loses_next();
        ring.tell(Notice::Closed(end)).await;
        ring.store.kept.hold();
        ring.tell(Notice::Opened(record("b"))).await;
        let reads = ring.store.reads.load(SeqCst);
        ring.breaks();
        ring.passes(3).await;
        assert_eq!(ring.store.reads.load(SeqCst), reads, "read before everything had ended");
        ring.store.kept.release();
        assert_eq!(ring.begins().await.len(), 2, "what landed later counts");
        ring.beginnings.mark_changed();
    })
    .await;
    check("the disk is full for a minute", async |ring, end| {
        ring.store.kept.fail(TroubleKind::DiskFull);
        ring.tell(Notice::Closed(end)).await;
        ring.passes(60).await;
        assert!(!ring.driver.is_finished() && !ring.beginnings.has_changed().unwrap());
        ring.store.kept.heal();
    })
    .await;
    check("the store cannot be read for a while", async |ring, end| {
        ring.loses_next();
        ring.tell(Notice::Closed(end)).await;
        ring.store.unreadable.store(20, SeqCst);
        ring.breaks();
        ring.passes(10).await;
        assert!(!ring.driver.is_finished() && !ring.beginnings.has_changed().unwrap());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn presses_are_acknowledged_while_the_store_fails() {
    let mut ring = Ring::start(64).await;
    ring.shows(&record("a")).await;
    ring.store.kept.fail(TroubleKind::DiskFull);
    ring.tell(Notice::Opened(record("b"))).await;
    ring.passes(10).await;
    for number in 1..=3 {
        ring.report(press(number)).await;
        let soon = timeout(Duration::from_millis(500), ring.order()).await.expect("within the deadline");
        assert!(matches!(soon, Order::Acknowledge { ack: AckId(it), .. } if it == number), "{soon:?}");
    }
    // Told to stop meanwhile, it stops.
    ring.stops().await;
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
