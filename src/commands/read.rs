//! `askrelay read`: how typed replies would be read, one JSON line in and one out. Delivers nothing; the reading itself is the
//! core's.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::PathBuf;

use askrelay_core::answer::Answers;
use askrelay_core::ask::Question;
use askrelay_core::reply::{Bot, Reader, Reading, Reason};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::args::ReadArgs;

/// Lists of questions that are kept ready. A set of cases asks few lists many times; beyond this each is prepared anew.
const LISTS_MAX: usize = 4096;

/// Most bytes of one line; far beyond any reply.
const LINE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Bytes taken from the input and given to the output at once.
const BUFFER_BYTES: usize = 256 * 1024;

/// Why not every line was read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no such file, or it is closed to us.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Input or output broke.
    #[error("the cases cannot be read or the results not written")]
    Broken(#[from] io::Error),
    /// Some lines are no cases.
    #[error("{count} of {lines} lines could not be read; each was named")]
    BadLines {
        /// How many.
        count: usize,
        /// Of how many.
        lines: usize,
    },
}

#[derive(Deserialize)]
struct Case<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    questions: &'a RawValue,
    #[serde(borrow)]
    reply: Cow<'a, str>,
}

#[derive(Serialize)]
struct Outcome<'a> {
    id: &'a RawValue,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<&'a Answers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

