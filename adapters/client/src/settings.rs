//! How a client connects, as plain values that the composition root fills in. Reads no configuration by itself.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

use askrelay_core::id::GatewayId;
use askrelay_protocol::connect::{Auth, ClientInfo};

use crate::device::DeviceKey;
use crate::vault::Vault;

/// Who the client is and how patient it is.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The gateway's configured name; part of the key of each of its Records.
    pub gateway: GatewayId,
    /// The program.
    pub client: ClientInfo,
    /// The scopes asked for.
    pub scopes: Vec<String>,
    /// Its secrets, where no vault has them.
    pub auth: Auth,
    /// Where its secrets are, asked anew for each connection.
    pub vault: Option<Arc<dyn Vault>>,
    /// Its device identity, for gateways that want one.
    pub device: Option<DeviceKey>,
    /// Longest time for opening the link and for each step of the handshake.
    pub handshake: Duration,
    /// How long to wait before connecting again.
    pub backoff: Backoff,
    /// Connections in a row that may fail before the client gives up; none: it never does.
    pub attempts: Option<u32>,
    /// Whatever refuses a connection, it is tried again: a person may mend it meanwhile.
    pub persistent: bool,
    /// The extension is offered to a gateway that names it.
    pub extends: bool,
    /// Requests that may wait for their answers at once on one connection.
    pub in_flight: usize,
    /// How long to wait before asking again what was refused as unavailable without a time.
    pub busy: Backoff,
    /// Calls that may wait to be sent.
    pub queue: usize,
    /// Events that a subscriber may be behind before it has to list again.
    pub events: usize,
}

/// Waits that double from `first` to `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// Before the second attempt.
    pub first: Duration,
    /// Never longer.
    pub most: Duration,
}

impl Settings {
    /// The usual ones for the gateway of that name: `operator.questions`, no secret, patient as OpenClaw's own client.
    #[must_use]
    pub fn new(gateway: GatewayId) -> Self {
        let client = ClientInfo {
            id: "gateway-client".to_owned(),
            mode: "backend".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            platform: std::env::consts::OS.to_owned(),
            display_name: Some("askrelay".to_owned()),
            ..ClientInfo::default()
        };
        Self {
            gateway,
            client,
            scopes: vec!["operator.questions".to_owned()],
            auth: Auth::default(),
            vault: None,
            device: None,
            handshake: Duration::from_secs(15),
            backoff: Backoff { first: Duration::from_secs(1), most: Duration::from_secs(30) },
            attempts: None,
            persistent: false,
            extends: true,
            in_flight: Semaphore::MAX_PERMITS,
            busy: Backoff { first: Duration::from_millis(50), most: Duration::from_secs(2) },
            queue: 1024,
            events: 4096,
        }
    }
}

impl Backoff {
    /// The wait after so many failures in a row, the first being number one.
    #[must_use]
    pub fn after(&self, failures: u32) -> Duration {
        let factor = 2_u32.saturating_pow(failures.saturating_sub(1).min(20));
        self.first.saturating_mul(factor).min(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_from_one_second_to_thirty() {
        let backoff = Settings::new("gate".into()).backoff;
        for (failures, seconds) in [(0, 1), (1, 1), (2, 2), (3, 4), (5, 16), (6, 30), (7, 30), (u32::MAX, 30)]
        {
            assert_eq!(backoff.after(failures), Duration::from_secs(seconds), "{failures}");
        }
    }
}
