//! Faults on demand: floods, errors, lost answers, held calls, duplicates and garbage.

use askrelay_kit::telegram::{Fault, Rates};
use serde_json::json;

use super::Scene;

#[tokio::test]
async fn faults_happen_in_order_and_then_no_more() {
    let scene = Scene::new().await;
    let text = |text: &str| json!({ "chat_id": scene.chat.id(), "text": text });
    let refuse = Fault::Refuse(500, "Internal Server Error".to_owned());
    for fault in [refuse, Fault::Flood(7), Fault::DropBefore, Fault::DropAfter, Fault::Garbage] {
        scene.platform.fail("sendMessage", 1, fault);
    }
    let (status, body) = scene.call("sendMessage", text("refused")).await;
    assert_eq!((status, &body["error_code"]), (500, &json!(500)));
    let (status, body) = scene.call("sendMessage", text("flood")).await;
    assert_eq!((status, &body["parameters"]["retry_after"]), (429, &json!(7)));
    assert_eq!(body["description"], "Too Many Requests: retry after 7");
    for lost in ["dropped before", "dropped after", "garbage"] {
        scene.platform.call(&scene.bot.token(), "SendMessage", &text(lost)).await.expect_err(lost);
    }
    scene.ok("sendMessage", text("fine")).await;
    let texts: Vec<String> = scene.chat.from_bots().into_iter().map(|message| message.text).collect();
    assert_eq!(texts, ["dropped after", "garbage", "fine"]);
    let statuses: Vec<_> =
        scene.platform.calls_of("sendMessage").iter().map(|call| call.status.unwrap()).collect();
    assert_eq!(statuses, [500, 429, 0, 0, 200, 200]);
}

#[tokio::test]
async fn the_server_in_front_answers_in_its_own_way() {
    let scene = Scene::new().await;
    scene.platform.fail("*", 1, Fault::Refuse(502, "Bad Gateway".to_owned()));
    let token = scene.bot.token();
    scene.platform.call(&token, "getMe", &json!({})).await.expect_err("an answer that is not JSON");
    scene.ok("getMe", json!({})).await;
}

#[tokio::test]
async fn a_held_request_takes_effect_when_it_is_released_and_a_held_answer_at_once() {
    let scene = Scene::new().await;
    let text = |text: &str| json!({ "chat_id": scene.chat.id(), "text": text });
    let hold = scene.platform.hold_requests("sendMessage", 1);
    let release = async {
        scene.platform.until_called("sendMessage", 1).await;
        assert_eq!(scene.chat.from_bots(), []);
        hold.release();
    };
    tokio::join!(scene.ok("sendMessage", text("one")), release);
    let hold = scene.platform.hold_answers("sendMessage", 1);
    let release = async {
        scene.chat.until_seen("two").await;
        assert_eq!(scene.platform.calls_of("sendMessage")[1].status, None, "not answered yet");
        hold.release();
    };
    tokio::join!(scene.ok("sendMessage", text("two")), release);
}

#[tokio::test]
async fn nothing_is_answered_while_the_connection_is_cut() {
    let scene = Scene::new().await;
    let token = scene.bot.token();
    let params = json!({ "timeout": 50 });
    let polled = scene.platform.call(&token, "getUpdates", &params);
    let (polled, ()) = tokio::join!(polled, async {
        scene.platform.until_called("getUpdates", 3).await;
        scene.platform.cut();
    });
    polled.expect_err("a poll that waited");
    scene.platform.call(&token, "getMe", &json!({})).await.expect_err("a new call");
    scene.platform.mend();
    scene.ok("getMe", json!({})).await;
}

#[tokio::test]
async fn rates_are_kept_by_chat_group_and_bot() {
    let scene = Scene::new().await;
    let group = scene.platform.group("Team");
    group.add_bot(&scene.bot);
    let limits = [
        ("a chat", Rates { chat: Some((1, 1)), ..Rates::default() }, scene.chat.id(), 1, 1),
        ("a group", Rates { group: Some((20, 60)), ..Rates::default() }, group.id(), 20, 60),
        ("all", Rates { overall: Some((30, 2)), ..Rates::default() }, scene.chat.id(), 30, 2),
    ];
    for (name, rates, chat, count, seconds) in limits {
        scene.platform.pass(100);
        scene.platform.set_rates(rates);
        let text = json!({ "chat_id": chat, "text": "x" });
        for _ in 0..count {
            scene.ok("sendMessage", text.clone()).await;
        }
        let (status, body) = scene.call("sendMessage", text.clone()).await;
        assert_eq!((status, &body["parameters"]["retry_after"]), (429, &json!(seconds)), "{name}");
        scene.platform.pass(seconds);
        scene.ok("sendMessage", text).await;
    }
}

#[tokio::test]
async fn updates_come_again_and_strange_ones_come() {
    let scene = Scene::new().await;
    assert!(scene.bot.deliver_again(), "the update of the start was handed out");
    scene.update().await;
    scene.sam.write(&scene.chat, "red");
    let first = scene.update().await;
    scene.bot.deliver_again();
    assert_eq!(scene.update().await, first);
    let unknown = scene.bot.deliver_unknown();
    let garbage = scene.bot.deliver_garbage();
    let updates = scene.updates().await;
    assert_eq!((&updates[0]["update_id"], &updates[1]["update_id"]), (&json!(unknown), &json!(garbage)));
    assert!(updates[0]["thought_received"].is_object() && updates[1]["message"]["chat"].is_array());
}
