//! The handshake's two halves: what a client says of itself and what the gateway grants. Verifies nothing.

use askrelay_core::time::Time;

use crate::secret::Secret;

/// `connect`: who the client is and what it wants.
#[derive(Clone, Debug, Default)]
pub struct Connect {
    /// Oldest protocol version it speaks.
    pub min_protocol: u64,
    /// Newest.
    pub max_protocol: u64,
    /// The program.
    pub client: ClientInfo,
    /// The role it wants; ours is always `operator`.
    pub role: Option<String>,
    /// The scopes it wants; none asked for, none granted.
    pub scopes: Vec<String>,
    /// The caps it offers.
    pub caps: Vec<String>,
    /// How it proves itself.
    pub auth: Auth,
    /// Its device identity.
    pub device: Option<Device>,
}

/// The program at the other end. Shown in logs, never trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientInfo {
    /// OpenClaw keeps a closed list; a third party is `gateway-client`.
    pub id: String,
    /// One of [`MODES`].
    pub mode: String,
    /// The program's version.
    pub version: String,
    /// The operating system.
    pub platform: String,
    /// A name for people.
    pub display_name: Option<String>,
    /// The kind of device.
    pub device_family: Option<String>,
    /// Tells two running copies apart.
    pub instance_id: Option<String>,
}

/// The modes of a client.
pub const MODES: [&str; 8] = ["webchat", "cli", "ui", "backend", "node", "worker", "probe", "test"];

/// Secrets of the handshake; OpenClaw signs the first token that is present, in this order.
#[derive(Clone, Debug, Default)]
pub struct Auth {
    /// A shared secret, a person's token, or a device token.
    pub token: Option<Secret>,
    /// A token bound to the device.
    pub device_token: Option<Secret>,
    /// A token of the first pairing.
    pub bootstrap_token: Option<Secret>,
    /// A shared password; never signed.
    pub password: Option<Secret>,
}

/// A device identity and its signature over the handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Lower-case hexadecimal SHA-256 of the public key.
    pub id: String,
    /// The 32 bytes of the Ed25519 key, base64url without padding.
    pub public_key: String,
    /// The 64 bytes of the signature, base64url without padding.
    pub signature: String,
    /// The challenge's time.
    pub signed_at: Time,
    /// The challenge's nonce.
    pub nonce: String,
}

/// `hello-ok`: the connection stands.
#[derive(Clone, Debug, Default)]
pub struct HelloOk {
    /// The agreed version.
    pub protocol: u64,
    /// The gateway.
    pub server: ServerInfo,
    /// The methods it answers.
    pub methods: Vec<String>,
    /// The events it sends.
    pub events: Vec<String>,
    /// What else it can do; names [`crate::frame::CAP`] when the extension is agreed.
    pub capabilities: Vec<String>,
    /// What it granted.
    pub auth: Granted,
    /// Its limits.
    pub policy: Policy,
}

/// The gateway at the other end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerInfo {
    /// Its version.
    pub version: String,
    /// Another one after each start.
    pub boot_id: String,
    /// Names this connection.
    pub conn_id: String,
}

/// What a connection was granted.
#[derive(Clone, Debug, Default)]
pub struct Granted {
    /// By what: `token`, `device-token`, `local`.
    pub method: String,
    /// The role.
    pub role: String,
    /// The scopes; may be fewer than asked for.
    pub scopes: Vec<String>,
    /// A token to come back with, bound to the device; replaces one kept before.
    pub device_token: Option<Secret>,
}

/// The gateway's limits for this connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Longest frame it reads, in bytes.
    pub max_payload: u64,
    /// Most bytes it keeps queued for a slow reader before it closes the connection.
    pub max_buffered_bytes: u64,
    /// A tick comes this often; twice as long without any frame means a dead connection.
    pub tick_interval_ms: u64,
}

impl Default for Policy {
    fn default() -> Self {
        Self { max_payload: 26_214_400, max_buffered_bytes: 52_428_800, tick_interval_ms: 30_000 }
    }
}
