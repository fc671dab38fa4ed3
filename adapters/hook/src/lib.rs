//! Translates the hook events of agents that have their own question tool. Translates only: reads no input, asks nobody, knows no
//! clock.
#![doc = include_str!("../README.md")]

pub mod claude_code;
mod left;

pub use left::Left;
