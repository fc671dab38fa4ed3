//! What the commands do that need no ring, and how every command ends. The commands that speak to a ring are in files of their
//! own beside these.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

pub mod config;
pub mod describe;

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Answered, or done.
    Done,
    /// Something failed; standard error said what.
    Failed,
    /// It was called wrongly; standard error said how.
    Usage,
    /// Nobody answered; standard error said why.
    NobodyAnswered,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::NobodyAnswered => 3,
        })
    }
}

/// Writes an error and its causes to standard error, each on a line.
pub fn complain(error: &dyn std::error::Error) {
    let mut text = format!("askrelay: {error}\n");
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!("  because {error}\n"));
        cause = error.source();
    }
    // When standard error is gone there is nobody left to tell.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// How a command ends whose output went to a pipe: a reader that has seen enough (`| head`) is no failure.
#[must_use]
pub fn exit_of_output(written: io::Result<()>) -> Exit {
    match written {
        Ok(()) => Exit::Done,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Done,
        Err(error) => {
            complain(&error);
            Exit::Failed
        }
    }
}
