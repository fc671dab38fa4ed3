//! Prompts and notes to terminal text: wraps at word boundaries by columns, uses bold and dim where allowed, prints control
//! characters as visible stand-ins. Pure; adds, drops and rewords nothing.

use askrelay_core::prompt::{Body, Piece, Prompt, Style};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// How the terminal shows text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Columns of a line.
    pub columns: usize,
    /// Bold and dim may be used.
    pub styled: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Normal,
    Bold,
    Dim,
}

struct Cell {
    text: String,
    columns: usize,
    weight: Weight,
}

impl Cell {
    fn is_space(&self) -> bool {
        self.text == " "
    }
}

/// A Prompt as lines, each ended by a line feed.
#[must_use]
pub fn prompt(prompt: &Prompt, look: &Look) -> String {
    let mut out = String::new();
    for (index, Body(pieces)) in prompt.messages.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        write_pieces(pieces, look, &mut out);
    }
    out
}

/// The lines of a Prompt below those that it begins with as `above` does, which still stands right above.
pub(crate) fn continued(above: &Prompt, now: &Prompt, look: &Look) -> String {
    let (above, whole) = (prompt(above, look), prompt(now, look));
    let same: usize = whole
        .split_inclusive('\n')
        .zip(above.split_inclusive('\n'))
        .take_while(|(now, above)| now == above)
        .map(|(line, _)| line.len())
        .sum();
    let rest = whole.get(same..).unwrap_or_default().trim_start_matches('\n');
    if rest.is_empty() { whole } else { rest.to_owned() }
}

/// A note as lines, each ended by a line feed.
pub(crate) fn note(text: &str, look: &Look) -> String {
    let mut out = String::new();
    write_pieces(&[Piece { text: text.to_owned(), style: Style::Plain }], look, &mut out);
    out
}

fn write_pieces(pieces: &[Piece], look: &Look, out: &mut String) {
    let mut line: Vec<Cell> = Vec::new();
    for piece in pieces {
        let (text, weight) = match &piece.style {
            Style::Plain => (piece.text.clone(), Weight::Normal),
            Style::Strong => (piece.text.clone(), Weight::Bold),
            Style::Quiet => (piece.text.clone(), Weight::Dim),
            Style::Link(url) if *url == piece.text => (url.clone(), Weight::Normal),
            Style::Link(url) => (format!("{} ({url})", piece.text), Weight::Normal),
        };
        for (index, part) in text.replace("\r\n", "\n").split('\n').enumerate() {
            if index > 0 {
                write_line(&std::mem::take(&mut line), look, out);
            }
            line.extend(harmless(part).graphemes(true).map(|cell| Cell {
                columns: cell.width(),
                text: cell.to_owned(),
                weight,
            }));
        }
    }
    write_line(&line, look, out);
}

/// The text with nothing in it that a terminal obeys or that changes the direction of reading.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            '\u{0}'..='\u{1f}' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            '\u{7f}' => out.push('\u{2421}'),
            '\u{80}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(c),
        }
    }
    out
}

fn write_line(line: &[Cell], look: &Look, out: &mut String) {
    let indent = hanging_indent(line).min(look.columns / 2);
    let mut start = 0;
    loop {
        let room = look.columns - if start == 0 { 0 } else { indent };
        let end = line_end(line, start, room);
        if start > 0 {
            out.extend(std::iter::repeat_n(' ', indent));
        }
        let visible = &line[start..end];
        let visible = match visible.iter().rposition(|cell| !cell.is_space()) {
            Some(last) => &visible[..=last],
            None => &[],
        };
        write_cells(visible, look.styled, out);
        out.push('\n');
        start = end + line[end..].iter().take_while(|cell| cell.is_space()).count();
        if start >= line.len() {
            return;
        }
    }
}

/// Where the line that begins at `start` ends: before the last word that does not fit, or inside a word longer than a line.
fn line_end(line: &[Cell], start: usize, room: usize) -> usize {
    let mut width = 0;
    let mut in_word = false;
    let mut word_ends = None;
    for (index, cell) in line.iter().enumerate().skip(start) {
        // Scripts of wide characters write no spaces: a line may end before any of them.
        if in_word && (cell.is_space() || cell.columns > 1) {
            word_ends = Some(index);
        }
        in_word = !cell.is_space();
        width += cell.columns;
        if width > room && in_word {
            return word_ends.unwrap_or(index.max(start + 1));
        }
    }
    line.len()
}

/// How far the lines after the first stand in: under the text behind leading spaces and a marker such as `1. ` or `#1 `.
fn hanging_indent(line: &[Cell]) -> usize {
    let spaces = line.iter().take_while(|cell| cell.is_space()).count();
    let marker: String =
        line[spaces..].iter().take_while(|cell| !cell.is_space()).map(|c| &*c.text).collect();
    let digits = marker.trim_start_matches('#').trim_end_matches('.');
    let numbered = marker != digits && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if numbered || marker == "-" { spaces + marker.len() + 1 } else { spaces }
}

fn write_cells(cells: &[Cell], styled: bool, out: &mut String) {
    let mut current = Weight::Normal;
    for cell in cells {
        if styled && cell.weight != current {
            turn(current, cell.weight, out);
            current = cell.weight;
        }
        out.push_str(&cell.text);
    }
    if styled {
        turn(current, Weight::Normal, out);
    }
}

/// ECMA-48 SGR: 1 bold, 2 dim, 22 neither.
fn turn(from: Weight, to: Weight, out: &mut String) {
    if from != to && from != Weight::Normal {
        out.push_str("\u{1b}[22m");
    }
    match to {
        Weight::Bold if from != to => out.push_str("\u{1b}[1m"),
        Weight::Dim if from != to => out.push_str("\u{1b}[2m"),
        _ => {}
    }
}
