//! The one printer: what a command found, as words on standard output and error and as an exit code. Commands return these
//! values and write nothing themselves.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use askrelay_core::answer::Answers;
use askrelay_core::ask::WhenUnanswered;
use askrelay_core::id::QuestionId;
use askrelay_core::prompt::one_line;
use askrelay_core::record::{Record, State, WhyCancelled};
use askrelay_core::schema::Form;
use askrelay_mcp::plan::Step;
use askrelay_protocol::encode::RecordView;
use askrelay_protocol::frame::Caps;
use serde_json::{Value, json};

use super::CommandError;

/// How an answer is printed.
#[derive(Debug)]
pub enum Shape {
    /// The values, one a line; several questions carry their id in front.
    Lines,
    /// The whole record, as JSON.
    Record,
    /// The object that the asker's schema describes, as JSON.
    Typed(Box<Form>),
    /// The result of the step of a plan that asked, as JSON.
    Step(Box<Step>),
}

/// Values by question.
type Values = BTreeMap<QuestionId, Vec<String>>;

/// What a command found.
#[derive(Debug)]
pub enum Outcome {
    /// Done; these whole lines go to standard output.
    Said(String),
    /// What a hook prints; without a decision, why the agent's terminal decides.
    Decided {
        /// In the agent's own format.
        decision: Option<Value>,
        /// For whoever looks.
        why: Option<String>,
    },
    /// An ask ended, or still waits.
    Ended {
        /// The record as it is now.
        record: Box<Record>,
        /// How to print it.
        shape: Shape,
    },
}

/// Somebody answered, or the command did what it was told.
const ANSWERED: u8 = 0;
/// The command failed.
const FAILED: u8 = 1;
/// Wrong usage, as `clap` has it too.
const USAGE: u8 = 2;
/// Nobody answered.
const UNANSWERED: u8 = 3;

/// Writes why a command failed, with every cause, and tells its exit code.
pub fn print_failure(error: &CommandError, err: &mut dyn Write) -> ExitCode {
    let mut text = format!("askrelay: {}\n", harmless(&error.to_string()));
    let mut cause = error.source();
    while let Some(error) = cause {
        // Writing into memory does not fail.
        let _ = writeln!(text, "  because {}", harmless(&error.to_string()));
        cause = error.source();
    }
    // When standard error is gone there is nobody left to tell.
    let _ = err.write_all(text.as_bytes());
    ExitCode::from(if matches!(error, CommandError::Misused(_)) { USAGE } else { FAILED })
}

/// Words that may repeat what others gave, without the characters that steer a terminal; lines and their indents stay.
fn harmless(text: &str) -> String {
    let line = |line: &str| {
        let (indent, words) = line.split_at(line.len() - line.trim_start_matches(' ').len());
        format!("{indent}{}", one_line(words))
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

impl Outcome {
    /// Writes it.
    ///
    /// # Errors
    /// Standard output or error is closed.
    pub fn print(&self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<ExitCode> {
        match self {
            Self::Said(text) => {
                out.write_all(text.as_bytes())?;
                out.flush()?;
                Ok(ExitCode::from(ANSWERED))
            }
            Self::Decided { decision, why } => {
                if let Some(why) = why {
                    writeln!(err, "askrelay: left to the terminal: {}", harmless(why))?;
                }
                if let Some(decision) = decision {
                    writeln!(out, "{decision}")?;
                }
                out.flush()?;
                Ok(ExitCode::from(ANSWERED))
            }
            Self::Ended { record, shape } => print_record(record, shape, out, err),
        }
    }
}

fn print_record(
    record: &Record,
    shape: &Shape,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<ExitCode> {
    let answered = matches!(record.state, State::Answered(_));
    if !answered {
        writeln!(err, "askrelay: {}", harmless(&unanswered(record)))?;
    }
    match shape {
        Shape::Record => writeln!(out, "{}", record_json(record))?,
        Shape::Lines => out.write_all(lines(record).as_bytes())?,
        Shape::Typed(form) => {
            // Accepted answers to the form's own questions always have their types.
            if let Some(Ok(object)) = given(record).map(|given| form.typed(&Answers(given.clone()))) {
                writeln!(out, "{object}")?;
            }
        }
        Shape::Step(step) => match step.result(record.clone()) {
            Ok(result) => writeln!(out, "{result}")?,
            Err(how) => writeln!(err, "askrelay: {how}")?,
        },
    }
    out.flush()?;
    Ok(ExitCode::from(if answered { ANSWERED } else { UNANSWERED }))
}

/// Why there is no answer, for a person.
fn unanswered(record: &Record) -> String {
    let mut text = match &record.state {
        State::Cancelled(cancelled) => match &cancelled.why {
            WhyCancelled::NotDelivered { detail } => format!("nobody could be asked: {detail}"),
            WhyCancelled::Unavailable => {
                "nobody could be asked: no terminal here, and no surface or server to ask through".to_owned()
            }
            WhyCancelled::Declined => match &cancelled.by_name {
                Some(name) => format!("declined by {name}"),
                None => "declined".to_owned(),
            },
            WhyCancelled::Withdrawn => "withdrawn".to_owned(),
        },
        State::Expired { .. } => "nobody answered in time".to_owned(),
        State::Pending => format!("not answered yet; `askrelay wait {}` waits for it", record.key.id),
        State::Answered(_) => String::new(),
    };
    if let Some(late) = record.late.last() {
        let name = late.by_name.as_deref().unwrap_or("somebody");
        let _ =
            write!(text, "; {name} answered after the end: {}", values(record, &late.answers.0).join(", "));
    }
    if matches!(record.ask.when_unanswered, WhenUnanswered::Default(_)) && !record.state.is_pending() {
        text.push_str("; what follows is the default that the asker gave, nobody's answer");
    }
    text
}

/// The answer, or the default the asker gave for the case that nobody answers; nothing while it waits.
fn given(record: &Record) -> Option<&Values> {
    match (&record.state, &record.ask.when_unanswered) {
        (State::Answered(answered), _) => Some(&answered.answers.0),
        (State::Cancelled(_) | State::Expired { .. }, WhenUnanswered::Default(values)) => Some(values),
        _ => None,
    }
}

fn values(record: &Record, given: &Values) -> Vec<String> {
    let questions = &record.ask.questions;
    let lines = questions.iter().flat_map(|question| {
        let values = given.get(&question.id).map_or(&[][..], Vec::as_slice);
        values.iter().map(move |value| match questions.len() {
            1 => value.clone(),
            _ => format!("{}: {value}", question.id),
        })
    });
    lines.collect()
}

fn lines(record: &Record) -> String {
    given(record)
        .map(|given| values(record, given))
        .unwrap_or_default()
        .into_iter()
        .map(|line| line + "\n")
        .collect()
}

/// The record as `--json` shows it: the wire's shape, and beside it whether somebody answered and why not.
pub fn record_json(record: &Record) -> Value {
    let view = RecordView { record, caps: Caps::WIDE };
    // Only a map key that is no string could fail, and the view has none.
    let mut json = serde_json::to_value(&view).unwrap_or_default();
    if let Value::Object(fields) = &mut json {
        fields.insert("answered".into(), json!(matches!(record.state, State::Answered(_))));
        if let Some(why) = record.state.no_answer() {
            fields.insert("noAnswer".into(), json!(why.name()));
        }
        if let Some(given) = given(record) {
            fields.insert("values".into(), json!(given));
        }
    }
    json
}
