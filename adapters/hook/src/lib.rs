#![doc = include_str!("../README.md")]
//! Translates only: reads no input, asks nobody, knows no clock.

pub mod claude_code;
mod left;

pub use left::Left;
