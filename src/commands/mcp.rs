//! `askrelay mcp`: one MCP client on standard input and output, inside the ring. What it is told and asks is the MCP adapter's.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use askrelay_core::ask::Origin;
use askrelay_core::id::{Fresh as _, RecordId};
use askrelay_core::time::Time;
use askrelay_mcp::human::Human;
use askrelay_mcp::tool::Settings;
use askrelay_mcp::{Around, Door, Server, Way, stdio};
use askrelay_protocol::call::AskParams;
use tracing::{debug, warn};

use super::CommandError;
use super::entered::{Credential, Entered};
use super::outcome::Outcome;
use super::serve::Stop;
use crate::args::McpArgs;
use crate::clock::{self, SystemFresh};
use crate::compose;
use crate::config::Config;
use crate::digest::sha256_hex;
use crate::ring::{Endpoint, Home};
use crate::span;

/// Serves one client until it goes.
///
/// # Errors
/// Wrong arguments, no way into the ring, or a client that speaks no MCP.
pub async fn mcp(home: Home, config: Config, args: &McpArgs) -> Result<Outcome, CommandError> {
    let asker = asker(args)?;
    let mut stop = Stop::listen()?;
    let key = home.terminal_key().map_err(CommandError::TerminalKey)?.to_vec();
    let accounts = compose::configured(&config);
    let entered = Entered::enter(home.clone(), config, Credential::Local, accounts).await?;
    let around = Inside { home, config: Arc::clone(&entered.config), key };
    let door = Door {
        client: entered.client.clone(),
        who: Some("local".to_owned()),
        project: project(args.project.as_deref()),
        config: Arc::new(asker),
        around: Arc::new(around),
    };
    let served = stdio(Server::new(door), stop.told()).await;
    entered.leave().await;
    served.map_err(|error| CommandError::Other(Box::new(error)))?;
    Ok(Outcome::Said(String::new()))
}

fn asker(args: &McpArgs) -> Result<askrelay_mcp::Config, CommandError> {
    let wrong = |flag: &str, what: String| CommandError::Misused(vec![format!("{flag}: {what}")]);
    let call_wait = args.call_wait.as_deref().map(span::parse).transpose();
    Ok(askrelay_mcp::Config {
        settings: Settings { subagent: args.subagent, human: Human::read(|name| std::env::var(name).ok()) },
        origin: Origin {
            agent_id: args.agent.clone(),
            session_key: args.session.clone(),
            run_id: args.run.clone(),
            label: args.label.clone(),
        },
        ways: Way::order(&args.ways).map_err(|what| wrong("--ways", what))?,
        call_wait: call_wait.map_err(|what| wrong("--call-wait", what))?,
        ..askrelay_mcp::Config::default()
    })
}

/// The project, as a path that is always the same for one folder.
fn project(named: Option<&Path>) -> Option<String> {
    let here = std::env::current_dir().ok();
    let path = named.map(Path::to_path_buf).or(here)?;
    let path = path.canonicalize().unwrap_or(path);
    Some(path.to_string_lossy().into_owned())
}

/// Opens an address with the system's own opener. A machine without one, or without a screen, is no fault: the address is told
/// as well.
fn browse(url: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let opened = Command::new(opener)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = opened {
        debug!(%error, opener, "no browser was opened");
    }
}

/// What only this process knows.
struct Inside {
    home: Home,
    config: Arc<Config>,
    key: Vec<u8>,
}

impl Around for Inside {
    fn now(&self) -> Time {
        clock::now()
    }

    fn chance(&self) -> [u8; 16] {
        SystemFresh.bytes()
    }

    fn secret(&self, id: &RecordId) -> String {
        sha256_hex([self.key.as_slice(), id.as_str().as_bytes()])
    }

    /// Its person sees the address where the client shows what its servers write; a browser opens it where there is one.
    fn page(&self, url: &str, open: bool) {
        warn!("a question waits at {url}");
        if open {
            browse(url);
        }
    }

    /// The ring that runs now, whoever runs it, has an account to which the routes lead.
    fn chat(&self, params: &AskParams) -> bool {
        let running = Endpoint::read(&self.home.endpoint()).map(|endpoint| endpoint.accounts);
        let running = running.unwrap_or_default();
        compose::routed(&self.config, params).iter().any(|account| running.contains(&account.to_string()))
    }
}
