//! The arguments of `askrelay mcp`.

use std::path::PathBuf;

use clap::Args;

/// `askrelay mcp`.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = EXAMPLES)]
pub struct McpArgs {
    /// The agent that asks, for people and routes
    #[arg(long, env = "ASKRELAY_AGENT", value_name = "NAME")]
    pub agent: Option<String>,
    /// Its session
    #[arg(long, env = "ASKRELAY_SESSION", value_name = "KEY")]
    pub session: Option<String>,
    /// The run within the session
    #[arg(long, env = "ASKRELAY_RUN", value_name = "ID")]
    pub run: Option<String>,
    /// A short name for people and routes
    #[arg(long, env = "ASKRELAY_LABEL", value_name = "TEXT")]
    pub label: Option<String>,
    /// The project whose calls are joined with each other [default: the current directory]
    #[arg(long, env = "ASKRELAY_PROJECT", value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// This client is a helper of another agent: do not offer it what asks a person
    #[arg(long, env = "ASKRELAY_SUBAGENT", value_parser = clap::builder::FalseyValueParser::new())]
    pub subagent: bool,
    /// The ways of asking, the first first
    #[arg(long, env = "ASKRELAY_WAYS", value_name = "LIST", default_value = "chat,elicitation,fallback")]
    pub ways: String,
    /// How long one call waits before it returns without an answer, such as 50s; the question stays open
    #[arg(long, env = "ASKRELAY_CALL_WAIT", value_name = "TIME")]
    pub call_wait: Option<String>,
}

const EXAMPLES: &str = "\
An MCP client starts this by itself; a line in its configuration is enough:
  claude mcp add askrelay -- askrelay mcp
  codex mcp add askrelay -- askrelay mcp

Speaks MCP on standard input and output, and writes what it has to say to standard error.
It joins the ring that runs, or runs it as long as it lives. For a client that cuts calls
after a minute: --call-wait 50s; the same call made again goes on waiting, and never asks twice.
Also read: HIM_TIMEOUT_MS, HIM_FALLBACK (return, http, off), HIM_HTTP_HOST, HIM_HTTP_PORT,
HIM_HTTP_OPEN, HIM_MULTISELECT_MODE (array, text), HIM_AUTO_REJECT_MS, HIM_LOG (silent, error,
warn, info, debug).";
