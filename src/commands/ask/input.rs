//! Turns the arguments of `askrelay ask` into the params of a request, with every mistake reported at once under the name
//! of its argument. Reads the files that are named and nothing else.

use std::fmt;
use std::path::{Path, PathBuf};

use askrelay_core::ask::{Choice, Contract, Fault, Origin, Question, WhenUnanswered};
use askrelay_core::schema::Form;
use askrelay_core::time::Span;
use askrelay_mcp::plan::Step;
use askrelay_protocol::call::AskParams;
use askrelay_protocol::frame::Caps;

use super::{default_values, files};
use crate::args::{AskArgs, WhenUnansweredArg};
use crate::span;

/// Everything that is wrong with the arguments; at least one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misused(pub Vec<String>);

/// Our own gateway takes the wide contract.
pub(super) const WIDE: Caps = Caps { wide: true };

/// The id of the one question that arguments can ask.
const QUESTION_ID: &str = "answer";

/// What is to be asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The request.
    pub params: AskParams,
    /// The way back to typed values, for an ask that a schema made.
    pub form: Option<Form>,
    /// The step of a plan that asks.
    pub step: Option<Box<Step>>,
}

/// What the arguments ask for.
///
/// # Errors
/// Every mistake.
pub fn input(args: &AskArgs, default_wait: Span) -> Result<Wanted, Misused> {
    let mut mistakes = Mistakes(Vec::new());
    mistakes.refuse_two_sources(args);
    let read = if let Some(path) = &args.file {
        mistakes.refuse_question(args, "--file");
        files::params(path).map(Wanted::from)
    } else if let Some(path) = &args.schema {
        mistakes.refuse_question(args, "--schema");
        files::form(path).map(Wanted::from)
    } else if let Some(path) = &args.step {
        mistakes.refuse_question(args, "--step");
        files::step(path, args.context.as_deref()).map(Wanted::from)
    } else {
        Ok(Wanted::from(mistakes.read_arguments(args)))
    };
    let is_readable = read.is_ok();
    let mut wanted = read.unwrap_or_else(|more| {
        mistakes.0.extend(more);
        Wanted::from(AskParams::default())
    });
    if is_readable {
        mistakes.add_default(args, &mut wanted);
    }
    mistakes.add_the_rest(args, default_wait, &mut wanted.params);
    if is_readable {
        mistakes.check_contract(args, &wanted.params);
    }
    if mistakes.0.is_empty() { Ok(wanted) } else { Err(Misused(mistakes.0)) }
}

impl From<AskParams> for Wanted {
    fn from(params: AskParams) -> Self {
        Self { params, form: None, step: None }
    }
}

impl From<Form> for Wanted {
    fn from(form: Form) -> Self {
        let params = AskParams { questions: form.questions.clone(), ..AskParams::default() };
        Self { params, form: Some(form), step: None }
    }
}

impl From<Step> for Wanted {
    fn from(step: Step) -> Self {
        Self { params: step.asked.wanted.params.clone(), form: None, step: Some(Box::new(step)) }
    }
}

struct Mistakes(Vec<String>);

impl Mistakes {
    fn add(&mut self, argument: &str, what: impl fmt::Display) {
        self.0.push(format!("{argument}: {what}"));
    }

    /// Everything that is asked comes from one file at most, and standard input is read once.
    fn refuse_two_sources(&mut self, args: &AskArgs) {
        let sources = [("--file", &args.file), ("--schema", &args.schema), ("--step", &args.step)];
        let mut given = sources.iter().filter(|(_, path)| path.is_some()).map(|(name, _)| *name);
        if let Some(first) = given.next() {
            for other in given {
                self.add(other, format!("cannot be used with {first}"));
            }
        }
        if args.context.is_some() && args.step.is_none() {
            self.add("--context", "needs --step");
        }
        let is_input = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
        if is_input(&args.step) && is_input(&args.context) {
            self.add("--context", "cannot be standard input too, which --step is");
        }
        if args.step.is_some() {
            let default = args.default.is_some();
            for (argument, given) in
                [("--when-unanswered", args.when_unanswered.is_some()), ("--default", default)]
            {
                if given {
                    self.add(argument, "is for the step's own input to say, as whenUnanswered and default");
                }
            }
        }
    }

    fn refuse_question(&mut self, args: &AskArgs, source: &str) {
        for (argument, _) in question_arguments(args).into_iter().filter(|(_, given)| *given) {
            self.add(argument, format!("the question comes from {source}; leave one of the two out"));
        }
    }

