//! The command line: every command with its arguments and help. Decides nothing; values that several arguments share are
//! checked by the commands, all mistakes at once.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

mod ask;
mod hook;
mod mcp;
mod others;
mod people;

pub use ask::{AskArgs, WhenUnansweredArg};
pub use hook::{ClaudeCodeArgs, HookCommand, is_hook};
pub use mcp::McpArgs;
pub use others::{
    AnswerArgs, CancelArgs, CompletionsArgs, ConfigCommand, ListArgs, LoginArgs, PreviewArgs, ReadArgs,
    ServeArgs, ShowArgs, StateArg, StatusArgs, TokenCommand, TokenCreateArgs, TokenRevokeArgs, WaitArgs,
};
pub use people::{
    AuditArgs, IdentityArgs, InviteArgs, InviteCommand, PairCommand, PeopleCommand, PersonAddArgs, RightsArgs,
};

/// Carries an agent's question to a person and brings exactly one authorised answer back.
#[derive(Clone, Debug, Parser)]
#[command(name = "askrelay", version, max_term_width = 100, after_help = EXAMPLES, propagate_version = true)]
#[command(arg_required_else_help = true, infer_subcommands = false, disable_help_subcommand = true)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub common: Common,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// What every command takes.
#[derive(Args, Clone, Debug, Default)]
pub struct Common {
    /// Data directory [env: ASKRELAY_HOME] [default: the platform's usual place]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Everywhere")]
    pub home: Option<PathBuf>,
    /// Configuration file [env: ASKRELAY_CONFIG] [default: config.toml in the data directory]
    #[arg(long, global = true, value_name = "FILE", help_heading = "Everywhere")]
    pub config: Option<PathBuf>,
}

/// A command.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Ask a person and print the answer
    Ask(Box<AskArgs>),
    /// Let an MCP client's agent ask: Claude Code, Codex, Cursor and others
    Mcp(McpArgs),
    /// Answer an agent's own questions from a chat
    #[command(subcommand)]
    Hook(HookCommand),
    /// Run the ring until told to stop: gateway, surfaces, HTTP
    Serve(ServeArgs),
    /// Tell who runs the ring here, and where it listens
    Status(StatusArgs),
    /// List asks
    List(ListArgs),
    /// Show one ask
    Show(ShowArgs),
    /// Answer an ask; needs your own token, see `askrelay login`
    Answer(AnswerArgs),
    /// Take an ask back
    Cancel(CancelArgs),
    /// Wait for the answer to an ask and print it
    Wait(WaitArgs),
    /// Work on who is known and what they may do
    #[command(subcommand)]
    People(PeopleCommand),
    /// Make an invite that lets somebody in
    Invite(InviteArgs),
    /// Let in, or turn away, those who wrote to a bot
    #[command(subcommand)]
    Pair(PairCommand),
    /// Show who did what
    Audit(AuditArgs),
    /// Make, list and revoke access tokens
    #[command(subcommand)]
    Token(TokenCommand),
    /// Keep your own token for the commands that answer
    Login(LoginArgs),
    /// Tell how typed replies would be read
    Read(ReadArgs),
    /// Show exactly what a surface would show for an ask
    Preview(PreviewArgs),
    /// Look at the configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man,
}

const EXAMPLES: &str = "\
Examples:
  askrelay ask \"Where should this release go?\" -o \"Staging=safe first\" -o Production
  [ \"$(askrelay ask --confirm \"Delete the old backups?\")\" = Yes ] && rm -r backups
  askrelay serve --listen 127.0.0.1:8787

A No is an answer too: look at the word that is printed, not at the exit status alone.
Exit status: 0 answered or done, 1 failed, 2 wrong usage, 3 nobody answered.";

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_and_argument_has_help() {
        fn check(command: &clap::Command) {
            let name = command.get_name();
            assert!(command.get_about().is_some(), "{name} says what it does");
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{name}: {} says what it is", argument.get_id());
            }
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }

    #[test]
    fn no_example_takes_a_no_for_a_yes() {
        fn texts(command: &mut clap::Command) -> Vec<String> {
            let own = command.render_long_help().to_string();
            let below = command.get_subcommands_mut().flat_map(texts);
            std::iter::once(own).chain(below).collect()
        }
        let mut texts = texts(&mut Cli::command());
        texts.push(include_str!("../README.md").to_owned());
        let lines = texts.iter().flat_map(|text| text.lines()).filter(|line| line.contains("--confirm"));
        let chained = lines.filter(|line| ["&&", "||", "if "].iter().any(|chain| line.contains(chain)));
        let chained: Vec<&str> = chained.collect();
        assert!(!chained.is_empty(), "the help shows how to act on a Yes");
        for line in chained {
            assert!(line.contains("= Yes"), "a No ends with status 0 as well: {line}");
        }
    }
}
