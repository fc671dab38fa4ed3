//! The gateway: who may identify, what a session begins with, what a resumed one hears, and how one ends.

use serde_json::{Value, json};

use super::Scene;
use super::program::{Heard, INTENTS, Program, WITH_CONTENT};

#[tokio::test]
async fn gateways_that_are_closed() {
    let scene = Scene::new().await;
    scene.bot.allow_message_content(false);
    let token = scene.bot.token();
    let properties = json!({ "os": "x", "browser": "x", "device": "x" });
    let identify = |token: &str, intents: Value, properties: &Value| json!({ "op": 2, "d": { "token": token, "intents": intents, "properties": properties } });
    let sharded = |shard: Value| {
        let data = json!({ "token": token, "intents": INTENTS, "properties": properties, "shard": shard });
        json!({ "op": 2, "d": data })
    };
    let resume = json!({ "op": 6, "d": { "token": "x", "session_id": "x", "seq": 1 } });
    let rows: Vec<(&str, String, u16)> = vec![
        ("another token", identify("x", json!(INTENTS), &properties).to_string(), 4004),
        ("another token, resumed", resume.to_string(), 4004),
        (
            "an intent that is not allowed",
            identify(&token, json!(WITH_CONTENT), &properties).to_string(),
            4014,
        ),
        (
            "an intent that does not exist",
            identify(&token, json!(1_u64 << 40), &properties).to_string(),
            4013,
        ),
        ("no intents", identify(&token, Value::Null, &properties).to_string(), 4013),
        ("no properties", identify(&token, json!(INTENTS), &Value::Null).to_string(), 4002),
        ("a shard that is none", sharded(json!([1, 1])).to_string(), 4010),
        ("not identified", json!({ "op": 3, "d": {} }).to_string(), 4003),
        ("an unknown number", json!({ "op": 99, "d": {} }).to_string(), 4001),
        ("not JSON", "{".to_owned(), 4002),
        ("too large", json!({ "op": 1, "d": "x".repeat(4096) }).to_string(), 4002),
    ];
    for (name, payload, code) in rows {
        let mut program = Program::open(&scene.platform).await;
        program.say_raw(payload).await;
        assert_eq!(program.hear().await, Heard::Closed(Some(code)), "{name}");
    }
    scene.bot.limit_starts(1, 0);
    let (mut twice, _) = Program::start(&scene.platform, &scene.bot, INTENTS).await;
    twice.identify(&token, INTENTS).await;
    assert_eq!(twice.closed().await, Some(4005), "identified twice");
    let mut often = Program::open(&scene.platform).await;
    often.identify(&token, INTENTS).await;
    assert_eq!(often.closed().await, Some(4004), "identified more often than a day allows");
    assert_ne!(scene.bot.token(), token, "its token was taken back");
}

#[tokio::test]
async fn ready_tells_who_and_where() {
    let scene = Scene::new().await;
    let (mut program, ready) = Program::start(&scene.platform, &scene.bot, WITH_CONTENT).await;
    assert_eq!((&ready["user"]["id"], &ready["v"]), (&json!(scene.bot.id().to_string()), &json!(10)));
    assert_eq!(ready["guilds"], json!([{ "id": scene.guild.id().to_string(), "unavailable": true }]));
    assert_eq!(ready["application"]["flags"], 1 << 19, "message content, for a small bot");
    let guild = program.event("GUILD_CREATE").await;
    assert_eq!(guild["channels"][0]["id"], scene.channel.id().to_string());
    assert_eq!(guild["members"][0]["user"]["id"], scene.bot.id().to_string());
    scene.guild.kick_bot(&scene.bot);
    assert_eq!(program.event("GUILD_DELETE").await["id"], scene.guild.id().to_string());
    scene.guild.add_bot(&scene.bot);
    program.event("GUILD_CREATE").await;
}

#[tokio::test]
async fn resumed_session_hears_what_it_missed() {
    let mut scene = Scene::new().await;
    let (mut program, ready) = Program::start(&scene.platform, &scene.bot, WITH_CONTENT).await;
    program.event("GUILD_CREATE").await;
    scene.sam.write(&scene.channel, "heard");
    program.event("MESSAGE_CREATE").await;
    scene.bot.drop_gateway();
    assert_eq!(program.closed().await, None, "without a word");
    scene.sam.write(&scene.channel, "missed");
    let mut again =
        Program::open_at(&format!("{}?v=10", ready["resume_gateway_url"].as_str().unwrap())).await;
    // READY, GUILD_CREATE, MESSAGE_CREATE
    again.resume(&scene.bot.token(), &ready["session_id"], 3).await;
    let missed = again.payload().await;
    assert_eq!((&missed["s"], &missed["d"]["content"]), (&json!(4), &json!("missed")));
    again.event("RESUMED").await;
    again.nothing_more().await;
    assert_eq!(scene.bot.resumed(), 1);
    assert_eq!(scene.program.closed().await, None, "the scene's own was dropped too");
}

