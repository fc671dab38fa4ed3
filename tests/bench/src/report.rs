//! Numbers to lines. Says what was measured and nothing about whether it is enough.

use std::error::Error;
use std::time::Duration;

use crate::rounds::Took;

/// One line about a series of round trips.
pub(crate) fn rounds(name: &str, mut took: Took) -> String {
    took.rounds.sort_unstable();
    let rate = took.rounds.len() as f64 / took.all.as_secs_f64();
    let refused = if took.refused == 0 { String::new() } else { format!(", {} refused", took.refused) };
    format!(
        "{name}: {} round trips, {rate:.0}/s, p50 {}, p99 {}{refused}",
        took.rounds.len(),
        milliseconds(percentile(&took.rounds, 50)),
        milliseconds(percentile(&took.rounds, 99)),
    )
}

/// Who used how much processor time for each of so many round trips: says more than rates do on a machine shared with others.
pub(crate) fn processor(count: usize, gateway: Duration, ourselves: Duration) -> String {
    let each = |time: Duration| time.as_secs_f64() * 1e6 / count.max(1) as f64;
    format!("  processor time each: gateway {:.0} us, this program {:.0} us", each(gateway), each(ourselves))
}

/// The value that so many hundredths of the sorted values do not exceed.
fn percentile(sorted: &[Duration], hundredths: usize) -> Duration {
    let rank = (sorted.len() * hundredths).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

pub(crate) fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

pub(crate) fn memory(pending: usize, kib: u64) -> String {
    format!("memory at {pending} pending: {:.1} MiB resident", kib as f64 / 1024.0)
}

pub(crate) fn idle(bots: usize, kib: u64) -> String {
    format!("memory with {bots} bots idle: {:.1} MiB resident", kib as f64 / 1024.0)
}

/// A process that serves one MCP client.
pub(crate) fn client((all, anonymous): (u64, u64)) -> String {
    let mib = |kib| kib as f64 / 1024.0;
    format!(
        "memory of an idle `askrelay mcp`: {:.1} MiB resident, {:.1} of them in no file",
        mib(all),
        mib(anonymous)
    )
}

/// How much longer than the first the second took.
pub(crate) fn overhead(bare: &Took, through: &Took) -> String {
    let of = |took: &Took, hundredths| {
        let mut sorted = took.rounds.clone();
        sorted.sort_unstable();
        percentile(&sorted, hundredths).as_secs_f64() * 1000.0
    };
    let more = |hundredths| of(through, hundredths) - of(bare, hundredths);
    format!("MCP over the bare gateway: p50 {:+.2} ms, p99 {:+.2} ms", more(50), more(99))
}

/// An error and everything behind it.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_ranks() {
        let sorted: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        for (hundredths, expected) in [(50, 50), (99, 99), (100, 100), (0, 1)] {
            assert_eq!(percentile(&sorted, hundredths), Duration::from_millis(expected), "{hundredths}");
        }
        assert_eq!(percentile(&sorted[..1], 99), Duration::from_millis(1));
        assert_eq!(percentile(&[], 50), Duration::ZERO);
    }

    #[test]
    fn overhead_is_the_difference_of_the_ranks() {
        let took = |all: [u64; 3]| Took { rounds: all.map(Duration::from_millis).into(), ..Took::default() };
        for (bare, through, expected) in [
            ([3, 1, 2], [4, 9, 3], "MCP over the bare gateway: p50 +2.00 ms, p99 +6.00 ms"),
            ([3, 1, 2], [1, 1, 1], "MCP over the bare gateway: p50 -1.00 ms, p99 -2.00 ms"),
        ] {
            assert_eq!(overhead(&took(bare), &took(through)), expected);
        }
    }

    #[test]
    fn a_series_is_one_line() {
        let took = Took {
            rounds: vec![Duration::from_millis(3), Duration::from_millis(1)],
            all: Duration::from_millis(4),
            refused: 2,
        };
        assert_eq!(
            rounds("sequential", took),
            "sequential: 2 round trips, 500/s, p50 1.00 ms, p99 3.00 ms, 2 refused"
        );
    }
}
