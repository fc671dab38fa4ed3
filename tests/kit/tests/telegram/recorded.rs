//! Writes one update of every kind that the stand-in makes, and what it answers, to where a parser that nobody here wrote reads
//! them: `tests/peers/telegram.py`.

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
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("telegram-stand-in.json");
    std::fs::write(path, json!({ "updates": updates, "answers": answers }).to_string()).unwrap();
}
