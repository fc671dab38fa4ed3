//! The pure relay step. So far only the facts that it leaves behind.

pub mod facts;
