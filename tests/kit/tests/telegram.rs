//! The stand-in of Telegram behaves and refuses as the platform does. Everything here is called over HTTP, as a bot's program
//! calls it.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a broken stand-in ends the test")]

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
        assert_eq!((status, &body["ok"]), (200, &json!(true)), "{body}");
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

    async fn send(&self, markup: Value) -> i64 {
        let params = json!({ "chat_id": self.chat.id(), "text": "Which colour?", "reply_markup": markup });
        self.ok("sendMessage", params).await["message_id"].as_i64().unwrap()
    }
}

fn colours() -> Value {
    json!({ "inline_keyboard": [
        [{ "text": "Red", "callback_data": "red" }],
        [{ "text": "Blue", "callback_data": "blue" }],
    ] })
}

#[tokio::test]
async fn a_person_taps_and_is_told() {
    let scene = Scene::new().await;
    let message = scene.send(colours()).await;
    let tap = scene.sam.tap(&scene.chat, message, "Blue");
    let updates = scene.updates().await;
    assert_eq!(updates[0]["callback_query"]["data"], "blue");
    assert_eq!(updates[0]["callback_query"]["message"]["message_id"], message);
    assert_eq!(tap.answer(), None);
    let id = &updates[0]["callback_query"]["id"];
    scene.ok("answerCallbackQuery", json!({ "callback_query_id": id, "text": "Recorded" })).await;
    assert_eq!(tap.answered().await.text.as_deref(), Some("Recorded"));
    assert_eq!(scene.sam.toasts().len(), 1);
    let edit = json!({ "chat_id": scene.chat.id(), "message_id": message, "text": "Blue it is" });
    scene.ok("editMessageText", edit).await;
    let seen = scene.chat.message(message);
    assert_eq!((seen.text.as_str(), seen.labels()), ("Blue it is", vec![]));
}
