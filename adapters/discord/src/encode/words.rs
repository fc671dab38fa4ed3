//! Text as the platform's markdown. What is only text stays text: no markup, mention or link is found in it. Counts code points
//! as they are sent, and knows no controls.

use askrelay_core::prompt::shorten::shorten;
use askrelay_core::prompt::{Piece, Style};
use reqwest::Url;

use crate::limits::LIMITS;

/// How a text is drawn, the best first; the next where the one before has no room.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Drawing {
    /// With the look of its pieces.
    Styled,
    /// Without.
    Plain,
    /// With a sign that looks the same in place of each that means something.
    Wide,
}

/// The text of one message.
pub(super) fn of(pieces: &[Piece]) -> String {
    within(pieces, LIMITS.message)
}

/// The text of one message without any look.
pub(super) fn plain(text: &str) -> String {
    of(&[Piece { text: text.to_owned(), style: Style::Plain }])
}

/// The same within so much room, cut where even the least of it has none.
pub(super) fn short(text: &str, room: usize) -> String {
    let text = shorten(text, LIMITS.unit, room).into_owned();
    within(&[Piece { text, style: Style::Plain }], room)
}

fn within(pieces: &[Piece], room: usize) -> String {
    let drawn = [Drawing::Styled, Drawing::Plain, Drawing::Wide].map(|drawing| draw(pieces, drawing));
    let [styled, plain, wide] = drawn;
    [styled, plain].into_iter().find(|text| LIMITS.unit.measure(text) <= room).unwrap_or(wide)
}

/// The platform opens an address only if it is one of the web; a host without a dot it may refuse together with the whole
/// message.
pub(super) fn address(url: &str) -> Option<Url> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?;
    let opens = host.contains('.') || host.starts_with('[');
    (opens && matches!(url.scheme(), "http" | "https")).then_some(url)
}

fn draw(pieces: &[Piece], drawing: Drawing) -> String {
    let mut drawn = Drawn { text: String::new(), wide: drawing == Drawing::Wide };
    let mut pieces = pieces.iter().filter(|piece| !piece.text.is_empty()).peekable();
    while let Some(piece) = pieces.next() {
        let ends_line = pieces.peek().is_none_or(|next| next.text.starts_with('\n'));
        match (&piece.style, address_of(piece)) {
            (Style::Link(_), Some(url)) if drawing != Drawing::Wide => drawn.link(&piece.text, &url),
            (Style::Strong, _) if drawing == Drawing::Styled => drawn.strong(&piece.text),
            (Style::Quiet, _) if drawing == Drawing::Styled => drawn.quiet(&piece.text, ends_line),
            _ => drawn.escaped(&piece.text),
        }
    }
    drawn.text
}

fn address_of(piece: &Piece) -> Option<Url> {
    match &piece.style {
        Style::Link(url) => address(url),
        _ => None,
    }
}

/// A text in the making.
struct Drawn {
    text: String,
    wide: bool,
}

impl Drawn {
    fn strong(&mut self, text: &str) {
        self.each_line(text, |drawn, line, _| drawn.marked("**", line));
    }

    /// A line of its own is small, anything else slanted.
    fn quiet(&mut self, text: &str, ends_line: bool) {
        self.each_line(text, |drawn, line, last| {
            if drawn.is_at_line_start() && (ends_line || !last) {
                drawn.text.push_str("-# ");
                drawn.escaped(line);
            } else {
                drawn.marked("*", line);
            }
        });
    }

    fn marked(&mut self, mark: &str, text: &str) {
        if self.text.ends_with('*') {
            // Otherwise the two marks would be one.
            self.text.push(NOTHING);
        }
        self.text.push_str(mark);
        self.escaped(text);
        self.text.push_str(mark);
    }

    /// Every line without the space around it, which stays outside.
    fn each_line(&mut self, text: &str, draw: impl Fn(&mut Self, &str, bool)) {
        let mut lines = text.split('\n').peekable();
        while let Some(line) = lines.next() {
            let inner = line.trim();
            let before = line.len() - line.trim_start().len();
            if !inner.is_empty() {
                self.text.push_str(line.get(..before).unwrap_or_default());
                draw(self, inner, lines.peek().is_none());
                self.text.push_str(line.get(before + inner.len()..).unwrap_or_default());
            } else {
                self.text.push_str(line);
            }
            if lines.peek().is_some() {
                self.text.push('\n');
            }
        }
    }

