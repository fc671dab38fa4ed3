//! What is printed of everything that holds a secret or what people said: nothing of that. Judges no log; what is logged is an
//! error or an id.

use std::fmt::Debug;
use std::time::Duration;

use askrelay_core::time::Time;
use reqwest::Url;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::client::Client;
use crate::config::{Config, Mode, Policy};
use crate::decode::{Context, Interaction, Me, interaction};
use crate::encode;
use crate::inbox::Delivery;
use crate::place::{Room, Spot};
use crate::presses::{Press, Presses};
use crate::queue::{Class, Job, Queue};
use crate::shared::Shared;
use crate::webhook::webhook;

/// In every secret; a thing that prints it gives one away.
const SECRET: &str = "s3cr3t";

fn payload() -> Value {
    let element = json!({ "type": "plain_text_input", "value": "what s3cr3t people say" });
    json!({
        "type": "block_actions", "token": "s3cr3t-verification", "trigger_id": "1.2.s3cr3t",
        "user": { "id": "U0SAM", "team_id": "T0ACME" }, "channel": { "id": "C0TEAM" },
        "container": { "message_ts": "1764500000.000200" }, "state": { "values": { "t.1": { "t.1": element } } },
        "response_url": "https://hooks.slack.com/actions/T0ACME/1/s3cr3t",
        "actions": [{ "type": "button", "action_id": "t.1", "value": "t.1", "action_ts": "1764500101.000002" }],
    })
}

fn config() -> Config {
    let mode = Mode::Socket("xapp-1-s3cr3t".into());
    Config::new("main".into(), "xoxb-1-s3cr3t".into(), mode, || Time(0)).unwrap()
}

fn press() -> Press {
    let place = askrelay_core::id::Account { surface: "slack".into(), name: "main".into() };
    let (me, is_ours) = (Me::default(), |_: &str, _: &str| false);
    let context = Context { account: &place, me: &me, now: Time(0), is_ours: &is_ours };
    let Interaction { press, reply } = interaction(&payload(), &context).unwrap();
    assert!(press.trigger.is_some() && press.response_url.is_some());
    assert!(!reply.update.as_str().contains(SECRET), "kept in the journal: {:?}", reply.update);
    press
}

fn job() -> Job {
    let spot = Spot { room: Room::Channel("C0TEAM".to_owned()), thread: None };
    let account = askrelay_core::id::Account { surface: "slack".into(), name: "main".into() };
    let place = askrelay_core::id::Place { account, conversation: spot.conversation() };
    let said = |text: &str| encode::say(&spot, None, None, text);
    let mut job = Job::new(Class::Prompt, place, spot.clone(), vec![said("the s3cr3t of the question")]);
    job.instead = Some(encode::whisper(&spot, "U0SAM", None, "another s3cr3t"));
    job
}

#[tokio::test]
async fn nothing_that_is_printed_holds_a_secret() {
    let now = Instant::now();
    let (mut presses, shared) = (Presses::default(), Shared::default());
    let ack = presses.came("v:1", press(), None, now).unwrap();
    assert!(presses.answer(ack, Some(json!({ "errors": { "t.1": "not s3cr3t enough" } }))));
    shared.press_came("p:1", press(), None);
    let mut queue = Queue::new(Policy::default());
    queue.push(job(), now);
    let (answer, _) = oneshot::channel();
    let (end, route) = webhook("s3cr3t".into(), &Policy::default(), || Time(0)).unwrap();
    let things: [(&str, &dyn Debug); 11] = [
        ("the configuration", &config()),
        ("the configuration with a webhook", &Config { mode: Mode::Webhook(end), ..config() }),
        ("the route of a webhook", &route),
        ("the client", &Client::new(&config()).unwrap()),
        ("a delivery", &Delivery { payload: payload(), answer }),
        ("a press", &press()),
        ("presses", &presses),
        ("what both sides share", &shared),
        ("a call", &job().calls),
        ("a job", &job()),
        ("the queue", &queue),
    ];
    for (name, thing) in things {
        for printed in [format!("{thing:?}"), format!("{thing:#?}")] {
            assert!(!printed.contains(SECRET), "{name}: {printed}");
        }
    }
}

/// Whoever has the address of a press can write there, whoever has that of a socket listens in our place.
#[tokio::test]
async fn no_error_shows_an_address() {
    let mut config = config();
    config.policy.call = Duration::from_secs(5);
    config.api_url = Url::parse("http://127.0.0.1:1/api?s3cr3t").unwrap();
    let client = Client::new(&config).unwrap();
    let url = Url::parse("http://127.0.0.1:1/actions/s3cr3t").unwrap();
    let respond = client.respond(url, &encode::respond(None, "s3cr3t")).await.unwrap_err();
    let call = client.me().await.unwrap_err();
    let mut errors = vec![respond, call];
    for way in ["ws://127.0.0.1:1/link?ticket=s3cr3t", "nonsense://s3cr3t", "s3cr3t"] {
        errors.push(crate::socket::stand(&way.into(), config.policy.call).await.unwrap_err());
    }
    for error in errors {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        for printed in
            [format!("{error:?}"), error.to_string(), error.why_offline(), cause.unwrap_or_default()]
        {
            assert!(!printed.contains(SECRET), "{printed}");
        }
    }
}
