//! Files and bodies of earlier versions are read, those of later ones refused.

use askrelay_core::ledger;
use askrelay_core::pairing;
use askrelay_core::record::{Record, State};
use askrelay_core::relay::facts::{Fact as RelayFact, FactKind};
use askrelay_core::time::Time;
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

use crate::contract::sample;
use crate::error::{OpenError, ReadError};
use crate::fact::{AuditEntry, Fact, InviteFact, TokenHash};
use crate::page::AuditQuery;
use crate::port::Store;
use crate::sqlite::migrate::{self, STEPS};
use crate::sqlite::{Options, SqliteStore};

/// A file that store version 1 left behind, as SQL. Not edited once that version is released: files like it are out there.
const VERSION_1: &str = include_str!("version_1.sql");

fn file(sql: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let connection = Connection::open(path(&folder)).unwrap();
    connection.execute_batch(sql).unwrap();
    folder
}

fn path(folder: &TempDir) -> std::path::PathBuf {
    folder.path().join("askrelay.db")
}

fn open(path: &Path) -> Result<SqliteStore, OpenError> {
    SqliteStore::open(path, Options::default())
}

fn version(path: &Path) -> i64 {
    let connection = Connection::open(path).unwrap();
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

#[test]
fn a_file_of_version_1_is_read_and_brought_forward() {
    let folder = file(VERSION_1);
    assert_eq!(version(&path(&folder)), 1);
    let store = open(&path(&folder)).unwrap();
    let loaded = store.load().unwrap();
    assert!(loaded.pairings.is_empty() && loaded.invites.is_empty());
    assert_eq!(loaded.pending, [sample::rich_record("pending", 1)]);
    assert_eq!(loaded.people, [sample::person("owner", &["1"])].into_iter().collect());
    assert_eq!(
        store.load_relay().unwrap(),
        [RelayFact {
            kind: FactKind::Prompt,
            key: "here".to_owned(),
            body: Some("{\"shown\":true}".to_owned())
        }]
    );
    let hashes: Vec<_> = loaded.tokens.iter().map(|token| (token.id.as_str(), token.hash)).collect();
    assert_eq!(hashes, [("token", TokenHash([7; 32]))]);
    let answered = Record {
        state: State::Expired { at: Time(5) },
        late: vec![sample::answered("Production", 6)],
        ..Arc::unwrap_or_clone(sample::record("ended", 2))
    };
    let found = store.record(&"local".into(), &"ended".into()).wait().unwrap();
    assert_eq!(found.as_deref(), Some(&answered));
    // And what came later works in it.
    let collected = ledger::Fact::Collected { key: answered.key.clone(), at: Time(7) };
    store.commit(vec![collected.into()]).wait().unwrap();
    let found = store.record(&"local".into(), &"ended".into()).wait().unwrap();
    assert_eq!(found.and_then(|record| record.collected), Some(Time(7)));
    let entry = AuditEntry {
        at: Time(1),
        what: "ask.opened".to_owned(),
        actor: None,
        token: None,
        record: None,
        place: None,
        answers: None,
        words: None,
        detail: None,
    };
    let (pairing, invite) = (sample::pairing("AAAA2222", "1"), sample::invite("a", 7));
    let doors =
        [Fact::Pairing(pairing::Fact::Put(pairing.clone())), Fact::Invite(InviteFact::Put(invite.clone()))];
    store.commit([vec![Fact::Audit(entry.clone())], doors.into()].concat()).wait().unwrap();
    let loaded = store.load().unwrap();
    assert_eq!((loaded.pairings, loaded.invites), (vec![pairing], vec![invite]));
    assert_eq!(store.audit(AuditQuery::default()).wait().unwrap().entries, [(1, entry)]);
    drop(store);
    assert_eq!(version(&path(&folder)), migrate::VERSION);
}

#[test]
fn a_step_that_fails_leaves_the_file_as_it_was() {
    let folder = file(&format!("{VERSION_1} CREATE TABLE audit (something_else);"));
    let error = open(&path(&folder)).unwrap_err();
    assert_eq!(
        error.to_string().replace(&path(&folder).display().to_string(), "FILE"),
        "FILE could not be brought from store version 1 to 4; it is unchanged"
    );
    assert_eq!(version(&path(&folder)), 1);
}

#[test]
fn a_new_file_has_the_schema_of_all_steps() {
    let schema = |connection: &Connection| -> Vec<String> {
        let mut statement =
            connection.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let (fresh, old) = (TempDir::new().unwrap(), file(VERSION_1));
    drop(open(&path(&fresh)).unwrap());
    drop(open(&path(&old)).unwrap());
    let fresh = schema(&Connection::open(path(&fresh)).unwrap());
    assert_eq!(fresh, schema(&Connection::open(path(&old)).unwrap()));
    let steps = Connection::open_in_memory().unwrap();
    steps.execute_batch(&STEPS.concat()).unwrap();
    assert_eq!(fresh, schema(&steps));
}

#[test]
fn a_row_that_cannot_be_understood_is_named() {
    let rows = [
        ("a later format", "UPDATE records SET v = 2 WHERE id = 'pending'", "pending of table records", 2),
        ("no JSON", "UPDATE records SET body = '{' WHERE id = 'pending'", "pending of table records", 1),
        ("no Person", "UPDATE people SET body = '{}'", "owner of table people", 1),
        ("no token", "UPDATE tokens SET body = '[]'", "token of table tokens", 1),
        ("no pairing", "INSERT INTO pairings VALUES ('AAAA2222', 1, '{}')", "AAAA2222 of table pairings", 1),
        ("no invite", "INSERT INTO invites VALUES ('a', x'00', 1, '{}')", "a of table invites", 1),
        ("an unknown kind", "UPDATE relay SET kind = 'mood'", "mood of table relay", 1),
    ];
    for (name, damage, row, format) in rows {
        let folder = file(VERSION_1);
        drop(open(&path(&folder)).unwrap());
        Connection::open(path(&folder)).unwrap().execute_batch(damage).unwrap();
        let store = open(&path(&folder)).unwrap();
        let error = store.load().err().or_else(|| store.load_relay().err()).unwrap();
        assert!(matches!(error, ReadError::Body(_)), "{name}: {error:?}");
        assert_eq!(
            error.to_string().replace(&path(&folder).display().to_string(), "FILE"),
            format!(
                "FILE: the row {row} cannot be read (format {format}, this askrelay reads up to 1): restore the file from \
                 a backup, or move it away to start anew"
            ),
            "{name}"
        );
    }
}
