//! The gateway as a process: started in a temporary data directory, looked at from outside, killed without a warning.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

use crate::socket::Socket;

/// Between two tries to connect to a gateway that starts; also the precision of the time to ready.
const TRY: Duration = Duration::from_millis(1);

/// A gateway that is not ready by then does not start.
const PATIENCE: Duration = Duration::from_secs(60);

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

/// A data directory, and the gateway that runs in it.
pub(crate) struct Gateway {
    program: PathBuf,
    home: TempDir,
    child: Option<Child>,
    pub(crate) url: String,
    pub(crate) token: String,
}

impl Gateway {
    /// A data directory with a token of its owner; nothing runs yet.
    pub(crate) fn prepare(program: &Path) -> Result<Self, ProcessError> {
        let home = TempDir::new()
            .map_err(|source| ProcessError::File { what: "a data directory".to_owned(), source })?;
        let port = free_port().map_err(|source| ProcessError::File { what: "a port".to_owned(), source })?;
        let mut gateway = Self {
            program: program.to_owned(),
            home,
            child: None,
            url: format!("ws://127.0.0.1:{port}"),
            token: String::new(),
        };
        let scopes = "operator.questions,operator.admin";
        let made = gateway
            .command(&["token", "create", "--as", "owner", "--scopes", scopes])
            .output()
            .map_err(|source| ProcessError::Run { program: program.to_owned(), source })?;
        if !made.status.success() {
            return Err(ProcessError::Token(String::from_utf8_lossy(&made.stderr).into_owned()));
        }
        gateway.token = String::from_utf8_lossy(&made.stdout).trim().to_owned();
        Ok(gateway)
    }

    /// Its data directory.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Runs one command in it, which must succeed.
    pub(crate) fn succeeds(&self, arguments: &[&str]) -> Result<(), ProcessError> {
        let ran = self.command(arguments).output();
        let ran = ran.map_err(|source| ProcessError::Run { program: self.program.clone(), source })?;
        if ran.status.success() {
            return Ok(());
        }
        Err(ProcessError::Command(String::from_utf8_lossy(&ran.stderr).into_owned()))
    }

    /// A command in it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).env("ASKRELAY_HOME", self.home.path()).env("ASKRELAY_OPEN_ASKS", "1000000");
        command
    }

    /// Starts it; the time from there to the hello.
    pub(crate) async fn start(&mut self) -> Result<(Duration, Socket), ProcessError> {
        let begin = Instant::now();
        let listen = self.url.trim_start_matches("ws://").to_owned();
        let child = self
            .command(&["serve", "--listen", &listen])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|source| ProcessError::Run { program: self.program.clone(), source })?;
        self.child = Some(child);
        let mut tries = tokio::time::interval(TRY);
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

    /// Kills it at whatever instruction it is.
    pub(crate) fn kill(&mut self) -> Result<(), ProcessError> {
        let Some(mut child) = self.child.take() else { return Ok(()) };
        child
            .kill()
            .and_then(|()| child.wait())
            .map(drop)
            .map_err(|source| ProcessError::File { what: "the gateway's process".to_owned(), source })
    }
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
