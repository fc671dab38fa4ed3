//! `ask_user`: OpenClaw's contract. One to three questions of two to four options, Other always allowed; the result names answers by
//! question, or says that there is none.

use askrelay_core::ask::{Choice, Fault, Question};
use askrelay_core::id::QuestionId;
use askrelay_core::record::{Record, State};
use askrelay_core::time::Span;
use askrelay_protocol::call::AskParams;
use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::{Asked, End, Hints, Meant, Shape, Tool, binding_note, ended, handed, schemas, told};
use crate::instructions;
use crate::wanted::{Finished, How, Wanted};

/// What a header is cut to, in UTF-16 units, as OpenClaw cuts it.
const HEADER: usize = 12;
/// Most characters of a label.
pub(super) const LABEL: usize = 64;
/// Most characters of a question; far more than any platform shows without splitting.
pub(super) const QUESTION: usize = 4000;
/// Seconds to wait: least, most, and when not said.
const WAIT: (i64, i64, i64) = (30, 3600, 900);

/// What asking does to the world.
pub(super) const HINTS: Hints =
    Hints { read_only: true, destructive: false, idempotent: false, open_world: true };

pub(super) fn tool() -> Tool {
    let question = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "pattern": "^[a-z][a-z0-9_]*$", "maxLength": 64, "description": "The key of its answer." },
            "header": { "type": "string", "minLength": 1, "description": "A heading of a word or two; cut to 12 characters." },
            "question": { "type": "string", "minLength": 1, "maxLength": QUESTION, "description": "One sentence that can be answered without rereading the task." },
            "options": schemas::options(2, 4, LABEL, "Two to four answers, all of them and nothing else; the person can always give another in their own words."),
            "multiSelect": { "type": "boolean", "default": false, "description": "Several options may apply at once." },
        },
        "required": ["id", "header", "question", "options"], "additionalProperties": false,
    });
    let own = json!({
        "questions": { "type": "array", "minItems": 1, "maxItems": 3, "items": question, "description": "Several only when they belong together." },
        "timeoutSeconds": { "type": "integer", "default": WAIT.2, "description": "How long to wait, in seconds; 30 to 3600, what lies outside is moved in." },
    });
    Tool {
        name: "ask_user",
        title: "Ask the person to choose",
        description: instructions::describe(
            "Asks your person one to three questions with two to four options each, wherever they can be reached, and waits for the answer.",
        ),
        input: schemas::asking(own, &["questions"]),
        output: schemas::result(json!({
            "status": { "type": "string", "enum": ["answered", "no_answer"] },
            "answers": {
                "type": ["object", "null"], "properties": { "answers": schemas::answers() },
                "required": ["answers"], "additionalProperties": false,
                "description": "Labels, or own words, by question id; null without an answer.",
            },
            "via": via_schema(),
        })),
        hints: HINTS,
    }
}

/// Through what an answer came.
pub(super) fn via_schema() -> Value {
    json!({ "type": "string", "enum": ["chat", "elicitation", "http_form", "none"], "description": "The way by which the person was asked." })
}

pub(super) fn read(arguments: &Map<String, Value>, faults: &mut Vec<Fault>) -> Option<Meant> {
    let mut wanted = Wanted::default();
    let mut read = Arguments::of_call(arguments, &["questions", "timeoutSeconds"], faults);
    read.common(&mut wanted);
    let seconds = read.integer("timeoutSeconds").unwrap_or(WAIT.2).clamp(WAIT.0, WAIT.1);
    let objects = read.objects("questions", 1, 3);
    let mut questions: Vec<Question> = Vec::new();
    for (path, object) in objects {
        if let Some(question) = read_question(object, &path, read.faults()) {
            if questions.iter().any(|each| each.id == question.id) {
                let what = format!("'{}' is used twice", question.id);
                read.faults().push(Fault { path: format!("{path}/id"), what });
            }
            questions.push(question);
        }
    }
    let wait = Some(Span::seconds(seconds.unsigned_abs()));
    wanted.params = AskParams { questions, wait, ..AskParams::default() };
    Some(Meant::Ask(Box::new(Asked { wanted, shape: Shape::User })))
}

fn read_question(object: &Map<String, Value>, path: &str, faults: &mut Vec<Fault>) -> Option<Question> {
    let known = ["id", "header", "question", "options", "multiSelect"];
    let mut read = Arguments::within(object, path.to_owned(), &known, faults);
    let id = read.required("id", 64);
    if id.is_some_and(|id| !is_id(id)) {
        read.fault("id", "must begin with a-z and go on with a-z, 0-9 and _");
    }
    let header = read.required("header", 1000).map(cut);
    let text = read.required("question", QUESTION).map(str::to_owned);
    let multi_select = read.boolean("multiSelect").unwrap_or(false);
    let choices = choices(&mut read, 2, 4, LABEL);
    Some(Question {
        id: QuestionId::from(id?),
        header: header?,
        text: text?,
        choices,
        multi_select,
        other: true,
        ..Question::default()
    })
}

