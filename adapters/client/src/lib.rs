//! Speaks `question.*` to a gateway, ours or another, over memory, TCP or a Unix socket: one connection that comes back by
//! itself, calls that survive it, and the feed of the ring. Keeps no Records and decides nothing about rights.

mod administration;
mod carry;
mod client;
mod command;
mod device;
mod driver;
mod error;
mod exchange;
mod feed;
mod handshake;
mod link;
mod session;
mod settings;
mod snapshot;
mod tls;
mod vault;

pub use administration::TrailPage;
pub use client::{Client, Page, Requested};
pub use device::DeviceKey;
pub use driver::{Driver, Happening, Status, open};
pub use error::{CallError, ConnectError};
pub use feed::{Feed, relay_feed};
pub use link::{Connector, Link, MemoryEnds, Opened};
pub use settings::{Backoff, Settings};
pub use tls::Fingerprint;
pub use vault::Vault;

#[cfg(test)]
mod tests;
