//! The folds that make differently typed spellings comparable: what a phone, a keyboard or a copy changes, folded away step by
//! step. Compares nothing and knows no words.

use caseless::Caseless;
use unicode_normalization::char::{canonical_combining_class, decompose_canonical};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeEmoji, UnicodeGeneralCategory};

/// Marks a number that was typed as one sign: a keycap, a circled digit.
pub(super) const KEYCAP: char = '\u{20E3}';

/// One folded character and the bytes of the raw text it came from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sign {
    pub(super) character: char,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A byte offset of a text; longer texts than this counts were cut long before.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Fold 0: the text without white space, invisible and control characters at its ends.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || is_unseen(c))
}

/// Whether nobody sees anything of a text.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

/// Whether a character is invisible and shapes no picture either.
pub(crate) fn is_unseen(c: char) -> bool {
    is_invisible(c) && !shapes_before(c)
}

/// Signs that belong to the picture before them: variation selectors and skin tones.
const fn shapes_before(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' | '\u{1F3FB}'..='\u{1F3FF}')
}

/// Fold 1 character by character: lower case, compatibility forms, plain punctuation, ASCII digits, nothing invisible.
/// White space stays as typed; [`fold1`] collapses it.
pub(super) fn signs(raw: &str) -> Vec<Sign> {
    let mut signs = Vec::with_capacity(raw.len());
    let bytes = raw.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        if byte.is_ascii() && bytes.get(at + 1).is_none_or(u8::is_ascii) {
            let character = char::from(byte.to_ascii_lowercase());
            if !byte.is_ascii_control() || character.is_whitespace() {
                signs.push(Sign { character, start: offset(at), end: offset(at + 1) });
            }
            at += 1;
        } else {
            let Some(base) = raw.get(at..).and_then(|rest| rest.chars().next()) else { return signs };
            at = cluster(raw, at, base, &mut signs);
        }
    }
    signs
}

/// Folds one base character with the marks on it; returns where the next cluster starts.
fn cluster(raw: &str, start: usize, base: char, signs: &mut Vec<Sign>) -> usize {
    let mut end = start + base.len_utf8();
    if is_invisible(base) {
        return end;
    }
    for mark in raw.get(end..).unwrap_or_default().chars() {
        let joins = canonical_combining_class(mark) != 0 || ('\u{1160}'..='\u{11FF}').contains(&mark);
        if !joins {
            break;
        }
        end += mark.len_utf8();
    }
    let mut push = |character| signs.push(Sign { character, start: offset(start), end: offset(end) });
    let single = end == start + base.len_utf8();
    if single && is_stable(base) {
        push(base);
    } else if let Some(value) = enclosed(base) {
        value.to_string().chars().for_each(&mut push);
        push(KEYCAP);
    } else if single && matches!(base, '№' | 'º' | 'ª') {
        push(if base == '№' { '#' } else { '°' });
    } else if single && is_nfkc_quick(std::iter::once(base)) == IsNormalized::Yes {
        std::iter::once(base).default_case_fold().for_each(|c| push(plain(c)));
    } else {
        let text = raw.get(start..end).unwrap_or_default();
        text.nfkc().default_case_fold().nfkc().filter(|c| !is_invisible(*c)).for_each(|c| push(plain(c)));
    }
    end
}

/// Signs that every fold leaves alone and that are common enough to be worth the test.
const fn is_stable(c: char) -> bool {
    matches!(c, '\u{4E00}'..='\u{9FFF}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{0430}'..='\u{044F}' | '\u{0904}'..='\u{0939}' | '\u{0621}'..='\u{063A}' | '\u{1F300}'..='\u{1F3FA}')
}

/// The number inside one enclosed sign: circled, in brackets, with its dot, or the keycap ten.
fn enclosed(c: char) -> Option<u32> {
    let code = u32::from(c);
    let from = |first: u32, value: u32| Some(code - first + value);
    match code {
        0x2460..=0x2473 => from(0x2460, 1),
        0x2474..=0x2487 => from(0x2474, 1),
        0x2488..=0x249B => from(0x2488, 1),
        0x24EA | 0x24FF => Some(0),
        0x24EB..=0x24F4 => from(0x24EB, 11),
        0x24F5..=0x24FE => from(0x24F5, 1),
        0x2776..=0x277F => from(0x2776, 1),
        0x2780..=0x2789 => from(0x2780, 1),
        0x278A..=0x2793 => from(0x278A, 1),
        0x3251..=0x325F => from(0x3251, 21),
        0x3280..=0x3289 => from(0x3280, 1),
        0x32B1..=0x32BF => from(0x32B1, 36),
        0x1F51F => Some(10),
        _ => None,
    }
}

