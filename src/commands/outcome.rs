//! The one printer: what a command found, as words on standard output and error and as an exit code. Commands return these
//! values and write nothing themselves.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use askrelay_core::ask::WhenUnanswered;
use askrelay_core::record::{NoAnswer, Record, State, WhyCancelled};
use askrelay_core::schema::Form;
use serde_json::{Value, json};

/// How an answer is printed.
#[derive(Debug)]
pub enum Shape {
    /// The values, one a line; several questions carry their id in front.
    Lines,
    /// The whole record, as JSON.
    Record,
    /// The typed object that a schema asked for.
    Typed(Box<Form>),
}

/// What a command found.
#[derive(Debug)]
pub enum Outcome {
    /// Done; these lines go to standard output.
    Said(String),
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
pub const FAILED: u8 = 1;
/// Wrong usage, as `clap` has it too.
pub const USAGE: u8 = 2;
/// Nobody answered.
const UNANSWERED: u8 = 3;

impl Outcome {
    /// Writes it.
    ///
    /// # Errors
    /// Standard output or error is closed.
    pub fn print(&self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<ExitCode> {
        match self {
            Self::Said(text) => {
                out.write_all(text.as_bytes())?;
                if !text.is_empty() && !text.ends_with('\n') {
                    out.write_all(b"\n")?;
                }
                out.flush()?;
                Ok(ExitCode::from(ANSWERED))
            }
            Self::Ended { record, shape } => print_record(record, shape, out, err),
        }
    }
}

fn print_record(record: &Record, shape: &Shape, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<ExitCode> {
    let answered = matches!(record.state, State::Answered(_));
    if !answered {
        writeln!(err, "askrelay: {}", unanswered(record))?;
    }
    match shape {
        Shape::Record => writeln!(out, "{}", record_json(record))?,
        Shape::Lines => out.write_all(lines(record).as_bytes())?,
        Shape::Typed(form) => {
            if let Some(typed) = typed(record, form) {
                writeln!(out, "{typed}")?;
            }
        }
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
        let _ = write!(text, "; {name} answered after the end: {}", values(record, &late.answers.0).join(", "));
    }
    if matches!(record.ask.when_unanswered, WhenUnanswered::Default(_)) && !record.state.is_pending() {
        text.push_str("; what follows is the default that the asker gave, nobody's answer");
    }
    text
}

/// The answer, or the default the asker gave for the case that nobody answers; nothing while it waits.
fn given(record: &Record) -> Option<&std::collections::BTreeMap<askrelay_core::id::QuestionId, Vec<String>>> {
    match (&record.state, &record.ask.when_unanswered) {
        (State::Answered(answered), _) => Some(&answered.answers.0),
        (State::Cancelled(_) | State::Expired { .. }, WhenUnanswered::Default(values)) => Some(values),
        _ => None,
    }
}

fn values(
    record: &Record,
    given: &std::collections::BTreeMap<askrelay_core::id::QuestionId, Vec<String>>,
) -> Vec<String> {
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
    given(record).map(|given| values(record, given)).unwrap_or_default().into_iter().map(|line| line + "\n").collect()
}

fn typed(record: &Record, form: &Form) -> Option<Value> {
    let answers = askrelay_core::answer::Answers(given(record)?.clone());
    form.typed(&answers).ok()
}

/// The record as `--json` shows it: the wire's shape, and beside it whether somebody answered and why not.
pub fn record_json(record: &Record) -> Value {
    let mut json = askrelay_protocol::record_value(record);
    if let Value::Object(fields) = &mut json {
        fields.insert("answered".into(), json!(matches!(record.state, State::Answered(_))));
        if let Some(why) = record.state.no_answer() {
            fields.insert("noAnswer".into(), json!(NoAnswer::name(why)));
        }
        if let Some(given) = given(record) {
            fields.insert("values".into(), json!(given));
        }
    }
    json
}
