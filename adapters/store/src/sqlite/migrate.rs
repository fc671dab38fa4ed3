//! Brings a file to this version's schema, in one transaction, or says why not. Never touches a file that is not ours or
//! that a later version wrote.

use rusqlite::{Connection, ErrorCode, TransactionBehavior};
use std::path::Path;

use crate::error::{OpenError, Trouble};

/// Marks our files in SQLite's own header: `askr`.
pub(crate) const APPLICATION_ID: i64 = 0x6173_6b72;

/// The steps, each from the version before to the one that it is numbered. Steps that shipped never change.
pub(crate) const STEPS: [&str; 4] = [
    include_str!("migrations/0001_facts.sql"),
    include_str!("migrations/0002_audit.sql"),
    include_str!("migrations/0003_doors.sql"),
    include_str!("migrations/0004_collected.sql"),
];

/// The schema version of this program.
pub(crate) const VERSION: i64 = STEPS.len() as i64;

/// Checks that the file is ours and not from the future; writes nothing.
///
/// # Errors
/// Whose it is, or what is wrong with it.
pub(crate) fn check(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let trouble = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::NotOurs { path: path.to_owned() },
        _ => OpenError::Trouble(Trouble::sqlite(path, error)),
    };
    let application: i64 = pragma(connection, "application_id").map_err(trouble)?;
    let version: i64 = pragma(connection, "user_version").map_err(trouble)?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(trouble)?;
    match (application, version) {
        (0, 0) if tables == 0 => Ok(()),
        (APPLICATION_ID, version) if version > VERSION => {
            Err(OpenError::Newer { path: path.to_owned(), version, known: VERSION })
        }
        (APPLICATION_ID, 1..) => Ok(()),
        _ => Err(OpenError::NotOurs { path: path.to_owned() }),
    }
}

/// Applies the steps that the file lacks.
///
/// # Errors
/// Why the file stays as it was.
pub(crate) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), OpenError> {
    let trouble = |error| Trouble::sqlite(path, error);
    let from: i64 = pragma(connection, "user_version").map_err(|error| OpenError::Trouble(trouble(error)))?;
    if from == VERSION {
        return Ok(());
    }
    let failed =
        |error| OpenError::Migration { path: path.to_owned(), from, to: VERSION, source: trouble(error) };
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    // Read again under the write lock: another process may have been faster.
    let from: i64 = pragma(&transaction, "user_version").map_err(failed)?;
    for step in STEPS.iter().skip(usize::try_from(from).unwrap_or(0)) {
        transaction.execute_batch(step).map_err(failed)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
    transaction.pragma_update(None, "user_version", VERSION).map_err(failed)?;
    transaction.commit().map_err(failed)
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}
