//! Whether a device identity in a handshake is what it claims: the id is its key's, and the key signed this challenge just
//! now. It proves which device speaks and gives no right; tokens do.

use askrelay_core::time::Time;
use askrelay_protocol::connect::{Connect, Device};
use askrelay_protocol::device::{LineVersion, SKEW_MAX, line};
use askrelay_protocol::error::{Code, DetailCode, WireError};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest, Sha256};

use crate::clock::hex;

/// Checks the identity against the challenge's nonce.
pub(crate) fn verify(connect: &Connect, device: &Device, nonce: &str, now: Time) -> Result<(), WireError> {
    if device.nonce.is_empty() {
        return Err(refused(DetailCode::DeviceAuthNonceRequired, "device nonce required"));
    }
    if device.nonce != nonce {
        return Err(refused(DetailCode::DeviceAuthNonceMismatch, "device nonce mismatch"));
    }
    let skew = now.since(device.signed_at).max(device.signed_at.since(now));
    if skew > SKEW_MAX {
        return Err(refused(DetailCode::DeviceAuthSignatureExpired, "device signature expired"));
    }
    let bytes = decoded::<32>(&device.public_key);
    let key = bytes.and_then(|bytes| Some((bytes, VerifyingKey::from_bytes(&bytes).ok()?)));
    let Some((bytes, key)) = key else {
        return Err(refused(DetailCode::DeviceAuthPublicKeyInvalid, "device public key invalid"));
    };
    if hex(&Sha256::digest(bytes)) != device.id {
        return Err(refused(DetailCode::DeviceAuthDeviceIdMismatch, "device identity mismatch"));
    }
    let signature = decoded::<64>(&device.signature).map(|bytes| Signature::from_bytes(&bytes));
    let signed = |version| line(version, connect, &device.id, device.signed_at, nonce);
    let valid = signature.is_some_and(|signature| {
        let over = |version| key.verify_strict(signed(version).as_bytes(), &signature).is_ok();
        over(LineVersion::V3) || over(LineVersion::V2)
    });
    if valid {
        Ok(())
    } else {
        Err(refused(DetailCode::DeviceAuthSignatureInvalid, "device signature invalid"))
    }
}

fn decoded<const N: usize>(text: &str) -> Option<[u8; N]> {
    URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()
}

fn refused(code: DetailCode, words: &str) -> WireError {
    let mut error = WireError::new(Code::InvalidRequest, words);
    error.details.code = Some(code);
    error
}

#[cfg(test)]
mod tests {
    //! A right identity, and one row for each way to be wrong.

    use super::*;
    use askrelay_protocol::connect::{Auth, ClientInfo};
    use ed25519_dalek::{Signer, SigningKey};

    const NOW: Time = Time(1_796_057_711_239);

    fn connect() -> Connect {
        Connect {
            client: ClientInfo {
                id: "gateway-client".to_owned(),
                mode: "ui".to_owned(),
                platform: " Linux ".to_owned(),
                ..ClientInfo::default()
            },
            role: Some("operator".to_owned()),
            scopes: vec!["operator.questions".to_owned()],
            auth: Auth { token: Some("secret".into()), ..Auth::default() },
            ..Connect::default()
        }
    }

    /// A device that signed `text` with its key.
    fn device(text: &str) -> Device {
        let key = SigningKey::from_bytes(&[7; 32]);
        let public = key.verifying_key().to_bytes();
        Device {
            id: hex(&Sha256::digest(public)),
            public_key: URL_SAFE_NO_PAD.encode(public),
            signature: URL_SAFE_NO_PAD.encode(key.sign(text.as_bytes()).to_bytes()),
            signed_at: NOW,
            nonce: "n1".to_owned(),
        }
    }

    #[test]
    fn each_fault_is_told_apart() {
        let id = device("").id;
        let rest = format!("{id}|gateway-client|ui|operator|operator.questions|{}|secret|n1", NOW.0);
        let v3 = format!("v3|{rest}|linux|");
        let v2 = format!("v2|{rest}");
        let with = |change: fn(&mut Device)| {
            let mut device = device(&v3);
            change(&mut device);
            device
        };
        let cases = [
            ("version 3", device(&v3), 0, None),
            ("version 2", device(&v2), 0, None),
            ("two minutes late", device(&v3), 120_000, None),
            ("two minutes early", device(&v3), -120_000, None),
            ("too late", device(&v3), 120_001, Some("DEVICE_AUTH_SIGNATURE_EXPIRED")),
            ("too early", device(&v3), -120_001, Some("DEVICE_AUTH_SIGNATURE_EXPIRED")),
            ("another line", device("v3|"), 0, Some("DEVICE_AUTH_SIGNATURE_INVALID")),
            ("no nonce", with(|d| d.nonce.clear()), 0, Some("DEVICE_AUTH_NONCE_REQUIRED")),
            ("another nonce", with(|d| d.nonce.push('x')), 0, Some("DEVICE_AUTH_NONCE_MISMATCH")),
            ("another id", with(|d| d.id.replace_range(..1, "x")), 0, Some("DEVICE_AUTH_DEVICE_ID_MISMATCH")),
            ("no key", with(|d| d.public_key.clear()), 0, Some("DEVICE_AUTH_PUBLIC_KEY_INVALID")),
            ("no signature", with(|d| d.signature.clear()), 0, Some("DEVICE_AUTH_SIGNATURE_INVALID")),
        ];
        for (name, device, passed, expected) in cases {
            let result = verify(&connect(), &device, "n1", Time(NOW.0 + passed));
            let code = result.err().and_then(|error| error.details.code);
            assert_eq!(code.as_ref().map(DetailCode::as_str), expected, "{name}");
        }
    }
}
