//! `askrelay completions` and `askrelay man`: the command line described for shells and for `man`. Knows no command by name.

use std::io::{self, Write as _};

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};

/// A completion script.
#[must_use]
pub fn completions(args: CompletionsArgs) -> String {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "askrelay", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The manual page, with a section for every command.
///
/// # Errors
/// Never in practice: it is written to memory.
pub fn manual() -> io::Result<String> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for part in leaves(&command) {
        let man = clap_mangen::Man::new(part.clone());
        writeln!(page, ".SH {}", part.get_bin_name().unwrap_or(part.get_name()).to_uppercase())?;
        man.render_description_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_options_section(&mut page)?;
        man.render_extra_section(&mut page)?;
    }
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// The commands that have none below them.
fn leaves(command: &clap::Command) -> Vec<&clap::Command> {
    if !command.has_subcommands() {
        return vec![command];
    }
    command.get_subcommands().flat_map(leaves).collect()
}

#[cfg(test)]
mod tests {
    use clap_complete::Shell;

    use super::*;

    #[test]
    fn every_shell_completes_every_command() {
        for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
            let script = completions(CompletionsArgs { shell });
            for command in Cli::command().get_subcommands() {
                assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
            }
        }
    }

    #[test]
    fn the_manual_has_a_section_for_every_command() {
        let page = manual().unwrap();
        for section in ["ASKRELAY ASK", "ASKRELAY TOKEN CREATE", "ASKRELAY CONFIG CHECK"] {
            assert!(page.contains(&format!(".SH {section}\n")), "{section}");
        }
        assert!(page.contains("Ctrl\\-C takes the ask back"), "with its examples");
    }
}
