//! `askrelay completions` and `askrelay man`: the command line described for shells and for `man`. Knows no command by name.

use std::io::{self, Write};

use clap::CommandFactory;

use super::{Exit, exit_of_output};
use crate::args::{Cli, CompletionsArgs};

/// Prints a completion script.
#[must_use]
pub fn completions(args: CompletionsArgs) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "askrelay", &mut script);
    exit_of_output(io::stdout().lock().write_all(&script))
}

/// Prints the manual page, with a section for every command.
#[must_use]
pub fn manual() -> Exit {
    let mut page = Vec::new();
    let rendered = render(&mut page);
    exit_of_output(rendered.and_then(|()| io::stdout().lock().write_all(&page)))
}

fn render(page: &mut Vec<u8>) -> io::Result<()> {
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(page)?;
    for part in leaves(&command) {
        let man = clap_mangen::Man::new(part.clone());
        writeln!(page, ".SH {}", part.get_bin_name().unwrap_or(part.get_name()).to_uppercase())?;
        man.render_description_section(page)?;
        man.render_synopsis_section(page)?;
        man.render_options_section(page)?;
        man.render_extra_section(page)?;
    }
    Ok(())
}

/// The commands that have none below them.
fn leaves(command: &clap::Command) -> Vec<&clap::Command> {
    if !command.has_subcommands() {
        return vec![command];
    }
    command.get_subcommands().flat_map(leaves).collect()
}
