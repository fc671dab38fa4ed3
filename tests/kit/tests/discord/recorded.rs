//! Writes what the stand-in makes to where programs that nobody here wrote look at it, `tests/peers/discord_shapes.py`: events and
//! answers of every kind.

use std::path::Path;

use askrelay_kit::discord::Post;
use serde_json::{Value, json};

use super::{Scene, colours};
use crate::program::Heard;

impl Scene {
    /// Everything that the program was told and did not hear yet, as kind and data.
    async fn told_so_far(&mut self) -> Vec<Value> {
        self.program.say(1, Value::Null).await;
        let mut events = Vec::new();
        loop {
            match self.program.hear().await {
                Heard::Payload(payload) if payload["op"] == 11 => return events,
                Heard::Payload(payload) if payload["op"] == 0 => {
                    events.push(json!({ "event": payload["t"], "data": payload["d"] }));
                }
                other => panic!("no event: {other:?}"),
            }
        }
    }
}

#[tokio::test]
async fn events_and_answers_of_every_kind_are_written_down() {
    let mut scene = Scene::new().await;
    let (sam, guild, bot) = (&scene.sam, &scene.guild, &scene.bot);
    let role = guild.role("Deployers", 0);
    guild.give(sam, &role);
    let (thread, forum) = (guild.thread(&scene.channel, "a thread"), guild.forum("a forum"));
    let post = guild.post(sam, &forum, "a post", "hello");
    let direct = sam.direct(bot);
    for channel in [&scene.channel, &thread, &post, &direct] {
        let question = scene.ask_in(channel).await;
        for said in [
            Post::text("red"),
            Post::text("red").reply_to(question),
            Post::text("red").reply_to(question).quietly(),
            Post::text("red").mentioning(bot),
            Post::voice(),
            Post::picture(),
        ] {
            sam.send(channel, said);
        }
        sam.tap(channel, question, "Red");
        let changed = sam.write(channel, "blue");
        sam.edit(channel, changed, "red");
        sam.delete(channel, changed);
    }
    scene.channel.webhook_writes("deploys", "red");
    let entries = json!([{ "label": "Red", "value": "r" }, { "label": "Blue", "value": "b" }]);
    let menu = json!({ "type": 3, "custom_id": "menu", "max_values": 2, "options": entries });
    let send = format!("/channels/{}/messages", scene.channel.id());
    let rows = json!([{ "type": 1, "components": [menu] }, colours()[0]]);
    let sent = scene.ok("POST", &send, json!({ "content": "Which?", "components": rows })).await;
    let message = sent["id"].as_str().unwrap().parse().unwrap();
    sam.choose(&scene.channel, message, &["Red", "Blue"]);
    let press = sam.tap(&scene.channel, message, "Red");
    let input = |name: &str| json!({ "type": 4, "custom_id": name, "style": 2 });
    let field = json!({ "type": 18, "label": "Why?", "component": input("why") });
    let form = json!({ "custom_id": "form", "title": "Reasons", "components": [field] });
    let callback = format!("/interactions/{}/{}/callback", press.id(), press.token());
    scene.ok("POST", &callback, json!({ "type": 9, "data": form })).await;
    sam.submit(&press.form().await.fill("Why?", "so"));
    let edit = format!("{send}/{message}");
    let (channel, thread, server) = (scene.channel.id(), thread.id(), scene.guild.id());
    let sam = scene.sam.id().to_string();
    // The documents' own example of a direct channel has no name, which the types want.
    let rows = [
        ("D.APIMessage", "PATCH", edit.clone(), json!({ "content": "Which one?" })),
        ("D.APIMessage", "GET", edit, Value::Null),
        ("D.APIUser", "GET", "/users/@me".to_owned(), Value::Null),
        ("D.APIApplication", "GET", "/applications/@me".to_owned(), Value::Null),
        ("D.APITextChannel", "GET", format!("/channels/{channel}"), Value::Null),
        ("D.APIThreadChannel", "GET", format!("/channels/{thread}"), Value::Null),
        (
            "Omit<D.APIDMChannel, 'name'>",
            "POST",
            "/users/@me/channels".to_owned(),
            json!({ "recipient_id": sam }),
        ),
        ("D.APIRole[]", "GET", format!("/guilds/{server}/roles"), Value::Null),
        ("D.APIGuildMember", "GET", format!("/guilds/{server}/members/{sam}"), Value::Null),
    ];
    let mut answers = vec![json!({ "type": "D.APIMessage", "value": sent })];
    for (kind, method, path, body) in rows {
        answers.push(json!({ "type": kind, "value": scene.ok(method, &path, body).await }));
    }
    let events = scene.told_so_far().await;
    assert!(events.len() > 40, "{events:?}");
    let made = json!({ "events": events, "answers": answers });
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("discord-stand-in.json");
    std::fs::write(path, made.to_string()).unwrap();
}
