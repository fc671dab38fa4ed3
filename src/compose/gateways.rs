//! The other gateways of a ring: how each is joined, the task that carries it, and what an operator is told of it. What its
//! questions may do here is the core's to say.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use askrelay_client::{Client, ConnectError, DeviceKey, Feed, Link, Settings, Status, open, relay_feed};
use askrelay_core::foreign::Foreign;
use askrelay_core::id::{GatewayId, RecordKey};
use askrelay_core::port::{Errand, Notice};
use askrelay_protocol::error::{DetailCode, WireError};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tracing::{error, info, warn};

use super::vault::Files;
use super::{GATEWAY, QUEUE, rules};
use crate::clock::now;
use crate::config::{Config, OtherGateway};
use crate::gateways::Gateways;
use crate::ring::Home;

/// Requests that may wait for their answers at once: what a gateway begins with all its clients together is 256.
const IN_FLIGHT: usize = 64;

/// How long a gateway that refuses to list is left alone.
const LIST_AGAIN: Duration = Duration::from_secs(30);

/// One gateway that can be joined.
pub(super) struct Other {
    settings: Settings,
    link: Link,
}

/// What the relay is to know of each.
pub(super) fn foreign(config: &Config) -> BTreeMap<GatewayId, Foreign> {
    let foreign = |of: &OtherGateway| Foreign {
        runs: of.runs.clone(),
        rules: rules(&of.routes),
        panel: Some(of.panel.clone()),
    };
    config.gateways.iter().map(|of| (of.name.as_str().into(), foreign(of))).collect()
}

/// The names of all that are configured, our own among them.
pub(super) fn all(config: &Config) -> BTreeSet<GatewayId> {
    let others = config.gateways.iter().map(|of| of.name.as_str().into());
    others.chain([GATEWAY.into()]).collect()
}

/// Every configured one.
///
/// # Errors
/// There is no device key and none can be made.
pub(super) fn others(config: &Config, home: &Home) -> io::Result<Vec<Other>> {
    if config.gateways.is_empty() {
        return Ok(Vec::new());
    }
    let key = DeviceKey::from_seed(&home.device_key()?);
    Ok(config.gateways.iter().map(|of| other(of, &key, home)).collect())
}

/// Joins none. A command ends with its own ask, so what others asked would stand in the chats with nobody behind its buttons.
pub(super) fn leave(config: &Config, gateways: &Gateways) {
    for of in &config.gateways {
        let name = of.name.as_str().into();
        gateways.add(&name, &of.url, now());
        let why = "a command that ends with its own question runs the ring; answers are kept";
        gateways.away(&name, why, Some("join it: askrelay serve"), now());
    }
}

fn other(of: &OtherGateway, key: &DeviceKey, home: &Home) -> Other {
    let id = key.id();
    let files = Files::new(of.token.clone(), home.device_token(&of.name), (&of.url, &id));
    let mut settings = Settings::new(of.name.as_str().into());
    // A gateway keeps one silent pairing for each name.
    let short = id.get(..8).unwrap_or_default();
    settings.client.display_name = Some(format!("askrelay {short}"));
    // What pairs as a device does so in this mode.
    "ui".clone_into(&mut settings.client.mode);
    settings.vault = Some(Arc::new(files));
    settings.device = Some(key.clone());
    settings.persistent = true;
    settings.extends = false;
    settings.in_flight = IN_FLIGHT;
    let link = match of.tls_fingerprint {
        Some(pin) => Link::Pinned(of.url.clone(), pin),
        None => Link::Tcp(of.url.clone()),
    };
    Other { settings, link }
}

