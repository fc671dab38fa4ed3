//! Makes texts of agents and people harmless to show: no control, direction or invisible formatting characters, no endless
//! grapheme. Changes only what is shown, never what is stored or delivered, and writes no markup.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

/// Most code points of one grapheme; what stacks higher is cut, so that one grapheme always fits a message.
const GRAPHEME_CHARS_MAX: usize = 16;

/// `text` with its line breaks, at most one blank line in a row, without white space at the ends.
pub(super) fn paragraph(text: &str) -> String {
    let shown = visible(text);
    let mut out = String::with_capacity(shown.len());
    let mut breaks = 0;
    for line in shown.lines().map(str::trim_end) {
        if line.is_empty() {
            breaks += 1;
            continue;
        }
        if !out.is_empty() {
            out.push_str(if breaks == 0 { "\n" } else { "\n\n" });
        }
        breaks = 0;
        out.push_str(line);
    }
    out.trim().to_owned()
}

/// `text` of an agent or a person on one line, harmless to show: without control, bidi and other invisible characters, and
/// without white space at the ends.
#[must_use]
pub fn line(text: &str) -> String {
    visible(text).replace('\n', " ").trim_matches(|c: char| c.is_whitespace() || is_joiner(c)).to_owned()
}

/// Whether a reader sees nothing of it.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_joiner(c) || is_filler(c))
}

/// Every line break as `\n`, tabs as spaces, other controls as their visible pictures, formatting characters dropped.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_flag = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let tag = ('\u{E0020}'..='\u{E007F}').contains(&c);
        in_flag = c == '\u{1F3F4}' || (in_flag && tag);
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\t' => out.push(' '),
            ' '..='~' => out.push(c),
            _ if tag && in_flag => out.push(c),
            _ if is_joiner(c) => out.push(c),
            _ => match c.general_category() {
                GeneralCategory::Control => out.push(picture(c)),
                GeneralCategory::Format => {}
                _ => out.push(c),
            },
        }
    }
    if out.is_ascii() { out } else { cut_stacks(out) }
}

/// The visible picture of a control character.
fn picture(control: char) -> char {
    match u32::from(control) {
        code @ 0..=0x1F => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7F => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

fn cut_stacks(text: String) -> String {
    let high =
        |grapheme: &str| grapheme.len() > GRAPHEME_CHARS_MAX && grapheme.chars().count() > GRAPHEME_CHARS_MAX;
    if !text.graphemes(true).any(high) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for grapheme in text.graphemes(true) {
        let end = grapheme.char_indices().nth(GRAPHEME_CHARS_MAX).map_or(grapheme.len(), |(at, _)| at);
        let kept = grapheme.get(..end).unwrap_or(grapheme);
        // A joiner left at the cut would glue the next grapheme on.
        out.push_str(if end < grapheme.len() { kept.trim_end_matches(is_joiner) } else { kept });
    }
    out
}

/// Joiners shape emoji and several scripts; alone they are invisible.
const fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

/// Letters that draw nothing.
const fn is_filler(c: char) -> bool {
    matches!(c, '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' | '\u{2800}' | '\u{FE00}'..='\u{FE0F}')
}
