//! The chat platforms as the load generator meets them: one person in a private chat with the bot, on a stand-in of each. Measures
//! nothing.

use std::future::Future;
use std::pin::Pin;

use askrelay_kit::{discord, slack, telegram};
use serde_json::json;

/// A question that stands in a chat: the id in its text, the message, and what its first button sends.
pub(crate) struct Asked {
    pub(crate) id: String,
    pub(crate) message: String,
    pub(crate) sends: String,
}

/// One person's private chat.
pub(crate) trait Platform {
    /// The account's table in the configuration, without its secrets.
    fn table(&self) -> String;

    /// The files with its secrets.
    fn secrets(&self) -> Vec<(&'static str, String)>;

    /// The Place of the chat.
    fn place(&self) -> String;

    /// The person.
    fn identity(&self) -> String;

    /// The questions that can be answered there now.
    fn asked(&self) -> Vec<Asked>;

    /// Waits until the bot is connected.
    fn connected(&self) -> Pin<Box<dyn Future<Output = ()> + '_>>;

    /// The person presses the button.
    fn press(&self, asked: &Asked);
}

/// The platforms by name.
pub(crate) const NAMES: [&str; 3] = ["telegram", "discord", "slack"];

/// The platform of that name.
pub(crate) fn named(name: &str) -> Option<Box<dyn Platform>> {
    match name {
        "telegram" => Some(Box::new(Telegram::start())),
        "discord" => Some(Box::new(Discord::start())),
        "slack" => Some(Box::new(Slack::start())),
        _ => None,
    }
}

/// The id in the text of a question.
fn id_in(text: &str) -> Option<String> {
    text.split_whitespace().find(|word| word.starts_with("pending-")).map(str::to_owned)
}

struct Telegram {
    stand_in: telegram::StandIn,
    bot: telegram::Bot,
    person: telegram::Person,
    chat: telegram::Chat,
}

impl Telegram {
    fn start() -> Self {
        let stand_in = telegram::StandIn::start();
        let bot = stand_in.bot("bench_bot");
        let person = stand_in.person("Sam");
        let chat = person.open(&bot);
        Self { stand_in, bot, person, chat }
    }
}

impl Platform for Telegram {
    fn table(&self) -> String {
        let url = self.stand_in.url();
        format!("[[telegram]]\ntoken_file = \"telegram.token\"\napi_url = \"{url}\"\npace_percent = 100000\n")
    }

    fn secrets(&self) -> Vec<(&'static str, String)> {
        vec![("telegram.token", self.bot.token())]
    }

    fn place(&self) -> String {
        format!("telegram/main/{}", self.chat.id())
    }

    fn identity(&self) -> String {
        format!("telegram/{}", self.person.id())
    }

    fn asked(&self) -> Vec<Asked> {
        let open = |seen: &telegram::Seen| {
            let sends = seen.buttons.first()?.first()?.data.clone()?;
            Some(Asked { id: id_in(&seen.text)?, message: seen.id.to_string(), sends })
        };
        self.chat.messages().iter().filter_map(open).collect()
    }

    fn connected(&self) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        Box::pin(async move { drop(self.stand_in.until_called("getUpdates", 2).await) })
    }

    fn press(&self, asked: &Asked) {
        self.person.press(&self.chat, asked.message.parse().unwrap_or_default(), &asked.sends);
    }
}

struct Discord {
    stand_in: discord::StandIn,
    bot: discord::Bot,
    person: discord::Person,
    channel: discord::Channel,
}

impl Discord {
    fn start() -> Self {
        let stand_in = discord::StandIn::start();
        let (bot, person) = (stand_in.bot("bench"), stand_in.person("Sam"));
        let channel = person.open(&bot);
        Self { stand_in, bot, person, channel }
    }
}

impl Platform for Discord {
    fn table(&self) -> String {
        let (rest, gateway) = (self.stand_in.url(), self.stand_in.gateway_url());
        format!(
            "[[discord]]\ntoken_file = \"discord.token\"\napi_url = \"{rest}\"\ngateway_url = \"{gateway}\"\npace_percent = 100000\n"
        )
    }

    fn secrets(&self) -> Vec<(&'static str, String)> {
        vec![("discord.token", self.bot.token())]
    }

    fn place(&self) -> String {
        format!("discord/main/@{}", self.person.id())
    }

    fn identity(&self) -> String {
        format!("discord/{}", self.person.id())
    }

    fn asked(&self) -> Vec<Asked> {
        let open = |seen: &discord::Seen| {
            let sends = seen.buttons().next()?.custom_id.clone()?;
            Some(Asked { id: id_in(&seen.text)?, message: seen.id.to_string(), sends })
        };
        self.channel.messages().iter().filter_map(open).collect()
    }

    fn connected(&self) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        Box::pin(async move { self.bot.until_told().await })
    }

    fn press(&self, asked: &Asked) {
        self.person.press(&self.channel, asked.message.parse().unwrap_or_default(), &asked.sends);
    }
}

struct Slack {
    stand_in: slack::StandIn,
    app: slack::App,
    person: slack::Person,
    channel: slack::Channel,
}

impl Slack {
    fn start() -> Self {
        let stand_in = slack::StandIn::start();
        let team = stand_in.team("Acme");
        let (app, person) = (team.app("bench"), team.person("Sam"));
        let channel = person.open(&app);
        Self { stand_in, app, person, channel }
    }
}

impl Platform for Slack {
    fn table(&self) -> String {
        let url = self.stand_in.url();
        format!(
            "[[slack]]\ntoken_file = \"slack.token\"\napp_token_file = \"slack.app\"\napi_url = \"{url}\"\npace_percent = 100000\n"
        )
    }

    fn secrets(&self) -> Vec<(&'static str, String)> {
        vec![("slack.token", self.app.bot_token()), ("slack.app", self.app.app_token())]
    }

    fn place(&self) -> String {
        format!("slack/main/@{}", self.person.id())
    }

    fn identity(&self) -> String {
        format!("slack/{}/{}", self.person.team_id(), self.person.id())
    }

    fn asked(&self) -> Vec<Asked> {
        let open = |seen: &slack::Seen| {
            let button = seen.controls.iter().find(|control| control.kind == "button")?;
            let action = json!({
                "type": "button", "block_id": button.block, "action_id": button.action, "value": button.value,
                "text": { "type": "plain_text", "text": button.label },
            });
            Some(Asked { id: id_in(&seen.body())?, message: seen.ts.clone(), sends: action.to_string() })
        };
        self.channel.messages().iter().filter_map(open).collect()
    }

    fn connected(&self) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        Box::pin(async move { self.app.until_connected(1).await })
    }

    fn press(&self, asked: &Asked) {
        let action = serde_json::from_str(&asked.sends).unwrap_or_default();
        self.person.press(&self.channel, &asked.message, action);
    }
}
