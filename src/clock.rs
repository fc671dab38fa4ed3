//! The operating system's clock and chance, handed to the pure parts as arguments. Nothing else in the program reads them.

use askrelay_core::id::Fresh;
use askrelay_core::time::Time;
use std::time::SystemTime;

/// Now, by the system's clock.
pub fn now() -> Time {
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Time(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
}

/// A fresh id nobody can guess, as 32 hexadecimal digits.
pub fn fresh_hex() -> String {
    format!("{:032x}", u128::from_be_bytes(SystemFresh.bytes()))
}

/// The operating system's random bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemFresh;

impl Fresh for SystemFresh {
    fn bytes(&mut self) -> [u8; 16] {
        let mut bytes = [0; 16];
        #[allow(
            clippy::expect_used,
            reason = "without randomness no id is unguessable; going on would be worse"
        )]
        getrandom::fill(&mut bytes).expect("the operating system gives no random bytes");
        bytes
    }
}