    fn read_arguments(&mut self, args: &AskArgs) -> AskParams {
        if args.question.is_none() {
            self.0.push("say what to ask, such as: askrelay ask \"Shall I go on?\" --confirm".to_owned());
        }
        let mut choices: Vec<Choice> = if args.confirm {
            ["Yes", "No"].map(Choice::new).into()
        } else {
            args.options.iter().map(|option| choice(option)).collect()
        };
        self.check_kind(args);
        self.mark_destructive(args, &mut choices);
        let question = Question {
            id: QUESTION_ID.into(),
            text: args.question.clone().unwrap_or_default(),
            other: !(args.no_other || args.confirm),
            choices,
            multi_select: args.multi,
            min: self.count("--min", args.min.as_deref()).filter(|_| args.multi),
            max: self.count("--max", args.max.as_deref()).filter(|_| args.multi),
            placeholder: args.placeholder.clone(),
            ..Question::default()
        };
        if args.placeholder.is_some() && !question.takes_text() {
            self.add("--placeholder", "is a hint for own words, which this question does not take");
        }
        AskParams { questions: vec![question], ..AskParams::default() }
    }

    fn mark_destructive(&mut self, args: &AskArgs, choices: &mut [Choice]) {
        let labels: Vec<String> = choices.iter().map(|choice| format!("'{}'", choice.label)).collect();
        for label in &args.destructive {
            match choices.iter_mut().find(|choice| choice.label == label.trim()) {
                Some(choice) => choice.destructive = true,
                None if labels.is_empty() => {
                    self.add("--destructive", "needs choices, such as -o Keep -o \"Delete all\"");
                }
                None => {
                    let what = format!("expected one of the choices, {}, got '{label}'", labels.join(" or "));
                    self.add("--destructive", what);
                }
            }
        }
    }

    fn check_contract(&mut self, args: &AskArgs, params: &AskParams) {
        let file = args.file.as_deref().or(args.schema.as_deref()).or(args.step.as_deref());
        let is_missing = file.is_none() && args.question.is_none();
        let said = |fault: &Fault| is_missing && fault.path == "/questions/0/question";
        let faults = params.clone().faults(WIDE).into_iter().filter(|fault| !said(fault));
        self.0.extend(faults.map(|fault| in_words_of_arguments(&fault, file)));
    }

    /// What kind of question it is must be said once.
    fn check_kind(&mut self, args: &AskArgs) {
        let choices = !args.options.is_empty();
        for (argument, given, excluded) in [
            ("--confirm", args.confirm, [("-o", choices), ("--text", args.text), ("--multi", args.multi)]),
            ("--text", args.text, [("-o", choices), ("--no-other", args.no_other), ("--multi", args.multi)]),
        ] {
            for (other, _) in excluded.into_iter().filter(|(_, other)| given && *other) {
                self.add(argument, format!("cannot be used with {other}"));
            }
        }
        if !args.multi {
            for (argument, given) in [("--min", args.min.is_some()), ("--max", args.max.is_some())] {
                if given {
                    self.add(argument, "needs --multi");
                }
            }
        }
        let no_choices = !choices && !args.confirm && !args.text;
        for (argument, given) in [("--multi", args.multi), ("--no-other", args.no_other)] {
            if given && no_choices {
                self.add(argument, "needs choices, such as -o Staging -o Production");
            }
        }
    }

    fn count(&mut self, argument: &str, text: Option<&str>) -> Option<usize> {
        let text = text?;
        let count = text.parse().ok().filter(|count| *count > 0);
        if count.is_none() {
            self.add(argument, format!("expected a whole number from 1, got '{text}'"));
        }
        count
    }

    /// What every ask has, wherever its questions come from. Arguments win over a file.
    fn add_the_rest(&mut self, args: &AskArgs, default_wait: Span, params: &mut AskParams) {
        match args.timeout.as_deref().map(span::parse) {
            Some(Ok(wait)) if wait > Contract::WIDE.wait => {
                self.add("--timeout", format!("expected at most {}", span::show(Contract::WIDE.wait)));
            }
            Some(Ok(wait)) => params.wait = Some(wait),
            Some(Err(what)) => self.add("--timeout", what),
            None => params.wait = params.wait.or(Some(default_wait)),
        }
        if !args.to.is_empty() {
            params.places.clone_from(&args.to);
        }
        let Origin { agent_id, session_key, run_id, label } = &mut params.origin;
        for (argument, given, field) in [
            ("--agent", &args.agent, agent_id),
            ("--session", &args.session, session_key),
            ("--run", &args.run, run_id),
            ("--label", &args.label, label),
        ] {
            if let Some(given) = given {
                self.refuse_blank(argument, given);
                *field = Some(given.clone());
            }
        }
        for place in &args.to {
            self.refuse_blank("--to", place);
        }
        if !args.answerers.is_empty() {
            params.answerers = args.answerers.iter().map(|name| name.as_str().into()).collect();
        }
        for name in &args.answerers {
            self.refuse_blank("--answerer", name);
        }
        if let Some(id) = &args.id {
            self.refuse_blank("--id", id);
            params.id = Some(id.as_str().into());
        }
    }

