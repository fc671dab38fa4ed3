//! The arguments of `askrelay hook`, and which exit code a wrong one has there: to an agent's hook, 2 would mean that the tool is
//! refused.

use std::ffi::OsStr;

use clap::{Args, Subcommand};

/// An agent whose own questions are asked.
#[derive(Clone, Debug, Subcommand)]
pub enum HookCommand {
    /// Answer Claude Code's own questions from a chat
    ClaudeCode(ClaudeCodeArgs),
}

/// `askrelay hook claude-code`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ClaudeCodeArgs {
    /// How long a person has; then the terminal asks
    #[arg(long, value_name = "TIME", default_value = "9m", allow_hyphen_values = true)]
    pub timeout: String,
    /// Ask for permissions too: Allow or Deny
    #[arg(long)]
    pub permissions: bool,
    /// Ask what subagents ask, too
    #[arg(long)]
    pub subagents: bool,
    /// Print the settings that make Claude Code call this, with the same arguments
    #[arg(long)]
    pub print_config: bool,
}

/// Whether these arguments call a hook, also when they cannot be read.
pub fn is_hook<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> bool {
    let mut arguments = arguments.into_iter().skip(1);
    while let Some(argument) = arguments.next() {
        let argument = argument.as_ref();
        if argument == "--home" || argument == "--config" {
            arguments.next();
        } else if !argument.as_encoded_bytes().starts_with(b"-") {
            return argument == "hook";
        }
    }
    false
}

const EXAMPLES: &str = "\
Claude Code calls this by itself, once its settings say so:
  mkdir -p .claude && [ ! -e .claude/settings.json ] &&
    askrelay hook claude-code --permissions --print-config > .claude/settings.json

The event comes on standard input, the decision goes to standard output. Without a decision
the exit status is 0 too, standard error says why, and the terminal asks. Wrong usage ends
with 1: a 2 would refuse the tool.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_is_known_by_its_first_word() {
        let rows = [
            ("askrelay hook claude-code --no-such", true),
            ("askrelay --home dir hook", true),
            ("askrelay --home=dir --config file hook", true),
            ("askrelay ask hook", false),
            ("askrelay --home hook ask", false),
            ("askrelay", false),
        ];
        for (line, expected) in rows {
            assert_eq!(is_hook(line.split(' ')), expected, "{line}");
        }
    }
}
