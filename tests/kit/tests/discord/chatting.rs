//! What a bot hears of people, by its intents, and what people see of a bot.

use askrelay_kit::discord::{From, Post, permission};
use serde_json::{Value, json};

use super::Scene;
use super::program::{INTENTS, WITH_CONTENT};

#[tokio::test]
async fn message_says_who_where_and_what() {
    let mut scene = Scene::new().await;
    let question = scene.ask().await;
    let reply = scene.sam.reply(&scene.channel, question, "  Red, please. ");
    let event = scene.program.event("MESSAGE_CREATE").await;
    assert_eq!((&event["id"], &event["type"]), (&json!(reply.to_string()), &json!(19)));
    assert_eq!((&event["content"], &event["channel_type"]), (&json!("Red, please."), &json!(0)));
    assert_eq!(event["author"]["id"], scene.sam.id().to_string());
    assert_eq!(event["member"]["roles"], json!([]));
    assert_eq!(event["guild_id"], scene.guild.id().to_string());
    assert_eq!(event["message_reference"]["message_id"], question.to_string());
    assert_eq!(event["referenced_message"]["components"][0]["components"][0]["label"], "Red");
    assert_eq!(event["mentions"][0]["id"], scene.bot.id().to_string(), "a reply calls whom it replies to");
    assert_eq!(event["timestamp"], "2025-11-30T10:53:20.000000+00:00");
    assert!(reply > question, "ids grow");
}

#[tokio::test]
async fn without_the_content_intent_words_come_only_where_they_are_meant_for_the_bot() {
    let mut scene = Scene::with(INTENTS).await;
    let question = scene.ask().await;
    let (channel, direct) = (scene.channel.clone(), scene.sam.direct(&scene.bot));
    let rows: [(&str, Post, bool); 6] = [
        ("any text", Post::text("red"), false),
        ("a reply", Post::text("red").reply_to(question), true),
        ("a reply that calls nobody", Post::text("red").reply_to(question).quietly(), false),
        ("a mention", Post::text("red").mentioning(&scene.bot), true),
        ("a mention of somebody else", Post::text(format!("red {}", scene.sam.mention())), false),
        ("a picture", Post::picture(), false),
    ];
    for (name, post, is_meant) in rows {
        scene.sam.send(&channel, post);
        let event = scene.program.event("MESSAGE_CREATE").await;
        assert_eq!(event["content"].as_str().unwrap().contains("red"), is_meant, "{name}: {event}");
        assert_eq!(event["attachments"], json!([]), "{name}");
    }
    scene.sam.write(&direct, "red");
    assert_eq!(scene.program.event("MESSAGE_CREATE").await["content"], "red", "in private");
    scene.sam.send(&channel, Post::text("red").reply_to(question).quietly());
    let replied = &scene.program.event("MESSAGE_CREATE").await["referenced_message"];
    assert_eq!(replied["content"], "Which colour?", "its own words");
}

#[tokio::test]
async fn intents_and_permissions_decide_what_is_heard() {
    let rows: [(&str, u64, bool, bool); 4] = [
        ("all", WITH_CONTENT, true, true),
        ("guilds only", 1, false, false),
        ("direct messages only", 1 | 1 << 12, false, true),
        ("guild messages only", 1 | 1 << 9, true, false),
    ];
    for (name, intents, in_guild, in_private) in rows {
        let mut scene = Scene::with(intents).await;
        let hidden = scene.guild.text_channel("hidden");
        scene.program.event("CHANNEL_CREATE").await;
        hidden.overwrite_bot(&scene.bot, 0, permission::VIEW_CHANNEL);
        scene.sam.write(&hidden, "unheard");
        for (channel, is_heard) in
            [(scene.channel.clone(), in_guild), (scene.sam.direct(&scene.bot), in_private)]
        {
            scene.sam.write(&channel, "heard");
            if is_heard {
                let event = scene.program.event("MESSAGE_CREATE").await;
                assert_eq!(event["channel_id"], channel.id().to_string(), "{name}");
            }
        }
        scene.program.nothing_more().await;
    }
}

