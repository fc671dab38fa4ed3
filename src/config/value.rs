//! Readers of single values, from the file or from text, each saying what would be right. They know kinds of values, not keys,
//! and never repeat a value of the wrong kind.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use askrelay_core::id::{Account, Place};
use askrelay_core::person::{Scope, Scopes};
use askrelay_core::relay::Door;
use askrelay_core::time::Span;
use toml::de::DeValue;

use super::setting::LogFormat;

/// A value as somebody gave it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Given<'a> {
    /// In a variable or an argument.
    Text(&'a str),
    /// In the file.
    Toml(&'a DeValue<'a>),
}

/// What would be right.
type Read<T> = Result<T, String>;

pub(super) fn text(given: Given<'_>) -> Read<String> {
    match given {
        Given::Text(text) => Ok(text.to_owned()),
        Given::Toml(value) => {
            value.as_str().map(str::to_owned).ok_or_else(|| wrong_kind("text in quotes", value))
        }
    }
}

pub(super) fn whole<N: TryFrom<i64> + PartialOrd + std::fmt::Display>(
    given: Given<'_>,
    range: &RangeInclusive<N>,
) -> Read<N> {
    let number = match given {
        Given::Text(text) => text.trim().parse::<i64>().ok(),
        Given::Toml(DeValue::Integer(number)) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
        Given::Toml(_) => None,
    };
    number
        .and_then(|number| N::try_from(number).ok())
        .filter(|number| range.contains(number))
        .ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
}

/// A list in the file, or words between commas.
pub(super) fn list(given: Given<'_>) -> Read<Vec<String>> {
    match given {
        Given::Text(text) => {
            Ok(text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect())
        }
        Given::Toml(value) => {
            let items =
                value.as_array().ok_or_else(|| wrong_kind("a list such as [\"one\", \"two\"]", value))?;
            items.iter().map(|item| text(Given::Toml(item.get_ref()))).collect()
        }
    }
}

pub(super) fn span(given: Given<'_>) -> Read<Span> {
    crate::span::parse(&text(given)?)
}

/// An address; empty text is none.
pub(super) fn address(given: Given<'_>) -> Read<Option<SocketAddr>> {
    let text = text(given)?;
    if text.is_empty() {
        return Ok(None);
    }
    text.parse()
        .map(Some)
        .map_err(|_| "expected an address and port such as 127.0.0.1:8787 or [::1]:8787".to_owned())
}

/// Host names, perhaps with ports.
pub(super) fn hosts(given: Given<'_>) -> Read<Vec<String>> {
    let hosts = list(given)?;
    match hosts.iter().find(|host| !is_host(host)) {
        Some(wrong) => {
            Err(format!("expected names such as ask.example.org or ask.example.org:8443, got '{wrong}'"))
        }
        None => Ok(hosts.into_iter().map(|host| host.to_ascii_lowercase()).collect()),
    }
}

/// Origins of browsers: scheme, host and perhaps port.
pub(super) fn origins(given: Given<'_>) -> Read<Vec<String>> {
    let origins = list(given)?;
    let host_of = |origin: &str| {
        let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"))?;
        is_host(host).then_some(())
    };
    match origins.iter().find(|origin| host_of(origin).is_none()) {
        Some(wrong) => {
            Err(format!("expected origins such as https://ask.example.org, without a path, got '{wrong}'"))
        }
        None => Ok(origins.into_iter().map(|origin| origin.to_ascii_lowercase()).collect()),
    }
}

pub(super) fn log_format(given: Given<'_>) -> Read<LogFormat> {
    match text(given)?.as_str() {
        "auto" => Ok(LogFormat::Auto),
        "human" => Ok(LogFormat::Human),
        "json" => Ok(LogFormat::Json),
        _ => Err("expected auto, human or json".to_owned()),
    }
}

