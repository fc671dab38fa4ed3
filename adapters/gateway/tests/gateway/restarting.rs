//! What a restart on the same file keeps, and what the time in between ends.

use std::sync::Arc;

use askrelay_core::time::Time;
use askrelay_gateway::{Config, Gateway};
use askrelay_store::{Options, SqliteStore, Store};
use serde_json::json;

use crate::world::{Peer, START, answer_by, ask, local, peer_of, start_at};

/// One life of a gateway on the file.
async fn life(path: &std::path::Path, begins: i64) -> (Gateway, Peer, Peer) {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(path, Options::default()).expect("it opens"));
    let gateway = start_at(store, Config::default(), Time(begins)).await;
    let wide = json!({"caps": ["askrelay/1"]});
    let ring = peer_of(&gateway, askrelay_core::permit::Caller::Ring, wide.clone()).await;
    let asker = peer_of(&gateway, local(), wide).await;
    (gateway, ring, asker)
}

#[tokio::test]
async fn everything_acknowledged_is_there_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("facts.sqlite");
    let (gateway, mut ring, mut asker) = life(&path, START).await;
    let mut deadline = json!(null);
    for id in ["answered", "waits", "expires"] {
        let mut params = ask(id);
        params["timeoutMs"] = json!(if id == "expires" { 60_000 } else { 86_400_000 });
        let asked = asker.ok("question.request", params).await;
        if id == "waits" {
            deadline = asked["expiresAtMs"].clone();
        }
    }
    let mut attempt = answer_by("answered", "Staging", "owner");
    attempt["resolutionId"] = json!("r1");
    let answered = ring.ok("question.resolve", attempt.clone()).await;
    let token = asker.ok("tokens.create", json!({"scopes": ["operator.questions"]})).await;
    gateway.stop().await;
    drop((ring, asker, gateway));

    let (gateway, mut ring, mut asker) = life(&path, START + 3_600_000).await;
    assert_eq!(ring.ok("question.resolve", attempt).await, answered, "a repeat after the restart");
    assert_eq!(
        asker.ok("question.waitAnswer", json!({"id": "answered"})).await["answers"],
        answered["answers"]
    );
    let expired = asker.ok("question.waitAnswer", json!({"id": "expires"})).await;
    assert_eq!(expired["status"], "expired");
    assert!(expired["endedAtMs"].as_i64() >= Some(START + 3_600_000), "when the gateway saw it: {expired}");
    let waits = asker.ok("question.get", json!({"id": "waits"})).await;
    assert_eq!(waits["question"]["status"], "pending");
    let mut repeated = ask("waits");
    repeated["timeoutMs"] = json!(86_400_000);
    let again = asker.ok("question.request", repeated).await;
    assert_eq!(again["expiresAtMs"], deadline, "the same ask is the same record");
    ring.ok("question.resolve", answer_by("waits", "Production", "owner")).await;
    let people = asker.ok("people.list", json!({})).await;
    assert_eq!(people["people"].as_array().map(Vec::len), Some(1));
    let listed = asker.ok("tokens.list", json!({})).await;
    assert_eq!(listed["tokens"][0]["id"], token["id"]);
    peer_of(&gateway, local(), json!({"auth": {"token": token["token"]}})).await;
    gateway.stop().await;
}
