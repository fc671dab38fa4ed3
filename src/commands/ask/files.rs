//! Asks that come from a file: the params of a request, or a JSON Schema. Every fault is named with its file and its place
//! there; arguments are not looked at.

use std::error::Error;
use std::path::Path;

use askrelay_core::ask::Fault;
use askrelay_core::schema::Form;
use askrelay_protocol::call::AskParams;

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