#[tokio::test]
async fn sessions_that_cannot_be_resumed() {
    let scene = Scene::new().await;
    let token = scene.bot.token();
    let rows: [(&str, u64, u16, i64, bool); 6] = [
        ("in time", 1, 4000, 300, true),
        ("too late", 1, 4000, 301, false),
        ("a number that was never told", 99, 4000, 0, false),
        ("closed by the bot in the ordinary way", 1, 1000, 0, false),
        ("closed because it leaves", 1, 1001, 0, false),
        ("closed in another way", 1, 4900, 0, true),
    ];
    for (name, seq, code, seconds, is_resumed) in rows {
        let (program, ready) = Program::start(&scene.platform, &scene.bot, 1).await;
        program.close(code).await;
        scene.bot.until_gateways(1).await;
        scene.platform.pass(seconds);
        let mut again = Program::open(&scene.platform).await;
        again.resume(&token, &ready["session_id"], seq).await;
        match again.hear().await {
            Heard::Payload(payload) if payload["op"] == 9 => {
                assert_eq!((&payload["d"], is_resumed), (&json!(false), false), "{name}");
            }
            Heard::Payload(payload) => assert!(is_resumed && payload["op"] == 0, "{name}: {payload}"),
            Heard::Closed(code) => assert_eq!((code, is_resumed), (Some(4007), false), "{name}"),
        }
        again.close(1000).await;
        scene.bot.until_gateways(1).await;
    }
    let mut other = Program::open(&scene.platform).await;
    other.resume(&token, &json!("nobody's"), 1).await;
    assert_eq!(other.payload().await["op"], 9, "an unknown session");
    other.identify(&token, INTENTS).await;
    other.event("READY").await;
}

#[tokio::test]
async fn gateway_does_what_it_is_told() {
    let mut scene = Scene::new().await;
    scene.program.nothing_more().await;
    scene.bot.ask_for_heartbeat();
    assert_eq!(scene.program.payload().await["op"], 1);
    scene.bot.withhold_acknowledgements(true);
    scene.program.say(1, json!(2)).await;
    scene.bot.ask_to_reconnect();
    assert_eq!(scene.program.payload().await["op"], 7, "and no acknowledgement before it");
    scene.bot.withhold_acknowledgements(false);
    scene.bot.invalidate_session(true);
    assert_eq!(scene.program.payload().await["d"], true);
    scene.program.nothing_more().await;
    scene.bot.close_gateway(4000);
    assert_eq!(scene.program.closed().await, Some(4000));
    let (mut program, _) = Program::start(&scene.platform, &scene.bot, 1).await;
    program.event("GUILD_CREATE").await;
    scene.bot.invalidate_session(false);
    let payload = program.payload().await;
    assert_eq!((&payload["op"], &payload["d"]), (&json!(9), &json!(false)));
    scene.sam.write(&scene.channel, "to nobody");
    program.nothing_more().await;
}

#[tokio::test]
async fn events_come_twice_or_never_on_demand() {
    let mut scene = Scene::new().await;
    scene.sam.write(&scene.channel, "once");
    let first = scene.program.payload().await;
    assert!(scene.bot.deliver_again());
    let second = scene.program.payload().await;
    assert_eq!((&first["d"], &first["t"]), (&second["d"], &second["t"]));
    assert_eq!(second["s"].as_u64(), first["s"].as_u64().map(|seq| seq + 1));
    scene.bot.lose_events(1);
    scene.sam.write(&scene.channel, "lost");
    scene.sam.write(&scene.channel, "found");
    let found = scene.program.payload().await;
    assert_eq!(
        (&found["d"]["content"], &found["s"]),
        (&json!("found"), &json!(second["s"].as_u64().unwrap() + 2))
    );
    scene.bot.deliver_unknown();
    scene.program.event("THOUGHT_RECEIVED").await;
    scene.bot.deliver_garbage();
    assert_eq!(scene.program.event("MESSAGE_CREATE").await["id"], "many");
    scene.bot.until_told().await;
}

#[tokio::test]
async fn only_the_known_version_is_spoken() {
    let scene = Scene::new().await;
    let url = format!("{}?v=6", scene.platform.gateway_url());
    let (socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
    assert_eq!(Program::over(socket).closed().await, Some(4012));
}

#[tokio::test]
async fn cut_gateways_are_not_reached_while_rest_goes_on() {
    let mut scene = Scene::new().await;
    scene.platform.cut_gateways();
    assert_eq!(scene.program.closed().await, None);
    let url = format!("{}?v=10", scene.platform.gateway_url());
    assert!(tokio_tungstenite::connect_async(&url).await.is_err());
    scene.ok("GET", "/users/@me", Value::Null).await;
    scene.platform.mend();
    Program::open_at(&url).await;
}
