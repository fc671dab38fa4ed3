//! `ask_user`: OpenClaw's contract. One to three questions of two to four options, Other always allowed; the result names answers by
//! question, or says that there is none.

use std::collections::HashSet;

use askrelay_core::answer::Answered;
use askrelay_core::ask::{Fault, Question};
use askrelay_core::id::QuestionId;
use askrelay_core::record::Record;
use askrelay_core::time::Span;
use askrelay_protocol::call::AskParams;
use serde_json::{Map, Value, json};

use super::arguments::{Arguments, Unknown};
use super::options::{Labels, Options, choices};
use super::{Asked, End, Hints, Meant, Shape, Tool, ended, handed, listed_faults, schemas, told};
use crate::instructions;
use crate::wanted::{Finished, How, Wanted};

/// What a header is cut to, in UTF-16 units, as OpenClaw cuts it.
const HEADER: usize = 12;
/// Most characters of an id.
const ID: usize = 256;
/// Most characters of a header before it is cut.
const HEADER_READ: usize = 1000;
/// Most characters of a label.
const LABEL: usize = 64;
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
            "id": { "type": "string", "pattern": "^[a-z][a-z0-9_]*$", "maxLength": ID, "description": "The key of its answer." },
            "header": { "type": "string", "minLength": 1, "maxLength": HEADER_READ, "description": "A heading of a word or two; cut to 12 characters." },
            "question": { "type": "string", "minLength": 1, "maxLength": QUESTION, "description": "One sentence that can be answered without rereading the task." },
            "options": schemas::options(2, 4, LABEL, "Two to four answers, all of them and nothing else; the person can always give another in their own words.", Unknown::Refused),
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
        description: instructions::describe_options(
            "Asks your person one to three questions with two to four options each, wherever they can be reached, and waits for the answer.",
        ),
        input: schemas::asking(own, &["questions"], Unknown::Refused),
        output: output(),
        hints: HINTS,
    }
}

pub(super) fn output() -> Map<String, Value> {
    let own = json!({
        "status": {
            "type": "string", "enum": ["answered", "no_answer"],
            "description": "no_answer: reason tells why, also when the question is open still.",
        },
        "answers": {
            "type": "object", "properties": { "answers": schemas::answers() },
            "required": ["answers"], "additionalProperties": false,
            "description": "Labels, or own words, by question id; only with an answer.",
        },
        "notes": {
            "type": "object", "additionalProperties": { "type": "string" },
            "description": "Remarks that the person made beside a choice, by question id; only when there are any. Heed them.",
        },
        "via": via_schema(),
        "next_step": schemas::next_step(),
    });
    schemas::result(own, &["answers", "notes"])
}

/// Through what an answer came.
pub(super) fn via_schema() -> Value {
    json!({ "type": "string", "enum": ["chat", "elicitation", "http_form", "none"], "description": "The way by which the person was asked." })
}

pub(super) fn read(arguments: &Map<String, Value>, faults: &mut Vec<Fault>) -> Option<Meant> {
    let mut wanted = Wanted::default();
    let mut read = Arguments::of_call(arguments, &["questions", "timeoutSeconds"], Unknown::Refused, faults);
    read.common(&mut wanted);
    let seconds = read.integer("timeoutSeconds").unwrap_or(WAIT.2).clamp(WAIT.0, WAIT.1);
    let mut ids = HashSet::new();
    let objects = read.objects("questions", 1, 3);
    let questions =
        objects.into_iter().map(|(path, object)| read_question(object, path, &mut ids, read.faults()));
    // Every question is read, so that none of their faults is missed.
    let questions: Vec<Option<Question>> = questions.collect();
    let wait = Some(Span::seconds(seconds.unsigned_abs()));
    let questions = questions.into_iter().collect::<Option<_>>()?;
    wanted.params = AskParams { questions, wait, ..AskParams::default() };
    Some(Meant::Ask(Box::new(Asked { wanted, shape: Shape::User })))
}

