//! Writes what the stand-in makes and how it judges to where programs that nobody here wrote look at it:
//! `tests/peers/telegram.py`. Updates and answers of every kind; entities and links that it takes or refuses.

use std::path::Path;

use askrelay_kit::telegram::Post;
use serde_json::{Value, json};

use super::Scene;

#[tokio::test]
async fn updates_and_answers_of_every_kind_are_written_down() {
    let scene = Scene::new().await;
    let (platform, bot, sam) = (&scene.platform, &scene.bot, &scene.sam);
    bot.set_privacy(false);
    let question = scene.ask().await;
    let kim = platform.person("Kim");
    for post in [
        Post::text("/skip@askrelay_bot https://a.example @askrelay_bot"),
        Post::text("red").reply_to(question),
        Post::voice(),
        Post::photo().caption("red").in_group("1"),
        Post::text("red").forwarded_from(&kim),
        Post::text("2").naming(bot.id(), "Relay"),
    ] {
        sam.send(&scene.chat, post);
    }
    sam.edit(&scene.chat, question, "changed");
    sam.tap(&scene.chat, question, "Red");
    sam.delete(&scene.chat, question);
    sam.press(&scene.chat, question, "red");
    sam.block(bot);
    sam.unblock(bot);
    let (group, forum, channel) = (platform.group("Team"), platform.forum("Forum"), platform.channel("News"));
    for chat in [&group, &forum, &channel] {
        chat.add_bot(bot);
        chat.promote_bot(bot);
    }
    let topic = forum.open_topic("Deploys");
    sam.send(&forum, Post::text("hello").topic(topic));
    sam.send_anonymously(&forum, Post::text("hello"));
    sam.press_anonymously(&forum, topic, "red");
    channel.post(Post::text("hello"));
    let updates: Vec<Value> = scene.updates().await;
    group.upgrade();
    let updates: Vec<Value> = updates.into_iter().chain(scene.updates().await).collect();
    let answers = [
        ("User", scene.ok("getMe", json!({})).await),
        (
            "Message",
            scene
                .ok("sendMessage", json!({ "chat_id": forum.id(), "text": "x", "message_thread_id": topic }))
                .await,
        ),
        ("ChatFullInfo", scene.ok("getChat", json!({ "chat_id": forum.id() })).await),
        (
            "ChatMemberAdministrator",
            scene.ok("getChatMember", json!({ "chat_id": forum.id(), "user_id": bot.id() })).await,
        ),
        (
            "ChatMemberLeft",
            scene.ok("getChatMember", json!({ "chat_id": forum.id(), "user_id": kim.id() })).await,
        ),
        ("WebhookInfo", scene.ok("getWebhookInfo", json!({})).await),
    ];
    let answers: Vec<Value> =
        answers.into_iter().map(|(kind, value)| json!({ "type": kind, "value": value })).collect();
    assert!(updates.len() > 20, "{updates:?}");
    write("telegram-stand-in.json", &json!({ "updates": updates, "answers": answers }));
}

#[tokio::test]
async fn judgements_of_texts_are_written_down() {
    let scene = Scene::new().await;
    let mut judged = Vec::new();
    for text in ["a😀b", "😀😀", "日本é", "x"] {
        let size = i64::try_from(text.encode_utf16().count()).unwrap();
        for offset in -1..=size + 2 {
            for length in -1..=size + 2 {
                judged.push(
                    judge(&scene, text, json!({ "type": "bold", "offset": offset, "length": length })).await,
                );
            }
        }
    }
    for url in LINKS {
        let entity = json!({ "type": "text_link", "offset": 0, "length": 1, "url": url });
        judged.push(judge(&scene, "x", entity).await);
    }
    write("telegram-judged.json", &Value::Array(judged));
}

const LINKS: [&str; 20] = [
    "https://a.example/path?x=1#y",
    "HTTPS://A.EXAMPLE",
    "a.example",
    "http://127.0.0.1:80/x",
    "https://[::1]/",
    "https://user:word@a.example/",
    "https://ä.example/ü",
    "https://a.example/ x",
    "tg://user?id=1",
    "tg:user?id=1",
    "ton://x",
    "https://",
    "https:///x",
    "//a.example",
    "https://a",
    "https://a b.example/",
    "https://a.example:99999/",
    "ftp://a.example",
    "javascript:alert(1)",
    "localhost",
];

async fn judge(scene: &Scene, text: &str, entity: Value) -> Value {
    let params = json!({ "chat_id": scene.chat.id(), "text": text, "entities": [entity] });
    let (_, body) = scene.call("sendMessage", params).await;
    json!({ "text": text, "entity": entity, "refused": body["description"] })
}

fn write(name: &str, value: &Value) {
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), value.to_string()).unwrap();
}
