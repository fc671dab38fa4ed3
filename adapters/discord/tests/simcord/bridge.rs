//! The bridge to simcord: starts it, speaks to it as the person, and ends it. Knows nothing of the surface.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// A simcord of its own, in a process of its own.
pub(crate) struct Bridge {
    process: Child,
    http: reqwest::Client,
    /// Where it listens.
    pub(crate) address: String,
    /// The bot's token.
    pub(crate) token: String,
    /// The person's id.
    pub(crate) person: String,
    /// Their channel with the bot.
    pub(crate) direct: String,
    /// A channel of a server that both are in.
    pub(crate) team: String,
}

impl Bridge {
    pub(crate) fn start() -> Self {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let mut command = Command::new(format!("{root}/target/peers/python/bin/python"));
        command.arg(format!("{root}/tests/peers/simcord_bridge.py"));
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let who: Value = serde_json::from_str(&line).unwrap();
        let text = |name: &str| who[name].as_str().unwrap().to_owned();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self {
            process,
            http,
            address: text("address"),
            token: text("token"),
            person: text("person"),
            direct: text("direct"),
            team: text("team"),
        }
    }

    /// The person does something, or looks at something; what the bridge says to it.
    pub(crate) async fn act(&self, what: &str, with: Value) -> Value {
        let url = format!("http://{}/person/{what}", self.address);
        let answer = self.http.post(url).body(with.to_string()).send().await.unwrap();
        let status = answer.status();
        let body = answer.text().await.unwrap();
        assert!(status.is_success(), "{what} {with}: {body}");
        serde_json::from_str(&body).unwrap()
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        // It ends with its input, and says by its status whether it had to refuse the shape of a call.
        drop(self.process.stdin.take());
        let status = self.process.wait().unwrap();
        assert!(std::thread::panicking() || status.success(), "simcord refused a call: {status}");
    }
}
