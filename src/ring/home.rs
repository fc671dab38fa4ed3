//! The data directory: where it is, that only its user can enter it, and the names of what lies in it. Opens no database.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt as _, PermissionsExt};
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
    /// Others can enter it, and it is not ours to close.
    #[error(
        "the data directory {path} can be used by other users (mode {mode:o}) and {why}; its rights are left as they are: \
         name a directory of askrelay's own with --home or ASKRELAY_HOME, or close this one with chmod 700"
    )]
    OpenToOthers {
        /// Which.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
        /// What makes that bad.
        why: &'static str,
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
    /// The data directory: `named` if given, else the platform's usual place. Made if missing, closed to other users; the
    /// rights of one that exists are never changed.
    ///
    /// # Errors
    /// [`HomeError`].
    pub fn open(named: Option<&Path>) -> Result<Self, HomeError> {
        let path = place(named)?;
        let unusable = |source| HomeError::Unusable { path: path.clone(), source };
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&path).map_err(unusable)?;
        Self::found(path)
    }

    /// The same for those who only look: nothing is made, and it may be missing.
    ///
    /// # Errors
    /// [`HomeError`].
    pub fn look(named: Option<&Path>) -> Result<Self, HomeError> {
        let path = place(named)?;
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self { path }),
            _ => Self::found(path),
        }
    }

    /// A directory that is there, if it is safe to use.
    fn found(path: PathBuf) -> Result<Self, HomeError> {
        let unusable = |source| HomeError::Unusable { path: path.clone(), source };
        let path = fs::canonicalize(&path).map_err(unusable)?;
        let found = fs::metadata(&path).map_err(unusable)?;
        if found.uid() != rustix::process::geteuid().as_raw() {
            return Err(HomeError::NotOurs { path, owner: found.uid() });
        }
        let entries = fs::read_dir(&path).map_err(unusable)?;
        let mode = found.permissions().mode() & 0o7777;
        if mode & 0o022 != 0 {
            return Err(HomeError::OpenToOthers { path, mode, why: "they could change what is kept in it" });
        }
        let names: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.file_name()).collect();
        let is_ours = names.is_empty() || names.iter().any(|name| OURS.iter().any(|ours| name == ours));
        if mode & 0o077 != 0 && !is_ours {
            return Err(HomeError::OpenToOthers { path, mode, why: "holds files that are not askrelay's" });
        }
        Ok(Self { path })
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The store.
    pub fn database(&self) -> PathBuf {
        self.path.join(DATABASE)
    }

    /// The file whose lock the ring's holder keeps.
    pub fn lock(&self) -> PathBuf {
        self.path.join(LOCK)
    }

    /// The file that tells how to join the ring.
    pub fn endpoint(&self) -> PathBuf {
        self.path.join(ENDPOINT)
    }

    /// The key from which asking terminals make the secrets of asks that have an id of their own: made once, readable by its
    /// user alone.
    ///
    /// # Errors
    /// It can be neither read nor made.
    pub fn terminal_key(&self) -> io::Result<[u8; KEY_BYTES]> {
        self.key(TERMINAL_KEY)
    }

    /// The seed of the key by which other gateways know this device: made once, readable by its user alone.
    ///
    /// # Errors
    /// It can be neither read nor made.
    pub fn device_key(&self) -> io::Result<[u8; KEY_BYTES]> {
        self.key(DEVICE_KEY)
    }

    /// The file with the token that a gateway gave this device.
    pub fn device_token(&self, gateway: &str) -> PathBuf {
        self.path.join(format!("device-{gateway}.token"))
    }

    fn key(&self, name: &str) -> io::Result<[u8; KEY_BYTES]> {
        let path = self.path.join(name);
        if !path.exists() {
            let draft = self.path.join(format!("{name}.{}", std::process::id()));
            let mut file =
                fs::File::options().create(true).truncate(true).write(true).mode(0o600).open(&draft)?;
            let mut fresh = [0; KEY_BYTES];
            getrandom::fill(&mut fresh).map_err(|error| io::Error::other(error.to_string()))?;
            file.write_all(&fresh)?;
            file.sync_all()?;
            // Of two processes that make one at the same time, the first one's stays.
            let linked = fs::hard_link(&draft, &path);
            fs::remove_file(&draft)?;
            linked.or_else(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => Ok(()),
                _ => Err(error),
            })?;
        }
        let broken =
            |_| io::Error::new(io::ErrorKind::InvalidData, "it is no key; delete it to get a new one");
        fs::read(&path)?.try_into().map_err(broken)
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

/// Names in a data directory that tell that it is one. What is secret among them is closed to others by itself.
const OURS: [&str; 6] = [DATABASE, LOCK, ENDPOINT, "config.toml", TERMINAL_KEY, DEVICE_KEY];

const DATABASE: &str = "askrelay.db";
const LOCK: &str = "ring.lock";
const ENDPOINT: &str = "ring.json";
const TERMINAL_KEY: &str = "terminal.key";

const DEVICE_KEY: &str = "device.key";

/// As many as the hash that is made with one, and as an Ed25519 seed has.
pub(crate) const KEY_BYTES: usize = 32;

fn place(named: Option<&Path>) -> Result<PathBuf, HomeError> {
    match named {
        Some(path) => Ok(path.to_owned()),
        None => places().map(|places| places.data_dir()).ok_or(HomeError::NoPlace),
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
    fn the_rights_of_a_directory_that_exists_are_left_alone() {
        let rows: [(&str, u32, &[&str], &str); 7] = [
            ("closed, with files of others", 0o700, &["notes.txt"], ""),
            ("open and empty", 0o755, &[], ""),
            ("open, with our configuration", 0o755, &["config.toml"], ""),
            ("open, with our store", 0o750, &["askrelay.db", "notes.txt"], ""),
            ("open, with files of others", 0o755, &["notes.txt"], "not askrelay's"),
            ("others can write", 0o777, &[], "could change"),
            ("the group can write", 0o770, &["askrelay.db"], "could change"),
        ];
        for (name, mode, files, refused) in rows {
            let scratch = tempfile::tempdir().unwrap();
            files.iter().for_each(|file| fs::write(scratch.path().join(file), "").unwrap());
            fs::set_permissions(scratch.path(), fs::Permissions::from_mode(mode)).unwrap();
            let opened = [Home::open(Some(scratch.path())), Home::look(Some(scratch.path()))];
            assert_eq!(fs::metadata(scratch.path()).unwrap().permissions().mode() & 0o777, mode, "{name}");
            for opened in opened {
                match (opened, refused) {
                    (Ok(_), "") => {}
                    (Ok(_), _) => panic!("{name}: taken"),
                    (Err(error), refused) => {
                        let text = error.to_string();
                        let told =
                            !refused.is_empty() && text.contains(refused) && text.contains("chmod 700");
                        assert!(told && text.contains("left as they are"), "{name}: {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn who_only_looks_makes_nothing() {
        let scratch = tempfile::tempdir().unwrap();
        let missing = scratch.path().join("missing");
        assert_eq!(Home::look(Some(&missing)).unwrap().path(), missing);
        assert!(!missing.exists());
    }

    #[test]
    fn the_terminals_key_is_made_once_for_its_user_alone() {
        let scratch = tempfile::tempdir().unwrap();
        let home = Home::open(Some(scratch.path())).unwrap();
        let key = home.terminal_key().unwrap();
        assert_eq!(key, home.terminal_key().unwrap());
        let path = scratch.path().join("terminal.key");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1, "no draft is left behind");
        fs::write(path, "short").unwrap();
        assert!(home.terminal_key().unwrap_err().to_string().contains("delete it"));
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
