//! What people do, what their bots receive of it, and what people see.

use askrelay_kit::telegram::{Chat, Post};
use serde_json::{Value, json};

use super::Scene;

#[tokio::test]
async fn a_person_taps_and_is_told() {
    let scene = Scene::new().await;
    let message = scene.ask().await;
    let tap = scene.sam.tap(&scene.chat, message, "Blue");
    let query = scene.update().await["callback_query"].clone();
    assert_eq!((&query["data"], &query["message"]["message_id"]), (&json!("blue"), &json!(message)));
    assert_eq!(tap.answer(), None);
    scene.ok("answerCallbackQuery", json!({ "callback_query_id": query["id"], "text": "Recorded" })).await;
    assert_eq!(tap.answered().await.text.as_deref(), Some("Recorded"));
    assert_eq!(scene.sam.toasts().len(), 1);
    let edit = json!({ "chat_id": scene.chat.id(), "message_id": message, "text": "Blue it is" });
    scene.ok("editMessageText", edit).await;
    let seen = scene.chat.message(message);
    assert_eq!((seen.text.as_str(), seen.labels(), seen.edited), ("Blue it is", vec![], true));
}

#[tokio::test]
async fn a_press_can_be_answered_for_150_seconds_and_once() {
    for (seconds, fetched) in [(150, 1), (151, 0)] {
        let scene = Scene::new().await;
        let message = scene.ask().await;
        let tap = scene.sam.tap_at(&scene.chat, message, 0);
        scene.platform.pass(seconds);
        let answer = json!({ "callback_query_id": tap.id() });
        let (status, _) = scene.call("answerCallbackQuery", answer.clone()).await;
        assert_eq!(status == 200, fetched == 1, "after {seconds} s");
        assert_eq!(scene.call("answerCallbackQuery", answer).await.0, 400, "a second answer");
    }
}

