//! Presses, choices and forms, and how they are answered.

use askrelay_kit::discord::Answered;
use serde_json::json;

use super::Scene;

#[tokio::test]
async fn press_arrives_and_is_answered() {
    let mut scene = Scene::new().await;
    let question = scene.ask().await;
    let press = scene.sam.tap(&scene.channel, question, "Red");
    let event = scene.program.event("INTERACTION_CREATE").await;
    assert_eq!(event["data"]["custom_id"], "red");
    assert_eq!(event["member"]["user"]["id"], scene.sam.id().to_string());
    assert_eq!(event["message"]["id"], question.to_string());
    let path = format!("/interactions/{}/{}/callback", press.id(), press.token());
    assert_eq!(scene.call("POST", &path, json!({ "type": 6 })).await.status, 204);
    assert_eq!(press.answered().await, Answered::Silent);
    scene.program.nothing_more().await;
}
