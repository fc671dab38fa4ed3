//! Marks that a person sets on purpose: `other: …` before own words (rule 11) and ticks in a copied list. Reads no choices.

use super::Reason;
use super::asked::Asked;
use super::fold::trim;
use super::one::Outcome;
use super::token::{Kind, Token, tokens};
use super::words::{Lists, words};

/// No marker is longer than this, in bytes.
const MARKER_BYTES_MAX: usize = 64;

/// The text after a marker for own words, verbatim.
pub(super) fn marked(asked: &Asked<'_>, text: &str) -> Option<Outcome> {
    let head = text.get(..text.floor_char_boundary(MARKER_BYTES_MAX))?;
    if !asked.takes_text() || !head.contains([':', '：', '=', '-', '–', '—', '﹕']) {
        return None;
    }
    let tokens = tokens(head);
    let start = tokens.iter().take_while(|t| matches!(t.kind, Kind::Sign('*' | '_' | '"' | '`'))).count();
    let (end, _) = words().longest(&tokens, start).filter(|(_, entry)| entry.lists.any(Lists::OTHER))?;
    let mut at = end;
    while tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Sign('*' | '_' | '"' | '`'))) {
        at += 1;
    }
    let mark = tokens.get(at)?;
    let parts = match mark.kind {
        Kind::Sign(':' | '=') => true,
        Kind::Sign('-') => tokens.get(at + 1).is_none_or(|next| next.spaced),
        _ => false,
    };
    let rest = trim(text.get(mark.end()..)?.trim_start_matches(['*', '_']));
    parts.then(|| if rest.is_empty() { Outcome::unclear(Reason::Empty) } else { Outcome::own(rest) })
}

/// Whether a label is not a choice but stands for own words, in any of the languages: `Other`, `Andere…`, `其他（请说明）`.
#[must_use]
pub fn stands_for_own_words(label: &str) -> bool {
    let label = trim(label);
    let tokens = tokens(label.get(..label.floor_char_boundary(MARKER_BYTES_MAX)).unwrap_or_default());
    let known = words().longest(&tokens, 0).filter(|(_, entry)| entry.lists.any(Lists::OTHER));
    let Some(rest) = known.and_then(|(end, _)| tokens.get(end..)) else { return false };
    let is_sign = |token: &Token| matches!(token.kind, Kind::Sign(_));
    rest.iter().all(is_sign) || rest.first().is_some_and(|token| matches!(token.kind, Kind::Sign('(' | '（')))
}

/// The ticked lines of a copied task list without their boxes, if the text is one.
pub(super) fn ticked(text: &str) -> Option<String> {
    if !text.contains(['[', '☐', '☑', '☒', '［']) || text.ends_with(['?', '？', '؟']) {
        return None;
    }
    let mut seen = false;
    let mut kept = String::new();
    for line in text.lines() {
        match tick(line) {
            Some((ticked, rest)) => {
                seen = true;
                if ticked && !rest.is_empty() {
                    if !kept.is_empty() {
                        kept.push('\n');
                    }
                    kept.push_str(rest);
                }
            }
            None if trim(line).is_empty() => {}
            None => return None,
        }
    }
    seen.then_some(kept)
}

/// Whether a line has a box, is it ticked, and what follows it.
fn tick(line: &str) -> Option<(bool, &str)> {
    let line = trim(line);
    let line = line.strip_prefix(['-', '*', '•']).map_or(line, str::trim_start);
    for (boxed, ticked) in
        [("[ ]", false), ("[]", false), ("☐", false), ("［ ］", false), ("☑", true), ("☒", true)]
    {
        if let Some(rest) = line.strip_prefix(boxed) {
            return Some((ticked, trim(rest)));
        }
    }
    let (mark, rest) = line.strip_prefix(['[', '［'])?.split_once([']', '］'])?;
    let ticked = matches!(trim(mark), "x" | "X" | "✓" | "✔" | "✔️" | "v" | "V" | "*" | "х" | "Х");
    (ticked && !trim(rest).is_empty()).then(|| (true, trim(rest)))
}

#[cfg(test)]
mod tests {
    use super::{stands_for_own_words, ticked};

    #[test]
    fn ticked_lines_are_kept() {
        let rows = [
            ("list", "[x] Logs\n[ ] Metrics\n- [X] Traces", Some("Logs\nTraces")),
            ("boxes", "☑ Logs\n☐ Metrics", Some("Logs")),
            ("none ticked", "[ ] Logs\n[ ] Metrics", Some("")),
            ("no list", "[2]", None),
            ("prose", "[x] Logs\nand more", None),
        ];
        for (name, text, expected) in rows {
            assert_eq!(ticked(text).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn labels_that_stand_for_own_words_are_known_in_every_language() {
        for (label, expected) in [
            ("Other", true),
            (" other… ", true),
            ("Other:", true),
            ("Other (please specify)", true),
            ("Something else", true),
            ("Etwas anderes", true),
            ("Otra opción", true),
            ("Autre", true),
            ("その他", true),
            ("其他（请说明）", true),
            ("Другое", true),
            ("Other services", false),
            ("Another one", false),
            ("Otherwise", false),
            ("No other", false),
            ("Staging", false),
            ("(other)", false),
            ("", false),
        ] {
            assert_eq!(stands_for_own_words(label), expected, "{label}");
        }
    }
}