    /// In angle brackets, an address has no preview.
    fn link(&mut self, text: &str, url: &Url) {
        if text.trim() == url.as_str() || Url::parse(text.trim()).ok().as_ref() == Some(url) {
            self.text.push_str(&format!("<{url}>"));
        } else {
            self.text.push('[');
            self.escaped(text);
            self.text.push_str(&format!("](<{url}>)"));
        }
    }

    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            if !self.means_something(c) {
                self.text.push(c);
            } else if self.wide {
                self.text.push(alike(c));
            } else {
                self.text.push('\\');
                self.text.push(c);
            }
        }
    }

    /// Whether the platform would read more than the sign itself in it.
    fn means_something(&self, c: char) -> bool {
        match c {
            '\\' | '*' | '_' | '~' | '`' | '|' | '<' | '[' | '@' => true,
            // An address becomes a link by `://`.
            '/' => self.text.ends_with(":/"),
            '#' | '-' | '+' | '>' => self.is_at_line_start(),
            '.' | ')' => {
                self.line().trim_start().chars().all(|c| c.is_ascii_digit()) && !self.is_at_line_start()
            }
            _ => false,
        }
    }

    fn line(&self) -> &str {
        self.text.rsplit('\n').next().unwrap_or_default()
    }

    fn is_at_line_start(&self) -> bool {
        self.line().trim_start().is_empty()
    }
}

/// A space without width.
const NOTHING: char = '\u{200B}';

/// A sign that looks the same and means nothing.
const fn alike(c: char) -> char {
    match c {
        '\\' => '\u{FF3C}',
        '*' => '\u{2217}',
        '_' => '\u{FF3F}',
        '~' => '\u{223C}',
        '`' => '\u{02CB}',
        '|' => '\u{2223}',
        '<' => '\u{2039}',
        '>' => '\u{203A}',
        '[' => '\u{FF3B}',
        '@' => '\u{FF20}',
        '/' => '\u{2215}',
        '#' => '\u{FF03}',
        '-' => '\u{2010}',
        '+' => '\u{FF0B}',
        '.' => '\u{2024}',
        ')' => '\u{FF09}',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_stays_text() {
        let rows = [
            ("as it is", "Where should this release go?", "Where should this release go?"),
            ("looks", "*a* _b_ ~~c~~ `d` ||e||", "\\*a\\* \\_b\\_ \\~\\~c\\~\\~ \\`d\\` \\|\\|e\\|\\|"),
            ("a mention", "<@80351110224678912> @everyone", "\\<\\@80351110224678912> \\@everyone"),
            ("a link", "[a](https://evil.example)", "\\[a](https:/\\/evil.example)"),
            ("a list", "1. Red\n2) Blue\n- Green\n  * Lilac", "1\\. Red\n2\\) Blue\n\\- Green\n  \\* Lilac"),
            ("no list", "v1.2 - fine", "v1.2 - fine"),
            ("a title", "# Big\n-# small\n> said", "\\# Big\n\\-# small\n\\> said"),
            ("what escapes", "\\*", "\\\\\\*"),
            ("emoji and scripts", "🙂 Straße 日本", "🙂 Straße 日本"),
        ];
        for (name, text, expected) in rows {
            assert_eq!(plain(text), expected, "{name}");
        }
    }

    fn piece(text: &str, style: Style) -> Piece {
        Piece { text: text.to_owned(), style }
    }

    #[test]
    fn looks_are_drawn_where_they_can_be() {
        let link = |url: &str| Style::Link(url.to_owned());
        let rows = [
            ("strong", vec![piece(" Go?\n", Style::Strong)], " **Go?**\n"),
            ("strong lines", vec![piece("One\n\nTwo", Style::Strong)], "**One**\n\n**Two**"),
            (
                "a quiet line",
                vec![piece("Go?\n", Style::Plain), piece("by ci", Style::Quiet)],
                "Go?\n-# by ci",
            ),
            ("quiet words", vec![piece("by ci", Style::Quiet), piece(" now", Style::Plain)], "*by ci* now"),
            ("side by side", vec![piece("a", Style::Strong), piece("b", Style::Quiet)], "**a**\u{200B}*b*"),
            (
                "an address",
                vec![piece("https://ci.example.org/5", link("https://ci.example.org/5"))],
                "<https://ci.example.org/5>",
            ),
            (
                "a named link",
                vec![piece("run [5]", link("https://ci.example.org/a b"))],
                "[run \\[5]](<https://ci.example.org/a%20b>)",
            ),
            ("no web address", vec![piece("run", link("javascript:alert(1)"))], "run"),
        ];
        for (name, pieces, expected) in rows {
            assert_eq!(of(&pieces), expected, "{name}");
        }
    }

    /// What a person reads: without the signs that escape.
    fn read(text: &str) -> String {
        let mut read = String::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            read.extend(if c == '\\' { chars.next() } else { Some(c) });
        }
        read
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn nothing_is_lost_and_nothing_means_more(text in "[ \\n0-9a-c*_~`|<>\\[\\]()@#+./:\\\\-]{0,60}") {
            let drawn = plain(&text);
            prop_assert_eq!(read(&drawn), text);
            prop_assert!(!drawn.contains("://"), "{}", drawn);
        }

        #[test]
        fn a_text_that_fits_stays_one(count in 0_usize..2001, sign in "[*a@.\\\\]") {
            let text = sign.repeat(count);
            prop_assert!(plain(&text).chars().count() <= LIMITS.message);
        }
    }
}
