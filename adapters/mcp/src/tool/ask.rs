//! `ask`: a question whose answer is one flat object of the caller's own schema, as a step of a plan asks it.

use askrelay_core::ask::{Fault, Question, WhenUnanswered};
use askrelay_core::record::{NoAnswer, Record};
use askrelay_core::schema::Form;
use askrelay_protocol::call::AskParams;
use serde_json::{Map, Value, json};

use super::arguments::{Arguments, Unknown, kind};
use super::ask_user::{HINTS, QUESTION, next_step, why};
use super::{Asked, End, Meant, Shape, Tool, Typed, ended, handed, listed_faults, schemas, told};
use crate::instructions;
use crate::pointer::at;
use crate::template;
use crate::wanted::{Finished, How, Wanted};

/// The members that a call may have.
const KNOWN: [&str; 7] =
    ["prompt", "outputSchema", "output_schema", "whenUnanswered", "when_unanswered", "default", "context"];

pub(super) fn tool() -> Tool {
    let schema = |what: &str| json!({ "type": ["object", "string"], "additionalProperties": true, "description": what });
    let when = |what: &str| json!({ "type": "string", "enum": ["fail", "default"], "default": "fail", "description": what });
    let own = json!({
        "prompt": { "type": "string", "minLength": 1, "maxLength": QUESTION, "description": "What is asked, as a question." },
        "outputSchema": schema("A flat JSON Schema object: properties that are strings, numbers, integers, booleans or enums of strings; give each a description, which is what is asked. No lists, nothing nested."),
        "output_schema": schema("The same as outputSchema, for callers that spell it so; give one of the two."),
        "whenUnanswered": when("fail: without an answer the call is an error. default: without an answer, default comes back with answered false."),
        "when_unanswered": when("The same as whenUnanswered, for callers that spell it so."),
        "default": {
            "type": ["object", "string"], "additionalProperties": true,
            "description": "With whenUnanswered default: the value that comes back with answered false. Must keep the schema.",
        },
        "context": {
            "type": "object", "additionalProperties": true,
            "description": "Values for templates such as {{E0.candidates}} in prompt, schema and default. What a template names must be there. A text that is one whole template keeps the value's type.",
        },
    });
    Tool {
        name: "ask",
        title: "Ask the person for values",
        description: instructions::describe(
            "Asks your person for the values of a flat schema of yours and returns them as one object: {answer, answered, reason?}. For values that no tool can look up and no gate can judge.",
        ),
        input: schemas::asking(own, &["prompt"], Unknown::Refused),
        output: output(),
        hints: HINTS,
    }
}

fn output() -> Map<String, Value> {
    let own = json!({
        "answer": {
            "type": ["object", "null"], "additionalProperties": true,
            "description": "The object that the schema describes, or the default, or null.",
        },
        "answered": { "type": "boolean", "description": "A person answered." },
        "reason": {
            "type": "string", "enum": ["declined", "unavailable"],
            "description": "Why nobody answered; only then. unavailable: nobody could be asked, or nobody did in time.",
        },
        "status": {
            "type": "string", "enum": ["answered", "unanswered", "pending"],
            "description": "pending: the question is open still, so that neither the answer nor the default is there yet.",
        },
        "next_step": schemas::next_step(),
    });
    schemas::result(own, &["reason"])
}

pub(super) fn read(arguments: &Map<String, Value>, faults: &mut Vec<Fault>) -> Option<Meant> {
    let before = faults.len();
    let rendered = match arguments.get("context") {
        None | Some(Value::Null) => rendered(arguments, &Map::new(), faults),
        Some(Value::Object(context)) => rendered(arguments, context, faults),
        Some(other) => {
            let what = format!("must be an object, is {}", kind(other));
            faults.push(Fault { path: "/context".into(), what });
            arguments.clone()
        }
    };
    // What could not be filled in is no value to find further faults in.
    let is_filled = |name: &str, faults: &[Fault]| {
        let place = format!("/{name}");
        let within = |path: &str| path == place || path.starts_with(&format!("{place}/"));
        !faults[before..].iter().any(|fault| within(&fault.path))
    };
    let unfilled: Vec<&str> = KNOWN.into_iter().filter(|name| !is_filled(name, faults)).collect();
    let mut wanted = Wanted::default();
    let mut read = Arguments::of_call(&rendered, &KNOWN, Unknown::Refused, faults);
    read.common(&mut wanted);
    let prompt = match unfilled.contains(&"prompt") {
        true => None,
        false => read.required("prompt", QUESTION).map(str::to_owned),
    };
    let names = ["outputSchema", "output_schema"];
    let form = if names.iter().any(|name| unfilled.contains(name)) { None } else { form(&mut read) };
    let when_default = when_unanswered(&mut read);
    let default = read.any("default").cloned();
    match (when_default, &default) {
        (true, None) if !unfilled.contains(&"default") => {
            read.fault("default", "is missing: whenUnanswered is default, so say what comes back then");
        }
        (false, Some(_)) => {
            read.fault(
                "default",
                "is never used: whenUnanswered is fail; set it to default, or leave default out",
            );
        }
        _ => {}
    }
    let default = default.filter(|_| when_default && !unfilled.contains(&"default"));
    let stand_in = match (&default, &form) {
        (Some(default), Some(form)) => stand_in(default, form, &mut read),
        _ => None,
    };
    let (prompt, form) = (prompt?, form?);
    wanted.params = AskParams {
        questions: questions(&prompt, &form),
        when_unanswered: stand_in.unwrap_or_default(),
        ..AskParams::default()
    };
    Some(Meant::Ask(Box::new(Asked { wanted, shape: Shape::Typed(Box::new(Typed { form, default })) })))
}

