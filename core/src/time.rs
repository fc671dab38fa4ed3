//! Points in time and spans, as plain numbers that callers hand in; nothing here reads a clock.

use serde::{Deserialize, Serialize};

/// A point in time: milliseconds since the Unix epoch, UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub i64);

/// A length of time in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(pub u64);

impl Time {
    /// The point `span` later; saturates at the end of time instead of wrapping.
    #[must_use]
    pub const fn after(self, span: Span) -> Self {
        let millis = if span.0 > i64::MAX as u64 { i64::MAX } else { span.0 as i64 };
        Self(self.0.saturating_add(millis))
    }

    /// How long it is from `earlier` to `self`; zero when `earlier` is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        let millis = self.0.saturating_sub(earlier.0);
        if millis < 0 { Span(0) } else { Span(millis as u64) }
    }
}

impl Span {
    /// `n` seconds.
    #[must_use]
    pub const fn seconds(n: u64) -> Self {
        Self(n.saturating_mul(1000))
    }

    /// This many hundredths of the span, rounded down: `percent(80)` is four fifths.
    #[must_use]
    pub const fn percent(self, hundredths: u64) -> Self {
        Self((self.0 as u128 * hundredths as u128 / 100) as u64)
    }
}