/// The command: cases of a file or standard input, results on standard output, faults on standard error.
///
/// # Errors
/// [`ReadError`].
pub fn command(args: ReadArgs) -> Result<(), ReadError> {
    let bot = Bot { handle: Some(args.bot), id: Some(args.bot_id), ..Bot::default() };
    let unreadable = |source| ReadError::Unreadable { path: args.file.clone().unwrap_or_default(), source };
    let input: Box<dyn Read> = match &args.file {
        Some(path) => Box::new(File::open(path).map_err(unreadable)?),
        None => Box::new(io::stdin()),
    };
    match read(&bot, input, io::stdout(), io::stderr()) {
        // A reader of the results that has seen enough is no failure.
        Err(ReadError::Broken(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Reads every case of `input`; results go to `output` in the same order, lines that are no cases are named in `faults`.
/// Results are there as soon as the input has nothing more at hand, so that another program can take turns with this one.
///
/// # Errors
/// [`ReadError`].
pub fn read(
    bot: &Bot,
    input: impl Read,
    output: impl Write,
    mut faults: impl Write,
) -> Result<(), ReadError> {
    let mut input = BufReader::with_capacity(BUFFER_BYTES, input);
    let mut output = BufWriter::with_capacity(BUFFER_BYTES, output);
    let lists: Vec<OnceCell<Vec<Question>>> = std::iter::repeat_with(OnceCell::new).take(LISTS_MAX).collect();
    let mut prepared = Prepared { lists: &lists, readers: HashMap::new() };
    let (mut lines, mut bad) = (0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        let taken = input.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
        if taken == 0 {
            break;
        }
        lines += 1;
        if !line.iter().all(u8::is_ascii_whitespace)
            && let Err(fault) = read_line(&line, bot, &mut prepared, &mut output)?
        {
            bad += 1;
            writeln!(faults, "line {lines} is no case: {fault}")?;
        }
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()?;
    if bad > 0 { Err(ReadError::BadLines { count: bad, lines }) } else { Ok(()) }
}

/// Reads one case. The outer error is the output's, the inner one the line's.
fn read_line(
    line: &[u8],
    bot: &Bot,
    prepared: &mut Prepared<'_>,
    output: &mut impl Write,
) -> io::Result<Result<(), serde_json::Error>> {
    let case: Case<'_> = match serde_json::from_slice(line) {
        Ok(case) => case,
        Err(fault) => return Ok(Err(fault)),
    };
    let reading = match prepared.read(case.questions.get(), &case.reply, bot) {
        Ok(reading) => reading,
        Err(fault) => return Ok(Err(fault)),
    };
    let (outcome, answers, reason) = match &reading {
        Reading::Answer { answers, .. } => ("answer", Some(answers), None),
        Reading::Clarify(unclear) => ("clarify", None, Some(reason_name(unclear.reason))),
        Reading::Skip => ("skip", None, None),
        Reading::NotAnAnswer => ("ignore", None, None),
    };
    serde_json::to_writer(&mut *output, &Outcome { id: case.id, outcome, answers, reason })?;
    output.write_all(b"\n")?;
    Ok(Ok(()))
}

/// Readers by the JSON text of their questions.
struct Prepared<'q> {
    /// Where the questions of kept readers live; filled one after the other.
    lists: &'q [OnceCell<Vec<Question>>],
    readers: HashMap<Box<str>, Reader<'q>>,
}

impl Prepared<'_> {
    fn read(&mut self, json: &str, reply: &str, bot: &Bot) -> Result<Reading, serde_json::Error> {
        if let Some(reader) = self.readers.get(json) {
            return Ok(reader.read(reply, bot));
        }
        let questions: Vec<Question> = serde_json::from_str(json)?;
        let Some(list) = self.lists.get(self.readers.len()) else {
            return Ok(Reader::new(&questions).read(reply, bot));
        };
        let reader = Reader::new(list.get_or_init(|| questions));
        let reading = reader.read(reply, bot);
        self.readers.insert(json.into(), reader);
        Ok(reading)
    }
}

const fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::Empty => "empty",
        Reason::Conflict => "conflict",
        Reason::OutOfRange => "out_of_range",
        Reason::TooMany => "too_many",
        Reason::MissingQuestion => "missing_question",
        Reason::Ambiguous => "ambiguous",
        Reason::UnknownOption => "unknown_option",
        Reason::Constraint => "constraint",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUESTIONS: &str = r#"[{"questionId": "where", "question": "Where to?",
        "options": [{"label": "Staging"}, {"label": "Production", "description": "live"}]}]"#;

    fn case(id: &str, reply: &str) -> String {
        let questions = QUESTIONS.replace('\n', " ");
        format!("{{\"id\": {id}, \"kind\": \"x\", \"questions\": {questions}, \"reply\": {reply:?}}}\n")
    }

    /// What comes out, what is named, and whether all was well.
    fn run(input: &str) -> (String, String, Result<(), ReadError>) {
        let (mut output, mut faults) = (Vec::new(), Vec::new());
        let bot = Bot { handle: Some("askbot".to_owned()), id: Some("U123".to_owned()), ..Bot::default() };
        let result = read(&bot, input.as_bytes(), &mut output, &mut faults);
        (String::from_utf8(output).unwrap(), String::from_utf8(faults).unwrap(), result)
    }

    #[test]
    fn every_outcome_has_its_line() {
        let rows = [
            ("1", "2", r#"{"id":1,"outcome":"answer","answers":{"where":["Production"]}}"#),
            ("\"R1\"", "9", r#"{"id":"R1","outcome":"clarify","reason":"out_of_range"}"#),
            ("null", "/skip", r#"{"id":null,"outcome":"skip"}"#),
            ("[1]", "/help", r#"{"id":[1],"outcome":"ignore"}"#),
            ("2", "@askbot staging", r#"{"id":2,"outcome":"answer","answers":{"where":["Staging"]}}"#),
        ];
        let input: String = rows.iter().map(|(id, reply, _)| case(id, reply)).collect();
        let (output, faults, result) = run(&input);
        let expected: Vec<&str> = rows.iter().map(|(_, _, line)| *line).collect();
        assert_eq!(output.lines().collect::<Vec<_>>(), expected);
        assert!(faults.is_empty() && result.is_ok());
    }

    #[test]
    fn lines_that_are_no_cases_are_named_and_the_rest_is_read() {
        let input = format!("{}\n\n{{\n{{\"id\": 1}}\n{}", case("1", "1").trim(), case("2", "2").trim());
        let (output, faults, result) = run(&input);
        assert_eq!(output.lines().count(), 2, "{output}");
        assert!(faults.contains("line 3 is no case") && faults.contains("line 4 is no case"), "{faults}");
        assert_eq!(result.unwrap_err().to_string(), "2 of 5 lines could not be read; each was named");
    }

    #[test]
    fn more_lists_than_are_kept_are_read_all_the_same() {
        let input: String = (0..LISTS_MAX + 5)
            .map(|n| case("0", "2").replace("Production", &format!("Choice {n}")))
            .collect();
        let (output, _, result) = run(&input);
        assert!(result.is_ok());
        for (n, line) in output.lines().enumerate() {
            assert!(line.contains(&format!("\"Choice {n}\"")), "{line}");
        }
    }
}
