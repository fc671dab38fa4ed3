//! `askrelay config check`: every setting with its source, or every mistake. Changes nothing and connects to nothing.

use std::fmt::Write as _;
use std::path::Path;

use crate::compose;
use crate::config::{Config, Mistakes, Sources};

/// The settings, one a line, as the file would say them.
///
/// # Errors
/// Every mistake, also what only the surfaces know: secrets that are not there, and ids that cannot be.
pub fn check(sources: &Sources) -> Result<String, Mistakes> {
    let config = Config::load(sources)?;
    let path = sources.file.as_deref().unwrap_or(Path::new("config.toml"));
    let faults = compose::faults(&config);
    if !faults.is_empty() {
        let mistakes = faults.into_iter().map(|fault| config.mistake(&fault.key, fault.what, path));
        return Err(Mistakes(mistakes.collect()));
    }
    let mut text = match &sources.file {
        Some(path) => format!("# {}\n", path.display()),
        None => "# no configuration file\n".to_owned(),
    };
    for setting in config.shown() {
        let _ = writeln!(text, "{setting}");
    }
    let warnings = compose::warnings(&config, config.accounts.iter());
    for note in config.notes.iter().cloned().chain(warnings.iter().map(ToString::to_string)) {
        let _ = writeln!(text, "# note: {note}");
    }
    Ok(text)
}
