//! Any text read against questions whose labels are any text: no panic, and never a value nobody gave. Says nothing about which
//! lines are left out, such as quoted ones.
#![no_main]

use askrelay_core::ask::{Choice, Question};
use askrelay_core::reply::{Bot, Reading, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<(Vec<String>, bool, bool)>, String)| {
    let (questions, reply) = input;
    let questions: Vec<Question> = questions
        .into_iter()
        .take(4)
        .enumerate()
        .map(|(index, (labels, multi_select, other))| Question {
            id: format!("q{index}").into(),
            text: "Which?".into(),
            choices: labels.into_iter().take(12).map(Choice::new).collect(),
            multi_select,
            other,
            ..Question::default()
        })
        .collect();
    if let Reading::Answer { answers, .. } = read(&questions, &reply, &Bot::default()) {
        for question in &questions {
            for value in answers.of(&question.id) {
                let declared = question.choices.iter().any(|choice| choice.label == *value);
                assert!(declared || (question.takes_text() && stands_in(value, &reply)), "{value:?}");
            }
        }
    }
});

/// Whether every line of the words stands in the reply, in this order.
fn stands_in(words: &str, reply: &str) -> bool {
    let mut rest = Some(reply);
    for line in words.lines() {
        rest = rest.and_then(|rest| rest.split_once(line)).map(|(_, after)| after);
    }
    rest.is_some()
}
