//! The word lists of all languages, read once from the files beside this one. What a word may do is its lists; what a reply
//! means is decided elsewhere.

use std::ops::BitOr;
use std::sync::LazyLock;

use super::fold::{fold1, fold2};
use super::token::{Sequences, Token, tokens};

/// The files, one per language and one for signs that every language shares.
const FILES: [(&str, &str); 15] = [
    ("signs", include_str!("words/signs.txt")),
    ("en", include_str!("words/en.txt")),
    ("es", include_str!("words/es.txt")),
    ("fr", include_str!("words/fr.txt")),
    ("de", include_str!("words/de.txt")),
    ("pt", include_str!("words/pt.txt")),
    ("it", include_str!("words/it.txt")),
    ("nl", include_str!("words/nl.txt")),
    ("ru", include_str!("words/ru.txt")),
    ("zh", include_str!("words/zh.txt")),
    ("ja", include_str!("words/ja.txt")),
    ("ko", include_str!("words/ko.txt")),
    ("ar", include_str!("words/ar.txt")),
    ("hi", include_str!("words/hi.txt")),
    ("tr", include_str!("words/tr.txt")),
];

/// A set of lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lists(u64);

macro_rules! lists {
    ($($(#[$doc:meta])+ $name:ident $word:literal $bit:literal;)+) => {
        impl Lists {
            $($(#[$doc])+ pub(super) const $name: Self = Self(1 << $bit);)+

            fn named(name: &str) -> Option<Self> {
                match name {
                    $($word => Some(Self::$name),)+
                    _ => None,
                }
            }
        }
    };
}

lists! {
    /// A whole reply that says yes.
    YES "yes" 0;
    /// A whole reply that says no.
    NO "no" 1;
    /// Starts a label that stands for yes.
    APPROVE "approve" 2;
    /// Starts a label that stands for no.
    REFUSE "refuse" 3;
    /// Sounds like yes or no and is neither.
    UNSURE "unsure" 4;
    /// The first of two.
    FORMER "former" 5;
    /// The second of two.
    LATTER "latter" 6;
    /// The one in the middle.
    MIDDLE "middle" 7;
    /// Makes an ordinal of the digits before it: `2nd`.
    SUFFIX "suffix" 8;
    /// Makes a position of the number after it: `option 2`.
    POSITION "position" 9;
    /// Makes a position of the number before it: `2番`.
    COUNTER "counter" 10;
    /// Articles and nouns around a choice: `the … one`.
    AROUND "around" 11;
    /// Please.
    POLITE "polite" 12;
    /// Not, never, no.
    NEGATION "negation" 13;
    /// Maybe, I think.
    HEDGE "hedge" 14;
    /// Or.
    OR "or" 15;
    /// Means or only between two choices; another word elsewhere.
    BETWEEN "between" 16;
    /// Because.
    REASON "reason" 17;
    /// But, only, if, unless: what follows changes the choice.
    CONDITION "condition" 18;
    /// Starts a remark that adds to the choice or changes it: with, after, then.
    TURN "turn" 19;
    /// Leads in to a choice: `let's go with`.
    LEAD "lead" 20;
    /// Follows a choice: `works for me`.
    TAIL "tail" 21;
    /// Plays for time or is small talk.
    STALLER "staller" 22;
    /// Hello.
    GREETING "greeting" 23;
    /// Thanks.
    THANKS "thanks" 24;
    /// And.
    AND "and" 25;
    /// Stands between the ends of a range.
    TO "to" 26;
    /// Stands before a range.
    FROM "from" 27;
    /// Every option.
    ALL "all" 28;
    /// Both of two.
    BOTH "both" 29;
    /// No option.
    NONE "none" 30;
    /// Any of them, either, neither.
    ANY "any" 31;
    /// All except.
    EXCEPT "except" 32;
    /// Before or after a count: the first … options.
    HEAD "head" 33;
    /// Before or after a count: the last … options.
    END "end" 34;
    /// Marks own words: `other: …`.
    OTHER "other" 35;
    /// Skip, cancel, stop: dismissals that are no commands.
    SKIP "skip" 36;
    /// Marks the recommended option.
    RECOMMENDED "recommended" 37;
    /// Words without content of their own beside choices.
    SMALL "small" 38;
    /// Prepositions that may join a repeated question and a choice.
    ECHO "echo" 39;
    /// Makes a question number of the number after it: `Q1`.
    QUESTION "question" 40;
    /// Another is named only to be rejected: rather than, instead of.
    INSTEAD "instead" 41;
    /// Laughing and weeping faces, signs of mood beside a choice.
    SMILEY "smiley" 42;
    /// An article that may stand before a number word because it means one thing: `la dos`.
    ARTICLE "article" 43;
    /// Leaves a choice as it is when it stands beside it: politeness, urgency, praise.
    REMARK "remark" 44;
    /// Says how something is: is, are.
    STATE "state" 45;
    /// How something may be without bearing on a choice: red, down, ready.
    PREDICATE "predicate" 46;
    /// Takes back, forbids, delays or mocks the choice beside it.
    OBJECTION "objection" 47;
    /// A label of this word is also part of idioms: on, off.
    PARTICLE "particle" 48;
}

impl BitOr for Lists {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Lists {
    /// Whether any of `other` is in it.
    pub(super) const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Lists that only weigh what stands beside a choice; their words are as good as unknown everywhere else.
    const BESIDE: u64 =
        Self::REMARK.0 | Self::STATE.0 | Self::PREDICATE.0 | Self::OBJECTION.0 | Self::PARTICLE.0;

    /// Whether it is in no list but those that weigh what stands beside a choice.
    pub(super) const fn is_empty(self) -> bool {
        self.0 & !Self::BESIDE == 0
    }

    /// Whether no list at all knows it.
    pub(super) const fn is_unknown(self) -> bool {
        self.0 == 0
    }
}

/// What is known of a word or phrase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) lists: Lists,
    /// The number it names.
    pub(super) number: Option<u32>,
    /// The position it names; negative counts from the end.
    pub(super) ordinal: Option<i32>,
    /// How many things it counts, where that is another word than the number: `两`.
    pub(super) count: Option<u32>,
}

/// Everything in the files.
#[derive(Debug)]
pub(super) struct Words {
    phrases: Sequences<Entry>,
    /// How mail programs introduce what they quote.
    pub(super) mail: Mail,
}

/// Lines that mail programs write, in fold 2.
#[derive(Debug, Default)]
pub(super) struct Mail {
    /// A line above a quoted mail: its parts in order, the first at its start and the last at its end.
    pub(super) attribution: Vec<Vec<String>>,
    /// A line above a forwarded or full quoted mail, without its dashes.
    pub(super) original: Vec<String>,
    /// Start of a device's advertising line.
    pub(super) sent: Vec<String>,
    /// Pairs of header lines above a quoted mail.
    pub(super) header: Vec<(String, String)>,
}

static WORDS: LazyLock<Words> = LazyLock::new(load);

/// The words, read on first use.
pub(super) fn words() -> &'static Words {
    &WORDS
}

impl Words {
    /// The longest known phrase that starts at `at`.
    pub(super) fn longest(&self, tokens: &[Token], at: usize) -> Option<(usize, Entry)> {
        self.phrases.longest(tokens, at)
    }

    /// What is known of the one token at `at`.
    pub(super) fn at(&self, tokens: &[Token], at: usize) -> Option<(usize, Entry)> {
        self.phrases.single(tokens.get(at)?.hash).map(|entry| (at + 1, entry))
    }

    /// Whether the word with this hash is in one of `lists`; only for words of one token.
    pub(super) fn single(&self, hash: u64, lists: Lists) -> bool {
        self.phrases.single(hash).is_some_and(|entry| entry.lists.any(lists))
    }
}

fn load() -> Words {
    let mut words =
        Words { phrases: Sequences::new(8192, |c| matches!(c, '-' | '\'')), mail: Mail::default() };
    for (_, text) in FILES {
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((key, entries)) = line.split_once(':') {
                for entry in entries.split('|').map(str::trim).filter(|entry| !entry.is_empty()) {
                    add(&mut words, key.trim(), entry);
                }
            }
        }
    }
    words
}

/// Adds one entry of the list `key`; false for a list that does not exist.
fn add(words: &mut Words, key: &str, text: &str) -> bool {
    let (name, value) = key.split_once(' ').unwrap_or((key, ""));
    let mut entry = Entry::default();
    match (name, value.parse::<i32>()) {
        ("number", Ok(value)) => entry.number = u32::try_from(value).ok(),
        ("ordinal", Ok(value)) => entry.ordinal = Some(value),
        ("count", Ok(value)) => entry.count = u32::try_from(value).ok(),
        ("attribution" | "original" | "sent" | "header", _) => return add_mail(&mut words.mail, name, text),
        _ => match Lists::named(name) {
            Some(lists) => entry.lists = lists,
            None => return false,
        },
    }
    let merge = |old: Entry, new: Entry| Entry {
        lists: old.lists | new.lists,
        number: old.number.or(new.number),
        ordinal: old.ordinal.or(new.ordinal),
        count: old.count.or(new.count),
    };
    words.phrases.insert(&tokens(text), entry, merge);
    if text.contains('\'') {
        words.phrases.insert(&tokens(&text.replace('\'', "")), entry, merge);
    }
    true
}

fn add_mail(mail: &mut Mail, name: &str, text: &str) -> bool {
    let folded = |text: &str| {
        let (mut one, mut two) = (String::new(), String::new());
        fold1(text, &mut one);
        fold2(&one, &mut two);
        two
    };
    let mut parts: Vec<String> = text.split("..").map(folded).collect();
    match (name, parts.as_slice()) {
        ("attribution", [_, _, ..]) => mail.attribution.push(parts),
        ("header", [first, second]) => mail.header.push((first.clone(), second.clone())),
        ("original", [_]) => mail.original.append(&mut parts),
        ("sent", [_]) => mail.sent.append(&mut parts),
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_every_file_is_a_known_list_with_entries() {
        let mut words = Words { phrases: Sequences::new(16, |_| false), mail: Mail::default() };
        for (file, text) in FILES {
            for (number, line) in text.lines().enumerate() {
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                let (key, entries) =
                    line.split_once(": ").unwrap_or_else(|| panic!("{file}:{number}: no list"));
                for entry in entries.split('|').map(str::trim) {
                    assert!(!entry.is_empty(), "{file}:{}: an empty entry", number + 1);
                    assert!(add(&mut words, key, entry), "{file}:{}: no list '{key}'", number + 1);
                }
            }
        }
    }

    #[test]
    fn words_are_found_however_they_are_typed() {
        let rows = [
            ("Don’t", Lists::NEGATION),
            ("dont", Lists::NEGATION),
            ("SÍ", Lists::YES),
            ("d’accord", Lists::YES),
            ("никогда", Lists::NEGATION),
            ("不要", Lists::NEGATION),
            ("👍🏽", Lists::YES),
            (":+1:", Lists::YES),
        ];
        for (word, list) in rows {
            let tokens = tokens(word);
            let found = words().longest(&tokens, 0).filter(|(end, _)| *end == tokens.len());
            assert!(found.is_some_and(|(_, entry)| entry.lists.any(list)), "{word}");
        }
    }
}