/// Whether a default stands in, under either of its names.
fn when_unanswered(read: &mut Arguments<'_>) -> bool {
    let names = ["whenUnanswered", "when_unanswered"];
    if names.iter().all(|name| read.any(name).is_some()) {
        read.fault("when_unanswered", "is given twice: whenUnanswered is the same");
    }
    names.map(|name| read.one_of(name, &["fail", "default"]) == Some(1)).contains(&true)
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
    let Some(object) = schema.as_object() else {
        read.fault(name, &format!("must be an object, is {}", kind(schema)));
        return None;
    };
    // The contract lets the type go unsaid: nothing but an object is possible.
    let mut object = object.clone();
    object.entry("type").or_insert_with(|| "object".into());
    let lists = lists(&object);
    for property in &lists {
        let what = "must not be array: one value can be asked for in each field";
        read.fault(&format!("{name}{}", at(&at("/properties", property), "type")), what);
    }
    match Form::of(&Value::Object(object)) {
        Ok(form) => lists.is_empty().then_some(form),
        Err(faults) => {
            // What else is wrong with a list does not matter.
            let of_list =
                |path: &str| lists.iter().any(|list| path.starts_with(&(at("/properties", list) + "/")));
            for Fault { path, what } in faults.into_iter().filter(|fault| !of_list(&fault.path)) {
                read.fault(&format!("{name}{path}"), &what);
            }
            None
        }
    }
}

/// The properties that are lists: a form of ours could hold some, and this contract none.
fn lists(schema: &Map<String, Value>) -> Vec<String> {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let lists = properties.filter(|(_, each)| each.get("type").is_some_and(|kind| kind == "array"));
    lists.map(|(name, _)| name.clone()).collect()
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
    let (answer, given) = match end {
        End::Ended(record) => (answer(typed, record), ended::answer(record)),
        _ => (None, None),
    };
    let open = matches!(end, End::Pending(_));
    let answered = answer.is_some();
    let stand_in = typed.default.clone().filter(|_| !answered && !open);
    let is_error = !answered && !open && stand_in.is_none();
    let next_step = match (&stand_in, is_error) {
        (Some(_), _) => instructions::STAND_IN.to_owned(),
        (None, true) if matches!(end, End::HandedBack(_)) => {
            format!("{} {}", instructions::ASK_YOURSELF, instructions::NOT_FAIL)
        }
        (None, true) => instructions::NOT_FAIL.to_owned(),
        (None, false) => next_step(end, given),
    };
    let text = text(wanted, end, answer.as_ref(), stand_in.as_ref(), &next_step);
    structured.remove("reason");
    if !answered {
        structured.insert("reason".into(), json!(reason(end)));
    }
    structured.insert("answered".into(), json!(answered));
    let status = if answered {
        "answered"
    } else if open {
        "pending"
    } else {
        "unanswered"
    };
    structured.insert("status".into(), json!(status));
    structured.insert("answer".into(), answer.or(stand_in).unwrap_or(Value::Null));
    structured.insert("next_step".into(), json!(next_step));
    Finished { structured: Value::Object(structured), text, is_error }
}

/// The result of a call whose arguments are wrong.
pub(super) fn misused(faults: &[Fault]) -> Map<String, Value> {
    let mut structured = told(&End::Unsupported, &How::default());
    for (name, value) in [
        ("answer", Value::Null),
        ("answered", json!(false)),
        ("reason", json!("unavailable")),
        ("status", json!("unanswered")),
        ("next_step", json!(instructions::MEND)),
        ("faults", listed_faults(faults)),
    ] {
        structured.insert(name.into(), value);
    }
    structured
}

/// The object that a person's answer makes. Accepted answers to the form's own questions always make one.
fn answer(typed: &Typed, record: &Record) -> Option<Value> {
    typed.form.typed(&ended::answer(record)?.answers).ok()
}

/// The contract knows two reasons: somebody said no, or nobody was there in time.
fn reason(end: &End) -> &'static str {
    let declined = match end {
        End::Ended(record) => {
            matches!(record.state.no_answer(), Some(NoAnswer::Declined | NoAnswer::Withdrawn))
        }
        End::Declined | End::Dismissed => true,
        _ => false,
    };
    if declined { "declined" } else { "unavailable" }
}

fn text(
    wanted: &Wanted,
    end: &End,
    answer: Option<&Value>,
    stand_in: Option<&Value>,
    next_step: &str,
) -> String {
    let mut text = match (answer, stand_in) {
        (Some(answer), _) => {
            let who = match end {
                End::Ended(record) => ended::who(record),
                _ => None,
            };
            let by = who.map(|who| format!("\nAnswered by {}.", who.in_words()));
            format!("{answer}{}", by.unwrap_or_default())
        }
        (None, Some(default)) => {
            format!("{}\nThe default of this call, nobody's answer: {default}", why(end))
        }
        (None, None) => why(end),
    };
    if let End::Ended(record) = end {
        for note in ended::answer(record).into_iter().flat_map(|answered| answered.notes.values()) {
            text.push_str(&format!("\nA remark beside it: {note}"));
        }
    }
    text.push('\n');
    text.push_str(next_step);
    if matches!(end, End::HandedBack(_)) && stand_in.is_none() {
        text.push_str(&format!("\n\n{}", handed::question(&wanted.params.questions)));
    }
    text
}
