//! Fetching updates: what an offset confirms, how long a poll waits, who gets a conflict, and what comes at all.

use serde_json::{Value, json};

use super::Scene;

fn ids(updates: &Value) -> Vec<i64> {
    updates.as_array().unwrap().iter().map(|update| update["update_id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn an_offset_confirms_what_lies_before_it() {
    let scene = Scene::new().await;
    for number in 0..5 {
        scene.sam.write(&scene.chat, &number.to_string());
    }
    let all = ids(&scene.ok("getUpdates", json!({})).await);
    assert_eq!(all.len(), 5);
    assert_eq!(ids(&scene.ok("getUpdates", json!({ "offset": 0 })).await), all, "nothing is confirmed by 0");
    assert_eq!(ids(&scene.ok("getUpdates", json!({ "limit": 2 })).await), all[..2], "the oldest come first");
    assert_eq!(ids(&scene.ok("getUpdates", json!({ "offset": all[2] })).await), all[2..]);
    assert_eq!(
        ids(&scene.ok("getUpdates", json!({ "offset": all[0] })).await),
        all[2..],
        "confirmed is gone"
    );
    assert_eq!(
        ids(&scene.ok("getUpdates", json!({ "offset": -1 })).await),
        all[4..],
        "all but the newest are dropped"
    );
    assert_eq!(ids(&scene.ok("getUpdates", json!({ "offset": all[4] + 1 })).await), [0; 0]);
}

#[tokio::test]
async fn a_limit_is_moved_into_its_bounds() {
    let scene = Scene::new().await;
    for number in 0..101 {
        scene.sam.write(&scene.chat, &number.to_string());
    }
    for (limit, count) in [(0, 1), (1, 1), (100, 100), (1000, 100)] {
        assert_eq!(
            ids(&scene.ok("getUpdates", json!({ "limit": limit })).await).len(),
            count,
            "limit {limit}"
        );
    }
}

#[tokio::test]
async fn a_poll_waits_for_news() {
    let scene = Scene::new().await;
    let poll = scene.ok("getUpdates", json!({ "timeout": 50 }));
    let write = async {
        scene.platform.until_called("getUpdates", 3).await;
        scene.sam.write(&scene.chat, "red");
    };
    let (updates, ()) = tokio::join!(poll, write);
    assert_eq!(updates[0]["message"]["text"], "red");
}

#[tokio::test]
async fn a_poll_waits_50_seconds_at_most() {
    let scene = Scene::new().await;
    let poll = scene.ok("getUpdates", json!({ "timeout": 1000 }));
    let pass = async {
        scene.platform.until_called("getUpdates", 3).await;
        scene.platform.pass(49);
        scene.platform.pass(1);
    };
    let (updates, ()) = tokio::join!(poll, pass);
    assert_eq!(updates, json!([]));
}

#[tokio::test]
async fn a_second_poll_ends_the_first() {
    let scene = Scene::new().await;
    let words =
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
    let first = scene.call("getUpdates", json!({ "timeout": 50 }));
    let second = async {
        scene.platform.until_called("getUpdates", 3).await;
        scene.ok("getUpdates", json!({})).await
    };
    let ((status, body), updates) = tokio::join!(first, second);
    assert_eq!((status, &body["description"], updates), (409, &json!(words), json!([])));
    let third = scene.call("getUpdates", json!({ "timeout": 50 }));
    let elsewhere = async {
        scene.platform.until_called("getUpdates", 5).await;
        scene.bot.poll_elsewhere();
    };
    let ((status, _), ()) = tokio::join!(third, elsewhere);
    assert_eq!(status, 409);
}

#[tokio::test]
async fn the_list_of_wanted_kinds_is_kept() {
    let scene = Scene::new().await;
    let message = scene.ask().await;
    scene.ok("getUpdates", json!({ "allowed_updates": ["callback_query"] })).await;
    scene.sam.write(&scene.chat, "red");
    scene.sam.tap(&scene.chat, message, "Red");
    assert!(scene.update().await["callback_query"].is_object());
    scene.ok("getUpdates", json!({ "allowed_updates": [] })).await;
    scene.sam.write(&scene.chat, "red");
    assert!(scene.update().await["message"].is_object(), "an empty list is the default");
}

#[tokio::test]
async fn numbers_may_begin_anew() {
    let scene = Scene::new().await;
    scene.bot.number_updates_from(7);
    scene.sam.write(&scene.chat, "red");
    assert_eq!(
        ids(&scene.ok("getUpdates", json!({ "offset": 500_000_002 })).await),
        [7],
        "an offset of the old count"
    );
    assert_eq!(ids(&scene.ok("getUpdates", json!({ "offset": 8 })).await), [0; 0]);
}