/// Characters that nobody sees: controls, format and bidi characters, variation selectors, skin tones, fillers.
pub(super) fn is_invisible(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control() && !c.is_whitespace();
    }
    match c {
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' | '\u{1F3FB}'..='\u{1F3FF}' => true,
        '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{3164}' | '\u{FFA0}' => true,
        '\u{85}' => false,
        _ => matches!(c.general_category(), GeneralCategory::Format | GeneralCategory::Control),
    }
}

/// Typographic and CJK punctuation as ASCII, and every decimal digit as 0 to 9.
fn plain(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    match c {
        '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '『' | '』' | '〈' | '〉' | '《' | '》' | '〝'
        | '〞' | '″' => '"',
        '‘' | '’' | '‚' | '‛' | '‹' | '›' | '′' | '´' | 'ʼ' | 'ʻ' | 'ʹ' | '՚' => '\'',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '﹘' | '﹣' => '-',
        '、' | '،' | '﹐' | '﹑' => ',',
        '。' | '।' | '॥' | '۔' => '.',
        '؛' => ';',
        '؟' | '¿' | '⁇' => '?',
        '【' | '〔' | '〖' => '[',
        '】' | '〕' | '〗' => ']',
        '〜' | '∼' => '~',
        '٬' => ',',
        '٫' => '.',
        '٪' => '%',
        '·' | '・' => ' ',
        _ => digit(c).unwrap_or(c),
    }
}

/// A decimal digit of any script as its ASCII digit. Each script's ten digits stand side by side.
fn digit(c: char) -> Option<char> {
    let is_digit = |code: u32| {
        char::from_u32(code).is_some_and(|c| c.general_category() == GeneralCategory::DecimalNumber)
    };
    let code = u32::from(c);
    if !is_digit(code) {
        return None;
    }
    let value = (1..10).take_while(|back| is_digit(code - back)).count();
    char::from_digit(u32::try_from(value).ok()?, 10)
}

/// Every decimal digit as ASCII, everything else untouched.
pub(super) fn ascii_digits(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii() { c } else { digit(c).unwrap_or(c) }).collect()
}

/// Fold 1 of a whole text, written over `out`.
pub(super) fn fold1(raw: &str, out: &mut String) {
    out.clear();
    let push = |out: &mut String, c: char| {
        if c.is_whitespace() {
            if !out.ends_with(' ') && !out.is_empty() {
                out.push(' ');
            }
        } else {
            out.push(c);
        }
    };
    if raw.is_ascii() {
        for c in raw.bytes().map(char::from).filter(|c| !is_invisible(*c)) {
            push(out, c.to_ascii_lowercase());
        }
    } else {
        for sign in signs(raw) {
            push(out, sign.character);
        }
    }
    let bare = strip(out);
    if bare.len() != out.len() {
        let bare = bare.to_owned();
        out.clear();
        out.push_str(&bare);
    }
}

/// Without wrapping quotes and markup and without sentence punctuation at the end. A question mark stays.
fn strip(text: &str) -> &str {
    let mut text = text;
    loop {
        let before = text.len();
        text = text.trim_matches(' ').trim_end_matches(['.', '!', ',', ';', ':']).trim_start_matches('¡');
        for pair in ["\"", "'", "`", "*", "_"] {
            let inner = text.strip_prefix(pair).and_then(|rest| rest.strip_suffix(pair));
            if let Some(inner) = inner.filter(|inner| !inner.is_empty()) {
                text = inner;
            }
        }
        if text.len() == before {
            return text;
        }
    }
}

