//! The numbers of a terminal, each with its unit, source and date. No behaviour.

use askrelay_core::limits::{Limits, Unit};

/// What a terminal can show.
pub const LIMITS: Limits = Limits {
    unit: Unit::Columns,
    // Columns. A terminal has no limit; ours (2026-11) is past the largest Ask, so that nothing is ever shortened.
    message: 16_000_000,
    messages: 1,
    // The width is the encoder's: it wraps, it does not cut.
    line: None,
    controls: None,
    edits: false,
    // Everything said there is private: one person sits in front of it.
    private_notes: true,
    command_prefix: '/',
    shared: false,
    hears_all: true,
};

/// Columns of a terminal that does not tell its width: the VT100's (DEC, 1978), still the usual default (2026-11).
pub(crate) const COLUMNS: usize = 80;

/// Fewest columns that are wrapped to; a narrower window wraps by itself. Own choice, 2026-11.
pub(crate) const COLUMNS_MIN: usize = 16;

/// Most bytes of one reply. A line is at most 4095 bytes by the Linux tty (termios(3), canonical mode; 2026-11), which
/// drops what is typed beyond; continued lines add up to this. Own choice: an answer of the gateway is no longer.
pub(crate) const REPLY_BYTES: usize = 64 * 1024;

/// Most bytes read at once. One line of the tty at most; own choice, 2026-11.
pub(crate) const READ_BYTES: usize = 4096;

/// Most reads before a print, so that an endless input cannot hold it up. Own choice, 2026-11.
pub(crate) const READS_MAX: usize = 64;

/// Orders carried out that are remembered, so that a repeated one is not printed twice. Own choice, 2026-11: more than
/// the relay can have in flight.
pub(crate) const REMEMBERED: usize = 1024;

/// Orders on their way to the thread. Each also puts a byte into a pipe of at least 4096 (POSIX `PIPE_BUF` of Linux,
/// pipe(7); 2026-11), which must never fill up.
pub(crate) const QUEUE: usize = 64;
