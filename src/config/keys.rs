//! Every plain key of the configuration once: its name in the file, its variable, what it is for. Places and routes are
//! tables of their own kind and are read in `route.rs`.

/// One plain key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name in the file, with its table.
    pub name: &'static str,
    /// The variable that wins over the file.
    pub variable: &'static str,
    /// What it is for, in one line.
    pub help: &'static str,
    /// Processes with another value cannot share a ring.
    pub of_ring: bool,
}

const fn ring(name: &'static str, variable: &'static str, help: &'static str) -> Key {
    Key { name, variable, help, of_ring: true }
}

const fn own(name: &'static str, variable: &'static str, help: &'static str) -> Key {
    Key { name, variable, help, of_ring: false }
}

pub(super) const LISTEN: Key = own(
    "listen",
    "ASKRELAY_LISTEN",
    "address and port of HTTP and WebSocket, for serve only: 127.0.0.1:8787",
);
pub(super) const ALLOWED_HOSTS: Key = ring(
    "allowed_hosts",
    "ASKRELAY_ALLOWED_HOSTS",
    "names that a request's Host may have, beside the local ones: [\"ask.example.org\"]",
);
pub(super) const ALLOWED_ORIGINS: Key = ring(
    "allowed_origins",
    "ASKRELAY_ALLOWED_ORIGINS",
    "origins of browsers that may call: [\"https://ask.example.org\"]",
);
pub(super) const DEFAULT_WAIT: Key =
    own("default_wait", "ASKRELAY_DEFAULT_WAIT", "how long an ask waits that does not say");
pub(super) const RETENTION_DAYS: Key =
    ring("retention_days", "ASKRELAY_RETENTION_DAYS", "how long ended asks are kept, in days");
pub(super) const REMINDER_PERCENT: Key = ring(
    "reminder_percent",
    "ASKRELAY_REMINDER_PERCENT",
    "when people are reminded, in percent of the wait; 0 is never",
);
pub(super) const LOG_FORMAT: Key = own("log.format", "ASKRELAY_LOG_FORMAT", "auto, human or json");
pub(super) const LOG_LEVEL: Key = own(
    "log.level",
    "ASKRELAY_LOG_LEVEL",
    "error, warn, info, debug, trace, or a filter such as askrelay=debug,info",
);
pub(super) const OPEN_ASKS: Key = ring("limits.open_asks", "ASKRELAY_OPEN_ASKS", "most asks open at once");
pub(super) const REQUEST_BYTES: Key =
    ring("limits.request_bytes", "ASKRELAY_REQUEST_BYTES", "most bytes of one request");
pub(super) const CONNECTIONS: Key =
    ring("limits.connections", "ASKRELAY_CONNECTIONS", "most connections at once");

/// Every plain key, in the order in which they are shown.
pub const KEYS: [Key; 11] = [
    LISTEN,
    ALLOWED_HOSTS,
    ALLOWED_ORIGINS,
    DEFAULT_WAIT,
    RETENTION_DAYS,
    REMINDER_PERCENT,
    LOG_FORMAT,
    LOG_LEVEL,
    OPEN_ASKS,
    REQUEST_BYTES,
    CONNECTIONS,
];

/// How every variable of ours begins.
pub(super) const PREFIX: &str = "ASKRELAY_";

/// Variables that are no settings of the file.
pub(super) const OTHER_VARIABLES: [&str; 4] =
    ["ASKRELAY_HOME", "ASKRELAY_CONFIG", TOKEN_VARIABLE, "ASKRELAY_SLOW"];

/// A person's own token. Never a key of the file: the file lies in the data directory, which the agent can read.
pub(super) const TOKEN_VARIABLE: &str = "ASKRELAY_TOKEN";
