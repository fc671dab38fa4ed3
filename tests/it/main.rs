//! The whole program, and the rules of this house, as tests.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a broken expectation ends the test"
)]

mod accounts;
mod asking;
mod chats;
mod configuring;
mod counting;
mod crash;
mod driving;
mod hooking;
mod joining;
mod layout;
mod mcp;
mod openclaw;
mod paper;
mod people;
mod phone;
mod program;
mod scenarios;
mod setting_up;
mod slow;
mod stepping;
mod style;
mod telegram;
