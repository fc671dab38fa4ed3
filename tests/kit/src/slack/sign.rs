//! The signature of what is brought over HTTP: `v0=` and the HMAC-SHA256 of version, time and body in hexadecimal.

use sha2::{Digest, Sha256};

/// Bytes of a block of the hash.
const BLOCK_BYTES: usize = 64;

/// The value of `X-Slack-Signature`.
pub(super) fn signature(secret: &str, at: i64, body: &[u8]) -> String {
    let message = [format!("v0:{at}:").as_bytes(), body].concat();
    let digest = hmac(secret.as_bytes(), &message);
    let hexadecimal: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("v0={hexadecimal}")
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut padded = [0_u8; BLOCK_BYTES];
    let short = if key.len() > BLOCK_BYTES { Sha256::digest(key).to_vec() } else { key.to_vec() };
    padded.iter_mut().zip(&short).for_each(|(byte, key)| *byte = *key);
    let inner = Sha256::new().chain_update(padded.map(|byte| byte ^ 0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(padded.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::{hmac, signature};

    fn hexadecimal(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_code_is_that_of_rfc_4231() {
        let rows: [(&str, &[u8], &[u8], &str); 2] = [
            (
                "a short key",
                b"Jefe",
                b"what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                "a key longer than a block",
                &[0xaa; 131],
                b"Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
        ];
        for (name, key, message, expected) in rows {
            assert_eq!(hexadecimal(&hmac(key, message)), expected, "{name}");
        }
    }

    #[test]
    fn a_signature_covers_version_time_and_body() {
        let code = hexadecimal(&hmac(b"secret", b"v0:1531420618:token=x"));
        assert_eq!(signature("secret", 1_531_420_618, b"token=x"), format!("v0={code}"));
    }
}
