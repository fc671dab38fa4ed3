//! The tables of chat accounts: `[[telegram]]`, `[[discord]]`, `[[slack]]`. Reads and checks them, alike for every surface;
//! connecting is the adapters', and a secret's file is read when its account starts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use askrelay_core::person::Scopes;
use askrelay_core::relay::Door;
use secrecy::SecretString;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::resolve::Resolver;
use super::route::unknown;
use super::setting::{Shown, Source};
use super::value::{Given, door, file, roles, socket_url, text, url, whole};

/// The name of an account that says none.
const MAIN: &str = "main";

/// The address of a platform's WebSocket.
const GATEWAY_URL: &str = "gateway_url";

/// What Telegram, Discord or Slack itself allows.
const FULL_PACE: u32 = 100;

/// One secret of an account: the key that names its file, and the variable that holds it for the account `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretKey {
    /// The key.
    pub file: &'static str,
    /// The variable.
    pub variable: &'static str,
}

/// What the tables of one surface may say.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// The surface's name in ids and in the file.
    pub surface: &'static str,
    /// Its secrets; the first is the login.
    pub secrets: &'static [SecretKey],
    /// Addresses beside `api_url`.
    pub urls: &'static [&'static str],
    /// The platform has roles that can give rights.
    pub roles: bool,
}

/// Every surface that chat accounts can be on.
pub const TABLES: [Table; 3] = [
    Table {
        surface: "telegram",
        secrets: &[SecretKey { file: "token_file", variable: "ASKRELAY_TELEGRAM_TOKEN" }],
        urls: &["webhook_url"],
        roles: false,
    },
    Table {
        surface: "discord",
        secrets: &[SecretKey { file: "token_file", variable: "ASKRELAY_DISCORD_TOKEN" }],
        urls: &[GATEWAY_URL],
        roles: true,
    },
    Table {
        surface: "slack",
        secrets: &[
            SecretKey { file: "token_file", variable: "ASKRELAY_SLACK_TOKEN" },
            SecretKey { file: "app_token_file", variable: "ASKRELAY_SLACK_APP_TOKEN" },
            SecretKey { file: "signing_secret_file", variable: "ASKRELAY_SLACK_SIGNING_SECRET" },
        ],
        urls: &["webhook_url"],
        roles: false,
    },
];

/// One bot login.
#[derive(Clone, Debug)]
pub struct ChatAccount {
    /// Where it is configured: its table, such as `discord[0]`, or the variable that holds its login.
    pub key: String,
    /// Which surface, and what its tables may say.
    pub table: &'static Table,
    /// The account's name: the middle of `telegram/NAME/CHAT`.
    pub name: String,
    /// Where its secrets are, by the key of their file.
    pub secrets: BTreeMap<&'static str, SecretSource>,
    /// Who may become known to it.
    pub door: Door,
    /// Addresses: `api_url` where the platform's server is not its own, `webhook_url` where the platform calls us.
    pub urls: BTreeMap<&'static str, String>,
    /// The rights that the platform's roles give, by role id.
    pub roles: BTreeMap<String, Scopes>,
    /// How fast it sends, in hundredths of what the platform itself allows.
    pub pace_percent: u32,
}

/// Where a secret is.
#[derive(Clone, Debug)]
pub enum SecretSource {
    /// In this file.
    File(PathBuf),
    /// Given in the environment.
    Given(SecretString),
}

