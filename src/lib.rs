//! The composition root of askrelay as a library, so that the binary, the tests of the whole program and the fuzz targets reach
//! the same code. Nobody else should depend on it.

pub mod accounts;
pub mod args;
pub mod clock;
pub mod commands;
pub mod compose;
pub mod config;
mod digest;
pub mod driver;
pub mod gateways;
pub mod logging;
pub mod ring;
pub mod span;

use std::collections::BTreeSet;
use std::io;
use std::process::ExitCode;

use args::{Cli, Command, Common, ConfigCommand, HookCommand, ServeArgs};
use clap::Parser as _;
use commands::entered::{Credential, Entered, looked_at, prepare};
use commands::outcome::{Outcome, print_failure};
use commands::{
    CommandError, ask, audit, describe, doors, hook, login, mcp, people, preview, questions, read, serve,
    status, token,
};
use config::{Argument, Source};

/// Runs one command, prints what it found and tells how it ended.
#[must_use]
pub fn run(cli: Cli) -> ExitCode {
    let is_hook = matches!(cli.command, Command::Hook(_));
    match command(cli) {
        Ok(outcome) => {
            outcome.print(&mut io::stdout().lock(), &mut io::stderr().lock()).unwrap_or_else(closed)
        }
        Err(error) => {
            let code = print_failure(&error, &mut io::stderr().lock());
            // To an agent, the code of wrong usage would mean that its tool is refused.
            if is_hook { ExitCode::FAILURE } else { code }
        }
    }
}

/// The same for arguments that are not read yet.
#[must_use]
pub fn run_arguments() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(wrong) if wrong.use_stderr() && args::is_hook(std::env::args_os()) => {
            // When standard error is gone there is nobody left to tell.
            let _ = wrong.print();
            ExitCode::FAILURE
        }
        Err(wrong) => wrong.exit(),
    }
}

/// A reader that has seen enough (`| head`) is no failure.
fn closed(error: io::Error) -> ExitCode {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return ExitCode::SUCCESS;
    }
    print_failure(&CommandError::Unwritable(error), &mut io::stderr().lock())
}

fn command(cli: Cli) -> Result<Outcome, CommandError> {
    let common = cli.common;
    match cli.command {
        Command::Ask(args) => {
            let (home, config) = started(&common)?;
            runtime()?.block_on(ask::ask(home, config, &args))
        }
        Command::Hook(HookCommand::ClaudeCode(args)) => {
            hook::claude_code(&common, &args, || started(&common))
        }
        Command::Mcp(args) => {
            let (home, config) = started_as(&common, mcp::log_level())?;
            runtime()?.block_on(mcp::mcp(home, config, &args))
        }
        Command::Serve(args) => {
            let (home, config) = prepare(&common, arguments(&args))?;
            logging::start(&config).map_err(other)?;
            runtime()?.block_on(serve::serve(home, config))
        }
        Command::Status(args) => {
            let (home, sources) = looked_at(&common)?;
            let config = config::Config::load(&sources)?;
            runtime()?.block_on(status::status(&home, &config, &args))
        }
        Command::List(args) => {
            inside(&common, Credential::PersonOrLocal, async |client| questions::list(client, &args).await)
        }
        Command::Show(args) => {
            inside(&common, Credential::PersonOrLocal, async |client| questions::show(client, &args).await)
        }
        Command::Wait(args) => {
            inside(&common, Credential::PersonOrLocal, async |client| questions::wait(client, &args).await)
        }
        Command::Cancel(args) => {
            inside(&common, Credential::PersonOrLocal, async |client| questions::cancel(client, &args).await)
        }
        Command::Answer(args) => {
            inside(&common, Credential::Person, async |client| questions::answer(client, &args).await)
        }
        Command::Token(command) => {
            inside(&common, Credential::Local, async |client| token::token(client, &command).await)
        }
        Command::People(command) => {
            inside(&common, Credential::Local, async |client| people::people(client, &command).await)
        }
        Command::Pair(command) => {
            inside(&common, Credential::Local, async |client| doors::pair(client, &command).await)
        }
        Command::Invite(args) => {
            inside(&common, Credential::Local, async |client| doors::invite(client, &args).await)
        }
        Command::Audit(args) => {
            inside(&common, Credential::Local, async |client| audit::audit(client, &args).await)
        }
        Command::Login(args) => login::login(&args),
        Command::Preview(args) => preview::preview(&args, clock::now()).map(Outcome::Said).map_err(other),
        Command::Config(ConfigCommand::Check) => {
            let (_, sources) = looked_at(&common)?;
            Ok(Outcome::Said(commands::config::check(&sources)?))
        }
        Command::Completions(args) => Ok(Outcome::Said(describe::completions(args))),
        Command::Read(args) => read::command(args).map(|()| Outcome::Said(String::new())).map_err(other),
        Command::Man => describe::manual().map(Outcome::Said).map_err(other),
    }
}

/// The data directory and the configuration of a command whose output is for people: unless somebody wants to know more, only
/// warnings are logged.
fn started(common: &Common) -> Result<(ring::Home, config::Config), CommandError> {
    started_as(common, None)
}

/// The same, with what a command of its own reads about how much is to be logged.
fn started_as(common: &Common, level: Option<&str>) -> Result<(ring::Home, config::Config), CommandError> {
    let (home, mut config) = prepare(common, Vec::new())?;
    if config.log_level.source == Source::Default {
        config.log_level.value = level.unwrap_or("warn").to_owned();
    }
    logging::start(&config).map_err(other)?;
    Ok((home, config))
}

/// Settings that `serve` takes as arguments.
fn arguments(args: &ServeArgs) -> Vec<Argument> {
    let listen = args.listen.clone();
    listen.map(|value| Argument { key: "listen", flag: "--listen", value }).into_iter().collect()
}

/// Runs `work` with a client inside the ring.
fn inside(
    common: &Common,
    credential: Credential,
    work: impl AsyncFnOnce(&askrelay_client::Client) -> Result<Outcome, CommandError>,
) -> Result<Outcome, CommandError> {
    let (home, config) = started(common)?;
    runtime()?.block_on(async {
        let entered = Entered::enter(home, config, credential, BTreeSet::new()).await?;
        let outcome = work(&entered.client).await.map_err(|error| entered.explained(error));
        entered.leave().await;
        outcome
    })
}

/// Two threads: one for the desk that owns the Records, one for sockets; the store has its own.
fn runtime() -> Result<tokio::runtime::Runtime, CommandError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().map_err(CommandError::Runtime)
}

fn other(error: impl std::error::Error + Send + Sync + 'static) -> CommandError {
    CommandError::Other(Box::new(error))
}
