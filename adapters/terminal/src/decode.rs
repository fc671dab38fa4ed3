//! Typed bytes to Reports: cuts lines, joins continued ones, drops what is no text. Pure; what a line means is the core's.

use askrelay_core::port::{Act, Reply, Report, Sender, SenderKind};
use askrelay_core::time::Time;

use crate::config::Seat;
use crate::limits::REPLY_BYTES;

/// What the next Enter made of the bytes so far.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A whole reply.
    Whole(String),
    /// Its last line ended in a backslash; more follows.
    Continued,
    /// Nothing that could be a reply; why, for the person.
    Dropped(&'static str),
}

/// Cuts bytes into lines.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    line: Vec<u8>,
    earlier: String,
    too_long: bool,
}

impl Lines {
    /// Takes the next bytes and gives the lines that they end.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, ends) = part.strip_suffix(b"\n").map_or((part, false), |text| (text, true));
            if self.earlier.len() + self.line.len() + text.len() > REPLY_BYTES {
                self.too_long = true;
            } else {
                self.line.extend_from_slice(text);
            }
            if ends {
                lines.push(self.end_line());
            }
        }
        lines
    }

    fn end_line(&mut self) -> Line {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        let backslashes = line.iter().rev().take_while(|byte| **byte == b'\\').count();
        let kept = if backslashes == 0 { line } else { &line[..line.len() - 1] };
        if let Ok(text) = str::from_utf8(kept)
            && !self.too_long
        {
            self.earlier.push_str(text);
            if backslashes == 1 {
                self.earlier.push('\n');
                return Line::Continued;
            }
            return Line::Whole(std::mem::take(&mut self.earlier));
        }
        self.earlier.clear();
        if std::mem::take(&mut self.too_long) {
            Line::Dropped("That was too long; nothing of it was taken.")
        } else {
            Line::Dropped("That was not UTF-8 text; nothing of it was taken.")
        }
    }
}

/// The Report of one line: the `position`th thing that happened in this terminal, read at `at`.
pub(crate) fn replied(text: String, position: i64, at: Time, seat: &Seat) -> Report {
    Report::Replied(Box::new(Reply {
        update: position.to_string().into(),
        place: seat.place.clone(),
        sender: Sender {
            identity: seat.identity.clone(),
            display_name: seat.display_name.clone(),
            kind: SenderKind::Human,
            granted: Default::default(),
        },
        at,
        position: Some(position),
        private: true,
        message: None,
        ack: None,
        act: Act::Text { text: Some(text), reply_to: None, addressed: true },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row<'a> = (&'a str, &'a [&'a [u8]], Vec<Line>);

    fn whole(text: &str) -> Line {
        Line::Whole(text.to_owned())
    }

    #[test]
    fn lines_are_cut_joined_and_dropped() {
        let long = vec![b'x'; REPLY_BYTES + 1];
        let too_long = Line::Dropped("That was too long; nothing of it was taken.");
        let no_text = || Line::Dropped("That was not UTF-8 text; nothing of it was taken.");
        let rows: [Row<'_>; 12] = [
            ("one line", &[b"2\n"], vec![whole("2")]),
            ("a line in parts", &[b"sta", b"ging", b"\n"], vec![whole("staging")]),
            ("several at once", &[b"1\n2\n"], vec![whole("1"), whole("2")]),
            ("an empty line", &[b"\n"], vec![whole("")]),
            ("a carriage return", &[b"2\r\n"], vec![whole("2")]),
            ("white space is kept", &[b"  a\t\n"], vec![whole("  a\t")]),
            ("one backslash continues", &[b"one\\\ntwo\n"], vec![Line::Continued, whole("one\ntwo")]),
            ("two end in one", &[b"C:\\dir\\\\\n"], vec![whole("C:\\dir\\")]),
            ("without Enter nothing counts", &[b"2"], vec![]),
            ("no text", &[b"\xff\n2\n"], vec![no_text(), whole("2")]),
            ("no text in a continuation", &[b"a\\\n\xff\n2\n"], vec![Line::Continued, no_text(), whole("2")]),
            ("too long", &[&long, b"\n2\n"], vec![too_long, whole("2")]),
        ];
        for (name, parts, expected) in rows {
            let mut lines = Lines::default();
            let got: Vec<Line> = parts.iter().flat_map(|part| lines.feed(part)).collect();
            assert_eq!(got, expected, "{name}");
        }
    }
}
