//! Files that are not opened, each with a sentence that names the fault, the file and the way out.

use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

use crate::error::OpenError;
use crate::sqlite::{Options, SqliteStore, connect};

/// A fresh store of ours, closed.
fn ours(path: &Path) {
    drop(SqliteStore::open(path, Options::default()).unwrap());
}

fn sql(path: &Path, text: &str) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(text).unwrap();
    connection
}

/// Opens the file that `prepare` leaves at a path and expects this refusal; what `prepare` returns lives meanwhile.
fn check<T>(name: &str, prepare: impl FnOnce(&Path) -> T, expected: &str) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("askrelay.db");
    let alive = prepare(&path);
    let before = std::fs::read(&path).ok();
    let options = Options { busy_ms: 0, ..Options::default() };
    let error = SqliteStore::open(&path, options).expect_err(name);
    assert_eq!(error.to_string().replace(&path.display().to_string(), "FILE"), expected, "{name}");
    assert_eq!(std::fs::read(&path).ok(), before, "{name}: the file was changed");
    drop(alive);
}

const DAMAGED: &str = "FILE is damaged: restore it from a backup, or move it away to start anew";
const LOCKED: &str = "FILE is locked by another program: close that program";
const NOT_OURS: &str = "FILE is not an askrelay store: move it away, or choose another data directory";
const UNREACHABLE: &str = "FILE cannot be opened, read or written: check its folder, permissions and disk";

#[test]
fn what_is_not_a_store_of_this_version_is_refused() {
    check("a folder", |path| std::fs::create_dir(path).unwrap(), UNREACHABLE);
    check("a text", |path| std::fs::write(path, "Dear diary").unwrap(), NOT_OURS);
    check("a long text", |path| std::fs::write(path, "Dear diary ".repeat(5000)).unwrap(), NOT_OURS);
    check("another program's database", |path| drop(sql(path, "CREATE TABLE notes (text)")), NOT_OURS);
    check(
        "another program's empty database",
        |path| drop(sql(path, "PRAGMA application_id = 7; CREATE TABLE notes (text); DROP TABLE notes")),
        NOT_OURS,
    );
    check(
        "another program's versioned database",
        |path| drop(sql(path, "PRAGMA user_version = 1; CREATE TABLE notes (text)")),
        NOT_OURS,
    );
    check(
        "a later version's",
        |path| {
            ours(path);
            sql(path, "PRAGMA user_version = 5").close().unwrap();
        },
        "FILE was written by a newer askrelay (store version 5, this one reads up to 4): run that askrelay, or choose \
         another data directory",
    );
}

#[test]
fn a_damaged_or_locked_file_is_refused() {
    let flip = |path: &Path, at: usize| {
        ours(path);
        let mut bytes = std::fs::read(path).unwrap();
        bytes[at] ^= 0xff;
        std::fs::write(path, bytes).unwrap();
    };
    check("its magic is flipped", |path| flip(path, 0), NOT_OURS);
    check("the root of its schema is flipped", |path| flip(path, 100), DAMAGED);
    check(
        "its second half is gone",
        |path| {
            ours(path);
            let bytes = std::fs::read(path).unwrap();
            std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        },
        DAMAGED,
    );
    check(
        "another program writes it",
        |path| {
            ours(path);
            sql(path, "BEGIN IMMEDIATE")
        },
        LOCKED,
    );
    check(
        "another program has it alone",
        |path| {
            ours(path);
            sql(path, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        },
        LOCKED,
    );
}

#[test]
fn a_missing_folder_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("no").join("askrelay.db");
    let error = SqliteStore::open(&path, Options::default()).unwrap_err();
    assert_eq!(error.to_string().replace(&path.display().to_string(), "FILE"), UNREACHABLE);
}

#[test]
fn a_file_that_may_not_be_written_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("askrelay.db");
    ours(&path);
    // What SQLite makes of a file without write permission; permissions themselves do not bind every test's user.
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let error: OpenError = connect::writer_with(&path, flags, Duration::ZERO).unwrap_err();
    assert_eq!(
        error.to_string().replace(&path.display().to_string(), "FILE"),
        "FILE may not be written: make the file and its folder writable for this user"
    );
}
