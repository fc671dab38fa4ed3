//! SHA-256 as text. What is hashed, and whether anybody may see it, is the caller's.

use sha2::{Digest, Sha256};

/// The hash of these parts, one after the other, as 64 lower-case hexadecimal digits.
pub(crate) fn sha256_hex<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
