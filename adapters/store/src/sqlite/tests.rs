//! The files keep the contract, and what only files can suffer.

mod faults;
mod harness;
mod plans;

#[test]
fn files_keep_the_contract() {
    crate::contract::suite(|| Box::new(harness::InFile::new()));
}
