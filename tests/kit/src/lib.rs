//! What the tests of several crates share: contract suites and the stand-ins that pass them. Not for use outside tests;
//! it fails by panicking, as a test does.
#![allow(clippy::expect_used, clippy::panic, reason = "a broken contract ends the test")]

pub mod discord;
mod faults;
pub mod openclaw;
mod serving;
pub mod slack;
pub mod surface;
pub mod telegram;
mod world;
