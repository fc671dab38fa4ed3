//! Load generator: how fast, how large and how quick to recover is a gateway of the `question.*` protocol, over real
//! WebSockets. Measures only what a client sees; correctness is the other tests'.

mod bench;
mod beside;
mod mcp;
mod platform;
mod presses;
mod process;
mod report;
mod rounds;
mod socket;
#[cfg(test)]
mod tests;

use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

/// Drives request, event, resolve and waitAnswer over two sockets and prints what it took.
#[derive(Debug, Parser)]
#[command(name = "askrelay-bench", version)]
struct Arguments {
    /// A gateway that runs: ws://HOST:PORT
    #[arg(long, required_unless_present = "spawn", conflicts_with = "spawn")]
    url: Option<String>,
    /// Its token; with --spawn one is made
    #[arg(long, env = "ASKRELAY_BENCH_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Its process, to read its memory
    #[arg(long)]
    pid: Option<u32>,
    /// An askrelay binary: started in a temporary data directory, killed and started again
    #[arg(long, value_name = "PATH")]
    spawn: Option<std::path::PathBuf>,
    /// Round trips, one at a time
    #[arg(long, default_value_t = 2_000)]
    sequential: usize,
    /// Round trips with many conversations at once
    #[arg(long, default_value_t = 20_000)]
    concurrent: usize,
    /// Conversations at once, one measurement for each
    #[arg(long, value_delimiter = ',', default_values_t = [64])]
    conversations: Vec<usize>,
    /// Repetitions of each speed measurement
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Pending questions at which memory is read; none skips it
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000])]
    pending: Vec<usize>,
    /// Presses on a platform's stand-in at 200 a second, and nothing else; needs --spawn
    #[arg(long, requires = "spawn")]
    presses: Option<usize>,
    /// The platform of --presses
    #[arg(long, default_value = "telegram", value_parser = platform::NAMES)]
    on: String,
    /// Calls of a tool over MCP beside as many round trips of the bare gateway, and nothing else; needs --spawn
    #[arg(long, requires = "spawn")]
    mcp: Option<usize>,
    /// Memory with a bot on every platform that has nothing to do, and nothing else; needs --spawn
    #[arg(long, requires = "spawn")]
    idle: bool,
    /// Where npm installed OpenClaw and its Node: its gateway is started and measured beside ours, by turns, and nothing else; needs
    /// --spawn
    #[arg(long, requires = "spawn", value_name = "PATH")]
    beside: Option<std::path::PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let ran = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(bench::BenchError::Runtime)
        .and_then(|runtime| runtime.block_on(bench::run(&arguments)));
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nowhere left to report a failure to report.
            let _ = writeln!(std::io::stderr(), "askrelay-bench: {}", report::chain(&error));
            ExitCode::FAILURE
        }
    }
}
