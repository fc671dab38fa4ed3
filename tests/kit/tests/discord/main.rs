//! The stand-in of Discord behaves and refuses as the platform does. Everything here is called over HTTP and heard over the
//! gateway, as a bot's program does it.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a broken stand-in ends the test")]

mod chatting;
mod composing;
mod connecting;
mod failing;
mod interacting;
mod program;
mod recorded;
mod refusing;

use askrelay_kit::discord::{Answer, Bot, Channel, Guild, Person, StandIn};
use serde_json::{Value, json};

use program::{Program, WITH_CONTENT};

/// A stand-in with a bot and a person in one guild, and the bot's program at the gateway, which has heard of the guild.
struct Scene {
    platform: StandIn,
    bot: Bot,
    sam: Person,
    guild: Guild,
    channel: Channel,
    program: Program,
}

impl Scene {
    async fn new() -> Self {
        Self::with(WITH_CONTENT).await
    }

    async fn with(intents: u64) -> Self {
        let platform = StandIn::start();
        let (bot, sam, guild) = (platform.bot("askrelay"), platform.person("Sam"), platform.guild("Team"));
        bot.allow_message_content(true);
        guild.add(&sam);
        guild.add_bot(&bot);
        let channel = guild.text_channel("deploys");
        let (mut program, _) = Program::start(&platform, &bot, intents).await;
        program.event("GUILD_CREATE").await;
        Self { platform, bot, sam, guild, channel, program }
    }

    async fn call(&self, method: &str, path: &str, body: Value) -> Answer {
        self.platform.call(&self.bot.token(), method, path, &body).await.unwrap()
    }

    async fn ok(&self, method: &str, path: &str, body: Value) -> Value {
        let answer = self.call(method, path, body).await;
        assert!(matches!(answer.status, 200 | 204), "{method} {path}: {answer:?}");
        answer.body
    }

    /// Sends a question with buttons to a channel; its id.
    async fn ask_in(&self, channel: &Channel) -> u64 {
        let body = json!({ "content": "Which colour?", "components": colours() });
        let sent = self.ok("POST", &format!("/channels/{}/messages", channel.id()), body).await;
        sent["id"].as_str().unwrap().parse().unwrap()
    }

    /// The same in the guild, which the program hears of.
    async fn ask(&mut self) -> u64 {
        let id = self.ask_in(&self.channel).await;
        self.program.event("MESSAGE_CREATE").await;
        id
    }
}

fn colours() -> Value {
    let button =
        |label: &str| json!({ "type": 2, "style": 2, "label": label, "custom_id": label.to_lowercase() });
    json!([{ "type": 1, "components": [button("Red"), button("Blue")] }])
}
