//! `askrelay mcp`: one MCP client on standard input and output, inside the ring. What it is told and asks is the MCP adapter's.

use std::path::Path;
use std::sync::Arc;

use askrelay_core::ask::Origin;
use askrelay_mcp::human::Human;
use askrelay_mcp::tool::Settings;
use askrelay_mcp::{Door, Server, Way, stdio};

use super::CommandError;
use super::entered::{Credential, Entered};
use super::outcome::Outcome;
use super::serve::Stop;
use crate::args::McpArgs;
use crate::compose::{self, Machine};
use crate::config::Config;
use crate::ring::Home;
use crate::span;

/// Serves one client until it goes.
///
/// # Errors
/// Wrong arguments, no way into the ring, or a client that speaks no MCP.
pub async fn mcp(home: Home, config: Config, args: &McpArgs) -> Result<Outcome, CommandError> {
    let asker = asker(args)?;
    let mut stop = Stop::listen()?;
    let key = home.terminal_key().map_err(CommandError::TerminalKey)?;
    let accounts = compose::configured(&config);
    let entered = Entered::enter(home.clone(), config, Credential::Local, accounts).await?;
    let around = Machine::new(home, Arc::clone(&entered.config), key);
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

/// The log filter that `HIM_LOG` means, as JustAskMe reads it: an unknown word is `info`. None: it says nothing.
pub fn log_level() -> Option<&'static str> {
    let said = std::env::var("HIM_LOG").ok()?;
    Some(match said.trim().to_lowercase().as_str() {
        "" => return None,
        "silent" => "off",
        "error" => "error",
        "warn" => "warn",
        "debug" => "debug",
        _ => "info",
    })
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
