//! What can be wrong with a terminal. What goes wrong while it runs is told in Reports.

use std::io;

/// Why there is no terminal to ask at.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// Neither standard input nor standard error is a terminal.
    #[error(
        "neither standard input nor standard error is a terminal; configure a surface, or run askrelay in a terminal"
    )]
    None,
    /// There is one, but it cannot be used.
    #[error("the terminal cannot be opened")]
    Open(#[source] io::Error),
    /// Another process group has the terminal.
    #[error("the terminal belongs to another job; bring askrelay to the foreground")]
    Background,
    /// The surface could not start.
    #[error("the terminal surface cannot start: {0}")]
    Start(io::Error),
}
