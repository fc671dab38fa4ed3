//! The file that tells other processes of the same user how to join the ring, and whether they may: protocol version and
//! configuration must match. Holds no secret; the socket's directory and the peer's user id are the guard.

use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// Version of what joiners and holders speak over the socket; changes with every incompatible change of it.
const JOIN_PROTOCOL: u32 = 1;

/// How to join a ring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// What the holder speaks.
    pub protocol: u32,
    /// Fingerprint of the configuration it runs with.
    pub configuration: String,
    /// The holder's process id, for messages.
    pub pid: u32,
    /// What the holder is.
    pub role: Role,
    /// Where it listens.
    pub socket: PathBuf,
    /// Where it listens for HTTP and WebSocket, if it does.
    pub listen: Option<SocketAddr>,
    /// The chat accounts that it runs, as `surface/name`.
    pub accounts: Vec<String>,
}

/// What a holder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A command that runs the ring while it needs it, and hands over to a server.
    Command,
    /// `askrelay serve`.
    Server,
}

/// Why a process cannot join the ring that runs.
#[derive(Debug, thiserror::Error)]
pub enum JoinRefused {
    /// Another version of askrelay holds it.
    #[error(
        "process {pid} runs the ring of this data directory with another version of askrelay (join protocol {theirs}, ours is {ours}); \
         stop it, or use the same version"
    )]
    Version {
        /// The holder.
        pid: u32,
        /// Its version.
        theirs: u32,
        /// Ours.
        ours: u32,
    },
    /// It runs with another configuration.
    #[error(
        "process {pid} runs the ring of this data directory with another configuration; \
         use the same configuration file and ASKRELAY_* variables, or stop it"
    )]
    Configuration {
        /// The holder.
        pid: u32,
    },
}

impl Endpoint {
    /// This process as the holder.
    pub fn ours(
        configuration: String,
        role: Role,
        socket: PathBuf,
        listen: Option<SocketAddr>,
        accounts: Vec<String>,
    ) -> Self {
        let pid = std::process::id();
        Self { protocol: JOIN_PROTOCOL, configuration, pid, role, socket, listen, accounts }
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// The directory is not writable.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let draft = path.with_extension("json.new");
        fs::write(&draft, serde_json::to_vec(self)?)?;
        fs::rename(&draft, path)
    }

    /// Reads the file. `None` means that there is none yet, or one that no version of ours wrote whole.
    pub fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Whether a process with this configuration may join.
    ///
    /// # Errors
    /// Why not, in words for a person.
    pub fn admits(&self, configuration: &str) -> Result<(), JoinRefused> {
        let pid = self.pid;
        if self.protocol != JOIN_PROTOCOL {
            return Err(JoinRefused::Version { pid, theirs: self.protocol, ours: JOIN_PROTOCOL });
        }
        if self.configuration != configuration {
            return Err(JoinRefused::Configuration { pid });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint() -> Endpoint {
        Endpoint::ours("abc".into(), Role::Command, "ring.sock".into(), None, Vec::new())
    }

    #[test]
    fn what_is_written_is_read() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("ring.json");
        assert_eq!(Endpoint::read(&path), None);
        endpoint().write(&path).unwrap();
        assert_eq!(Endpoint::read(&path), Some(endpoint()));
        fs::write(&path, "{").unwrap();
        assert_eq!(Endpoint::read(&path), None);
    }

    #[test]
    fn a_mismatch_is_refused_in_plain_words() {
        let pid = std::process::id().to_string();
        assert!(endpoint().admits("abc").is_ok());
        let other = endpoint().admits("def").unwrap_err().to_string();
        assert!(other.contains(&pid) && other.contains("another configuration"), "{other}");
        let newer = Endpoint { protocol: JOIN_PROTOCOL + 1, ..endpoint() };
        let other = newer.admits("abc").unwrap_err().to_string();
        assert!(other.contains(&pid) && other.contains("another version"), "{other}");
    }
}