#[tokio::test]
async fn only_who_may_be_called_is_called() {
    let scene = Scene::new().await;
    let (kim, role) = (scene.platform.person("Kim"), scene.guild.role("All", 0));
    let everybody = format!("{} {} <@&{}> @everyone", scene.sam.mention(), kim.mention(), role.id());
    let rows: [(&str, Value, Vec<u64>, bool); 5] = [
        ("nobody", json!({ "parse": [] }), vec![], false),
        ("one", json!({ "parse": [], "users": [kim.id().to_string()] }), vec![kim.id()], false),
        ("people", json!({ "parse": ["users"] }), vec![scene.sam.id(), kim.id()], false),
        ("everybody", json!({ "parse": ["everyone"] }), vec![], true),
        ("as it stands", Value::Null, vec![scene.sam.id(), kim.id(), role.id()], true),
    ];
    for (name, allowed, called, everyone) in rows {
        let body = json!({ "content": everybody, "allowed_mentions": allowed });
        scene.ok("POST", &format!("/channels/{}/messages", scene.channel.id()), body).await;
        let seen = scene.channel.from_bots().pop().unwrap();
        assert_eq!((seen.called, seen.called_everyone), (called, everyone), "{name}");
    }
    let theirs = scene.sam.write(&scene.channel, "Hello");
    for (replied_user, called) in [(json!(false), vec![]), (json!(true), vec![scene.sam.id()])] {
        let allowed = json!({ "parse": [], "replied_user": replied_user });
        let reference = json!({ "message_id": theirs.to_string() });
        let body = json!({ "content": "Hi", "allowed_mentions": allowed, "message_reference": reference });
        scene.ok("POST", &format!("/channels/{}/messages", scene.channel.id()), body).await;
        let seen = scene.channel.from_bots().pop().unwrap();
        assert_eq!((seen.called, seen.reply_to), (called, Some(theirs)));
    }
}

#[tokio::test]
async fn changing_a_message_keeps_what_is_not_named() {
    let mut scene = Scene::new().await;
    let question = scene.ask().await;
    let path = format!("/channels/{}/messages/{question}", scene.channel.id());
    scene.ok("PATCH", &path, json!({ "content": "Which colour now? @everyone" })).await;
    let seen = scene.channel.message(question);
    assert_eq!((seen.edited, seen.labels()), (true, vec!["Red", "Blue"]));
    assert!(!seen.called_everyone, "a change calls nobody");
    let event = scene.program.event("MESSAGE_UPDATE").await;
    assert_eq!(
        (&event["guild_id"], &event["content"]),
        (&json!(scene.guild.id().to_string()), &json!(seen.text))
    );
    scene.ok("DELETE", &path, Value::Null).await;
    assert_eq!(scene.program.event("MESSAGE_DELETE").await["id"], question.to_string());
    assert_eq!(scene.channel.messages(), []);
}

#[tokio::test]
async fn same_nonce_is_the_same_message_for_a_few_minutes() {
    let scene = Scene::new().await;
    let path = format!("/channels/{}/messages", scene.channel.id());
    let send = |enforced: bool| json!({ "content": "once", "nonce": "n1", "enforce_nonce": enforced });
    let first = scene.ok("POST", &path, send(true)).await;
    assert_eq!(scene.ok("POST", &path, send(true)).await["id"], first["id"]);
    assert_eq!((&first["nonce"], scene.channel.from_bots().len()), (&json!("n1"), 1));
    assert_ne!(scene.ok("POST", &path, send(false)).await["id"], first["id"], "not enforced");
    scene.platform.pass(181);
    scene.ok("POST", &path, send(true)).await;
    assert_eq!(scene.channel.from_bots().len(), 3, "too long ago");
}

#[tokio::test]
async fn threads_come_back_with_a_message() {
    let mut scene = Scene::new().await;
    let forum = scene.guild.forum("Help");
    scene.program.event("CHANNEL_CREATE").await;
    let post = scene.guild.post(&scene.sam, &forum, "Which?", "Tell me.");
    let created = scene.program.event("THREAD_CREATE").await;
    assert_eq!((&created["type"], &created["parent_id"]), (&json!(11), &json!(forum.id().to_string())));
    assert_eq!(scene.program.event("MESSAGE_CREATE").await["channel_id"], post.id().to_string());
    post.archive();
    assert_eq!(scene.program.event("THREAD_UPDATE").await["thread_metadata"]["archived"], true);
    scene.ask_in(&post).await;
    assert_eq!(scene.program.event("THREAD_UPDATE").await["thread_metadata"]["archived"], false);
    scene.program.event("MESSAGE_CREATE").await;
    assert!(!post.is_archived());
    post.delete();
    assert_eq!(scene.program.event("THREAD_DELETE").await["id"], post.id().to_string());
    assert_eq!(scene.call("GET", &format!("/channels/{}", post.id()), Value::Null).await.body["code"], 10003);
}

