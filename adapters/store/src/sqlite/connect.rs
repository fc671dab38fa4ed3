//! Opens connections with the settings that the store's promises rest on. Reads and writes no facts.

use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;

use super::migrate;
use super::writer::try_to_save;
use crate::error::{OpenError, Trouble, TroubleKind};

/// Prepared statements kept by each connection; more than there are different statements.
const STATEMENTS_MAX: usize = 32;

/// Pages in the write-ahead log before they are copied into the file: 16 MiB. Larger than SQLite's 1000, because each copy
/// stalls commits for a sync of the whole file.
const LOG_PAGES: i64 = 4_000;

/// Bytes of the write-ahead log that stay after a copy, so that a burst's log does not hold disk space for ever.
const LOG_BYTES_KEPT: i64 = 64 << 20;

/// The connection that writes; makes and migrates the file.
///
/// # Errors
/// Whatever would keep facts from being saved, found by saving.
pub(crate) fn writer(path: &Path, busy_timeout: Duration) -> Result<Connection, OpenError> {
    create_private(path).map_err(|error| {
        OpenError::Trouble(Trouble {
            kind: TroubleKind::Unreachable,
            path: path.to_owned(),
            cause: Some(std::sync::Arc::new(error)),
        })
    })?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    writer_with(path, flags, busy_timeout)
}

/// As [`writer`], of a file that exists.
///
/// # Errors
/// As [`writer`].
pub(crate) fn writer_with(
    path: &Path,
    flags: OpenFlags,
    busy_timeout: Duration,
) -> Result<Connection, OpenError> {
    let trouble = |error| OpenError::Trouble(Trouble::sqlite(path, error));
    let mut connection = Connection::open_with_flags(path, flags).map_err(trouble)?;
    connection.busy_timeout(busy_timeout).map_err(trouble)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    migrate::check(&connection, path)?;
    // SQLite opens a file that it may not write for reading only, without a word.
    if connection.is_readonly("main").map_err(trouble)? {
        return Err(OpenError::Trouble(Trouble {
            kind: TroubleKind::ReadOnly,
            path: path.to_owned(),
            cause: None,
        }));
    }
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0)).map_err(trouble)?;
    if mode != "wal" {
        return Err(OpenError::NoLog { path: path.to_owned(), mode });
    }
    for (name, value) in [
        ("synchronous", "FULL"),
        // On macOS a plain sync leaves the data in the disk's own cache.
        ("fullfsync", "ON"),
        ("checkpoint_fullfsync", "ON"),
        ("foreign_keys", "ON"),
        ("cell_size_check", "ON"),
        ("trusted_schema", "OFF"),
    ] {
        connection.pragma_update(None, name, value).map_err(trouble)?;
    }
    connection.pragma_update_and_check(None, "wal_autocheckpoint", LOG_PAGES, |_| Ok(())).map_err(trouble)?;
    connection
        .pragma_update_and_check(None, "journal_size_limit", LOG_BYTES_KEPT, |_| Ok(()))
        .map_err(trouble)?;
    migrate::migrate(&mut connection, path)?;
    try_to_save(&mut connection).map_err(trouble)?;
    Ok(connection)
}

/// A connection that only reads.
///
/// # Errors
/// Why it cannot.
pub(crate) fn reader(path: &Path, busy_timeout: Duration) -> Result<Connection, Trouble> {
    let trouble = |error| Trouble::sqlite(path, error);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(trouble)?;
    connection.busy_timeout(busy_timeout).map_err(trouble)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    connection.pragma_update(None, "cell_size_check", "ON").map_err(trouble)?;
    connection.pragma_update(None, "trusted_schema", "OFF").map_err(trouble)?;
    Ok(connection)
}

/// Makes the file if it is missing, for this user only; SQLite gives its log the same permissions.
fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        // A file that may not be written: let SQLite look at it first, it may not even be ours.
        Err(_) if path.is_file() => Ok(()),
        Err(error) => Err(error),
    }
}
