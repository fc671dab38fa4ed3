//! Deadlines, waits and forgetting, by the virtual clock.

use serde_json::json;
use std::time::Duration;
use tokio::time::{Instant, advance};

use crate::world::{START, World, answer_by, ask};

#[tokio::test(start_paused = true)]
async fn a_question_expires_at_its_deadline() {
    let world = World::new().await;
    let (mut ring, mut asker) = (world.ring().await, world.local().await);
    let mut short = ask("a");
    short["timeoutMs"] = json!(5000);
    let began = Instant::now();
    let asked = asker.ok("question.request", short).await;
    assert_eq!(asked["expiresAtMs"], json!(START + 5000));
    let waited = asker.ok("question.waitAnswer", json!({"id": "a"})).await;
    assert_eq!(waited["status"], "expired");
    let took = began.elapsed();
    assert!((Duration::from_millis(5000)..Duration::from_millis(5010)).contains(&took), "{took:?}");
    let late = ring.call("question.resolve", answer_by("a", "Staging", "owner")).await.expect_err("too late");
    assert_eq!(late["details"]["record"]["status"], "expired");
    let kept = asker.ok("question.get", json!({"id": "a"})).await;
    assert_eq!(kept["question"]["late"][0]["answers"]["answers"]["q"], json!(["Staging"]));
}

#[tokio::test(start_paused = true)]
async fn a_wait_ends_by_itself() {
    let world = World::new().await;
    let mut asker = world.local().await;
    asker.ok("question.request", ask("a")).await;
    let began = Instant::now();
    let long = asker.begin("question.waitAnswer", json!({"id": "a", "timeoutMs": 3000})).await;
    let short = asker.begin("question.waitAnswer", json!({"id": "a", "timeoutMs": 1000})).await;
    assert_eq!(asker.reply(&short).await.expect("it ends")["status"], "pending");
    assert_eq!(began.elapsed().as_secs(), 1);
    assert_eq!(asker.reply(&long).await.expect("it ends")["status"], "pending");
    assert_eq!(began.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn ended_records_are_kept_and_then_forgotten() {
    let world = World::with(|config| {
        config.keep_ended = askrelay_core::time::Span::seconds(7200);
        config.bounds.ended_records = 2;
    })
    .await;
    let mut asker = world.local().await;
    for index in 0..6 {
        let id = format!("a{index}");
        asker.ok("question.request", ask(&id)).await;
        asker.ok("question.resolve", json!({"id": id, "cancel": true})).await;
    }
    for index in 0..6 {
        let id = format!("a{index}");
        assert_eq!(asker.ok("question.waitAnswer", json!({"id": id})).await["reason"], "withdrawn");
    }
    advance(Duration::from_secs(3 * 3600 + 1)).await;
    asker.settle().await;
    for index in 0..6 {
        assert_eq!(asker.err("question.get", json!({"id": format!("a{index}")})).await, "QUESTION_NOT_FOUND");
    }
    asker.ok("question.request", ask("a0")).await;
}

/// Memory that is bounded by weight forgets nothing either: what does not fit is read from the store.
#[tokio::test(start_paused = true)]
async fn heavy_records_are_known_after_memory_let_go_of_them() {
    let world = World::with(|config| config.bounds.ended_bytes = 1).await;
    let (mut ring, mut asker) = (world.ring().await, world.local().await);
    asker.ok("question.request", ask("a")).await;
    ring.ok("question.resolve", answer_by("a", "Staging", "owner")).await;
    for _ in 0..2 {
        let late = ring.err("question.resolve", answer_by("a", "Production", "owner")).await;
        assert_eq!(late, "QUESTION_ALREADY_TERMINAL");
    }
    let record = asker.ok("question.get", json!({"id": "a"})).await["question"].clone();
    assert_eq!(record["status"], "answered");
    assert_eq!(asker.err("question.request", ask("a")).await.split(' ').next(), Some("ok"), "the same again");
}

#[tokio::test(start_paused = true)]
async fn everybody_gets_a_tick() {
    let world = World::new().await;
    let mut peer = world.peer(crate::world::local(), json!({})).await;
    let tick = peer.event().await;
    assert_eq!((&tick["event"], &tick["seq"]), (&json!("tick"), &json!(1)));
    assert_eq!(tick["payload"], json!({"ts": START + 30_000}));
    assert_eq!(peer.event().await["seq"], 2);
}

#[tokio::test(start_paused = true)]
async fn stopping_tells_everybody_and_saves_what_was_accepted() {
    let world = World::new().await;
    let mut asker = world.local().await;
    asker.ok("question.request", ask("a")).await;
    asker.heard().await;
    let waiting = asker.begin("question.waitAnswer", json!({"id": "a"})).await;
    world.store.hold();
    let asked = asker.begin("question.request", ask("b")).await;
    asker.settle().await;
    let stop = tokio::spawn({
        let gateway = world.gateway.clone();
        async move { gateway.stop().await }
    });
    assert_eq!(asker.reply(&waiting).await.expect("it is told")["status"], "pending");
    assert_eq!(asker.event().await["event"], "shutdown");
    let refused = asker.call("question.get", json!({"id": "a"})).await.expect_err("stopping");
    assert_eq!((&refused["code"], &refused["retryAfterMs"]), (&json!("UNAVAILABLE"), &json!(1000)));
    world.store.release();
    asker.reply(&asked).await.expect("accepted, so saved and told");
    assert!(asker.closed().await);
    stop.await.expect("it ends");
}

#[tokio::test(start_paused = true)]
async fn a_gateway_with_nothing_under_way_stops_at_once() {
    let rows: [(&str, &[&str]); 3] =
        [("nobody ever asked", &[]), ("one that ended", &["ended"]), ("one that waits", &["ended", "waits"])];
    for (row, ids) in rows {
        let world = World::new().await;
        let mut asker = world.local().await;
        for id in ids {
            asker.ok("question.request", ask(id)).await;
        }
        if !ids.is_empty() {
            asker.ok("question.resolve", json!({"id": "ended", "cancel": true})).await;
        }
        let began = Instant::now();
        world.gateway.stop().await;
        assert_eq!(began.elapsed(), Duration::ZERO, "{row}");
        assert!(asker.closed().await, "{row}");
    }
}
