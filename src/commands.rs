//! What the commands do. Each returns what it found; what is printed and how a command ends is decided in one place.

use std::error::Error;
use std::io;
use std::sync::Arc;

use askrelay_client::{CallError, ConnectError};

use crate::config::Mistakes;
use crate::driver::DriverError;
use crate::ring::{EnterError, HomeError, LockError};

pub mod ask;
pub mod audit;
pub mod config;
pub mod describe;
pub mod doors;
pub mod entered;
pub mod given;
pub mod hook;
pub mod login;
pub mod mcp;
pub mod outcome;
pub mod people;
pub mod preview;
pub mod questions;
pub mod read;
pub mod serve;
pub mod status;
pub mod token;

/// Why a command did not do what it was told.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// It was called wrongly; every mistake.
    #[error("{}", .0.join("\n  "))]
    Misused(Vec<String>),
    /// The data directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The configuration.
    #[error(transparent)]
    Config(#[from] Mistakes),
    /// The way into the ring.
    #[error(transparent)]
    Enter(#[from] EnterError),
    /// The ring's lock.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The gateway's answer.
    #[error(transparent)]
    Call(#[from] CallError),
    /// There is no such ask, or none that this caller may see.
    #[error("there is no ask '{0}' that you may see; `askrelay list --state all` shows those there are")]
    NoSuchAsk(String),
    /// Another ask has the id.
    #[error(
        "another ask has the id '{0}': `askrelay show {0}` shows it, `askrelay wait {0}` waits for it; give this one another id"
    )]
    IdInUse(String),
    /// The secret of a terminal cannot be made.
    #[error("cannot use terminal.key of the data directory, from which the terminal proves itself")]
    TerminalKey(#[source] io::Error),
    /// There is no such token.
    #[error("there is no token '{0}'; `askrelay token list` shows those there are")]
    NoSuchToken(String),
    /// The ask ended before this came.
    #[error("nothing was changed: '{id}' ended before. {how}")]
    EndedBefore {
        /// Which.
        id: String,
        /// How it ended, and by whom.
        how: String,
    },
    /// The gateway does not take the token.
    #[error("the token {from} is not accepted here; {}", .from.way_out())]
    TokenRefused {
        /// Where it comes from.
        from: entered::TokenFrom,
        /// Why.
        source: Arc<ConnectError>,
    },
    /// Nobody is called so.
    #[error("nobody is called '{0}'; `askrelay people list` shows everybody")]
    NoSuchPerson(String),
    /// The terminal's relay.
    #[error(transparent)]
    Seat(#[from] DriverError),
    /// The kept token.
    #[error(transparent)]
    Login(#[from] login::LoginError),
    /// Answering needs a person.
    #[error(
        "this needs your own token, which the data directory does not hold: \
         askrelay token create --as NAME --scopes operator.questions | askrelay login"
    )]
    NoToken,
    /// The reply does not decide.
    #[error("nothing was sent: {0}")]
    Unclear(String),
    /// The terminal's signals.
    #[error("cannot listen for the signals that stop a process")]
    Signal(#[source] io::Error),
    /// What was found cannot be printed.
    #[error("standard output cannot be written; what the command did stands")]
    Unwritable(#[source] io::Error),
    /// The runtime.
    #[error("cannot start")]
    Runtime(#[source] io::Error),
    /// Anything that a command without a ring reports.
    #[error(transparent)]
    Other(Box<dyn Error + Send + Sync>),
}
