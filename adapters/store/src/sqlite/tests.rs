//! The files keep the contract, and what only files can suffer.

mod bounds;
mod crash;
mod faults;
mod harness;
mod model;
mod old;
mod plans;
mod queue;
mod refused;

#[test]
fn files_keep_the_contract() {
    crate::contract::suite(|| Box::new(harness::InFile::new()));
}
