//! The `askrelay` binary: reads the command line and hands it to the library.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    askrelay::run(askrelay::args::Cli::parse())
}
