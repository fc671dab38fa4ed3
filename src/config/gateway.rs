//! The tables `[gateway.NAME]`: OpenClaw gateways whose questions are carried too, each with its secret, its routes and whose its
//! runs are. Reads and checks them; connecting is the client's, and a secret's file is read for each connection.

use std::collections::BTreeMap;
use std::net::IpAddr;

use askrelay_client::Fingerprint;
use askrelay_core::foreign::RunOf;
use askrelay_core::id::Place;
use secrecy::SecretString;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Route;
use super::resolve::Resolver;
use super::route::unknown;
use super::setting::{Shown, Source};
use super::surface::SecretSource;
use super::value::{Given, file, socket_url, text, url};

/// The name of our own gateway.
const OURS: &str = "local";

/// The gateway whose shared token may be in the environment.
const USUAL: &str = "openclaw";

/// That variable.
pub(super) const GATEWAY_VARIABLE: &str = "ASKRELAY_OPENCLAW_TOKEN";

const KEYS: [&str; 6] = ["url", "token_file", "tls_fingerprint", "panel", "run", "route"];

const RUN_KEYS: [&str; 3] = ["agent", "session", "person"];

/// One OpenClaw gateway.
#[derive(Clone, Debug)]
pub struct OtherGateway {
    /// Its name here: part of the identity of its questions.
    pub name: String,
    /// Where it listens: `ws://` or `wss://`.
    pub url: String,
    /// The gateway's shared token; needed until it gave this device a token of its own.
    pub token: Option<SecretSource>,
    /// Its certificate, where no authority vouches for it.
    pub tls_fingerprint: Option<Fingerprint>,
    /// The address of its own panel.
    pub panel: String,
    /// Whose its runs are.
    pub runs: Vec<RunOf>,
    /// Where its questions go; with none, the routes of our own asks decide.
    pub routes: Vec<Route>,
}

impl Resolver<'_> {
    /// The gateways of the file.
    pub(super) fn gateways(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        line: usize,
        places: &BTreeMap<String, Place>,
    ) -> Vec<OtherGateway> {
        let mut gateways: Vec<OtherGateway> = Vec::new();
        let Some(tables) = self.table("gateway", value, line) else { return gateways };
        for (name, value) in tables {
            let (key, line) = (format!("gateway.{}", name.get_ref()), self.line(name.span().start));
            let Some(table) = self.table(&key, value, line) else { continue };
            let Some(gateway) = self.gateway(&key, (name.get_ref(), table), line, places) else { continue };
            if let Some(same) = gateways.iter().find(|other| address(&other.url) == address(&gateway.url)) {
                let what = format!("is gateway.{} once more: every question would be shown twice", same.name);
                self.file_mistake(line, &format!("{key}.url"), what);
            }
            gateways.push(gateway);
        }
        gateways
    }

    fn gateway(
        &mut self,
        key: &str,
        (name, table): (&str, &DeTable<'_>),
        line: usize,
        places: &BTreeMap<String, Place>,
    ) -> Option<OtherGateway> {
        for (other, _) in table.iter().filter(|(name, _)| !KEYS.contains(&name.get_ref().as_ref())) {
            let line = self.line(other.span().start);
            self.file_mistake(line, &format!("{key}.{}", other.get_ref()), unknown(other.get_ref(), &KEYS));
        }
        if name == OURS || !is_name(name) {
            let what = "expected a name of letters, digits, '-' and '_' other than local, such as openclaw";
            self.file_mistake(line, key, what.to_owned());
        }
        let fingerprint = self.field(key, table, "tls_fingerprint", fingerprint);
        let address = self.field(key, table, "url", socket_url);
        if address.is_none() && !table.contains_key("url") {
            self.file_mistake(line, key, "has no url, such as ws://127.0.0.1:18789".to_owned());
        }
        if fingerprint.is_some() && address.as_ref().is_some_and(|url| !url.starts_with("wss://")) {
            let what = "only an address that begins with wss:// has a certificate".to_owned();
            self.file_mistake(line, &format!("{key}.tls_fingerprint"), what);
        }
        let token = self.gateway_token(key, name, table);
        let panel = self.field(key, table, "panel", url);
        let runs = self.runs(key, table);
        let routes = table.get_key_value("route").map(|(name, value)| {
            let line = self.line(name.span().start);
            self.routes(&format!("{key}.route"), value, line, places)
        });
        let url = address?;
        let panel = panel.unwrap_or_else(|| panel_of(&url));
        let gateway = OtherGateway {
            name: name.to_owned(),
            url,
            token,
            tls_fingerprint: fingerprint,
            panel,
            runs,
            routes: routes.unwrap_or_default(),
        };
        self.show(key, gateway.shown(), Source::File { line }, true);
        if let Some(SecretSource::File(path)) = &gateway.token {
            let path = path.display().to_string();
            self.show(&format!("{key}.token_file"), path.shown(), Source::File { line }, false);
        }
        Some(gateway)
    }

    fn gateway_token(&mut self, key: &str, name: &str, table: &DeTable<'_>) -> Option<SecretSource> {
        let path = self.field(key, table, "token_file", file).map(|path| self.beside(path));
        if name == USUAL
            && let Some(given) = self.environment.get(GATEWAY_VARIABLE)
        {
            let given = SecretString::from(given);
            self.show(GATEWAY_VARIABLE, "(set)".to_owned(), Source::Variable(GATEWAY_VARIABLE), false);
            return Some(SecretSource::Given(given));
        }
        path.map(SecretSource::File)
    }

    /// Whose runs those of which agents and sessions are.
    fn runs(&mut self, key: &str, table: &DeTable<'_>) -> Vec<RunOf> {
        let Some((name, value)) = table.get_key_value("run") else { return Vec::new() };
        let (key, line) = (format!("{key}.run"), self.line(name.span().start));
        let DeValue::Array(items) = value.get_ref() else {
            self.file_mistake(line, &key, format!("expected tables that begin with [[{key}]]"));
            return Vec::new();
        };
        let mut runs = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let (key, line) = (format!("{key}[{index}]"), self.line(item.span().start));
            let Some(table) = self.table(&key, item, line) else { continue };
            for (other, _) in table.iter().filter(|(name, _)| !RUN_KEYS.contains(&name.get_ref().as_ref())) {
                let line = self.line(other.span().start);
                let what = unknown(other.get_ref(), &RUN_KEYS);
                self.file_mistake(line, &format!("{key}.{}", other.get_ref()), what);
            }
            let agent = self.field(&key, table, "agent", text);
            let session = self.field(&key, table, "session", text);
            let person = self.field(&key, table, "person", text).filter(|person| !person.is_empty());
            match person {
                Some(person) if agent.is_some() || session.is_some() => {
                    runs.push(RunOf { agent, session, person: person.into() });
                }
                _ => {
                    let what = "names no person, or neither an agent nor a session, such as \
                                agent = \"main\", person = \"owner\"";
                    self.file_mistake(line, &key, what.to_owned());
                }
            }
        }
        runs
    }
}

