//! The arguments of `askrelay ask`. Values are kept as text where a mistake in one must not hide a mistake in another.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Asks a person. The answer goes to standard output, everything else to the terminal.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = EXAMPLES)]
pub struct AskArgs {
    /// The question
    pub question: Option<String>,

    /// A choice, perhaps with what it means; `\=` is an equals sign in the label
    #[arg(short, long = "option", value_name = "LABEL[=MEANING]", help_heading = "The question")]
    pub options: Vec<String>,
    /// A choice that destroys something: its button is red, and Slack asks once more; with --confirm its Yes
    #[arg(long, value_name = "LABEL", help_heading = "The question")]
    pub destructive: Vec<String>,
    /// Several choices may be taken
    #[arg(long, help_heading = "The question")]
    pub multi: bool,
    /// Fewest choices, with --multi
    #[arg(long, value_name = "N", help_heading = "The question", allow_hyphen_values = true)]
    pub min: Option<String>,
    /// Most choices, with --multi
    #[arg(long, value_name = "N", help_heading = "The question", allow_hyphen_values = true)]
    pub max: Option<String>,
    /// Only the choices, no own words
    #[arg(long, help_heading = "The question")]
    pub no_other: bool,
    /// Yes or No, nothing else
    #[arg(long, help_heading = "The question")]
    pub confirm: bool,
    /// Own words, no choices (also without --text when no choice is given)
    #[arg(long, help_heading = "The question")]
    pub text: bool,
    /// A hint for own words
    #[arg(long, value_name = "TEXT", help_heading = "The question")]
    pub placeholder: Option<String>,
    /// Read the whole ask from a JSON file, `-` for standard input; arguments win over the file
    #[arg(long, value_name = "FILE", help_heading = "The question")]
    pub file: Option<PathBuf>,
    /// Ask for every property of a flat JSON Schema object, `-` for standard input
    #[arg(long, value_name = "FILE", help_heading = "The question")]
    pub schema: Option<PathBuf>,
    /// Ask what a step of a plan asks: {id, tool_name: ask, input} as YAML or JSON, `-` for standard input; prints its result
    #[arg(long, value_name = "FILE", help_heading = "The question")]
    pub step: Option<PathBuf>,
    /// The results of earlier steps by their ids, for the templates of --step, such as {{E0.candidates}}
    #[arg(long, value_name = "FILE", help_heading = "The question")]
    pub context: Option<PathBuf>,

    /// How long to wait, such as 90s, 15m or 2d [default: 15m, or default_wait of the configuration]
    #[arg(long, value_name = "TIME", help_heading = "When nobody answers", allow_hyphen_values = true)]
    pub timeout: Option<String>,
    /// Fail, or print the values of --default, marked as not answered in --json
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "When nobody answers")]
    pub when_unanswered: Option<WhenUnansweredArg>,
    /// Those values as JSON: "Staging", ["Logs", "Traces"], or {"id": ...} for several questions
    #[arg(long, value_name = "JSON", help_heading = "When nobody answers", allow_hyphen_values = true)]
    pub default: Option<String>,

    /// Show it in this place: a name of the configuration, or surface/account/conversation
    #[arg(long, value_name = "PLACE", help_heading = "Where and for whom")]
    pub to: Vec<String>,
    /// Only this person may answer; without any, whoever has the right
    #[arg(long = "answerer", value_name = "NAME", help_heading = "Where and for whom")]
    pub answerers: Vec<String>,
    /// The agent that asks
    #[arg(long, value_name = "ID", help_heading = "Where and for whom")]
    pub agent: Option<String>,
    /// The session it belongs to
    #[arg(long, value_name = "KEY", help_heading = "Where and for whom")]
    pub session: Option<String>,
    /// The run within the session
    #[arg(long, value_name = "ID", help_heading = "Where and for whom")]
    pub run: Option<String>,
    /// A short name for people and routes
    #[arg(long, value_name = "TEXT", help_heading = "Where and for whom")]
    pub label: Option<String>,
    /// The ask's own id; asking again with it and the same question gives the same ask
    #[arg(long, value_name = "ID", help_heading = "Where and for whom")]
    pub id: Option<String>,

    /// Print the whole record as JSON instead of the labels
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// What is printed when nobody answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WhenUnansweredArg {
    /// Nothing; standard error says why, and the exit status is 3
    Fail,
    /// The values of --default; the exit status is 3 all the same
    Default,
}

const EXAMPLES: &str = "\
Examples:
  askrelay ask \"Where should this release go?\" -o \"Staging (Recommended)=safe first\" -o Production
  askrelay ask \"Which signals?\" --multi --min 1 -o Logs -o Metrics -o Traces --no-other
  [ \"$(askrelay ask --confirm \"Delete the old backups?\" --destructive Yes)\" = Yes ] && rm -r backups
  askrelay ask \"What should the release be called?\" --text --placeholder \"a bird\"
  askrelay ask --file ask.json --to ops --timeout 2h --json
  askrelay ask --step step.yaml --context results.json

An ask.json has the fields of question.request:
  {\"questions\": [{\"questionId\": \"target\", \"question\": \"Where to?\",
                  \"options\": [{\"label\": \"Staging\"}, {\"label\": \"Production\"}]}]}

Own words are allowed beside the choices unless --no-other or --confirm is given; in a file
only where the question says \"isOther\": true.
With --confirm a No is an answer too: it prints No with exit status 0, so look at the word.
Ctrl-C takes the ask back. Exit status: 0 answered, 3 nobody answered, 2 wrong usage, 1 failed.";
