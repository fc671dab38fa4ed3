//! Hosts and origins, on every route.

use askrelay_gateway::Config;

use crate::world::{World, send};

/// A name, the headers of a request, and the refusal.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], Option<&'a str>);

#[tokio::test(start_paused = true)]
async fn only_known_hosts_and_origins_get_through() {
    let config = Config {
        hosts: ["localhost", "[::1]", "Ask.Example"].map(str::to_owned).to_vec(),
        origins: vec!["https://panel.example".to_owned()],
        ..Config::default()
    };
    let world = World::with(config).await;
    let cases: [Case<'_>; 14] = [
        ("a known host", &[("Host", "localhost")], None),
        ("with a port", &[("Host", "localhost:7000")], None),
        ("in another case", &[("Host", "ASK.example")], None),
        ("an address", &[("Host", "[::1]:7000")], None),
        ("another host", &[("Host", "evil.example")], Some("host_not_allowed")),
        ("a host below", &[("Host", "a.localhost")], Some("host_not_allowed")),
        ("no host", &[], Some("host_not_allowed")),
        ("an empty host", &[("Host", "")], Some("host_not_allowed")),
        ("two hosts", &[("Host", "localhost"), ("Host", "localhost")], Some("host_not_allowed")),
        ("a known origin", &[("Host", "localhost"), ("Origin", "https://panel.example")], None),
        (
            "another origin",
            &[("Host", "localhost"), ("Origin", "https://evil.example")],
            Some("origin_not_allowed"),
        ),
        ("no one's origin", &[("Host", "localhost"), ("Origin", "null")], Some("origin_not_allowed")),
        (
            "another port",
            &[("Host", "localhost"), ("Origin", "https://panel.example:1")],
            Some("origin_not_allowed"),
        ),
        ("itself", &[("Host", "localhost"), ("Origin", "http://localhost")], None),
    ];
    for (name, headers, refusal) in cases {
        for path in ["/healthz", "/v1/nothing", "/"] {
            let response = send(&world.open, "GET", path, headers, None).await;
            match refusal {
                Some(code) => {
                    assert_eq!(
                        (response.status, response.code().as_str()),
                        (403, code),
                        "{name}: {response:?}"
                    );
                }
                None => assert_ne!(response.status, 403, "{name}: {response:?}"),
            }
            assert_eq!(response.headers["cache-control"], "no-store", "{name}");
            assert_eq!(response.headers["x-content-type-options"], "nosniff", "{name}");
        }
    }
    let absolute =
        send(&world.open, "GET", "http://evil.example/healthz", &[("Host", "localhost")], None).await;
    assert_eq!(absolute.code(), "host_not_allowed", "the target names another host");
}
