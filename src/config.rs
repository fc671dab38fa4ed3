//! The configuration: one TOML file, `ASKRELAY_*` variables and a few arguments, resolved in one place with the source of every
//! value. All mistakes are found at once; nothing is opened or started here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use askrelay_core::id::Place;
use askrelay_core::time::Span;
use secrecy::SecretString;

use crate::digest::sha256_hex;

mod file;
mod gateway;
mod keys;
mod mistake;
mod resolve;
mod route;
mod setting;
mod surface;
mod value;

pub use gateway::OtherGateway;
pub use keys::{KEYS, Key};
pub use mistake::{Mistake, MistakePlace, Mistakes};
pub use route::{Route, When};
pub use setting::{Argument, Environment, LogFormat, Setting, Shown, Source};
pub use surface::{ChatAccount, SecretSource, TABLES, Table};

/// The resolved configuration.
#[derive(Debug)]
pub struct Config {
    /// Where `serve` listens for HTTP and WebSocket; none leaves only the data directory's socket.
    pub listen: Setting<Option<SocketAddr>>,
    /// Names that a request's Host may have, beside the local ones.
    pub allowed_hosts: Setting<Vec<String>>,
    /// Origins of browsers that may call; none by default.
    pub allowed_origins: Setting<Vec<String>>,
    /// How long an Ask waits that does not say.
    pub default_wait: Setting<Span>,
    /// How long Records are kept after their end, in days.
    pub retention_days: Setting<u32>,
    /// When a reminder is due, in hundredths of the wait; 0 is never.
    pub reminder_percent: Setting<u8>,
    /// How log lines look.
    pub log_format: Setting<LogFormat>,
    /// Which log lines are written, as tracing's filters say it.
    pub log_level: Setting<String>,
    /// Most asks that may be open at once.
    pub open_asks_max: Setting<u32>,
    /// Most bytes of one request.
    pub request_bytes_max: Setting<u32>,
    /// Most connections at once.
    pub connections_max: Setting<u32>,
    /// A person's own token, for commands that answer.
    pub token: Option<SecretString>,
    /// Places by the names that asks and routes use.
    pub places: BTreeMap<String, Place>,
    /// Where asks go that name no place; the first that matches decides.
    pub routes: Vec<Route>,
    /// The chat accounts, surface by surface.
    pub accounts: Vec<ChatAccount>,
    /// The gateways that are not ours.
    pub gateways: Vec<OtherGateway>,
    /// Remarks that are no mistakes.
    pub notes: Vec<String>,
    shown: Vec<ShownSetting>,
}

/// One setting as `askrelay config check` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownSetting {
    /// The key in the file, or the variable of what has none.
    pub key: String,
    /// Its value; secrets only say that they are set.
    pub value: String,
    /// Where it comes from.
    pub source: Source,
    of_ring: bool,
}

/// Everything that a configuration is made of.
#[derive(Debug, Default)]
pub struct Sources {
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// The environment.
    pub environment: Environment,
    /// Settings given as arguments; they win.
    pub arguments: Vec<Argument>,
}

impl Sources {
    /// Finds the file: `named` by an argument, else by `ASKRELAY_CONFIG`, else `config.toml` of the data directory, if there
    /// is one.
    #[must_use]
    pub fn find(named: Option<PathBuf>, home: &Path, environment: Environment) -> Self {
        let named = named.or_else(|| environment.get("ASKRELAY_CONFIG").map(PathBuf::from));
        let file = named.or_else(|| Some(home.join("config.toml")).filter(|usual| usual.exists()));
        Self { file, environment, arguments: Vec::new() }
    }
}

impl Config {
    /// Reads the file and resolves everything.
    ///
    /// # Errors
    /// Every mistake, at once.
    pub fn load(sources: &Sources) -> Result<Self, Mistakes> {
        match &sources.file {
            None => resolve::resolve("", Path::new("config.toml"), &sources.environment, &sources.arguments),
            Some(path) => {
                let text = file::read(path)?;
                resolve::resolve(&text, path, &sources.environment, &sources.arguments)
            }
        }
    }

    /// Resolves the text of a configuration file alone.
    ///
    /// # Errors
    /// Every mistake, at once, under the name `path`.
    pub fn parse(text: &str, path: &Path) -> Result<Self, Mistakes> {
        resolve::resolve(text, path, &Environment::default(), &[])
    }

    /// Every setting with its source.
    #[must_use]
    pub fn shown(&self) -> &[ShownSetting] {
        &self.shown
    }

    /// Every Place that a name or a route means.
    #[must_use]
    pub fn every_place(&self) -> BTreeSet<Place> {
        self.places_by_key().into_iter().map(|(_, place)| place).collect()
    }

    /// The same, each with the key that says it.
    #[must_use]
    pub fn places_by_key(&self) -> Vec<(String, Place)> {
        let named = self.places.iter().map(|(name, place)| (format!("places.{name}"), place.clone()));
        let ours = self.routes.iter().enumerate().map(|(index, route)| (format!("route[{index}].to"), route));
        let theirs = self.gateways.iter().flat_map(|gateway| {
            let each = gateway.routes.iter().enumerate();
            each.map(move |(index, route)| (format!("gateway.{}.route[{index}].to", gateway.name), route))
        });
        let spelled_out = ours.chain(theirs).flat_map(|(key, route)| {
            let places = route.to.iter().filter(|to| !self.places.contains_key(*to));
            let places = places.filter_map(|to| value::place(value::Given::Text(to)).ok());
            places.map(move |place| (key.clone(), place)).collect::<Vec<_>>()
        });
        named.chain(spelled_out).collect()
    }

    /// What is wrong with what `key` says, once the configuration is resolved.
    #[must_use]
    pub fn mistake(&self, key: &str, what: String, path: &Path) -> Mistake {
        // Of what nobody set, the table that should have set it is shown.
        let tables = std::iter::successors(Some(key), |key| key.rsplit_once('.').map(|(table, _)| table));
        let mut shown = tables.filter_map(|key| self.shown.iter().find(|setting| setting.key == key));
        let place = match shown.next().map(|setting| &setting.source) {
            Some(Source::Variable(name) | Source::Argument(name)) => MistakePlace::Given(name),
            Some(Source::File { line }) => MistakePlace::File { path: path.to_owned(), line: Some(*line) },
            Some(Source::Default) | None => MistakePlace::File { path: path.to_owned(), line: None },
        };
        let key = matches!(place, MistakePlace::File { .. }).then(|| key.to_owned());
        Mistake { place, key, what }
    }

    /// Names what a ring runs with: processes join a ring only when it is the same. Settings that concern one process alone
    /// (its log, its default wait) are not in it.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let of_ring = self.shown.iter().filter(|setting| setting.of_ring);
        sha256_hex(of_ring.map(|setting| format!("{}={}\n", setting.key, setting.value)))
    }
}

impl fmt::Display for ShownSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}    # {}", self.key, self.value, self.source)
    }
}

#[cfg(test)]
mod tests;
