//! The line that a device identity signs in the handshake. Signs and verifies nothing: whoever holds the key or the
//! public key does.

use crate::connect::{Auth, Connect};
use askrelay_core::time::{Span, Time};

/// How far a signature's time may be from the gateway's clock, either way.
pub const SKEW_MAX: Span = Span::seconds(120);

/// Which form of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineVersion {
    /// Nine fields; still accepted.
    V2,
    /// Eleven fields: platform and device family too.
    V3,
}

/// The UTF-8 line whose Ed25519 signature proves the device. `connect` gives client, role, scopes and token; the device's
/// own fields are arguments because the signature becomes part of them.
#[must_use]
pub fn line(
    version: LineVersion,
    connect: &Connect,
    device_id: &str,
    signed_at: Time,
    nonce: &str,
) -> String {
    let client = &connect.client;
    let token = signed_token(&connect.auth);
    let role = connect.role.as_deref().unwrap_or_default();
    let scopes = connect.scopes.join(",");
    let head = match version {
        LineVersion::V2 => "v2",
        LineVersion::V3 => "v3",
    };
    let signed_at = signed_at.0;
    let line = format!(
        "{head}|{device_id}|{}|{}|{role}|{scopes}|{signed_at}|{token}|{nonce}",
        client.id, client.mode
    );
    match version {
        LineVersion::V2 => line,
        LineVersion::V3 => {
            let family = client.device_family.as_deref().unwrap_or_default();
            format!("{line}|{}|{}", folded(&client.platform), folded(family))
        }
    }
}

/// The token that the line names: the first present one; a password is never signed.
fn signed_token(auth: &Auth) -> &str {
    [&auth.token, &auth.device_token, &auth.bootstrap_token]
        .into_iter()
        .find_map(Option::as_ref)
        .map_or("", |token| token.expose())
}

fn folded(text: &str) -> String {
    text.trim().to_ascii_lowercase()
}
