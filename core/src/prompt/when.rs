//! Points in time as people read them, at an offset from UTC that callers hand in. Knows no time zones by name and reads
//! no clock.

use crate::time::Time;

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;
/// Days of four hundred years, after which the calendar repeats.
const DAYS_400_YEARS: i64 = 146_097;
/// Days from 1 March of the year 0 to 1 January 1970.
const DAYS_BEFORE_EPOCH: i64 = 719_468;
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// `19:05 UTC`; with the date when it is another day than `now`, and the year when it is another year.
/// `zone_minutes` is the offset east of UTC.
#[must_use]
pub fn clock(at: Time, now: Time, zone_minutes: i32) -> String {
    let local = |time: Time| time.0.saturating_add(i64::from(zone_minutes) * MINUTE_MS);
    let (at, now) = (local(at), local(now));
    let (day, today) = (at.div_euclid(DAY_MS), now.div_euclid(DAY_MS));
    let minutes = at.rem_euclid(DAY_MS) / MINUTE_MS;
    let time = format!("{:02}:{:02} {}", minutes / 60, minutes % 60, zone(zone_minutes));
    if day == today {
        return time;
    }
    let ((year, month, date), (this_year, ..)) = (calendar(day), calendar(today));
    let month = MONTHS.get(month).copied().unwrap_or_default();
    if year == this_year { format!("{date} {month} {time}") } else { format!("{date} {month} {year} {time}") }
}

/// `2026-11-30 12:00:05`, in UTC, for lists that are sorted and searched.
#[must_use]
pub fn stamp(at: Time) -> String {
    let (year, month, date) = calendar(at.0.div_euclid(DAY_MS));
    let seconds = at.0.rem_euclid(DAY_MS) / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{:02}-{date:02} {hours:02}:{minutes:02}:{seconds:02}", month + 1)
}

fn zone(minutes: i32) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    let size = minutes.unsigned_abs();
    match (size / 60, size % 60) {
        (0, 0) => "UTC".to_owned(),
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, rest) => format!("UTC{sign}{hours}:{rest:02}"),
    }
}

/// Year, month from zero and day of the month of a day counted from 1 January 1970. Counts years from March, so that the
/// leap day is the last of its year.
fn calendar(day: i64) -> (i64, usize, i64) {
    let day = day + DAYS_BEFORE_EPOCH;
    let (cycle, day) = (day.div_euclid(DAYS_400_YEARS), day.rem_euclid(DAYS_400_YEARS));
    let starts = |year: i64| 365 * year + year / 4 - year / 100 + year / 400;
    let mut year = day / 365;
    while starts(year) > day {
        year -= 1;
    }
    let mut rest = day - starts(year);
    let mut month = 2_usize;
    for length in [31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    let year = cycle * 400 + year + i64::from(month > 11);
    (year, month % 12, rest + 1)
}
