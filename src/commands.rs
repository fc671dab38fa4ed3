//! What the commands do. Each returns what it found; what is printed and how a command ends is decided in one place.

pub mod ask;
pub mod config;
pub mod describe;
pub mod given;
pub mod preview;
