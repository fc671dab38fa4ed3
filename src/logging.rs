//! Starts logging to standard error: for people on a terminal, one JSON object a line otherwise. Log lines never hold a token
//! or an answer; what is logged is decided where it happens.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

use crate::config::{Config, LogFormat};

/// What the MCP SDK says in detail are whole messages, answers and tokens among them: a level for everything does not mean that.
fn bounded(level: &str) -> String {
    let detailed = ["debug", "trace"].iter().any(|detailed| level.trim().eq_ignore_ascii_case(detailed));
    if detailed { format!("{level},rmcp=info") } else { level.to_owned() }
}

/// Starts logging as configured. Once per process; a second call changes nothing.
///
/// # Errors
/// The level is no filter.
pub fn start(config: &Config) -> Result<(), ParseError> {
    let filter = EnvFilter::builder().parse(bounded(&config.log_level.value))?;
    let human = match config.log_format.value {
        LogFormat::Auto => io::stderr().is_terminal(),
        LogFormat::Human => true,
        LogFormat::Json => false,
    };
    let lines = tracing_subscriber::fmt().with_writer(io::stderr).with_env_filter(filter);
    let started = if human {
        let colour =
            io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        lines.with_ansi(colour).with_target(false).try_init()
    } else {
        lines.json().flatten_event(true).with_current_span(false).try_init()
    };
    // Only a second start fails, and the first goes on.
    drop(started);
    Ok(())
}
