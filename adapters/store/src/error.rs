//! What can go wrong with a store, one enum per operation. Each text names the fault, the file and the way out; what
//! SQLite itself said is the source.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

use crate::ticket::Stopped;

/// Why a store's file does not do what it should.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// What kind.
    pub kind: TroubleKind,
    /// The file.
    pub path: PathBuf,
    /// What the driver said.
    pub cause: Option<Arc<dyn Error + Send + Sync>>,
}

/// What kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TroubleKind {
    /// No space is left.
    DiskFull,
    /// Another program holds it.
    Locked,
    /// It may be read but not written.
    ReadOnly,
    /// It is not what was written.
    Corrupt,
    /// The system does not let it be opened, read or written.
    Unreachable,
    /// Anything else.
    Other,
}

/// Why a store cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The file does not do what it should.
    #[error(transparent)]
    Trouble(Trouble),
    /// Somebody else's file.
    #[error("{} is not an askrelay store: move it away, or choose another data directory", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// A later version wrote it.
    #[error(
        "{} was written by a newer askrelay (store version {version}, this one reads up to {known}): run that askrelay, \
         or choose another data directory", path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i64,
        /// The newest this program reads.
        known: i64,
    },
    /// The folder's file system lacks what SQLite's write-ahead log needs.
    #[error(
        "{} lies on a file system without shared memory for SQLite's write-ahead log (got {mode:?}): choose a data \
         directory on a local disk", path.display()
    )]
    NoLog {
        /// The file.
        path: PathBuf,
        /// The journal mode it has instead.
        mode: String,
    },
    /// An older file could not be brought to this version; it is unchanged.
    #[error("{} could not be brought from store version {from} to {to}; it is unchanged", path.display())]
    Migration {
        /// The file.
        path: PathBuf,
        /// Its version.
        from: i64,
        /// This program's version.
        to: i64,
        /// Why.
        source: Trouble,
    },
    /// The system gives no thread.
    #[error("no thread could be started for the store")]
    Thread(#[source] std::io::Error),
}

/// Why facts were not saved.
#[derive(Clone, Debug, Error)]
pub enum CommitError {
    /// Too much waits already.
    #[error(
        "{facts} facts wait to be saved and no more fit: the disk is slower than what is asked of it; try again later"
    )]
    Full {
        /// How many wait.
        facts: usize,
    },
    /// One fact is larger than a store takes.
    #[error("a fact of {bytes} bytes is larger than the {bytes_max} that fit")]
    TooBig {
        /// Its size.
        bytes: usize,
        /// The largest size.
        bytes_max: usize,
    },
    /// A fact has no JSON form.
    #[error("a fact cannot be written as JSON")]
    Encode(#[source] Arc<serde_json::Error>),
    /// The commit failed, or one that was queued before it.
    #[error("not saved")]
    Failed(#[source] Trouble),
    /// An earlier commit failed, and the store has not recovered yet.
    #[error("nothing is saved at the moment")]
    Failing(#[source] Trouble),
    /// The store is closed.
    #[error("the store is closed")]
    Stopped,
}

/// Why nothing could be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// Too many reads wait already.
    #[error("{reads} reads wait already: try again later")]
    Full {
        /// How many wait.
        reads: usize,
    },
    /// The file does not do what it should.
    #[error(transparent)]
    Trouble(Trouble),
    /// One row cannot be understood.
    #[error(transparent)]
    Body(BadBody),
    /// The store is closed.
    #[error("the store is closed")]
    Stopped,
}

/// A row that cannot be understood.
#[derive(Debug, Error)]
#[error(
    "{}: the row {key} of table {table} cannot be read (format {format}, this askrelay reads up to {known}): restore the file \
     from a backup, or move it away to start anew", path.display()
)]
pub struct BadBody {
    /// The file.
    pub path: PathBuf,
    /// The table.
    pub table: &'static str,
    /// The row.
    pub key: String,
    /// The format it says it has.
    pub format: i64,
    /// The newest format this program reads.
    pub known: i64,
    /// What is wrong with it.
    #[source]
    pub source: Option<serde_json::Error>,
}

impl Trouble {
    /// What SQLite's error says about the file.
    pub(crate) fn sqlite(path: &Path, error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let kind = match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => TroubleKind::DiskFull,
            Some(
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed,
            ) => TroubleKind::Locked,
            Some(ErrorCode::ReadOnly) => TroubleKind::ReadOnly,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => TroubleKind::Corrupt,
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::SystemIoFailure) => {
                TroubleKind::Unreachable
            }
            // A value that is not of its column's type or not UTF-8 was not written by us.
            None if matches!(
                error,
                rusqlite::Error::InvalidColumnType(..)
                    | rusqlite::Error::Utf8Error(..)
                    | rusqlite::Error::FromSqlConversionFailure(..)
            ) =>
            {
                TroubleKind::Corrupt
            }
            _ => TroubleKind::Other,
        };
        Self { kind, path: path.to_owned(), cause: Some(Arc::new(error)) }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.kind {
            TroubleKind::DiskFull => {
                write!(
                    f,
                    "the disk that holds {path} is full: free some space, then saving goes on by itself"
                )
            }
            TroubleKind::Locked => write!(f, "{path} is locked by another program: close that program"),
            TroubleKind::ReadOnly => {
                write!(f, "{path} may not be written: make the file and its folder writable for this user")
            }
            TroubleKind::Corrupt => {
                write!(f, "{path} is damaged: restore it from a backup, or move it away to start anew")
            }
            TroubleKind::Unreachable => {
                write!(f, "{path} cannot be opened, read or written: check its folder, permissions and disk")
            }
            TroubleKind::Other => write!(f, "{path} does not work as a store"),
        }
    }
}

impl Error for Trouble {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn Error + 'static))
    }
}

impl From<Stopped> for CommitError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<Stopped> for ReadError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}
