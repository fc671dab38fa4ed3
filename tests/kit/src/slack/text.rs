//! Text as the platform keeps it and as people read it: three entities, angle brackets for links and mentions, and a few signs
//! that make words bold. What in a text reaches beyond words is found here.

/// Signs that people type and the platform keeps by name.
const EMOJI: [(&str, &str); 9] = [
    ("\u{1f44d}", ":+1:"),
    ("\u{1f44e}", ":-1:"),
    ("\u{2705}", ":white_check_mark:"),
    ("\u{274c}", ":x:"),
    ("\u{1f600}", ":grinning:"),
    ("\u{1f389}", ":tada:"),
    ("1\u{fe0f}\u{20e3}", ":one:"),
    ("2\u{fe0f}\u{20e3}", ":two:"),
    ("3\u{fe0f}\u{20e3}", ":three:"),
];
/// What may stand behind an address and is not part of it.
const TRAILING: [char; 7] = ['.', ',', ';', ':', '!', '?', ')'];
/// What pings many at once.
const EVERYBODY: [&str; 3] = ["@here", "@channel", "@everyone"];

/// Writes the three signs as entities.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Reads the three entities, once.
pub(super) fn unescape(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// What the platform keeps of what a person typed: entities, addresses in angle brackets, emoji by name.
pub(super) fn typed(text: &str) -> String {
    let mut kept = String::new();
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let (bare, rest) = word.split_at(bare.len());
        let address = bare.trim_end_matches(TRAILING);
        let (address, tail) = bare.split_at(address.len());
        if is_address(address) {
            kept.push_str(&format!("<{}>{tail}{rest}", escape(address)));
        } else if is_mail(address) {
            kept.push_str(&format!("<mailto:{address}|{address}>{tail}{rest}"));
        } else {
            kept.push_str(&escape(word));
        }
    }
    EMOJI.iter().fold(kept, |kept, (sign, name)| kept.replace(sign, name))
}

fn is_address(word: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| word.len() > scheme.len() && word.starts_with(scheme))
}

fn is_mail(word: &str) -> bool {
    word.split_once('@').is_some_and(|(name, host)| {
        let is_sane = |text: &str| {
            !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || ".-_+".contains(c))
        };
        is_sane(name) && is_sane(host) && host.contains('.')
    })
}

/// What people read where the platform keeps this.
pub(super) fn shown(text: &str) -> String {
    pieces(text)
        .into_iter()
        .map(|piece| match piece {
            Piece::Words(words) => unescape(words),
            Piece::Special { target, label } => match (label, target.strip_prefix('!')) {
                (Some(label), _) => unescape(label),
                (None, Some(group)) => format!("@{group}"),
                (None, None) => unescape(target),
            },
        })
        .collect()
}

/// What a text does beyond being read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    /// Whom it pings.
    pub(super) pings: Vec<String>,
    /// What it links to.
    pub(super) links: Vec<String>,
    /// Words that are bold, slanted, struck or code, with their signs.
    pub(super) styled: Vec<String>,
}

/// What of it the platform finds by itself in words without angle brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finds {
    Nothing,
    Addresses,
    AddressesAndNames,
}

impl Marks {
    /// Adds what is in a text with markup.
    pub(super) fn read(&mut self, text: &str, finds: Finds) {
        for piece in pieces(text) {
            match piece {
                Piece::Special { target, .. } if target.starts_with(['@', '!']) => {
                    self.pings.push(target.to_owned());
                }
                Piece::Special { target, .. } => self.links.push(unescape(target)),
                Piece::Words(words) => {
                    self.find(words, finds);
                    self.styled.extend(styled(words));
                }
            }
        }
    }

    fn find(&mut self, words: &str, finds: Finds) {
        if finds == Finds::Nothing {
            return;
        }
        for word in words.split_whitespace() {
            if let Some(at) = word.find("http://").or_else(|| word.find("https://")) {
                let (_, address) = word.split_at(at);
                let address = address.trim_end_matches(TRAILING);
                if is_address(address) {
                    self.links.push(unescape(address));
                }
            }
            let bare = word.trim_matches(|c: char| c.is_ascii_punctuation() && c != '@');
            if finds == Finds::AddressesAndNames && EVERYBODY.contains(&bare) {
                self.pings.push(bare.to_owned());
            }
        }
    }
}

enum Piece<'a> {
    Words(&'a str),
    /// What stood in angle brackets.
    Special {
        target: &'a str,
        label: Option<&'a str>,
    },
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(special) = next_special(rest) {
        let (before, inside, after) = special;
        pieces.push(Piece::Words(before));
        let (target, label) = match inside.split_once('|') {
            Some((target, label)) => (target, Some(label)),
            None => (inside, None),
        };
        pieces.push(Piece::Special { target, label });
        rest = after;
    }
    pieces.push(Piece::Words(rest));
    pieces
}

/// What is before, in and after the first angle brackets that mean something.
fn next_special(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let (_, later) = text.split_at(from);
        let open = from + later.find('<')?;
        let (before, rest) = text.split_at(open);
        let (inside, after) = rest.strip_prefix('<')?.split_once('>')?;
        let means = inside.starts_with(['@', '#', '!'])
            || inside.contains("://")
            || inside.starts_with("mailto:")
            || inside.starts_with("tel:");
        if means && !inside.contains('<') {
            return Some((before, inside, after));
        }
        from = open + 1;
    }
}

/// Words between two equal signs of style on one line, with the signs: as far as can be told without the platform's own reader.
fn styled(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let signs: Vec<char> = line.chars().collect();
        let is_edge = |sign: Option<&char>| sign.is_none_or(|sign| !sign.is_alphanumeric());
        let mut from = 0;
        while let Some(sign) = signs.get(from) {
            let opens = "*_~`".contains(*sign)
                && is_edge(from.checked_sub(1).and_then(|before| signs.get(before)))
                && signs.get(from + 1).is_some_and(|next| !next.is_whitespace() && next != sign);
            let closes = |at: usize| {
                signs.get(at) == Some(sign)
                    && signs.get(at - 1).is_some_and(|before| !before.is_whitespace())
                    && is_edge(signs.get(at + 1))
            };
            let end = (from + 2..signs.len()).find(|at| opens && closes(*at));
            if let Some(span) = end.and_then(|end| signs.get(from..=end)) {
                found.push(span.iter().collect());
            }
            from = end.unwrap_or(from) + 1;
        }
    }
    found
}
