//! The one result of the tools `ask_choice`, `ask_multi_select`, `ask_confirm` and `ask_text`: JustAskMe's contract, with what every result
//! of ours tells beside it. Every field is always there.

use askrelay_core::answer::Answered;
use askrelay_core::ask::{Fault, Question};
use askrelay_core::record::{NoAnswer, Record, State};
use serde_json::{Map, Value, json};

use super::ask_user::via_schema;
use super::confirm::YES;
use super::{End, Uniform, choice, ended, handed, listed_faults, schemas, told};
use crate::human::Human;
use crate::instructions;
use crate::wanted::{Fallback, Finished, How, Wanted};

/// The tools that have it.
pub(super) const NAMES: [&str; 4] = ["ask_choice", "ask_multi_select", "ask_confirm", "ask_text"];

const STATUSES: [&str; 9] = [
    "answered",
    "discussion",
    "declined",
    "cancelled",
    "timeout",
    "unsupported",
    "invalid_response",
    "needs_user_input",
    "error",
];

pub(super) fn output() -> Map<String, Value> {
    let own = json!({
        "tool": { "type": "string", "description": "The tool that was called." },
        "status": {
            "type": "string", "enum": STATUSES,
            "description": "answered: answer holds. discussion: the person wrote own words instead of choosing; read them before deciding. needs_user_input: ask yourself, with what message says. timeout: no answer yet, or none in time.",
        },
        "via": via_schema(),
        "question": { "type": "string", "description": "The question as it was asked." },
        "message": { "type": "string", "description": "What happened, in words." },
        "next_step": schemas::next_step(),
        "answer": { "type": ["string", "null"], "description": "The label, yes or no, or the words." },
        "free_text": { "type": ["string", "null"], "description": "Own words, or a remark beside a choice." },
        "selected": { "type": "array", "items": { "type": "string" }, "description": "The labels that were chosen." },
        "confirmed": { "type": ["boolean", "null"], "description": "ask_confirm: yes or no." },
        "client_elicitation": { "type": "boolean", "description": "The client can show forms." },
        "fallback": { "type": "string", "enum": ["return", "http", "off"], "description": "The setting HIM_FALLBACK." },
        "auto_reject_suspected": { "type": "boolean", "description": "The client's form was declined faster than a person could have." },
        "elapsed_ms": { "type": "integer", "minimum": 0, "description": "How long this call waited, in milliseconds." },
        "form_url": { "type": ["string", "null"], "description": "The address of the one-time page, where one was used." },
    });
    schemas::result(own, &[])
}

/// One outcome, before it is written.
struct Outcome {
    status: &'static str,
    message: String,
    next_step: String,
    is_error: bool,
}

impl Outcome {
    fn new(status: &'static str, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self { status, message: message.into(), next_step: next_step.into(), is_error: false }
    }

    fn error(self) -> Self {
        Self { is_error: true, ..self }
    }
}

/// What was answered, by field.
#[derive(Default)]
struct Given {
    answer: Option<String>,
    free_text: Option<String>,
    selected: Vec<String>,
    confirmed: Option<bool>,
}

pub(super) fn finish(uniform: &Uniform, wanted: &Wanted, end: &End, how: &How) -> Finished {
    let mut given = Given::default();
    let outcome = match end {
        End::Ended(record) => match &record.state {
            State::Answered(answered) => {
                given = taken(&record.ask.questions, answered);
                answer(uniform.tool, &given, record)
            }
            _ => unanswered(record, wanted, how),
        },
        End::Pending(record) => Outcome::new(
            "timeout",
            ended::words(record),
            instructions::join(&record.key.id),
        ),
        End::HandedBack(why) => needs_input(why, wanted),
        End::Unsupported if how.client_elicitation => {
            Outcome::new("error", "The client's form failed, and HIM_FALLBACK=off leaves no other way.", instructions::CARRY_ON).error()
        }
        End::Unsupported => Outcome::new(
            "unsupported",
            "Nobody can be asked: no chat is reachable, the client shows no forms, and HIM_FALLBACK=off leaves no other way.",
            instructions::CARRY_ON,
        )
        .error(),
        End::Declined => Outcome::new("declined", "The person declined to answer.", instructions::CARRY_ON),
        End::Dismissed => Outcome::new("cancelled", "The question was put away without an answer.", instructions::CARRY_ON),
        End::Unreadable(what) => {
            let message = format!("Something was submitted that is no answer to this question: {what}");
            Outcome::new("invalid_response", message, "Ask once more in a simpler way, or carry on and say which assumption you made.")
        }
        End::Failed(what) => {
            Outcome::new("error", format!("Asking failed: {what}"), instructions::CARRY_ON).error()
        }
    };
    let question = handed_title(&wanted.params.questions);
    written(uniform.tool, &question, given, outcome, told(end, how), how)
}

fn answer(tool: &str, given: &Given, record: &Record) -> Outcome {
    let words = given.answer.clone().unwrap_or_default();
    let by = ended::who(record).map_or_else(|| "Somebody".to_owned(), |who| who.in_words());
    let next = if given.free_text.is_some() { instructions::READ_IT } else { instructions::USE_IT };
    let own_words = tool == "ask_choice" && given.selected.is_empty();
    match (&given.free_text, own_words) {
        (_, true) => Outcome::new("discussion", format!("{by} answered in own words: {words}"), next),
        (Some(note), false) => {
            Outcome::new("answered", format!("{by} answered: {words}. Beside it: {note}"), next)
        }
        (None, false) => Outcome::new("answered", format!("{by} answered: {words}"), next),
    }
}

