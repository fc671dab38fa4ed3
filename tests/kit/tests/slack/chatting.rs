//! What people do, what their apps receive of it, and what people see.

use serde_json::json;

use super::{Scene, text};

#[tokio::test]
async fn a_person_presses_and_is_answered() {
    let scene = Scene::new();
    let mut listener = scene.listen().await;
    let ts = scene.ask(&scene.channel).await;
    assert_eq!(listener.event().await["bot_id"], scene.app.bot_id(), "its own message comes too");
    let tap = scene.sam.tap(&scene.channel, &ts, "Blue");
    let frame = listener.frame().await.unwrap();
    let payload = &frame["payload"];
    assert_eq!(
        (&frame["type"], &payload["type"], &payload["actions"][0]["value"]),
        (&json!("interactive"), &json!("block_actions"), &json!("Blue"))
    );
    assert_eq!((&payload["message"]["ts"], &payload["user"]["id"]), (&json!(ts), &json!(scene.sam.id())));
    assert_eq!(tap.answer(), None);
    listener.acknowledge(&frame, None).await;
    assert_eq!(tap.answered().await, json!(null));
    let edit = json!({ "channel": scene.channel.id(), "ts": ts, "text": "Blue it is" });
    scene.ok("chat.update", edit).await;
    let seen = scene.channel.message(&ts);
    assert_eq!((seen.body().as_str(), seen.labels(), seen.edited), ("Blue it is", vec![], true));
    let url = text(&payload["response_url"]);
    let (status, _) =
        askrelay_kit::slack::StandIn::post_json(&url, &json!({ "text": "Recorded" })).await.unwrap();
    assert_eq!(status, 200);
    assert_eq!(scene.sam.until_told(&scene.channel, "Recorded").await.from, seen.from);
}

#[tokio::test]
async fn a_person_writes_and_their_app_is_told() {
    let scene = Scene::new();
    let mut listener = scene.listen().await;
    let kim = scene.team.person("Kim");
    scene.channel.add(&kim);
    let ts = scene.sam.write(&scene.direct, "A & B <https://a.example/x");
    let event = listener.event().await;
    let expected = "A &amp; B &lt;https://a.example/x";
    assert_eq!((&event["text"], &event["channel_type"]), (&json!(expected), &json!("im")));
    assert_eq!((&event["ts"], &event["user"]), (&json!(ts), &json!(scene.sam.id())));
    assert_eq!(scene.direct.message(&ts).text, "A & B <https://a.example/x");
    kim.reply(&scene.channel, &kim.write(&scene.channel, "Anyone?"), "Me");
    let root = listener.event().await;
    let reply = listener.event().await;
    assert_eq!((&reply["thread_ts"], &reply["parent_user_id"]), (&root["ts"], &json!(kim.id())));
    assert_eq!(root["thread_ts"], json!(null));
}
