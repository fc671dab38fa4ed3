//! Updates that the platform brings by itself, to a small HTTP server.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use askrelay_kit::telegram::StandIn;
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::Scene;

/// What was brought, and what is answered to it.
#[derive(Clone)]
struct Door {
    brought: watch::Sender<Vec<(Option<String>, Value)>>,
    answer: Arc<Mutex<(u16, Value)>>,
    url: String,
}

impl Door {
    async fn open() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/telegram", listener.local_addr().unwrap());
        let door = Self {
            brought: watch::Sender::new(Vec::new()),
            answer: Arc::new(Mutex::new((200, Value::Null))),
            url,
        };
        let inside = door.clone();
        let take = move |headers: HeaderMap, body: Bytes| async move {
            let secret = headers
                .get("X-Telegram-Bot-Api-Secret-Token")
                .map(|value| value.to_str().unwrap().to_owned());
            inside.brought.send_modify(|all| all.push((secret, serde_json::from_slice(&body).unwrap())));
            let (status, answer) = inside.answer.lock().unwrap().clone();
            (StatusCode::from_u16(status).unwrap(), answer.to_string())
        };
        tokio::spawn(
            async move { axum::serve(listener, Router::new().route("/telegram", post(take))).await },
        );
        door
    }

    fn answer(&self, status: u16, answer: Value) {
        *self.answer.lock().unwrap() = (status, answer);
    }

    async fn brought(&self, count: usize) -> Vec<(Option<String>, Value)> {
        let mut brought = self.brought.subscribe();
        let waited =
            tokio::time::timeout(Duration::from_secs(30), brought.wait_for(|all| all.len() >= count)).await;
        waited.expect("updates are brought").unwrap().clone()
    }
}

async fn pending(scene: &Scene, expected: usize) {
    while scene.ok("getWebhookInfo", json!({})).await["pending_update_count"] != expected {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn updates_are_brought_with_the_secret_in_order_until_they_are_taken() {
    let (scene, door) = (Scene::new().await, Door::open().await);
    scene.sam.write(&scene.chat, "before");
    door.answer(503, Value::Null);
    scene.ok("setWebhook", json!({ "url": door.url, "secret_token": "s3cret" })).await;
    scene.sam.write(&scene.chat, "after");
    let brought = door.brought(1).await;
    assert_eq!(brought[0].0.as_deref(), Some("s3cret"));
    door.answer(200, Value::Null);
    scene.platform.pass(60);
    let texts: Vec<Value> =
        door.brought(3).await.iter().map(|(_, update)| update["message"]["text"].clone()).collect();
    assert_eq!(texts, ["before", "before", "after"]);
    pending(&scene, 0).await;
    let info = scene.ok("getWebhookInfo", json!({})).await;
    assert_eq!(info["last_error_message"], "Wrong response from the webhook: 503 Service Unavailable");
}

#[tokio::test]
async fn a_webhook_may_call_a_method_in_its_answer() {
    let (scene, door) = (Scene::new().await, Door::open().await);
    door.answer(200, json!({ "method": "sendMessage", "chat_id": scene.chat.id(), "text": "taken" }));
    scene.ok("setWebhook", json!({ "url": door.url })).await;
    scene.sam.write(&scene.chat, "red");
    scene.chat.until_seen("taken").await;
}

#[tokio::test]
async fn webhook_and_polling_exclude_each_other() {
    let (scene, door) = (Scene::new().await, Door::open().await);
    let poll = scene.call("getUpdates", json!({ "timeout": 50 }));
    let set = async {
        scene.platform.until_called("getUpdates", 3).await;
        scene.ok("setWebhook", json!({ "url": door.url })).await;
    };
    let ((status, body), ()) = tokio::join!(poll, set);
    assert_eq!((status, &body["description"]), (409, &json!("Conflict: terminated by setWebhook request")));
    let (status, body) = scene.call("getUpdates", json!({})).await;
    let words = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
    assert_eq!((status, &body["description"]), (409, &json!(words)));
    scene.ok("deleteWebhook", json!({})).await;
    scene.ok("getUpdates", json!({})).await;
}

#[tokio::test]
async fn what_is_no_webhook_is_refused() {
    let scene = Scene::new().await;
    let url = "https://a.example/x";
    let rows = [
        (
            "plain",
            json!({ "url": "http://a.example" }),
            "bad webhook: An HTTPS URL must be provided for webhook",
        ),
        ("long", json!({ "url": url, "secret_token": "x".repeat(257) }), "secret token is too long"),
        ("odd", json!({ "url": url, "secret_token": "a b" }), "secret token contains unallowed characters"),
    ];
    for (name, params, words) in rows {
        let (status, body) = scene.call("setWebhook", params).await;
        assert_eq!((status, &body["description"]), (400, &json!(format!("Bad Request: {words}"))), "{name}");
    }
}

#[tokio::test]
async fn forms_are_read_as_json_is() {
    let scene = Scene::new().await;
    let token = scene.bot.token();
    let multipart = "--b\r\nContent-Disposition: form-data; name=\"url\"\r\n\r\nhttps://a.example/x\r\n--b\r\n\
                     Content-Disposition: form-data; name=\"allowed_updates\"\r\n\r\n[\"message\"]\r\n--b--\r\n";
    let kinds = [
        ("multipart/form-data; boundary=b", multipart.to_owned()),
        (
            "application/x-www-form-urlencoded",
            "url=https://a.example/x&allowed_updates=[%22message%22]".to_owned(),
        ),
    ];
    for (kind, body) in kinds {
        let (status, answer) = post_raw(&scene.platform, &token, kind, body).await;
        assert_eq!(status, 200, "{kind}: {answer}");
        let info = scene.ok("getWebhookInfo", json!({})).await;
        assert_eq!(
            (&info["url"], &info["allowed_updates"]),
            (&json!("https://a.example/x"), &json!(["message"])),
            "{kind}"
        );
        scene.ok("deleteWebhook", json!({})).await;
    }
}

async fn post_raw(platform: &StandIn, token: &str, kind: &str, body: String) -> (u16, Value) {
    platform.call_raw(token, "SetWebhook", kind, body.into_bytes()).await.unwrap()
}
