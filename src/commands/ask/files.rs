//! Asks that come from a file: the params of a request, a JSON Schema, or a step of a plan. Every fault is named with its file and its place
//! there; arguments are not looked at.

use std::error::Error;
use std::path::Path;

use askrelay_core::ask::Fault;
use askrelay_core::schema::Form;
use askrelay_mcp::plan::{self, Step};
use askrelay_protocol::call::AskParams;
use serde_json::{Map, Value};

use super::input::WIDE;
use crate::commands::given;

/// The params that a file holds.
///
/// # Errors
/// Everything wrong with it.
pub(super) fn params(path: &Path) -> Result<AskParams, Vec<String>> {
    let text = text("--file", path)?;
    AskParams::parse(&text, WIDE).map_err(|error| {
        let faults = &error.details.faults;
        if faults.is_empty() {
            return vec![format!("{}: {}", given::name(path), error.message)];
        }
        faults.iter().map(|fault| named(fault, path)).collect()
    })
}

/// The form that the schema in a file makes.
///
/// # Errors
/// Everything wrong with it.
pub(super) fn form(path: &Path) -> Result<Form, Vec<String>> {
    let text = text("--schema", path)?;
    let schema =
        serde_json::from_str(&text).map_err(|error| vec![format!("{}: {error}", given::name(path))])?;
    Form::of(&schema).map_err(|faults| faults.iter().map(|fault| named(fault, path)).collect())
}

/// The step of a plan that a file holds, with the results of earlier steps filled in.
///
/// # Errors
/// Everything wrong with it.
pub(super) fn step(path: &Path, context: Option<&Path>) -> Result<Step, Vec<String>> {
    let step = document("--step", path);
    let context = match context.map(|path| document("--context", path).map(|value| (path, value))) {
        None => Ok(Map::new()),
        Some(Ok((_, Value::Object(results)))) => Ok(results),
        Some(Ok((path, _))) => Err(vec![format!(
            "{}: must be an object of results by the ids of their steps",
            given::name(path)
        )]),
        Some(Err(wrong)) => Err(wrong),
    };
    match (step, context) {
        (Ok(step), Ok(context)) => plan::step(&step, context)
            .map_err(|error| error.0.iter().map(|fault| named(fault, path)).collect()),
        (step, context) => Err([step.err(), context.err()].into_iter().flatten().flatten().collect()),
    }
}

/// The value of a file that is JSON or YAML.
fn document(argument: &str, path: &Path) -> Result<Value, Vec<String>> {
    let text = text(argument, path)?;
    if let Ok(value) = serde_json::from_str(&text) {
        return Ok(value);
    }
    // Only true and false are booleans, so that a `no` stays a word; a snippet of the file would fill the screen.
    let options = serde_saphyr::options! { strict_booleans: true, with_snippet: false };
    serde_saphyr::from_str_with_options(&text, options)
        .map_err(|error| vec![format!("{}: {error}", given::name(path))])
}

/// A fault with the file in which it stands.
pub(super) fn named(fault: &Fault, path: &Path) -> String {
    let place = if fault.path.is_empty() { "the top" } else { &fault.path };
    format!("{} at {place}: {}", given::name(path), fault.what)
}

fn text(argument: &str, path: &Path) -> Result<String, Vec<String>> {
    given::read(path).map_err(|error| {
        let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
        vec![format!("{argument}: {error}{cause}")]
    })
}
