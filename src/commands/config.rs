//! `askrelay config check`: every setting with its source, or every mistake. Changes nothing.

use std::io::{self, Write};

use super::{Exit, complain, exit_of_output};
use crate::config::{Config, Sources};

/// Prints the settings to standard output, or the mistakes to standard error.
#[must_use]
pub fn check(sources: &Sources) -> Exit {
    match Config::load(sources) {
        Ok(config) => exit_of_output(print(&config, sources, &mut io::stdout().lock())),
        Err(mistakes) => {
            complain(&mistakes);
            Exit::Failed
        }
    }
}

fn print(config: &Config, sources: &Sources, out: &mut impl Write) -> io::Result<()> {
    match &sources.file {
        Some(path) => writeln!(out, "# {}", path.display())?,
        None => writeln!(out, "# no configuration file")?,
    }
    for setting in config.shown() {
        writeln!(out, "{setting}")?;
    }
    for note in &config.notes {
        writeln!(out, "# note: {note}")?;
    }
    Ok(())
}
