//! The lock of a data directory: whoever holds it runs the ring. The operating system drops it with the process, so a file
//! left behind by a killed holder holds nothing.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The lock, held until dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Why the lock cannot even be tried.
#[derive(Debug, thiserror::Error)]
#[error("cannot lock {path}; the data directory must be writable and on a file system with locks")]
pub struct LockError {
    path: PathBuf,
    source: io::Error,
}

impl Lock {
    /// Whether somebody holds the lock. Makes no file, and keeps nobody but a taker of this very moment from it.
    ///
    /// # Errors
    /// The file cannot be opened or the file system has no locks.
    pub fn is_held(path: &Path) -> Result<bool, LockError> {
        let failed = |source| LockError { path: path.to_owned(), source };
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            other => other.map_err(failed)?,
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// Takes the lock if nobody holds it; `None` means that somebody does.
    ///
    /// # Errors
    /// The file cannot be opened or the file system has no locks.
    pub fn try_take(path: &Path) -> Result<Option<Self>, LockError> {
        let failed = |source| LockError { path: path.to_owned(), source };
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .mode(0o600)
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time_and_a_file_left_behind_holds_nothing() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("ring.lock");
        std::fs::write(&path, "left behind").unwrap();
        let held = Lock::try_take(&path).unwrap();
        assert!(held.is_some());
        assert!(Lock::try_take(&path).unwrap().is_none());
        assert!(Lock::is_held(&path).unwrap());
        drop(held);
        assert!(!Lock::is_held(&path).unwrap());
        assert!(!Lock::is_held(&scratch.path().join("missing")).unwrap());
        assert!(Lock::try_take(&path).unwrap().is_some());
    }
}
