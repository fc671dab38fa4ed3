//! Who may answer, see and withdraw: the gate's rules one by one, and the full product of everything that decides, through the
//! relay and the ledger.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a scene that cannot be set is a mistake in the test itself"
)]

mod gate;
mod product;
mod scene;
