//! Where a client's secrets are, asked anew for each connection, and which of them proves it: the device token of an earlier
//! connection, else the shared secret. Reads and writes no file: that is the vault's.

use std::fmt;
use std::io;

use askrelay_protocol::connect::Auth;
use askrelay_protocol::error::{DetailCode, WireError};
use askrelay_protocol::secret::Secret;

/// The secrets for one gateway.
pub trait Vault: fmt::Debug + Send + Sync {
    /// The shared secret, as it is now; empty where there is none.
    ///
    /// # Errors
    /// It cannot be read.
    fn shared(&self) -> io::Result<Auth>;

    /// The device token that this gateway gave this device for this role, if one is kept.
    fn device_token(&self) -> Option<Secret>;

    /// Keeps the device token, or forgets the one that is kept.
    fn keep(&self, token: Option<&Secret>);
}

/// What one connection proves itself with.
pub(crate) struct Proof {
    pub(crate) auth: Auth,
    /// It is the device token alone.
    pub(crate) by_device: bool,
}

impl Proof {
    /// The device token if there is one: it outlives a change of the shared secret.
    pub(crate) fn of(vault: &dyn Vault) -> io::Result<Self> {
        if let Some(token) = vault.device_token() {
            let auth = Auth { device_token: Some(token), ..Auth::default() };
            return Ok(Self { auth, by_device: true });
        }
        Ok(Self { auth: vault.shared()?, by_device: false })
    }

    /// Forgets a device token that the gateway does not take any more: the next connection is by the shared secret, which gives
    /// a new one.
    pub(crate) fn refused(&self, vault: &dyn Vault, error: &WireError) {
        let is_spent = matches!(
            error.details.code,
            Some(
                DetailCode::AuthDeviceTokenMismatch
                    | DetailCode::AuthScopeMismatch
                    | DetailCode::AuthTokenMismatch
                    | DetailCode::AuthTokenExpired
            )
        );
        if self.by_device && is_spent {
            vault.keep(None);
        }
    }
}