    fn add_default(&mut self, args: &AskArgs, wanted: &mut Wanted) {
        if wanted.step.is_some() {
            return;
        }
        match (args.when_unanswered, args.default.as_deref()) {
            (Some(WhenUnansweredArg::Default), Some(json)) => {
                let values = match &wanted.form {
                    Some(form) => default_values::typed(json, form),
                    None => default_values::parse(json, &wanted.params.questions),
                };
                match values {
                    Ok(values) => wanted.params.when_unanswered = WhenUnanswered::Default(values),
                    Err(what) => self.add("--default", what),
                }
            }
            (Some(WhenUnansweredArg::Default), None) => {
                self.add("--when-unanswered default", "needs --default, such as --default '\"Staging\"'");
            }
            (_, Some(_)) => self.add("--default", "needs --when-unanswered default"),
            (Some(WhenUnansweredArg::Fail), None) => wanted.params.when_unanswered = WhenUnanswered::Fail,
            (None, None) => {}
        }
    }

    fn refuse_blank(&mut self, argument: &str, text: &str) {
        if text.trim().is_empty() {
            self.add(argument, "must not be blank");
        }
    }
}

/// The arguments that make a question, and whether each is given.
fn question_arguments(args: &AskArgs) -> [(&'static str, bool); 10] {
    [
        ("the question", args.question.is_some()),
        ("-o", !args.options.is_empty()),
        ("--destructive", !args.destructive.is_empty()),
        ("--multi", args.multi),
        ("--min", args.min.is_some()),
        ("--max", args.max.is_some()),
        ("--no-other", args.no_other),
        ("--confirm", args.confirm),
        ("--text", args.text),
        ("--placeholder", args.placeholder.is_some()),
    ]
}

/// `LABEL=MEANING`, or a label alone; `\=` is an equals sign of the label.
fn choice(option: &str) -> Choice {
    let mut label = String::new();
    let mut rest = option;
    while let Some((before, after)) = rest.split_once('=') {
        match before.strip_suffix('\\') {
            Some(before) => {
                label.push_str(before);
                label.push('=');
                rest = after;
            }
            None => {
                label.push_str(before);
                let meaning = after.trim();
                let description = (!meaning.is_empty()).then(|| meaning.to_owned());
                return Choice { description, ..Choice::new(label.trim()) };
            }
        }
    }
    label.push_str(rest);
    Choice::new(label.trim())
}

/// A fault of the contract under the name that the person used.
fn in_words_of_arguments(fault: &Fault, file: Option<&Path>) -> String {
    let argument = match fault.path.as_str() {
        path if path.starts_with("/whenUnanswered/default") => Some("--default".to_owned()),
        "/id" => Some("--id".to_owned()),
        path if file.is_none() => path.strip_prefix("/questions/0/").and_then(argument_of),
        _ => None,
    };
    match (argument, file) {
        (Some(argument), _) => format!("{argument}: {}", fault.what),
        (None, Some(file)) => files::named(fault, file),
        (None, None) => fault.to_string(),
    }
}

fn argument_of(member: &str) -> Option<String> {
    Some(match member {
        "question" => "the question".to_owned(),
        "options" => "-o".to_owned(),
        "min" => "--min".to_owned(),
        "max" => "--max".to_owned(),
        "placeholder" => "--placeholder".to_owned(),
        _ => {
            let number = member.strip_prefix("options/")?.split('/').next()?;
            format!("-o number {}", number.parse::<usize>().ok()? + 1)
        }
    })
}

impl fmt::Display for Misused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = self.0.as_slice() {
            return f.write_str(only);
        }
        write!(f, "the ask has {} mistakes", self.0.len())?;
        for mistake in &self.0 {
            write!(f, "\n  {mistake}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Misused {}

#[cfg(test)]
mod tests;
