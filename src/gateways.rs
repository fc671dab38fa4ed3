//! How the other gateways of a ring stand: kept by whoever joins them, shown to whoever of the same user asks. Decides nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askrelay_core::id::GatewayId;
use askrelay_core::prompt::one_line;
use askrelay_core::prompt::when::stamp;
use askrelay_core::time::Time;
use serde::{Deserialize, Serialize};

/// How one gateway stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GatewayStatus {
    /// Its name here.
    pub gateway: String,
    /// Where it listens.
    pub url: String,
    /// Whether it is joined.
    pub state: GatewayState,
    /// Since when, in milliseconds since 1970.
    pub since: i64,
    /// Why it is not, in plain words.
    pub why: Option<String>,
    /// What a person can do about that.
    pub advice: Option<String>,
}

/// Whether a gateway is joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GatewayState {
    /// It is tried.
    Connecting,
    /// Its questions come here.
    Joined,
    /// It is not joined; answers to it are kept.
    Away,
}

/// All other gateways of a ring. Clones share what they hold.
#[derive(Clone, Debug, Default)]
pub struct Gateways(Arc<Mutex<BTreeMap<GatewayId, GatewayStatus>>>);

impl Gateways {
    /// One more, by its name and where it listens, of which nothing is known yet.
    pub(crate) fn add(&self, gateway: &GatewayId, url: &str, now: Time) {
        let status = GatewayStatus {
            gateway: gateway.to_string(),
            url: url.to_owned(),
            state: GatewayState::Connecting,
            since: now.0,
            why: None,
            advice: None,
        };
        self.lock().insert(gateway.clone(), status);
    }

    /// All of them.
    pub fn list(&self) -> Vec<GatewayStatus> {
        self.lock().values().cloned().collect()
    }

    /// It is joined.
    pub(crate) fn joined(&self, gateway: &GatewayId, now: Time) {
        self.set(gateway, (GatewayState::Joined, now), None, None);
    }

    /// It is not, and why; `advice` is what a person can do.
    pub(crate) fn away(&self, gateway: &GatewayId, why: &str, advice: Option<&str>, now: Time) {
        self.set(gateway, (GatewayState::Away, now), Some(why), advice);
    }

    fn set(
        &self,
        gateway: &GatewayId,
        (state, now): (GatewayState, Time),
        why: Option<&str>,
        advice: Option<&str>,
    ) {
        if let Some(status) = self.lock().get_mut(gateway) {
            // One that is tried again and again has been away all the while.
            if status.state != state {
                status.since = now.0;
            }
            (status.state, status.why, status.advice) = (state, why.map(one_line), advice.map(one_line));
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<GatewayId, GatewayStatus>> {
        // Nothing that holds it can stop half way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for GatewayStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, url) = (one_line(&self.gateway), one_line(&self.url));
        let state = match self.state {
            GatewayState::Connecting => "is connecting",
            GatewayState::Joined => "is joined",
            GatewayState::Away => "is away",
        };
        write!(f, "gateway {name} ({url}) {state} since {} UTC", stamp(Time(self.since)))?;
        if let Some(why) = &self.why {
            write!(f, ": {}", one_line(why))?;
        }
        if let Some(advice) = &self.advice {
            write!(f, "\n    {}", one_line(advice))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_of_a_gateway_is_what_is_shown() {
        let (claw, other) = (GatewayId::from("claw"), GatewayId::from("other"));
        let gateways = Gateways::default();
        let at = |seconds: i64| Time(seconds * 1000);
        gateways.add(&claw, "ws://127.0.0.1:1", at(0));
        let check = |row: &str, expected: &str| {
            let shown: Vec<String> = gateways.list().iter().map(ToString::to_string).collect();
            assert_eq!(shown, [format!("gateway claw (ws://127.0.0.1:1) {expected}")], "{row}");
        };
        check("nothing known", "is connecting since 1970-01-01 00:00:00 UTC");
        gateways.away(&claw, "pairing\nrequired", Some("openclaw devices approve p-1"), at(1));
        check(
            "a person is wanted",
            "is away since 1970-01-01 00:00:01 UTC: pairing required\n    openclaw devices approve p-1",
        );
        gateways.away(&claw, "no connection", None, at(2));
        check("it is tried again by itself", "is away since 1970-01-01 00:00:01 UTC: no connection");
        gateways.joined(&claw, at(3));
        check("it is there", "is joined since 1970-01-01 00:00:03 UTC");
        gateways.joined(&claw, at(4));
        check("it is told again", "is joined since 1970-01-01 00:00:03 UTC");
        gateways.away(&other, "unknown", None, at(5));
        check("none of these", "is joined since 1970-01-01 00:00:03 UTC");
    }
}
