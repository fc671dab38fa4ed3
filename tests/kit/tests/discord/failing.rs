//! Faults on demand, and rates.

use askrelay_kit::discord::{Fault, Rates, Route, Scope};
use serde_json::{Value, json};

use super::Scene;

impl Scene {
    async fn send(&self) -> Result<askrelay_kit::discord::Answer, String> {
        let path = format!("/channels/{}/messages", self.channel.id());
        self.platform.call(&self.bot.token(), "POST", &path, &json!({ "content": "x" })).await
    }
}

#[tokio::test]
async fn faults_happen_as_planned_and_then_no_more() {
    let rows = [
        (
            "refused",
            Fault::Refuse(403, 50013, "Missing Permissions".to_owned()),
            Some((403, json!(50013))),
            0,
        ),
        ("broken", Fault::Refuse(500, 0, "500: Internal Server Error".to_owned()), Some((500, json!(0))), 0),
        ("behind the front", Fault::Refuse(502, 0, String::new()), Some((502, Value::Null)), 0),
        ("cut before", Fault::DropBefore, None, 0),
        ("took effect, cut after", Fault::DropAfter, None, 1),
        ("took effect, 500", Fault::FailAfter, Some((500, json!(0))), 1),
        ("took effect, garbage", Fault::Garbage, Some((200, Value::Null)), 1),
    ];
    for (name, fault, expected, messages) in rows {
        let scene = Scene::new().await;
        scene.platform.fail(Route::CreateMessage, 1, fault);
        scene.ok("GET", "/users/@me", Value::Null).await;
        let told = scene.send().await.ok().map(|answer| (answer.status, answer.body["code"].clone()));
        assert_eq!(told, expected, "{name}");
        assert_eq!(scene.channel.from_bots().len(), messages, "{name}");
        let call = scene.platform.calls_of(Route::CreateMessage).remove(0);
        assert_eq!(call.status, Some(expected.map_or(0, |(status, _)| status)), "{name}");
        assert_eq!(scene.send().await.unwrap().status, 200, "{name}");
    }
}

#[tokio::test]
async fn same_fault_may_come_several_times_anywhere() {
    let scene = Scene::new().await;
    scene.platform.fail(None, 2, Fault::DropBefore);
    for expected in [false, false, true] {
        assert_eq!(scene.send().await.is_ok(), expected);
    }
}

#[tokio::test]
async fn flood_tells_how_long_and_for_whom() {
    for (scope, word) in [(Scope::User, "user"), (Scope::Global, "global"), (Scope::Shared, "shared")] {
        let scene = Scene::new().await;
        scene.platform.fail(Route::CreateMessage, 1, Fault::Flood(scope, 1.337));
        let answer = scene.send().await.unwrap();
        assert_eq!((answer.status, answer.headers["retry-after"].as_str()), (429, "2"), "{word}");
        let global = scope == Scope::Global;
        let words = "You are being rate limited.";
        assert_eq!(answer.body, json!({ "message": words, "retry_after": 1.337, "global": global }));
        assert_eq!(answer.headers["x-ratelimit-scope"], word);
        assert_eq!(answer.headers.contains_key("x-ratelimit-global"), global);
        assert_eq!(answer.headers.contains_key("x-ratelimit-bucket"), !global);
        assert!(answer.headers.contains_key("via"), "{word}");
        assert!(scene.channel.from_bots().is_empty(), "{word}");
    }
}

#[tokio::test]
async fn buckets_are_counted_by_route_and_channel() {
    let scene = Scene::new().await;
    scene.platform.set_rates(Rates { bucket: Some((2, 5000)), global: None });
    let header = |answer: &askrelay_kit::discord::Answer, name: &str| answer.headers[name].clone();
    let first = scene.send().await.unwrap();
    assert_eq!(
        (header(&first, "x-ratelimit-limit"), header(&first, "x-ratelimit-remaining")),
        ("2".into(), "1".into())
    );
    assert_eq!(header(&first, "x-ratelimit-reset-after"), "5.000");
    assert_eq!(header(&first, "x-ratelimit-reset"), "1764500005.000");
    scene.platform.pass_ms(1500);
    assert_eq!(header(&scene.send().await.unwrap(), "x-ratelimit-remaining"), "0");
    let refused = scene.send().await.unwrap();
    assert_eq!((refused.status, &refused.body["retry_after"]), (429, &json!(3.5)));
    let other = scene.guild.text_channel("other");
    scene.ask_in(&other).await;
    scene.ok("GET", &format!("/channels/{}", scene.channel.id()), Value::Null).await;
    scene.platform.pass_ms(3500);
    let after = scene.send().await.unwrap();
    assert_eq!(
        (after.status, header(&after, "x-ratelimit-bucket")),
        (200, header(&first, "x-ratelimit-bucket"))
    );
}

#[tokio::test]
async fn global_rate_is_for_all_routes_of_a_bot_but_not_for_interactions() {
    let mut scene = Scene::new().await;
    let question = scene.ask().await;
    scene.platform.set_rates(Rates { bucket: None, global: Some((1, 1000)) });
    scene.ok("GET", "/users/@me", Value::Null).await;
    let refused = scene.send().await.unwrap();
    assert_eq!((refused.status, &refused.body["global"]), (429, &json!(true)));
    let press = scene.sam.tap(&scene.channel, question, "Red");
    let path = format!("/interactions/{}/{}/callback", press.id(), press.token());
    scene.ok("POST", &path, json!({ "type": 6 })).await;
    scene.platform.pass(1);
    assert_eq!(scene.send().await.unwrap().status, 200);
}

#[tokio::test]
async fn held_calls_wait_before_or_after_their_effect() {
    for (is_before, messages) in [(true, 0), (false, 1)] {
        let scene = Scene::new().await;
        let hold = match is_before {
            true => scene.platform.hold_requests(Route::CreateMessage, 1),
            false => scene.platform.hold_answers(Route::CreateMessage, 1),
        };
        let release = async {
            scene.platform.until_called(Route::CreateMessage, 1).await;
            assert_eq!(scene.channel.from_bots().len(), messages);
            hold.release();
        };
        let (answer, ()) = tokio::join!(scene.send(), release);
        assert_eq!((answer.unwrap().status, scene.channel.from_bots().len()), (200, 1));
    }
}

#[tokio::test]
async fn nothing_is_answered_while_the_connection_is_cut() {
    let mut scene = Scene::new().await;
    scene.platform.cut();
    assert!(scene.send().await.is_err());
    assert_eq!(scene.program.closed().await, None);
    scene.platform.mend();
    assert_eq!(scene.send().await.unwrap().status, 200);
}
