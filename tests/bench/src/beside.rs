//! Our gateway and OpenClaw's on one machine in one run, under the same load by turns: what disturbs the machine meanwhile disturbs
//! both. Prints one line for each; whether it is enough is for whoever reads them.

use std::path::Path;
use std::time::Duration;

use crate::Arguments;
use crate::bench::{BenchError, once, say, series};
use crate::process::{Gateway, resident_kib};
use crate::report;
use crate::rounds::{fill, known};
use crate::socket::{Socket, SocketError};

/// How long a gateway that is asked to stop may take before it is killed.
const STOP: Duration = Duration::from_secs(30);

/// One of the two.
struct Side {
    name: &'static str,
    gateway: Gateway,
}

impl Side {
    /// Connections that nobody listens to meanwhile do not last, so each step has its own.
    async fn connect(&self) -> Result<Socket, SocketError> {
        Socket::connect(&self.gateway.url, &self.gateway.token).await
    }
}

/// Measures both.
pub(crate) async fn beside(program: &Path, packages: &Path, arguments: &Arguments) -> Result<(), BenchError> {
    let ours = ("askrelay", Gateway::prepare(program)?);
    let theirs = ("OpenClaw", Gateway::prepare_openclaw(packages)?);
    let mut sides = Vec::new();
    for (name, mut gateway) in [ours, theirs] {
        for _ in 0..arguments.repeat {
            gateway.kill()?;
            let (ready, _) = gateway.start().await?;
            say(&format!("{name}: start to hello: {}", report::milliseconds(ready)))?;
        }
        sides.push(Side { name, gateway });
    }
    tell_memory(&sides, "idle")?;
    for (name, count, at_once) in series(arguments) {
        for turn in 0..arguments.repeat {
            for side in &sides {
                let (url, token) = (&side.gateway.url, &side.gateway.token);
                let took = once(url, token, (count, at_once), turn).await?;
                say(&report::rounds(&format!("{}: {name}", side.name), took))?;
            }
        }
    }
    tell_memory(&sides, "after the load")?;
    let most = arguments.pending.iter().max().copied().unwrap_or_default();
    for side in &sides {
        let took = fill(&mut side.connect().await?, 0, most).await?;
        say(&format!("{}: asked {most} more in {:.2} s", side.name, took.as_secs_f64()))?;
    }
    tell_memory(&sides, &format!("at {most} pending"))?;
    for side in sides {
        restart(side).await?;
    }
    Ok(())
}

fn tell_memory(sides: &[Side], when: &str) -> Result<(), BenchError> {
    for side in sides {
        let Some(pid) = side.gateway.pid() else { continue };
        let mebibytes = resident_kib(pid)? as f64 / 1024.0;
        say(&format!("{}: memory {when}: {mebibytes:.1} MiB resident", side.name))?;
    }
    Ok(())
}

/// Stops it in good order as far as it lets itself be stopped, starts it again, and counts what it still knows.
async fn restart(side: Side) -> Result<(), BenchError> {
    let before = known(&mut side.connect().await?).await?;
    let Side { name, mut gateway } = side;
    match gateway.stop(STOP).await? {
        Some(took) => say(&format!("{name}: stopped in {}", report::milliseconds(took)))?,
        None => {
            say(&format!("{name}: asked to stop, it ran on for {STOP:?} and was killed"))?;
            gateway.kill()?;
        }
    }
    let (ready, mut socket) = gateway.start().await?;
    let after = known(&mut socket).await?;
    say(&format!(
        "{name}: start to hello again: {}, knows {after} of {before}",
        report::milliseconds(ready)
    ))?;
    if let Some(pid) = gateway.pid() {
        say(&format!("{name}: memory then: {:.1} MiB resident", resident_kib(pid)? as f64 / 1024.0))?;
    }
    gateway.kill()?;
    Ok(())
}
