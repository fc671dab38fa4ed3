//! Making asks, reading them back, taking them back.

use serde_json::json;

use crate::world::{BEGIN, World, question, question_with};

#[tokio::test(start_paused = true)]
async fn an_ask_is_made_once_however_often_it_is_sent() {
    let mut world = World::new().await;
    let token = world.owner().await;
    let body = question_with(json!({"id": "a/b", "timeout": 60, "label": "release"}));
    let first = world.send(&token, "POST", "/v1/asks", Some(body.clone())).await;
    assert_eq!((first.status, first.headers["location"].as_str()), (201, "/v1/asks/a%2Fb"), "{first:?}");
    let record = first.json();
    assert_eq!(record["status"], "pending");
    assert_eq!(record["label"], "release");
    assert_eq!(record["createdAtMs"], BEGIN);
    assert_eq!(record["expiresAtMs"], BEGIN + 60_000);
    assert_eq!(record["creator"]["person"], "owner");

    let again = world.send(&token, "POST", "/v1/asks", Some(body)).await;
    assert_eq!((again.status, again.json()), (200, record.clone()));
    let other = world.send(&token, "POST", "/v1/asks", Some(question_with(json!({"id": "a/b"})))).await;
    assert_eq!((other.status, other.code()), (409, "id_in_use".to_owned()));
    let got = world.send(&token, "GET", "/v1/asks/a%2Fb", None).await;
    assert_eq!((got.status, got.json()), (200, record));
}

#[tokio::test(start_paused = true)]
async fn every_fault_of_an_ask_is_told_at_once() {
    let mut world = World::new().await;
    let token = world.owner().await;
    let body = json!({
        "questions": [
            {"questionId": "q", "question": "A?", "options": [{"label": "x"}, {"label": "x "}], "min": 1},
            {"questionId": "q", "question": " ", "extra": 1},
        ],
        "timeout": 10_000_000,
    });
    let refused = world.send(&token, "POST", "/v1/asks", Some(body)).await;
    assert_eq!((refused.status, refused.code()), (422, "invalid".to_owned()));
    let json = refused.json();
    let paths: Vec<&str> = json["error"]["faults"]
        .as_array()
        .expect("faults")
        .iter()
        .map(|fault| fault["path"].as_str().expect("a path"))
        .collect();
    for path in [
        "/questions/1",
        "/timeout",
        "/questions/0/options/1/label",
        "/questions/0/min",
        "/questions/1/questionId",
        "/questions/1/question",
    ] {
        assert!(paths.contains(&path), "{path} in {paths:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_ask_for_unknown_people_is_refused() {
    let mut world = World::new().await;
    let token = world.owner().await;
    let body = question_with(json!({"answerers": ["owner", "nobody"]}));
    let refused = world.send(&token, "POST", "/v1/asks", Some(body)).await;
    assert_eq!(refused.status, 422);
    assert_eq!(refused.json()["error"]["faults"][0]["path"], "/answerers/1");
}

#[tokio::test(start_paused = true)]
async fn whoever_asked_takes_it_back_and_taking_back_again_changes_nothing() {
    let mut world = World::new().await;
    let token = world.owner().await;
    let id = world.ask(&token, question()).await;
    let path = format!("/v1/asks/{id}");
    for time in ["first", "second"] {
        let withdrawn = world.send(&token, "DELETE", &path, None).await;
        assert_eq!(withdrawn.status, 200, "{time}: {withdrawn:?}");
        assert_eq!(withdrawn.json()["reason"], "withdrawn", "{time}");
    }
    let waited = world.send(&token, "GET", &format!("{path}/answer"), None).await;
    assert_eq!(waited.status, 200);
    assert_eq!(waited.json()["noAnswer"], "withdrawn");
    assert_eq!(waited.json()["answered"], false);
}

#[tokio::test(start_paused = true)]
async fn pages_hold_what_was_asked_for_in_order() {
    let mut world = World::new().await;
    let token = world.owner().await;
    for number in 1..=5 {
        world.ask(&token, question_with(json!({"id": format!("ask_{number}")}))).await;
    }
    world.send(&token, "DELETE", "/v1/asks/ask_2", None).await;
    let cases: [(&str, &[&str]); 7] = [
        ("", &["ask_1", "ask_3", "ask_4", "ask_5"]),
        ("?state=pending&order=newest", &["ask_5", "ask_4", "ask_3", "ask_1"]),
        ("?state=any&limit=2", &["ask_1", "ask_2", "ask_3", "ask_4", "ask_5"]),
        ("?state=any&limit=1&order=newest", &["ask_5", "ask_4", "ask_3", "ask_2", "ask_1"]),
        ("?state=cancelled", &["ask_2"]),
        ("?state=ended", &["ask_2"]),
        ("?state=answered", &[]),
    ];
    for (query, expected) in cases {
        let mut found = Vec::new();
        let mut path = format!("/v1/asks{query}");
        loop {
            let page = world.send(&token, "GET", &path, None).await;
            assert_eq!(page.status, 200, "{query}: {page:?}");
            let page = page.json();
            found.extend(page["asks"].as_array().expect("asks").iter().map(|ask| ask["id"].clone()));
            let Some(next) = page["next"].as_str() else { break };
            let joint = if query.is_empty() { '?' } else { '&' };
            path = format!("/v1/asks{query}{joint}after={next}");
        }
        assert_eq!(found, expected, "{query}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_schema_asks_its_properties_and_types_the_answers() {
    let mut world = World::new().await;
    let token = world.owner().await;
    let schema = json!({
        "type": "object",
        "properties": {
            "How many?": {"type": "integer", "minimum": 1, "description": "How many copies?"},
            "where": {"type": "string", "enum": ["here", "there"]},
        },
        "required": ["How many?", "where"],
    });
    let id = world.ask(&token, json!({"id": "x", "schema": schema})).await;
    let answer = format!("/v1/asks/{id}/answer");
    let body = json!({"answers": {"field_1": ["3"], "where": ["there"]}});
    let answered = world.send(&token, "POST", &answer, Some(body)).await;
    assert_eq!(answered.status, 200, "{answered:?}");
    let query = |schema: &str| {
        let encoded: String = schema.bytes().map(|byte| format!("%{byte:02X}")).collect();
        format!("{answer}?schema={encoded}")
    };
    let typed = world.send(&token, "GET", &query(&schema.to_string()), None).await;
    assert_eq!(typed.json()["content"], json!({"How many?": 3, "where": "there"}), "{typed:?}");
    let other = r#"{"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]}"#;
    for (name, schema) in [("not JSON", "{"), ("no form", "{}"), ("another", other)] {
        let refused = world.send(&token, "GET", &query(schema), None).await;
        assert_eq!((refused.status, refused.code().as_str()), (422, "invalid"), "{name}: {refused:?}");
    }
}
