//! The arguments of every command but `ask`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use clap_complete::Shell;

/// Runs the ring.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = SERVE_EXAMPLES)]
pub struct ServeArgs {
    /// Listen for HTTP and WebSocket here too [env: ASKRELAY_LISTEN]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<String>,
}

/// Tells who runs the ring.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(after_help = STATUS_EXAMPLES)]
pub struct StatusArgs {
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
}

/// Lists asks.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  askrelay list\n  askrelay list --state answered --json")]
pub struct ListArgs {
    /// Only asks in this state
    #[arg(long, value_enum, default_value = "pending")]
    pub state: StateArg,
    /// Print one JSON record a line
    #[arg(long)]
    pub json: bool,
}

/// Which asks to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum StateArg {
    /// Those that wait for an answer
    #[default]
    Pending,
    /// Those that were answered
    Answered,
    /// Those that were declined, taken back or could not be delivered
    Cancelled,
    /// Those whose time ran out
    Expired,
    /// All of them
    All,
}

/// Shows one ask.
#[derive(Args, Clone, Debug, Default)]
pub struct ShowArgs {
    /// The ask
    pub id: String,
    /// Print the record as JSON
    #[arg(long)]
    pub json: bool,
}

/// Answers an ask.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Examples:\n  askrelay answer ask_7f3a 2\n  askrelay answer ask_7f3a \"Staging, please\"\n  askrelay answer ask_7f3a /skip"
)]
pub struct AnswerArgs {
    /// The ask
    pub id: String,
    /// The reply, as one would type it: a number, a label, a list, own words, or /skip
    #[arg(allow_hyphen_values = true)]
    pub text: String,
}

/// Takes an ask back.
#[derive(Args, Clone, Debug, Default)]
pub struct CancelArgs {
    /// The ask
    pub id: String,
}

/// Waits for an answer.
#[derive(Args, Clone, Debug, Default)]
pub struct WaitArgs {
    /// The ask
    pub id: String,
    /// Give up after this time, such as 90s or 15m; the ask goes on
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<String>,
    /// Print the whole record as JSON instead of the labels
    #[arg(long)]
    pub json: bool,
}

/// Works on access tokens.
#[derive(Clone, Debug, Subcommand)]
pub enum TokenCommand {
    /// Make a token and print it, once
    Create(TokenCreateArgs),
    /// List tokens, without their secrets
    List,
    /// Revoke a token; it stops working at once
    Revoke(TokenRevokeArgs),
}

/// Makes a token.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Examples:\n  askrelay token create --scopes operator.questions\n  askrelay token create --as owner --scopes operator.questions,operator.admin"
)]
pub struct TokenCreateArgs {
    /// The person it belongs to; without one it is a service's
    #[arg(long = "as", value_name = "PERSON")]
    pub person: Option<String>,
    /// What it may do: operator.questions, operator.sessions.write, operator.admin
    #[arg(long, value_name = "SCOPE", value_delimiter = ',', required = true)]
    pub scopes: Vec<String>,
    /// A name for people, such as the machine it is for
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,
}

/// Revokes a token.
#[derive(Args, Clone, Debug, Default)]
pub struct TokenRevokeArgs {
    /// The token's id, as `askrelay token list` shows it
    pub id: String,
}

/// Keeps a person's token. It is read from standard input, never from an argument that others could see.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  askrelay login < token.txt\n  askrelay login --forget")]
pub struct LoginArgs {
    /// Forget the token that is kept
    #[arg(long)]
    pub forget: bool,
}

/// Tells how replies would be read.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = READ_EXAMPLES)]
pub struct ReadArgs {
    /// The cases, one JSON object a line [default: standard input]
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The handle people type to address the bot
    #[arg(long, value_name = "HANDLE", default_value = "askbot")]
    pub bot: String,
    /// The bot's id on its platform
    #[arg(long, value_name = "ID", default_value = "U123")]
    pub bot_id: String,
}

/// Shows what a surface would show.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = PREVIEW_EXAMPLES)]
pub struct PreviewArgs {
    /// Which surface: terminal, telegram, discord, slack, or text for any that reads and writes text
    #[arg(long, value_name = "NAME", default_value = "terminal")]
    pub surface: String,
    /// The ask as JSON, `-` for standard input; see `askrelay ask --help`
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Looks at the configuration.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Check the configuration; print every setting and where it comes from
    Check,
}

/// Prints a completion script.
#[derive(Args, Clone, Copy, Debug)]
#[command(
    after_help = "Examples:\n  askrelay completions bash > ~/.local/share/bash-completion/completions/askrelay"
)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

const READ_EXAMPLES: &str = "\
Each case has an id, questions as an ask has them, and the reply:
  {\"id\": 1, \"questions\": [{\"questionId\": \"where\", \"question\": \"Where to?\",
   \"options\": [{\"label\": \"Staging\"}, {\"label\": \"Production\"}]}], \"reply\": \"2\"}

Each result is one line:
  {\"id\":1,\"outcome\":\"answer\",\"answers\":{\"where\":[\"Production\"]}}

Outcomes: answer, clarify (with a reason), skip, ignore.";

const SERVE_EXAMPLES: &str = "\
Examples:
  askrelay serve
  askrelay serve --listen 127.0.0.1:8787
  ASKRELAY_TELEGRAM_TOKEN=TOKEN askrelay serve

It runs until Ctrl-C. Every chat account of the configuration tells on standard error when it
is online, or why it is not. `askrelay status` tells it at any time; `askrelay config check`
tells beforehand what is set wrongly.";

const STATUS_EXAMPLES: &str = "\
Examples:
  askrelay status
  askrelay status --json

It names the data directory, the process that runs the ring, and every chat account there:
online, connecting, or offline and why, and what it lacks
on its platform (intents, permissions, scopes). Exit status 0, whether a ring runs or not.";

const PREVIEW_EXAMPLES: &str = "\
Examples:
  askrelay preview ask.json
  askrelay preview --surface discord ask.json
  askrelay preview --surface text - < ask.json

An ask.json has the fields of question.request:
  {\"questions\": [{\"questionId\": \"target\", \"question\": \"Where to?\",
                  \"options\": [{\"label\": \"Staging\"}, {\"label\": \"Production\"}]}]}

Own words beside the choices are allowed with \"isOther\": true; without it they are not.";