/// The answer of the one question of such a tool.
fn taken(questions: &[Question], answered: &Answered) -> Given {
    let Some(question) = questions.first() else { return Given::default() };
    let values = answered.answers.of(&question.id);
    let declared = |value: &&String| question.choices.iter().any(|choice| choice.label == **value);
    let note = answered.notes.get(&question.id).cloned();
    match question.id.as_str() {
        "confirm" => {
            let yes = values.first().is_some_and(|value| value == YES);
            let answer = if yes { "yes" } else { "no" };
            Given {
                answer: Some(answer.to_owned()),
                free_text: note,
                confirmed: Some(yes),
                ..Given::default()
            }
        }
        "text" => Given { answer: values.first().cloned(), ..Given::default() },
        _ => {
            let selected: Vec<String> =
                values.iter().filter(declared).filter(|value| *value != choice::NONE).cloned().collect();
            let words = values.iter().find(|value| !declared(value)).cloned().or(note);
            let answer = if selected.is_empty() { words.clone() } else { Some(selected.join(", ")) };
            Given {
                answer: answer.or_else(|| Some(String::new())),
                free_text: words,
                selected,
                confirmed: None,
            }
        }
    }
}

fn unanswered(record: &Record, wanted: &Wanted, how: &How) -> Outcome {
    let words = ended::words(record);
    match record.state.no_answer() {
        Some(NoAnswer::Declined) => Outcome::new("declined", words, instructions::CARRY_ON),
        Some(NoAnswer::Withdrawn) => Outcome::new("cancelled", words, "Wait for what the person says next."),
        Some(NoAnswer::Unavailable | NoAnswer::NotDelivered) => match how.fallback {
            Fallback::Off => Outcome::new("unsupported", words, instructions::CARRY_ON).error(),
            Fallback::Return | Fallback::Http => needs_input(&words, wanted),
        },
        Some(NoAnswer::Expired) | None => Outcome::new("timeout", words, instructions::CARRY_ON),
    }
}

fn needs_input(why: &str, wanted: &Wanted) -> Outcome {
    let question = handed::question(&wanted.params.questions);
    Outcome::new("needs_user_input", format!("{why}\n\n{question}"), instructions::ASK_YOURSELF)
}

fn handed_title(questions: &[Question]) -> String {
    questions.first().map(|question| question.text.clone()).unwrap_or_default()
}

fn written(
    tool: &str,
    question: &str,
    given: Given,
    outcome: Outcome,
    told: Map<String, Value>,
    how: &How,
) -> Finished {
    let text = written_text(tool, &given, &outcome, &told, how);
    let mut structured = told;
    let own = json!({
        "tool": tool,
        "status": outcome.status,
        "via": how.via.name(),
        "question": question,
        "message": outcome.message,
        "next_step": outcome.next_step,
        "answer": given.answer,
        "free_text": given.free_text,
        "selected": given.selected,
        "confirmed": given.confirmed,
        "client_elicitation": how.client_elicitation,
        "fallback": how.fallback.name(),
        "auto_reject_suspected": how.auto_reject_suspected,
        "elapsed_ms": how.now.since(how.began_at).0,
        "form_url": how.form_url,
    });
    structured.append(&mut super::members(own));
    Finished { structured: Value::Object(structured), text, is_error: outcome.is_error }
}

fn written_text(
    tool: &str,
    given: &Given,
    outcome: &Outcome,
    told: &Map<String, Value>,
    how: &How,
) -> String {
    let (status, via, elapsed) = (outcome.status, how.via.name(), how.now.since(how.began_at).0);
    let mut lines = vec![format!("{tool}: {status} (via {via}, {elapsed}ms)"), outcome.message.clone()];
    if status == "answered" {
        lines.extend(given.answer.as_ref().map(|answer| format!("answer: {answer}")));
        lines.extend(given.free_text.as_ref().map(|words| format!("free_text: {words}")));
        lines.extend((!given.selected.is_empty()).then(|| format!("selected: {}", json!(given.selected))));
        lines.extend(given.confirmed.map(|yes| format!("confirmed: {yes}")));
    }
    if let Some(id) = told.get("ask_id").and_then(Value::as_str) {
        lines.push(format!("ask_id: {id}"));
    }
    if let Some(url) = &how.form_url {
        lines.push(format!("form_url: {url}"));
    }
    lines.push(format!("next_step: {}", outcome.next_step));
    lines.join("\n")
}

/// The result of a call whose arguments are wrong.
pub(super) fn misused(
    tool: &str,
    arguments: &Map<String, Value>,
    faults: &[Fault],
    human: &Human,
) -> Finished {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let message = format!("Nobody was asked. The arguments are wrong:\n{}", lines.join("\n"));
    let outcome = Outcome::new("error", message, instructions::MEND).error();
    let how = How { fallback: human.fallback, ..How::default() };
    let question = arguments.get("question").and_then(Value::as_str).unwrap_or_default();
    let mut told = told(&End::Unsupported, &how);
    told.insert("reason".into(), json!("misused"));
    told.insert("faults".into(), listed_faults(faults));
    written(tool, question, Given::default(), outcome, told, &how)
}
