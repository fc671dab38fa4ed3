//! The compact tables of replies: `name | mode | options | reply | expected`, one row a line, and how a reading is written in them.

use askrelay_core::answer::Answers;
use askrelay_core::ask::{Choice, Question};
use askrelay_core::reply::{Bot, Reading, Reason, read};

/// One row. `mode` is `one`, `many` or `free`, with `+` where own words are allowed; several questions are parted by ` ;; `. Options
/// are parted by ` / `, may carry ` => description`, and may start with `[Header: The question?]`.
pub(crate) struct Row<'a> {
    pub(crate) name: &'a str,
    pub(crate) questions: Vec<Question>,
    pub(crate) reply: String,
    pub(crate) expected: &'a str,
}

/// The rows of a table; blank lines and lines with `#` are passed over.
pub(crate) fn rows(table: &str) -> Vec<Row<'_>> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(row).collect()
}

fn row(line: &str) -> Row<'_> {
    let columns: Vec<&str> = line.split(" | ").map(str::trim).collect();
    let [name, mode, options, reply, expected] = columns.as_slice() else {
        panic!("five columns wanted: {line}")
    };
    let modes = mode.split(',').map(str::trim);
    let questions = modes.zip(options.split(" ;; ").chain(std::iter::repeat("")));
    let questions =
        questions.enumerate().map(|(index, (mode, options))| question(index, mode, options)).collect();
    Row { name, questions, reply: unescaped(reply), expected }
}

fn question(index: usize, mode: &str, options: &str) -> Question {
    let (head, options) = match options
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("] ").or_else(|| rest.split_once(']')))
    {
        Some((head, options)) if head.contains(": ") => (head, options),
        _ => ("", options),
    };
    let (header, text) = head.split_once(": ").unwrap_or(("", "Which one shall it be?"));
    let choices = options.split(" / ").filter(|label| !label.trim().is_empty()).map(|label| {
        let (label, description) = label.split_once(" => ").map_or((label, None), |(l, d)| (l, Some(d)));
        Choice {
            description: description.map(|d| d.trim().to_owned()),
            ..Choice::new(unescaped(label.trim()))
        }
    });
    Question {
        id: format!("q{}", index + 1).into(),
        header: header.to_owned(),
        text: text.to_owned(),
        choices: choices.collect(),
        multi_select: mode.starts_with("many"),
        other: mode.ends_with('+'),
        ..Question::default()
    }
}

/// `\n`, `\t`, `\p` for a bar and `\u{...}`.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let mut characters = after.chars();
        match characters.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('p') => out.push('|'),
            Some('s') => out.push(' '),
            Some('u') => {
                let (code, tail) =
                    after.strip_prefix("u{").and_then(|code| code.split_once('}')).unwrap_or_default();
                let character = u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
                out.push(character.unwrap_or_else(|| panic!("no character {code} in {text}")));
                rest = tail;
                continue;
            }
            _ => panic!("unknown escape in {text}"),
        }
        rest = characters.as_str();
    }
    out + rest
}

/// The bot of the corpus.
pub(crate) fn bot() -> Bot {
    Bot { handle: Some("askbot".to_owned()), id: Some("U123".to_owned()), ..Bot::default() }
}

/// A reason as the corpus spells it.
pub(crate) fn reason_name(reason: Reason) -> &'static str {
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

/// A reading as the tables spell it: `= A + B ;; C`, with ` // note`, or `? reason`, `skip`, `ignore`.
pub(crate) fn written(questions: &[Question], reading: &Reading) -> String {
    match reading {
        Reading::Answer { answers, notes } => {
            let notes: Vec<&str> = notes.values().map(String::as_str).collect();
            let notes = if notes.is_empty() { String::new() } else { format!(" // {}", notes.join(" // ")) };
            format!("= {}{notes}", values(questions, answers))
        }
        Reading::Clarify(unclear) => format!("? {}", reason_name(unclear.reason)),
        Reading::Skip => "skip".to_owned(),
        Reading::NotAnAnswer => "ignore".to_owned(),
    }
}

fn values(questions: &[Question], answers: &Answers) -> String {
    let of = |question: &Question| answers.of(&question.id).join(" + ");
    questions.iter().map(of).collect::<Vec<_>>().join(" ;; ")
}

/// Reads every row and reports all that come out differently. `same` in a row stands for the reply's own words; `?` without a
/// reason accepts ambiguous and unknown.
pub(crate) fn check(table: &str) {
    let mut wrong = Vec::new();
    let rows = rows(table);
    for row in &rows {
        let got = written(&row.questions, &read(&row.questions, &row.reply, &bot()));
        let right = match row.expected {
            "same" => got == format!("= {}", row.reply.trim()),
            "?" => got == "? ambiguous" || got == "? unknown_option",
            expected => got == unescaped(expected),
        };
        if !right {
            wrong.push(format!("{}: {:?} expected '{}', got '{got}'", row.name, row.reply, row.expected));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows wrong:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
