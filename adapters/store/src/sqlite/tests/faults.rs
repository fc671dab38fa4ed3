//! Real trouble while running: a full disk, a lock, a lost thread. What was promised before stays, and saving goes on when
//! it can.

use askrelay_core::ledger;
use rusqlite::Connection;

use super::harness::InFile;
use crate::contract::{Harness, sample};
use crate::error::{CommitError, Trouble, TroubleKind};
use crate::fact::Fact;
use crate::port::{Health, Store};

fn opened(number: i64) -> Fact {
    ledger::Fact::Opened(sample::rich_record(&format!("{number:05}"), number)).into()
}

fn pending(store: &dyn Store) -> usize {
    store.load().unwrap().pending.len()
}

/// The trouble of a commit that failed itself, not one refused because of an earlier one.
fn failed(result: Result<Vec<crate::Outcome>, CommitError>) -> Trouble {
    match result {
        Err(CommitError::Failed(trouble)) => trouble,
        other => panic!("expected a failed commit, got {other:?}"),
    }
}

#[test]
fn a_full_disk_loses_nothing_and_heals() {
    let file = InFile::new();
    let store = file.store();
    store.commit(vec![opened(0)]).wait().unwrap();
    file.meddle(|connection| {
        let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        connection.pragma_update_and_check(None, "max_page_count", pages + 20, |_| Ok(())).unwrap();
    });
    let mut saved = 1;
    let trouble = loop {
        match store.commit(vec![opened(saved)]).wait() {
            Ok(_) => saved += 1,
            result => break failed(result),
        }
        assert!(saved < 10_000, "the disk never filled");
    };
    assert_eq!((trouble.kind, trouble.path), (TroubleKind::DiskFull, file.path()));
    assert!(matches!(store.health(), Health::Failing(trouble) if trouble.kind == TroubleKind::DiskFull));
    assert_eq!(pending(&*store) as i64, saved, "everything that was saved is there");
    file.meddle(|connection| {
        connection.pragma_update_and_check(None, "max_page_count", 1_000_000, |_| Ok(())).unwrap();
    });
    file.recovered();
    store.commit(vec![opened(saved)]).wait().unwrap();
    assert_eq!(pending(&*store) as i64, saved + 1);
}

#[test]
fn a_lock_is_told_and_waited_out() {
    let file = InFile::new();
    let store = file.store();
    store.commit(vec![opened(0)]).wait().unwrap();
    let other = Connection::open(file.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let trouble = failed(store.commit(vec![opened(1)]).wait());
    assert_eq!(trouble.kind, TroubleKind::Locked);
    assert_eq!(pending(&*store), 1, "reading goes on");
    other.execute_batch("ROLLBACK").unwrap();
    file.recovered();
    store.commit(vec![opened(1)]).wait().unwrap();
    assert_eq!(pending(&*store), 2);
}

#[test]
fn a_file_that_turns_read_only_is_told_as_such() {
    let file = InFile::new();
    let store = file.store();
    file.fail();
    assert_eq!(failed(store.commit(vec![opened(0)]).wait()).kind, TroubleKind::ReadOnly);
    assert!(matches!(store.health(), Health::ReadOnly(_)));
    file.heal();
    store.commit(vec![opened(0)]).wait().unwrap();
}

#[test]
fn a_lost_writer_ends_every_ticket() {
    let file = InFile::new();
    let store = file.store();
    file.hold();
    let waiting = store.commit(vec![opened(0)]);
    file.meddle(|_| panic!("the writer is lost, on purpose"));
    file.release();
    assert!(matches!(waiting.wait(), Err(CommitError::Stopped)));
    assert!(matches!(store.commit(vec![opened(1)]).wait(), Err(CommitError::Stopped)));
    assert!(!store.health().is_writable());
}

#[test]
fn a_torn_tail_of_the_log_loses_only_itself() {
    let mut file = InFile::new();
    file.store().commit(vec![opened(0)]).wait().unwrap();
    // A copy of the files as a power cut leaves them: the last commit's pages half written.
    file.store().commit(vec![opened(1)]).wait().unwrap();
    let log = file.path().with_extension("db-wal");
    let (data, log) = (std::fs::read(file.path()).unwrap(), std::fs::read(log).unwrap());
    file.reopen();
    let cut = InFile::with_files(&data, &log[..log.len() - 100]);
    let left = cut.store().load().unwrap().pending;
    assert_eq!(left, [sample::rich_record("00000", 0)]);
}

#[test]
fn any_flipped_byte_is_an_error_or_harmless_but_never_a_panic() {
    let mut file = InFile::new();
    let facts = (0..40).map(opened).collect();
    file.store().commit(facts).wait().unwrap();
    file.close();
    let data = std::fs::read(file.path()).unwrap();
    let (mut refused, mut told) = (0, 0);
    for at in (0..data.len()).step_by(data.len() / 150) {
        let mut flipped = data.clone();
        flipped[at] ^= 0x55;
        std::fs::write(file.path(), &flipped).unwrap();
        let Ok(store) = file.try_open() else {
            refused += 1;
            continue;
        };
        let found = store.record(&"local".into(), &"00007".into()).wait();
        let page = store.records(crate::RecordQuery::default()).wait();
        if store.load().is_err() || found.is_err() || page.is_err() {
            told += 1;
        }
    }
    assert!(refused > 0 && told > 0, "refused {refused}, told {told}");
}
