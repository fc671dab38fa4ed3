//! Time and chance as the gateway is handed them, so that tests bring their own. Nothing else in this crate reads a clock
//! of the wall or asks the system for random bytes.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use askrelay_core::id::Fresh;
use askrelay_core::time::Time;

/// Tells the time.
pub trait Clock: fmt::Debug + Send + Sync + 'static {
    /// What time it is now. May jump either way.
    fn now(&self) -> Time;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

/// The operating system's source of unguessable bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemFresh;

/// One source of unguessable bytes for everybody who needs some.
#[derive(Clone)]
pub(crate) struct Dice(Arc<Mutex<Box<dyn Fresh + Send>>>);

impl Clock for SystemClock {
    fn now(&self) -> Time {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Time(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

impl Fresh for SystemFresh {
    /// Never gives predictable bytes: a system that has none to give stops the program.
    #[expect(clippy::expect_used, reason = "there is no safe way on without unguessable bytes")]
    fn bytes(&mut self) -> [u8; 16] {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        bytes
    }
}

impl Dice {
    pub(crate) fn new(fresh: Box<dyn Fresh + Send>) -> Self {
        Self(Arc::new(Mutex::new(fresh)))
    }

    pub(crate) fn bytes(&self) -> [u8; 16] {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).bytes()
    }

    /// A fresh random UUID (version 4), as text.
    pub(crate) fn uuid(&self) -> String {
        let mut bytes = self.bytes();
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        let mut text = String::with_capacity(36);
        for (index, byte) in bytes.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                text.push('-');
            }
            push_hex(&mut text, *byte);
        }
        text
    }
}

/// The bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    bytes.iter().for_each(|byte| push_hex(&mut text, *byte));
    text
}

fn push_hex(text: &mut String, byte: u8) {
    let digit = |half: u8| char::from(if half < 10 { b'0' + half } else { b'a' + half - 10 });
    text.push(digit(byte >> 4));
    text.push(digit(byte & 0x0f));
}

impl fmt::Debug for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Dice")
    }
}

#[cfg(test)]
mod tests {
    //! Ids are well formed.

    use super::*;

    struct Ones;
    impl Fresh for Ones {
        fn bytes(&mut self) -> [u8; 16] {
            [0xff; 16]
        }
    }

    #[test]
    fn a_uuid_names_its_version_and_variant() {
        assert_eq!(Dice::new(Box::new(Ones)).uuid(), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    }

    #[test]
    fn the_system_does_not_repeat_itself() {
        assert_ne!(SystemFresh.bytes(), SystemFresh.bytes());
    }
}
