//! Faults on demand: floods, errors, lost answers, held calls and garbage; rates; lives of triggers and reply addresses.

use askrelay_kit::slack::{Fault, Rates, StandIn};
use serde_json::{Value, json};

use super::{Scene, text};

fn words(scene: &Scene, text: &str) -> Value {
    json!({ "channel": scene.direct.id(), "text": text })
}

#[tokio::test]
async fn faults_happen_in_order_and_then_no_more() {
    let scene = Scene::new();
    let faults = [
        Fault::Refuse(200, "is_archived".to_owned()),
        Fault::Refuse(500, "internal_error".to_owned()),
        Fault::RefuseAfter(500, "fatal_error".to_owned()),
        Fault::Flood(7),
        Fault::DropBefore,
        Fault::DropAfter,
        Fault::Garbage,
    ];
    for fault in faults {
        scene.platform.fail("chat.postMessage", 1, fault);
    }
    let rows = [
        ("refused", 200, "is_archived"),
        ("an error", 500, "internal_error"),
        ("an error after", 500, "fatal_error"),
        ("a flood", 429, "ratelimited"),
    ];
    for (name, status, error) in rows {
        let (said, body) = scene.call("chat.postMessage", words(&scene, name)).await;
        assert_eq!((said, &body["error"]), (status, &json!(error)), "{name}");
    }
    for lost in ["dropped before", "dropped after", "garbage"] {
        let token = scene.app.bot_token();
        let called = scene.platform.call(&token, "chat.postMessage", &words(&scene, lost)).await;
        called.expect_err(lost);
    }
    scene.ok("chat.postMessage", words(&scene, "fine")).await;
    let texts: Vec<String> = scene.direct.from_apps().into_iter().map(|message| message.text).collect();
    assert_eq!(texts, ["an error after", "dropped after", "garbage", "fine"]);
    let calls = scene.platform.calls_of("chat.postMessage");
    let statuses: Vec<_> = calls.iter().map(|call| call.status.unwrap()).collect();
    assert_eq!(statuses, [200, 500, 500, 429, 0, 0, 200, 200]);
}

#[tokio::test]
async fn the_server_in_front_answers_in_its_own_way() {
    let scene = Scene::new();
    scene.platform.fail("*", 1, Fault::Refuse(502, "bad_gateway".to_owned()));
    let token = scene.app.bot_token();
    scene.platform.call(&token, "auth.test", &json!({})).await.expect_err("an answer that is not JSON");
    scene.ok("auth.test", json!({})).await;
}

#[tokio::test]
async fn a_held_request_takes_effect_when_it_is_released_and_a_held_answer_at_once() {
    let scene = Scene::new();
    let hold = scene.platform.hold_requests("chat.postMessage", 1);
    let release = async {
        scene.platform.until_called("chat.postMessage", 1).await;
        assert_eq!(scene.direct.from_apps(), []);
        hold.release();
    };
    tokio::join!(scene.ok("chat.postMessage", words(&scene, "one")), release);
    let hold = scene.platform.hold_answers("chat.postMessage", 1);
    let release = async {
        scene.direct.until_seen("two").await;
        assert_eq!(scene.platform.calls_of("chat.postMessage")[1].status, None, "not answered yet");
        hold.release();
    };
    tokio::join!(scene.ok("chat.postMessage", words(&scene, "two")), release);
}

#[tokio::test]
async fn nothing_is_answered_while_the_connection_is_cut() {
    let scene = Scene::new();
    let mut listener = scene.listen().await;
    scene.platform.cut();
    assert_eq!(listener.frame().await, None, "an open socket");
    let token = scene.app.bot_token();
    scene.platform.call(&token, "auth.test", &json!({})).await.expect_err("a new call");
    scene.sam.write(&scene.direct, "red");
    scene.platform.mend();
    assert_eq!(scene.listen().await.event().await["text"], "red");
}

#[tokio::test]
async fn rates_are_kept_by_channel_and_method() {
    let scene = Scene::new();
    scene.platform.set_rates(Rates { channel: Some((1, 1)), method: Some((2, 60)) });
    scene.ok("chat.postMessage", words(&scene, "one")).await;
    scene.ok("chat.postMessage", json!({ "channel": scene.channel.id(), "text": "elsewhere" })).await;
    let (status, body) = scene.call("chat.postMessage", words(&scene, "two")).await;
    assert_eq!((status, &body["error"]), (429, &json!("ratelimited")));
    scene.platform.pass(1);
    scene.ok("chat.postMessage", words(&scene, "two")).await;
    for expected in [200, 200, 429] {
        assert_eq!(scene.call("auth.test", json!({})).await.0, expected);
    }
    scene.platform.pass(60);
    scene.ok("auth.test", json!({})).await;
}

#[tokio::test]
async fn a_trigger_is_good_once_and_for_three_seconds() {
    let scene = Scene::new();
    let ts = scene.ask(&scene.direct).await;
    let view = json!({
        "type": "modal", "title": { "type": "plain_text", "text": "More" }, "blocks": [{ "type": "divider" }],
    });
    let open = async |trigger: &str| {
        let params = json!({ "trigger_id": trigger, "view": view });
        scene.call("views.open", params).await.1["error"].as_str().unwrap_or("ok").to_owned()
    };
    assert_eq!(open("1.2.3").await, "invalid_trigger_id");
    let trigger = scene.sam.tap(&scene.direct, &ts, "Red").trigger_id();
    scene.platform.pass(3);
    assert_eq!(open(&trigger).await, "ok");
    assert_eq!(open(&trigger).await, "exchanged_trigger_id");
    let trigger = scene.sam.tap(&scene.direct, &ts, "Red").trigger_id();
    scene.platform.pass(4);
    assert_eq!(open(&trigger).await, "expired_trigger_id");
}

#[tokio::test]
async fn a_reply_address_is_good_five_times_and_for_half_an_hour() {
    let scene = Scene::new();
    let ts = scene.ask(&scene.channel).await;
    let post = async |url: &str, body: Value| StandIn::post_json(url, &body).await.unwrap();
    let url = scene.sam.tap(&scene.channel, &ts, "Red").response_url().unwrap();
    assert_eq!(post(&url, json!({})).await.0, 400, "nothing to say uses nothing up");
    for number in 1..=5 {
        assert_eq!(post(&url, json!({ "text": format!("note {number}") })).await.0, 200);
    }
    let (status, body) = post(&url, json!({ "text": "more" })).await;
    assert_eq!((status, &body["error"]), (404, &json!("used_url")));
    assert_eq!(scene.sam.ephemerals(&scene.channel).len(), 5);
    assert_eq!(scene.channel.messages().len(), 1, "nobody else sees them");
    let url = scene.sam.tap(&scene.channel, &ts, "Red").response_url().unwrap();
    scene.platform.pass(1800);
    let replace = json!({ "text": "Done", "replace_original": true });
    assert_eq!(post(&url, replace).await.0, 200);
    assert_eq!(scene.channel.message(&ts).body(), "Done");
    post(&url, json!({ "text": "To all", "response_type": "in_channel" })).await;
    scene.channel.until_seen("To all").await;
    scene.platform.pass(1);
    let (_, body) = post(&url, json!({ "text": "late" })).await;
    assert_eq!(body["error"], "expired_url");
    assert_eq!(text(&body["error"]), "expired_url");
}
