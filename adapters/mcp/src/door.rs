//! One asker's way to its gateway: its connection, whose it is, and what only the process around it knows.

use std::sync::Arc;

use askrelay_client::Client;
use askrelay_core::id::RecordId;
use askrelay_core::time::Time;
use askrelay_protocol::call::AskParams;
use askrelay_protocol::secret::Secret;
use sha2::{Digest as _, Sha256};

use crate::config::Config;

/// What the process around the asker knows and can.
pub trait Around: Send + Sync + 'static {
    /// The time.
    fn now(&self) -> Time;

    /// Sixteen fresh bytes that nobody can guess.
    fn chance(&self) -> [u8; 16];

    /// The secret with which this asker answers for its own person, always the same for one ask.
    fn secret(&self, id: &RecordId) -> String;

    /// A one-time page waits at this address: tells it where its person may look, and opens it there when wanted.
    fn page(&self, url: &str, open: bool);

    /// A chat account runs to which this ask goes.
    fn chat(&self, params: &AskParams) -> bool;
}

/// One asker's way to its gateway.
#[derive(Clone)]
pub struct Door {
    /// Its connection.
    pub client: Client,
    /// Whose it is: the local user, or a token's hash. None: calls are joined only by their own keys.
    pub who: Option<String>,
    /// The project it asks for, unless a call says otherwise.
    pub project: Option<String>,
    /// Its settings.
    pub config: Arc<Config>,
    /// What only the process knows.
    pub around: Arc<dyn Around>,
}

impl Door {
    /// The proof that the gateway keeps of [`Around::secret`].
    pub(crate) fn proof(&self, id: &RecordId) -> String {
        hex(&[&self.around.secret(id)])
    }

    /// A fresh id.
    pub(crate) fn fresh(&self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.around.chance()))
    }

    pub(crate) fn secret(&self, id: &RecordId) -> Secret {
        Secret::from(self.around.secret(id))
    }
}

impl std::fmt::Debug for Door {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Door").field("project", &self.project).finish_non_exhaustive()
    }
}

/// SHA-256 of the parts, each with its length, in hexadecimal.
pub(crate) fn digest(parts: &[&str]) -> String {
    let lengths: Vec<String> = parts.iter().map(|part| format!("{}:{part}", part.len())).collect();
    let lengths: Vec<&str> = lengths.iter().map(String::as_str).collect();
    hex(&lengths)
}

fn hex(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.as_bytes());
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