#[tokio::test]
async fn a_press_that_nobody_fetches_is_lost_and_a_text_is_not() {
    let scene = Scene::new().await;
    let message = scene.ask().await;
    scene.sam.tap(&scene.chat, message, "Red");
    scene.sam.write(&scene.chat, "red");
    scene.platform.pass(150);
    assert_eq!(scene.update().await["message"]["text"], "red");
    scene.sam.write(&scene.chat, "red");
    scene.platform.pass(86_400);
    assert_eq!(scene.updates().await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_press_on_what_is_gone_tells_only_where_it_was() {
    let scene = Scene::new().await;
    let message = scene.ask().await;
    scene.sam.delete(&scene.chat, message);
    scene.sam.press(&scene.chat, message, "red");
    let shown = scene.update().await["callback_query"]["message"].clone();
    let expected = json!({ "chat": shown["chat"], "message_id": message, "date": 0 });
    assert_eq!(shown, expected);
}

#[tokio::test]
async fn messages_have_the_platforms_shape() {
    let scene = Scene::new().await;
    let question = scene.ask().await;
    let (sam, chat) = (&scene.sam, &scene.chat);
    let other = scene.platform.person("Kim");
    let rows: Vec<(&str, Post, Value)> = vec![
        ("text", Post::text("red"), json!({ "text": "red" })),
        (
            "reply",
            Post::text("red").reply_to(question),
            json!({ "reply_to_message": { "message_id": question } }),
        ),
        ("voice", Post::voice(), json!({ "text": null, "caption": null, "voice": { "duration": 2 } })),
        ("photo", Post::photo(), json!({ "text": null, "caption": null })),
        ("caption", Post::photo().caption("red"), json!({ "text": null, "caption": "red" })),
        ("album", Post::photo().in_group("1"), json!({ "media_group_id": "1" })),
        (
            "forwarded",
            Post::text("red").forwarded_from(&other),
            json!({ "text": "red", "forward_origin": { "type": "user", "sender_user": { "id": other.id() } } }),
        ),
        (
            "command",
            Post::text("/skip it"),
            json!({ "entities": [{ "type": "bot_command", "offset": 0, "length": 5 }] }),
        ),
        (
            "mention after a face",
            Post::text("😀 @askrelay_bot: 2"),
            json!({ "entities": [{ "type": "mention", "offset": 3, "length": 13 }] }),
        ),
        (
            "naming",
            Post::text("2").naming(scene.bot.id(), "Relay"),
            json!({ "text": "Relay 2", "entities": [{ "type": "text_mention", "user": { "id": scene.bot.id() } }] }),
        ),
        (
            "quote",
            Post::text("2").with("quote", json!({ "text": "x", "position": 0 })),
            json!({ "quote": { "text": "x" } }),
        ),
    ];
    for (name, post, expected) in rows {
        let id = sam.send(chat, post);
        let message = scene.update().await["message"].clone();
        assert_eq!(
            (&message["message_id"], &message["from"]["id"]),
            (&json!(id), &json!(sam.id())),
            "{name}"
        );
        assert!(contains(&message, &expected), "{name}: {message} has no {expected}");
    }
    let id = sam.write(chat, "red");
    sam.edit(chat, id, "blue");
    let edited = scene.updates().await[1]["edited_message"].clone();
    assert_eq!((&edited["text"], &edited["message_id"]), (&json!("blue"), &json!(id)));
}

/// Every field of the second is so in the first; `null` is a field that is not there.
fn contains(value: &Value, part: &Value) -> bool {
    match part {
        Value::Object(fields) => fields.iter().all(|(name, part)| contains(&value[name], part)),
        Value::Array(items) => items.iter().enumerate().all(|(index, part)| contains(&value[index], part)),
        part => value == part,
    }
}

#[tokio::test]
async fn privacy_mode_decides_what_a_bot_receives_of_a_group() {
    let scene = Scene::new().await;
    let group = scene.platform.supergroup("Team");
    let other = scene.platform.bot("other_bot");
    group.add(&scene.sam);
    group.add_bot(&scene.bot);
    group.add_bot(&other);
    let question = scene.ask_in(&group).await;
    let others = scene
        .platform
        .call(&other.token(), "sendMessage", &json!({ "chat_id": group.id(), "text": "x" }))
        .await;
    let others = others.unwrap().1["result"]["message_id"].as_i64().unwrap();
    scene.updates().await;
    // Of the two, the other wrote last.
    let rows: [(&str, Post, bool); 7] = [
        ("any text", Post::text("red"), false),
        ("a reply to it", Post::text("red").reply_to(question), true),
        ("a reply to another bot", Post::text("red").reply_to(others), false),
        ("a command for it", Post::text("/skip@askrelay_bot"), true),
        ("a command for another", Post::text("/skip@other_bot"), false),
        ("a command for whoever wrote last", Post::text("/skip"), false),
        ("a mention", Post::text("@askrelay_bot red"), false),
    ];
    for (name, post, private) in rows {
        for (privacy, expected) in [(true, private), (false, true)] {
            scene.bot.set_privacy(privacy);
            scene.sam.send(&group, post.clone());
            assert_eq!(scene.updates().await.len(), usize::from(expected), "{name}, privacy {privacy}");
        }
    }
    scene.bot.set_privacy(true);
    assert_eq!(scene.ok("getMe", json!({})).await["can_read_all_group_messages"], false);
    group.promote_bot(&scene.bot);
    scene.sam.write(&group, "red");
    let kinds: Vec<bool> = scene.updates().await.iter().map(|update| update["message"].is_object()).collect();
    assert_eq!(kinds, [false, true], "an administrator receives everything");
}

#[tokio::test]
async fn topics_look_like_replies_to_their_opening_message() {
    let scene = Scene::new().await;
    let forum = scene.platform.forum("Team");
    forum.add(&scene.sam);
    forum.add_bot(&scene.bot);
    forum.promote_bot(&scene.bot);
    let topic = forum.open_topic("Deploys");
    scene.updates().await;
    scene.sam.send(&forum, Post::text("hello").topic(topic));
    let message = scene.update().await["message"].clone();
    assert_eq!((&message["message_thread_id"], &message["is_topic_message"]), (&json!(topic), &json!(true)));
    assert_eq!(message["reply_to_message"]["forum_topic_created"]["name"], "Deploys");
    scene.sam.write(&forum, "in General");
    let general = scene.update().await["message"].clone();
    assert_eq!((&general["message_thread_id"], &general["reply_to_message"]), (&Value::Null, &Value::Null));
    let sent = scene
        .ok("sendMessage", json!({ "chat_id": forum.id(), "text": "x", "message_thread_id": topic }))
        .await;
    scene.sam.send(&forum, Post::text("answer").reply_to(sent["message_id"].as_i64().unwrap()));
    assert_eq!(scene.update().await["message"]["message_thread_id"], topic, "a reply is in the topic");
    forum.delete_topic(topic);
    let edit = json!({ "chat_id": forum.id(), "message_id": sent["message_id"], "text": "y" });
    assert_eq!(
        scene.call("editMessageText", edit).await.1["description"],
        "Bad Request: message to edit not found"
    );
}

#[tokio::test]
async fn replies_outside_forums_have_a_thread_that_is_no_topic() {
    let scene = Scene::new().await;
    let group = scene.platform.supergroup("Team");
    group.add_bot(&scene.bot);
    let question = scene.ask_in(&group).await;
    scene.updates().await;
    scene.sam.send(&group, Post::text("red").reply_to(question));
    let message = scene.update().await["message"].clone();
    assert_eq!(
        (&message["message_thread_id"], &message["is_topic_message"]),
        (&json!(question), &Value::Null)
    );
}

#[tokio::test]
async fn who_writes_in_the_name_of_a_group_or_channel_is_nobody() {
    let scene = Scene::new().await;
    let (group, channel) = (scene.platform.supergroup("Team"), scene.platform.channel("News"));
    for chat in [&group, &channel] {
        chat.add_bot(&scene.bot);
        chat.promote_bot(&scene.bot);
    }
    let question = scene.ask_in(&channel).await;
    scene.updates().await;
    scene.sam.send_anonymously(&group, Post::text("red"));
    let message = scene.update().await["message"].clone();
    assert_eq!(
        (&message["from"]["id"], &message["sender_chat"]["id"]),
        (&json!(1_087_968_824), &json!(group.id()))
    );
    channel.post(Post::text("red"));
    let post = scene.update().await["channel_post"].clone();
    assert_eq!((&post["from"], &post["sender_chat"]["id"]), (&Value::Null, &json!(channel.id())));
    scene.sam.press_anonymously(&group, 1, "red");
    assert_eq!(scene.update().await["callback_query"]["from"]["id"], 1_087_968_824);
    scene.sam.tap(&channel, question, "Red");
    assert_eq!(scene.update().await["callback_query"]["from"]["id"], scene.sam.id());
}

#[tokio::test]
async fn a_bot_is_told_what_becomes_of_it() {
    let scene = Scene::new().await;
    let status = |update: Value| update["my_chat_member"]["new_chat_member"]["status"].clone();
    scene.sam.block(&scene.bot);
    assert_eq!(status(scene.update().await), "kicked");
    scene.sam.unblock(&scene.bot);
    assert_eq!(status(scene.update().await), "member");
    let group: Chat = scene.platform.group("Team");
    group.add_bot(&scene.bot);
    let told = scene.updates().await;
    assert_eq!(told[0]["my_chat_member"]["new_chat_member"]["status"], "member");
    assert_eq!(told[1]["message"]["new_chat_members"][0]["id"], scene.bot.id());
    group.kick_bot(&scene.bot);
    assert_eq!(status(scene.update().await), "kicked");
}

#[tokio::test]
async fn an_invite_link_brings_its_word() {
    let scene = Scene::new().await;
    let kim = scene.platform.person("Kim");
    kim.start_with(&scene.bot, "abc_123");
    let message = scene.update().await["message"].clone();
    assert_eq!((&message["text"], &message["chat"]["type"]), (&json!("/start abc_123"), &json!("private")));
}

#[tokio::test]
async fn one_person_has_one_chat_with_each_bot() {
    let scene = Scene::new().await;
    let other = scene.platform.bot("other_bot");
    let (status, body) = scene
        .platform
        .call(&other.token(), "sendMessage", &json!({ "chat_id": scene.chat.id(), "text": "x" }))
        .await
        .unwrap();
    assert_eq!(status, 403, "{body}");
    scene.sam.start(&other);
    assert_eq!(scene.updates().await, [] as [Value; 0], "what was written to another bot");
}
