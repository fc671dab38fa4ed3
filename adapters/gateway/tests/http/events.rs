//! Event streams: who hears what, and how a listener that was away is caught up.

use askrelay_core::permit::WireScope;
use askrelay_core::person::Scope;
use askrelay_gateway::{Bounds, Config};
use askrelay_protocol::call::TokenCall;
use askrelay_protocol::frame::Call;
use serde_json::{Value, json};

use crate::world::{Stream, World, question_with};

/// The next event that is no comment: its name, its id, and which ask it is about.
async fn heard(stream: &mut Stream) -> (String, String, Value) {
    loop {
        let (name, id, data) = stream.next().await.expect("the stream goes on");
        if name != ":" {
            return (name, id, data["id"].clone());
        }
    }
}

async fn ask(world: &World, token: &str, id: &str) {
    world.ask(token, question_with(json!({"id": id}))).await;
}

#[tokio::test(start_paused = true)]
async fn a_listener_hears_what_it_may_see_and_nothing_else() {
    let mut world = World::new().await;
    world.person("ann", &[Scope::QuestionsAnswer]).await;
    let ann = world.token(Some("ann"), &[WireScope::Questions]).await;
    let owner = world.owner().await;
    let mut stream = world.listen(&ann, None).await;
    assert_eq!(stream.head.status, 200);
    assert_eq!(stream.head.headers["content-type"], "text/event-stream");
    let hidden = question_with(json!({"id": "hidden", "answerers": ["owner"]}));
    world.ask(&owner, hidden).await;
    ask(&world, &owner, "shown").await;
    let (name, _, about) = heard(&mut stream).await;
    assert_eq!((name.as_str(), about), ("question.requested", json!("shown")));
    world.send(&ann, "POST", "/v1/asks/shown/answer", Some(json!({"text": "1"}))).await;
    let (name, _, about) = heard(&mut stream).await;
    assert_eq!((name.as_str(), about), ("question.resolved", json!("shown")));
}

#[tokio::test(start_paused = true)]
async fn a_returning_listener_is_caught_up_from_where_it_was() {
    let mut world = World::new().await;
    let token = world.owner().await;
    let mut stream = world.listen(&token, None).await;
    ask(&world, &token, "one").await;
    let (_, one, _) = heard(&mut stream).await;
    drop(stream);
    ask(&world, &token, "two").await;
    ask(&world, &token, "three").await;
    let mut stream = world.listen(&token, Some(&one)).await;
    let (_, two, about) = heard(&mut stream).await;
    assert_eq!(about, json!("two"));
    let (_, three, about) = heard(&mut stream).await;
    assert_eq!(about, json!("three"));
    assert!(one != two && two != three);
    let mut idle = world.listen(&token, Some(&three)).await;
    ask(&world, &token, "four").await;
    assert_eq!(heard(&mut idle).await.2, json!("four"));
}

#[tokio::test(start_paused = true)]
async fn a_first_place_is_told_before_anything_happens() {
    let mut world = World::new().await;
    let token = world.owner().await;
    let mut stream = world.listen(&token, None).await;
    let (name, place, _) = stream.next().await.expect("a first sign");
    assert_eq!(name, ":");
    drop(stream);
    ask(&world, &token, "one").await;
    let mut stream = world.listen(&token, Some(&place)).await;
    assert_eq!(heard(&mut stream).await.2, json!("one"));
}

#[tokio::test(start_paused = true)]
async fn a_listener_that_cannot_be_caught_up_is_told_to_list_again() {
    for bounds in [
        Bounds { logged_events: 2, ..Bounds::default() },
        // Two of these Records, but not three.
        Bounds { logged_bytes: 3000, ..Bounds::default() },
    ] {
        check_gap(bounds).await;
    }
}

async fn check_gap(bounds: Bounds) {
    let mut world = World::with(Config { bounds, ..Config::default() }).await;
    let token = world.owner().await;
    let mut stream = world.listen(&token, None).await;
    ask(&world, &token, "one").await;
    let (_, one, _) = heard(&mut stream).await;
    for id in ["two", "three", "four"] {
        ask(&world, &token, id).await;
    }
    for (name, place) in
        [("too old", one.as_str()), ("of another run", "boot-1"), ("none", ""), ("noise", "é")]
    {
        let mut stream = world.listen(&token, Some(place)).await;
        let (event, id, _) = heard(&mut stream).await;
        assert_eq!(event, "resync", "{name}");
        assert!(!id.is_empty(), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_shows_signs_of_life_and_ends_with_the_gateway() {
    let mut world = World::new().await;
    let token = world.owner().await;
    let mut stream = world.listen(&token, None).await;
    for _ in 0..3 {
        assert_eq!(stream.next().await.map(|(name, _, _)| name), Some(":".to_owned()));
    }
    let stopping = world.gateway.clone();
    tokio::spawn(async move { stopping.stop().await });
    assert_eq!(heard(&mut stream).await.0, "shutdown");
    assert!(stream.next().await.is_none(), "it ends");
}

#[tokio::test(start_paused = true)]
async fn nobody_listens_without_the_scope() {
    let mut world = World::new().await;
    let bare = world.token(Some("owner"), &[]).await;
    for (name, token, status) in [("no scope", bare.as_str(), 403), ("no token", "x", 401)] {
        let refused = world.send(token, "GET", "/v1/events", None).await;
        assert_eq!(refused.status, status, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_ends_with_its_token() {
    let mut world = World::new().await;
    let token = world.owner().await;
    let id = token.split('_').nth(1).expect("a token names its id").to_owned();
    let mut stream = world.listen(&token, None).await;
    assert!(stream.next().await.is_some());
    world.call(Call::Tokens(TokenCall::Revoke(id.as_str().into()))).await;
    while let Some((name, _, _)) = stream.next().await {
        assert_eq!(name, ":", "nothing more is heard");
    }
}
