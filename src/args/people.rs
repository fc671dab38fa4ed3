//! The arguments of the commands about people: who is known, who wants to be, and what they did.

use clap::{Args, Subcommand};

/// Works on people.
#[derive(Clone, Debug, Subcommand)]
pub enum PeopleCommand {
    /// Add a person
    Add(PersonAddArgs),
    /// List everybody who is known
    List(PeopleListArgs),
    /// Show one person
    Show(PersonShowArgs),
    /// Give a person rights
    Grant(RightsArgs),
    /// Take rights from a person; it counts at once
    Revoke(RightsArgs),
    /// Say that an identity on a platform is this person's
    Link(IdentityArgs),
    /// Say that an identity is not this person's any more
    Unlink(IdentityArgs),
    /// Forget a person, with their tokens and the invites for them
    Remove(PersonRemoveArgs),
}

/// Adds a person.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Examples:\n  askrelay people add ann --name \"Ann Example\"\n  askrelay people add ann --grant questions.answer --identity telegram/700100\n\nWithout --grant the person may answer questions (questions.answer)."
)]
pub struct PersonAddArgs {
    /// What the person is called in commands: letters, digits, '.', '_', '-' or '@'
    #[arg(value_name = "NAME")]
    pub person: String,
    /// The name others are shown [default: NAME]
    #[arg(long, value_name = "TEXT")]
    pub name: Option<String>,
    /// A right: questions.answer, sessions.write or questions.admin
    #[arg(long, value_name = "SCOPE", value_delimiter = ',')]
    pub grant: Vec<String>,
    /// The person on a platform, by the platform's own id
    #[arg(long = "identity", value_name = "SURFACE/USER")]
    pub identities: Vec<String>,
}

/// Lists everybody.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(after_help = "Examples:\n  askrelay people list\n  askrelay people list --json")]
pub struct PeopleListArgs {
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// Shows one person.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  askrelay people show ann")]
pub struct PersonShowArgs {
    /// The person
    #[arg(value_name = "NAME")]
    pub person: String,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
}

/// Changes rights.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Examples:\n  askrelay people grant ann questions.answer\n  askrelay people revoke ann questions.answer\n\nRights: questions.answer answers questions; sessions.write alone answers only those of the person's own\nsessions; questions.admin may everything."
)]
pub struct RightsArgs {
    /// The person
    #[arg(value_name = "NAME")]
    pub person: String,
    /// The rights: questions.answer, sessions.write or questions.admin
    #[arg(value_name = "SCOPE", required = true, value_delimiter = ',')]
    pub scopes: Vec<String>,
}

/// Changes identities.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Examples:\n  askrelay people link ann telegram/700100\n  askrelay people unlink ann telegram/700100"
)]
pub struct IdentityArgs {
    /// The person
    #[arg(value_name = "NAME")]
    pub person: String,
    /// The identity, by the platform's own id; /whoami (!whoami on Discord and Slack) tells it to whoever writes to the bot
    #[arg(value_name = "SURFACE/USER", required = true)]
    pub identities: Vec<String>,
}

/// Forgets a person.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  askrelay people remove ann")]
pub struct PersonRemoveArgs {
    /// The person
    #[arg(value_name = "NAME")]
    pub person: String,
}

/// Works on those who wait to be let in.
#[derive(Clone, Debug, Subcommand)]
pub enum PairCommand {
    /// List who waits with which code
    List(PairListArgs),
    /// Let somebody in
    Approve(PairApproveArgs),
    /// Turn somebody away for an hour
    Reject(PairRejectArgs),
}

/// Lists who waits.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(after_help = "Examples:\n  askrelay pair list")]
pub struct PairListArgs {
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// Lets somebody in.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Examples:\n  askrelay pair approve 7K2M9QXZ --as ann\n  askrelay pair approve 7K2M9QXZ --as ann --grant questions.admin\n\nWithout --grant somebody new may answer questions, and somebody known gets no more rights."
)]
pub struct PairApproveArgs {
    /// The code that the bot gave them
    pub code: String,
    /// Who they are: somebody known, or a new person
    #[arg(long = "as", value_name = "NAME")]
    pub person: String,
    /// A right that comes with it: questions.answer, sessions.write or questions.admin
    #[arg(long, value_name = "SCOPE", value_delimiter = ',')]
    pub grant: Vec<String>,
}

/// Turns somebody away.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  askrelay pair reject 7K2M9QXZ")]
pub struct PairRejectArgs {
    /// The code that the bot gave them
    pub code: String,
}

/// Makes an invite, or works on those there are.
#[derive(Args, Clone, Debug, Default)]
#[command(
    subcommand_negates_reqs = true,
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  askrelay invite --as ann\n  askrelay invite --as ann --grant questions.answer --expires 1d\n  askrelay invite list\n  askrelay invite revoke 3f2a9c41\n\nWithout --grant somebody new may answer questions, and somebody known gets no more rights."
)]
pub struct InviteArgs {
    /// Whom it is for: somebody known, or a new person
    #[arg(long = "as", value_name = "NAME", required = true)]
    pub person: Option<String>,
    /// A right that comes with it: questions.answer, sessions.write or questions.admin
    #[arg(long, value_name = "SCOPE", value_delimiter = ',')]
    pub grant: Vec<String>,
    /// How long it is good for, such as 12h or 7d
    #[arg(long, value_name = "TIME", default_value = "7d")]
    pub expires: String,
    /// What else can be done with invites
    #[command(subcommand)]
    pub command: Option<InviteCommand>,
}

/// Works on the invites there are.
#[derive(Clone, Debug, Subcommand)]
pub enum InviteCommand {
    /// List the invites that were not used
    List(InviteListArgs),
    /// Withdraw an invite
    Revoke(InviteRevokeArgs),
}

/// Lists invites.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct InviteListArgs {
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// Withdraws an invite.
#[derive(Args, Clone, Debug, Default)]
pub struct InviteRevokeArgs {
    /// The invite's id, as `askrelay invite list` shows it
    pub id: String,
}

/// Shows the audit trail.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Examples:\n  askrelay audit\n  askrelay audit --ask ask_7f3a\n  askrelay audit --person ann --json\n\nWords of accepted answers are cut to 600 characters, and what looks like a secret in them is masked."
)]
pub struct AuditArgs {
    /// Only what is about this ask
    #[arg(long, value_name = "ID")]
    pub ask: Option<String>,
    /// Only what this person did
    #[arg(long, value_name = "NAME")]
    pub person: Option<String>,
    /// At most so many lines, the newest ones
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub last: u32,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}
