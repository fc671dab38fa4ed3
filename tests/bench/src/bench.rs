//! The order of the measurements. Memory and recovery are measured in a fresh process, speed in another one.

use std::io::Write;
use std::path::Path;

use crate::Arguments;
use crate::beside::beside;
use crate::mcp;
use crate::platform;
use crate::presses::{configured, presses};
use crate::process::{Gateway, ProcessError, processor_time, resident_kib};
use crate::report;
use crate::rounds::{Pair, Took, empty, fill, is_there};
use crate::socket::{Socket, SocketError};

/// Why it was not measured.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BenchError {
    /// No runtime.
    #[error("cannot start")]
    Runtime(#[source] std::io::Error),
    /// A connection.
    #[error(transparent)]
    Socket(#[from] SocketError),
    /// A process.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A question that was taken is not there after a restart.
    #[error("question {0} was lost in the restart")]
    Lost(usize),
    /// Not every question came to the chat.
    #[error("only {shown} of {count} questions were shown")]
    Unshown {
        /// That can be answered there.
        shown: usize,
        /// That were asked.
        count: usize,
    },
    /// A process said something else.
    #[error("something unexpected came: {0}")]
    Unexpected(String),
    /// Printing.
    #[error("cannot print")]
    Print(#[source] std::io::Error),
}

/// Measures what the arguments ask for.
pub(crate) async fn run(arguments: &Arguments) -> Result<(), BenchError> {
    match (&arguments.spawn, &arguments.url) {
        (Some(program), _) if arguments.presses.is_some() => {
            for _ in 0..arguments.repeat {
                let Some(platform) = platform::named(&arguments.on) else { return Ok(()) };
                let took = presses(program, platform, arguments.presses.unwrap_or_default()).await?;
                say(&report::rounds(&format!("presses on {}", arguments.on), took))?;
            }
            Ok(())
        }
        (Some(program), _) if arguments.mcp.is_some() => {
            for _ in 0..arguments.repeat {
                through_mcp(program, arguments.mcp.unwrap_or_default()).await?;
            }
            Ok(())
        }
        (Some(program), _) if arguments.idle => idle(program).await,
        (Some(program), _) if arguments.beside.is_some() => {
            let packages = arguments.beside.as_deref().unwrap_or(Path::new("."));
            beside(program, packages, arguments).await
        }
        (Some(program), _) => {
            size(Gateway::prepare(program)?, arguments).await?;
            let mut gateway = Gateway::prepare(program)?;
            gateway.start().await?;
            speed(&gateway.url, &gateway.token, gateway.pid(), arguments).await
        }
        (None, Some(url)) => {
            let token = arguments.token.as_deref().unwrap_or_default();
            speed(url, token, arguments.pid, arguments).await?;
            let mut socket = Socket::connect(url, token).await?;
            memory(&mut socket, arguments.pid, arguments).await?;
            if let Some(most) = arguments.pending.iter().max() {
                let took = empty(&mut socket, *most).await?;
                say(&format!("cancelled {most} in {:.2} s", took.as_secs_f64()))?;
            }
            Ok(())
        }
        (None, None) => Ok(()),
    }
}

/// Asking through MCP, beside the gateway alone.
async fn through_mcp(program: &Path, count: usize) -> Result<(), BenchError> {
    let Some(platform) = platform::named("telegram") else { return Ok(()) };
    let found = mcp::beside(program, platform, count).await?;
    say(&report::client(found.idle_kib))?;
    say(&report::overhead(&found.bare, &found.called))?;
    say(&report::rounds("the bare gateway", found.bare))?;
    say(&report::rounds("through MCP", found.called))
}

/// Every bot connected, nothing asked.
async fn idle(program: &Path) -> Result<(), BenchError> {
    let platforms: Vec<_> = platform::NAMES.iter().filter_map(|name| platform::named(name)).collect();
    let mut gateway = configured(program, &platforms)?;
    let (_, _socket) = gateway.start().await?;
    for platform in &platforms {
        platform.connected().await;
    }
    match gateway.pid() {
        Some(pid) => say(&report::idle(platforms.len(), resident_kib(pid)?)),
        None => Ok(()),
    }
}

async fn size(mut gateway: Gateway, arguments: &Arguments) -> Result<(), BenchError> {
    let (ready, mut socket) = gateway.start().await?;
    say(&format!("ready (start to hello): {}", report::milliseconds(ready)))?;
    memory(&mut socket, gateway.pid(), arguments).await?;
    let Some(most) = arguments.pending.iter().max().copied().filter(|most| *most > 0) else { return Ok(()) };
    drop(socket);
    gateway.kill()?;
    let (ready, mut socket) = gateway.start().await?;
    for number in [0, most - 1] {
        if !is_there(&mut socket, number).await? {
            return Err(BenchError::Lost(number));
        }
    }
    say(&format!(
        "recovered {most} pending after kill -9 (start to hello): {}",
        report::milliseconds(ready)
    ))?;
    if let Some(pid) = gateway.pid() {
        say(&report::memory(most, resident_kib(pid)?))?;
    }
    Ok(())
}

async fn memory(socket: &mut Socket, pid: Option<u32>, arguments: &Arguments) -> Result<(), BenchError> {
    let mut levels = arguments.pending.clone();
    levels.sort_unstable();
    let tell = |pending: usize| match pid {
        Some(pid) => say(&report::memory(pending, resident_kib(pid)?)),
        None => Ok(()),
    };
    if !levels.is_empty() {
        tell(0)?;
    }
    let mut filled = 0;
    for level in levels {
        let took = fill(socket, filled, level).await?;
        let rate = (level - filled) as f64 / took.as_secs_f64();
        say(&format!("filled {} in {:.2} s, {rate:.0}/s", level - filled, took.as_secs_f64()))?;
        tell(level)?;
        filled = level;
    }
    Ok(())
}

async fn speed(url: &str, token: &str, pid: Option<u32>, arguments: &Arguments) -> Result<(), BenchError> {
    for (name, count, at_once) in series(arguments) {
        for turn in 0..arguments.repeat {
            let used = |pid: Option<u32>| pid.map(processor_time).transpose();
            let before = (used(pid)?, processor_time(std::process::id())?);
            let took = once(url, token, (count, at_once), turn).await?;
            say(&report::rounds(&name, took))?;
            if let (Some(after), Some(before_gateway)) = (used(pid)?, before.0) {
                let ourselves = processor_time(std::process::id())?.saturating_sub(before.1);
                say(&report::processor(count, after.saturating_sub(before_gateway), ourselves))?;
            }
        }
    }
    Ok(())
}

/// What is measured for speed: a name, round trips, conversations at once.
pub(crate) fn series(arguments: &Arguments) -> Vec<(String, usize, usize)> {
    let concurrent = arguments.conversations.iter();
    let concurrent = concurrent.map(|at_once| (format!("{at_once} at once"), arguments.concurrent, *at_once));
    std::iter::once(("sequential".to_owned(), arguments.sequential, 1)).chain(concurrent).collect()
}

/// So many round trips, with so many conversations at once, over sockets of their own.
pub(crate) async fn once(
    url: &str,
    token: &str,
    (count, at_once): (usize, usize),
    turn: usize,
) -> Result<Took, BenchError> {
    // Ids may be taken from an earlier run against the same gateway.
    let prefix = format!("at-{at_once}-{}-{turn}", std::process::id());
    let mut pair = Pair::connect(url, token, prefix).await?;
    Ok(pair.rounds(count, at_once).await?)
}

pub(crate) fn say(line: &str) -> Result<(), BenchError> {
    writeln!(std::io::stdout(), "{line}").map_err(BenchError::Print)
}
