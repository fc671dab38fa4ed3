//! Tests of forms: the Questions that a schema makes, every fault at once, the way back to typed values, and that no JSON
//! panics.

#![cfg(test)]

mod faults;
mod properties;
mod questions;
mod typed;
