//! The one resolver: for every key the argument, else the variable, else the file, else the default, and whatever was given
//! wrong as a mistake even where something else wins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use askrelay_core::ask::Contract;
use askrelay_core::time::Span;
use secrecy::SecretString;
use toml::de::DeTable;

use super::file::{Entry, LineIndex, entries};
use super::gateway::GATEWAY_VARIABLE;
use super::keys::{self, KEYS, Key, OTHER_VARIABLES, PREFIX, TOKEN_VARIABLE};
use super::mistake::{Mistake, MistakePlace, Mistakes};
use super::route::unknown;
use super::setting::{Argument, Environment, LogFormat, Setting, Shown, Source};
use super::surface::{TABLES, secret_variables};
use super::value::{self, Given};
use super::{Config, ShownSetting};

/// What is known while a configuration is resolved.
pub(super) struct Resolver<'a> {
    path: &'a Path,
    lines: LineIndex,
    entries: Vec<Entry<'a>>,
    pub(super) environment: &'a Environment,
    arguments: &'a [Argument],
    mistakes: Vec<Mistake>,
    shown: Vec<ShownSetting>,
}

/// Resolves everything from the text of a file and the sources beside it.
pub(super) fn resolve(
    text: &str,
    path: &Path,
    environment: &Environment,
    arguments: &[Argument],
) -> Result<Config, Mistakes> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let lines = LineIndex::of(text);
    let entries = entries(table.get_ref(), &lines, &["log", "limits"]);
    let mut resolver =
        Resolver { path, lines, entries, environment, arguments, mistakes: Vec::new(), shown: Vec::new() };
    for error in errors {
        resolver.mistakes.push(Mistake {
            place: MistakePlace::File {
                path: path.to_owned(),
                line: error.span().map(|span| resolver.lines.line(span.start)),
            },
            key: None,
            // The error's own display would repeat the line, which may hold a secret.
            what: error.message().to_owned(),
        });
    }
    resolver.config()
}

impl<'a> Resolver<'a> {
    fn config(mut self) -> Result<Config, Mistakes> {
        let longest = Contract::WIDE.wait;
        let config = Config {
            listen: self.setting(&keys::LISTEN, None, value::address),
            allowed_hosts: self.setting(&keys::ALLOWED_HOSTS, Vec::new(), value::hosts),
            allowed_origins: self.setting(&keys::ALLOWED_ORIGINS, Vec::new(), value::origins),
            default_wait: self.setting(&keys::DEFAULT_WAIT, Span::seconds(900), |given| {
                let wait = value::span(given)?;
                if wait > longest {
                    return Err(format!("expected at most {}", crate::span::show(longest)));
                }
                Ok(wait)
            }),
            retention_days: self.setting(&keys::RETENTION_DAYS, 30, |given| value::whole(given, &(1..=3650))),
            reminder_percent: self
                .setting(&keys::REMINDER_PERCENT, 80, |given| value::whole(given, &(0..=99))),
            log_format: self.setting(&keys::LOG_FORMAT, LogFormat::Auto, value::log_format),
            log_level: self.setting(&keys::LOG_LEVEL, "info".to_owned(), value::log_level),
            open_asks_max: self
                .setting(&keys::OPEN_ASKS, 200_000, |given| value::whole(given, &(1..=10_000_000))),
            request_bytes_max: self.setting(&keys::REQUEST_BYTES, 1024 * 1024, |given| {
                value::whole(given, &(16 * 1024..=64 * 1024 * 1024))
            }),
            connections_max: self
                .setting(&keys::CONNECTIONS, 4096, |given| value::whole(given, &(1..=1_000_000))),
            token: self.token(),
            places: BTreeMap::new(),
            routes: Vec::new(),
            accounts: Vec::new(),
            gateways: Vec::new(),
            notes: self.notes(),
            shown: Vec::new(),
        };
        let places =
            self.take("places").map(|entry| self.places(entry.value, entry.line)).unwrap_or_default();
        let routes = self.take("route").map(|entry| self.routes("route", entry.value, entry.line, &places));
        let gateways = self.take("gateway").map(|entry| self.gateways(entry.value, entry.line, &places));
        let accounts = self.accounts();
        self.refuse_the_rest();
        if self.mistakes.is_empty() {
            let (routes, gateways) = (routes.unwrap_or_default(), gateways.unwrap_or_default());
            return Ok(Config { places, routes, accounts, gateways, shown: self.shown, ..config });
        }
        self.mistakes.sort_by_key(|mistake| match &mistake.place {
            MistakePlace::File { line, .. } => (0, *line),
            MistakePlace::Given(_) => (1, None),
        });
        Err(Mistakes(self.mistakes))
    }

