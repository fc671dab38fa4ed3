//! What every command that needs the ring begins and ends with: data directory, configuration, a way in, a client.

use std::sync::Arc;

use askrelay_client::{Client, ClientConfig, Feed, FeedConfig};
use secrecy::SecretString;
use tokio::task::JoinSet;

use super::CommandError;
use crate::args::Common;
use crate::commands::login;
use crate::config::{Argument, Config, Environment, Sources};
use crate::ring::{Home, Ring, Role, Standing};

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

/// A command inside the ring.
#[derive(Debug)]
pub struct Entered {
    /// The configuration.
    pub config: Arc<Config>,
    /// How this process is in.
    pub standing: Standing,
    /// Its client.
    pub client: Client,
    ring: Ring,
    tasks: JoinSet<()>,
}

/// The data directory and the configuration, which some commands need without a ring.
///
/// # Errors
/// There is no data directory, or the configuration has mistakes.
pub fn prepare(common: &Common, arguments: Vec<Argument>) -> Result<(Home, Config), CommandError> {
    let environment = Environment::of_this_process();
    let named = common.home.clone().or_else(|| environment.get("ASKRELAY_HOME").map(Into::into));
    let home = Home::open(named.as_deref())?;
    let mut sources = Sources::find(common.config.clone(), home.path(), environment);
    sources.arguments = arguments;
    let config = Config::load(&sources)?;
    Ok((home, config))
}

impl Entered {
    /// Joins or runs the ring.
    ///
    /// # Errors
    /// [`CommandError`].
    pub async fn enter(home: Home, config: Config, credential: Credential) -> Result<Self, CommandError> {
        let token = token(&config, credential)?;
        let config = Arc::new(config);
        let ring = Ring::new(home, Arc::clone(&config), Role::Command);
        let standing = ring.enter().await?;
        let client_config = ClientConfig { token, ..ClientConfig::default() };
        let (client, work) = Client::start(Arc::new(ring.clone()), client_config);
        let mut tasks = JoinSet::new();
        tasks.spawn(work);
        Ok(Self { config, standing, client, ring, tasks })
    }

    /// A feed of what happens, for a seat at the terminal.
    pub fn feed(&mut self, config: FeedConfig) -> Feed {
        let (feed, work) = self.client.feed(config);
        self.tasks.spawn(work);
        feed
    }

    /// Leaves the ring; what this process ran of it goes to whoever still waits.
    pub async fn leave(mut self) {
        self.tasks.shutdown().await;
        self.ring.leave().await;
    }
}

fn token(config: &Config, credential: Credential) -> Result<Option<SecretString>, CommandError> {
    let kept = || config.token.clone().map_or_else(login::kept, |token| Ok(Some(token)));
    match credential {
        Credential::Local => Ok(None),
        Credential::PersonOrLocal => kept(),
        Credential::Person => kept()?.map(Some).ok_or(CommandError::NoToken),
    }
}