#[tokio::test]
async fn authors_that_are_no_people_are_marked() {
    let mut scene = Scene::new().await;
    let other = scene.platform.bot("other");
    scene.guild.add_bot(&other);
    other.write(&scene.channel, "beep");
    let event = scene.program.event("MESSAGE_CREATE").await;
    assert_eq!((&event["author"]["bot"], &event["webhook_id"]), (&json!(true), &Value::Null));
    let posted = scene.channel.webhook_writes("CI", "boop");
    let event = scene.program.event("MESSAGE_CREATE").await;
    assert_eq!((&event["author"]["username"], &event["member"]), (&json!("CI"), &Value::Null));
    assert_eq!(event["webhook_id"], event["author"]["id"]);
    assert!(matches!(scene.channel.message(posted).from, From::Webhook(_)));
    scene.sam.send(&scene.channel, Post::system(7));
    assert_eq!(scene.program.event("MESSAGE_CREATE").await["type"], 7);
    let own = scene.ask_in(&scene.channel).await;
    let event = scene.program.event("MESSAGE_CREATE").await;
    assert_eq!(
        (&event["id"], &event["author"]["id"]),
        (&json!(own.to_string()), &json!(scene.bot.id().to_string()))
    );
}

#[tokio::test]
async fn permissions_follow_roles_and_overwrites() {
    let scene = Scene::new().await;
    let (guild, channel, bot) = (&scene.guild, &scene.channel, &scene.bot);
    let path = format!("/channels/{}/messages", channel.id());
    let role = guild.role("Writers", permission::SEND_MESSAGES);
    let admin = guild.role("Admins", permission::ADMINISTRATOR);
    let steps: [(&str, &dyn Fn(), u16); 7] = [
        ("at first", &|| (), 200),
        ("nobody writes", &|| guild.set_everyone(permission::VIEW_CHANNEL), 403),
        ("by role", &|| guild.give_bot(bot, &role), 200),
        ("the channel denies everybody", &|| channel.overwrite_everyone(0, permission::SEND_MESSAGES), 403),
        ("the channel allows the role", &|| channel.overwrite_role(&role, permission::SEND_MESSAGES, 0), 200),
        ("the channel denies the bot", &|| channel.overwrite_bot(bot, 0, permission::SEND_MESSAGES), 403),
        ("administrators may all", &|| guild.give_bot(bot, &admin), 200),
    ];
    for (name, step, status) in steps {
        step();
        assert_eq!(scene.call("POST", &path, json!({ "content": "x" })).await.status, status, "{name}");
    }
    let member = scene.ok("GET", &format!("/guilds/{}/members/{}", guild.id(), bot.id()), Value::Null).await;
    assert_eq!(member["roles"], json!([role.id().to_string(), admin.id().to_string()]));
    let told = scene.ok("GET", &format!("/channels/{}", channel.id()), Value::Null).await;
    let denied = &told["permission_overwrites"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["type"] == 1)
        .unwrap()["deny"];
    assert_eq!(denied, &json!(permission::SEND_MESSAGES.to_string()));
}

#[tokio::test]
async fn direct_messages_need_something_in_common() {
    let mut scene = Scene::new().await;
    let kim = scene.platform.person("Kim");
    let body = json!({ "recipient_id": kim.id().to_string() });
    let channel = scene.ok("POST", "/users/@me/channels", body.clone()).await;
    assert_eq!(
        (&channel["type"], &channel["recipients"][0]["id"]),
        (&json!(1), &json!(kim.id().to_string()))
    );
    let path = format!("/channels/{}/messages", channel["id"].as_str().unwrap());
    assert_eq!(scene.call("POST", &path, json!({ "content": "x" })).await.body["code"], 50278);
    let direct = kim.open(&scene.bot);
    assert_eq!(
        scene.ok("POST", "/users/@me/channels", body).await["id"],
        direct.id().to_string(),
        "the same one"
    );
    scene.ok("POST", &path, json!({ "content": "Hello" })).await;
    assert_eq!(scene.program.event("MESSAGE_CREATE").await["guild_id"], Value::Null);
    assert_eq!(direct.until_seen("Hello").await.from, From::Bot(scene.bot.id()));
}