fn read_question(
    object: &Map<String, Value>,
    path: String,
    ids: &mut HashSet<String>,
    faults: &mut Vec<Fault>,
) -> Option<Question> {
    let known = ["id", "header", "question", "options", "multiSelect"];
    let options =
        Options { least: 2, most: 4, label: LABEL, labels: Labels::CaseFolded, unknown: Unknown::Refused };
    let mut read = Arguments::within(object, path, &known, Unknown::Refused, faults);
    let id = read.required("id", ID);
    if id.is_some_and(|id| !is_id(id)) {
        read.fault("id", "must begin with a-z and go on with a-z, 0-9 and _");
    }
    if let Some(id) = id.filter(|id| !ids.insert((*id).to_owned())) {
        read.fault("id", &format!("'{id}' is used twice"));
    }
    let header = read.required("header", HEADER_READ).map(cut);
    let text = read.required("question", QUESTION).map(str::to_owned);
    let multi_select = read.boolean("multiSelect").unwrap_or(false);
    let choices = choices(&mut read, &options);
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

pub(super) fn finish(wanted: &Wanted, end: &End, how: &How) -> Finished {
    let mut structured = told(end, how);
    let answered = match end {
        End::Ended(record) => ended::answer(record),
        _ => None,
    };
    if let Some(answered) = answered {
        structured.insert("answers".into(), json!({ "answers": answered.answers }));
        if !answered.notes.is_empty() {
            structured.insert("notes".into(), json!(answered.notes));
        }
    }
    structured.insert("status".into(), json!(if answered.is_some() { "answered" } else { "no_answer" }));
    structured.insert("via".into(), json!(how.via.name()));
    structured.insert("next_step".into(), json!(next_step(end, answered)));
    Finished {
        structured: Value::Object(structured),
        text: text(wanted, end),
        is_error: matches!(end, End::Unsupported | End::Failed(_)),
    }
}

/// The result of a call whose arguments are wrong.
pub(super) fn misused(faults: &[Fault]) -> Map<String, Value> {
    let mut structured = told(&End::Unsupported, &How::default());
    for (name, value) in [
        ("status", json!("no_answer")),
        ("reason", json!("misused")),
        ("via", json!("none")),
        ("next_step", json!(instructions::MEND)),
        ("faults", listed_faults(faults)),
    ] {
        structured.insert(name.into(), value);
    }
    structured
}

/// What to do now.
pub(super) fn next_step(end: &End, answered: Option<&Answered>) -> String {
    match (end, answered) {
        (_, Some(answered)) if answered.notes.is_empty() => instructions::USE_IT.to_owned(),
        (_, Some(_)) => instructions::READ_IT.to_owned(),
        (End::Pending(record), _) => instructions::join(&record.key.id),
        (End::HandedBack(_), _) => instructions::ASK_YOURSELF.to_owned(),
        _ => instructions::CARRY_ON.to_owned(),
    }
}

fn text(wanted: &Wanted, end: &End) -> String {
    let answered = match end {
        End::Ended(record) => ended::answer(record),
        _ => None,
    };
    let what = match end {
        End::Ended(record) if answered.is_some() => answer_lines(record),
        _ => why(end),
    };
    let mut text = format!("{what}\n{}", next_step(end, answered));
    if matches!(end, End::HandedBack(_)) {
        text.push_str(&format!("\n\n{}", handed::question(&wanted.params.questions)));
    }
    text
}

/// Why there is no answer, in words.
pub(super) fn why(end: &End) -> String {
    match end {
        End::Ended(record) | End::Pending(record) => ended::words(record),
        End::HandedBack(why) => why.clone(),
        End::Unsupported => "Nobody can be asked from here.".to_owned(),
        End::Declined => "The person declined to answer.".to_owned(),
        End::Dismissed => "The question was put away without an answer.".to_owned(),
        End::Unreadable(what) => format!("What came back is no answer: {what}."),
        End::Failed(what) => format!("Asking failed: {what}."),
    }
}

/// One line for each question, then who answered.
fn answer_lines(record: &Record) -> String {
    let Some(answered) = ended::answer(record) else { return String::new() };
    let mut lines: Vec<String> = Vec::new();
    for question in &record.ask.questions {
        let name = if question.header.is_empty() { question.id.as_str() } else { &question.header };
        lines.push(format!("{name}: {}", answered.answers.of(&question.id).join(", ")));
        if let Some(note) = answered.notes.get(&question.id) {
            lines.push(format!("{name}, a remark beside it: {note}"));
        }
    }
    lines.extend(ended::who(record).map(|who| format!("Answered by {}.", who.in_words())));
    lines.join("\n")
}
