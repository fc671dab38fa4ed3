//! The fake keeps the contract.

use std::sync::Arc;

use super::MemoryStore;
use crate::contract::{Harness, suite};
use crate::error::TroubleKind;
use crate::port::Store;

struct InMemory(Arc<MemoryStore>);

impl Harness for InMemory {
    fn store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.0) as Arc<dyn Store>
    }

    fn reopen(&mut self) {}

    fn hold(&self) {
        self.0.hold();
    }

    fn release(&self) {
        self.0.release();
    }

    fn fail(&self) {
        self.0.fail(TroubleKind::DiskFull);
    }

    fn heal(&self) {
        self.0.heal();
    }
}

#[test]
fn memory_keeps_the_contract() {
    suite(|| Box::new(InMemory(Arc::default())));
}
