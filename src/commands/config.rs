//! `askrelay config check`: every setting with its source, or every mistake. Changes nothing.

use std::fmt::Write as _;

use crate::config::{Config, Mistakes, Sources};

/// The settings, one a line, as the file would say them.
///
/// # Errors
/// Every mistake.
pub fn check(sources: &Sources) -> Result<String, Mistakes> {
    let config = Config::load(sources)?;
    let mut text = match &sources.file {
        Some(path) => format!("# {}\n", path.display()),
        None => "# no configuration file\n".to_owned(),
    };
    for setting in config.shown() {
        let _ = writeln!(text, "{setting}");
    }
    for note in &config.notes {
        let _ = writeln!(text, "# note: {note}");
    }
    Ok(text)
}
