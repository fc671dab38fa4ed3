//! `ask`: a question whose answer is one flat object of the caller's own schema, as a step of a plan asks it.

use askrelay_core::ask::{Fault, Question, WhenUnanswered};
use askrelay_core::record::{NoAnswer, Record, State};
use askrelay_core::schema::Form;
use askrelay_protocol::call::AskParams;
use serde_json::{Map, Value, json};

use super::arguments::{Arguments, kind};
use super::ask_user::{HINTS, QUESTION, pending};
use super::{Asked, End, Meant, Shape, Tool, Typed, ended, handed, schemas, told};
use crate::instructions;
use crate::template;
use crate::wanted::{Finished, How, Wanted};

pub(super) fn tool() -> Tool {
    let schema = json!({
        "type": "object",
        "description": "A flat JSON Schema object: properties that are strings, numbers, integers, booleans or enums of strings; description is what is asked. No lists, nothing nested.",
    });
    let own = json!({
        "prompt": { "type": "string", "minLength": 1, "maxLength": QUESTION, "description": "What is asked, as a question." },
        "outputSchema": schema,
        "output_schema": { "type": "object", "description": "The same as outputSchema, for callers that spell it so." },
        "whenUnanswered": {
            "type": "string", "enum": ["fail", "default"], "default": "fail",
            "description": "fail: without an answer the call is an error. default: without an answer, default comes back with answered false.",
        },
        "default": { "description": "The value that comes back with answered false; must keep the schema." },
        "context": {
            "type": "object",
            "description": "Values for templates such as {{E0.candidates}} in prompt, schema and default. A text that is one whole template keeps the value's type.",
        },
    });
    Tool {
        name: "ask",
        title: "Ask the person for values",
        description: instructions::describe(
            "Asks your person for the values of a flat schema of yours and returns them as one object: {answer, answered, reason?}.",
        ),
        input: schemas::asking(own, &["prompt"]),
        output: schemas::result(json!({
            "answer": { "description": "The object that the schema describes, or the default, or null." },
            "answered": { "type": "boolean", "description": "A person answered." },
        })),
        hints: HINTS,
    }
}

pub(super) fn read(arguments: &Map<String, Value>, faults: &mut Vec<Fault>) -> Option<Meant> {
    let context = match arguments.get("context") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(context)) => context.clone(),
        Some(other) => {
            faults.push(Fault {
                path: "/context".into(),
                what: format!("must be an object, is {}", kind(other)),
            });
            return None;
        }
    };
    let rendered = rendered(arguments, &context, faults);
    let known = ["prompt", "outputSchema", "output_schema", "whenUnanswered", "default", "context"];
    let mut wanted = Wanted::default();
    let mut read = Arguments::of_call(&rendered, &known, faults);
    read.common(&mut wanted);
    let prompt = read.required("prompt", QUESTION).map(str::to_owned);
    let when_default = read.one_of("whenUnanswered", &["fail", "default"]) == Some(1);
    let form = form(&mut read);
    let default = read.any("default").cloned();
    match (when_default, &default) {
        (true, None) => read.fault("default", "is missing: whenUnanswered is default"),
        (false, Some(_)) => read.fault("default", "is never used: whenUnanswered is fail"),
        _ => {}
    }
    let default = default.filter(|_| when_default);
    let (prompt, form) = (prompt?, form?);
    let mut params = AskParams { questions: questions(&prompt, &form), ..AskParams::default() };
    if let Some(default) = &default {
        params.when_unanswered = stand_in(default, &form, &mut read)?;
    }
    wanted.params = params;
    Some(Meant::Ask(Box::new(Asked { wanted, shape: Shape::Typed(Box::new(Typed { form, default })) })))
}

/// The arguments with every template of prompt, schema and default filled in.
fn rendered(
    arguments: &Map<String, Value>,
    context: &Map<String, Value>,
    faults: &mut Vec<Fault>,
) -> Map<String, Value> {
    let mut rendered = arguments.clone();
    for name in ["prompt", "outputSchema", "output_schema", "default"] {
        if let Some(value) = rendered.get_mut(name) {
            *value = template::rendered(value, context, &format!("/{name}"), faults);
        }
    }
    rendered
}

