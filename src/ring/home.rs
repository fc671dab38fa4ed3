//! The data directory: where it is, that only its user can enter it, and the names of what lies in it. Opens no database.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use etcetera::app_strategy::{AppStrategy, AppStrategyArgs, choose_native_strategy};

/// A data directory that exists and belongs to us.
#[derive(Clone, Debug)]
pub struct Home {
    path: PathBuf,
}

/// Why there is no usable data directory.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// The platform names no usual place and nobody named one.
    #[error("no place for the data directory is known; set ASKRELAY_HOME to a directory of your own")]
    NoPlace,
    /// It cannot be made or looked at.
    #[error(
        "cannot use the data directory {path}; make it writable for you, or set ASKRELAY_HOME to another one"
    )]
    Unusable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It belongs to another user.
    #[error(
        "the data directory {path} belongs to user id {owner}, not to you; set ASKRELAY_HOME to a directory of your own"
    )]
    NotOurs {
        /// Which.
        path: PathBuf,
        /// Its owner.
        owner: u32,
    },
}

impl Home {
    /// The data directory: `named` if given, else the platform's usual place. Made if missing, closed to other users.
    ///
    /// # Errors
    /// [`HomeError`].
    pub fn open(named: Option<&Path>) -> Result<Self, HomeError> {
        let path = match named {
            Some(path) => path.to_owned(),
            None => places().map(|places| places.data_dir()).ok_or(HomeError::NoPlace)?,
        };
        let unusable = |source| HomeError::Unusable { path: path.clone(), source };
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&path).map_err(unusable)?;
        let path = fs::canonicalize(&path).map_err(unusable)?;
        let found = fs::metadata(&path).map_err(unusable)?;
        let ours = rustix::process::geteuid().as_raw();
        if found.uid() != ours {
            return Err(HomeError::NotOurs { path, owner: found.uid() });
        }
        if found.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).map_err(unusable)?;
        }
        Ok(Self { path })
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The store.
    pub fn database(&self) -> PathBuf {
        self.path.join("askrelay.db")
    }

    /// The file whose lock the ring's holder keeps.
    pub fn lock(&self) -> PathBuf {
        self.path.join("ring.lock")
    }

    /// The file that tells how to join the ring.
    pub fn endpoint(&self) -> PathBuf {
        self.path.join("ring.json")
    }

    /// Where the ring listens. A path too long for a socket address moves to a directory of our own under the system's
    /// temporary one, named after the data directory.
    ///
    /// # Errors
    /// The short directory cannot be made or belongs to somebody else.
    pub fn socket(&self) -> io::Result<PathBuf> {
        let usual = self.path.join("ring.sock");
        if usual.as_os_str().len() < SOCKET_PATH_BYTES_MAX {
            return Ok(usual);
        }
        let id = fs::metadata(&self.path)?;
        let short = std::env::temp_dir().join(format!("askrelay-{}-{:x}-{:x}", id.uid(), id.dev(), id.ino()));
        match fs::DirBuilder::new().mode(0o700).create(&short) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => other?,
        }
        let found = fs::symlink_metadata(&short)?;
        if !found.is_dir() || found.uid() != id.uid() || found.permissions().mode() & 0o077 != 0 {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                format!("{} is not a directory that only you can enter", short.display()),
            ));
        }
        Ok(short.join("ring.sock"))
    }
}

/// The platform's usual places for data and configuration.
pub(crate) fn places() -> Option<impl AppStrategy> {
    let names = AppStrategyArgs { app_name: "askrelay".to_owned(), ..AppStrategyArgs::default() };
    choose_native_strategy(names).ok()
}

/// Longest path of a Unix socket that every platform takes: macOS has 104 bytes with the closing zero, Linux 108.
const SOCKET_PATH_BYTES_MAX: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_is_made_and_closed_to_others() {
        let scratch = tempfile::tempdir().unwrap();
        let home = Home::open(Some(&scratch.path().join("a/b"))).unwrap();
        assert_eq!(fs::metadata(home.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn an_open_directory_is_closed() {
        let scratch = tempfile::tempdir().unwrap();
        fs::set_permissions(scratch.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let home = Home::open(Some(scratch.path())).unwrap();
        assert_eq!(fs::metadata(home.path()).unwrap().permissions().mode() & 0o077, 0);
    }

    #[test]
    fn a_long_path_still_has_a_socket() {
        let scratch = tempfile::tempdir().unwrap();
        let home = Home::open(Some(&scratch.path().join("long".repeat(40)))).unwrap();
        let socket = home.socket().unwrap();
        assert!(socket.as_os_str().len() < SOCKET_PATH_BYTES_MAX, "{}", socket.display());
        assert_eq!(socket, home.socket().unwrap(), "the same directory has the same socket");
        fs::remove_dir_all(socket.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_file_in_its_place_is_named() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Home::open(Some(&file)).unwrap_err().to_string();
        assert!(error.contains("file") && error.contains("ASKRELAY_HOME"), "{error}");
    }
}
