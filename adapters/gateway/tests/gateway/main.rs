//! The gateway from outside. Peers speak JSON frames, over memory in virtual time or over real sockets; the store is the
//! fake that tests can hold up and break, or SQLite where a restart matters.
#![allow(clippy::expect_used, clippy::panic, reason = "a broken world ends the test")]

mod asking;
mod doors;
mod notifying;
mod restarting;
mod saving;
mod seeing;
mod sockets;
mod telling;
mod time;
mod tokens;
mod wire;
mod world;
