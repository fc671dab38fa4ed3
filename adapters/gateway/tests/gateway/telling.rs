//! What the log is told of the store's troubles: each once, in the store's own words, and its end.

use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use askrelay_core::id::{GatewayId, RecordId};
use askrelay_core::record::Record;
use askrelay_core::relay;
use askrelay_core::time::Time;
use askrelay_gateway::Config;
use askrelay_store::{
    AuditPage, AuditQuery, CommitTicket, Fact, Health, Loaded, MemoryStore, ReadError, ReadTicket,
    RecordPage, RecordQuery, Store, Trouble, TroubleKind,
};
use serde_json::json;
use tokio::time::advance;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record as Values};
use tracing::{Event, Metadata, Subscriber};

use crate::world::{START, ask, local, peer_of, start_at};

/// Keeps the lines that are told on this thread.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let separator = if self.0.is_empty() { "" } else { "; " };
        let _ = match field.name() {
            "message" => write!(self.0, "{separator}{value:?}"),
            name => write!(self.0, "{separator}{name}={value:?}"),
        };
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.record_debug(field, &format_args!("{value}"));
    }
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("askrelay_gateway")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Values<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.0.lock().expect("no panic").push(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

impl Lines {
    /// Lets time pass until so many lines were written.
    async fn until(&self, count: usize) {
        for _ in 0..1_000 {
            if self.0.lock().expect("no panic").len() >= count {
                return;
            }
            advance(Duration::from_millis(100)).await;
        }
        panic!("only {:?} were written", self.0.lock().expect("no panic"));
    }
}

/// A store in memory that may be unreadable.
#[derive(Default)]
struct Unreadable {
    kept: MemoryStore,
    is_unreadable: AtomicBool,
}

impl Store for Unreadable {
    fn commit(&self, facts: Vec<Fact>) -> CommitTicket {
        self.kept.commit(facts)
    }

    fn load(&self) -> Result<Loaded, ReadError> {
        if self.is_unreadable.load(Ordering::SeqCst) {
            let kind = TroubleKind::Unreachable;
            return Err(ReadError::Trouble(Trouble { kind, path: "memory".into(), cause: None }));
        }
        self.kept.load()
    }

    fn load_relay(&self) -> Result<Vec<relay::facts::Fact>, ReadError> {
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

#[tokio::test(start_paused = true)]
async fn the_log_has_the_stores_own_words() {
    let lines = Lines::default();
    let _told = tracing::subscriber::set_default(lines.clone());
    let store = Arc::new(Unreadable::default());
    let gateway = start_at(Arc::clone(&store) as Arc<dyn Store>, Config::default(), Time(START)).await;
    let mut asker = peer_of(&gateway, local(), json!({})).await;
    store.kept.hold();
    let lost = asker.begin("question.request", ask("a")).await;
    asker.settle().await;
    store.is_unreadable.store(true, Ordering::SeqCst);
    store.kept.fail(TroubleKind::DiskFull);
    asker.reply(&lost).await.expect_err("not saved");
    lines.until(2).await;
    asker.err("question.request", ask("a")).await;
    store.is_unreadable.store(false, Ordering::SeqCst);
    store.kept.heal();
    store.kept.release();
    lines.until(3).await;
    asker.ok("question.request", ask("a")).await;
    let told = lines.0.lock().expect("no panic").clone();
    let full = "the disk that holds memory is full: free some space, then saving goes on by itself";
    let unread = "memory cannot be opened, read or written: check its folder, permissions and disk";
    assert_eq!(
        told,
        [
            format!("the store does not save; error={full}"),
            format!("the store cannot be read; error={unread}"),
            "the store saves again".to_owned(),
        ]
    );
}
