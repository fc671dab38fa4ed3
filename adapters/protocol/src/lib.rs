//! Wire types of the `question.*` gateway protocol: typed frames, strict parsing with the path of every fault, encoding
//! with and without the extension cap. Does no I/O, keeps no state, verifies no signature and decides nothing about rights.

pub mod call;
pub mod check;
pub mod connect;
pub mod decode;
pub mod device;
pub mod encode;
pub mod error;
pub mod frame;
pub mod reply;
pub mod secret;

#[cfg(test)]
mod tests;
