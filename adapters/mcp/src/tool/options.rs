//! The options of a question as a caller writes them: each label once, and none that stands for Other, since own words have their
//! own place. Knows no tool.

use askrelay_core::ask::Choice;
use askrelay_core::reply::stands_for_own_words;

use super::arguments::{Arguments, Unknown};

/// Most characters of what is said about an option.
const DESCRIPTION: usize = 1000;

/// How a contract wants its options.
pub(super) struct Options {
    /// Fewest.
    pub(super) least: usize,
    /// Most.
    pub(super) most: usize,
    /// Most characters of a label.
    pub(super) label: usize,
    /// When two labels are one.
    pub(super) labels: Labels,
    /// What becomes of members that an option does not have.
    pub(super) unknown: Unknown,
}

/// When two labels are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Labels {
    /// When they are the same text.
    AsWritten,
    /// Also when only their case differs.
    CaseFolded,
}

/// The options of a question.
pub(super) fn choices(read: &mut Arguments<'_>, options: &Options) -> Vec<Choice> {
    let objects = read.objects("options", options.least, options.most);
    let mut choices: Vec<Choice> = Vec::new();
    for (path, object) in objects {
        let known = ["label", "description"];
        let mut option = Arguments::within(object, path, &known, options.unknown, read.faults());
        let text = option.required("label", options.label);
        let description = option.text_or_blank("description", DESCRIPTION);
        let Some(text) = text else { continue };
        let is_same = |choice: &Choice| match options.labels {
            Labels::AsWritten => choice.label == text,
            Labels::CaseFolded => choice.label.to_lowercase() == text.to_lowercase(),
        };
        if choices.iter().any(is_same) {
            option.fault("label", &format!("'{text}' is there already"));
        }
        if stands_for_other(text) {
            option.fault(
                "label",
                "leave it out: nobody answers with the word, and own words have their own place",
            );
        }
        choices.push(Choice { label: text.to_owned(), description, destructive: false });
    }
    choices
}

/// Whether a label is an authored Other: the word itself, or what models write for it.
fn stands_for_other(label: &str) -> bool {
    let bare: String = label.to_lowercase().chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
    let words: Vec<&str> = bare.split_whitespace().collect();
    let written = [
        "other option",
        "other please specify",
        "other specify",
        "custom answer",
        "custom reply",
        "type your own",
    ];
    stands_for_own_words(label) || written.contains(&words.join(" ").as_str())
}
