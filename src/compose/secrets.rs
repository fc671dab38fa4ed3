//! The secrets of chat accounts: read when an account starts, from the environment or a file. Keeps none and shows none.

use askrelay_core::id::Account;
use secrecy::SecretString;

use super::surfaces::AccountError;
use crate::config::{ChatAccount, SecretSource};

/// One secret of an account.
pub(super) fn secret(
    of: &ChatAccount,
    account: &Account,
    key: &'static str,
) -> Result<SecretString, AccountError> {
    match of.secrets.get(key) {
        Some(SecretSource::Given(secret)) => Ok(secret.clone()),
        Some(SecretSource::File(path)) => {
            let failed =
                |source| AccountError::Secret { account: account.clone(), key, path: path.clone(), source };
            let text = std::fs::read_to_string(path).map_err(failed)?;
            Ok(SecretString::from(text.trim()))
        }
        None => {
            let variable =
                of.table.secrets.iter().find(|secret| secret.file == key).map(|secret| secret.variable);
            Err(AccountError::NoSecret {
                account: account.clone(),
                key,
                variable: variable.unwrap_or_default(),
            })
        }
    }
}
