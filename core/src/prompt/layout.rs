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

    /// The lines as messages; nothing when they need more than there may be.
    pub(super) fn lay(&self, lines: &[Line]) -> Option<Vec<Body>> {
        let mut sheets = Sheets { room: self, done: Vec::new(), open: Vec::new(), size: 0 };
        for line in lines {
            if line.iter().all(|piece| piece.text.is_empty()) {
                sheets.put(Line::new())?;
            }
            let text: String = line.iter().map(|piece| piece.text.as_str()).collect();
            let mut from = 0;
            while from < text.len() {
                let part = self.next_part(&text, from)?;
                sheets.put(slice(line, part.0))?;
                from = part.1;
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
        let kept =
            cut.map(|cut| start.get(..cut).unwrap_or_default().trim_end().len()).filter(|kept| *kept > 0);
        let kept = kept.unwrap_or(end);
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
    fn put(&mut self, line: Line) -> Option<()> {
        let text: String = line.iter().map(|piece| piece.text.as_str()).collect();
        let size = self.room.unit.measure(&text);
        let more = self.room.unit.measure("\n") + size;
        if self.open.is_empty() {
            if text.is_empty() {
                return Some(());
            }
            self.size = size;
        } else if self.size + more <= self.room.message {
            self.size += more;
        } else if text.is_empty() {
            return Some(());
        } else {
            self.close()?;
            self.size = size;
        }
        self.open.push(line);
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        while self.open.last().is_some_and(Vec::is_empty) {
            self.open.pop();
        }
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
