//! The `askrelay` binary: hands the command line to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    askrelay::run_arguments()
}
