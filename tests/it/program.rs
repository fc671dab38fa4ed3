//! Runs the real binary in a data directory of its own: with pipes, in front of a pseudo-terminal, or as a server. Waits for
//! states, never for a length of time; every wait has a generous end so that a hang fails instead of hanging.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use tempfile::TempDir;

/// How long anything may take before the test gives up. Far beyond what a loaded machine needs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The binary and a data directory.
pub(crate) struct Program {
    home: TempDir,
}

/// The binary in front of a person.
pub(crate) struct Seat {
    child: Box<dyn portable_pty::Child + Send + Sync>,
    keyboard: Box<dyn Write + Send>,
    screen: Arc<Screen>,
    stdout: PathBuf,
    /// How much of the screen was there when the last line was typed.
    typed_at: usize,
}

/// `askrelay serve`, stopped when dropped.
pub(crate) struct Server {
    child: Child,
}

#[derive(Default)]
struct Screen {
    text: Mutex<(String, bool)>,
    changed: Condvar,
}

impl Program {
    pub(crate) fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// The binary with nothing of this process's environment that could change what it does.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_askrelay"));
        command.args(arguments).stdin(Stdio::null()).env_clear();
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        command
    }

    /// Runs it to its end, without a terminal.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs it in front of a pseudo-terminal; standard output goes to a file, as in `answer=$(askrelay ask ...)`.
    pub(crate) fn at_terminal(&self, arguments: &[&str]) -> Seat {
        let pty = native_pty_system();
        let pair = pty.openpty(PtySize { rows: 40, cols: 100, pixel_width: 0, pixel_height: 0 }).unwrap();
        let stdout =
            self.home().join(format!("stdout-{:?}", Instant::now()).replace([' ', '{', '}', ':', ','], ""));
        let mut command = CommandBuilder::new("/bin/sh");
        command.env_clear();
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        command.env("TERM", "xterm");
        command.args(["-c", "out=$1; shift; exec \"$@\" >\"$out\"", "sh"]);
        command.arg(&stdout);
        command.arg(env!("CARGO_BIN_EXE_askrelay"));
        command.args(arguments);
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let screen = Arc::new(Screen::default());
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keyboard = pair.master.take_writer().unwrap();
        let shown = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut bytes) {
                shown.text.lock().unwrap().0.push_str(&String::from_utf8_lossy(&bytes[..length]));
                shown.changed.notify_all();
            }
            shown.text.lock().unwrap().1 = true;
            shown.changed.notify_all();
            drop(pair.master);
        });
        Seat { child, keyboard, screen, stdout, typed_at: 0 }
    }

    /// Starts the server on a free port and waits until it listens.
    pub(crate) fn serve(&self) -> Server {
        self.serve_at("127.0.0.1:0")
    }

    /// The same at this address.
    pub(crate) fn serve_at(&self, address: &str) -> Server {
        let mut child = self
            .command(&["serve"])
            .env("ASKRELAY_LISTEN", address)
            .env("ASKRELAY_LOG_FORMAT", "json")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut seen = String::new();
        let listens = lines.by_ref().map_while(Result::ok).find_map(|line| {
            seen.push_str(&line);
            let event: serde_json::Value = serde_json::from_str(&line).ok()?;
            event.get("listen").map(drop)
        });
        std::thread::spawn(move || lines.for_each(drop));
        assert!(listens.is_some(), "the server did not come up: {seen}");
        Server { child }
    }

    fn environment(&self) -> Vec<(String, String)> {
        let path = std::env::var("PATH").unwrap_or_default();
        let home = self.home().display().to_string();
        vec![
            ("PATH".into(), path),
            ("HOME".into(), home.clone()),
            ("ASKRELAY_HOME".into(), format!("{home}/data")),
        ]
    }
}

impl Seat {
    /// Waits until the screen shows `text`; gives the whole screen so far.
    pub(crate) fn shows(&self, text: &str) -> String {
        self.waits(text, |screen| screen.contains(text))
    }

    fn waits(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        let mut state = self.screen.text.lock().unwrap();
        loop {
            if is_there(&state.0) {
                return state.0.clone();
            }
            assert!(!state.1, "the screen went dark before it showed {what:?}:\n{}", state.0);
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "the screen never showed {what:?}:\n{}", state.0);
            state = self.screen.changed.wait_timeout(state, left).unwrap().0;
        }
    }

    /// Types a line, once the terminal invites one: what is typed earlier is older than the question and answers nothing.
    pub(crate) fn types(&mut self, line: &str) {
        let from = self.typed_at;
        let invited = |screen: &str| screen.get(from..).is_some_and(|new| new.contains("\n> "));
        self.typed_at = self.waits("an invitation to type", invited).len();
        self.keyboard.write_all(format!("{line}\n").as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    /// Presses a key that the terminal turns into a signal or an end of input.
    pub(crate) fn presses(&mut self, control: char) {
        self.keyboard.write_all(&[control as u8 & 0x1f]).unwrap();
        self.keyboard.flush().unwrap();
    }

    /// Ends the process the hard way.
    pub(crate) fn kill(&mut self) {
        let pid = self.child.process_id().and_then(|pid| rustix::process::Pid::from_raw(pid.cast_signed()));
        rustix::process::kill_process(pid.unwrap(), rustix::process::Signal::KILL).unwrap();
    }

    /// Waits for the end: exit code, what went to standard output, and the screen.
    pub(crate) fn ends(mut self) -> (u32, String, String) {
        let state = self.screen.text.lock().unwrap();
        let (state, waited) =
            self.screen.changed.wait_timeout_while(state, PATIENCE, |state| !state.1).unwrap();
        let screen = state.0.clone();
        drop(state);
        if waited.timed_out() {
            self.kill();
        }
        let status = self.child.wait().unwrap();
        assert!(!waited.timed_out(), "it never ended:\n{screen}");
        (status.exit_code(), std::fs::read_to_string(&self.stdout).unwrap_or_default(), screen)
    }
}

impl Server {
    /// Ends it at once, as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Killed already, or killed now; either way nothing is left running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
