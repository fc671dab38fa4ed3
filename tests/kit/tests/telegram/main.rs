//! The stand-in of Telegram behaves and refuses as the platform does. Everything here is called over HTTP, as a bot's program
//! calls it.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a broken stand-in ends the test")]

mod chatting;
mod failing;
mod hooking;
mod polling;
mod recorded;
mod refusing;

use askrelay_kit::telegram::{Bot, Chat, Person, StandIn};
use serde_json::{Value, json};

/// A stand-in with one bot and one person who started it; the update of that is confirmed.
struct Scene {
    platform: StandIn,
    bot: Bot,
    sam: Person,
    chat: Chat,
}

impl Scene {
    async fn new() -> Self {
        let platform = StandIn::start();
        let (bot, sam) = (platform.bot("askrelay_bot"), platform.person("Sam"));
        let chat = sam.start(&bot);
        let scene = Self { platform, bot, sam, chat };
        scene.updates().await;
        scene
    }

    async fn call(&self, method: &str, params: Value) -> (u16, Value) {
        self.platform.call(&self.bot.token(), method, &params).await.unwrap()
    }

    async fn ok(&self, method: &str, params: Value) -> Value {
        let (status, body) = self.call(method, params).await;
        assert_eq!((status, &body["ok"]), (200, &json!(true)), "{method}: {body}");
        body["result"].clone()
    }

    /// Everything new, which is confirmed.
    async fn updates(&self) -> Vec<Value> {
        let updates = self.ok("getUpdates", json!({})).await.as_array().unwrap().clone();
        if let Some(newest) = updates.last().and_then(|update| update["update_id"].as_i64()) {
            self.ok("getUpdates", json!({ "offset": newest + 1 })).await;
        }
        updates
    }

    /// The one new update, which is confirmed.
    async fn update(&self) -> Value {
        let mut updates = self.updates().await;
        assert_eq!(updates.len(), 1, "{updates:?}");
        updates.remove(0)
    }

    /// Sends a question with buttons to the private chat; its id.
    async fn ask(&self) -> i64 {
        self.ask_in(&self.chat).await
    }

    async fn ask_in(&self, chat: &Chat) -> i64 {
        let params = json!({ "chat_id": chat.id(), "text": "Which colour?", "reply_markup": colours() });
        self.ok("sendMessage", params).await["message_id"].as_i64().unwrap()
    }
}

fn colours() -> Value {
    json!({ "inline_keyboard": [
        [{ "text": "Red", "callback_data": "red" }],
        [{ "text": "Blue", "callback_data": "blue" }],
    ] })
}
