//! Every row of the reply corpus: outcome, answers and reason, exactly.

use askrelay_core::ask::{Choice, Question};
use askrelay_core::reply::{Reading, read};
use serde::Deserialize;
use std::collections::BTreeMap;

use super::rows::{bot, reason_name};

#[derive(Deserialize)]
struct Row {
    id: String,
    questions: Vec<Wire>,
    reply: String,
    expect: Expected,
}

/// A question as the wire spells it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire {
    question_id: String,
    header: String,
    question: String,
    #[serde(default)]
    options: Vec<Choice>,
    multi_select: bool,
    is_other: bool,
}

impl From<Wire> for Question {
    fn from(wire: Wire) -> Self {
        Self {
            id: wire.question_id.into(),
            header: wire.header,
            text: wire.question,
            choices: wire.options,
            multi_select: wire.multi_select,
            other: wire.is_other,
            ..Self::default()
        }
    }
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Expected {
    outcome: String,
    answers: BTreeMap<String, Vec<String>>,
    reason: Option<String>,
}

fn outcome(reading: Reading) -> Expected {
    let named = |outcome: &str| Expected { outcome: outcome.to_owned(), ..Expected::default() };
    match reading {
        Reading::Answer { answers, .. } => {
            let answers =
                answers.0.into_iter().map(|(id, values)| (id.as_str().to_owned(), values)).collect();
            Expected { answers, ..named("answer") }
        }
        Reading::Clarify(unclear) => {
            Expected { reason: Some(reason_name(unclear.reason).to_owned()), ..named("clarify") }
        }
        Reading::Skip => named("skip"),
        Reading::NotAnAnswer => named("ignore"),
    }
}

/// The questions and replies of the corpus.
pub(crate) fn questions_and_replies() -> Vec<(Vec<Question>, String)> {
    let rows =
        include_str!("corpus.jsonl").lines().map(|line| serde_json::from_str::<Row>(line).expect("a row"));
    rows.map(|row| (row.questions.into_iter().map(Question::from).collect(), row.reply)).collect()
}

#[test]
fn every_row_is_read_as_expected() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in include_str!("corpus.jsonl").lines() {
        let Row { id, questions, reply, expect } = serde_json::from_str(line).expect("a corpus row");
        let questions: Vec<Question> = questions.into_iter().map(Question::from).collect();
        count += 1;
        let got = outcome(read(&questions, &reply, &bot()));
        if got != expect {
            wrong.push(format!("{id} {reply:?}: expected {expect:?}, got {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} rows wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(count, 253);
}