/// Levels, each perhaps for one target only. The filter itself would take any word for a target.
pub(super) fn log_level(given: Given<'_>) -> Read<String> {
    let filter = text(given)?;
    let directives: Vec<&str> = filter.split(',').map(str::trim).collect();
    let is_right = |directive: &&str| match directive.rsplit_once('=') {
        Some((target, level)) => !target.is_empty() && !target.contains('=') && is_level(level),
        None => is_level(directive),
    };
    let clean = directives.join(",");
    match tracing_subscriber::EnvFilter::builder().parse(&clean) {
        Ok(_) if directives.iter().all(is_right) => Ok(clean),
        _ => Err("expected error, warn, info, debug, trace, off, or a filter such as askrelay=debug,info"
            .to_owned()),
    }
}

fn is_level(text: &str) -> bool {
    ["error", "warn", "info", "debug", "trace", "off"].iter().any(|level| text.eq_ignore_ascii_case(level))
}

/// A file's path.
pub(super) fn file(given: Given<'_>) -> Read<PathBuf> {
    match text(given)? {
        path if path.is_empty() => Err("expected the path of a file".to_owned()),
        path => Ok(PathBuf::from(path)),
    }
}

/// The address of a server, without a final slash.
pub(super) fn url(given: Given<'_>) -> Read<String> {
    address_of(given, ["https://", "http://"])
}

/// The address of a WebSocket server, without a final slash.
pub(super) fn socket_url(given: Given<'_>) -> Read<String> {
    address_of(given, ["wss://", "ws://"])
}

fn address_of(given: Given<'_>, schemes: [&str; 2]) -> Read<String> {
    let url = text(given)?;
    let host = schemes.iter().find_map(|scheme| url.strip_prefix(scheme));
    let named = host.and_then(|rest| rest.split('/').next()).is_some_and(is_host);
    if !named || url.contains(char::is_whitespace) {
        return Err(format!("expected an address such as {}bots.example.org", schemes[0]));
    }
    Ok(url.trim_end_matches('/').to_owned())
}

/// Who may become known.
pub(super) fn door(given: Given<'_>) -> Read<Door> {
    match text(given)?.as_str() {
        "pairing" => Ok(Door::Pairing),
        "allowlist" => Ok(Door::Allowlist),
        "off" => Ok(Door::Off),
        _ => Err("expected pairing, allowlist or off".to_owned()),
    }
}

/// Rights by role id: `{ "1234" = ["questions.answer"] }`.
pub(super) fn roles(given: Given<'_>) -> Read<BTreeMap<String, Scopes>> {
    let Given::Toml(DeValue::Table(table)) = given else {
        return Err("expected rights by role id, such as { \"1234\" = [\"questions.answer\"] }".to_owned());
    };
    let mut roles = BTreeMap::new();
    for (role, scopes) in table {
        let scope = |name: String| {
            let all = Scope::ALL.map(Scope::name).join(", ");
            Scope::named(&name).ok_or_else(|| format!("expected rights among {all}, got '{name}'"))
        };
        let scopes = list(Given::Toml(scopes.get_ref()))?.into_iter().map(scope).collect::<Read<Scopes>>()?;
        roles.insert(role.get_ref().to_string(), scopes);
    }
    Ok(roles)
}

/// A Place spelled out: `surface/account/conversation`.
pub(super) fn place(given: Given<'_>) -> Read<Place> {
    let text = text(given)?;
    let mut parts = text.splitn(3, '/').filter(|part| !part.is_empty());
    match (parts.next(), parts.next(), parts.next()) {
        (Some(surface), Some(account), Some(conversation)) => Ok(Place {
            account: Account { surface: surface.into(), name: account.into() },
            conversation: conversation.into(),
        }),
        _ => Err("expected surface/account/conversation, such as telegram/main/-1001234".to_owned()),
    }
}

fn is_host(text: &str) -> bool {
    let (name, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, "")) => return address.parse::<std::net::Ipv6Addr>().is_ok(),
        Some((address, port)) if address.parse::<std::net::Ipv6Addr>().is_ok() => {
            ("v6", port.strip_prefix(':').unwrap_or("none"))
        }
        Some(_) => return false,
        None => text.rsplit_once(':').unwrap_or((text, "1")),
    };
    let label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    name.split('.').all(label) && port.parse::<u16>().is_ok()
}

fn wrong_kind(right: &str, value: &DeValue<'_>) -> String {
    format!("expected {right}, got {}", value.type_str())
}
