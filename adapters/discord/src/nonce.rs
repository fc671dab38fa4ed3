//! Names a message before it exists, so that the platform shows it once however often it is sent. The same Order gives the same
//! name in every run of the program.

use askrelay_core::id::SendId;
use sha2::{Digest, Sha256};

/// Bytes of the name: 24 hexadecimal digits of the 25 characters that the platform takes (D/resources/message; 2026-11).
const BYTES: usize = 12;

/// The name of one message of an Order, counted from 0.
pub(crate) fn nonce(send: &SendId, message: usize) -> String {
    let mut digest = Sha256::new();
    digest.update(send.as_str().as_bytes());
    // No text holds this byte.
    digest.update([0xFF]);
    digest.update(message.to_be_bytes());
    digest.finalize().iter().take(BYTES).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_message_of_every_order_has_its_own_name() {
        let orders = ["one", "two", "one1", ""];
        let names: BTreeSet<String> =
            orders.iter().flat_map(|send| (0..12).map(|message| nonce(&(*send).into(), message))).collect();
        assert_eq!(names.len(), 48);
        assert!(names.iter().all(|name| name.len() == 24));
        assert_eq!(nonce(&"one".into(), 0), nonce(&"one".into(), 0));
    }
}