    /// The one resolver of a plain key.
    fn setting<T: Shown>(
        &mut self,
        key: &Key,
        default: T,
        read: impl Fn(Given<'_>) -> Result<T, String>,
    ) -> Setting<T> {
        let mut setting = Setting { value: default, source: Source::Default };
        if let Some(entry) = self.take(key.name) {
            match read(Given::Toml(entry.value.get_ref())) {
                Ok(value) => setting = Setting { value, source: Source::File { line: entry.line } },
                Err(what) => self.file_mistake(entry.line, key.name, what),
            }
        }
        if let Some(text) = self.environment.get(key.variable) {
            match read(Given::Text(text)) {
                Ok(value) => setting = Setting { value, source: Source::Variable(key.variable) },
                Err(what) => self.given_mistake(key.variable, what),
            }
        }
        if let Some(argument) = self.arguments.iter().find(|argument| argument.key == key.name) {
            match read(Given::Text(&argument.value)) {
                Ok(value) => setting = Setting { value, source: Source::Argument(argument.flag) },
                Err(what) => self.given_mistake(argument.flag, what),
            }
        }
        self.show(key.name, setting.value.shown(), setting.source.clone(), key.of_ring);
        setting
    }

    fn token(&mut self) -> Option<SecretString> {
        let token = self.environment.get(TOKEN_VARIABLE)?;
        self.show(TOKEN_VARIABLE, "(set)".to_owned(), Source::Variable(TOKEN_VARIABLE), false);
        Some(SecretString::from(token))
    }

    /// Variables that look like ours and are none. Not mistakes: a cluster makes some for every service it has.
    fn notes(&self) -> Vec<String> {
        let short = |name: &'static str| name.trim_start_matches(PREFIX);
        let known: Vec<&str> = KEYS
            .iter()
            .map(|key| key.variable)
            .chain(OTHER_VARIABLES)
            .chain(secret_variables())
            .chain([GATEWAY_VARIABLE])
            .map(short)
            .collect();
        let names = self.environment.names().map(|name| name.trim_start_matches(PREFIX));
        let unknown = names.filter(|name| !known.contains(name));
        let note = |name: &str| match nearest(name, &known) {
            Some(near) => format!("{PREFIX}{name} is not used; did you mean {PREFIX}{near}?"),
            None => format!("{PREFIX}{name} is not used"),
        };
        unknown.map(note).collect()
    }

    fn refuse_the_rest(&mut self) {
        let known: Vec<&str> = KEYS
            .iter()
            .map(|key| key.name)
            .chain(["places", "route", "gateway", "log", "limits"])
            .chain(TABLES.iter().map(|table| table.surface))
            .collect();
        for entry in std::mem::take(&mut self.entries) {
            self.file_mistake(entry.line, &entry.key, unknown(&entry.key, &known));
        }
    }

    pub(super) fn take(&mut self, key: &str) -> Option<Entry<'a>> {
        let at = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.swap_remove(at))
    }

    /// A path as the file means it: from where the file is.
    pub(super) fn beside(&self, path: PathBuf) -> PathBuf {
        self.path.parent().map_or_else(|| path.clone(), |folder| folder.join(&path))
    }

    pub(super) fn line(&self, byte: usize) -> usize {
        self.lines.line(byte)
    }

    pub(super) fn show(&mut self, key: &str, value: String, source: Source, of_ring: bool) {
        self.shown.push(ShownSetting { key: key.to_owned(), value, source, of_ring });
    }

    pub(super) fn file_mistake(&mut self, line: usize, key: &str, what: String) {
        let place = MistakePlace::File { path: self.path.to_owned(), line: Some(line) };
        self.mistakes.push(Mistake { place, key: Some(key.to_owned()), what });
    }

    fn given_mistake(&mut self, name: &'static str, what: String) {
        self.mistakes.push(Mistake { place: MistakePlace::Given(name), key: None, what });
    }
}

/// Longer names than this are no slips of known ones.
const NAME_BYTES_MAX: usize = 64;

/// The known name that `name` is most likely a slip of.
pub(super) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    if name.len() > NAME_BYTES_MAX {
        return None;
    }
    let distance = |known: &&&'k str| distance(name, known);
    known.iter().filter(|known| distance(known) <= 1 + known.len() / 5).min_by_key(distance).copied()
}

/// Insertions, deletions and replacements between two names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
