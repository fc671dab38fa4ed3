//! The handshake as JSON, both halves.

use serde::ser::{Serialize, Serializer};

use super::object;
use crate::connect::{Auth, ClientInfo, Connect, Device, HelloOk};

pub(super) struct ConnectView<'a>(pub(super) &'a Connect);

impl Serialize for ConnectView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Connect { min_protocol, max_protocol, client, role, scopes, caps, auth, device } = self.0;
        object(to, |params| {
            params.put("minProtocol", min_protocol)?;
            params.put("maxProtocol", max_protocol)?;
            params.put("client", &ClientView(client))?;
            params.put_some("role", role)?;
            params.put("scopes", scopes)?;
            params.put("caps", caps)?;
            let Auth { token, device_token, bootstrap_token, password } = auth;
            if [token, device_token, bootstrap_token, password].into_iter().any(Option::is_some) {
                params.put("auth", &AuthView(auth))?;
            }
            params.put_some("device", &device.as_ref().map(DeviceView))
        })
    }
}

struct ClientView<'a>(&'a ClientInfo);

impl Serialize for ClientView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let client = self.0;
        object(to, |out| {
            out.put("id", &client.id)?;
            out.put("mode", &client.mode)?;
            out.put("version", &client.version)?;
            out.put("platform", &client.platform)?;
            out.put_some("displayName", &client.display_name)?;
            out.put_some("deviceFamily", &client.device_family)?;
            out.put_some("instanceId", &client.instance_id)
        })
    }
}

struct AuthView<'a>(&'a Auth);

impl Serialize for AuthView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |out| {
            out.put_some("token", &self.0.token)?;
            out.put_some("deviceToken", &self.0.device_token)?;
            out.put_some("bootstrapToken", &self.0.bootstrap_token)?;
            out.put_some("password", &self.0.password)
        })
    }
}

struct DeviceView<'a>(&'a Device);

impl Serialize for DeviceView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let device = self.0;
        object(to, |out| {
            out.put("id", &device.id)?;
            out.put("publicKey", &device.public_key)?;
            out.put("signature", &device.signature)?;
            out.put("signedAt", &device.signed_at)?;
            out.put("nonce", &device.nonce)
        })
    }
}

pub(super) struct HelloView<'a>(pub(super) &'a HelloOk);

impl Serialize for HelloView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |payload| {
            payload.put("type", "hello-ok")?;
            payload.put("protocol", &self.0.protocol)?;
            payload.put("server", &ServerView(self.0))?;
            payload.put("features", &FeaturesView(self.0))?;
            payload.put("snapshot", &serde_json::Map::new())?;
            payload.put("auth", &GrantedView(self.0))?;
            payload.put("policy", &PolicyView(self.0))
        })
    }
}

struct ServerView<'a>(&'a HelloOk);

impl Serialize for ServerView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let server = &self.0.server;
        object(to, |out| {
            out.put("version", &server.version)?;
            out.put("bootId", &server.boot_id)?;
            out.put("connId", &server.conn_id)
        })
    }
}

struct FeaturesView<'a>(&'a HelloOk);

impl Serialize for FeaturesView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |out| {
            out.put("methods", &self.0.methods)?;
            out.put("events", &self.0.events)?;
            out.put("capabilities", &self.0.capabilities)
        })
    }
}

struct GrantedView<'a>(&'a HelloOk);

impl Serialize for GrantedView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let granted = &self.0.auth;
        object(to, |out| {
            out.put("method", &granted.method)?;
            out.put("role", &granted.role)?;
            out.put("scopes", &granted.scopes)?;
            out.put_some("deviceToken", &granted.device_token)
        })
    }
}

struct PolicyView<'a>(&'a HelloOk);

impl Serialize for PolicyView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let policy = &self.0.policy;
        object(to, |out| {
            out.put("maxPayload", &policy.max_payload)?;
            out.put("maxBufferedBytes", &policy.max_buffered_bytes)?;
            out.put("tickIntervalMs", &policy.tick_interval_ms)
        })
    }
}
