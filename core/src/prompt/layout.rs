//! Lays lines of styled text out into messages: wraps at words, then at graphemes, packs whole lines, and says when there is
//! no room. Adds, drops and shortens nothing itself.

use std::ops::Range;

use super::shorten::end_within;
use super::{Body, Piece, Style};
use crate::limits::{Limits, Unit};

/// One line: pieces without line breaks.
pub(super) type Line = Vec<Piece>;

/// The room that messages have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) unit: Unit,
    /// Most units of one message.
    pub(super) message: usize,
    /// Most messages.
    pub(super) messages: usize,
    /// Most units of one line.
    pub(super) line: usize,
}

impl Room {
    /// All the room that the limits give.
    pub(super) fn of(limits: &Limits) -> Self {
        let line = limits.line.unwrap_or(limits.message).min(limits.message);
        Self { unit: limits.unit, message: limits.message, messages: limits.messages.max(1), line }
    }

    /// The same for one message.
    pub(super) const fn one(self) -> Self {
        Self { messages: 1, ..self }
    }

    /// The lines as messages; nothing when they need more than there may be. Paragraphs stay together where that takes no
    /// message too many.
    pub(super) fn lay(&self, lines: &[Line]) -> Option<Vec<Body>> {
        let wrapped = self.wrap(lines)?;
        let paragraphs: Vec<&[Line]> =
            wrapped.split(Vec::is_empty).filter(|lines| !lines.is_empty()).collect();
        self.pack(&paragraphs, true).or_else(|| self.pack(&paragraphs, false))
    }

    /// The lines cut to the line's length; nothing as soon as all messages together are too small for them.
    fn wrap(&self, lines: &[Line]) -> Option<Vec<Line>> {
        let mut left = self.message.saturating_mul(self.messages);
        let mut out = Vec::new();
        for line in lines {
            let text = text_of(line);
            if text.is_empty() {
                out.push(Line::new());
            }
            let mut from = 0;
            while from < text.len() {
                let (part, next) = self.next_part(&text, from)?;
                left = left.checked_sub(self.unit.measure(text.get(part.clone())?))?;
                out.push(slice(line, part));
                from = next;
            }
        }
        Some(out)
    }

    fn pack(&self, paragraphs: &[&[Line]], together: bool) -> Option<Vec<Body>> {
        let mut sheets = Sheets { room: self, done: Vec::new(), open: Vec::new(), size: 0 };
        for paragraph in paragraphs {
            sheets.begin(paragraph, together)?;
            for line in *paragraph {
                sheets.put(line)?;
            }
        }
        sheets.finish()
    }

    /// The next stretch of `text` from byte `from` that fits a line, and where the one after it starts; nothing when not
    /// even one grapheme fits.
    fn next_part(&self, text: &str, from: usize) -> Option<(Range<usize>, usize)> {
        let rest = text.get(from..)?;
        let end = end_within(rest, self.unit, self.line);
        if end == rest.len() {
            return Some((from..text.len(), text.len()));
        }
        if end == 0 {
            return None;
        }
        let start = rest.get(..end)?;
        let at_word = rest.get(end..)?.starts_with(' ');
        let cut = if at_word { Some(end) } else { start.rfind(' ') };
        let kept = cut.and_then(|cut| start.get(..cut)).map_or(0, |kept| kept.trim_end().len());
        // A word that would leave most of the line empty, such as a marker alone, is torn instead.
        let kept = if kept > end / 3 { kept } else { end };
        let skipped = rest.get(kept..)?.len() - rest.get(kept..)?.trim_start_matches(' ').len();
        Some((from..from + kept, from + kept + skipped))
    }
}

/// Messages in the making.
struct Sheets<'a> {
    room: &'a Room,
    done: Vec<Body>,
    open: Vec<Line>,
    size: usize,
}

impl Sheets<'_> {
    /// Puts a blank line before a paragraph, or a new message where it would be torn and need not be.
    fn begin(&mut self, paragraph: &[Line], together: bool) -> Option<()> {
        if self.open.is_empty() {
            return Some(());
        }
        let newline = self.room.unit.measure("\n");
        let size: usize = paragraph.iter().map(|line| newline + self.room.unit.measure(&text_of(line))).sum();
        let torn = self.size + newline + size > self.room.message;
        let first = paragraph.first().map_or(0, |line| newline + self.room.unit.measure(&text_of(line)));
        let no_line = self.size + newline + first > self.room.message;
        if no_line || (together && torn && size <= self.room.message + newline) {
            return self.close();
        }
        self.size += newline;
        self.open.push(Line::new());
        Some(())
    }

    fn put(&mut self, line: &Line) -> Option<()> {
        let size = self.room.unit.measure(&text_of(line));
        let more = self.room.unit.measure("\n") + size;
        if self.open.is_empty() {
            self.size = size;
        } else if self.size + more <= self.room.message {
            self.size += more;
        } else {
            self.close()?;
            self.size = size;
        }
        self.open.push(line.clone());
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        if self.done.len() >= self.room.messages {
            return None;
        }
        self.done.push(join(std::mem::take(&mut self.open)));
        Some(())
    }

    fn finish(mut self) -> Option<Vec<Body>> {
        if !self.open.is_empty() {
            self.close()?;
        }
        Some(self.done)
    }
}

fn text_of(line: &Line) -> String {
    line.iter().map(|piece| piece.text.as_str()).collect()
}

/// The pieces of a line that make up these bytes of its text.
fn slice(line: &[Piece], part: Range<usize>) -> Line {
    let mut out = Line::new();
    let mut from = 0;
    for piece in line {
        let end = from + piece.text.len();
        let (start, stop) = (part.start.max(from), part.end.min(end));
        if let Some(text) = (start < stop).then(|| piece.text.get(start - from..stop - from)).flatten() {
            out.push(Piece { text: text.to_owned(), style: piece.style.clone() });
        }
        from = end;
    }
    out
}

/// Lines as one body, pieces of one style merged.
fn join(lines: Vec<Line>) -> Body {
    let mut pieces: Vec<Piece> = Vec::new();
    for (index, line) in lines.into_iter().enumerate() {
        let newline = (index > 0).then(|| Piece { text: "\n".to_owned(), style: Style::Plain });
        for piece in newline.into_iter().chain(line) {
            match pieces.last_mut() {
                Some(last) if last.style == piece.style => last.text.push_str(&piece.text),
                _ => pieces.push(piece),
            }
        }
    }
    Body(pieces)
}

/// One line of one style.
pub(super) fn plain(text: impl Into<String>) -> Line {
    vec![Piece { text: text.into(), style: Style::Plain }]
}

/// One line that is less prominent.
pub(super) fn quiet(text: impl Into<String>) -> Line {
    vec![Piece { text: text.into(), style: Style::Quiet }]
}

/// One strong line.
pub(super) fn strong(text: impl Into<String>) -> Line {
    vec![Piece { text: text.into(), style: Style::Strong }]
}
