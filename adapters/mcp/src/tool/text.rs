//! `ask_text`: the person's own words.

use askrelay_core::ask::{Fault, Question};
use askrelay_core::id::QuestionId;
use serde_json::{Map, Value, json};

use super::arguments::{Arguments, Unknown};
use super::ask_user::HINTS;
use super::choice::{Call, QUESTION, question_schema};
use super::{Meant, Tool, schemas, uniform};
use crate::human::Human;
use crate::instructions;

pub(super) fn tool() -> Tool {
    let own = json!({
        "question": question_schema(),
        "placeholder": { "type": "string", "maxLength": 500, "description": "What an answer looks like, such as owner/name." },
        "default": { "type": "string", "maxLength": 2000, "description": "An answer that the person can take or change. Never taken for an answer by itself." },
        "timeout_ms": schemas::timeout_ms(),
    });
    Tool {
        name: "ask_text",
        title: "Ask the person for their own words",
        description: instructions::describe(
            "Asks your person an open question and waits for their words. Use ask_choice when a handful of answers covers it.",
        ),
        input: schemas::asking(own, &["question"], Unknown::Ignored),
        output: uniform::output(),
        hints: HINTS,
    }
}

pub(super) fn read(arguments: &Map<String, Value>, human: &Human, faults: &mut Vec<Fault>) -> Option<Meant> {
    let known = ["question", "placeholder", "default", "timeout_ms"];
    let mut read = Arguments::of_call(arguments, &known, Unknown::Ignored, faults);
    let text = read.required("question", QUESTION);
    let placeholder = read.text_or_blank("placeholder", 500);
    let default = read.text_or_blank("default", 2000);
    let call = Call::read("ask_text", &mut read, human);
    Some(call.asks(Question {
        id: QuestionId::from("text"),
        text: text?.to_owned(),
        placeholder,
        default: default.into_iter().collect(),
        ..Question::default()
    }))
}
