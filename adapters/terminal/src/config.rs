//! What the surface is given: its Place, the person in front of it, and the two ends of the terminal. Reads no
//! configuration file and looks at the environment only to find and judge the controlling terminal.

use std::fs::File;
use std::io::{IsTerminal, stderr, stdin};
use std::os::fd::{AsFd, OwnedFd};

use askrelay_core::id::{Account, Identity, Place, UserId};
use askrelay_core::time::Time;
use rustix::process::{getpgrp, getuid};
use rustix::termios::tcgetpgrp;

use crate::error::TerminalError;

/// The Surface's name in ids.
pub const SURFACE: &str = "terminal";

/// Everything a run of the surface needs.
#[derive(Debug)]
pub struct Config {
    /// Who sits where.
    pub seat: Seat,
    /// The terminal.
    pub terminal: Terminal,
    /// The clock.
    pub now: fn() -> Time,
}

/// Who sits where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The one Place of this run.
    pub place: Place,
    /// The person in front of it.
    pub identity: Identity,
    /// What others are shown for that person.
    pub display_name: String,
}

/// The two ends of a terminal, or of what stands in for one.
#[derive(Debug)]
pub struct Terminal {
    /// Where lines come from; must be something that can be polled.
    pub input: OwnedFd,
    /// Where text goes.
    pub output: OwnedFd,
    /// Bold and dim may be used.
    pub styled: bool,
    /// Its width; `None` asks the output each time, so that a resized window is followed.
    pub columns: Option<usize>,
}

impl Seat {
    /// The user of this process. `session` is unique among all runs, so that Receipts and updates of another window are
    /// never taken for this one's.
    #[must_use]
    pub fn of_this_process(session: &str, display_name: String) -> Self {
        let account = Account { surface: SURFACE.into(), name: session.into() };
        let user = UserId::from(getuid().as_raw().to_string());
        Self {
            place: Place { account, conversation: "tty".into() },
            identity: Identity { surface: SURFACE.into(), user },
            display_name,
        }
    }
}

impl Terminal {
    /// The terminal in front of which the person sits, in the foreground. A process with neither its input nor its error
    /// output on a terminal has none, even if its session does: that belongs to whoever started it.
    ///
    /// # Errors
    /// Why there is none.
    pub fn controlling() -> Result<Self, TerminalError> {
        let (stdin, stderr) = (stdin(), stderr());
        let (reads, writes) = (stdin.is_terminal(), stderr.is_terminal());
        if !reads && !writes {
            return Err(TerminalError::None);
        }
        let open = |writable| {
            File::options()
                .read(true)
                .write(writable)
                .open("/dev/tty")
                .map_err(TerminalError::Open)
                .map(OwnedFd::from)
        };
        let copy = |fd: std::os::fd::BorrowedFd<'_>| fd.try_clone_to_owned().map_err(TerminalError::Open);
        let input = if reads { copy(stdin.as_fd())? } else { open(false)? };
        let output = if writes { copy(stderr.as_fd())? } else { open(true)? };
        if tcgetpgrp(&input).is_ok_and(|front| front != getpgrp()) {
            return Err(TerminalError::Background);
        }
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let styled =
            variable("NO_COLOR").is_none() && variable("TERM").is_some_and(|terminal| terminal != "dumb");
        Ok(Self { input, output, styled, columns: None })
    }
}
