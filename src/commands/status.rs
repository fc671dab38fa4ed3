//! `askrelay status`: who runs the ring of this data directory, and where it listens. Joins nothing and starts nothing.

use serde_json::json;

use super::CommandError;
use super::outcome::Outcome;
use crate::args::StatusArgs;
use crate::ring::{Endpoint, Home, Lock, Role};

/// Looks at the lock and the endpoint.
///
/// # Errors
/// The lock cannot be tried.
pub fn status(home: &Home, args: &StatusArgs) -> Result<Outcome, CommandError> {
    let is_held = Lock::is_held(&home.lock())?;
    let endpoint = Endpoint::read(&home.endpoint()).filter(|_| is_held);
    if args.json {
        let json = json!({
            "home": home.path(),
            "running": is_held,
            "role": endpoint.as_ref().map(|endpoint| endpoint.role),
            "pid": endpoint.as_ref().map(|endpoint| endpoint.pid),
            "listen": endpoint.as_ref().and_then(|endpoint| endpoint.listen),
        });
        return Ok(Outcome::Said(format!("{json}\n")));
    }
    let path = home.path().display();
    let text = match endpoint {
        None if is_held => format!("The ring of {path} is starting or stopping.\n"),
        None => format!("No ring runs for {path}; `askrelay serve` starts one.\n"),
        Some(endpoint) => {
            let pid = endpoint.pid;
            let what = match endpoint.role {
                Role::Server => "askrelay serve",
                Role::Command => "a command that waits for an answer",
            };
            let listen =
                endpoint.listen.map_or_else(String::new, |address| format!(", listening on {address}"));
            format!("Process {pid} ({what}) runs the ring of {path}{listen}.\n")
        }
    };
    Ok(Outcome::Said(text))
}