impl OtherGateway {
    /// Whether nobody on the way to it can listen: the way is encrypted, or ends on this machine.
    pub fn is_private(&self) -> bool {
        let Some(rest) = self.url.strip_prefix("ws://") else { return true };
        let authority = rest.split('/').next().unwrap_or_default();
        let host = match authority.strip_prefix('[') {
            Some(six) => six.split(']').next().unwrap_or_default(),
            None => authority.split(':').next().unwrap_or_default(),
        };
        host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
    }

    fn shown(&self) -> String {
        let mut parts = vec![format!("url = {}", self.url.shown())];
        parts
            .extend(self.tls_fingerprint.map(|pin| format!("tls_fingerprint = {}", pin.to_string().shown())));
        parts.push(format!("panel = {}", self.panel.shown()));
        let run = |run: &RunOf| {
            let person = Some(run.person.to_string());
            let set = RUN_KEYS.into_iter().zip([&run.agent, &run.session, &person]);
            let set: Vec<String> =
                set.filter_map(|(key, value)| Some(format!("{key} = {}", value.as_ref()?.shown()))).collect();
            format!("{{ {} }}", set.join(", "))
        };
        if !self.runs.is_empty() {
            parts.push(format!("run = [{}]", self.runs.iter().map(run).collect::<Vec<_>>().join(", ")));
        }
        format!("{{ {} }}", parts.join(", "))
    }
}

/// The address as it is compared: hosts are the same in small and capital letters.
fn address(url: &str) -> (&str, String) {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let host = rest.split('/').next().unwrap_or_default();
    (rest.get(host.len()..).unwrap_or_default(), format!("{scheme}://{}", host.to_ascii_lowercase()))
}

/// Where OpenClaw serves its own panel unless it was told otherwise.
fn panel_of(url: &str) -> String {
    match url.strip_prefix("wss://") {
        Some(rest) => format!("https://{rest}"),
        None => url.replacen("ws://", "http://", 1),
    }
}

fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=64).contains(&text.len()) && text.bytes().all(is_plain)
}

fn fingerprint(given: Given<'_>) -> Result<Fingerprint, String> {
    let what = "expected the SHA-256 of a certificate: 64 hexadecimal digits, with or without colons";
    Fingerprint::parse(&text(given)?).ok_or_else(|| what.to_owned())
}
