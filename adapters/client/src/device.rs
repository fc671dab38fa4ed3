//! A device identity: the Ed25519 key with which a client proves itself to a gateway that wants it. Keeps no files; the
//! root stores the seed.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer, SigningKey};
use sha2::{Digest, Sha256};
use std::fmt;

use askrelay_protocol::connect::{Connect, Device};
use askrelay_protocol::device::{LineVersion, line};
use askrelay_protocol::frame::Challenge;

/// The key. Its debug form shows only the public device id.
#[derive(Clone)]
pub struct DeviceKey(SigningKey);

impl DeviceKey {
    /// The key of this seed: 32 secret random bytes.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// The device id: lower-case hexadecimal SHA-256 of the public key.
    #[must_use]
    pub fn id(&self) -> String {
        Sha256::digest(self.0.verifying_key().as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The signed identity for this handshake.
    #[must_use]
    pub fn sign(&self, connect: &Connect, challenge: &Challenge) -> Device {
        let id = self.id();
        let line = line(LineVersion::V3, connect, &id, challenge.ts, &challenge.nonce);
        Device {
            id,
            public_key: URL_SAFE_NO_PAD.encode(self.0.verifying_key().as_bytes()),
            signature: URL_SAFE_NO_PAD.encode(self.0.sign(line.as_bytes()).to_bytes()),
            signed_at: challenge.ts,
            nonce: challenge.nonce.clone(),
        }
    }
}

impl fmt::Debug for DeviceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceKey({})", self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askrelay_core::time::Time;
    use ed25519_dalek::{Signature, Verifier, VerifyingKey};

    #[test]
    fn whoever_knows_the_public_key_can_check_the_line() {
        let key = DeviceKey::from_seed(&[7; 32]);
        let connect = Connect { role: Some("operator".to_owned()), ..Connect::default() };
        let challenge = Challenge { nonce: "n-1".to_owned(), ts: Time(5), capabilities: Vec::new() };
        let device = key.sign(&connect, &challenge);
        let public: [u8; 32] = URL_SAFE_NO_PAD.decode(&device.public_key).unwrap().try_into().unwrap();
        let signature: [u8; 64] = URL_SAFE_NO_PAD.decode(&device.signature).unwrap().try_into().unwrap();
        let line = format!("v3|{}|||operator||5||n-1||", device.id);
        let checked = VerifyingKey::from_bytes(&public)
            .unwrap()
            .verify(line.as_bytes(), &Signature::from_bytes(&signature));
        assert!(checked.is_ok());
        assert_eq!((device.public_key.len(), device.signature.len(), device.id.len()), (43, 86, 64));
        assert!(!format!("{key:?}").contains("07, 07"));
    }
}
