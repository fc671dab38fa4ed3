//! `ask_choice` and `ask_multi_select`: one of several options, or some of them.

use askrelay_core::ask::{Choice, Fault, Question};
use askrelay_core::id::QuestionId;
use askrelay_core::time::Span;
use askrelay_protocol::call::AskParams;
use serde_json::{Map, Value, json};

use super::arguments::{Arguments, Unknown};
use super::ask_user::HINTS;
use super::options::{Labels, Options, choices};
use super::{Asked, Meant, Shape, Tool, Uniform, schemas, uniform};
use crate::human::Human;
use crate::instructions;
use crate::wanted::Wanted;

/// Most options of these tools.
const OPTIONS: usize = 25;
/// Most characters of a label of these tools.
const LABEL: usize = 200;
/// Most characters of a question of these tools.
pub(super) const QUESTION: usize = 2000;
/// The choice that takes nothing, where nothing may be taken: an answer is never empty.
pub(crate) const NONE: &str = "None of these";

/// Whether nothing may be taken of a question's choices: one of them stands for that.
pub(crate) fn may_take_nothing(question: &Question) -> bool {
    question.multi_select && question.choices.last().is_some_and(|choice| choice.label == NONE)
}

/// The choices that a form lists: where nothing may be taken, taking none says it.
pub(crate) fn offered(question: &Question) -> &[Choice] {
    let without = question.choices.len().saturating_sub(1);
    if may_take_nothing(question) { &question.choices[..without] } else { &question.choices }
}

pub(super) fn tool_one() -> Tool {
    let own = json!({
        "question": question_schema(),
        "options": schemas::options(2, OPTIONS, LABEL, "Two to five that exclude each other are best, 25 the most. Use ask_confirm for yes or no.", Unknown::Ignored),
        "default": { "type": "string", "maxLength": LABEL, "description": "The label you recommend, exactly as in options. Offered to the person; never taken for an answer by itself." },
        "allow_free_text": { "type": "boolean", "default": true, "description": "The person may answer in own words instead, which come back as status discussion." },
        "timeout_ms": schemas::timeout_ms(),
    });
    Tool {
        name: "ask_choice",
        title: "Ask the person to pick one option",
        description: instructions::describe_options(
            "Asks your person to pick one of 2 to 25 options and waits for the answer.",
        ),
        input: schemas::asking(own, &["question", "options"], Unknown::Ignored),
        output: uniform::output(),
        hints: HINTS,
    }
}

pub(super) fn tool_several() -> Tool {
    let bound = |what: &str, least: i64| json!({ "type": "integer", "minimum": least, "maximum": OPTIONS, "description": what });
    let own = json!({
        "question": question_schema(),
        "options": schemas::options(2, OPTIONS, LABEL, "What can be picked; several may hold at once, otherwise use ask_choice.", Unknown::Ignored),
        "min": bound("Fewest that must be picked; 1 when left out.", 0),
        "max": bound("Most that may be picked; all of them when left out.", 1),
        "timeout_ms": schemas::timeout_ms(),
    });
    Tool {
        name: "ask_multi_select",
        title: "Ask the person to pick several options",
        description: instructions::describe_options(
            "Asks your person which of 2 to 25 options apply and waits for the answer. Only where several may apply; otherwise use ask_choice.",
        ),
        input: schemas::asking(own, &["question", "options"], Unknown::Ignored),
        output: uniform::output(),
        hints: HINTS,
    }
}

/// The question of a tool that asks one.
pub(super) fn question_schema() -> Value {
    json!({
        "type": "string", "minLength": 1, "maxLength": QUESTION,
        "description": "The one decision that is wanted, as a question, with what is needed to answer it.",
    })
}

/// How the options of these tools are read.
const OPTIONS_READ: Options =
    Options { least: 2, most: OPTIONS, label: LABEL, labels: Labels::AsWritten, unknown: Unknown::Ignored };

pub(super) fn read_one(
    arguments: &Map<String, Value>,
    human: &Human,
    faults: &mut Vec<Fault>,
) -> Option<Meant> {
    let known = ["question", "options", "default", "allow_free_text", "timeout_ms"];
    let mut read = Arguments::of_call(arguments, &known, Unknown::Ignored, faults);
    let (text, choices) = (read.required("question", QUESTION), choices(&mut read, &OPTIONS_READ));
    let default = read.text("default", LABEL);
    if default.is_some_and(|default| !choices.iter().any(|choice| choice.label == default)) {
        read.fault("default", "must be one of the labels, exactly");
    }
    let other = read.boolean("allow_free_text").unwrap_or(true);
    let call = Call::read("ask_choice", &mut read, human);
    Some(call.asks(Question {
        id: QuestionId::from("choice"),
        text: text?.to_owned(),
        choices,
        other,
        default: default.map(str::to_owned).into_iter().collect(),
        ..Question::default()
    }))
}

pub(super) fn read_several(
    arguments: &Map<String, Value>,
    human: &Human,
    faults: &mut Vec<Fault>,
) -> Option<Meant> {
    let known = ["question", "options", "min", "max", "timeout_ms"];
    let mut read = Arguments::of_call(arguments, &known, Unknown::Ignored, faults);
    let (text, mut choices) = (read.required("question", QUESTION), choices(&mut read, &OPTIONS_READ));
    let least = count(read.within_bounds("min", 0, 25));
    let most = count(read.within_bounds("max", 1, 25));
    for (name, bound) in [("min", least), ("max", most)] {
        if bound.is_some_and(|bound| bound > choices.len()) {
            read.fault(
                name,
                &format!("must not be more than there are options, which are {}", choices.len()),
            );
        }
    }
    if most.is_some_and(|most| most < least.unwrap_or(1)) {
        read.fault("max", "must not be less than min");
    }
    let call = Call::read("ask_multi_select", &mut read, human);
    if least == Some(0) && !choices.iter().any(|choice| choice.label.to_lowercase() == NONE.to_lowercase()) {
        choices.push(Choice::new(NONE));
    }
    Some(call.asks(Question {
        id: QuestionId::from("choices"),
        text: text?.to_owned(),
        min: least.filter(|least| *least > 0),
        max: most,
        choices,
        multi_select: true,
        ..Question::default()
    }))
}

fn count(number: Option<i64>) -> Option<usize> {
    number.and_then(|number| usize::try_from(number).ok())
}

/// What the tools that ask one question take beside it.
pub(super) struct Call {
    tool: &'static str,
    wanted: Wanted,
}

impl Call {
    pub(super) fn read(tool: &'static str, read: &mut Arguments<'_>, human: &Human) -> Self {
        let mut wanted = Wanted::default();
        read.common(&mut wanted);
        let wait = read.within_bounds("timeout_ms", 1_000, 3_600_000);
        wanted.params.wait = Some(wait.map_or(human.timeout, |wait| Span(wait.unsigned_abs())));
        Self { tool, wanted }
    }

    pub(super) fn asks(self, question: Question) -> Meant {
        let Self { tool, mut wanted } = self;
        wanted.params = AskParams { questions: vec![question], ..wanted.params };
        Meant::Ask(Box::new(Asked { wanted, shape: Shape::Uniform(Uniform { tool }) }))
    }
}
