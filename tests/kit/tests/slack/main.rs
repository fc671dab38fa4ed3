//! The stand-in of Slack behaves and refuses as the platform does. Everything here is called over HTTP and sockets, as an app's
//! program calls it.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a broken stand-in ends the test")]

mod blocks;
mod chatting;
mod failing;
mod filling;
mod hooking;
mod listener;
mod refusing;
mod sockets;
mod telling;

use askrelay_kit::slack::{App, Channel, Person, StandIn, Team};
use serde_json::{Value, json};

use listener::Listener;

/// A stand-in with one app, one person, their conversation and a channel in which both are.
struct Scene {
    platform: StandIn,
    team: Team,
    app: App,
    sam: Person,
    direct: Channel,
    channel: Channel,
}

impl Scene {
    fn new() -> Self {
        let platform = StandIn::start();
        let team = platform.team("Acme");
        let (app, sam) = (team.app("askrelay"), team.person("Sam"));
        let (direct, channel) = (sam.open(&app), team.channel("deploys"));
        channel.add(&sam);
        channel.add_app(&app);
        Self { platform, team, app, sam, direct, channel }
    }

    async fn call(&self, method: &str, params: Value) -> (u16, Value) {
        self.platform.call(&self.app.bot_token(), method, &params).await.unwrap()
    }

    async fn ok(&self, method: &str, params: Value) -> Value {
        let (status, body) = self.call(method, params).await;
        assert_eq!((status, &body["ok"]), (200, &json!(true)), "{method}: {body}");
        body
    }

    async fn listen(&self) -> Listener {
        Listener::connect(&self.platform, &self.app).await
    }

    /// Writes a question with buttons; its `ts`.
    async fn ask(&self, channel: &Channel) -> String {
        let params = json!({ "channel": channel.id(), "text": "Which colour?", "blocks": colours() });
        text(&self.ok("chat.postMessage", params).await["ts"])
    }
}

/// Writes something down where programs that nobody here wrote look at it: `tests/peers/slack_shapes.py`.
fn write(name: &str, value: &Value) {
    std::fs::write(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), value.to_string()).unwrap();
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn colours() -> Value {
    let button = |label: &str| json!({ "type": "button", "text": { "type": "plain_text", "text": label }, "action_id": label, "value": label });
    json!([
        { "type": "section", "text": { "type": "plain_text", "text": "Which colour?" } },
        { "type": "actions", "block_id": "colours", "elements": [button("Red"), button("Blue")] },
    ])
}
