//! A question as text that a model can put to its person word for word. For questions that could not be carried.

use std::fmt::Write as _;

use askrelay_core::ask::Question;

/// The questions with everything that is needed to answer them.
pub(super) fn question(questions: &[Question]) -> String {
    let blocks: Vec<String> = questions.iter().map(one).collect();
    blocks.join("\n\n")
}

// Writing into a string does not fail.
fn one(question: &Question) -> String {
    let mut text = question.text.clone();
    for (at, choice) in question.choices.iter().enumerate() {
        let _ = write!(text, "\n{}. {}", at + 1, choice.label);
        if let Some(description) = &choice.description {
            let _ = write!(text, " – {description}");
        }
    }
    if question.multi_select {
        let least = question.min.unwrap_or(1);
        let _ = match question.max {
            Some(most) => write!(text, "\n({least} to {most} of them)"),
            None => write!(text, "\n(at least {least} of them)"),
        };
    }
    if question.other && !question.choices.is_empty() {
        text.push_str("\n(or an answer in own words)");
    }
    if let Some(placeholder) = &question.placeholder {
        let _ = write!(text, "\n(like this: {placeholder})");
    }
    if !question.default.is_empty() {
        let _ = write!(text, "\n(suggested: {})", question.default.join(", "));
    }
    text
}
