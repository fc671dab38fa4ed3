//! Every row of the reply corpus: outcome, answers and reason, exactly.

use askrelay_core::ask::Question;
use askrelay_core::reply::{Reading, read};
use serde::Deserialize;
use std::collections::BTreeMap;

use super::rows::{bot, reason_name};

#[derive(Deserialize)]
struct Row {
    id: String,
    questions: Vec<Question>,
    reply: String,
    expect: Expected,
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

#[test]
fn every_row_is_read_as_expected() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in include_str!("corpus.jsonl").lines() {
        let row = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let Row { id, questions, reply, expect } = row;
        count += 1;
        let got = outcome(read(&questions, &reply, &bot()));
        if got != expect {
            wrong.push(format!("{id} {reply:?}: expected {expect:?}, got {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} rows wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(count, 253);
}
