//! What every command that needs the ring begins and ends with: data directory, configuration, a way in, a client.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use askrelay_client::{Backoff, CallError, Client, ConnectError, Settings};
use askrelay_core::id::Account;
use askrelay_core::permit::WireScope;
use askrelay_protocol::error::DetailCode;
use askrelay_protocol::secret::Secret;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::task::JoinSet;

use super::CommandError;
use crate::args::Common;
use crate::commands::login;
use crate::compose::{self, GATEWAY};
use crate::config::{Argument, Config, Environment, Sources};
use crate::ring::{Home, HomeError, Ring, Role, Standing};

/// Whose rights a command uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// The local connection's: asks, waits, withdraws.
    Local,
    /// A person's own token, which must be there.
    Person,
    /// A person's own token where there is one, else the local connection's.
    PersonOrLocal,
}

/// Where a person's own token comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenFrom {
    /// The variable.
    Variable,
    /// `askrelay login`.
    Login,
}

impl TokenFrom {
    /// What to do when it is not accepted.
    #[must_use]
    pub const fn way_out(self) -> &'static str {
        match self {
            Self::Variable => "set ASKRELAY_TOKEN to one of this gateway's, or unset it",
            Self::Login => {
                "log in again (askrelay token create --as NAME --scopes operator.questions | askrelay login), \
                 or forget it with `askrelay login --forget`"
            }
        }
    }
}

impl fmt::Display for TokenFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Variable => "in ASKRELAY_TOKEN",
            Self::Login => "kept by `askrelay login`",
        })
    }
}

/// A command inside the ring.
pub struct Entered {
    /// The configuration.
    pub config: Arc<Config>,
    /// How this process is in.
    pub standing: Standing,
    /// Its client.
    pub client: Client,
    token_from: TokenFrom,
    ring: Ring,
    tasks: JoinSet<()>,
}

/// The data directory, and everything that the configuration is made of.
///
/// # Errors
/// There is no data directory.
pub fn sources(common: &Common, arguments: Vec<Argument>) -> Result<(Home, Sources), CommandError> {
    found(common, arguments, Home::open)
}

/// The same for a command that only looks: no directory is made.
///
/// # Errors
/// The data directory is not to be used.
pub fn looked_at(common: &Common) -> Result<(Home, Sources), CommandError> {
    found(common, Vec::new(), Home::look)
}

fn found(
    common: &Common,
    arguments: Vec<Argument>,
    home: impl Fn(Option<&Path>) -> Result<Home, HomeError>,
) -> Result<(Home, Sources), CommandError> {
    let environment = Environment::of_this_process();
    let named = common.home.clone().or_else(|| environment.get("ASKRELAY_HOME").map(Into::into));
    let home = home(named.as_deref())?;
    let mut sources = Sources::find(common.config.clone(), home.path(), environment);
    sources.arguments = arguments;
    Ok((home, sources))
}

/// The data directory and the configuration, which some commands need without a ring.
///
/// # Errors
/// There is no data directory, or the configuration has mistakes.
pub fn prepare(common: &Common, arguments: Vec<Argument>) -> Result<(Home, Config), CommandError> {
    let (home, sources) = sources(common, arguments)?;
    let config = Config::load(&sources)?;
    Ok((home, config))
}

impl Entered {
    /// Joins or runs the ring.
    ///
    /// # Errors
    /// [`CommandError`].
    /// `accounts` run with the ring when this process runs it.
    pub async fn enter(
        home: Home,
        config: Config,
        credential: Credential,
        accounts: BTreeSet<Account>,
    ) -> Result<Self, CommandError> {
        let token = token(&config, credential)?;
        let token_from = if config.token.is_some() { TokenFrom::Variable } else { TokenFrom::Login };
        let config = Arc::new(config);
        let ring = Ring::new(home, Arc::clone(&config), Role::Command, accounts);
        let standing = ring.enter().await?;
        let (client, tasks) = compose::client(settings(token.as_ref()), &ring);
        Ok(Self { config, standing, client, token_from, ring, tasks })
    }

    /// The same failure, said of the token where that is what the gateway refused.
    #[must_use]
    pub fn explained(&self, error: CommandError) -> CommandError {
        match error {
            CommandError::Call(CallError::Ended(why)) if is_about_the_token(&why) => {
                CommandError::TokenRefused { from: self.token_from, source: why }
            }
            error => error,
        }
    }

    /// Leaves the ring; what this process ran of it goes to whoever still waits.
    pub async fn leave(mut self) {
        self.tasks.shutdown().await;
        self.ring.leave().await;
    }
}

fn is_about_the_token(why: &ConnectError) -> bool {
    let ConnectError::Refused(error) = why else { return false };
    matches!(error.details.code, Some(DetailCode::AuthTokenMismatch | DetailCode::AuthTokenExpired))
}

/// All scopes that the credential lets through, and a quick return to a ring that moved to another process of this machine.
fn settings(token: Option<&SecretString>) -> Settings {
    let mut settings = Settings::new(GATEWAY.into());
    settings.backoff = Backoff { first: Duration::from_millis(20), most: Duration::from_secs(1) };
    settings.auth.token = token.map(|token| Secret::from(token.expose_secret().to_owned()));
    settings.scopes = WireScope::ALL.map(|scope| scope.name().to_owned()).to_vec();
    settings
}

fn token(config: &Config, credential: Credential) -> Result<Option<SecretString>, CommandError> {
    let kept = || config.token.clone().map_or_else(login::kept, |token| Ok(Some(token)));
    match credential {
        Credential::Local => Ok(None),
        Credential::PersonOrLocal => kept(),
        Credential::Person => kept()?.map(Some).ok_or(CommandError::NoToken),
    }
}
