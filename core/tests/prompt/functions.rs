//! Tables of the single functions behind a Prompt: shortening, times.

use askrelay_core::limits::Unit;
use askrelay_core::prompt::shorten::{ELLIPSIS, shorten, shorten_apart};
use askrelay_core::prompt::when::{clock, stamp};
use askrelay_core::time::Time;
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use crate::asks::NOW;

const UNITS: [Unit; 5] = [Unit::CodePoints, Unit::Utf16, Unit::Bytes, Unit::Graphemes, Unit::Columns];

#[test]
fn texts_are_cut_at_graphemes_in_the_platforms_unit() {
    for (name, unit, text, max, want) in [
        ("fits", Unit::CodePoints, "Production", 10, "Production"),
        ("one too many", Unit::CodePoints, "Production!", 10, "Productio…"),
        ("white space goes", Unit::CodePoints, "four five six", 10, "four five…"),
        ("a family is one", Unit::Graphemes, "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 2, "👩‍👩‍👧…"),
        ("a family is never torn", Unit::CodePoints, "a👩‍👩‍👧b", 5, "a…"),
        ("bytes", Unit::Bytes, "日本語", 8, "日…"),
        ("wide columns", Unit::Columns, "日本語", 5, "日本…"),
        ("surrogates count two", Unit::Utf16, "🙂🙂🙂", 5, "🙂🙂…"),
        ("only room for the ellipsis", Unit::CodePoints, "abc", 1, "…"),
        ("no room", Unit::Bytes, "abcd", 2, ""),
    ] {
        assert_eq!(shorten(text, unit, max), want, "{name}");
    }
}

#[test]
fn labels_shortened_together_stay_apart() {
    for (name, max, labels, want) in [
        ("different starts", 6, ["staging area", "production"], ["stagi…", "produ…"]),
        ("same start", 16, ["deploy to region one", "deploy to region two"], ["depl… one", "depl… two"]),
        (
            "one is the other's start",
            12,
            ["the same long start", "the same long start, and more"],
            ["the…t", "the…t, and…"],
        ),
    ] {
        let labels = labels.map(str::to_owned);
        assert_eq!(shorten_apart(&labels, Unit::CodePoints, max), want, "{name}");
    }
}

#[test]
fn times_are_printed_with_the_day_only_when_it_is_another() {
    let minute = 60_000;
    let day = 24 * 60 * minute;
    for (name, at, zone, want) in [
        ("now", 0, 0, "18:20 UTC"),
        ("later today", 45 * minute, 0, "19:05 UTC"),
        ("tomorrow", 6 * 60 * minute, 0, "1 Dec 00:20 UTC"),
        ("tomorrow here, not there", 45 * minute, 330, "1 Dec 00:35 UTC+5:30"),
        ("west", 0, -210, "14:50 UTC-3:30"),
        ("whole hours", 0, 120, "20:20 UTC+2"),
        ("next year", 32 * day, 0, "1 Jan 2027 18:20 UTC"),
        ("a leap day", 456 * day, 0, "29 Feb 2028 18:20 UTC"),
        ("the day after", 457 * day, 0, "1 Mar 2028 18:20 UTC"),
        ("the epoch", -NOW.0, 0, "1 Jan 1970 00:00 UTC"),
        ("before it", -NOW.0 - minute, 0, "31 Dec 1969 23:59 UTC"),
    ] {
        // Zones move "now" as well, so only the printed day tells them apart.
        let now = if zone == 330 { Time(NOW.0 - 60 * minute) } else { NOW };
        assert_eq!(clock(Time(NOW.0 + at), now, zone), want, "{name}");
    }
}

#[test]
fn a_stamp_sorts() {
    for (name, at, want) in [
        ("now", NOW.0, "2026-11-30 18:20:00"),
        ("a leap day", 1_835_418_645_999, "2028-02-29 06:30:45"),
        ("the epoch", 0, "1970-01-01 00:00:00"),
        ("before it", -1, "1969-12-31 23:59:59"),
    ] {
        assert_eq!(stamp(Time(at)), want, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn short_texts_fit_and_are_a_start_of_the_whole(text in "\\PC{0,60}", max in 0_usize..70, unit in 0_usize..5) {
        let unit = UNITS[unit];
        let short = shorten(&text, unit, max);
        prop_assert!(unit.measure(&short) <= max);
        if unit.measure(&text) <= max {
            prop_assert_eq!(&*short, &text);
        } else if let Some(start) = short.strip_suffix(ELLIPSIS) {
            prop_assert!(text.starts_with(start));
            let bounds: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).collect();
            let rest = text.get(start.len()..).unwrap_or_default();
            let spaces = rest.len() - rest.trim_start().len();
            prop_assert!((start.len()..=start.len() + spaces).any(|end| bounds.contains(&end)));
        } else {
            prop_assert!(short.is_empty());
        }
    }

    #[test]
    fn any_time_prints(at in any::<i64>(), now in any::<i64>(), zone in -900_i32..900) {
        prop_assert!(clock(Time(at), Time(now), zone).contains("UTC"));
    }
}
