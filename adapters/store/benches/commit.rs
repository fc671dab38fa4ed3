//! How many facts a file takes in a second when 1, 8 and 64 callers each wait for every one to be on disk, and how fast
//! pending Records load. Measures this machine's disk as much as the store; README.md holds what was measured.
#![allow(clippy::expect_used, missing_docs, reason = "a benchmark: it ends where its ground gives way")]

use askrelay_core::ledger;
use askrelay_store::contract::sample;
use askrelay_store::{Options, SqliteStore, Store};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

const PENDING: i64 = 100_000;

/// The life of one Record in two facts, each on disk before the next.
async fn live(store: &dyn Store, number: i64) {
    let record = sample::record(&format!("ask-{number:016x}"), number);
    let key = record.key.clone();
    store.commit(vec![ledger::Fact::Opened(record).into()]).await.expect("opened");
    let state = sample::ended(number);
    store.commit(vec![ledger::Fact::Closed { key, state }.into()]).await.expect("closed");
}

/// How long `callers` at once take for `lives` together.
fn lives(
    runtime: &Runtime,
    store: &Arc<SqliteStore>,
    callers: u64,
    lives: u64,
    next: &'static AtomicI64,
) -> Duration {
    let started = Instant::now();
    let tasks: Vec<_> = (0..callers)
        .map(|caller| {
            let store = Arc::clone(store);
            let share = lives / callers + u64::from(caller < lives % callers);
            runtime.spawn(async move {
                for _ in 0..share {
                    live(&*store, next.fetch_add(1, Ordering::Relaxed)).await;
                }
            })
        })
        .collect();
    for task in tasks {
        runtime.block_on(task).expect("caller");
    }
    started.elapsed()
}

fn commit(criterion: &mut Criterion) {
    static NEXT: AtomicI64 = AtomicI64::new(0);
    let runtime = Runtime::new().expect("runtime");
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("askrelay.db");
    let store = Arc::new(SqliteStore::open(&path, Options::default()).expect("store"));
    let mut group = criterion.benchmark_group("facts on disk");
    group.throughput(Throughput::Elements(2));
    for callers in [1, 8, 64] {
        group.bench_function(format!("{callers} callers"), |bencher| {
            bencher.iter_custom(|count| lives(&runtime, &store, callers, count, &NEXT));
        });
    }
    group.finish();
}

fn load(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("folder");
    let store = SqliteStore::open(&folder.path().join("askrelay.db"), Options::default()).expect("store");
    for chunk in (0..PENDING).collect::<Vec<_>>().chunks(1000) {
        let opened = |number: &i64| {
            ledger::Fact::Opened(sample::record(&format!("ask-{number:016x}"), *number)).into()
        };
        store.commit(chunk.iter().map(opened).collect()).wait().expect("opened");
    }
    let mut group = criterion.benchmark_group("load");
    group.throughput(Throughput::Elements(PENDING.unsigned_abs())).sample_size(10);
    group.bench_function("100 000 pending", |bencher| bencher.iter(|| store.load().expect("loaded")));
    group.finish();
}

/// What one commit cannot be faster than: a page appended to a file and synced.
fn sync(criterion: &mut Criterion) {
    let mut file = tempfile::tempfile().expect("file");
    criterion.bench_function("one sync of 4 KiB", |bencher| {
        bencher.iter(|| {
            file.write_all(&[7; 4096]).expect("written");
            file.sync_data().expect("synced");
        });
    });
}

criterion_group!(benches, sync, commit, load);
criterion_main!(benches);
