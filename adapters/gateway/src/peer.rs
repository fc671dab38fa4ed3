//! The other end of a socket as its listener knows it, and the bounds on how many there are. Proves nobody.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use askrelay_core::permit::Caller;
use tokio::sync::OwnedSemaphorePermit;

use crate::budget::Budget;
use crate::config::Bounds;

/// One socket's other end. Clones are the same one; its place among the open sockets is free again when all are gone.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// Who it is without a token.
    pub(crate) base: Option<Caller>,
    /// Where it comes from; none on a Unix socket.
    pub(crate) address: Option<IpAddr>,
    pub(crate) budget: Budget,
    _place: Arc<OwnedSemaphorePermit>,
}

/// How many sockets of each address have not proved themselves yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unproven(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// One of them; it is none any more when this is dropped.
#[derive(Debug)]
pub(crate) struct Proving {
    all: Unproven,
    address: IpAddr,
}

impl Peer {
    pub(crate) fn new(
        base: Option<Caller>,
        address: Option<IpAddr>,
        budget: Budget,
        place: OwnedSemaphorePermit,
    ) -> Self {
        Self { base, address, budget, _place: Arc::new(place) }
    }
}

impl Unproven {
    /// Counts one more of this address, if it may have one more.
    pub(crate) fn enter(&self, address: IpAddr, bounds: &Bounds) -> Option<Proving> {
        let most = if address.to_canonical().is_loopback() {
            bounds.unproven_sockets_loopback
        } else {
            bounds.unproven_sockets
        };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = all.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Proving { all: self.clone(), address })
    }
}

impl Drop for Proving {
    fn drop(&mut self) {
        let mut all = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = all.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    //! Each address has its own count, and leaving makes room.

    use super::*;

    #[test]
    fn an_address_has_so_many_unproven_sockets_at_a_time() {
        let bounds = Bounds { unproven_sockets: 2, unproven_sockets_loopback: 3, ..Bounds::default() };
        for (address, most) in
            [("192.0.2.1", 2), ("127.0.0.1", 3), ("::ffff:127.0.0.1", 3), ("2001:db8::1", 2)]
        {
            let unproven = Unproven::default();
            let address: IpAddr = address.parse().expect("an address");
            let mut all: Vec<_> = (0..10).filter_map(|_| unproven.enter(address, &bounds)).collect();
            assert_eq!(all.len(), most, "{address}");
            assert!(unproven.enter("192.0.2.99".parse().expect("an address"), &bounds).is_some());
            all.pop();
            assert!(unproven.enter(address, &bounds).is_some(), "{address}");
        }
    }
}
