//! What stands before every route, the WebSocket's included: which hosts and origins get through, and how many requests
//! run at a time. Knows no callers and no asks.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use super::failure::{ErrorCode, Failure};
use crate::config::Config;

/// After this long a request that found no room may be tried again.
const RETRY_AFTER_MS: u64 = 1000;

/// The rules.
#[derive(Debug)]
pub(super) struct Guard {
    hosts: Vec<String>,
    origins: Vec<String>,
    requests: Semaphore,
}

impl Guard {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            hosts: config.hosts.iter().map(|host| host.to_ascii_lowercase()).collect(),
            origins: config.origins.iter().map(|origin| origin.to_ascii_lowercase()).collect(),
            requests: Semaphore::new(config.bounds.sockets),
        }
    }

    /// Whether every name that the request gives the server is one of ours: a browser page that was tricked into calling
    /// here under its own name (DNS rebinding) is told from a real caller by nothing else.
    fn knows_host(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let mut named = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (named.next(), named.next()) else { return false };
        let host = host.to_str().ok();
        [host, uri.authority().map(|authority| authority.as_str()).or(host)].into_iter().all(|name| {
            name.is_some_and(|name| {
                let name = without_port(name).to_ascii_lowercase();
                self.hosts.contains(&name)
            })
        })
    }

    /// Whether every origin is configured, or this server's own: the one that the request itself is for, whose name is known by
    /// now.
    fn knows_origin(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).map(str::to_ascii_lowercase);
        headers.get_all(header::ORIGIN).iter().all(|origin| {
            let Ok(origin) = origin.to_str().map(str::to_ascii_lowercase) else { return false };
            let own = ["http://", "https://"].iter().find_map(|scheme| origin.strip_prefix(scheme));
            self.origins.contains(&origin) || (own.is_some() && own == host.as_deref())
        })
    }
}

/// A host name as browsers send it, without its port: `localhost:1` and `[::1]:1` are `localhost` and `[::1]`.
fn without_port(name: &str) -> &str {
    match name.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => host,
        _ => name,
    }
}

/// Lets a request through, or refuses it.
pub(super) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = if !guard.knows_host(request.uri(), request.headers()) {
        let words = "this gateway is not served under that host name; allow it in the configuration";
        Failure::new(ErrorCode::HostNotAllowed, words).into_response()
    } else if !guard.knows_origin(request.headers()) {
        let words = "no page of that origin may call this gateway; allow it in the configuration";
        Failure::new(ErrorCode::OriginNotAllowed, words).into_response()
    } else if let Ok(_running) = guard.requests.try_acquire() {
        next.run(request).await
    } else {
        busy().into_response()
    };
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Too much is going on.
pub(super) fn busy() -> Failure {
    let busy = Failure::new(ErrorCode::Unavailable, "too many requests at a time; try again");
    Failure { retry_after_ms: Some(RETRY_AFTER_MS), ..busy }
}

/// Nothing is there.
pub(super) async fn no_such_route() -> Failure {
    Failure::new(ErrorCode::NotFound, "no such route; /openapi.json lists all of them")
}

/// Something is there, but not that.
pub(super) async fn no_such_method() -> Failure {
    Failure::new(
        ErrorCode::MethodNotAllowed,
        "the route has no such method; the Allow header names those it has",
    )
}

#[cfg(test)]
mod tests {
    //! Names with and without ports.

    use super::*;

    #[test]
    fn origins_are_configured_or_our_own() {
        let origins = vec!["https://panel.example".to_owned()];
        let guard = Guard::new(&Config { origins, ..Config::default() });
        for (origin, known) in [
            ("https://panel.example", true),
            ("http://localhost:8787", true),
            ("HTTP://LOCALHOST:8787", true),
            ("http://localhost:8788", false),
            ("http://localhost", false),
            ("http://evil.example:8787", false),
            ("http://localhost:8787.evil.example", false),
            ("null", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("localhost:8787"));
            headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            assert_eq!(guard.knows_origin(&headers), known, "{origin}");
        }
    }

    #[test]
    fn a_port_is_no_part_of_a_host_name() {
        let cases = [
            ("localhost", "localhost"),
            ("localhost:8080", "localhost"),
            ("127.0.0.1:1", "127.0.0.1"),
            ("[::1]", "[::1]"),
            ("[::1]:8080", "[::1]"),
            ("localhost:", "localhost"),
            ("evil.example:80@localhost", "evil.example:80@localhost"),
            ("", ""),
        ];
        for (name, host) in cases {
            assert_eq!(without_port(name), host, "{name}");
        }
    }
}
