//! askrelay beside a real OpenClaw gateway: questions that are asked there are answered from Telegram, through lost connections,
//! restarts and revoked devices. Needs what `tests/peers/install` installs, so only `tests/slow/39-openclaw` builds it.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a broken expectation ends the test"
)]
#![allow(dead_code, reason = "what it shares with the tests of the whole program is not all used here")]

mod answering;
mod gateway;
mod line;
mod losing;
mod pairing;
#[path = "../it/phone.rs"]
mod phone;
#[path = "../it/program.rs"]
mod program;
mod ring;
mod secure;
