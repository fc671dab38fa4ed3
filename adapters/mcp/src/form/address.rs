//! Where the form page is: the socket it listens on, its unguessable path, and which hosts and origins a request may name. Reads
//! no bodies.

use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use subtle::ConstantTimeEq as _;
use tokio::net::{TcpListener, lookup_host};

use super::{FormError, FormSettings};

/// What browsers say of who starts a request; pages cannot set it.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// An address that is listened on.
#[derive(Debug)]
pub(super) struct Address {
    socket: SocketAddr,
    path: String,
    /// Host names, with their port, under which a browser may come.
    hosts: Vec<String>,
}

impl Address {
    /// Listens where the settings say.
    pub(super) async fn take(
        settings: &FormSettings,
        token: [u8; 16],
    ) -> Result<(TcpListener, Self), FormError> {
        let wanted = resolved(settings).await?;
        if !wanted.ip().is_loopback() && !settings.allow_other_machines {
            return Err(FormError::OtherMachines { host: settings.host.clone(), address: wanted });
        }
        let listen = |source| FormError::Listen { address: wanted, source };
        let listener = TcpListener::bind(wanted).await.map_err(listen)?;
        let socket = listener.local_addr().map_err(listen)?;
        Ok((listener, Self::new(socket, &settings.host, token)))
    }

    fn new(socket: SocketAddr, host: &str, token: [u8; 16]) -> Self {
        let mut path = String::from("/");
        for byte in token {
            // Writing to a String does not fail.
            let _ = write!(path, "{byte:02x}");
        }
        let mut names = vec![literal(reachable(socket.ip()))];
        if host.parse::<IpAddr>().is_err() {
            names.push(host.to_ascii_lowercase());
        }
        if socket.ip().is_loopback() || socket.ip().is_unspecified() {
            names.push("localhost".to_owned());
        }
        let hosts = names.into_iter().map(|name| authority(&name, socket.port())).collect();
        Self { socket, path, hosts }
    }

    /// What a browser opens.
    pub(super) fn url(&self) -> String {
        let host = authority(&literal(reachable(self.socket.ip())), self.socket.port());
        format!("http://{host}{}", self.path)
    }

    /// Whether the path is the page's own. Takes the same time wherever they differ.
    pub(super) fn is_path(&self, uri: &Uri) -> bool {
        uri.path().as_bytes().ct_eq(self.path.as_bytes()).into()
    }

    /// The one host that the request names, if it is ours: a page that was tricked into calling here under its own name (DNS
    /// rebinding) is told from the form by nothing else.
    pub(super) fn host(&self, uri: &Uri, headers: &HeaderMap) -> Option<String> {
        let host = only(headers, &header::HOST)?.to_str().ok()?.to_ascii_lowercase();
        let is_same = uri.authority().is_none_or(|named| named.as_str().eq_ignore_ascii_case(&host));
        (is_same && self.serves(&host)).then_some(host)
    }

    fn serves(&self, host: &str) -> bool {
        // Bound to every address of the machine, it cannot know them all; but a rebound name is never an address.
        let is_any_address = || host.parse::<SocketAddr>().is_ok_and(|at| at.port() == self.socket.port());
        self.hosts.iter().any(|ours| ours == host) || (self.socket.ip().is_unspecified() && is_any_address())
    }
}

/// Whether the request comes from a page of `host` itself, as its browser tells. One that tells nothing does not.
pub(super) fn is_from_own_page(headers: &HeaderMap, host: &str) -> bool {
    let own = format!("http://{host}");
    let says = |name: &HeaderName, expected: &str| {
        let mut values = headers.get_all(name).iter();
        let mut told = values.next().map(|value| is_value(value, expected));
        if values.next().is_some() {
            told = Some(false);
        }
        told
    };
    let told = [says(&header::ORIGIN, &own), says(&SEC_FETCH_SITE, "same-origin")];
    !told.contains(&Some(false)) && told.contains(&Some(true))
}

fn is_value(value: &HeaderValue, expected: &str) -> bool {
    value.as_bytes().eq_ignore_ascii_case(expected.as_bytes())
}

fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h HeaderValue> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    values.next().is_none().then_some(first)
}

async fn resolved(settings: &FormSettings) -> Result<SocketAddr, FormError> {
    let host = settings.host.trim();
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    if let Ok(ip) = bare.parse::<IpAddr>() {
        return Ok(SocketAddr::new(ip, settings.port));
    }
    let unknown = |source| FormError::Unknown { host: settings.host.clone(), source };
    let found: Vec<SocketAddr> =
        lookup_host((bare, settings.port)).await.map_err(|error| unknown(Some(error)))?.collect();
    // A name may mean both; this machine alone is the safe one.
    let loopback = found.iter().find(|address| address.ip().is_loopback());
    loopback.or(found.first()).copied().ok_or_else(|| unknown(None))
}

/// An address at which this machine reaches what listens on `ip`.
fn reachable(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    }
}

fn literal(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// As browsers write it: the port of plain HTTP goes without saying.
fn authority(host: &str, port: u16) -> String {
    if port == 80 { host.to_owned() } else { format!("{host}:{port}") }
}

#[cfg(test)]
mod tests;
