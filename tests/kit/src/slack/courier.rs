//! Brings events and interactions over HTTP, signed, and tells the world what became of them.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::deliver::{Parcel, Signing};
use super::http::{self, Answer};
use super::sign::signature;
use super::state::{Shared, World};

/// Brings what waits until it is dropped.
pub(super) async fn bring(shared: Arc<Shared>) {
    let mut news = shared.news();
    let mut under_way = JoinSet::new();
    loop {
        while let Some((parcel, url)) = shared.look(World::next_request) {
            let letter = shared.look(|world| world.letter(&parcel));
            let shared = Arc::clone(&shared);
            under_way.spawn(async move {
                let answer = letter.send(&url).await.map(|answer| read(&answer));
                shared.change(|world| world.settle_request(parcel.id, answer));
            });
        }
        tokio::select! {
            Some(_) = under_way.join_next() => {}
            changed = news.changed() => if changed.is_err() { return },
        }
    }
}

/// Status, whether no further try is wanted, and the body: null where it is empty.
fn read(answer: &Answer) -> (u16, bool, Value) {
    let no_retry = answer.headers.get("x-slack-no-retry").is_some_and(|value| value == "1");
    (answer.status.as_u16(), no_retry, serde_json::from_slice(&answer.body).unwrap_or_default())
}

/// A body with its headers.
#[derive(Debug)]
pub(super) struct Letter {
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Letter {
    pub(super) async fn send(&self, url: &str) -> Result<Answer, String> {
        let headers: Vec<(&str, &str)> =
            self.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        http::post(url, &headers, self.body.clone()).await
    }
}

impl World {
    /// What is sent for a parcel, signed as was ordered.
    fn letter(&mut self, parcel: &Parcel) -> Letter {
        let (kind, body) = match parcel.is_event {
            true => ("application/json", parcel.payload.to_string()),
            false => {
                let payload = percent(&parcel.payload.to_string());
                ("application/x-www-form-urlencoded", format!("payload={payload}"))
            }
        };
        let mut letter = self.sealed(&parcel.app, kind, body.into_bytes());
        if parcel.is_event && parcel.retries > 0 {
            letter.headers.push(("X-Slack-Retry-Num", parcel.retries.to_string()));
            letter.headers.push(("X-Slack-Retry-Reason", parcel.reason.unwrap_or_default().to_owned()));
        }
        letter
    }

    /// The question whether an address is the app's: it must answer with the challenge.
    pub(super) fn challenge(&mut self, app: &str, challenge: &str) -> Letter {
        let token = self.app(app).verification.clone();
        let body = json!({ "type": "url_verification", "token": token, "challenge": challenge });
        self.sealed(app, "application/json", body.to_string().into_bytes())
    }

    fn sealed(&mut self, app: &str, kind: &str, mut body: Vec<u8>) -> Letter {
        let now = self.now;
        let state = self.app_mut(app);
        let signing = state.signings.pop_front().unwrap_or(Signing::Right);
        let at = if let Signing::Late(seconds) = signing { now - seconds } else { now };
        let secret = if signing == Signing::Wrong { "another secret" } else { state.secret.as_str() };
        let mut headers = vec![("Content-Type", kind.to_owned())];
        if signing != Signing::Missing {
            headers.push(("X-Slack-Request-Timestamp", at.to_string()));
            headers.push(("X-Slack-Signature", signature(secret, at, &body)));
        }
        if signing == Signing::Tampered {
            body.push(b' ');
        }
        Letter { headers, body }
    }
}

/// Everything but letters and digits as percent signs and hexadecimal.
fn percent(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}
