//! The tables of the house, as data: the design's dependency table, the files of a surface, packages that must or must not be
//! there. A new crate gets a row here.

/// What one of our crates may depend on.
pub(super) struct Crate {
    pub(super) name: &'static str,
    /// Of ours, without `askrelay-`.
    pub(super) ours: &'static [&'static str],
    pub(super) others: &'static [&'static str],
}

pub(super) const TABLE: [Crate; 12] = [
    Crate {
        name: "askrelay-core",
        ours: &[],
        others: &[
            "caseless",
            "regex",
            "serde",
            "serde_json",
            "thiserror",
            "unicode-normalization",
            "unicode-properties",
            "unicode-segmentation",
            "unicode-width",
        ],
    },
    Crate {
        name: "askrelay-protocol",
        ours: &["core"],
        others: &["base64", "serde", "serde_json", "thiserror"],
    },
    Crate {
        name: "askrelay-store",
        ours: &["core"],
        others: &["rusqlite", "serde", "serde_json", "sqlx", "thiserror", "tokio", "tracing"],
    },
    Crate {
        name: "askrelay-gateway",
        ours: &["core", "protocol", "store"],
        others: &[
            "axum",
            "base64",
            "ed25519-dalek",
            "futures-util",
            "getrandom",
            "hyper",
            "hyper-util",
            "metrics",
            "metrics-exporter-prometheus",
            // The user id of a peer on the Unix socket is compared with our own.
            "rustix",
            "serde",
            "serde_json",
            "sha2",
            "subtle",
            "thiserror",
            "tokio",
            "tokio-tungstenite",
            "tokio-util",
            "tower-http",
            "tracing",
            "utoipa",
            "utoipa-axum",
        ],
    },
    Crate {
        name: "askrelay-client",
        ours: &["core", "protocol"],
        others: &[
            "base64",
            "ed25519-dalek",
            "futures-util",
            "getrandom",
            // A gateway's certificate may be known by its fingerprint alone.
            "rustls",
            "secrecy",
            "serde",
            "serde_json",
            "sha2",
            "thiserror",
            "tokio",
            "tokio-tungstenite",
            "tokio-util",
            "tracing",
        ],
    },
    Crate {
        name: "askrelay-terminal",
        ours: &["core"],
        others: &["rustix", "thiserror", "tokio", "tracing", "unicode-segmentation", "unicode-width"],
    },
    Crate {
        name: "askrelay-telegram",
        ours: &["core"],
        others: &[
            // The platform calls its webhook.
            "axum",
            // Calls on their way at the same time, without tasks of their own.
            "futures-util",
            // teloxide's own requests sleep ten seconds inside a call that failed.
            "reqwest",
            "secrecy",
            "serde",
            "serde_json",
            "subtle",
            "teloxide",
            "thiserror",
            "tokio",
            "tracing",
        ],
    },
    Crate {
        name: "askrelay-discord",
        ours: &["core"],
        others: &[
            // Calls on their way at the same time, without tasks of their own.
            "futures-util",
            // serenity's own requests lose how long to wait, or ignore where they are to go.
            "reqwest",
            "secrecy",
            "serde",
            "serde_json",
            "serenity",
            // The name of a message that the platform must not take twice.
            "sha2",
            "thiserror",
            "tokio",
            // serenity's own gateway may connect to another host than the configured one.
            "tokio-tungstenite",
            "tracing",
        ],
    },
    Crate {
        name: "askrelay-slack",
        ours: &["core"],
        others: &[
            // The platform calls it, where it does not wait at a socket.
            "axum",
            // Calls on their way at the same time, without tasks of their own.
            "futures-util",
            "hmac",
            // slack-morphism's own limiter allows a message a second in all channels together.
            "reqwest",
            "secrecy",
            "serde",
            "serde_json",
            "sha2",
            "slack-morphism",
            "subtle",
            "thiserror",
            "tokio",
            // slack-morphism's socket acknowledges after the work, one frame after the other.
            "tokio-tungstenite",
            "tracing",
        ],
    },
    Crate {
        name: "askrelay-mcp",
        ours: &["core", "protocol", "client"],
        others: &[
            "async-trait",
            "axum",
            "base64",
            "futures-util",
            "getrandom",
            // The form page is served by whoever waits for it, without tasks.
            "hyper",
            "hyper-util",
            "maud",
            "rmcp",
            "serde",
            "serde_json",
            "sha2",
            "subtle",
            "thiserror",
            "tokio",
            "tokio-util",
            "tracing",
            // How browsers write what a form holds.
            "url",
        ],
    },
    // Pure: the process around it is the root's.
    Crate { name: "askrelay-hook", ours: &["core", "protocol"], others: &["serde_json"] },
    Crate {
        name: "askrelay",
        ours: &[
            "core", "protocol", "store", "gateway", "client", "terminal", "telegram", "discord", "slack",
            "mcp", "hook",
        ],
        others: &[
            "axum",
            "base64",
            "clap",
            "clap_complete",
            "clap_mangen",
            "etcetera",
            "getrandom",
            "jiff",
            "metrics",
            "metrics-exporter-prometheus",
            "rustix",
            "secrecy",
            "serde",
            // A step of a plan is YAML as often as JSON.
            "serde-saphyr",
            "serde_json",
            "sha2",
            "thiserror",
            "tokio",
            "tokio-util",
            "toml",
            "tracing",
            "tracing-subscriber",
            "url",
        ],
    },
];

