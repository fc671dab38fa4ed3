//! Which links the platform takes, on a button and in a text. Its library's own words; `tests/peers/telegram.py` compares.

/// Schemes of links beside `tg`, whose links are the platform's own.
const SCHEMES: [&str; 4] = ["http", "https", "ton", "tonsite"];

/// Why a link is invalid.
pub(super) fn check(url: &str) -> Result<(), &'static str> {
    let lower = url.trim().to_ascii_lowercase();
    if lower.starts_with("tg:") {
        return Ok(());
    }
    let (scheme, rest) = lower.split_once("://").unwrap_or(("http", &lower));
    if !SCHEMES.contains(&scheme) {
        return Err("Unsupported URL protocol");
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let address = authority.rsplit_once('@').map_or(authority, |(_, address)| address);
    let (host, port) = match address.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (address, None),
    };
    if port.is_some_and(|port| port.parse::<u16>().is_err()) {
        return Err("Wrong port number specified in the URL");
    }
    if host.is_empty() {
        return Err("URL host is empty");
    }
    if host.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err("Disallowed character in URL host");
    }
    let is_web = scheme == "http" || scheme == "https";
    if is_web && !host.contains('.') && !host.starts_with('[') {
        return Err("Wrong HTTP URL");
    }
    Ok(())
}