impl Resolver<'_> {
    /// The accounts of the file; secrets in the environment are for the account `main`, which needs no table then.
    pub(super) fn accounts(&mut self) -> Vec<ChatAccount> {
        TABLES.iter().flat_map(|table| self.accounts_of(table)).collect()
    }

    fn accounts_of(&mut self, table: &'static Table) -> Vec<ChatAccount> {
        let given = self.given_secrets(table);
        let mut accounts = Vec::new();
        if let Some(entry) = self.take(table.surface) {
            match entry.value.get_ref() {
                DeValue::Array(items) => {
                    for (index, item) in items.iter().enumerate() {
                        if let Some(account) = self.account(table, (index, item), &given, &accounts) {
                            accounts.push(account);
                        }
                    }
                }
                _ => {
                    let what = format!("expected tables that begin with [[{}]]", table.surface);
                    self.file_mistake(entry.line, table.surface, what);
                }
            }
        }
        let login = table.secrets.first().is_some_and(|secret| given.contains_key(secret.file));
        if login && !accounts.iter().any(|account: &ChatAccount| account.name == MAIN) {
            let variable = table.secrets.first().map(|secret| secret.variable);
            accounts.push(ChatAccount {
                key: variable.unwrap_or_default().to_owned(),
                table,
                name: MAIN.to_owned(),
                secrets: given,
                door: Door::default(),
                urls: BTreeMap::new(),
                roles: BTreeMap::new(),
                pace_percent: FULL_PACE,
            });
        }
        accounts
    }

    fn given_secrets(&mut self, table: &Table) -> BTreeMap<&'static str, SecretSource> {
        let mut given = BTreeMap::new();
        for secret in table.secrets {
            if let Some(value) = self.environment.get(secret.variable) {
                given.insert(secret.file, SecretSource::Given(SecretString::from(value)));
                // Whoever joins a ring needs no secret of its bots.
                self.show(secret.variable, "(set)".to_owned(), Source::Variable(secret.variable), false);
            }
        }
        given
    }

    fn account(
        &mut self,
        of: &'static Table,
        (index, item): (usize, &Spanned<DeValue<'_>>),
        given: &BTreeMap<&'static str, SecretSource>,
        before: &[ChatAccount],
    ) -> Option<ChatAccount> {
        let (key, line) = (format!("{}[{index}]", of.surface), self.line(item.span().start));
        let table = self.table(&key, item, line)?;
        let known = of.keys();
        for name in table.keys().filter(|name| !known.contains(&name.get_ref().as_ref())) {
            let line = self.line(name.span().start);
            self.file_mistake(line, &format!("{key}.{}", name.get_ref()), unknown(name.get_ref(), &known));
        }
        let name = self.field(&key, table, "name", text).unwrap_or_else(|| MAIN.to_owned());
        if before.iter().any(|account| account.name == name) {
            self.file_mistake(line, &format!("{key}.name"), "another account has this name".to_owned());
        }
        if name.is_empty() || name.contains('/') {
            self.file_mistake(line, &format!("{key}.name"), "expected a name without '/'".to_owned());
        }
        let mut secrets = BTreeMap::new();
        for secret in of.secrets {
            if let Some(path) = self.field(&key, table, secret.file, file) {
                secrets.insert(secret.file, SecretSource::File(self.beside(path)));
            }
        }
        if name == MAIN {
            // The variable wins over the file, as everywhere.
            secrets.extend(given.clone());
        }
        let mut urls = BTreeMap::new();
        for address in of.addresses() {
            let read = if address == GATEWAY_URL { socket_url } else { url };
            urls.extend(self.field(&key, table, address, read).map(|url| (address, url)));
        }
        let pace = self.field(&key, table, "pace_percent", |given| whole(given, &(1..=100_000)));
        let account = ChatAccount {
            key: key.clone(),
            table: of,
            door: self.field(&key, table, "door", door).unwrap_or_default(),
            roles: self.field(&key, table, "roles", roles).unwrap_or_default(),
            pace_percent: pace.unwrap_or(FULL_PACE),
            name,
            secrets,
            urls,
        };
        self.show_account(&key, &account, line);
        Some(account)
    }

    fn show_account(&mut self, key: &str, account: &ChatAccount, line: usize) {
        self.show(key, account.shown(), Source::File { line }, true);
        // Where a secret lies concerns only the process that runs the bot.
        for (name, source) in &account.secrets {
            if let SecretSource::File(path) = source {
                let path = path.display().to_string();
                self.show(&format!("{key}.{name}"), path.shown(), Source::File { line }, false);
            }
        }
    }

    /// One field of a table, if it is there and right.
    pub(super) fn field<T>(
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

/// Every variable that holds a secret of a chat account.
pub(super) fn secret_variables() -> impl Iterator<Item = &'static str> {
    TABLES.iter().flat_map(|table| table.secrets).map(|secret| secret.variable)
}

impl Table {
    fn addresses(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once("api_url").chain(self.urls.iter().copied())
    }

    fn keys(&self) -> Vec<&'static str> {
        let secrets = self.secrets.iter().map(|secret| secret.file);
        let roles = self.roles.then_some("roles");
        let own = ["name"].into_iter().chain(secrets).chain(["door", "pace_percent"]);
        own.chain(self.addresses()).chain(roles).collect()
    }
}

impl ChatAccount {
    fn shown(&self) -> String {
        let door = match self.door {
            Door::Pairing => "pairing",
            Door::Allowlist => "allowlist",
            Door::Off => "off",
        };
        let mut parts = vec![format!("name = {}", self.name.shown())];
        parts.push(format!("door = {}", door.to_owned().shown()));
        parts.extend(self.urls.iter().map(|(key, url)| format!("{key} = {}", url.shown())));
        if self.pace_percent != FULL_PACE {
            parts.push(format!("pace_percent = {}", self.pace_percent));
        }
        for (role, scopes) in &self.roles {
            let scopes: Vec<String> = scopes.iter().map(|scope| scope.name().to_owned().shown()).collect();
            parts.push(format!("roles.{} = [{}]", role.shown(), scopes.join(", ")));
        }
        format!("{{ {} }}", parts.join(", "))
    }
}
