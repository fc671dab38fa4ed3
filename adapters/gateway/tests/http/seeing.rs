//! Who sees what: what a caller may not see looks nonexistent everywhere.

use askrelay_core::permit::WireScope;
use askrelay_core::person::Scope;
use serde_json::json;

use crate::world::{World, question_with};

#[tokio::test(start_paused = true)]
async fn only_askers_answerers_and_admins_know_of_an_ask() {
    let mut world = World::new().await;
    world.person("ann", &[Scope::QuestionsAnswer]).await;
    world.person("bob", &[Scope::QuestionsAnswer]).await;
    world.person("eve", &[]).await;
    let all = [WireScope::Questions, WireScope::Admin];
    let asker = world.token(None, &[WireScope::Questions]).await;
    let tokens = [
        ("the asker", asker.clone(), true),
        ("the answerer", world.token(Some("ann"), &[WireScope::Questions]).await, true),
        ("another person", world.token(Some("bob"), &[WireScope::Questions]).await, false),
        ("somebody without rights", world.token(Some("eve"), &all).await, false),
        ("another service", world.token(None, &[WireScope::Questions]).await, false),
        ("an admin", world.token(Some("owner"), &all).await, true),
        ("the admin with a lesser token", world.token(Some("owner"), &[WireScope::Questions]).await, false),
    ];
    let body = question_with(json!({"id": "x", "answerers": ["ann"], "sessionKey": "s"}));
    world.ask(&asker, body).await;
    for (name, token, sees) in &tokens {
        let found = if *sees { 200 } else { 404 };
        assert_eq!(world.send(token, "GET", "/v1/asks/x", None).await.status, found, "{name}");
        let waited = world.send(token, "GET", "/v1/asks/x/answer", None).await.status;
        assert_eq!(waited, if *sees { 202 } else { 404 }, "{name}");
        let listed = world.send(token, "GET", "/v1/asks", None).await.json();
        assert_eq!(listed["asks"].as_array().map(Vec::len), Some(usize::from(*sees)), "{name}");
        if !sees {
            let refused = world.send(token, "POST", "/v1/asks/x/answer", Some(json!({"text": "1"}))).await;
            assert_eq!((refused.status, refused.code()), (404, "not_found".to_owned()), "{name}");
            let refused = world.send(token, "DELETE", "/v1/asks/x", None).await;
            assert_eq!(refused.status, 404, "{name}");
        }
    }
    let local = world.send_local("GET", "/v1/asks/x", None).await;
    assert_eq!(local.status, 404, "another's ask, for a local process");
}

#[tokio::test(start_paused = true)]
async fn who_may_see_may_not_therefore_answer_or_withdraw() {
    let mut world = World::new().await;
    world.person("ann", &[Scope::QuestionsAnswer]).await;
    let ann = world.token(Some("ann"), &[WireScope::Questions]).await;
    let service = world.token(None, &[WireScope::Questions]).await;
    world.ask(&service, question_with(json!({"id": "x", "sessionKey": "s"}))).await;
    let own = world.send(&service, "POST", "/v1/asks/x/answer", Some(json!({"text": "1"}))).await;
    assert_eq!((own.status, own.code()), (403, "not_permitted".to_owned()), "a service answers nothing");
    let withdrawn = world.send(&ann, "DELETE", "/v1/asks/x", None).await;
    assert_eq!((withdrawn.status, withdrawn.code()), (403, "not_permitted".to_owned()));
    let answered = world.send(&ann, "POST", "/v1/asks/x/answer", Some(json!({"text": "1"}))).await;
    assert_eq!(answered.status, 200, "{answered:?}");
}

#[tokio::test(start_paused = true)]
async fn a_right_that_ends_while_somebody_waits_ends_what_they_learn() {
    let mut world = World::new().await;
    world.person("ann", &[Scope::QuestionsAnswer]).await;
    let ann = world.token(Some("ann"), &[WireScope::Questions]).await;
    let owner = world.owner().await;
    world.ask(&owner, question_with(json!({"id": "x", "timeout": 30}))).await;
    let address = world.open.clone();
    let waiting = tokio::spawn(async move {
        let bearer = format!("Bearer {ann}");
        let headers = [crate::world::HOST, ("Authorization", bearer.as_str())];
        crate::world::send(&address, "GET", "/v1/asks/x/answer?wait=60", &headers, None).await
    });
    tokio::task::yield_now().await;
    world.person("ann", &[]).await;
    assert_eq!(waiting.await.expect("it ends").status, 404);
}
