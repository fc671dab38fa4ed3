//! What of a typed answer goes into the trail: its beginning, with whatever looks like a secret masked; also masks what others show. Looks at the text alone;
//! errs on the side of masking, and leaves prose, names and paths as they are.

use regex::{Captures, Regex};
use std::sync::LazyLock;

/// Most characters of words in the trail.
pub const WORDS_MAX: usize = 600;

/// Characters looked at: a secret that begins within the kept ones must be seen far enough to be known.
const LOOKED_AT: usize = 8 * WORDS_MAX;

/// What stands in the place of a secret.
const MASK: &str = "[masked]";

/// A run of letters, digits and what stands between them in keys is looked at from this length on.
const RUN_MIN: usize = 20;

/// From this length on, hexadecimal digits alone are a key or a hash.
const HEX_MIN: usize = 32;

/// So long are AWS's secret keys, which are less mixed than others.
const AWS_LENGTH: usize = 40;

/// The forms of secrets that are known by their look, each whole.
static KNOWN: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let forms = [
        r"(?s)-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|CERTIFICATE|MESSAGE)[A-Z ]*-----.*?(?:-----END [A-Z0-9 ]*-----|\z)",
        r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
        r"\b(?:sk|rk|pk)[-_][A-Za-z0-9_-]{16,}",
        r"\bgh[a-z]_[A-Za-z0-9]{16,}",
        r"\bgithub_pat_[A-Za-z0-9_]{16,}",
        r"\bglpat-[A-Za-z0-9_-]{16,}",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b",
        r"\bAIza[A-Za-z0-9_-]{30,}",
        r"\bxox[a-z]-[A-Za-z0-9-]{8,}",
        r"\bxapp-[A-Za-z0-9-]{8,}",
        r"\b[0-9]{6,12}:[A-Za-z0-9_-]{30,}",
        r"\baskrelay_[0-9a-f]+_[A-Za-z0-9_-]{16,}",
        r"(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
    ];
    forms.iter().filter_map(|form| Regex::new(form).ok()).collect()
});

/// A word that announces a secret, and the secret.
static ANNOUNCED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let value = r#"(?:"[^"\n]*"|'[^'\n]*'|[^\s,;]+)"#;
    let name = r"[\w.-]*(?:passw(?:or)?d|passwort|passphrase|contrase\w*|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|pwd)";
    let forms = [
        format!(r#"(?i)(\b{name}["']?\s*[:=]\s*){value}"#),
        format!(r"(?i)(--{name}\s+){value}"),
        r"(?i)(\b(?:bearer|basic)\s+)[A-Za-z0-9+/._~=-]{8,}".to_owned(),
        r"(\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@]*:)[^\s/@]+".to_owned(),
    ];
    forms.iter().filter_map(|form| Regex::new(form).ok()).collect()
});

/// A run that may be a key.
static RUN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!("[A-Za-z0-9+/_-]{{{RUN_MIN},}}={{0,2}}")).ok());

/// The words as they may stand in the trail.
#[must_use]
pub fn words(text: &str) -> String {
    let looked_at: String = text.chars().take(LOOKED_AT).collect();
    let seen = masked(&looked_at);
    let is_cut = seen.chars().nth(WORDS_MAX).is_some() || text.chars().nth(LOOKED_AT).is_some();
    if !is_cut {
        return seen;
    }
    let kept: String = seen.chars().take(WORDS_MAX - 1).collect();
    kept + "…"
}

/// The whole text, with whatever looks like a secret masked.
#[must_use]
pub fn masked(text: &str) -> String {
    let mut seen = text.to_owned();
    for known in KNOWN.iter() {
        seen = known.replace_all(&seen, MASK).into_owned();
    }
    for announced in ANNOUNCED.iter() {
        seen = announced
            .replace_all(&seen, |found: &Captures<'_>| {
                format!("{}{MASK}", found.get(1).map_or("", |m| m.as_str()))
            })
            .into_owned();
    }
    if let Some(run) = RUN.as_ref() {
        let judge = |found: &Captures<'_>| {
            let run = found.get(0).map_or("", |run| run.as_str());
            if is_random(run) { MASK.to_owned() } else { run.to_owned() }
        };
        seen = run.replace_all(&seen, judge).into_owned();
    }
    seen
}

/// Whether nobody would have written the run by hand: many digits and letters, changing their kind again and again.
fn is_random(run: &str) -> bool {
    let bytes = run.as_bytes();
    let count = |kind: fn(&u8) -> bool| bytes.iter().filter(|byte| kind(byte)).count();
    let digits = count(u8::is_ascii_digit);
    let hex = count(u8::is_ascii_hexdigit);
    if hex == bytes.len() && hex >= HEX_MIN && digits > 0 {
        return true;
    }
    let pairs = bytes.windows(2).filter(|pair| pair.iter().all(u8::is_ascii_alphanumeric));
    let (pairs, changes) = pairs.fold((0, 0), |(pairs, changes), pair| {
        (pairs + 1, changes + usize::from(kind(pair[0]) != kind(pair[1])))
    });
    let unsigned = count(|byte| b"-_=".contains(byte)) == 0 && bytes.first() != Some(&b'/');
    let mixed_case = count(u8::is_ascii_lowercase) > 0 && count(u8::is_ascii_uppercase) > 0;
    if bytes.len() == AWS_LENGTH && unsigned && mixed_case && digits > 0 {
        return true;
    }
    // Chance changes the kind at three of five steps between three kinds, and at two of five between two.
    let hundredths = if mixed_case { 42 } else { 30 };
    digits >= 2 && 100 * changes >= hundredths * pairs && pairs >= RUN_MIN / 2
}

const fn kind(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        _ => 2,
    }
}
