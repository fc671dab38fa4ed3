//! Save, then tell: nothing is said before it is on disk, and nothing accepted is lost when the disk fails.

use askrelay_store::TroubleKind;
use serde_json::json;
use std::time::Duration;
use tokio::time::{advance, timeout};

use crate::world::{World, answer_by, ask};

#[tokio::test(start_paused = true)]
async fn nobody_is_told_before_it_is_saved() {
    let world = World::new().await;
    let (mut ring, mut asker) = (world.ring().await, world.local().await);
    asker.ok("question.request", ask("a")).await;
    ring.heard().await;
    world.store.hold();
    let asked = asker.begin("question.request", ask("b")).await;
    asker.settle().await;
    let read = ring.begin("question.get", json!({"id": "b"})).await;
    let listed = ring.begin("question.list", json!({})).await;
    let resolved = ring.begin("question.resolve", answer_by("a", "Staging", "owner")).await;
    let waited = asker.begin("question.waitAnswer", json!({"id": "a"})).await;
    for id in [&read, &listed, &resolved] {
        let early = timeout(Duration::from_millis(500), ring.reply(id)).await;
        assert!(early.is_err(), "told before it was saved: {early:?}");
    }
    for id in [&asked, &waited] {
        let early = timeout(Duration::from_millis(500), asker.reply(id)).await;
        assert!(early.is_err(), "told before it was saved: {early:?}");
    }
    world.store.release();
    for id in [&read, &listed, &resolved] {
        ring.reply(id).await.expect("saved");
    }
    for id in [&asked, &waited] {
        asker.reply(id).await.expect("saved");
    }
    assert_eq!(ring.heard().await, ["question.requested b pending", "question.resolved a answered"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_known_is_read_while_the_disk_is_slow() {
    let world = World::new().await;
    let (mut ring, mut asker) = (world.ring().await, world.local().await);
    asker.ok("question.request", ask("a")).await;
    world.store.hold();
    asker.begin("question.request", ask("b")).await;
    ring.ok("question.get", json!({"id": "a"})).await;
    assert_eq!(
        asker.ok("question.waitAnswer", json!({"id": "a", "timeoutMs": 10})).await["status"],
        "pending"
    );
    world.store.release();
}

#[tokio::test(start_paused = true)]
async fn a_failing_disk_loses_nothing_that_was_accepted() {
    let world = World::new().await;
    let (mut ring, mut asker) = (world.ring().await, world.local().await);
    asker.ok("question.request", ask("a")).await;
    let waiting = asker.begin("question.waitAnswer", json!({"id": "a"})).await;
    ring.heard().await;

    // Two things are under way when the disk fails; the second rests on nothing that is saved.
    world.store.hold();
    let lost = asker.begin("question.request", ask("b")).await;
    let unheard = ring.begin("question.resolve", answer_by("a", "Staging", "owner")).await;
    asker.settle().await;
    ring.settle().await;
    world.store.fail(TroubleKind::DiskFull);
    for error in [asker.reply(&lost).await, ring.reply(&unheard).await] {
        let error = error.expect_err("not saved");
        assert_eq!((&error["code"], &error["retryable"]), (&json!("UNAVAILABLE"), &json!(true)));
    }
    asker.recovered().await;
    let refused = asker.call("question.request", ask("c")).await.expect_err("it does not save");
    assert_eq!(refused["code"], "UNAVAILABLE");
    assert_eq!(ring.ok("question.get", json!({"id": "a"})).await["question"]["status"], "pending");
    assert_eq!(ring.err("question.get", json!({"id": "b"})).await, "QUESTION_NOT_FOUND");
    let still = asker.call("question.resolve", json!({"id": "a", "cancel": true})).await;
    assert_eq!(still.expect_err("it does not save")["code"], "UNAVAILABLE");

    world.store.heal();
    world.store.release();
    asker.ok("question.request", ask("b")).await;
    ring.ok("question.resolve", answer_by("a", "Production", "owner")).await;
    let waited = asker.reply(&waiting).await.expect("the waiter is still there");
    assert_eq!(waited["answers"]["answers"]["q"], json!(["Production"]));
    let heard = ring.heard().await;
    assert_eq!(heard, ["question.requested b pending", "question.resolved a answered"]);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_passes_while_the_disk_fails_and_counts_once_it_works() {
    let world = World::new().await;
    let mut asker = world.local().await;
    let mut short = ask("a");
    short["timeoutMs"] = json!(2000);
    asker.ok("question.request", short).await;
    world.store.fail(TroubleKind::ReadOnly);
    advance(Duration::from_secs(10)).await;
    assert_eq!(asker.ok("question.get", json!({"id": "a"})).await["question"]["status"], "pending");
    world.store.heal();
    assert_eq!(asker.ok("question.waitAnswer", json!({"id": "a"})).await["status"], "expired");
}

#[tokio::test(start_paused = true)]
async fn a_token_that_was_not_saved_opens_nothing() {
    let world = World::new().await;
    let mut local = world.local().await;
    world.store.hold();
    let made = local.begin("tokens.create", json!({"scopes": ["operator.questions"]})).await;
    local.settle().await;
    world.store.fail(TroubleKind::DiskFull);
    local.reply(&made).await.expect_err("not saved");
    local.recovered().await;
    world.store.heal();
    assert_eq!(local.ok("tokens.list", json!({})).await, json!({"tokens": []}));
}
