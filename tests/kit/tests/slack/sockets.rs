//! Sockets: who gets what, what is acknowledged, what comes again, and how they end.

use askrelay_kit::slack::Disconnect;
use serde_json::{Value, json};

use super::Scene;
use super::listener::{Listener, address};

#[tokio::test]
async fn an_address_is_good_once_and_for_a_while() {
    let scene = Scene::new();
    let url = address(&scene.platform, &scene.app).await;
    let listener = Listener::connect_to(&url).await.unwrap();
    let hello = &listener.hello;
    assert_eq!((&hello["type"], &hello["num_connections"]), (&json!("hello"), &json!(1)));
    assert_eq!(hello["connection_info"]["app_id"], scene.app.id());
    assert!(hello["debug_info"]["approximate_connection_time"].is_u64(), "{hello}");
    assert!(Listener::connect_to(&url).await.is_err(), "a second time");
    let url = address(&scene.platform, &scene.app).await;
    scene.platform.pass(31);
    assert!(Listener::connect_to(&url).await.is_err(), "too late");
}

#[tokio::test]
async fn any_one_of_several_sockets_gets_a_delivery() {
    let scene = Scene::new();
    let (mut one, mut other) = (scene.listen().await, scene.listen().await);
    assert_eq!(other.hello["num_connections"], 2);
    for (index, listener) in [(1, &mut other), (0, &mut one)] {
        scene.app.prefer_socket(index);
        let text = format!("to {index}");
        scene.sam.write(&scene.direct, &text);
        assert_eq!(listener.event().await["text"], json!(text));
    }
    scene.sam.write(&scene.direct, "first");
    scene.sam.write(&scene.direct, "second");
    let texts = [one.event().await["text"].clone(), other.event().await["text"].clone()];
    assert!(texts.contains(&json!("first")) && texts.contains(&json!("second")), "{texts:?}");
}

#[tokio::test]
async fn an_eleventh_socket_is_sent_away() {
    let scene = Scene::new();
    let mut sockets = Vec::new();
    for _ in 0..10 {
        sockets.push(scene.listen().await);
    }
    let mut eleventh = scene.listen().await;
    assert_eq!(eleventh.hello["reason"], "too_many_websockets");
    assert_eq!(eleventh.frame().await, None);
    scene.app.until_connected(10).await;
}

#[tokio::test]
async fn an_event_that_is_not_acknowledged_comes_again_in_time() {
    let scene = Scene::new();
    let mut listener = scene.listen().await;
    scene.sam.write(&scene.direct, "red");
    let first = listener.frame().await.unwrap();
    assert_eq!((&first["retry_attempt"], &first["type"]), (&json!(0), &json!("events_api")));
    assert_eq!(first["accepts_response_payload"], false);
    for (attempt, seconds) in [(1, 4), (2, 64), (3, 304)] {
        scene.platform.pass(seconds);
        let again = listener.frame().await.unwrap();
        assert_eq!(
            (&again["retry_attempt"], &again["retry_reason"]),
            (&json!(attempt), &json!("timeout")),
            "{attempt}"
        );
        assert_eq!((&again["envelope_id"], &again["payload"]), (&first["envelope_id"], &first["payload"]));
    }
    scene.platform.pass(4);
    assert!(scene.app.deliveries()[0].lost, "no more than three times");
    listener.acknowledge(&first, None).await;
    scene.app.until_deliveries("an acknowledgement after all", |all| all[0].taken.then_some(())).await;
}

#[tokio::test]
async fn what_was_acknowledged_comes_again_on_order() {
    let scene = Scene::new();
    let mut listener = scene.listen().await;
    let ts = scene.ask(&scene.direct).await;
    listener.event().await;
    let tap = scene.sam.tap(&scene.direct, &ts, "Red");
    let first = listener.frame().await.unwrap();
    listener.acknowledge(&first, None).await;
    tap.answered().await;
    assert!(scene.app.deliver_again());
    let again = listener.frame().await.unwrap();
    assert_eq!((&again["envelope_id"], &again["payload"]), (&first["envelope_id"], &first["payload"]));
    listener.acknowledge(&again, None).await;
    scene.app.until_quiet().await;
    assert_eq!(scene.app.deliveries()[1].answers, [Value::Null, Value::Null]);
}

#[tokio::test]
async fn a_dropped_socket_loses_no_event_and_no_press_is_brought_again() {
    let scene = Scene::new();
    let mut listener = scene.listen().await;
    let ts = scene.ask(&scene.direct).await;
    listener.event().await;
    scene.sam.write(&scene.direct, "red");
    listener.frame().await.unwrap();
    let tap = scene.sam.tap(&scene.direct, &ts, "Red");
    listener.frame().await.unwrap();
    scene.app.drop_sockets();
    assert_eq!(listener.frame().await, None);
    scene.app.until_connected(0).await;
    let lost = scene.sam.tap(&scene.direct, &ts, "Red");
    assert_eq!(lost.failed().await, "the app is not connected");
    let mut second = scene.listen().await;
    assert_eq!(second.event().await["text"], "red");
    scene.platform.pass(4);
    assert_eq!(tap.failed().await, "the app did not answer in time");
    scene.sam.write(&scene.direct, "blue");
    assert_eq!(second.event().await["text"], "blue", "the press did not come again");
}

#[tokio::test]
async fn sockets_end_as_the_platform_says() {
    let rows = [
        (Disconnect::Warning, "warning", 10),
        (Disconnect::RefreshRequested, "refresh_requested", 10),
        (Disconnect::LinkDisabled, "link_disabled", 0),
    ];
    for (reason, word, seconds) in rows {
        let scene = Scene::new();
        let mut old = scene.listen().await;
        scene.app.disconnect(reason);
        let told = old.frame().await.unwrap();
        assert_eq!((&told["type"], &told["reason"]), (&json!("disconnect"), &json!(word)));
        if seconds > 0 {
            let mut new = scene.listen().await;
            scene.sam.write(&scene.direct, "red");
            assert_eq!(new.event().await["text"], "red", "{word}: the new one gets what comes");
            scene.platform.pass(seconds);
        }
        assert_eq!(old.frame().await, None, "{word}");
    }
}

#[tokio::test]
async fn sockets_can_be_switched_off() {
    let scene = Scene::new();
    scene.app.disconnect(Disconnect::LinkDisabled);
    let open = async || {
        scene.platform.call(&scene.app.app_token(), "apps.connections.open", &json!({})).await.unwrap().1
    };
    assert_eq!(open().await["error"], "link_disabled");
    scene.app.enable_sockets();
    assert_eq!(open().await["ok"], true);
}

#[tokio::test]
async fn what_means_nothing_is_complained_of() {
    let scene = Scene::new();
    let mut listener = scene.listen().await;
    scene.sam.write(&scene.direct, "red");
    let frame = listener.frame().await.unwrap();
    listener.acknowledge(&json!({ "envelope_id": "none" }), None).await;
    listener.acknowledge(&frame, Some(json!({ "text": "hello" }))).await;
    scene.app.until_quiet().await;
    let complaints = scene.app.complaints();
    assert!(complaints[0].contains("was not sent"), "{complaints:?}");
    assert!(complaints[1].contains("takes no answer"), "{complaints:?}");
}

#[tokio::test]
async fn strange_things_come() {
    let scene = Scene::new();
    let mut listener = scene.listen().await;
    scene.app.deliver_unknown();
    assert_eq!(listener.event().await["type"], "thought_received");
    scene.app.deliver_frame("{\"type\":\"whisper\"}");
    assert_eq!(listener.frame().await, Some(json!({ "type": "whisper" })));
}