/// Joins one: its task, its name, and the way for errands to it.
pub(super) fn join(
    tasks: &mut JoinSet<()>,
    other: Other,
    notices: mpsc::Sender<(GatewayId, Notice)>,
    shown: watch::Receiver<Vec<RecordKey>>,
    gateways: Gateways,
) -> (GatewayId, mpsc::Sender<Errand>) {
    let Other { settings, link } = other;
    let name = settings.gateway.clone();
    let (errands, errand) = mpsc::channel(QUEUE);
    if let Link::Tcp(url) | Link::Pinned(url, _) = &link {
        gateways.add(&name, url, now());
    }
    let (client, connection) = open(settings, link);
    let feed = Feed { shown, persistent: Some(LIST_AGAIN), ..Feed::default() };
    let watched = client.clone();
    let id = name.clone();
    tasks.spawn(async move {
        let feed = relay_feed(client, feed, errand, notices);
        let told = tell(&id, &watched, &gateways);
        tokio::select! {
            fed = feed => if let Err(cause) = fed {
                gateways.away(&id, &reason(&cause), None, now());
                error!(gateway = %id, error = &cause as &dyn Error, "a gateway's feed ended");
            },
            why = connection.run() => {
                gateways.away(&id, &reason(&*why), advice(&why).as_deref(), now());
                error!(gateway = %id, error = &*why as &dyn Error, "a gateway was left");
            }
            () = told => {}
        }
    });
    (name, errands)
}

/// Tells the operator when a gateway comes and goes, and what to do where only a person can help. The same is logged once.
async fn tell(gateway: &GatewayId, client: &Client, gateways: &Gateways) {
    let mut status = client.watch();
    let mut last = String::new();
    loop {
        let told = status.borrow_and_update().clone();
        match told {
            Status::Online(online) => {
                let version = &online.hello.server.version;
                info!(%gateway, version, method = online.hello.auth.method, "joined a gateway");
                gateways.joined(gateway, now());
                last.clear();
            }
            Status::Offline(why) | Status::Ended(why) => {
                let advice = advice(&why);
                let why = reason(&*why);
                gateways.away(gateway, &why, advice.as_deref(), now());
                let told = format!("{why} {}", advice.as_deref().unwrap_or_default());
                if told != last {
                    let advice = advice.as_deref().unwrap_or("it is tried again by itself");
                    warn!(%gateway, error = why, advice, "not joined to a gateway");
                    last = told;
                }
            }
            Status::Connecting => {}
        }
        if status.changed().await.is_err() {
            return;
        }
    }
}

/// What went wrong, with its causes.
fn reason(why: &dyn Error) -> String {
    let mut words = why.to_string();
    let mut cause = why.source();
    while let Some(next) = cause {
        // A cause often says what its effect said already.
        let said = next.to_string();
        if !words.contains(&said) {
            words.push_str(": ");
            words.push_str(&said);
        }
        cause = next.source();
    }
    words
}

/// What a person has to do, if anything.
fn advice(why: &ConnectError) -> Option<String> {
    match why {
        ConnectError::Refused(error) => refusal(error),
        ConnectError::Scope { missing } => Some(format!(
            "the gateway let askrelay in without the scope {missing}: name its shared token in token_file"
        )),
        ConnectError::Secret(_) => Some("see token_file".to_owned()),
        ConnectError::Upgrade { source, .. } if source.to_string().contains("fingerprint") => Some(
            "compare the gateway's certificate with tls_fingerprint: another one may mean somebody in between"
                .to_owned(),
        ),
        _ => None,
    }
}

fn refusal(error: &WireError) -> Option<String> {
    let advice = match error.details.code.as_ref()? {
        DetailCode::PairingRequired => {
            let is_plain = |id: &&String| {
                id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            };
            return Some(match error.details.request_id.as_ref().filter(is_plain) {
                Some(id) => format!("approve askrelay where the gateway runs: openclaw devices approve {id}"),
                None => "see what the gateway is asked to approve: openclaw devices list".to_owned(),
            });
        }
        DetailCode::AuthTokenMismatch | DetailCode::AuthTokenExpired => {
            "put the gateway's shared token of now into token_file"
        }
        DetailCode::AuthDeviceTokenMismatch | DetailCode::AuthScopeMismatch => {
            "the device token does not count any more; the shared token is tried next"
        }
        DetailCode::DeviceIdentityRequired => "name the gateway's shared token in token_file",
        DetailCode::DeviceAuthSignatureExpired => "set the clock of this machine or of the gateway's",
        _ => return None,
    };
    Some(advice.to_owned())
}
