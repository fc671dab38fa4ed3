//! The tables of chat accounts: `[[telegram]]`. Reads and checks them; connecting is the adapters', and a token's file is read
//! when its account starts.

use std::path::PathBuf;

use askrelay_core::relay::Door;
use secrecy::SecretString;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::TELEGRAM_TOKEN_VARIABLE;
use super::resolve::Resolver;
use super::route::unknown;
use super::setting::{Shown, Source};
use super::value::{Given, door, file, text, url, whole};

/// The name of an account that says none.
const MAIN: &str = "main";

/// One Telegram bot.
#[derive(Clone, Debug)]
pub struct Telegram {
    /// The account's name: the middle of `telegram/NAME/CHAT`.
    pub name: String,
    /// Where its token is.
    pub token: TokenSource,
    /// Who may become known to it.
    pub door: Door,
    /// The Bot API server, where it is not Telegram's own.
    pub api_url: Option<String>,
    /// The address under which Telegram reaches this ring; without it the bot asks for updates itself.
    pub webhook_url: Option<String>,
    /// How fast it sends, in hundredths of what Telegram itself allows.
    pub pace_percent: u32,
}

/// Where an account's token is.
#[derive(Clone, Debug)]
pub enum TokenSource {
    /// In this file.
    File(PathBuf),
    /// Given in the environment.
    Given(SecretString),
    /// Nowhere: a process that only joins the ring needs none.
    Missing,
}

const KEYS: [&str; 6] = ["name", "token_file", "door", "api_url", "webhook_url", "pace_percent"];

/// What Telegram itself allows.
const FULL_PACE: u32 = 100;

impl Resolver<'_> {
    /// The bots of the file; the token in the environment is for the account `main`, which needs no table then.
    pub(super) fn telegram(&mut self) -> Vec<Telegram> {
        let given = self.environment.get(TELEGRAM_TOKEN_VARIABLE).map(SecretString::from);
        let entry = self.take("telegram");
        let mut accounts = Vec::new();
        if let Some(entry) = entry {
            match entry.value.get_ref() {
                DeValue::Array(items) => {
                    for (index, item) in items.iter().enumerate() {
                        if let Some(account) = self.telegram_account(index, item, given.as_ref(), &accounts) {
                            accounts.push(account);
                        }
                    }
                }
                _ => {
                    let what = "expected tables that begin with [[telegram]]".to_owned();
                    self.file_mistake(entry.line, "telegram", what);
                }
            }
        }
        if let Some(token) = given {
            let source = Source::Variable(TELEGRAM_TOKEN_VARIABLE);
            // Whoever joins a ring needs no token of its bots.
            self.show(TELEGRAM_TOKEN_VARIABLE, "(set)".to_owned(), source, false);
            if !accounts.iter().any(|account: &Telegram| account.name == MAIN) {
                accounts.push(Telegram {
                    name: MAIN.to_owned(),
                    token: TokenSource::Given(token),
                    door: Door::default(),
                    api_url: None,
                    webhook_url: None,
                    pace_percent: FULL_PACE,
                });
            }
        }
        accounts
    }

    fn telegram_account(
        &mut self,
        index: usize,
        item: &Spanned<DeValue<'_>>,
        given: Option<&SecretString>,
        before: &[Telegram],
    ) -> Option<Telegram> {
        let (key, line) = (format!("telegram[{index}]"), self.line(item.span().start));
        let table = self.table(&key, item, line)?;
        for name in table.keys().filter(|name| !KEYS.contains(&name.get_ref().as_ref())) {
            let line = self.line(name.span().start);
            self.file_mistake(line, &format!("{key}.{}", name.get_ref()), unknown(name.get_ref(), &KEYS));
        }
        let name = self.field(&key, table, "name", text).unwrap_or_else(|| MAIN.to_owned());
        if before.iter().any(|account| account.name == name) {
            self.file_mistake(line, &format!("{key}.name"), "another account has this name".to_owned());
        }
        if name.is_empty() || name.contains('/') {
            self.file_mistake(line, &format!("{key}.name"), "expected a name without '/'".to_owned());
        }
        let file = self.field(&key, table, "token_file", file);
        let account = Telegram {
            token: match (file, given.filter(|_| name == MAIN)) {
                // The variable wins over the file, as everywhere.
                (_, Some(token)) => TokenSource::Given(token.clone()),
                (Some(file), None) => TokenSource::File(self.beside(file)),
                (None, None) => TokenSource::Missing,
            },
            door: self.field(&key, table, "door", door).unwrap_or_default(),
            api_url: self.field(&key, table, "api_url", url),
            webhook_url: self.field(&key, table, "webhook_url", url),
            pace_percent: self
                .field(&key, table, "pace_percent", |given| whole(given, &(1..=100_000)))
                .unwrap_or(FULL_PACE),
            name,
        };
        self.show(&key, account.shown(), Source::File { line }, true);
        // Where the token lies concerns only the process that runs the bot.
        if let TokenSource::File(path) = &account.token {
            let path = path.display().to_string();
            self.show(&format!("{key}.token_file"), path.shown(), Source::File { line }, false);
        }
        Some(account)
    }

    /// One field of a table, if it is there and right.
    fn field<T>(
        &mut self,
        table_key: &str,
        table: &DeTable<'_>,
        key: &str,
        read: impl Fn(Given<'_>) -> Result<T, String>,
    ) -> Option<T> {
        let (name, value) = table.iter().find(|(name, _)| name.get_ref() == key)?;
        match read(Given::Toml(value.get_ref())) {
            Ok(value) => Some(value),
            Err(what) => {
                let line = self.line(name.span().start);
                self.file_mistake(line, &format!("{table_key}.{key}"), what);
                None
            }
        }
    }
}

impl Telegram {
    fn shown(&self) -> String {
        let door = match self.door {
            Door::Pairing => "pairing",
            Door::Allowlist => "allowlist",
            Door::Off => "off",
        };
        let mut parts = vec![format!("name = {}", self.name.shown())];
        parts.push(format!("door = {}", door.to_owned().shown()));
        let urls = [("api_url", &self.api_url), ("webhook_url", &self.webhook_url)];
        parts.extend(urls.iter().filter_map(|(key, url)| Some(format!("{key} = {}", url.as_ref()?.shown()))));
        if self.pace_percent != FULL_PACE {
            parts.push(format!("pace_percent = {}", self.pace_percent));
        }
        format!("{{ {} }}", parts.join(", "))
    }
}
