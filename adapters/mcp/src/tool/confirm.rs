//! `ask_confirm`: yes or no.

use askrelay_core::ask::{Choice, Fault, Question};
use askrelay_core::id::QuestionId;
use serde_json::{Map, Value, json};

use super::arguments::{Arguments, Unknown};
use super::ask_user::HINTS;
use super::choice::{Call, QUESTION, question_schema};
use super::{Meant, Tool, schemas, uniform};
use crate::human::Human;
use crate::instructions;

/// The choice that confirms.
pub(crate) const YES: &str = "Yes";
/// The choice that does not.
pub(crate) const NO: &str = "No";

pub(super) fn tool() -> Tool {
    let own = json!({
        "question": question_schema(),
        "default": { "type": "boolean", "description": "The answer you recommend; leave it out for what destroys something. Never taken for an answer by itself." },
        "timeout_ms": schemas::timeout_ms(),
    });
    Tool {
        name: "ask_confirm",
        title: "Ask the person yes or no",
        description: instructions::describe(
            "Asks your person yes or no and waits for the answer. For what cannot be undone, name what exactly happens to what.",
        ),
        input: schemas::asking(own, &["question"], Unknown::Ignored),
        output: uniform::output(),
        hints: HINTS,
    }
}

pub(super) fn read(arguments: &Map<String, Value>, human: &Human, faults: &mut Vec<Fault>) -> Option<Meant> {
    let known = ["question", "default", "timeout_ms"];
    let mut read = Arguments::of_call(arguments, &known, Unknown::Ignored, faults);
    let text = read.required("question", QUESTION);
    let default = read.boolean("default").map(|yes| if yes { YES } else { NO }.to_owned());
    let call = Call::read("ask_confirm", &mut read, human);
    Some(call.asks(Question {
        id: QuestionId::from("confirm"),
        text: text?.to_owned(),
        choices: vec![Choice::new(YES), Choice::new(NO)],
        default: default.into_iter().collect(),
        ..Question::default()
    }))
}