/// The form of the schema, under either of its names. Lists, which a form could hold, are no part of this contract.
fn form(read: &mut Arguments<'_>) -> Option<Form> {
    let (name, schema) = match (read.any("outputSchema"), read.any("output_schema")) {
        (Some(schema), None) => ("outputSchema", schema),
        (None, Some(schema)) => ("output_schema", schema),
        (Some(_), Some(_)) => {
            read.fault("output_schema", "is given twice: outputSchema is the same");
            return None;
        }
        (None, None) => {
            read.fault("outputSchema", "is missing");
            return None;
        }
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    for (property, each) in properties.into_iter().flatten() {
        if each.get("type").is_some_and(|kind| kind == "array") {
            let path = format!("{name}/properties/{property}/type");
            read.fault(&path, "must not be array: a list cannot be asked for here");
        }
    }
    match Form::of(schema) {
        Ok(form) => Some(form),
        Err(faults) => {
            for Fault { path, what } in faults {
                read.fault(&format!("{name}{path}"), &what);
            }
            None
        }
    }
}

/// The questions of the form, the first with the prompt above it.
fn questions(prompt: &str, form: &Form) -> Vec<Question> {
    let mut questions = form.questions.clone();
    if let Some(first) = questions.first_mut() {
        first.text =
            if first.text.trim() == prompt { prompt.to_owned() } else { format!("{prompt}\n{}", first.text) };
    }
    questions
}

fn stand_in(default: &Value, form: &Form, read: &mut Arguments<'_>) -> Option<WhenUnanswered> {
    let Some(object) = default.as_object() else {
        read.fault("default", &format!("must be an object of the schema, is {}", kind(default)));
        return None;
    };
    let answers = form.answers(object).map_err(|error| error.to_string());
    let canonical = answers.and_then(|answers| {
        askrelay_core::answer::canonical(&form.questions, &answers).map_err(|error| error.to_string())
    });
    match canonical {
        Ok(answers) => Some(WhenUnanswered::Default(answers.0)),
        Err(what) => {
            read.fault("default", &format!("does not keep the schema: {what}"));
            None
        }
    }
}

pub(super) fn finish(typed: &Typed, wanted: &Wanted, end: &End, how: &How) -> Finished {
    let mut structured = told(end, how);
    let answer = match end {
        End::Ended(record) => given(typed, record),
        _ => None,
    };
    let open = matches!(end, End::Pending(_));
    let reason = match end {
        End::Ended(record) if answer.is_none() => reason(record),
        End::Ended(_) => None,
        End::Declined | End::Dismissed => Some("declined"),
        End::Pending(_) => Some("pending"),
        _ => Some("unavailable"),
    };
    let answered = answer.is_some();
    let stand_in = typed.default.clone().filter(|_| !answered && !open);
    let is_error = !answered && !open && stand_in.is_none();
    let text = text(wanted, end, answer.as_ref(), stand_in.as_ref());
    structured.insert("answered".into(), json!(answered));
    structured.insert("answer".into(), answer.or(stand_in).unwrap_or(Value::Null));
    structured.insert("reason".into(), json!(reason));
    Finished { structured: Value::Object(structured), text, is_error }
}

/// The object that a person's answer makes. Accepted answers to the form's own questions always make one.
fn given(typed: &Typed, record: &Record) -> Option<Value> {
    match &record.state {
        State::Answered(answered) => typed.form.typed(&answered.answers).ok(),
        _ => None,
    }
}

/// The contract knows two reasons: somebody said no, or nobody was there in time.
fn reason(record: &Record) -> Option<&'static str> {
    Some(match record.state.no_answer()? {
        NoAnswer::Declined | NoAnswer::Withdrawn => "declined",
        NoAnswer::Expired | NoAnswer::NotDelivered | NoAnswer::Unavailable => "unavailable",
    })
}

fn text(wanted: &Wanted, end: &End, answer: Option<&Value>, stand_in: Option<&Value>) -> String {
    if let Some(answer) = answer {
        let by = match end {
            End::Ended(record) => ended::who(record).map(|who| format!("\nAnswered by {}.", who.in_words())),
            _ => None,
        };
        return format!("{answer}{}", by.unwrap_or_default());
    }
    let why = match end {
        End::Ended(record) => ended::words(record),
        End::Pending(record) => return pending(record),
        End::HandedBack(why) => format!("{why}\n\n{}", handed::question(&wanted.params.questions)),
        End::Unsupported => "Nobody can be asked from here.".to_owned(),
        End::Declined | End::Dismissed => "The person did not answer.".to_owned(),
        End::Unreadable(what) => format!("What came back is no answer: {what}"),
        End::Failed(what) => format!("Asking failed: {what}"),
    };
    match stand_in {
        Some(default) => {
            format!("{why}\nWhat follows is the default of this call, nobody's answer: {default}")
        }
        None => format!(
            "{why}\nThis call fails without an answer. To go on without one, call it with \"whenUnanswered\": \"default\" and a \"default\"."
        ),
    }
}
