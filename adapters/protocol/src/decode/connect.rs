//! Reads the handshake: `connect` closed, as every request; `hello-ok` and the challenge openly, as everything a gateway
//! sends.

use serde::Deserialize;
use serde::de::IgnoredAny;

use askrelay_core::time::Time;

use super::request::Params;
use super::scalar::{Filled, Object, Whole, present};
use super::shape::Shape;
use super::shapes;
use crate::connect::{Auth, ClientInfo, Connect, Device, Granted, HelloOk, Policy, ServerInfo};
use crate::frame::Challenge;
use crate::secret::Secret;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ConnectWire {
    min_protocol: Whole<1>,
    max_protocol: Whole<1>,
    client: Object<ClientWire>,
    #[serde(default, deserialize_with = "present")]
    role: Option<Filled>,
    #[serde(default, deserialize_with = "present")]
    scopes: Option<Vec<Filled>>,
    #[serde(default, deserialize_with = "present")]
    caps: Option<Vec<Filled>>,
    #[serde(default, deserialize_with = "present")]
    auth: Option<Object<AuthWire>>,
    #[serde(default, deserialize_with = "present")]
    device: Option<Object<DeviceWire>>,
    #[serde(default, rename = "commands")]
    _commands: IgnoredAny,
    #[serde(default, rename = "permissions")]
    _permissions: IgnoredAny,
    #[serde(default, rename = "pathEnv")]
    _path_env: IgnoredAny,
    #[serde(default, rename = "locale")]
    _locale: IgnoredAny,
    #[serde(default, rename = "userAgent")]
    _user_agent: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ClientWire {
    id: Filled,
    mode: ModeWire,
    version: Filled,
    platform: Filled,
    #[serde(default, deserialize_with = "present")]
    display_name: Option<Filled>,
    #[serde(default, deserialize_with = "present")]
    device_family: Option<Filled>,
    #[serde(default, deserialize_with = "present", rename = "modelIdentifier")]
    _model_identifier: Option<Filled>,
    #[serde(default, deserialize_with = "present")]
    instance_id: Option<Filled>,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct ModeWire(String);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AuthWire {
    #[serde(default, deserialize_with = "present")]
    token: Option<Secret>,
    #[serde(default, deserialize_with = "present")]
    device_token: Option<Secret>,
    #[serde(default, deserialize_with = "present")]
    bootstrap_token: Option<Secret>,
    #[serde(default, deserialize_with = "present")]
    password: Option<Secret>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DeviceWire {
    id: Filled,
    public_key: Filled,
    signature: Filled,
    signed_at: i64,
    nonce: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HelloWire {
    protocol: u64,
    #[serde(default)]
    server: ServerWire,
    #[serde(default)]
    features: FeaturesWire,
    #[serde(default)]
    auth: GrantedWire,
    #[serde(default)]
    policy: PolicyWire,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ServerWire {
    version: String,
    boot_id: String,
    conn_id: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FeaturesWire {
    methods: Vec<String>,
    events: Vec<String>,
    capabilities: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct GrantedWire {
    method: String,
    role: String,
    scopes: Vec<String>,
    device_token: Option<Secret>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PolicyWire {
    max_payload: Option<u64>,
    max_buffered_bytes: Option<u64>,
    tick_interval_ms: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ChallengeWire {
    nonce: String,
    ts: i64,
    capabilities: Vec<String>,
}

impl TryFrom<String> for ModeWire {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if crate::connect::MODES.contains(&text.as_str()) { Ok(Self(text)) } else { Err("not a mode") }
    }
}

impl Params for ConnectWire {
    type Typed = Connect;
    const SHAPE: Shape = shapes::CONNECT;

    fn typed(self) -> Connect {
        let texts =
            |list: Option<Vec<Filled>>| list.unwrap_or_default().into_iter().map(|text| text.0).collect();
        Connect {
            min_protocol: self.min_protocol.0,
            max_protocol: self.max_protocol.0,
            client: self.client.0.into(),
            role: self.role.map(|role| role.0),
            scopes: texts(self.scopes),
            caps: texts(self.caps),
            auth: self.auth.map(|auth| auth.0.into()).unwrap_or_default(),
            device: self.device.map(|device| device.0.into()),
        }
    }
}

impl From<ClientWire> for ClientInfo {
    fn from(wire: ClientWire) -> Self {
        Self {
            id: wire.id.0,
            mode: wire.mode.0,
            version: wire.version.0,
            platform: wire.platform.0,
            display_name: wire.display_name.map(|text| text.0),
            device_family: wire.device_family.map(|text| text.0),
            instance_id: wire.instance_id.map(|text| text.0),
        }
    }
}

impl From<AuthWire> for Auth {
    fn from(wire: AuthWire) -> Self {
        Self {
            token: wire.token,
            device_token: wire.device_token,
            bootstrap_token: wire.bootstrap_token,
            password: wire.password,
        }
    }
}

impl From<DeviceWire> for Device {
    fn from(wire: DeviceWire) -> Self {
        Self {
            id: wire.id.0,
            public_key: wire.public_key.0,
            signature: wire.signature.0,
            signed_at: Time(wire.signed_at),
            nonce: wire.nonce,
        }
    }
}

impl From<HelloWire> for HelloOk {
    fn from(wire: HelloWire) -> Self {
        let usual = Policy::default();
        Self {
            protocol: wire.protocol,
            server: ServerInfo {
                version: wire.server.version,
                boot_id: wire.server.boot_id,
                conn_id: wire.server.conn_id,
            },
            methods: wire.features.methods,
            events: wire.features.events,
            capabilities: wire.features.capabilities,
            auth: Granted {
                method: wire.auth.method,
                role: wire.auth.role,
                scopes: wire.auth.scopes,
                device_token: wire.auth.device_token,
            },
            policy: Policy {
                max_payload: wire.policy.max_payload.unwrap_or(usual.max_payload),
                max_buffered_bytes: wire.policy.max_buffered_bytes.unwrap_or(usual.max_buffered_bytes),
                tick_interval_ms: wire.policy.tick_interval_ms.unwrap_or(usual.tick_interval_ms),
            },
        }
    }
}

impl From<ChallengeWire> for Challenge {
    fn from(wire: ChallengeWire) -> Self {
        Self { nonce: wire.nonce, ts: Time(wire.ts), capabilities: wire.capabilities }
    }
}
