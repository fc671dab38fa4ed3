//! The bounds: what waits, how large a fact may be, and what a file is set to.

use askrelay_core::relay::facts::{Fact as RelayFact, FactKind};

use super::harness::InFile;
use crate::contract::Harness;
use crate::encode::BODY_BYTES_MAX;
use crate::error::CommitError;
use crate::fact::Fact;
use crate::sqlite::inbox::{QUEUED_BYTES_MAX, QUEUED_FACTS_MAX};
use crate::sqlite::migrate;

fn note(key: &str, bytes: usize) -> Fact {
    Fact::Relay(RelayFact { kind: FactKind::ALL[0], key: key.to_owned(), body: Some("x".repeat(bytes)) })
}

/// While the writer is held, commits `groups` of so many facts of so many bytes each, and expects so many to be let in.
fn check(name: &str, groups: usize, facts: usize, bytes: usize, expected: usize) {
    let file = InFile::new();
    let store = file.store();
    file.hold();
    let tickets: Vec<_> = (0..groups)
        .map(|group| store.commit((0..facts).map(|fact| note(&format!("{group}-{fact}"), bytes)).collect()))
        .collect();
    let queued = store.queued_facts();
    file.release();
    let results: Vec<_> = tickets.into_iter().map(crate::CommitTicket::wait).collect();
    let (let_in, refused) = results.split_at(expected.min(groups));
    assert!(let_in.iter().all(Result::is_ok), "{name}: one of the first {expected} was refused");
    assert!(
        refused.iter().all(|result| matches!(result, Err(CommitError::Full { facts }) if *facts == queued)),
        "{name}: more than {expected} were let in"
    );
    assert_eq!(store.load_relay().unwrap().len(), expected * facts, "{name}");
}

#[test]
fn the_queue_is_bounded() {
    check("many facts", QUEUED_FACTS_MAX + 2, 1, 1, QUEUED_FACTS_MAX);
    check("groups of facts", 5, QUEUED_FACTS_MAX / 2, 1, 2);
    check("one group larger than the queue", 2, QUEUED_FACTS_MAX + 1, 1, 1);
    check("many bytes", 6, 1, QUEUED_BYTES_MAX / 4, 3);
}

#[test]
fn a_fact_too_big_for_the_store_is_refused_alone() {
    let file = InFile::new();
    let store = file.store();
    let error = store.commit(vec![note("big", BODY_BYTES_MAX)]).wait().unwrap_err();
    assert_eq!(error.to_string(), "a fact of 67108867 bytes is larger than the 67108864 that fit");
    assert!(store.health().is_writable());
    store.commit(vec![note("small", 1)]).wait().unwrap();
}

#[test]
fn a_new_file_is_private_and_set_to_survive_a_power_cut() {
    let file = InFile::new();
    let expected = [
        ("application_id", migrate::APPLICATION_ID),
        ("user_version", migrate::VERSION),
        ("synchronous", 2),
        ("fullfsync", 1),
        ("checkpoint_fullfsync", 1),
        ("foreign_keys", 1),
    ];
    file.meddle(move |connection| {
        for (name, value) in expected {
            let found: i64 = connection.pragma_query_value(None, name, |row| row.get(0)).unwrap();
            assert_eq!(found, value, "{name}");
        }
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        assert_eq!(mode, "wal");
    });
    #[cfg(unix)]
    for name in ["askrelay.db", "askrelay.db-wal", "askrelay.db-shm"] {
        use std::os::unix::fs::PermissionsExt;
        let metadata = std::fs::metadata(file.path().with_file_name(name)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{name}");
    }
}