/// Fold 2 of a text in fold 1, written over `out`: no accents, plain letters, brackets and joining signs as spaces.
pub(super) fn fold2(folded: &str, out: &mut String) {
    out.clear();
    let mut characters = folded.chars().peekable();
    let mut after_word = false;
    while let Some(c) = characters.next() {
        let word_follows = characters.peek().is_some_and(|next| next.is_alphanumeric());
        let gap = match c {
            '(' | ')' | '[' | ']' | '{' | '}' | ' ' => true,
            '-' | '_' | '/' | '.' => after_word && word_follows,
            _ => false,
        };
        after_word = c.is_alphanumeric();
        if !gap {
            bare_letters(c, |c| out.push(c));
        } else if !out.ends_with(' ') && !out.is_empty() {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end_matches(' ').len());
}

/// Fold 3 of a text in fold 2, written over `out`: nothing between two letters that is no letter itself.
pub(super) fn fold3(folded: &str, out: &mut String) {
    out.clear();
    let mut characters = folded.chars().peekable();
    let mut after_letter = false;
    while let Some(c) = characters.next() {
        let joins = matches!(c, ' ' | '-' | '_' | '/' | '.' | '\'');
        let letter_follows = characters.peek().is_some_and(|next| next.is_alphabetic());
        if !(joins && after_letter && letter_follows) {
            out.push(c);
        }
        after_letter = c.is_alphabetic();
    }
}

/// One character without accents, strokes and ligatures. Marks that are letters of their own (kana, Devanagari) stay.
pub(super) fn bare_letters(c: char, mut push: impl FnMut(char)) {
    if c.is_ascii() {
        push(c);
        return;
    }
    match c {
        'ł' => push('l'),
        'ø' => push('o'),
        'đ' | 'ð' => push('d'),
        'ħ' => push('h'),
        'ŧ' => push('t'),
        'ı' => push('i'),
        'ς' => push('σ'),
        'þ' => "th".chars().for_each(push),
        'æ' => "ae".chars().for_each(push),
        'œ' => "oe".chars().for_each(push),
        'ß' => "ss".chars().for_each(push),
        'ى' => push('ي'),
        'ة' => push('ه'),
        'ँ' => push('ं'),
        '\u{AC00}'..='\u{D7A3}' | '\u{3040}'..='\u{30FF}' => push(c),
        _ => decompose_canonical(c, |part| {
            if !is_accent(part) {
                push(part);
            }
        }),
    }
}

/// Marks that may be left out: Latin, Greek and Cyrillic accents, Hebrew and Arabic vowel points, the Devanagari dot.
const fn is_accent(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0591}'..='\u{05C7}' | '\u{064B}'..='\u{065F}' | '\u{0670}' | '\u{0640}' | '\u{093C}')
}

/// Whether it can stand inside a word: a letter, a digit, or a mark on one.
pub(super) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric() || (c != KEYCAP && c.general_category_group() == GeneralCategoryGroup::Mark)
}

/// Whether it is a picture: an emoji or a sign shown as one.
pub(super) fn is_emoji(c: char) -> bool {
    !c.is_ascii() && (c.is_emoji_char() || matches!(c, '\u{1F000}'..='\u{1FAFF}')) && !c.is_alphanumeric()
}

/// Whether words of its script are written without spaces or carry their particles glued on.
pub(super) const fn is_glued(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}'
        | '\u{0E00}'..='\u{0E7F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folds(raw: &str) -> [String; 3] {
        let (mut one, mut two, mut three) = (String::new(), String::new(), String::new());
        fold1(raw, &mut one);
        fold2(&one, &mut two);
        fold3(&two, &mut three);
        [one, two, three]
    }

    #[test]
    fn folds_fold() {
        let rows = [
            (
                "case and spaces",
                "  Run\u{a0}  FULL\nsuite ",
                ["run full suite", "run full suite", "runfullsuite"],
            ),
            ("wrappers", "**“Blue-Green”.**", ["blue-green", "blue green", "bluegreen"]),
            ("question mark stays", "Staging?!", ["staging?", "staging?", "staging?"]),
            ("accents", "Caf\u{65}\u{301} Łódź Ёлка", ["café łódź ёлка", "cafe lodz елка", "cafelodzелка"]),
            ("full width", "Ｓｔａｇｉｎｇ：２", ["staging:2", "staging:2", "staging:2"]),
            ("invisible", "Sta\u{200b}g\u{202e}ing\u{0}", ["staging", "staging", "staging"]),
            ("dotted i", "İSTANBUL ılık", ["i\u{307}stanbul ılık", "istanbul ilik", "istanbulilik"]),
            ("plus and hash", "C++ / C#", ["c++ / c#", "c++ / c#", "c++ / c#"]),
            ("digits", "٢ २ ２ ②", ["2 2 2 2\u{20E3}", "2 2 2 2\u{20E3}", "2 2 2 2\u{20E3}"]),
            ("kana marks stay", "デプロイで", ["デプロイで", "デプロイで", "デプロイで"]),
            ("hangul stays", "아니요", ["아니요", "아니요", "아니요"]),
            ("skin tone", "👍🏽", ["👍", "👍", "👍"]),
            ("only punctuation", "...", ["", "", ""]),
        ];
        for (name, raw, expected) in rows {
            assert_eq!(folds(raw), expected.map(str::to_owned), "{name}");
        }
    }
}
