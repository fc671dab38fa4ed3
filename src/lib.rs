//! The composition root of askrelay as a library, so that the binary, the tests of the whole program and the fuzz targets reach
//! the same code. Nobody else should depend on it.

pub mod args;
pub mod clock;
pub mod commands;
pub mod config;
pub mod logging;
pub mod span;

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use args::{Cli, Command, ConfigCommand};
use config::{Environment, Sources};

/// Runs one command, prints what it found and tells how it ended.
#[must_use]
pub fn run(cli: Cli) -> ExitCode {
    let printed = command(cli).and_then(|text| Ok(io::stdout().lock().write_all(text.as_bytes())?));
    let Err(error) = printed else { return ExitCode::SUCCESS };
    let mut text = format!("askrelay: {error}\n");
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!("  because {error}\n"));
        cause = error.source();
    }
    // When standard error is gone there is nobody left to tell.
    let _ = io::stderr().write_all(text.as_bytes());
    ExitCode::FAILURE
}

fn command(cli: Cli) -> Result<String, Box<dyn Error>> {
    match cli.command {
        Command::Config(ConfigCommand::Check) => {
            let environment = Environment::of_this_process();
            let home = cli.common.home.clone().unwrap_or_default();
            Ok(commands::config::check(&Sources::find(cli.common.config, &home, environment))?)
        }
        Command::Completions(args) => Ok(commands::describe::completions(args)),
        Command::Preview(args) => Ok(commands::preview::preview(&args, clock::now())?),
        Command::Man => Ok(commands::describe::manual()?),
        _ => Err("this command needs the ring, which this build does not have".into()),
    }
}
