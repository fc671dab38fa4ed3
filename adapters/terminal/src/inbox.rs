//! The reading end of the terminal: what was typed since last time, as Reports in order. Understands no answer and
//! prints nothing.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use askrelay_core::time::Time;

use crate::decode::{Line, Lines};
use crate::limits::READ_BYTES;

/// The reading end.
pub(crate) struct Inbox {
    input: File,
    lines: Lines,
    closed: bool,
}

/// The order of everything that happens in this terminal.
pub(crate) struct Positions {
    now: fn() -> Time,
    last: i64,
}

/// What one reading brought.
pub(crate) enum Typed {
    /// These lines; perhaps none is complete yet.
    Lines(Vec<Line>),
    /// There will be no more.
    Closed,
}

impl Inbox {
    pub(crate) fn new(input: OwnedFd) -> Self {
        Self { input: input.into(), lines: Lines::default(), closed: false }
    }

    /// The input, as long as anything can come from it.
    pub(crate) fn waiting(&self) -> Option<BorrowedFd<'_>> {
        (!self.closed).then(|| self.input.as_fd())
    }

    /// Nobody can type any more.
    pub(crate) const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Reads once. Blocks unless the input was polled.
    pub(crate) fn read(&mut self) -> Typed {
        let mut bytes = [0; READ_BYTES];
        match self.input.read(&mut bytes) {
            Ok(0) => self.close(),
            Ok(count) => Typed::Lines(self.lines.feed(&bytes[..count])),
            // Whoever shares the terminal may have made it non-blocking.
            Err(error) if is_passing(&error) => Typed::Lines(Vec::new()),
            // A pseudo-terminal whose other side is gone says EIO: the same as an end.
            Err(_) => self.close(),
        }
    }

    fn close(&mut self) -> Typed {
        self.closed = true;
        Typed::Closed
    }
}

impl Positions {
    pub(crate) const fn new(now: fn() -> Time) -> Self {
        Self { now, last: 0 }
    }

    /// The position of what happens now, and the time. Positions grow even when the clock stands or jumps back, and
    /// a later run's are larger as long as it does not.
    pub(crate) fn next(&mut self) -> (i64, Time) {
        let now = (self.now)();
        self.last = now.0.max(self.last.saturating_add(1));
        (self.last, now)
    }
}

/// Whether the same call may work a moment later.
pub(crate) fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
