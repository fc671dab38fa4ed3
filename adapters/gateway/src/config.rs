//! What the root sets: names, allow-lists, bounds and delays, with the defaults that a lone user needs. Reads no file and no
//! environment.

use std::time::Duration;

use askrelay_core::id::{GatewayId, PersonId};
use askrelay_core::time::Span;

use crate::metrics::Metrics;

/// Everything a gateway can be told.
#[derive(Clone, Debug)]
pub struct Config {
    /// Names this gateway in every Record's identity.
    pub gateway: GatewayId,
    /// The Person who exists from the first use, with all rights; local processes ask as this one.
    pub owner: PersonId,
    /// What others are shown for the owner, when it is created.
    pub owner_name: String,
    /// The program's version, told in the handshake.
    pub version: String,
    /// Host names under which TCP is served, without port.
    pub hosts: Vec<String>,
    /// Origins from which a browser page may call, as browsers send them; a call without an origin is no browser's.
    pub origins: Vec<String>,
    /// How long a Record is kept after its end.
    pub keep_ended: Span,
    /// The bounds.
    pub bounds: Bounds,
    /// The delays.
    pub delays: Delays,
    /// Counts what happens; give the store the same, and whoever else has something to count.
    pub metrics: Metrics,
}

/// How much is taken of each thing. Whatever exceeds one is refused with a documented error, never queued without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Open sockets, whoever is behind them.
    pub sockets: usize,
    /// Sockets of one address that have not proved themselves yet.
    pub unproven_sockets: usize,
    /// The same for this machine's own addresses, where many processes share one.
    pub unproven_sockets_loopback: usize,
    /// Bytes read from a WebSocket before it has proved itself.
    pub unproven_bytes: usize,
    /// Bytes of one WebSocket frame.
    pub frame_bytes: usize,
    /// Bytes of one HTTP body.
    pub body_bytes: usize,
    /// Bytes of one Ask, or of one answer, roughly.
    pub text_bytes: usize,
    /// Bytes of everything pending, roughly; past it no Ask is taken.
    pub pending_bytes: usize,
    /// Bytes queued for one slow reader, roughly.
    pub buffered_bytes: usize,
    /// Pending Asks of one creator.
    pub open_asks: usize,
    /// Requests that wait for an answer or for the store, of all callers together.
    pub waiting: usize,
    /// Ended Records kept in memory; older ones come from the store.
    pub ended_records: usize,
    /// Bytes of all of them, roughly.
    pub ended_bytes: usize,
    /// Events kept for event streams that come back.
    pub logged_events: usize,
    /// Bytes of all of them, roughly.
    pub logged_bytes: usize,
}

/// How long things take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delays {
    /// A WebSocket proves itself within this time.
    pub connect: Duration,
    /// A request's head arrives within this time.
    pub request_head: Duration,
    /// Between two `tick` events.
    pub tick: Duration,
    /// Between two WebSocket pings, and for the pong to come.
    pub ping: Duration,
    /// What a slow reader gets to read its close frame.
    pub close_grace: Duration,
    /// Longest wait of one HTTP call.
    pub long_poll: Duration,
    /// Between two looks at a store that fails.
    pub store_retry: Duration,
    /// Between two rounds of forgetting old Records.
    pub forget: Duration,
    /// What open work gets when the gateway stops.
    pub stop: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            gateway: "local".into(),
            owner: "owner".into(),
            owner_name: "owner".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            hosts: ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).to_vec(),
            origins: Vec::new(),
            keep_ended: Span::seconds(30 * 24 * 60 * 60),
            bounds: Bounds::default(),
            delays: Delays::default(),
            metrics: Metrics::new(),
        }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            sockets: 4096,
            // These four are OpenClaw's own numbers, announced in its handshake or seen on the wire.
            unproven_sockets: 32,
            unproven_bytes: 64 << 10,
            frame_bytes: 25 << 20,
            buffered_bytes: 50 << 20,
            unproven_sockets_loopback: 512,
            body_bytes: 2 << 20,
            text_bytes: 4 << 20,
            pending_bytes: 512 << 20,
            open_asks: 100_000,
            waiting: 65_536,
            ended_records: 1024,
            ended_bytes: 64 << 20,
            logged_events: 4096,
            logged_bytes: 64 << 20,
        }
    }
}

impl Default for Delays {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(15),
            request_head: Duration::from_secs(10),
            tick: Duration::from_secs(30),
            ping: Duration::from_secs(25),
            close_grace: Duration::from_secs(1),
            long_poll: Duration::from_secs(300),
            store_retry: Duration::from_secs(1),
            forget: Duration::from_secs(3600),
            stop: Duration::from_secs(5),
        }
    }
}
