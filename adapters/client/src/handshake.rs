//! Challenge, connect, hello: the first frames of every connection, whatever carries it.

use std::time::SystemTime;
use tokio::time::timeout;

use askrelay_core::time::Time;
use askrelay_protocol::connect::{Auth, Connect, HelloOk};
use askrelay_protocol::decode::{NotAFrame, Reading};
use askrelay_protocol::frame::{CAP, Call, Caps, Challenge, Event, Method, PROTOCOL, ServerFrame};
use askrelay_protocol::reply::Reply;

use crate::error::ConnectError;
use crate::link::{Receiving, Sending};
use crate::settings::Settings;
use crate::vault::{Proof, Vault};

/// The id of the first request.
const CONNECT: &str = "connect";

/// The scope that holds all others.
const ADMIN: &str = "operator.admin";

/// Says who this is and learns what was granted.
pub(crate) async fn shake(
    settings: &Settings,
    sending: &mut Sending,
    receiving: &mut Receiving,
) -> Result<(HelloOk, Caps), ConnectError> {
    let slow = |_| ConnectError::Slow(settings.handshake);
    let challenge = timeout(settings.handshake, challenge(settings, receiving)).await.map_err(slow)??;
    let proof = proof(settings)?;
    let connect = connect(settings, &proof.auth, &challenge);
    sending.feed(CONNECT.to_owned(), Call::Connect(Box::new(connect)), Caps::PLAIN, u64::MAX).await?;
    sending.flush().await?;
    let hello = timeout(settings.handshake, hello(settings, receiving)).await.map_err(slow)?;
    if let (Some(vault), Err(ConnectError::Refused(error))) = (&settings.vault, &hello) {
        proof.refused(&**vault, error);
    }
    let hello = hello?;
    if hello.protocol != PROTOCOL {
        return Err(ConnectError::Version { ours: PROTOCOL, theirs: hello.protocol });
    }
    if let Some(vault) = &settings.vault {
        granted(settings, &**vault, &proof, &hello)?;
    }
    let caps = if settings.extends { Caps::named(&hello.capabilities) } else { Caps::PLAIN };
    Ok((hello, caps))
}

/// What this connection proves itself with.
fn proof(settings: &Settings) -> Result<Proof, ConnectError> {
    match &settings.vault {
        Some(vault) => Proof::of(&**vault).map_err(ConnectError::Secret),
        None => Ok(Proof { auth: settings.auth.clone(), by_device: false }),
    }
}

/// Keeps the device token that came, if all that was asked for was granted. A gateway takes some clients in with no scopes at
/// all, and then refuses every call.
fn granted(
    settings: &Settings,
    vault: &dyn Vault,
    proof: &Proof,
    hello: &HelloOk,
) -> Result<(), ConnectError> {
    let has = |scope: &String| hello.auth.scopes.iter().any(|granted| granted == scope || granted == ADMIN);
    if let Some(missing) = settings.scopes.iter().find(|scope| !has(scope)) {
        if proof.by_device {
            vault.keep(None);
        }
        return Err(ConnectError::Scope { missing: missing.clone() });
    }
    if let Some(token) = &hello.auth.device_token
        && vault.device_token().is_none_or(|kept| kept.expose() != token.expose())
    {
        vault.keep(Some(token));
    }
    Ok(())
}

async fn challenge(settings: &Settings, receiving: &mut Receiving) -> Result<Challenge, ConnectError> {
    loop {
        if let ServerFrame::Event { event: Event::Challenge(challenge), .. } =
            next(settings, receiving).await?
        {
            return Ok(challenge);
        }
    }
}

async fn hello(settings: &Settings, receiving: &mut Receiving) -> Result<HelloOk, ConnectError> {
    loop {
        match next(settings, receiving).await? {
            ServerFrame::Response { result: Ok(Reply::HelloOk(hello)), .. } => return Ok(*hello),
            ServerFrame::Response { result: Err(error), .. } => return Err(ConnectError::Refused(error)),
            ServerFrame::Response { .. } => {
                return Err(ConnectError::Handshake("the answer to connect is no hello-ok".to_owned()));
            }
            ServerFrame::Event { .. } => {}
        }
    }
}

async fn next(settings: &Settings, receiving: &mut Receiving) -> Result<ServerFrame, ConnectError> {
    let method_of = |_: &str| Some(Method::Connect);
    let read = |text: &str| read(text, settings, &method_of);
    let frame = receiving.next(settings.handshake, read).await?;
    frame.map_err(|error| ConnectError::Handshake(error.to_string()))
}

/// Reads one frame of the settings' gateway, now.
pub(crate) fn read(
    text: &str,
    settings: &Settings,
    method_of: &dyn Fn(&str) -> Option<Method>,
) -> Result<ServerFrame, NotAFrame> {
    ServerFrame::parse(text, &Reading { gateway: &settings.gateway, now: now(), method_of })
}

/// The clock, as the protocol writes it.
pub(crate) fn now() -> Time {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Time(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// The cap goes only to a gateway that names it: another one's lists of caps may be closed.
fn connect(settings: &Settings, auth: &Auth, challenge: &Challenge) -> Connect {
    let wide = settings.extends && Caps::named(&challenge.capabilities).wide;
    let mut connect = Connect {
        min_protocol: PROTOCOL,
        max_protocol: PROTOCOL,
        client: settings.client.clone(),
        role: Some("operator".to_owned()),
        scopes: settings.scopes.clone(),
        caps: if wide { vec![CAP.to_owned()] } else { Vec::new() },
        auth: auth.clone(),
        device: None,
    };
    connect.device = settings.device.as_ref().map(|key| key.sign(&connect, challenge));
    connect
}
