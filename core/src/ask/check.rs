//! Whether an Ask keeps a contract: everything wrong with it, each fault with its path. Changes nothing.

use std::collections::HashSet;
use std::fmt;

use super::{Ask, Choice, Constraint, Question, WhenUnanswered};
use crate::answer::{Answers, canonical};
use crate::reply::{is_blank, trim};
use crate::time::Span;
use unicode_normalization::UnicodeNormalization;

/// What a front door lets through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Most Questions; at least one always.
    pub questions: usize,
    /// Fewest Choices of a Question that has any.
    pub choices_min: usize,
    /// Most Choices.
    pub choices_max: usize,
    /// Most code points of a header.
    pub header: Option<usize>,
    /// Labels that differ only in case are refused.
    pub labels_fold_case: bool,
    /// Longest wait.
    pub wait: Span,
}

/// One thing wrong with an Ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, as a JSON pointer into the wire form: `/questions/0/options/1/label`.
    pub path: String,
    /// What is wrong and what would be right.
    pub what: String,
}

impl Contract {
    /// What OpenClaw's plain protocol takes, and we take from peers without the extension cap.
    pub const PLAIN: Self = Self {
        questions: 3,
        choices_min: 2,
        choices_max: 4,
        header: Some(12),
        labels_fold_case: true,
        wait: Self::WIDE.wait,
    };

    /// What the gateway itself takes (DESIGN section 5): thirty days at most.
    pub const WIDE: Self = Self {
        questions: 50,
        choices_min: 1,
        choices_max: 100,
        header: None,
        labels_fold_case: false,
        wait: Span::seconds(30 * 24 * 60 * 60),
    };
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.what)
    }
}

impl Ask {
    /// Everything in it that breaks the contract; empty when it keeps it.
    #[must_use]
    pub fn faults(&self, contract: &Contract) -> Vec<Fault> {
        let mut faults = Faults::default();
        let count = self.questions.len();
        if count == 0 || count > contract.questions {
            faults.add("/questions", format!("expected 1 to {} questions, got {count}", contract.questions));
        }
        if self.wait.0 == 0 || self.wait > contract.wait {
            faults.add("/timeoutMs", format!("expected 1 to {} ms, got {}", contract.wait.0, self.wait.0));
        }
        let mut ids = HashSet::new();
        for (index, question) in self.questions.iter().enumerate() {
            let path = format!("/questions/{index}");
            if !ids.insert(&question.id) {
                faults.add(&format!("{path}/questionId"), format!("'{}' is used twice", question.id));
            }
            check_question(question, &path, contract, &mut faults);
        }
        if let WhenUnanswered::Default(values) = &self.when_unanswered
            && let Err(fault) = canonical(&self.questions, &Answers(values.clone()))
        {
            faults.add("/whenUnanswered/default", fault.to_string());
        }
        faults.0
    }
}

#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    fn add(&mut self, path: &str, what: impl Into<String>) {
        self.0.push(Fault { path: path.to_owned(), what: what.into() });
    }
}

fn check_question(question: &Question, path: &str, contract: &Contract, faults: &mut Faults) {
    if is_blank(question.id.as_str()) {
        faults.add(&format!("{path}/questionId"), "must not be blank");
    }
    if is_blank(&question.text) {
        faults.add(&format!("{path}/question"), "must not be blank");
    }
    if let Some(most) = contract.header
        && question.header.chars().count() > most
    {
        faults.add(&format!("{path}/header"), format!("must be at most {most} characters"));
    }
    if let Some(url) = &question.url
        && let Some(what) = url_fault(url)
    {
        faults.add(&format!("{path}/url"), what);
    }
    let count = question.choices.len();
    if count != 0 && !(contract.choices_min..=contract.choices_max).contains(&count) {
        faults.add(
            &format!("{path}/options"),
            format!(
                "expected none or {} to {} options, got {count}",
                contract.choices_min, contract.choices_max
            ),
        );
    }
    check_labels(&question.choices, path, contract, faults);
    check_bounds(question, path, faults);
    if let Some(constraint) = &question.constraint {
        check_constraint(constraint, question, path, faults);
    }
}

fn check_labels(choices: &[Choice], path: &str, contract: &Contract, faults: &mut Faults) {
    let mut seen = HashSet::new();
    for (index, choice) in choices.iter().enumerate() {
        let at = format!("{path}/options/{index}/label");
        let label = trim(&choice.label);
        if is_blank(label) {
            faults.add(&at, "must not be blank");
            continue;
        }
        let label: String = label.nfc().collect();
        let key = if contract.labels_fold_case { label.to_lowercase() } else { label };
        if !seen.insert(key) {
            faults.add(&at, "duplicate option label");
        }
    }
}

fn check_bounds(question: &Question, path: &str, faults: &mut Faults) {
    let most = if question.takes_text() { usize::MAX } else { question.choices.len() };
    if !question.multi_select {
        for (name, bound) in [("min", question.min), ("max", question.max)] {
            if bound.is_some() {
                faults.add(&format!("{path}/{name}"), "only a question with multiSelect takes it");
            }
        }
    } else if question.min.is_some_and(|min| min == 0 || min > most) {
        faults.add(&format!("{path}/min"), "must be at least 1 and at most the number of options");
    } else if question.max.is_some_and(|max| max < question.min.unwrap_or(1)) {
        faults.add(&format!("{path}/max"), "must be at least 1 and at least min");
    }
    if !question.default.is_empty() {
        let one = std::slice::from_ref(question);
        let offered = Answers([(question.id.clone(), question.default.clone())].into());
        if let Err(fault) = canonical(one, &offered) {
            faults.add(&format!("{path}/default"), fault.to_string());
        }
    }
}

fn check_constraint(constraint: &Constraint, question: &Question, path: &str, faults: &mut Faults) {
    let at = format!("{path}/constraint");
    if !question.takes_text() {
        faults.add(&at, "only a question that takes free text has one");
    }
    if nothing_satisfies(constraint) {
        faults.add(
            &at,
            "nothing can satisfy it: its lower bound is above its upper bound, or its list is empty",
        );
    }
}

fn nothing_satisfies(constraint: &Constraint) -> bool {
    match constraint {
        Constraint::Text { min_length: Some(min), max_length: Some(max), .. } => min > max,
        Constraint::Integer { minimum: Some(min), maximum: Some(max) } => min > max,
        Constraint::Number { minimum: Some(min), maximum: Some(max) } => min > max,
        Constraint::OneOf { values } => values.is_empty(),
        Constraint::Or { constraint: Some(inner), .. } => nothing_satisfies(inner),
        _ => false,
    }
}

/// Longest link, in bytes (OpenClaw's own limit).
const URL_BYTES_MAX: usize = 2048;

fn url_fault(url: &str) -> Option<String> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let Some(rest) = rest else {
        return Some("must start with http:// or https://".to_owned());
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if url.len() > URL_BYTES_MAX {
        Some(format!("must be at most {URL_BYTES_MAX} bytes"))
    } else if host.is_empty() || url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        Some("must be a web address without spaces".to_owned())
    } else if host.contains('@') {
        Some("must not carry a user name or password".to_owned())
    } else {
        None
    }
}