/// Packages that are tests themselves; they may depend on what they test.
pub(super) const TEST_PACKAGES: [&str; 3] = ["askrelay-kit", "askrelay-sim", "askrelay-bench"];

/// What tests may use beside what their crate is built with.
pub(super) const TESTED_WITH: [&str; 17] = [
    "askrelay-kit",
    "askrelay-store",
    "cargo_metadata",
    "criterion",
    "futures-util",
    "insta",
    "jsonschema",
    "portable-pty",
    "proc-macro2",
    "proptest",
    "rcgen",
    "rustix",
    "serde_json",
    "tempfile",
    "tokio",
    "tokio-rustls",
    "tokio-tungstenite",
];

/// Adapters that are surfaces.
pub(super) const SURFACES: [&str; 10] =
    ["telegram", "discord", "slack", "mattermost", "matrix", "irc", "xmpp", "email", "webhook", "terminal"];

/// Files that every surface has.
pub(super) const SURFACE_FILES: [&str; 10] = [
    "README.md",
    "src/lib.rs",
    "src/config.rs",
    "src/limits.rs",
    "src/encode.rs",
    "src/decode.rs",
    "src/outbox.rs",
    "src/inbox.rs",
    "src/error.rs",
    "tests/contract.rs",
];

/// Packages that must be direct dependencies, once this adapter exists or from the beginning.
pub(super) const CARD: [(&str, Option<&str>); 7] = [
    ("tokio", None),
    ("serde", None),
    ("regex", None),
    ("teloxide", Some("telegram")),
    ("serenity", Some("discord")),
    ("slack-morphism", Some("slack")),
    ("reqwest", Some("discord")),
];

/// Packages that must not come in, and why.
pub(super) const REFUSED_PACKAGES: [(&str, &str); 6] = [
    ("aws-lc-rs", "ring is the one TLS provider; two of them fail at run time"),
    ("aws-lc-sys", "ring is the one TLS provider; two of them fail at run time"),
    ("native-tls", "rustls is the one TLS library"),
    ("openssl", "rustls is the one TLS library"),
    ("openssl-sys", "rustls is the one TLS library"),
    ("async-std", "tokio is the one runtime"),
];

/// Packages of which a second version would be two worlds that do not fit together.
pub(super) const ONE_VERSION: [&str; 14] = [
    "axum",
    "hyper",
    "libsqlite3-sys",
    "regex",
    "reqwest",
    "ring",
    "rusqlite",
    "serde",
    "serde_json",
    "sqlx",
    "tokio",
    "tokio-util",
    "tracing",
    "utoipa",
];