fn is_id(id: &str) -> bool {
    let rest = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    id.starts_with(|c: char| c.is_ascii_lowercase()) && id.chars().all(rest)
}

/// The header within its units, no character split.
fn cut(header: &str) -> String {
    let mut units = 0;
    let fits = |c: &char| {
        units += c.len_utf16();
        units <= HEADER
    };
    header.chars().take_while(fits).collect::<String>().trim_end().to_owned()
}

/// The options of a question, each label once, and none that stands for Other: own words have their own place.
pub(super) fn choices(read: &mut Arguments<'_>, least: usize, most: usize, label: usize) -> Vec<Choice> {
    let objects = read.objects("options", least, most);
    let mut choices: Vec<Choice> = Vec::new();
    for (path, object) in objects {
        let mut option = Arguments::within(object, path, &["label", "description"], read.faults());
        let text = option.required("label", label);
        let description = option.text_or_blank("description", 1000);
        let Some(text) = text else { continue };
        if choices.iter().any(|choice| choice.label.to_lowercase() == text.to_lowercase()) {
            option.fault("label", &format!("'{text}' is there already"));
        }
        if stands_for_other(text) {
            option.fault("label", "leave it out: the person can always answer in their own words");
        }
        choices.push(Choice { label: text.to_owned(), description, destructive: false });
    }
    choices
}

/// Whether a label is an authored Other, in the words that models use for it.
fn stands_for_other(label: &str) -> bool {
    let bare: String = label.to_lowercase().chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
    let bare = bare.trim();
    ["other", "others", "something else", "other please specify", "other specify", "custom", "custom answer"]
        .contains(&bare)
}

pub(super) fn finish(wanted: &Wanted, end: &End, how: &How) -> Finished {
    let mut structured = told(end, how);
    let (status, answers) = match end {
        End::Ended(record) => match &record.state {
            State::Answered(answered) => ("answered", json!({ "answers": answered.answers })),
            _ => ("no_answer", Value::Null),
        },
        _ => ("no_answer", Value::Null),
    };
    if matches!(end, End::HandedBack(_)) {
        structured.insert("reason".into(), json!("handed_back"));
    } else if structured.get("reason").is_some_and(Value::is_null) && status == "no_answer" {
        let reason = if matches!(end, End::Declined | End::Dismissed) { "declined" } else { "unavailable" };
        structured.insert("reason".into(), json!(reason));
    }
    structured.insert("status".into(), json!(status));
    structured.insert("answers".into(), answers);
    structured.insert("via".into(), json!(how.via.name()));
    Finished {
        structured: Value::Object(structured),
        text: text(wanted, end),
        is_error: matches!(end, End::Unsupported | End::Failed(_)),
    }
}

fn text(wanted: &Wanted, end: &End) -> String {
    match end {
        End::Ended(record) => match &record.state {
            State::Answered(_) => answer_lines(record),
            _ => format!("{}\n{}", ended::words(record), instructions::CARRY_ON),
        },
        End::Pending(record) => pending(record),
        End::HandedBack(why) => {
            let question = handed::question(&wanted.params.questions);
            format!("{why}\n{}\n\n{question}", instructions::ASK_YOURSELF)
        }
        End::Unsupported => format!("Nobody can be asked from here.\n{}", instructions::CARRY_ON),
        End::Declined | End::Dismissed => format!("The person did not answer.\n{}", instructions::CARRY_ON),
        End::Unreadable(what) => format!("What came back is no answer: {what}\n{}", instructions::CARRY_ON),
        End::Failed(what) => format!("Asking failed: {what}\n{}", instructions::CARRY_ON),
    }
}

/// What an open ask tells: how to get the answer later.
pub(super) fn pending(record: &Record) -> String {
    let mut text = format!(
        "Nobody has answered yet; the question stays open. Make the same call again to go on waiting, or call get_answer with ask_id {} later. Do not ask anew.",
        record.key.id
    );
    if let Some(note) = binding_note(record) {
        text.push('\n');
        text.push_str(note);
    }
    text
}

/// One line for each question, then who answered.
fn answer_lines(record: &Record) -> String {
    let State::Answered(answered) = &record.state else { return String::new() };
    let mut lines: Vec<String> = Vec::new();
    for question in &record.ask.questions {
        let name = if question.header.is_empty() { question.id.as_str() } else { &question.header };
        lines.push(format!("{name}: {}", answered.answers.of(&question.id).join(", ")));
        if let Some(note) = answered.notes.get(&question.id) {
            lines.push(format!("{name}, a remark beside it: {note}"));
        }
    }
    if let Some(who) = ended::who(record) {
        lines.push(format!("Answered by {}.", who.in_words()));
    }
    lines.join("\n")
}
