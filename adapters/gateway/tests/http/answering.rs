//! Waiting and answering: who wins, what the others hear, and what an asker gets when nobody answered.

use askrelay_core::permit::WireScope;
use serde_json::{Value, json};

use crate::world::{BEGIN, World, question, question_with};

fn asked(extra: Value) -> Value {
    let mut body = question_with(json!({"id": "x"}));
    body["questions"][0]
        .as_object_mut()
        .expect("an object")
        .extend(extra.as_object().expect("an object").clone());
    body
}

#[tokio::test(start_paused = true)]
async fn bodies_that_answer_and_bodies_that_do_not() {
    let other = json!({"isOther": true});
    let none = json!({});
    let cases = [
        (
            "a label",
            &none,
            json!({"answers": {"target": ["Production"]}}),
            200,
            json!({"target": ["Production"]}),
        ),
        (
            "own words",
            &other,
            json!({"answers": {"target": ["the moon"]}}),
            200,
            json!({"target": ["the moon"]}),
        ),
        ("a typed label", &none, json!({"text": " Staging "}), 200, json!({"target": ["Staging"]})),
        ("a typed number", &none, json!({"text": "2"}), 200, json!({"target": ["Production"]})),
        ("typed own words", &other, json!({"text": "the moon"}), 200, json!({"target": ["the moon"]})),
        ("no such label", &none, json!({"answers": {"target": ["the moon"]}}), 422, json!("invalid_answer")),
        (
            "two labels",
            &none,
            json!({"answers": {"target": ["Staging", "Production"]}}),
            422,
            json!("invalid_answer"),
        ),
        ("no such question", &none, json!({"answers": {"x": ["Staging"]}}), 422, json!("invalid_answer")),
        ("nothing", &none, json!({"answers": {}}), 422, json!("invalid_answer")),
        ("an unclear text", &none, json!({"text": "the moon"}), 422, json!("unclear")),
        ("an empty text", &other, json!({"text": " "}), 422, json!("unclear")),
        ("an empty body", &none, json!({}), 422, json!("invalid")),
        ("two ways at once", &none, json!({"text": "1", "skip": true}), 422, json!("invalid")),
        ("no skip", &none, json!({"skip": false}), 422, json!("invalid")),
        ("null", &none, json!({"text": null}), 422, json!("invalid")),
        ("an unknown member", &none, json!({"text": "1", "by": "me"}), 422, json!("invalid")),
        ("a list", &none, json!([1]), 422, json!("invalid")),
        ("no attempt", &none, json!({"text": "1", "resolutionId": ""}), 422, json!("invalid")),
    ];
    for (name, extra, body, status, expected) in cases {
        let mut world = World::new().await;
        let token = world.owner().await;
        world.ask(&token, asked(extra.clone())).await;
        let answered = world.send(&token, "POST", "/v1/asks/x/answer", Some(body)).await;
        assert_eq!(answered.status, status, "{name}: {answered:?}");
        let got = if status == 200 { answered.json()["answers"].clone() } else { json!(answered.code()) };
        assert_eq!(got, expected, "{name}");
        let pending = world.send(&token, "GET", "/v1/asks/x", None).await.json()["status"] == "pending";
        assert_eq!(pending, status != 200, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_answer_wins_and_the_second_is_told_what_was_recorded() {
    let mut world = World::new().await;
    let token = world.owner().await;
    world.ask(&token, asked(json!({}))).await;
    let body = |label: &str, attempt: &str| {
        Some(json!({"answers": {"target": [label]}, "notes": {"target": "now"}, "resolutionId": attempt}))
    };
    let first = world.send(&token, "POST", "/v1/asks/x/answer", body("Staging", "one")).await;
    assert_eq!(first.status, 200);
    let outcome = first.json();
    assert_eq!(outcome["answers"], json!({"target": ["Staging"]}));
    assert_eq!(outcome["notes"], json!({"target": "now"}));
    assert_eq!(outcome["by"], json!({"person": "owner", "name": "owner", "way": "call"}));
    assert_eq!(outcome["endedAtMs"], BEGIN);

    let repeated = world.send(&token, "POST", "/v1/asks/x/answer", body("Staging", "one")).await;
    assert_eq!((repeated.status, repeated.json()), (200, outcome));
    let second = world.send(&token, "POST", "/v1/asks/x/answer", body("Production", "two")).await;
    assert_eq!((second.status, second.code()), (409, "already_ended".to_owned()));
    assert_eq!(second.json()["error"]["record"]["answers"]["answers"], json!({"target": ["Staging"]}));
    let withdrawn = world.send(&token, "DELETE", "/v1/asks/x", None).await;
    assert_eq!((withdrawn.status, withdrawn.code()), (409, "already_ended".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_skip_declines_the_whole_ask() {
    let mut world = World::new().await;
    let token = world.owner().await;
    world.ask(&token, asked(json!({}))).await;
    let skipped = world.send(&token, "POST", "/v1/asks/x/answer", Some(json!({"skip": true}))).await;
    assert_eq!(skipped.status, 200, "{skipped:?}");
    let outcome = skipped.json();
    assert_eq!((&outcome["status"], &outcome["noAnswer"]), (&json!("cancelled"), &json!("declined")));
    assert_eq!(outcome["by"]["person"], "owner");
}

#[tokio::test(start_paused = true)]
async fn a_wait_ends_with_its_own_time_or_with_the_answer() {
    let mut world = World::new().await;
    let token = world.owner().await;
    world.ask(&token, asked(json!({}))).await;
    for wait in ["", "?wait=0", "?wait=60"] {
        let pending = world.send(&token, "GET", &format!("/v1/asks/x/answer{wait}"), None).await;
        assert_eq!(pending.status, 202, "{wait}: {pending:?}");
        assert_eq!(pending.json()["status"], "pending", "{wait}");
    }
    let waiting = world.send(&token, "GET", "/v1/asks/x/answer?wait=60", None);
    let answering = async {
        tokio::task::yield_now().await;
        world.send(&token, "POST", "/v1/asks/x/answer", Some(json!({"text": "1"}))).await
    };
    let (waited, answered) = tokio::join!(waiting, answering);
    assert_eq!((waited.status, waited.json()), (200, answered.json()));
}

#[tokio::test(start_paused = true)]
async fn an_asker_whose_time_is_over_gets_the_reason_and_its_own_values() {
    let cases = [
        ("nothing", json!("fail"), Value::Null),
        ("values", json!({"default": {"target": ["Staging"]}}), json!({"target": ["Staging"]})),
    ];
    for (name, when, expected) in cases {
        let mut world = World::new().await;
        let token = world.owner().await;
        world.ask(&token, question_with(json!({"id": "x", "timeout": 5, "whenUnanswered": when}))).await;
        let waited = world.send(&token, "GET", "/v1/asks/x/answer?wait=60", None).await;
        assert_eq!(waited.status, 200, "{name}: {waited:?}");
        let outcome = waited.json();
        assert_eq!(
            (&outcome["answered"], &outcome["noAnswer"]),
            (&json!(false), &json!("expired")),
            "{name}"
        );
        assert_eq!(outcome["answers"], expected, "{name}");
        let late = world.send(&token, "POST", "/v1/asks/x/answer", Some(json!({"text": "2"}))).await;
        assert_eq!(late.status, 409, "{name}");
        let outcome = world.send(&token, "GET", "/v1/asks/x/answer", None).await.json();
        assert_eq!(outcome["late"][0]["answers"], json!({"target": ["Production"]}), "{name}");
        assert_eq!(outcome["answers"], expected, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_local_process_asks_and_waits_but_never_answers() {
    let mut world = World::new().await;
    let asked = world.send_local("POST", "/v1/asks", Some(question())).await;
    assert_eq!(asked.status, 201, "{asked:?}");
    let path = format!("/v1/asks/{}/answer", asked.json()["id"].as_str().expect("an id"));
    for body in [json!({"text": "1"}), json!({"answers": {"target": ["Staging"]}}), json!({"skip": true})] {
        let refused = world.send_local("POST", &path, Some(body)).await;
        assert_eq!((refused.status, refused.code()), (403, "not_permitted".to_owned()));
        assert!(refused.body.contains("askrelay login"), "the way out: {refused:?}");
    }
    assert_eq!(world.send_local("GET", &path, None).await.status, 202);
    let person = world.token(Some("owner"), &[WireScope::Questions]).await;
    let answered = world.send(&person, "POST", &path, Some(json!({"text": "1"}))).await;
    assert_eq!(answered.status, 200, "{answered:?}");
    assert_eq!(world.send_local("GET", &path, None).await.json()["answered"], true);
}
