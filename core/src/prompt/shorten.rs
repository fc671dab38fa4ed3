//! Shortens texts at grapheme boundaries in the platform's own unit, and keeps labels that were shortened together
//! different from each other. Decides neither what is shortened nor how far: [`super::fit`] does.

use std::borrow::Cow;
use std::collections::HashMap;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use crate::limits::Unit;

/// Stands for what was cut.
pub const ELLIPSIS: &str = "…";

/// `text` if it measures at most `max` units, else as many of its graphemes as fit with an ellipsis behind them; empty when
/// not even the ellipsis fits. Takes time in proportion to what is kept.
#[must_use]
pub fn shorten(text: &str, unit: Unit, max: usize) -> Cow<'_, str> {
    if fits(text, unit, max) {
        return Cow::Borrowed(text);
    }
    let room = max.saturating_sub(unit.measure(ELLIPSIS));
    let mut end = end_within(text, unit, room);
    loop {
        let kept = text.get(..end).unwrap_or_default().trim_end();
        let short = format!("{kept}{ELLIPSIS}");
        if unit.measure(&short) <= max {
            return Cow::Owned(short);
        }
        let Some((at, _)) = kept.grapheme_indices(true).next_back() else {
            return Cow::Borrowed("");
        };
        end = at;
    }
}

/// Whether `text` measures at most `max` units; looks no further than it must.
pub(super) fn fits(text: &str, unit: Unit, max: usize) -> bool {
    end_within(text, unit, max) == text.len()
}

/// Where the longest start of `text` ends that measures at most `max` units and splits no grapheme.
pub(super) fn end_within(text: &str, unit: Unit, max: usize) -> usize {
    // No unit counts more than one per byte, so a short text needs no walk.
    if text.len() <= max {
        return text.len();
    }
    let (mut end, mut size) = (0, 0);
    for grapheme in text.graphemes(true) {
        size += unit.measure(grapheme);
        if size > max {
            break;
        }
        end += grapheme.len();
    }
    // Columns do not always add up over graphemes; the whole start decides.
    while let Some((at, _)) = text.get(..end).and_then(|start| {
        if unit.measure(start) > max { start.grapheme_indices(true).next_back() } else { None }
    }) {
        end = at;
    }
    end
}

/// `labels`, each within `max` units and different from the others wherever `max` allows it: labels whose starts are the
/// same keep a start and the part where they differ.
#[must_use]
pub fn shorten_apart(labels: &[String], unit: Unit, max: usize) -> Vec<String> {
    let mut short: Vec<String> = labels.iter().map(|label| shorten(label, unit, max).into_owned()).collect();
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, text) in short.iter().enumerate() {
        groups.entry(text.clone()).or_default().push(index);
    }
    for mut group in groups.into_values().filter(|group| group.len() > 1) {
        group.sort_by_key(|index| labels.get(*index));
        for (position, index) in group.iter().enumerate() {
            let Some(label) = labels.get(*index) else { continue };
            let beside = [position.checked_sub(1), position.checked_add(1)];
            let shared = beside
                .into_iter()
                .flatten()
                .filter_map(|other| group.get(other).and_then(|other| labels.get(*other)))
                .map(|other| shared_start(label, other))
                .max();
            if let (Some(shared), Some(slot)) = (shared, short.get_mut(*index)) {
                *slot = around(label, shared, unit, max);
            }
        }
    }
    short
}

/// Bytes of the start that two texts share, at a grapheme boundary of the first.
fn shared_start(text: &str, other: &str) -> usize {
    let shared = text.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let shared = (0..=shared).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    let mut cursor = GraphemeCursor::new(shared, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => shared,
        _ => cursor.prev_boundary(text, 0).ok().flatten().unwrap_or_default(),
    }
}

/// A start of `text`, an ellipsis, and what follows byte `from`.
fn around(text: &str, from: usize, unit: Unit, max: usize) -> String {
    let start = shorten(text, unit, max / 3);
    // The grapheme before the difference shows where it sits, and keeps a text that ends there from looking empty.
    let before = text.get(..from).and_then(|start| start.grapheme_indices(true).next_back());
    let rest = text.get(before.map_or(from, |(at, _)| at)..).unwrap_or_default();
    let room = max.saturating_sub(unit.measure(&start));
    let both = format!("{start}{}", shorten(rest, unit, room));
    if unit.measure(&both) <= max { both } else { shorten(text, unit, max).into_owned() }
}

/// The largest number from `low` to `high` that fits, if `low` does. What fits must go on fitting below.
pub(super) fn largest(low: usize, high: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    if low > high || !fits(low) {
        return None;
    }
    let (mut good, mut bad) = (low, high.saturating_add(1));
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if fits(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(good)
}
