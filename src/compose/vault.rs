//! The secrets for one other gateway: its shared token, read anew for each connection, and the device token that it gave, kept in
//! the data directory for its user alone. A token is given back only to the address, device and role that it came from.

use std::error::Error;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;

use askrelay_client::Vault;
use askrelay_protocol::connect::Auth;
use askrelay_protocol::secret::Secret;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use tracing::error;

use crate::config::SecretSource;
use crate::digest::sha256_hex;

/// Most bytes of a secret's file.
const SECRET_BYTES_MAX: u64 = 16 * 1024;

/// The secrets.
#[derive(Debug)]
pub(super) struct Files {
    shared: Option<SecretSource>,
    kept: PathBuf,
    /// Names the address, the device and the role.
    whose: String,
}

/// A device token as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    whose: String,
    token: Secret,
}

impl Files {
    pub(super) fn new(shared: Option<SecretSource>, kept: PathBuf, (url, device): (&str, &str)) -> Self {
        let whose = sha256_hex([url, "\n", device, "\noperator"]);
        Self { shared, kept, whose }
    }

    fn write(&self, token: Option<&Secret>) -> io::Result<()> {
        let Some(token) = token else {
            return match fs::remove_file(&self.kept) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        };
        let kept = serde_json::to_vec(&Kept { whose: self.whose.clone(), token: token.clone() })?;
        let draft = self.kept.with_extension("new");
        let mut file =
            fs::File::options().create(true).truncate(true).write(true).mode(0o600).open(&draft)?;
        file.write_all(&kept)?;
        file.sync_all()?;
        fs::rename(draft, &self.kept)
    }
}

impl Vault for Files {
    fn shared(&self) -> io::Result<Auth> {
        let token = match &self.shared {
            None => return Ok(Auth::default()),
            Some(SecretSource::Given(secret)) => secret.expose_secret().into(),
            Some(SecretSource::File(path)) => read(path)?.trim().into(),
        };
        Ok(Auth { token: Some(token), ..Auth::default() })
    }

    fn device_token(&self) -> Option<Secret> {
        // One that cannot be read is as good as none: the shared token gives another.
        let kept: Kept = serde_json::from_str(&read(&self.kept).ok()?).ok()?;
        (kept.whose == self.whose).then_some(kept.token)
    }

    fn keep(&self, token: Option<&Secret>) {
        if let Err(cause) = self.write(token) {
            let path = self.kept.display();
            error!(error = &cause as &dyn Error, %path, "the device token cannot be kept");
        }
    }
}

fn read(path: &PathBuf) -> io::Result<String> {
    let mut text = String::new();
    io::Read::read_to_string(&mut io::Read::take(fs::File::open(path)?, SECRET_BYTES_MAX), &mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_device_token_is_kept_for_its_gateway_alone() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("device-openclaw.token");
        let files = |url: &str| Files::new(None, path.clone(), (url, "d1"));
        let here = files("ws://here");
        assert!(here.device_token().is_none());
        here.keep(Some(&"t0k".into()));
        assert_eq!(here.device_token().unwrap().expose(), "t0k");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(files("ws://there").device_token().is_none(), "another address gets it");
        here.keep(None);
        assert!(here.device_token().is_none());
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_shared_token_is_read_anew_each_time() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("token");
        let source = Some(SecretSource::File(path.clone()));
        let files = Files::new(source, scratch.path().join("kept"), ("ws://here", "d1"));
        assert!(files.shared().is_err());
        for token in ["one", "two"] {
            fs::write(&path, format!("{token}\n")).unwrap();
            assert_eq!(files.shared().unwrap().token.unwrap().expose(), token);
        }
    }
}
