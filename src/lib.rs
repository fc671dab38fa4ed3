//! The composition root of askrelay as a library, so that the binary, the tests of the whole program and the fuzz targets reach
//! the same code. Nobody else should depend on it.

pub mod args;
pub mod commands;
pub mod config;
pub mod logging;
pub mod span;

use args::{Cli, Command, ConfigCommand};
use commands::Exit;
use config::{Environment, Sources};

/// Runs one command.
#[must_use]
pub fn run(cli: Cli) -> Exit {
    match cli.command {
        Command::Config(ConfigCommand::Check) => {
            let environment = Environment::of_this_process();
            let home = cli.common.home.clone().unwrap_or_default();
            commands::config::check(&Sources::find(cli.common.config, &home, environment))
        }
        Command::Completions(args) => commands::describe::completions(args),
        Command::Man => commands::describe::manual(),
        _ => Exit::Usage,
    }
}
